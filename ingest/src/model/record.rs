use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// A request for information, or a BCF topic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Record {
    /// The number as its source writes it; for a BCF topic without one, the topic's GUID.
    pub number: String,
    /// Revision, empty where the source has none.
    #[serde(default)]
    pub revision: String,
    /// One-line subject.
    pub subject: String,
    /// The question.
    pub question: String,
    /// Answers and comments, oldest first.
    pub answers: Vec<Answer>,
    /// Status in the source's own words (`Offen`, `Closed`, …).
    pub status: String,
    /// `open`, `answered`, `closed`, `void`, or empty where the words are not known.
    #[serde(default)]
    pub state: String,
    /// Priority in the source's own words.
    #[serde(default)]
    pub priority: String,
    /// Discipline or trade.
    #[serde(default)]
    pub discipline: String,
    /// Date of creation, ISO 8601, empty where unknown.
    #[serde(default)]
    pub created: String,
    /// Date by which an answer is due.
    #[serde(default)]
    pub due: String,
    /// Date on which it was answered or closed.
    #[serde(default)]
    pub closed: String,
    /// Who asked.
    #[serde(default)]
    pub author: String,
    /// Who has to answer.
    #[serde(default)]
    pub assignee: String,
    /// Plans, documents, rooms and other places the record names.
    #[serde(default)]
    pub references: Vec<String>,
    /// Building elements the record points at.
    #[serde(default)]
    pub elements: Vec<ElementLink>,
    /// Every further column, by its header.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// Row in the source, from 1, where it comes from a sheet.
    #[serde(default)]
    pub row: Option<u32>,
}

/// An answer or comment to a record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The text.
    pub text: String,
    /// Who wrote it, may be empty.
    pub author: String,
    /// When, ISO 8601, may be empty.
    pub date: String,
    /// True where the source marks it as the official answer.
    pub official: bool,
}

/// A building element that a record names.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ElementLink {
    /// 22-character GlobalId.
    pub global_id: String,
    /// Tag of the authoring program, may be empty.
    #[serde(default)]
    pub authoring_id: String,
}
