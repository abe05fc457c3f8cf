//! The text of an answer: by the model where it can, else by the sources.

use std::sync::Arc;

use ingest::Language;
use tokio::sync::mpsc::Sender;

use super::check::Checker;
use super::clock::Clock;
use super::shape::{citations, written};
use super::types::{AnswerEvent, Citation, Mode, Passage, Table};
use super::write::{Composition, Line, Shown, marked};
use super::{AnswerError, Answerer, blocking, extract, prompt, relevance, write};
use crate::engine::{EmbedKind, Grammar};
use crate::index::{Found, guess};

/// An answer before it has its frame.
#[derive(Default)]
pub(super) struct Draft {
    pub text: String,
    pub abstained: bool,
    pub mode: Option<Mode>,
    pub citations: Vec<Citation>,
    pub unverified: Vec<String>,
    /// What was counted, where the catalog answers.
    pub table: Option<Table>,
    /// The question as it was read, where it was a follow-up.
    pub standing: Option<String>,
    pub prompt_tokens: usize,
    pub completion_tokens: usize,
    pub finish: Option<crate::engine::Finish>,
    /// True where the text has already gone out in pieces.
    pub sent: bool,
}

impl Answerer {
    /// The model's answer where it knows the languages and its sentences hold, else the sources' own.
    #[allow(clippy::too_many_arguments)] // one question's whole state, passed once
    pub(super) async fn draft(
        &self,
        question: &str,
        language: Language,
        found: &Found,
        used: &[usize],
        passages: &[Passage],
        candidates: Vec<extract::Candidate>,
        events: &Sender<AnswerEvent>,
        clock: &Arc<Clock>,
    ) -> Result<Draft, AnswerError> {
        let mut withheld = Vec::new();
        if let Some(readable) = self.readable(language, found, used, passages) {
            let lines = lines(&candidates, used, passages);
            let best = relevance::best_by_words(found).into_iter();
            let best =
                best.filter_map(|i| passages.get(used.iter().position(|u| *u == i)?).map(|p| p.n)).collect();
            let made = self.compose(question, language, readable, lines, best, events, clock).await?;
            if made.left || !made.shown.is_empty() {
                return Ok(written(made, passages));
            }
            withheld = made.withheld;
        }
        let mut draft = self.extract(question, candidates, used, passages).await?;
        draft.unverified = withheld;
        Ok(draft)
    }

    /// The passages that the model may read, if it may answer at all: it knows the question's
    /// language and that of the best passage.
    fn readable(
        &self,
        language: Language,
        found: &Found,
        used: &[usize],
        passages: &[Passage],
    ) -> Option<Vec<Passage>> {
        self.engine.generator.as_ref()?;
        let model = self.engine.answer_model.as_ref()?;
        let knows = |l: Language| model.languages.iter().any(|m| m == l.as_str());
        let reads = |i: &usize| {
            let hit = found.hits.get(*i)?;
            Some(hit.chunk.language.or_else(|| guess(&hit.chunk.text)).is_some_and(knows))
        };
        if !knows(language) || !used.first().and_then(reads).unwrap_or(false) {
            return None;
        }
        let known = passages.iter().zip(used).filter(|(_, i)| reads(i).unwrap_or(false));
        Some(known.map(|(p, _)| p.clone()).collect())
    }

    #[allow(clippy::too_many_arguments)] // one question's whole state, passed once
    async fn compose(
        &self,
        question: &str,
        language: Language,
        passages: Vec<Passage>,
        lines: Vec<Line>,
        best: Vec<u32>,
        events: &Sender<AnswerEvent>,
        clock: &Arc<Clock>,
    ) -> Result<Composition, AnswerError> {
        let Some(generator) = self.engine.generator.clone() else {
            return Err(AnswerError::Task("no answer model".into()));
        };
        let (question, events, clock) = (question.to_owned(), events.clone(), Arc::clone(clock));
        let (force_citations, strict) = (self.force_citations, self.strict);
        blocking(move || {
            let excerpts = write::excerpts(&generator, &question, &passages, &lines, &best);
            let project = passages.first().map(|p| p.project.clone()).unwrap_or_default();
            let about = prompt::About { project, today: jiff::ZonedDateTime::now().date() };
            let conversation = prompt::messages(&question, language, &about, &excerpts);
            let shown = |p: &Passage| excerpts.iter().any(|e| e.n == p.n);
            let chosen: Vec<Passage> = passages.into_iter().filter(shown).collect();
            let mut options = write::options();
            options.grammar = force_citations.then(|| Grammar::citations(chosen.iter().map(|p| p.n)));
            let checker = Checker::new(&question, &chosen).strict(strict);
            write::compose(&generator, &conversation, &options, checker, &events, &clock)
        })
        .await
    }

    /// The sentences of the sources that answer.
    async fn extract(
        &self,
        question: &str,
        mut candidates: Vec<extract::Candidate>,
        used: &[usize],
        passages: &[Passage],
    ) -> Result<Draft, AnswerError> {
        let (engine, text) = (Arc::clone(&self.engine), question.to_owned());
        let chosen = blocking(move || {
            if let Some(embedder) = &engine.embedder {
                let mut texts: Vec<&str> = candidates.iter().map(|c| c.text.as_str()).collect();
                let of_question = embedder.embed(EmbedKind::Query, &[text.as_str()])?;
                let vectors = embedder.embed(EmbedKind::Passage, &std::mem::take(&mut texts))?;
                let cosines: Vec<f32> = vectors.iter().map(|v| dot(v, of_question.first())).collect();
                extract::add_meaning(&mut candidates, &cosines);
            }
            Ok(extract::choose(candidates))
        })
        .await?;
        let shown: Vec<Shown> = chosen
            .iter()
            .filter_map(|c| {
                let at = used.iter().position(|i| *i == c.hit)?;
                Some(Shown { text: c.text.clone(), cites: vec![passages.get(at)?.n] })
            })
            .collect();
        let text = shown.iter().map(|s| marked(&s.text, &s.cites)).collect::<Vec<_>>().join("\n");
        Ok(Draft {
            text,
            citations: citations(&shown, passages),
            mode: Some(Mode::Extractive),
            ..Draft::default()
        })
    }
}

/// The candidates with the numbers of their passages.
fn lines(candidates: &[extract::Candidate], used: &[usize], passages: &[Passage]) -> Vec<Line> {
    let line = |c: &extract::Candidate| {
        let at = used.iter().position(|i| *i == c.hit)?;
        Some(Line { n: passages.get(at)?.n, start: c.start, score: c.score, text: c.text.clone() })
    };
    candidates.iter().filter_map(line).collect()
}

fn dot(a: &[f32], b: Option<&Vec<f32>>) -> f32 {
    b.map_or(0.0, |b| a.iter().zip(b).map(|(x, y)| x * y).sum())
}
