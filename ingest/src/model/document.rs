use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Element, Fact, Page, Record, Register, SpatialNode, TextUnit};

/// What sort of source a document or a chunk comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// PDF.
    Pdf,
    /// Scan or photograph: every picture is a page.
    Image,
    /// IFC model (STEP).
    Ifc,
    /// RFI register (CSV, XLSX) or BCF file.
    Rfi,
    /// Workbook or CSV that is no register.
    Sheet,
    /// E-mail.
    Mail,
    /// Text: office documents, presentations, web pages, drawings' texts, plain text; an archive's list.
    Text,
}

impl Kind {
    /// Every kind, in the order in which pages list them.
    pub const ALL: [Kind; 7] =
        [Kind::Pdf, Kind::Image, Kind::Ifc, Kind::Rfi, Kind::Sheet, Kind::Mail, Kind::Text];

    /// The lower-case name used in JSON, in the catalog and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Pdf => "pdf",
            Kind::Image => "image",
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
    /// Pages (PDF, images).
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
    /// Notes on cells of a workbook.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<CellNote>,
    /// Text blocks: plain text, office documents, the body of a mail.
    #[serde(default)]
    pub sections: Vec<Section>,
    /// Facts of an energy proof, and the U-values of a model.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub facts: Vec<Fact>,
    /// Text of earlier messages that a mail repeats, apart from what it says itself.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub quoted: Vec<Section>,
    /// Files inside the file (attachments of a mail, a PDF or a BCF file, members of an archive): documents of
    /// their own, with this one as parent.
    #[serde(default)]
    pub attachments: Vec<Attachment>,
    /// An archive's members that are not among the attachments yet: [`read_rest`](crate::read_rest) goes on there.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rest: Option<Rest>,
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
            notes: Vec::new(),
            sections: Vec::new(),
            facts: Vec::new(),
            quoted: Vec::new(),
            attachments: Vec::new(),
            rest: None,
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

/// A text block or a table under a heading.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Section {
    /// Heading, may be empty. A block that goes on under the heading of the one before repeats it.
    pub heading: String,
    /// Headings above this one, outermost first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub path: Vec<String>,
    /// Where the block starts in the file, counted from 1 in `unit`, the heading included.
    pub line: u32,
    /// What `line` counts.
    #[serde(default)]
    pub unit: TextUnit,
    /// The text. Where the unit is no line, an empty line parts two paragraphs.
    pub text: String,
    /// A table's cells, row by row; the text is empty then.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub rows: Vec<Vec<String>>,
    /// How many of the first rows are headers.
    #[serde(default)]
    pub header_rows: u32,
}

/// A note on a cell of a workbook.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct CellNote {
    /// Sheet name.
    pub sheet: String,
    /// Cell, for example `C7`.
    pub cell: String,
    /// Row number, from 1.
    pub row: u32,
    /// Who wrote it, may be empty.
    pub author: String,
    /// The note; replies follow on lines of their own.
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
    /// File name as declared, without any folder; of an archive's member its path in the archive, with `/`.
    pub name: String,
    /// Part number, from 1.
    pub part: u32,
    /// Contents. JSON carries them as base64.
    #[serde(with = "super::super::base64_bytes")]
    pub bytes: Vec<u8>,
}

/// Members of an archive that were not read yet, because all together would fill the memory.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Rest {
    /// Number of the first of them among the members that are files, from 0.
    pub from: u32,
    /// Its path in the archive.
    pub name: String,
    /// How many they are.
    pub members: u32,
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

    /// True where something in the file was not read, so that a search cannot find it. The rest are notes: what
    /// is odd about the file, or left out because it says nothing.
    pub fn is_a_loss(&self) -> bool {
        const NOTES: [&str; 14] = [
            "boundary",
            "empty",
            "navigation",
            "no-date",
            "no-project",
            "no-text",
            "outline",
            "record",
            "record-rejected",
            "repeated-global-id",
            "schema",
            "topic",
            "tracked-deletions",
            "unknown-class",
        ];
        !self.is_about_ocr() && !NOTES.contains(&self.code.as_str())
    }
}
