//! Why there is no answer.

use crate::audit::AuditError;
use crate::engine::EngineError;
use crate::index::IndexError;

/// A failure on the way from a question to its answer.
#[derive(Debug, thiserror::Error)]
pub enum AnswerError {
    /// The audit log cannot be written: no log, no answer.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// The index or the catalog failed.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A model failed.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The text is empty or too long.
    #[error("a question has between 1 and {max} characters, this one has {found}")]
    Length {
        /// Characters allowed.
        max: usize,
        /// Characters found.
        found: usize,
    },
    /// A question file is not as it should be.
    #[error("line {line}: {message}")]
    QuestionFile {
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A folder of question sets is not as it should be.
    #[error("question sets: {0}")]
    Sets(String),
    /// A file of an evaluation cannot be read or written.
    #[error(transparent)]
    Io(#[from] std::io::Error),
    /// The catalog failed.
    #[error(transparent)]
    Catalog(#[from] crate::catalog::CatalogError),
    /// A background task ended without a result.
    #[error("a task of the answer was stopped: {0}")]
    Task(String),
}
