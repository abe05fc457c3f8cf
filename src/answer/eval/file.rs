//! The question file: JSON Lines.

use ingest::{Language, Locator};
use serde::Deserialize;

use super::super::AnswerError;
use crate::index::ident;

/// What a question tests.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// A statement that stands somewhere.
    Fact,
    /// A number of things.
    Count,
    /// All of something.
    List,
    /// Nothing in the documents answers it.
    None,
}

impl Kind {
    /// The name in the file.
    pub fn as_str(self) -> &'static str {
        match self {
            Kind::Fact => "fact",
            Kind::Count => "count",
            Kind::List => "list",
            Kind::None => "none",
        }
    }
}

/// A place that answers a question. Without page, GlobalId and record any place of the file does.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
pub struct Place {
    /// Path of the file, from its source or from a folder above it.
    pub path: String,
    /// Page of a PDF, from 1.
    pub page: Option<u32>,
    /// GlobalId of an IFC element.
    pub global_id: Option<String>,
    /// Number of an RFI record.
    pub record: Option<String>,
}

impl Place {
    /// Whether a passage is this place. An element's passage is the one with its GlobalId as
    /// locator or in its text: elements of one type share a passage.
    pub(super) fn is(&self, path: &str, locator: &Locator, text: &str) -> bool {
        let same_file = path == self.path
            || self.path.strip_suffix(path).is_some_and(|rest| rest.ends_with('/'))
            || path.strip_suffix(self.path.as_str()).is_some_and(|rest| rest.ends_with('/'))
            // Attachments stand below their mail.
            || path.strip_prefix(self.path.as_str()).is_some_and(|rest| rest.starts_with('/'));
        same_file
            && self.page.is_none_or(|wanted| matches!(locator, Locator::Pdf { page, .. } if *page == wanted))
            && self.global_id.as_ref().is_none_or(|wanted| {
                matches!(locator, Locator::Ifc { global_id } if global_id == wanted)
                    || text.contains(wanted.as_str())
            })
            && self.record.as_ref().is_none_or(|wanted| match locator {
                Locator::Rfi { record } => same_record(record, wanted),
                _ => false,
            })
    }
}

fn same_record(a: &str, b: &str) -> bool {
    let keys = |s: &str| ident::identifiers(s).into_iter().flat_map(|i| i.keys).collect::<Vec<_>>();
    a == b || keys(a).iter().any(|k| keys(b).contains(k))
}

/// A question with its known places.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct EvalQuestion {
    /// Identifier.
    pub id: String,
    /// Set that it is reported under.
    pub set: String,
    /// Language code.
    pub lang: String,
    /// What it tests.
    pub kind: Kind,
    /// The question.
    pub question: String,
    /// Places that answer it; each alone does.
    #[serde(default)]
    pub relevant: Vec<Place>,
    /// The expected answer, for the reader of the report.
    #[serde(default)]
    pub answer: serde_json::Value,
}

impl EvalQuestion {
    /// The language, where it is one of the product's.
    pub(super) fn language(&self) -> Option<Language> {
        Language::parse(&self.lang)
    }
}

/// Reads a question file.
///
/// # Errors
/// A line is not a question, or an identifier comes twice; the line's number is named.
pub fn parse(text: &str) -> Result<Vec<EvalQuestion>, AnswerError> {
    let mut questions: Vec<EvalQuestion> = Vec::new();
    for (line, content) in (1..).zip(text.lines()) {
        if content.trim().is_empty() {
            continue;
        }
        let fail = |message: String| AnswerError::QuestionFile { line, message };
        let question: EvalQuestion = serde_json::from_str(content).map_err(|e| fail(e.to_string()))?;
        if questions.iter().any(|q| q.id == question.id) {
            return Err(fail(format!("the identifier {:?} comes twice", question.id)));
        }
        if question.kind == Kind::Fact && question.relevant.is_empty() {
            return Err(fail(format!("the fact {:?} names no relevant place", question.id)));
        }
        questions.push(question);
    }
    Ok(questions)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_questions_and_errors_name_their_line() -> Result<(), AnswerError> {
        let good = r#"{"id":"a","set":"s","lang":"de","kind":"fact","question":"?","relevant":[{"path":"x.pdf","page":2}],"answer":"5"}"#;
        assert_eq!(parse(&format!("{good}\n\n"))?.len(), 1);
        assert!(parse(&format!("{good}\n{good}")).unwrap_err().to_string().contains("line 2"));
        assert!(parse("{}").unwrap_err().to_string().starts_with("line 1"));
        Ok(())
    }

    #[test]
    fn places_match_below_and_above_the_source() {
        let pdf = Locator::Pdf { page: 2, boxes: vec![] };
        let place = |path: &str, page| Place { path: path.into(), page, ..Place::default() };
        assert!(place("dokumente/x.pdf", Some(2)).is("dokumente/x.pdf", &pdf, ""));
        assert!(place("sample/dokumente/x.pdf", Some(2)).is("dokumente/x.pdf", &pdf, ""));
        assert!(place("x.pdf", Some(2)).is("dokumente/x.pdf", &pdf, ""));
        assert!(!place("x.pdf", Some(3)).is("dokumente/x.pdf", &pdf, ""));
        assert!(!place("x.pdf", Some(2)).is("dokumente/xx.pdf", &pdf, ""));
        let rfi = Place { path: "r.csv".into(), record: Some("RFI-0042".into()), ..Place::default() };
        assert!(rfi.is("r.csv", &Locator::Rfi { record: "RFI 42".into() }, ""));
    }
}
