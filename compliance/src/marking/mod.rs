//! Answers that leave the appliance as files: each says, for people and for programs, how it came about (AI Act 50).
//!
//! For people there is a label at the top. For programs there is a *mark*: `dossier-answer:1:` and a signed note in
//! base64url, in a PDF's keywords, an HTML meta element, a comment in Markdown, a field in JSON. The note holds what made
//! the answer and the SHA-256 of the file, the notes themselves left out of it. [`detect()`] finds the mark in any file,
//! checks the signature, and tells whether the file was changed since. A mark says where a file comes from; it does not
//! say that the answer is right, and it does not survive copying the words alone.

mod detect;
mod label;
mod write;

#[cfg(test)]
mod tests;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use crate::report::Lang;

pub use detect::{Finding, detect};
pub use write::file;

/// What every mark begins with.
pub(crate) const MARK: &str = "dossier-answer:1:";
/// First line of what is signed.
const SIGNED: &str = "dossier answer";

/// Form of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Format {
    /// Markdown.
    Md,
    /// A page by itself.
    Html,
    /// Data.
    Json,
    /// PDF/A-2b.
    Pdf,
}

impl Format {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Pdf, Self::Html, Self::Md, Self::Json];

    /// The end of names of such files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Md => "md",
            Self::Html => "html",
            Self::Json => "json",
            Self::Pdf => "pdf",
        }
    }

    /// The format of that ending.
    pub fn parse(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|f| f.extension().eq_ignore_ascii_case(extension))
    }

    /// Media type.
    pub fn media_type(self) -> &'static str {
        match self {
            Self::Md => "text/markdown; charset=utf-8",
            Self::Html => "text/html; charset=utf-8",
            Self::Json => "application/json",
            Self::Pdf => "application/pdf",
        }
    }
}

/// An answer, as far as a file holds it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct AnswerFile {
    /// The question as typed.
    pub question: String,
    /// The answer, with `[n]` behind what a source bears out.
    pub answer: String,
    /// How a counted answer understood the question.
    pub understood: Vec<String>,
    /// Heads of its columns.
    pub columns: Vec<String>,
    /// Its rows.
    pub rows: Vec<Vec<String>>,
    /// Cited sources.
    pub sources: Vec<Source>,
    /// How it came about.
    pub origin: Origin,
}

/// A cited source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Source {
    /// Its number in the answer.
    pub n: u32,
    /// Title of the document.
    pub title: String,
    /// The place, in words.
    pub place: String,
    /// The sentence that bears it out.
    pub quote: String,
    /// True if the check found that it does.
    pub verified: bool,
}

/// How an answer came about. Signed with the file; holds no text of the question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// `model`, `extractive`, `query`, or `none` where there is no answer.
    pub made_by: String,
    /// The system and its version.
    pub system: String,
    /// The language model that wrote it.
    pub model: Option<String>,
    /// SHA-256 of the model's file.
    pub model_sha256: Option<String>,
    /// The question's identifier in the log.
    pub question_id: String,
    /// When the file was made.
    pub made: Timestamp,
    /// Language of the label.
    pub language: Lang,
    /// True where it is meant for publication.
    pub publication: bool,
    /// Who reviewed it editorially.
    pub reviewed_by: Option<String>,
}

/// What a mark holds.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Metadata {
    /// True where an AI system made the text: always, also where it only took sentences out of sources.
    pub ai_generated: bool,
    /// How it came about.
    #[serde(flatten)]
    pub origin: Origin,
    /// Form of the file.
    pub format: Format,
    /// SHA-256 of the file without the notes, hexadecimal.
    pub content_sha256: String,
}

/// Bytes without the notes that follow each mark, and without carriage returns in files of text.
fn content(bytes: &[u8], format: Format) -> Vec<u8> {
    let mut out = Vec::with_capacity(bytes.len());
    let mut rest = bytes;
    while let Some(at) = find(rest, MARK.as_bytes()) {
        let (before, after) = rest.split_at(at + MARK.len());
        out.extend_from_slice(before);
        rest = after.get(note_length(after)..).unwrap_or_default();
    }
    out.extend_from_slice(rest);
    if format != Format::Pdf {
        out.retain(|&b| b != b'\r');
    }
    out
}

/// Bytes of base64url at the start.
fn note_length(bytes: &[u8]) -> usize {
    bytes.iter().take_while(|b| b.is_ascii_alphanumeric() || matches!(b, b'-' | b'_')).count()
}

fn find(bytes: &[u8], what: &[u8]) -> Option<usize> {
    bytes.windows(what.len()).position(|window| window == what)
}
