//! Tensors by name, with their shapes checked against what the architecture demands.

use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use kernels::cpu::{BlockKind, Matrix, dequantise};
use kernels::{KernelError, MappedFile};

use crate::engine::EngineError;
use crate::engine::gguf::{Gguf, GgufError, TensorInfo};

/// The largest size that a dimension in the metadata may have; it keeps products of two from overflowing.
const MAX_SIZE: u32 = 1 << 24;

/// The vectors of the tokens.
pub(super) const EMBEDDING: &str = "token_embd.weight";
/// Tensors of which rows are looked up.
pub(super) const ROWS: [&str; 3] = [EMBEDDING, "position_embd.weight", "token_types.weight"];

/// An open model file: its map, its table, its path for messages.
#[derive(Debug)]
pub(super) struct ModelFile {
    pub(super) map: Arc<MappedFile>,
    pub(super) gguf: Gguf,
    path: PathBuf,
    /// Matrices that were packed before anybody asked for them, by the names of their tensors.
    packed: Mutex<HashMap<String, Matrix>>,
}

/// A matrix (n_out, n_in) with an optional bias (n_out).
#[derive(Debug)]
pub(super) struct Linear {
    pub(super) matrix: Matrix,
    pub(super) bias: Option<Vec<f32>>,
}

/// Rows that are looked up by number and stay in the file.
#[derive(Debug)]
pub(super) struct Table {
    map: Arc<MappedFile>,
    path: PathBuf,
    name: String,
    start: usize,
    row_bytes: usize,
    kind: BlockKind,
    rows: usize,
    width: usize,
}

impl ModelFile {
    /// Maps and parses a file.
    pub(super) fn open(path: &Path) -> Result<Self, EngineError> {
        let map = Arc::new(MappedFile::open(path)?);
        let gguf =
            Gguf::parse(&map).map_err(|source| EngineError::Gguf { path: path.to_path_buf(), source })?;
        Ok(Self { map, gguf, path: path.to_path_buf(), packed: Mutex::default() })
    }

    /// Turns a format error into one that names the file.
    pub(super) fn named<T>(&self, result: Result<T, GgufError>) -> Result<T, EngineError> {
        result.map_err(|source| EngineError::Gguf { path: self.path.clone(), source })
    }

    /// The error for an architecture that the caller cannot run.
    pub(super) fn wrong_architecture(&self, found: &str, supported: &'static str) -> EngineError {
        EngineError::Architecture { path: self.path.clone(), found: found.to_string(), supported }
    }

    /// The error for a key's value.
    pub(super) fn bad_key(&self, key: &str, problem: impl Into<String>) -> EngineError {
        EngineError::Metadata { path: self.path.clone(), key: key.to_string(), problem: problem.into() }
    }

    /// The error for a tokenizer that cannot be built.
    pub(super) fn bad_tokenizer(&self, source: crate::engine::tokenizer::TokenizerError) -> EngineError {
        EngineError::Tokenizer { path: self.path.clone(), source }
    }

    /// A size of the architecture `arch`: at least 1 and within reason.
    pub(super) fn size(&self, arch: &str, key: &str) -> Result<usize, EngineError> {
        let key = format!("{arch}.{key}");
        let value = self.named(self.gguf.u32(&key))?;
        self.checked(&key, value)
    }

    /// As [`ModelFile::size`], for a key that may be missing.
    pub(super) fn opt_size(&self, arch: &str, key: &str) -> Result<Option<usize>, EngineError> {
        let key = format!("{arch}.{key}");
        self.named(self.gguf.opt_u32(&key))?.map(|v| self.checked(&key, v)).transpose()
    }

    fn checked(&self, key: &str, value: u32) -> Result<usize, EngineError> {
        if (1..=MAX_SIZE).contains(&value) {
            return Ok(value as usize);
        }
        Err(self.bad_key(key, format!("{value} is not between 1 and {MAX_SIZE}")))
    }

    /// A positive number of the architecture `arch`, or `default` where the key is missing.
    pub(super) fn positive(&self, arch: &str, key: &str, default: Option<f32>) -> Result<f32, EngineError> {
        let key = format!("{arch}.{key}");
        let value = match default {
            Some(default) => self.named(self.gguf.opt_f32(&key))?.unwrap_or(default),
            None => self.named(self.gguf.f32(&key))?,
        };
        if value.is_finite() && value > 0.0 {
            return Ok(value);
        }
        Err(self.bad_key(&key, format!("{value} is not a positive number")))
    }

    /// Whether the file has a tensor.
    pub(super) fn has(&self, name: &str) -> bool {
        self.gguf.opt_tensor(name).is_some()
    }

