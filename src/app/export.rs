//! Answers as files, marked and signed.

use jiff::Timestamp;

use super::facts::lang;
use super::{App, AppError, BUILD, HandedOut};
use crate::answer::{Answer, Mode};
use crate::audit::{
    Actor, AnswerFile, AnswerFormat, AnswerOrigin, AnswerSource, Event, Finding, Rating, sha256_hex,
};
use ingest::Language;

/// How an answer is to leave.
#[derive(Debug, Clone)]
pub struct AnswerExport {
    /// Form of the file.
    pub format: AnswerFormat,
    /// Language of its label.
    pub language: Language,
    /// True where it is meant for publication.
    pub publication: bool,
    /// Who reviewed it editorially.
    pub reviewed_by: Option<String>,
    /// The places of the answer's citations in words, in their order.
    pub places: Vec<String>,
}

impl App {
    /// Writes an answer as a file and records that it was handed out.
    ///
    /// # Errors
    /// When the file cannot be made, or the log cannot be written.
    pub fn export_answer(
        &self,
        actor: &Actor,
        question: &str,
        answer: &Answer,
        wish: AnswerExport,
    ) -> Result<HandedOut, AppError> {
        let sources = answer.citations.iter().zip(&wish.places).map(|(c, place)| AnswerSource {
            n: c.n,
            title: c.title.clone(),
            place: place.clone(),
            quote: c.quote.clone(),
            verified: c.verified,
        });
        let file = AnswerFile {
            question: question.to_owned(),
            answer: answer.answer.clone(),
            understood: answer.understood.clone(),
            columns: answer.columns.clone(),
            rows: answer.rows.iter().map(|row| row.cells.clone()).collect(),
            sources: sources.collect(),
            origin: AnswerOrigin {
                made_by: made_by(answer).to_owned(),
                system: BUILD.to_owned(),
                model: answer.model.clone(),
                model_sha256: answer.model_sha256.clone(),
                question_id: answer.id.clone(),
                made: Timestamp::now(),
                language: lang(wish.language),
                publication: wish.publication,
                reviewed_by: wish.reviewed_by.filter(|name| !name.trim().is_empty()),
            },
        };
        let bytes = self.audit.answer_file(&file, wish.format)?;
        let sha256 = sha256_hex(&bytes);
        let event = Event::Export {
            // The marking is part of the name: there is no export of an answer without it.
            what: format!("answer_{}_signed_metadata", wish.format.extension()),
            sha256: sha256.clone(),
            rows: 1,
            recipient: wish.publication.then(|| "publication".to_owned()),
            country: None,
        };
        // Who is named as the one that reviewed it stands in the log, too.
        let reviewed = file.origin.reviewed_by.map(|verifier| Event::Feedback {
            question: answer.id.clone(),
            rating: Rating::Positive,
            correction: None,
            sign_off: true,
            verifier: Some(verifier),
        });
        self.audit.record_all(actor, reviewed.into_iter().chain([event]).collect())?;
        Ok(HandedOut { bytes, sha256, rows: 1 })
    }

    /// What a file says of its origin, by the keys that this log has signed with.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn detect(&self, bytes: &[u8]) -> Result<Finding, AppError> {
        Ok(self.audit.detect(bytes)?)
    }
}

/// What made an answer, as files and pages say it: `model`, `extractive`, `query`, or `none` for no answer.
pub fn made_by(answer: &Answer) -> &'static str {
    match (answer.abstained, answer.mode) {
        (true, _) => "none",
        (false, Mode::Model) => "model",
        (false, Mode::Extractive) => "extractive",
        (false, Mode::Query) => "query",
    }
}
