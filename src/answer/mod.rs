//! From a question to a checked, cited answer. No HTTP in here.
//!
//! [`Answerer::ask`] writes the question into the audit log before it searches (no log, no answer),
//! decides whether what was found is relevant at all, numbers the passages, and lets either the
//! language model write (every sentence checked against its passages before it goes out) or takes
//! the sentences of the sources that answer. The answer is in the log before it is complete.
//!
//! This module never shows a sentence with a number that none of its passages has, and never a
//! citation that the server did not give out.

mod building;
mod check;
mod clauses;
mod clock;
mod draft;
mod error;
pub mod eval;
mod extract;
#[cfg(test)]
mod injections;
mod intent;
mod lines;
mod neighbours;
pub mod pairs;
mod polarity;
mod prompt;
mod query;
mod record;
mod relevance;
mod rerank;
mod rows;
mod sentences;
mod shape;
mod stream;
mod texts;
mod types;
mod verify;
mod wanted;
mod write;

use std::sync::Arc;

use ingest::Language;
use tokio::sync::mpsc::Sender;

use self::clock::Clock;
use self::draft::Draft;
use self::neighbours::{Neighbours, neighbours};
use self::query::{Asking, Reply};
use self::shape::{numbered, search_hit};
use crate::audit::{Actor, Audit, Event};
use crate::catalog::{Catalog, ProjectId};
use crate::engine::{EmbedKind, Engine};
use crate::index::{Found, Index, Query, guess};
use crate::scope::Scope;

pub use self::error::AnswerError;
pub use self::prompt::MAX_ANSWER_TOKENS;
pub use self::types::{
    Answer, AnswerEvent, Citation, Mode, Part, Parts, Passage, Question, Row, SearchHit, SearchRequest,
    SearchResult, Table,
};
pub use crate::index::{Folded, Note, NoteKind, Why};

/// Characters of a question or query; longer ones are refused.
pub const MAX_QUESTION_CHARS: usize = 2_000;
/// Hits looked at for an answer.
const HITS: usize = 24;
/// Nearest hits shown beside a fixed answer.
const NEAREST: usize = 5;
/// Hits per page at most.
const MAX_PAGE: usize = 200;

/// Answers questions and searches, in a reader's name and scope.
pub struct Answerer {
    catalog: Catalog,
    index: Arc<Index>,
    engine: Arc<Engine>,
    audit: Audit,
    force_citations: bool,
    strict: bool,
}

impl Answerer {
    /// Puts the parts together.
    pub fn new(catalog: Catalog, index: Arc<Index>, engine: Arc<Engine>, audit: Audit) -> Self {
        Answerer { catalog, index, engine, audit, force_citations: false, strict: true }
    }

    /// Lets the model write nothing but sentences that end in the number of a passage.
    #[must_use]
    pub fn forcing_citations(mut self, force: bool) -> Self {
        self.force_citations = force;
        self
    }

    /// Leaves out what no passage bears out; else it is marked in its place, behind a sentence that holds.
    #[must_use]
    pub fn strict(mut self, strict: bool) -> Self {
        self.strict = strict;
        self
    }

    /// Answers a question. `events` gets the passages, the text in pieces and the finished answer;
    /// when its receiver is dropped, a model that is writing stops.
    ///
    /// # Errors
    /// The audit log cannot be written (then nothing was searched), a store or a model failed, or
    /// the question is empty or too long.
    pub async fn ask(
        &self,
        actor: &Actor,
        scope: &Scope,
        question: &Question,
        events: Sender<AnswerEvent>,
    ) -> Result<Answer, AnswerError> {
        let clock = Arc::new(Clock::start());
        check_length(&question.text)?;
        let id = format!("{:032x}", rand::random::<u128>());
        let language = guess(&question.text).or(question.language).unwrap_or(Language::De);
        let before = question.before.as_deref().unwrap_or_default();
        let standing = query::standing(&question.text, before, guess(before).or(Some(language)));
        let language = if standing.is_some() { guess(before).unwrap_or(language) } else { language };
        let event = Event::Question {
            id: id.clone(),
            text: question.text.clone(),
            language: language.as_str().into(),
            project: self.project_name(scope, question.project).await?,
            filter: standing.as_ref().map(|s| format!("read as: {s}")),
        };
        self.record(actor, event).await?;
        let text = standing.clone().unwrap_or_else(|| question.text.clone());

        let query = Query { text: text.clone(), project: question.project, limit: HITS, ..Query::default() };
        let reply = self.count(scope, &text, question.project, language, query::MAX_ROWS).await?;
        if let Reply::Table(table) = reply {
            return self.counted(actor, id, language, table, standing, events, &clock).await;
        }
        let found = Arc::new(self.find(scope, query).await?);
        let fixed = texts::not_counted(&reply, language);
        let signals = relevance::signals(&text, &found, Some(language));
        let near = signals.iter().filter(|(_, s)| relevance::relevant(*s));
        let mut relevant: Vec<usize> = near.map(|(i, _)| *i).collect();
        // A passage on the subject that holds no value of the kind asked for answers nothing.
        let joined = self.neighbours(scope, &found, &relevant).await?;
        let candidates = extract::candidates(&text, &found, &relevant, &joined);
        relevant.retain(|i| candidates.iter().any(|c| c.hit == *i));
        let fixed = match fixed {
            None if relevant.is_empty() => Some(self.nothing(scope, language).await?.to_owned()),
            fixed => fixed,
        };
        let used = if fixed.is_some() { (0..found.hits.len().min(NEAREST)).collect() } else { relevant };
        let joined = if fixed.is_some() { Neighbours::default() } else { joined };
        let passages = numbered(&found, &used, &joined);
        let looked_at = record::retrieval(&id, &found, &used, &joined, Some(&self.engine));
        self.record(actor, looked_at).await?;
        // A reader who has left is noticed where it matters, while the model writes.
        let _ = events.send(AnswerEvent::Passages(passages.clone())).await;

        let mut draft = match fixed {
            Some(text) => Draft { text, abstained: true, ..Draft::default() },
            None => {
                self.draft(&text, language, &found, &used, &passages, candidates, &events, &clock).await?
            }
        };
        draft.standing = standing;
        self.finish(actor, id, language, draft, passages, events, &clock).await
    }

