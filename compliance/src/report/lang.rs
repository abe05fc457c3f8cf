//! Languages of the report.

use serde::{Deserialize, Serialize};

/// Language of the report.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Lang {
    /// German, Swiss spelling.
    De,
    /// French.
    Fr,
    /// Italian.
    It,
    /// English.
    En,
}

impl Lang {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::De, Self::Fr, Self::It, Self::En];

    /// Two-letter code.
    pub fn code(self) -> &'static str {
        match self {
            Self::De => "de",
            Self::Fr => "fr",
            Self::It => "it",
            Self::En => "en",
        }
    }
}
