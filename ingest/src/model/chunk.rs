use serde::{Deserialize, Serialize};

use super::{Kind, Locator};

/// The languages that the product reads and speaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Language {
    /// German.
    De,
    /// French.
    Fr,
    /// Italian.
    It,
    /// English.
    En,
}

impl Language {
    /// Every language, in the order in which pages list them.
    pub const ALL: [Language; 4] = [Language::De, Language::Fr, Language::It, Language::En];

    /// ISO 639-1 code.
    pub fn as_str(self) -> &'static str {
        match self {
            Language::De => "de",
            Language::Fr => "fr",
            Language::It => "it",
            Language::En => "en",
        }
    }

    /// The language with this ISO 639-1 code.
    pub fn parse(code: &str) -> Option<Language> {
        Language::ALL.into_iter().find(|l| l.as_str() == code)
    }
}

/// A passage: the unit that is embedded, found and cited.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Chunk {
    /// Position among the document's chunks, from 0. Same bytes, same ordinals.
    pub ordinal: u32,
    /// Sort of source.
    pub kind: Kind,
    /// What a citation opens.
    pub locator: Locator,
    /// Headings above the passage, outermost first; never holds the document's title.
    pub section: Vec<String>,
    /// The passage.
    pub text: String,
    /// Language of the passage, where it is long enough to tell.
    pub language: Option<Language>,
}