    fn tensor(&self, name: &str, expected: &[usize]) -> Result<(&TensorInfo, BlockKind), EngineError> {
        let path = || self.path.clone();
        let missing = || EngineError::MissingTensor { path: path(), tensor: name.to_string() };
        let info = self.gguf.opt_tensor(name).ok_or_else(missing)?;
        if info.dims != expected {
            return Err(EngineError::TensorShape {
                path: path(),
                tensor: name.to_string(),
                expected: expected.to_vec(),
                found: info.dims.clone(),
            });
        }
        let kind = BlockKind::from_gguf(info.kind.id());
        Ok((info, kind.ok_or_else(|| self.bad_kind(name, info))?))
    }

    fn bad_kind(&self, name: &str, info: &TensorInfo) -> EngineError {
        EngineError::TensorKind { path: self.path.clone(), tensor: name.to_string(), kind: info.kind.name() }
    }

    /// Whether a tensor is kept in memory. Of some only rows are read, out of the file; where the file has no matrix
    /// for the logits of a model that `writes`, that of the embedding serves for them as well.
    pub(super) fn is_packed(&self, name: &str, writes: bool) -> bool {
        !ROWS.contains(&name) || (writes && name == EMBEDDING && !self.has("output.weight"))
    }

    /// Whether the rows of several matrices lie in a tensor; [`ModelFile::linears`] packs them one by one.
    fn is_joined(&self, name: &str) -> bool {
        let gate = name.strip_suffix("ffn_up.weight").map(|layer| format!("{layer}ffn_gate.weight"));
        let phi3 = self.gguf.architecture().is_ok_and(|arch| arch == "phi3");
        name.ends_with("attn_qkv.weight") || (phi3 && gate.is_some_and(|gate| !self.has(&gate)))
    }

    /// Packs the matrices of the file on `threads` threads, the largest first, while `meanwhile` runs on one of them;
    /// [`ModelFile::matrix`] then hands them out. `writes` says that the model makes logits.
    pub(super) fn pack_ahead<T: Send>(
        &self,
        threads: usize,
        writes: bool,
        meanwhile: impl FnOnce() -> T + Send,
    ) -> T {
        let mut jobs: Vec<&TensorInfo> = self
            .gguf
            .tensors()
            .iter()
            .filter(|t| t.dims.len() == 2 && self.is_packed(&t.name, writes) && !self.is_joined(&t.name))
            .collect();
        jobs.sort_by_key(|t| std::cmp::Reverse(t.elements()));
        let next = AtomicUsize::new(0);
        let work = || {
            while let Some(info) = jobs.get(next.fetch_add(1, Ordering::Relaxed)) {
                let (Some(kind), &[n_in, n_out]) = (BlockKind::from_gguf(info.kind.id()), &*info.dims) else {
                    continue;
                };
                // What cannot be packed is refused, with its name, when it is asked for.
                if let Ok(matrix) = Matrix::pack(kind, info.bytes(&self.map), n_out, n_in) {
                    let mut packed = self.packed.lock().unwrap_or_else(PoisonError::into_inner);
                    packed.insert(info.name.clone(), matrix);
                }
            }
        };
        std::thread::scope(|scope| {
            // Where the system refuses a thread, this one does the work.
            for _ in 1..threads {
                let _ = std::thread::Builder::new().spawn_scoped(scope, work);
            }
            let done = meanwhile();
            work();
            done
        })
    }

    /// A weight matrix (n_out, n_in), packed for products.
    pub(super) fn matrix(&self, name: &str, n_out: usize, n_in: usize) -> Result<Matrix, EngineError> {
        let (info, kind) = self.tensor(name, &[n_in, n_out])?;
        if let Some(matrix) = self.packed.lock().unwrap_or_else(PoisonError::into_inner).remove(name) {
            return Ok(matrix);
        }
        self.pack(info, 0, kind, info.bytes(&self.map), n_out, n_in)
    }

    /// Packs `bytes`, which begin `from` bytes into the tensor.
    fn pack(
        &self,
        info: &TensorInfo,
        from: usize,
        kind: BlockKind,
        bytes: &[u8],
        n_out: usize,
        n_in: usize,
    ) -> Result<Matrix, EngineError> {
        Matrix::pack(kind, bytes, n_out, n_in)
            .map_err(|e| damaged(&self.path, &info.name, info.range.start + from, e))
    }

    /// `NAME.weight` (n_out, n_in) and, where the file has it, `NAME.bias`.
    pub(super) fn linear(&self, name: &str, n_out: usize, n_in: usize) -> Result<Linear, EngineError> {
        let matrix = self.matrix(&format!("{name}.weight"), n_out, n_in)?;
        let bias = self.opt_vector(&format!("{name}.bias"), n_out)?;
        Ok(Linear { matrix, bias })
    }

