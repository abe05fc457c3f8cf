//! This process's writer of the audit log.
//!
//! [`Audit`] is a cheap handle. [`Audit::record`] returns when the event is durable; it blocks for one or two
//! disk flushes, so async code calls it through `spawn_blocking`. Threads that record at the same moment share
//! one flush.
//!
//! **No log, no answer.** When `record` fails, the caller must not do, show or hand out what it wanted to
//! record. [`AuditError::message`] is what the reader is told.
//!
//! This module never reads documents, never decides who may do what, and writes nothing about the content of
//! an event into the program's own log.

mod annex;
mod cases;
pub mod custody;
pub mod disclosure;
mod error;
mod forms;
mod history;
mod keeping;
mod marking;
mod outside;
mod queue;
mod settings;
#[cfg(test)]
mod tests;
mod usage;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::Arc;

use jiff::Timestamp;

pub use cases::{Book, CaseRow, HoldRow};
pub use compliance::annex::measures;
pub use compliance::event::{
    AccessKind, Actor, AnswerMode, CaseKind, CitationCheck, Event, Finish, IncidentReport, LoginMethod,
    PassageRef, Rating, Role, Sampling,
};
pub use compliance::forms::{Block, Form, Values};
pub use compliance::log::{Content, Entry, ListFilter, LogError, Problem, Receipt, Verification};
pub use compliance::report::{CatalogFacts, EgressTest, Figures, Lang, ModelFact};
pub use compliance::sheet::AnnexText;
pub use custody::{Access, AccessState, CustodyError};
pub use error::AuditError;
pub use forms::{MadeForm, form_blocks, form_pdf};
pub use history::{Asked, History};
pub use keeping::{Forgotten, Retained, Retention};
pub use marking::{
    AnswerFile, Finding, Format as AnswerFormat, Origin as AnswerOrigin, Source as AnswerSource, detect_with,
};

pub use annex::{Packed, models_sbom, program_sbom};
pub use outside::witness;
pub use usage::{LEAST_PERSONS, Usage, UsageFigures};

use queue::Queue;
use settings::Seen;

/// The audit log of a data folder, open for writing. Clones share it.
#[derive(Clone, Debug)]
pub struct Audit {
    queue: Arc<Queue>,
}

/// The one-page report.
#[derive(Debug, Clone)]
pub struct Sheet {
    /// The PDF: one A4 page, PDF/A-2b.
    pub pdf: Vec<u8>,
    /// Texts that did not fit on the page, in full.
    pub annex: Vec<AnnexText>,
    /// The figures on it, each with the query that recounts it.
    pub figures: Figures,
    /// SHA-256 of the PDF, hexadecimal; goes into the `export` event.
    pub sha256: String,
}

/// Every kind of event.
pub fn kinds() -> [&'static str; 39] {
    compliance::event::KINDS
}

/// SHA-256 of `bytes`, hexadecimal.
pub fn sha256_hex(bytes: &[u8]) -> String {
    hex::encode(compliance::log::sha256(bytes))
}

impl Audit {
    /// Opens the log in `data/audit` with the keys in `data/keys`, or begins one. The caller holds the lock of
    /// the data folder. `build` identifies the program (a version, or the SHA-256 of the executable).
    ///
    /// # Errors
    /// When the log is damaged, its keys are missing, or the disk refuses.
    pub fn open(data: &Path, build: &str) -> Result<Self, AuditError> {
        Ok(Self { queue: Arc::new(Queue::open(data, build)?) })
    }

    /// Appends one event. It is durable when this returns.
    ///
    /// # Errors
    /// When the event could not be made durable: refuse the work. Later calls try to open the log again.
    pub fn record(&self, actor: &Actor, event: Event) -> Result<Receipt, AuditError> {
        self.queue.record(actor.clone(), event)
    }

    /// Like [`Audit::record`] for many events, in order and made durable together.
    ///
    /// # Errors
    /// When one of them could not be made durable; those before it may be in the log.
    pub fn record_all(&self, actor: &Actor, events: Vec<Event>) -> Result<(), AuditError> {
        self.queue.record_all(events.into_iter().map(|event| (actor.clone(), event))).map(|_| ())
    }

    /// Tells the log which settings are in force (values by key); later envelopes carry their SHA-256. Where
    /// they are not those that the log last told of, an event names the keys that differ, never a value.
    ///
    /// # Errors
    /// When the log or the data folder cannot be read or written.
    pub fn note_settings(&self, settings: &BTreeMap<String, String>) -> Result<(), AuditError> {
        let now = Seen::of(settings);
        let after = now.sha256();
        let before = self.queue.with(|log| settings::last_logged(log))?;
        self.queue.set_config(before.as_deref().unwrap_or(&after));
        let kept = Seen::load(self.queue.data())?;
        if before.as_ref() != Some(&after) {
            let keys = now.changed_since(&kept);
            let event = Event::ConfigChange { before_sha256: before, after_sha256: after, keys };
            self.record(&Actor::system(), event)?;
        }
        if kept == now { Ok(()) } else { now.save(self.queue.data()) }
    }

    /// Signs the present root. To be called hourly, at shutdown and before a report.
    ///
    /// # Errors
    /// When the checkpoint could not be written; the log then refuses events until it can be opened again.
    pub fn checkpoint(&self) -> Result<(), AuditError> {
        self.queue.with(|log| Ok(log.checkpoint()?))
    }

    /// Checks the whole log from its files. Others can record meanwhile.
    ///
    /// # Errors
    /// When a file cannot be read at all. What was found wrong is in the result.
    pub fn verify(&self) -> Result<Verification, AuditError> {
        self.queue.verify()
    }

    /// As [`verify`](Self::verify), but only of what is newer than the last check that found nothing, by this or
    /// an earlier process, and of the tree above it. Quick on a log of any size.
    ///
    /// # Errors
    /// As there.
    pub fn verify_recent(&self) -> Result<Verification, AuditError> {
        self.queue.verify_recent()
    }

    /// The events that `filter` lets through, oldest first. Reading the log is itself an event: the caller
    /// records [`Event::LogRead`] first.
    ///
    /// # Errors
    /// When the log cannot be read, or `filter.query` names no query.
    pub fn list(&self, filter: &ListFilter) -> Result<Vec<Entry>, AuditError> {
        self.queue.with(|log| Ok(log.list(filter)?))
    }

    /// Makes the one-page report over the events from `from` (inclusive) to `to` (exclusive). Verifies the
    /// log first and signs a checkpoint, whose root stands on the page.
    ///
    /// # Errors
    /// When the log cannot be read or the PDF cannot be made.
    pub fn report(
        &self,
        from: Timestamp,
        to: Timestamp,
        facts: &CatalogFacts,
        lang: Lang,
    ) -> Result<Sheet, AuditError> {
        self.checkpoint()?;
        let found = self.queue.verify()?;
        let figures = self.queue.with(|log| Ok(compliance::report::figures(log, found, from, to)?))?;
        let rendered = compliance::sheet::render(&figures, facts, lang)?;
        let sha256 = sha256_hex(&rendered.pdf);
        Ok(Sheet { pdf: rendered.pdf, annex: rendered.annex, figures, sha256 })
    }
}
