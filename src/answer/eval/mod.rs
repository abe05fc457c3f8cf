//! `dossier eval`: the product's own search and answers, measured on questions with known places.
//!
//! Every question goes through [`Answerer::search`] and [`Answerer::ask`] as a reader's would, log
//! included. Recall and nDCG are over the facts; `none` counts for abstention only; counts and
//! lists must come from the catalog and be as many as expected.

mod file;
mod metrics;
mod report;

use tokio::sync::mpsc;

pub use self::file::{EvalQuestion, Kind, Place, parse};
pub use self::metrics::Measures;
pub use self::report::{EvalReport, Failure, Tally};

use self::metrics::Ranking;
use self::report::Outcome;
use super::{Answer, AnswerError, Answerer, Question, SearchHit, SearchRequest};
use crate::audit::Actor;
use crate::scope::Scope;

/// Hits that the measures look at.
const DEPTH: usize = 10;

/// How far an evaluation is.
#[derive(Debug, Clone, serde::Serialize)]
pub struct Progress {
    /// Always `question`.
    pub step: &'static str,
    /// Questions done.
    pub done: usize,
    /// Questions in all.
    pub total: usize,
}

impl Answerer {
    /// Runs every question; `answers` false searches only.
    ///
    /// # Errors
    /// The first failure of a search or an answer.
    pub async fn evaluate(
        &self,
        actor: &Actor,
        scope: &Scope,
        questions: &[EvalQuestion],
        answers: bool,
        progress: impl Fn(Progress),
    ) -> Result<EvalReport, AnswerError> {
        let mut outcomes = Vec::with_capacity(questions.len());
        for (done, question) in (1..).zip(questions) {
            outcomes.push(self.outcome(actor, scope, question, answers).await?);
            progress(Progress { step: "question", done, total: questions.len() });
        }
        Ok(EvalReport::of(&outcomes, answers))
    }

    async fn outcome<'a>(
        &self,
        actor: &Actor,
        scope: &Scope,
        question: &'a EvalQuestion,
        answers: bool,
    ) -> Result<Outcome<'a>, AnswerError> {
        let request =
            SearchRequest { text: question.question.clone(), limit: DEPTH, ..SearchRequest::default() };
        let result = self.search(actor, scope, &request).await?;
        let texts = self.texts(scope, &result.hits).await?;
        let hits = result.hits.iter().zip(&texts).map(|(h, text)| place_of(question, h, text)).collect();
        let ranking = Ranking { hits, places: question.relevant.len() };
        let answer = if answers { Some(self.quiet_answer(actor, scope, question).await?) } else { None };
        Ok(Outcome { question, ranking, search_ms: result.elapsed_ms, answer })
    }

    async fn quiet_answer(
        &self,
        actor: &Actor,
        scope: &Scope,
        question: &EvalQuestion,
    ) -> Result<Answer, AnswerError> {
        let asked = Question {
            text: question.question.clone(),
            language: question.language(),
            ..Question::default()
        };
        let (events, mut receiver) = mpsc::channel(16);
        let drain = async { while receiver.recv().await.is_some() {} };
        let (answer, ()) = tokio::join!(self.ask(actor, scope, &asked, events), drain);
        answer
    }

    /// The passages' texts, to find a GlobalId that a passage shares with others.
    async fn texts(&self, scope: &Scope, hits: &[SearchHit]) -> Result<Vec<String>, AnswerError> {
        let ids: Vec<_> = hits.iter().map(|h| h.chunk).collect();
        let (catalog, scope) = (self.catalog.clone(), scope.clone());
        let rows = super::blocking(move || {
            Ok(catalog.live_chunks(&scope, &ids).map_err(crate::index::IndexError::from)?)
        })
        .await?;
        let text = |h: &SearchHit| rows.iter().find(|r| r.id == h.chunk).map(|r| r.text.clone());
        Ok(hits.iter().map(|h| text(h).unwrap_or_default()).collect())
    }
}

fn place_of(question: &EvalQuestion, hit: &SearchHit, text: &str) -> Option<usize> {
    question.relevant.iter().position(|p| p.is(&hit.path, &hit.locator, text))
}
