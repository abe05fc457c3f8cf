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
    /// Project as the record itself names it, empty where it does not.
    #[serde(default)]
    pub project: String,
    /// Sort of record in the source's own words (`Request for Information`, `Clash`).
    #[serde(default, rename = "type")]
    pub kind: String,
    /// One-line subject.
    pub subject: String,
    /// The question.
    pub question: String,
    /// The answer that the asking side proposes.
    #[serde(default)]
    pub suggestion: String,
    /// Answers and comments, oldest first.
    pub answers: Vec<Answer>,
    /// Status in the source's own words (`Offen`, `Closed`, …).
    pub status: String,
    /// `open`, `answered`, `closed`, `void`, or empty where the words are not known.
    #[serde(default)]
    pub state: String,
    /// Who has to act next.
    #[serde(default)]
    pub ball_in_court: String,
    /// Priority in the source's own words.
    #[serde(default)]
    pub priority: String,
    /// Discipline or trade.
    #[serde(default)]
    pub discipline: String,
    /// Section of the specification (`034100`, `BKP 221`).
    #[serde(default)]
    pub spec_section: String,
    /// Room or place.
    #[serde(default)]
    pub location: String,
    /// What it costs, in the source's own words.
    #[serde(default)]
    pub cost_impact: String,
    /// What it means for the schedule, in the source's own words.
    #[serde(default)]
    pub schedule_impact: String,
    /// Date of creation, ISO 8601, empty where unknown.
    #[serde(default)]
    pub created: String,
    /// Date by which an answer is due.
    #[serde(default)]
    pub due: String,
    /// Date of the answer.
    #[serde(default)]
    pub answered: String,
    /// Date on which it was closed.
    #[serde(default)]
    pub closed: String,
    /// Who asked.
    #[serde(default)]
    pub author: String,
    /// Who has to answer.
    #[serde(default)]
    pub assignee: String,
    /// Everybody whom the record names, with firm and part; those of `author`, `assignee` and
    /// `ball_in_court` among them.
    #[serde(default)]
    pub parties: Vec<Party>,
    /// Plans that the record names.
    #[serde(default)]
    pub drawings: Vec<String>,
    /// Documents, models and other things that the record names.
    #[serde(default)]
    pub references: Vec<String>,
    /// Building elements the record points at.
    #[serde(default)]
    pub elements: Vec<ElementLink>,
    /// Files that belong to the record, by name.
    #[serde(default)]
    pub attachments: Vec<String>,
    /// Views of the model (BCF).
    #[serde(default)]
    pub viewpoints: Vec<Viewpoint>,
    /// Every further column, by its header.
    #[serde(default)]
    pub fields: BTreeMap<String, String>,
    /// Row in the source, from 1, where it comes from a sheet.
    #[serde(default)]
    pub row: Option<u32>,
}

/// An answer or comment to a record.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
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

/// Somebody whom a record names.
#[derive(Debug, Clone, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Party {
    /// `author`, `assignee`, `ball-in-court`, `manager`, `reviewer`, `contractor`, `copy` or `answer`.
    pub part: String,
    /// Name, may be empty where the firm is known.
    pub name: String,
    /// Firm, may be empty.
    #[serde(default)]
    pub organisation: String,
    /// Status with this person, where the source has one for each recipient.
    #[serde(default)]
    pub status: String,
}

/// A view of the model that belongs to a BCF topic.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Viewpoint {
    /// GUID, empty where the file has none.
    #[serde(default)]
    pub guid: String,
    /// Path of the picture in the archive, empty where there is none.
    #[serde(default)]
    pub snapshot: String,
    /// Elements selected in it.
    #[serde(default)]
    pub elements: Vec<ElementLink>,
}

/// A building element that a record names.
#[derive(Debug, Clone, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct ElementLink {
    /// 22-character GlobalId.
    pub global_id: String,
    /// Tag of the authoring program, may be empty.
    #[serde(default)]
    pub authoring_id: String,
}
