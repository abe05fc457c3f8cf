//! Bytes of a file in, a [`Document`] and its [`Chunk`]s out.
//!
//! No network, no clock, no writing: everything here runs in the sandboxed worker. Broken input is
//! normal: what could be read comes back with [`Warning`]s, and only what cannot be read at all is a
//! [`ReadError`].

mod base64_bytes;
mod chunk;
mod error;
mod facts;
mod formats;
#[cfg(test)]
mod growth;
#[cfg(test)]
mod hardening;
mod hyphens;
mod limits;
pub mod model;
mod ocr;
pub mod render;
mod text;

pub use chunk::{ChunkOptions, chunk};
pub use error::ReadError;
#[cfg(feature = "fuzzing")]
pub use formats::pdf::fuzzing;
pub use formats::rfi::mapping::{MappingError, RecordMapping};
pub use formats::rfi::tables::{ExportTable, pack_tables, table_of_export};
pub use formats::{container::read_rest, read, read_mapped, read_with, sniff};
pub use limits::Limits;
pub use model::*;
pub use ocr::{ASKS_PER_PAGE, GreyImage, LOW_CONFIDENCE, OcrProblem, OcrWish, ReadIn, Recogniser};
pub use text::counted;

/// Raised whenever the same bytes would give other chunks; part of a version's identity.
pub const READER_VERSION: u32 = 6;
