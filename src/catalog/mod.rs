//! The catalog: what exists, in which version, and who may see it. SQLite lives here and nowhere else.
//!
//! Tantivy and LanceDB are derived from it. A reading of a file is *staged* as a new generation that
//! no reader sees, put into the index, and *committed*: one transaction makes it the live one. The
//! generation before it is *purged* after the index has forgotten its chunks. A crash between any two
//! of these steps leaves the old version readable; [`Catalog::unfinished`] says what is left to clean.
//!
//! Every reading function takes a [`Scope`](crate::scope::Scope) that is applied inside the query:
//! what lies outside it is absent, not forbidden.
//!
//! Durability: write-ahead log with `synchronous = FULL`, so that what a writing function returned
//! survives a power cut. Concurrency: one writer, any number of readers that never wait for it.
//! The file: who can edit it can show a reader anything and change who may see what; the audit log
//! does not depend on it.

mod changes;
mod chunks;
mod connection;
mod counting;
mod counts;
mod documents;
mod doubtful;
mod elements;
mod erase;
mod error;
mod facts;
mod files;
mod ids;
mod mails;
mod migrate;
mod models;
mod pages;
mod projects;
mod records;
mod runs;
mod sql;
mod stage;
mod texts;
mod users;
mod versions;
mod warned;
mod words;

#[cfg(test)]
mod tests;

pub use changes::{EarlierVersion, ModelChanges};
pub use chunks::{ChunkHead, ChunkRow};
pub use connection::Catalog;
pub use counting::{
    BuildingNode, Counted, CountedDocument, CountedElement, CountedRecord, DateField, DocumentGroup,
    DocumentQuery, ElementCondition, ElementField, ElementGroup, ElementQuery, Group, Measure, Measured,
    PersonField, Range, RecordCondition, RecordField, RecordGroup, RecordPlace, RecordQuery, StoreyNode,
};
pub use counts::Counts;
pub use documents::{DocumentFacts, DocumentFilter, DocumentRow};
pub use doubtful::DoubtfulPage;
pub use erase::{Scrub, Scrubbed};
pub use error::CatalogError;
pub use facts::ModelFact;
pub use files::{FileStamp, FileState, Rejection};
pub use ids::{ChunkId, DocumentId, ProjectId, RunId};
pub use mails::MailRow;
pub use models::{ModelRole, ModelRow};
pub use projects::Project;
pub use records::RecordFile;
pub use runs::{RejectedFile, RunRow, RunState};
pub use stage::{NewVersion, Staged};
pub use users::{GroupRow, UserRole, UserRow};
pub use versions::{Removed, Replaced, Unfinished, Unlogged};
pub use warned::{WarnedFile, WarnedFiles};
