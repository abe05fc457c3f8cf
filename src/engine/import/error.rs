//! Why a file cannot be imported.

/// Why a model file was not converted. Offsets are bytes from the start of the file.
#[derive(Debug, thiserror::Error)]
pub enum ImportError {
    /// The file does not begin as the format does.
    #[error("not an e5-small-q4 file: it starts with {found:02x?}, not with \"E5S1\"")]
    NotE5 {
        /// The first bytes, at most four.
        found: Vec<u8>,
    },
    /// A version that is not known.
    #[error("e5-small-q4 version {version} is not known, only version 1 is")]
    Version {
        /// The version in the header.
        version: u32,
    },
    /// The file ends inside something.
    #[error(
        "{what} at offset {offset} needs {need} bytes, but the file has {have} left: it is cut short or damaged"
    )]
    Truncated {
        /// What was being read.
        what: String,
        /// Where it starts.
        offset: u64,
        /// Bytes it needs.
        need: u64,
        /// Bytes that are left.
        have: u64,
    },
    /// Something makes no sense.
    #[error("{what}: {problem}")]
    Invalid {
        /// What was being read.
        what: String,
        /// What is wrong with it.
        problem: String,
    },
    /// The result could not be written.
    #[error("the converted model cannot be written: {0}")]
    Write(#[from] std::io::Error),
}

impl ImportError {
    pub(super) fn invalid(what: impl Into<String>, problem: impl Into<String>) -> Self {
        Self::Invalid { what: what.into(), problem: problem.into() }
    }
}