    /// What belongs to the relevant passages and stands in the chunks beside them.
    async fn neighbours(
        &self,
        scope: &Scope,
        found: &Arc<Found>,
        used: &[usize],
    ) -> Result<Neighbours, AnswerError> {
        let (catalog, scope) = (self.catalog.clone(), scope.clone());
        let (found, used) = (Arc::clone(found), used.to_vec());
        blocking(move || {
            Ok(neighbours(&catalog, &scope, &found, &used).map_err(crate::index::IndexError::from)?)
        })
        .await
    }

    /// Why nothing is found: nothing may be seen, nothing was read yet, or nothing is relevant. What lies outside the
    /// scope makes no difference to it.
    async fn nothing(&self, scope: &Scope, language: Language) -> Result<&'static str, AnswerError> {
        if scope.is_empty() {
            return Ok(texts::nothing_permitted(language));
        }
        let (catalog, scope) = (self.catalog.clone(), scope.clone());
        let counts =
            blocking(move || Ok(catalog.counts(&scope).map_err(crate::index::IndexError::from)?)).await?;
        Ok(if counts.documents == 0 { texts::nothing_read(language) } else { texts::nothing_found(language) })
    }

    /// Asks the catalog, where the question counts, lists or compares.
    async fn count(
        &self,
        scope: &Scope,
        question: &str,
        project: Option<ProjectId>,
        language: Language,
        limit: u64,
    ) -> Result<Reply, AnswerError> {
        let (catalog, scope, question) = (self.catalog.clone(), scope.clone(), question.to_owned());
        blocking(move || {
            let today = jiff::ZonedDateTime::now().date();
            let asking = Asking { catalog: &catalog, scope: &scope, project, language, today, limit };
            Ok(asking.reply(&question).map_err(crate::index::IndexError::from)?)
        })
        .await
    }

    /// What the catalog says beside the hits of a search; nothing where a filter or a further page is looked at.
    async fn table_of(&self, scope: &Scope, request: &SearchRequest) -> Result<Option<Table>, AnswerError> {
        if request.offset > 0 || request.kind.is_some() {
            return Ok(None);
        }
        let language = guess(&request.text).or(request.language).unwrap_or(Language::De);
        match self.count(scope, &request.text, request.project, language, query::BESIDE_HITS).await? {
            Reply::Table(table) => Ok(Some(table)),
            _ => Ok(None),
        }
    }

    /// An answer that the catalog counted: no passage was looked up for it.
    #[allow(clippy::too_many_arguments)] // one question's whole state, passed once
    async fn counted(
        &self,
        actor: &Actor,
        id: String,
        language: Language,
        table: Table,
        standing: Option<String>,
        events: Sender<AnswerEvent>,
        clock: &Clock,
    ) -> Result<Answer, AnswerError> {
        let event = record::retrieval(&id, &Found::default(), &[], &Neighbours::default(), None);
        self.record(actor, event).await?;
        let _ = events.send(AnswerEvent::Passages(Vec::new())).await;
        let draft = Draft {
            text: table.text.clone(),
            mode: Some(Mode::Query),
            table: Some(table),
            standing,
            ..Draft::default()
        };
        self.finish(actor, id, language, draft, Vec::new(), events, clock).await
    }

    /// Searches. The search is in the log before its hits are returned.
    ///
    /// # Errors
    /// The audit log cannot be written, a store failed, or the query is empty or too long.
    pub async fn search(
        &self,
        actor: &Actor,
        scope: &Scope,
        request: &SearchRequest,
    ) -> Result<SearchResult, AnswerError> {
        let clock = Clock::start();
        check_length(&request.text)?;
        let limit = request.limit.clamp(1, MAX_PAGE);
        let table = self.table_of(scope, request).await?;
        let query = Query {
            text: request.text.clone(),
            vector: None,
            kind: request.kind,
            project: request.project,
            limit: request.offset.saturating_add(limit),
        };
        let found = self.find(scope, query).await?;
        let notes = found.notes.clone();
        let hits: Vec<SearchHit> = found.hits.into_iter().skip(request.offset).map(search_hit).collect();
        let event = Event::Search {
            text: request.text.clone(),
            language: found.analysed.language.map_or("", Language::as_str).into(),
            project: self.project_name(scope, request.project).await?,
            filter: filter(request.kind, table.as_ref()),
            hits: count(hits.len()),
            elapsed_ms: clock.elapsed_ms(),
        };
        self.record(actor, event).await?;
        Ok(SearchResult { hits, total: found.total, notes, table, elapsed_ms: clock.elapsed_ms() })
    }

    /// Embeds the query, where there is a model for it, searches, and lets a model judge the best hits.
    async fn find(&self, scope: &Scope, mut query: Query) -> Result<Found, AnswerError> {
        if let Some(embedder) = self.engine.embedder.clone() {
            let text = self.index.in_other_words(&query.text).await?;
            let vectors = blocking(move || Ok(embedder.embed(EmbedKind::Query, &[text.as_str()])?)).await?;
            query.vector = vectors.into_iter().next();
        }
        let wanted = query.limit;
        if self.engine.reranker.is_some() {
            query.limit = wanted.max(rerank::JUDGED);
        }
        let mut found = self.index.search(scope, &query).await?;
        if let Some(reranker) = self.engine.reranker.clone() {
            found = blocking(move || Ok(rerank::judged(&reranker, &query.text, found)?)).await?;
            found.hits.truncate(wanted);
        }
        Ok(found)
    }

    /// Puts the answer into the log, then gives it out.
    #[allow(clippy::too_many_arguments)] // one question's whole state, passed once
    async fn finish(
        &self,
        actor: &Actor,
        id: String,
        language: Language,
        draft: Draft,
        passages: Vec<Passage>,
        events: Sender<AnswerEvent>,
        clock: &Clock,
    ) -> Result<Answer, AnswerError> {
        let mode = draft.mode.unwrap_or(Mode::Extractive);
        let model = self.engine.answer_model.as_ref().filter(|_| mode == Mode::Model);
        if !draft.sent {
            clock.text_goes_out();
        }
        let table = draft.table.clone().unwrap_or_default();
        let answer = Answer {
            id,
            standing: draft.standing.clone(),
            answer: draft.text.clone(),
            language,
            abstained: draft.abstained,
            mode,
            citations: draft.citations.clone(),
            unverified: draft.unverified.clone(),
            understood: table.understood,
            columns: table.columns,
            rows: table.rows,
            total: draft.table.as_ref().map(|t| t.total),
            passages,
            model: model.map(|m| m.name.clone()),
            model_sha256: model.map(|m| m.sha256.clone()),
            device: self.engine.device.name.clone(),
            first_token_ms: clock.first_ms(),
            elapsed_ms: clock.elapsed_ms(),
        };
        self.record(actor, record::answered(&answer, &draft, &self.engine)).await?;
        if !draft.sent {
            let _ = events.send(AnswerEvent::Text(draft.text)).await;
        }
        let _ = events.send(AnswerEvent::Done(Box::new(answer.clone()))).await;
        Ok(answer)
    }

    async fn record(&self, actor: &Actor, event: Event) -> Result<(), AnswerError> {
        let (audit, actor) = (self.audit.clone(), actor.clone());
        blocking(move || Ok(audit.record(&actor, event).map(drop)?)).await
    }

    async fn project_name(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Option<String>, AnswerError> {
        let Some(id) = project else { return Ok(None) };
        let (catalog, scope) = (self.catalog.clone(), scope.clone());
        let projects =
            blocking(move || Ok(catalog.projects(&scope).map_err(crate::index::IndexError::from)?)).await?;
        Ok(projects.into_iter().find(|p| p.id == id).map(|p| p.name))
    }
}

fn check_length(text: &str) -> Result<(), AnswerError> {
    let found = text.trim().chars().count();
    if (1..=MAX_QUESTION_CHARS).contains(&found) {
        Ok(())
    } else {
        Err(AnswerError::Length { max: MAX_QUESTION_CHARS, found })
    }
}

/// What limited a search, and what the catalog was asked, as the log has it.
fn filter(kind: Option<ingest::Kind>, table: Option<&Table>) -> Option<String> {
    let kind = kind.map(|k| format!("kind:{}", k.as_str()));
    kind.or_else(|| table.map(|t| format!("counted:{} ({})", t.total, t.understood.join(", "))))
}

fn count(n: usize) -> u32 {
    u32::try_from(n).unwrap_or(u32::MAX)
}

async fn blocking<T: Send + 'static>(
    work: impl FnOnce() -> Result<T, AnswerError> + Send + 'static,
) -> Result<T, AnswerError> {
    tokio::task::spawn_blocking(work).await.map_err(|e| AnswerError::Task(e.to_string()))?
}