    /// Layers whose rows, `(sizes[i], n_in)` each, follow each other in `NAME.weight` and, where the file has it, in
    /// `NAME.bias`.
    pub(super) fn linears<const N: usize>(
        &self,
        name: &str,
        sizes: [usize; N],
        n_in: usize,
    ) -> Result<[Linear; N], EngineError> {
        let (weight, total) = (format!("{name}.weight"), sizes.iter().sum());
        let (info, kind) = self.tensor(&weight, &[n_in, total])?;
        let row = kind.row_bytes(n_in).ok_or_else(|| self.bad_kind(&weight, info))?;
        let bias = self.opt_vector(&format!("{name}.bias"), total)?;
        let (mut bytes, mut from) = (info.bytes(&self.map), 0);
        let mut bias = bias.as_deref();
        let mut parts = Vec::with_capacity(N);
        for n in sizes {
            let (own, rest) = bytes.split_at_checked(n * row).unwrap_or((bytes, &[]));
            bytes = rest;
            let own_bias = bias.and_then(|b| b.split_at_checked(n));
            bias = own_bias.map(|(_, rest)| rest);
            let matrix = self.pack(info, from, kind, own, n, n_in)?;
            from += own.len();
            parts.push(Linear { matrix, bias: own_bias.map(|(own, _)| own.to_vec()) });
        }
        parts.try_into().map_err(|_| self.bad_kind(&weight, info))
    }

    /// The `n` matrices (n_out, n_in) of a tensor, packed for products.
    pub(super) fn matrices(
        &self,
        name: &str,
        n: usize,
        n_out: usize,
        n_in: usize,
    ) -> Result<Vec<Matrix>, EngineError> {
        let (info, kind) = self.tensor(name, &[n_in, n_out, n])?;
        let row = kind.row_bytes(n_in).ok_or_else(|| self.bad_kind(name, info))?;
        let each = info.bytes(&self.map).chunks_exact(row * n_out).enumerate();
        each.map(|(i, bytes)| self.pack(info, i * row * n_out, kind, bytes, n_out, n_in)).collect()
    }

    /// A vector of `len` numbers.
    pub(super) fn vector(&self, name: &str, len: usize) -> Result<Vec<f32>, EngineError> {
        let (info, kind) = self.tensor(name, &[len])?;
        let mut out = vec![0.0; len];
        let done = dequantise(kind, info.bytes(&self.map), &mut out);
        done.map_err(|e| damaged(&self.path, name, info.range.start, e))?;
        Ok(out)
    }

    /// As [`ModelFile::vector`], for a tensor that may be missing.
    pub(super) fn opt_vector(&self, name: &str, len: usize) -> Result<Option<Vec<f32>>, EngineError> {
        if self.has(name) { self.vector(name, len).map(Some) } else { Ok(None) }
    }

    /// Refuses tables that hold something that is no number. Opening looks at all other tensors, but of a table it reads
    /// no row.
    pub(super) fn check_rows(&self) -> Result<(), EngineError> {
        for info in ROWS.iter().filter_map(|name| self.gguf.opt_tensor(name)) {
            let kind = BlockKind::from_gguf(info.kind.id());
            if let Some(offset) = kind.and_then(|kind| kind.first_not_finite(info.bytes(&self.map))) {
                let error = KernelError::NotFinite { offset };
                return Err(damaged(&self.path, &info.name, info.range.start, error));
            }
        }
        Ok(())
    }

    /// A table of rows of `width` numbers; the number of rows is the file's.
    pub(super) fn table(&self, name: &str, width: usize) -> Result<Table, EngineError> {
        let rows = self.gguf.opt_tensor(name).and_then(|t| t.dims.get(1).copied()).unwrap_or(1);
        let (info, kind) = self.tensor(name, &[width, rows])?;
        let row_bytes = kind.row_bytes(width).ok_or_else(|| self.bad_kind(name, info))?;
        let start = info.range.start;
        let (map, path, name) = (Arc::clone(&self.map), self.path.clone(), name.to_owned());
        Ok(Table { map, path, name, start, row_bytes, kind, rows, width })
    }
}

impl Table {
    /// Rows.
    pub(super) fn rows(&self) -> usize {
        self.rows
    }

    /// Row `index`, appended to `out`; false where there is no such row.
    pub(super) fn append_row(&self, index: usize, out: &mut Vec<f32>) -> Result<bool, EngineError> {
        if index >= self.rows {
            return Ok(false);
        }
        let start = self.start + index * self.row_bytes;
        let Some(bytes) = self.map.get(start..start + self.row_bytes) else { return Ok(false) };
        let at = out.len();
        out.resize(at + self.width, 0.0);
        let done = dequantise(self.kind, bytes, &mut out[at..]);
        done.map_err(|e| damaged(&self.path, &self.name, start, e))?;
        Ok(true)
    }
}

/// An error of a tensor whose bytes begin at `start` of the file.
fn damaged(path: &Path, tensor: &str, start: usize, error: KernelError) -> EngineError {
    match error {
        KernelError::NotFinite { offset } => EngineError::NotFinite {
            path: path.to_owned(),
            tensor: tensor.to_owned(),
            offset: start + offset,
        },
        other => other.into(),
    }
}
