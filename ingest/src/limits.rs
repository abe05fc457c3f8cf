use serde::{Deserialize, Serialize};

/// Bounds within which a file is read. What lies beyond is cut off with a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Pages of a PDF.
    pub max_pages: u32,
    /// Pages of a PDF that are images and are read by text recognition.
    pub max_ocr_pages: u32,
    /// Pixels of one picture: an A0 sheet at 400 dots per inch has 250 million.
    pub max_image_pixels: u64,
    /// Bytes that one compressed stream or archive member may expand to.
    pub max_expanded_bytes: u64,
    /// Members of an archive.
    pub max_members: u32,
    /// Rows of a workbook or CSV file, all sheets together.
    pub max_rows: u32,
    /// Elements of a model.
    pub max_elements: u32,
    /// Characters of text of one document.
    pub max_text_chars: u64,
}

/// Key of the configuration behind [`Limits::max_expanded_bytes`], for messages.
pub(crate) const MAX_EXPANDED: &str = "ingest.limits.max_expanded_mb";

impl Default for Limits {
    fn default() -> Self {
        Limits {
            max_pages: 20_000,
            max_ocr_pages: 2_000,
            max_image_pixels: 300_000_000,
            max_expanded_bytes: 1 << 30,
            max_members: 10_000,
            max_rows: 1_000_000,
            max_elements: 5_000_000,
            max_text_chars: 200_000_000,
        }
    }
}
