//! The smaller types that events are made of.

use serde::{Deserialize, Serialize};

/// What an [`Actor`](super::Actor) may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// Reads documents and their own history.
    Reader,
    /// Leads a project and grants rights in it.
    ProjectLead,
    /// Runs the appliance.
    Administrator,
    /// Reads the log (data-protection officer).
    Auditor,
    /// Holds the keys to pseudonyms.
    KeyCustodian,
    /// The program itself.
    System,
    /// Not signed in.
    Anonymous,
}

impl Role {
    /// The name stored in the envelope.
    pub fn code(self) -> &'static str {
        match self {
            Self::Reader => "reader",
            Self::ProjectLead => "project_lead",
            Self::Administrator => "administrator",
            Self::Auditor => "auditor",
            Self::KeyCustodian => "key_custodian",
            Self::System => "system",
            Self::Anonymous => "anonymous",
        }
    }
}

/// How a person proved who they are.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LoginMethod {
    /// User name and password kept by the appliance.
    Password,
    /// A bearer token.
    Token,
    /// A directory (LDAP).
    Ldap,
    /// Single sign-on (OpenID Connect).
    Oidc,
    /// The local socket of the appliance.
    Local,
}

/// A passage that was handed to the answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct PassageRef {
    /// The document.
    pub document: String,
    /// SHA-256 of the document's bytes.
    pub version: String,
    /// Ordinal of the chunk, counted from 0.
    pub chunk: u32,
    /// Page, counted from 1, where the document has pages.
    pub page: Option<u32>,
    /// Score after fusion.
    pub score: f32,
}

/// How an answer was made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AnswerMode {
    /// Written by a language model from the passages.
    Model,
    /// Sentences taken from the sources.
    Extractive,
    /// Counted or listed by a database query.
    Query,
}

/// Sampling settings of the language model.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Sampling {
    /// Temperature; 0 is greedy.
    pub temperature: f32,
    /// Nucleus size, 1 is off.
    pub top_p: f32,
    /// Candidates kept, 0 is all.
    pub top_k: u32,
    /// Smallest probability relative to the best, 0 is off.
    pub min_p: f32,
    /// How much what was written already is avoided; 1 is not at all.
    #[serde(default)]
    pub repeat_penalty: f32,
    /// Seed, where sampling is random.
    pub seed: Option<u64>,
    /// Longest answer in tokens.
    pub max_tokens: u32,
}

/// Why the text ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Finish {
    /// The model was done.
    Stop,
    /// The longest allowed length was reached.
    Length,
    /// The reader left or pressed stop.
    Cancelled,
    /// An error ended it.
    Failed,
}

/// A citation in an answer with the result of its check against the source.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct CitationCheck {
    /// Number as shown.
    pub n: u32,
    /// The document cited.
    pub document: String,
    /// True if the source bears the sentence out.
    pub verified: bool,
}

/// What left the server when a document was opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessKind {
    /// The page about the document: text, record or element.
    View,
    /// The original file.
    Download,
    /// A rendered page.
    PageImage,
}

/// A reader's judgement of an answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Rating {
    /// Helpful.
    Positive,
    /// Wrong or unhelpful.
    Negative,
}

/// What sort of case a [`Case`](super::Event::Case) event belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum CaseKind {
    /// Request of a data subject: access, correction, deletion, portability.
    Request,
    /// Erasure carried out.
    Erasure,
    /// Incident of data security.
    Incident,
    /// Incident reported to an authority or to the persons concerned.
    Notification,
    /// Remote support by the vendor.
    Support,
}

/// A step on the way to an auditor's reading of texts.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum AccessStep {
    /// An auditor asked for it.
    Requested,
    /// A key custodian agreed, for a time.
    Approved,
    /// A key custodian did not agree.
    Refused,
    /// It was ended before its time.
    Ended,
}

/// Why texts in the log were made readable.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReadPurpose {
    /// A person looks at what they themselves did.
    OwnHistory,
    /// An auditor, with the agreement of a key custodian.
    Audit,
}

/// What is known of an incident of data security: letters a to g of DPO 15, paragraph 1. What is not known yet is
/// empty.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct IncidentReport {
    /// a: what happened.
    pub nature: String,
    /// b: when it happened and for how long.
    pub time: String,
    /// c: which personal data, and about how much.
    pub data: String,
    /// d: whose data, and about how many persons.
    pub persons: String,
    /// e: what follows for the persons, and which risks.
    pub consequences: String,
    /// f: what was done about it, and what is planned.
    pub measures: String,
    /// g: whom to ask.
    pub contact: String,
    /// When it was noticed, RFC 3339.
    pub noticed: String,
    /// True where the risk for the persons is likely to be high: then the EDÖB is told as quickly as possible.
    pub high_risk: bool,
}

impl IncidentReport {
    /// Letters that are still empty.
    pub fn missing(&self) -> Vec<char> {
        let fields = [
            &self.nature,
            &self.time,
            &self.data,
            &self.persons,
            &self.consequences,
            &self.measures,
            &self.contact,
        ];
        ('a'..='g').zip(fields).filter(|(_, text)| text.trim().is_empty()).map(|(letter, _)| letter).collect()
    }
}
