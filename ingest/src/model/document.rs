use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Element, Page, Record, Register, SpatialNode};

/// What sort of source a document or a chunk comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// PDF.
    Pdf,
    /// IFC model (STEP).
    Ifc,
    /// RFI register (CSV, XLSX) or BCF file.
    Rfi,
    /// Workbook or CSV that is no register.
    Sheet,
    /// E-mail.
    Mail,
    /// Plain text.
    Text,
}

impl Kind {
    /// Every kind, in the order in which pages list them.
    pub const ALL: [Kind; 6] = [Kind::Pdf, Kind::Ifc, Kind::Rfi, Kind::Sheet, Kind::Mail, Kind::Text];

    /// The lower-case name used in JSON, in the catalog and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Pdf => "pdf",
            Kind::Ifc => "ifc",
            Kind::Rfi => "rfi",
            Kind::Sheet => "sheet",
            Kind::Mail => "mail",
            Kind::Text => "text",
        }
    }

    /// The kind with this name.
    pub fn parse(name: &str) -> Option<Kind> {
        Kind::ALL.into_iter().find(|k| k.as_str() == name)
    }
}

/// Key of the metadata under which stands in which languages pages that are images were read, as
/// `deu+fra`, or `none` where they were not.
pub const OCR_LANGUAGES: &str = "ocr_languages";

/// What the reader made of one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Document {
    /// Sort of source.
    pub kind: Kind,
    /// Title from the file itself, never empty: the reader falls back to the file's name.
    pub title: String,
    /// Facts about the whole file: `author`, `created`, `modified`, `producer`, `schema`,
    /// `subject`, `from`, `to`, `date`, … Values as the file has them, dates as ISO 8601.
    pub metadata: BTreeMap<String, String>,
    /// Pages (PDF).
    #[serde(default)]
    pub pages: Vec<Page>,
    /// Bookmarks (PDF), in their order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub outline: Vec<Bookmark>,
    /// Building elements and spaces (IFC).
    #[serde(default)]
    pub elements: Vec<Element>,
    /// Project, sites, buildings and storeys (IFC), parents before children.
    #[serde(default)]
    pub spatial: Vec<SpatialNode>,
    /// RFI records and BCF topics.
    #[serde(default)]
    pub records: Vec<Record>,
    /// Where the records come from, with their columns and counts.
    #[serde(default)]
    pub registers: Vec<Register>,
    /// Sheets that are no register.
    #[serde(default)]
    pub sheets: Vec<Sheet>,
    /// Text blocks: plain text, the body of a mail.
    #[serde(default)]
    pub sections: Vec<Section>,
    /// Text of earlier messages that a mail repeats, apart from what it says itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<Section>,
    /// Files inside the file (attachments of a mail, a PDF or a BCF archive): documents of
    /// their own, with this one as parent.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// What was odd, lost or cut off.
    #[serde(default)]
    pub warnings: Vec<Warning>,
}

impl Document {
    /// An empty document of a kind.
    pub fn new(kind: Kind, title: impl Into<String>) -> Self {
        Document {
            kind,
            title: title.into(),
            metadata: BTreeMap::new(),
            pages: Vec::new(),
            outline: Vec::new(),
            elements: Vec::new(),
            spatial: Vec::new(),
            records: Vec::new(),
            registers: Vec::new(),
            sheets: Vec::new(),
            sections: Vec::new(),
            quoted: Vec::new(),
            attachments: Vec::new(),
            warnings: Vec::new(),
        }
    }
}

/// A bookmark: an entry of a PDF's outline.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Bookmark {
    /// Rank, 1 for the highest.
    pub level: u8,
    /// What it says.
    pub title: String,
    /// Page that it leads to, from 1.
    pub page: u32,
    /// Height on the page that it leads to, in points from the top, where the file says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub y: Option<f32>,
}

/// A text block under a heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Heading, may be empty.
    pub heading: String,
    /// First line of the block in the file, from 1.
    pub line: u32,
    /// The text.
    pub text: String,
}

/// A sheet of a workbook.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Sheet {
    /// Sheet name.
    pub name: String,
    /// Number of the first row in `rows`, from 1.
    pub first_row: u32,
    /// Cell texts (cached values, never formulas).
    pub rows: Vec<Vec<String>>,
    /// How many of the first rows are headers.
    pub header_rows: u32,
}

/// A file inside a file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Attachment {
    /// File name as declared, without any folder.
    pub name: String,
    /// Part number, from 1.
    pub part: u32,
    /// Contents. JSON carries them as base64.
    #[serde(with = "super::super::base64_bytes")]
    pub bytes: Vec<u8>,
}

/// Something an administrator may want to know about one file.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Warning {
    /// Stable identifier, `kebab-case`.
    pub code: String,
    /// What happened and to which part, in English.
    pub message: String,
    /// Page where it happened, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub page: Option<u32>,
}

impl Warning {
    /// True where a page that is an image was not read, or with low confidence.
    pub fn is_about_ocr(&self) -> bool {
        self.code.starts_with("ocr-") || self.code == "low-confidence"
    }
}
