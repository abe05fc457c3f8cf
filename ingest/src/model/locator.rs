use serde::{Deserialize, Serialize};

use super::Rect;

/// Where in its document a chunk stands: what a citation opens.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
pub enum Locator {
    /// A place on a page of a PDF or of an image file. Without boxes the whole page is meant.
    Pdf {
        /// Page number, from 1.
        page: u32,
        /// The lines of the passage, in points from the top left of the shown page.
        #[serde(default)]
        boxes: Vec<Rect>,
    },
    /// A building element, space or storey of an IFC model.
    Ifc {
        /// The 22-character GlobalId.
        global_id: String,
    },
    /// A record of an RFI register or a BCF topic.
    Rfi {
        /// The record's number as its source writes it.
        record: String,
    },
    /// A row of a workbook or CSV file that is not an RFI register.
    Sheet {
        /// Sheet name; for CSV the file name.
        sheet: String,
        /// Row number, from 1, the header row counted.
        row: u32,
    },
    /// A part of an e-mail.
    Mail {
        /// The Message-ID without angle brackets, or a hash where the mail has none.
        message_id: String,
        /// `0` is the body; attachments count from 1.
        part: u32,
    },
    /// A place in a text.
    Text {
        /// Heading above the place, empty where there is none.
        section: String,
        /// Number of the line, paragraph or slide, from 1.
        line: u32,
        /// What `line` counts.
        #[serde(default)]
        unit: TextUnit,
    },
}

/// What the places of a text are counted in.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TextUnit {
    /// Lines of a file that has lines.
    #[default]
    Line,
    /// Paragraphs, headings and tables of a document without lines.
    Paragraph,
    /// Slides of a presentation.
    Slide,
}
