//! GGUF files: the model format of llama.cpp, read without trust in any byte.
//!
//! [`Gguf::parse`] takes the whole file (as a rule memory-mapped) and returns the metadata and, for each
//! tensor, its shape, storage type and byte range. Every offset, count and size is checked before it is used,
//! and memory is set aside only for what the file's bytes can back, so a damaged or hostile file gives a
//! [`GgufError`] and nothing worse. It never copies tensor data.

mod error;
mod kind;
mod read;
#[cfg(test)]
mod tests;
mod value;
mod write;

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

pub use error::GgufError;
pub use kind::TensorKind;
pub use value::{Array, Value};
pub use write::{ALIGNMENT, Writer};

/// A parsed GGUF file: metadata and a table of tensors, without their data.
#[derive(Debug, Clone)]
pub struct Gguf {
    version: u32,
    alignment: usize,
    metadata: BTreeMap<String, Value>,
    tensors: Vec<TensorInfo>,
    index: HashMap<String, usize>,
}

/// One tensor of a GGUF file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TensorInfo {
    /// Its name, as in `blk.0.attn_q.weight`.
    pub name: String,
    /// One to four sizes in the file's order: the length of a row first, then the number of rows.
    pub dims: Vec<usize>,
    /// How the numbers are stored.
    pub kind: TensorKind,
    /// Where its data lies, in bytes from the start of the file. It is inside the file.
    pub range: Range<usize>,
}

impl TensorInfo {
    /// Number of elements: the product of the sizes.
    pub fn elements(&self) -> usize {
        // `parse` has checked that this does not overflow.
        self.dims.iter().product()
    }

    /// Its data, out of the same bytes that were parsed; empty if `file` is shorter than those.
    pub fn bytes<'a>(&self, file: &'a [u8]) -> &'a [u8] {
        file.get(self.range.clone()).unwrap_or_default()
    }
}

impl Gguf {
    /// Reads a whole GGUF file, version 2 or 3, little-endian.
    ///
    /// # Errors
    /// Says what is wrong, in which key or tensor, at which offset.
    pub fn parse(bytes: &[u8]) -> Result<Self, GgufError> {
        read::parse(bytes)
    }

    /// The format's version, 2 or 3.
    pub fn version(&self) -> u32 {
        self.version
    }

    /// The alignment of tensor data in bytes.
    pub fn alignment(&self) -> usize {
        self.alignment
    }

    /// All metadata, by key.
    pub fn metadata(&self) -> &BTreeMap<String, Value> {
        &self.metadata
    }

    /// All tensors, in the file's order.
    pub fn tensors(&self) -> &[TensorInfo] {
        &self.tensors
    }

    /// The tensor of that name.
    pub fn tensor(&self, name: &str) -> Result<&TensorInfo, GgufError> {
        self.opt_tensor(name).ok_or_else(|| GgufError::MissingTensor { name: name.to_owned() })
    }

    /// The tensor of that name, if there is one.
    pub fn opt_tensor(&self, name: &str) -> Option<&TensorInfo> {
        self.index.get(name).and_then(|at| self.tensors.get(*at))
    }

    /// The architecture, as in `llama`.
    pub fn architecture(&self) -> Result<&str, GgufError> {
        self.str("general.architecture")
    }
}
