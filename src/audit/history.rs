//! What a person did, for that person alone.

use compliance::event::ReadPurpose;
use compliance::log::{Content, ListFilter};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{Actor, Audit, AuditError, Event};

/// Kinds that a person's history shows.
const SHOWN: [&str; 4] = ["question", "answer", "search", "feedback"];

/// Everything that somebody asked, and what they were told.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct History {
    /// Questions and searches, newest first.
    pub asked: Vec<Asked>,
    /// How many can no longer be read, because they are older than texts are kept, or were erased.
    pub unreadable: u64,
}

/// A question or a search.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Asked {
    /// The question's identifier; empty for a search.
    pub id: String,
    /// When, RFC 3339.
    pub at: String,
    /// As typed.
    pub text: String,
    /// Language code.
    pub language: String,
    /// Project that it was limited to.
    pub project: Option<String>,
    /// The answer; none for a search, or where it cannot be read any more.
    pub answer: Option<String>,
    /// What made the answer: `model`, `extractive` or `query`.
    pub made_by: Option<String>,
    /// The person's judgement: `positive` or `negative`.
    pub rating: Option<String>,
    /// What would have been right, by the person's word.
    pub correction: Option<String>,
    /// True where the person signed the answer off.
    pub signed_off: bool,
}

impl Audit {
    /// What `actor` asked since `since`, which is when the account was made: an earlier one of the same name was
    /// somebody else. That it is read is recorded before.
    ///
    /// # Errors
    /// When the log cannot be read or written.
    pub fn own_history(&self, actor: &Actor, since: Timestamp) -> Result<History, AuditError> {
        let filter = ListFilter {
            from: Some(since),
            kinds: SHOWN.iter().map(|kind| (*kind).to_owned()).collect(),
            actor: Some(actor.name.clone()),
            ..ListFilter::default()
        };
        let events = self.list(&ListFilter { envelopes_only: true, ..filter.clone() })?.len() as u64;
        let read = Event::PayloadRead {
            access: None,
            purpose: ReadPurpose::OwnHistory,
            range: "own".to_owned(),
            events,
        };
        self.record(actor, read)?;
        let mut history = History::default();
        for entry in self.list(&filter)? {
            let Content::Clear(value) = &entry.content else {
                history.unreadable +=
                    u64::from(matches!(entry.envelope.kind.as_str(), "question" | "search"));
                continue;
            };
            history.take(&entry.envelope.ts_utc, &value["event"]);
        }
        history.asked.reverse();
        Ok(history)
    }

    /// Whether `actor` asked the question of this identifier.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn asked_by(&self, actor: &Actor, question: &str) -> Result<bool, AuditError> {
        let filter = ListFilter {
            kinds: vec!["question".into()],
            actor: Some(actor.name.clone()),
            target: Some(question.to_owned()),
            limit: Some(1),
            envelopes_only: true,
            ..ListFilter::default()
        };
        Ok(!self.list(&filter)?.is_empty())
    }
}

impl History {
    fn take(&mut self, at: &str, event: &Value) {
        let text = |key: &str| event[key].as_str().map(str::to_owned);
        match event["kind"].as_str() {
            Some("question" | "search") => self.asked.push(Asked {
                id: text("id").unwrap_or_default(),
                at: at.to_owned(),
                text: text("text").unwrap_or_default(),
                language: text("language").unwrap_or_default(),
                project: text("project"),
                ..Asked::default()
            }),
            Some("answer") => {
                if let Some(asked) = self.question(event) {
                    (asked.answer, asked.made_by) = (text("text"), text("mode"));
                }
            }
            Some("feedback") => {
                let signed_off = event["sign_off"].as_bool().unwrap_or_default();
                if let Some(asked) = self.question(event) {
                    if signed_off {
                        asked.signed_off = true;
                    } else {
                        (asked.rating, asked.correction) = (text("rating"), text("correction"));
                    }
                }
            }
            _ => {}
        }
    }

    fn question(&mut self, event: &Value) -> Option<&mut Asked> {
        let id = event["question"].as_str()?;
        self.asked.iter_mut().rev().find(|asked| asked.id == id)
    }

    /// As a table for spreadsheets: one row for each question or search, cells in quotes.
    pub fn csv(&self) -> String {
        let cell = |text: &str| {
            // A cell that a spreadsheet would take for a formula becomes a text.
            let formula = text.starts_with(['=', '+', '-', '@', '\t', '\r']);
            format!("\"{}{}\"", if formula { "'" } else { "" }, text.replace('"', "\"\""))
        };
        let mut out = String::from(
            "\u{feff}at;question;project;language;answer;made_by;rating;correction;signed_off\r\n",
        );
        for a in &self.asked {
            let of = |text: &Option<String>| text.clone().unwrap_or_default();
            let cells = [
                a.at.clone(),
                a.text.clone(),
                of(&a.project),
                a.language.clone(),
                of(&a.answer),
                of(&a.made_by),
                of(&a.rating),
                of(&a.correction),
                a.signed_off.to_string(),
            ];
            out.push_str(&cells.iter().map(|c| cell(c)).collect::<Vec<_>>().join(";"));
            out.push_str("\r\n");
        }
        out
    }
}
