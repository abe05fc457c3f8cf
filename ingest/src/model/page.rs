use serde::{Deserialize, Serialize};

/// `[x0, y0, x1, y1]` in points, origin top left, `x0 <= x1` and `y0 <= y1`.
pub type Rect = [f32; 4];

/// A page as a reader sees it, after rotation and cut to its crop box.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Page {
    /// Page number, from 1.
    pub number: u32,
    /// Width in points.
    pub width_pt: f32,
    /// Height in points.
    pub height_pt: f32,
    /// The text in reading order; lines end with `\n`, blocks are parted by an empty line.
    pub text: String,
    /// The words in reading order.
    pub words: Vec<Word>,
    /// Tables found on the page.
    #[serde(default)]
    pub tables: Vec<Table>,
    /// Headings on the page, in reading order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub headings: Vec<Heading>,
    /// Indexes of lines that are page headers, footers or page numbers. Their words stay among `words`;
    /// passages leave them out.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub furniture: Vec<u32>,
    /// Comments and marks that people put on the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub annotations: Vec<Annotation>,
    /// Fields of a form on the page.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<Field>,
    /// Mean word confidence (0 to 100) where the text comes from OCR.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub ocr_confidence: Option<f32>,
}

/// A word and its place.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Word {
    /// The word as printed.
    pub text: String,
    /// Its box.
    #[serde(rename = "box")]
    pub rect: Rect,
    /// Index of the block on the page that the word belongs to; blocks count in reading order.
    #[serde(default)]
    pub block: u32,
    /// Index of the line within the page.
    #[serde(default)]
    pub line: u32,
}

/// A table: rows of cell texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The table's place on the page.
    #[serde(rename = "box")]
    pub rect: Rect,
    /// Cell texts, row by row, all rows equally long.
    pub rows: Vec<Vec<String>>,
    /// How many of the first rows are headers.
    #[serde(default)]
    pub header_rows: u32,
    /// Boxes of the rows, one for each.
    #[serde(default)]
    pub row_boxes: Vec<Rect>,
    /// The caption above or below the table, may be empty.
    #[serde(default)]
    pub caption: String,
    /// Index of the block on the page that holds the table's words.
    #[serde(default)]
    pub block: u32,
    /// Cells that cover more than one row or column; the others that they cover are empty in `rows`.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub spans: Vec<Span>,
    /// True where the table goes on from the last one of the page before.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub continued: bool,
    /// Header rows of the table's beginning on an earlier page, where this page does not repeat them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub header: Vec<Vec<String>>,
}

/// A cell that covers several rows or columns.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Span {
    /// Row of the cell, from 0.
    pub row: u32,
    /// Column of the cell, from 0.
    pub column: u32,
    /// Rows that it covers, at least 1.
    pub rows: u32,
    /// Columns that it covers, at least 1.
    pub columns: u32,
}

/// A heading: what follows it belongs under it until the next one of the same or a higher rank.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Heading {
    /// Index of the block on the page that is the heading, or before which it applies.
    pub block: u32,
    /// Rank, 1 for the highest.
    pub level: u8,
    /// The heading.
    pub text: String,
    /// True where it stands in the file's outline only, not as a block of its own.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub outline_only: bool,
}

/// A comment or mark on a page.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Annotation {
    /// Sort of annotation as the file names it, in `kebab-case`: `text` (a note), `free-text`, `highlight`,
    /// `underline`, `strike-out`, `squiggly`, `stamp`, `caret`, `ink`, `file-attachment`, …
    #[serde(rename = "type")]
    pub kind: String,
    /// Its place.
    #[serde(rename = "box")]
    pub rect: Rect,
    /// The comment, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub text: String,
    /// The words that a highlight, an underline or a strike-out covers.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub marked: String,
    /// Who made it, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub author: String,
    /// When it was last changed, ISO 8601, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub date: String,
}

/// A field of a form.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Field {
    /// Full name, parts joined by full stops.
    pub name: String,
    /// The name that a person is shown, may be empty.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub label: String,
    /// `text`, `checkbox`, `radio`, `choice`, `button` or `signature`.
    #[serde(rename = "type")]
    pub kind: String,
    /// What was filled in or chosen; several choices are parted by `, `.
    pub value: String,
    /// Whether a checkbox or radio button is on.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checked: Option<bool>,
    /// Its place.
    #[serde(rename = "box")]
    pub rect: Rect,
}
