use std::borrow::Cow;

/// Why a file could not be read at all.
///
/// The message is for the administrator: what is wrong with the file and what to do.
#[derive(Debug, Clone, PartialEq, thiserror::Error, serde::Serialize, serde::Deserialize)]
#[serde(tag = "code", rename_all = "kebab-case")]
pub enum ReadError {
    /// No reader for this sort of file.
    #[error(
        "no reader for this file type ({found}); supported are PDF, IFC, BCF, XLSX, XLS, ODS, CSV, DOCX, PPTX, ODT, \
         ODP, RTF, HTML, Markdown, plain text, EML, DXF, PNG, JPEG, TIFF, BMP, WebP, and ZIP archives of these"
    )]
    Unsupported {
        /// What the first bytes and the name look like.
        found: String,
    },
    /// A format of former days, or a binary form of one that is read as text.
    #[error("{found} is not read; open it in its program and save it as {save_as}")]
    Outdated {
        /// What the file is.
        found: String,
        /// Extension of the format to save it in.
        save_as: String,
    },
    /// A password is needed.
    #[error("the file is protected by a password; store an unprotected copy")]
    Password,
    /// The bytes do not follow the format.
    #[error("the file is damaged: {detail}; open it in the program that made it and save it again")]
    Damaged {
        /// What was found where.
        detail: String,
    },
    /// A limit was reached before anything useful was read.
    #[error("the file exceeds the limit for {limit}; {}", remedy(.key.as_deref()))]
    TooLarge {
        /// Which limit, with its value.
        limit: String,
        /// The key of the configuration that sets it; `None` where nothing does.
        key: Option<Cow<'static, str>>,
    },
}

impl ReadError {
    /// A limit that a key of the configuration sets.
    pub(crate) fn beyond(limit: impl Into<String>, key: &'static str) -> Self {
        ReadError::TooLarge { limit: limit.into(), key: Some(key.into()) }
    }

    /// A limit that is part of the program.
    pub(crate) fn beyond_fixed(limit: impl Into<String>) -> Self {
        ReadError::TooLarge { limit: limit.into(), key: None }
    }
}

fn remedy(key: Option<&str>) -> Cow<'static, str> {
    match key {
        Some(key) => format!("split it or raise {key} in the configuration").into(),
        None => "the limit is fixed: split it, or save it anew in the program that made it".into(),
    }
}
