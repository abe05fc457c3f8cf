//! Writing a GGUF file, for the importer and for tests.

use std::io::{self, Write};

use super::{Array, TensorKind, Value};

/// The alignment of tensor data in the files written here, in bytes.
pub const ALIGNMENT: usize = 32;

/// Collects metadata and tensors and writes them as one GGUF version 3 file.
///
/// Tensor data is borrowed and copied straight to the output, so a large source need not be in memory twice.
/// Nothing is checked twice: what a reader refuses (a name given twice, a data length that does not match)
/// is refused here too, by [`Writer::write`].
#[derive(Debug, Default)]
pub struct Writer<'a> {
    metadata: Vec<(String, Value)>,
    tensors: Vec<Tensor<'a>>,
}

#[derive(Debug)]
struct Tensor<'a> {
    name: String,
    dims: Vec<usize>,
    kind: TensorKind,
    data: &'a [u8],
}

impl<'a> Writer<'a> {
    /// An empty file.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds one metadata entry; they are written in the order given.
    pub fn set(&mut self, key: impl Into<String>, value: Value) -> &mut Self {
        self.metadata.push((key.into(), value));
        self
    }

    /// Adds one tensor. `dims` is in the file's order (the length of a row first); `data` is its bytes.
    pub fn tensor(
        &mut self,
        name: impl Into<String>,
        dims: &[usize],
        kind: TensorKind,
        data: &'a [u8],
    ) -> &mut Self {
        self.tensors.push(Tensor { name: name.into(), dims: dims.to_vec(), kind, data });
        self
    }

    /// Writes the file and returns its length in bytes.
    pub fn write(&self, out: &mut dyn Write) -> io::Result<u64> {
        let header = self.header()?;
        out.write_all(&header)?;
        let mut at = header.len();
        at += pad(out, at)?;
        for tensor in &self.tensors {
            out.write_all(tensor.data)?;
            at += tensor.data.len();
            at += pad(out, at)?;
        }
        Ok(at as u64)
    }

    /// Everything before the tensor data, without the padding that follows it.
    fn header(&self) -> io::Result<Vec<u8>> {
        let mut buffer = b"GGUF".to_vec();
        put(&mut buffer, &3_u32.to_le_bytes());
        put(&mut buffer, &(self.tensors.len() as u64).to_le_bytes());
        put(&mut buffer, &(self.metadata.len() as u64).to_le_bytes());
        let mut seen = std::collections::HashSet::new();
        for (key, value) in &self.metadata {
            if !seen.insert(key.as_str()) {
                return Err(refuse(format!("metadata key {key} given twice")));
            }
            put_str(&mut buffer, key);
            put_value(&mut buffer, value);
        }
        seen.clear();
        let mut offset = 0_usize;
        for tensor in &self.tensors {
            if !seen.insert(tensor.name.as_str()) {
                return Err(refuse(format!("tensor {} given twice", tensor.name)));
            }
            let elements = tensor.dims.iter().try_fold(1_usize, |n, dim| n.checked_mul(*dim));
            if elements.and_then(|n| tensor.kind.bytes_for(n)) != Some(tensor.data.len()) {
                let (name, dims, len) = (&tensor.name, &tensor.dims, tensor.data.len());
                return Err(refuse(format!(
                    "tensor {name} {dims:?} {} has {len} bytes of data",
                    tensor.kind
                )));
            }
            put_str(&mut buffer, &tensor.name);
            put(&mut buffer, &(tensor.dims.len() as u32).to_le_bytes());
            for dim in &tensor.dims {
                put(&mut buffer, &(*dim as u64).to_le_bytes());
            }
            put(&mut buffer, &tensor.kind.id().to_le_bytes());
            put(&mut buffer, &(offset as u64).to_le_bytes());
            offset = (offset + tensor.data.len()).next_multiple_of(ALIGNMENT);
        }
        Ok(buffer)
    }
}

fn refuse(message: String) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, message)
}

fn pad(out: &mut dyn Write, at: usize) -> io::Result<usize> {
    let missing = at.next_multiple_of(ALIGNMENT) - at;
    out.write_all(&vec![0; missing])?;
    Ok(missing)
}

fn put(buffer: &mut Vec<u8>, bytes: &[u8]) {
    buffer.extend_from_slice(bytes);
}

fn put_str(buffer: &mut Vec<u8>, text: &str) {
    put(buffer, &(text.len() as u64).to_le_bytes());
    put(buffer, text.as_bytes());
}

fn put_value(buffer: &mut Vec<u8>, value: &Value) {
    let mut scalar = |id: u32, bytes: &[u8]| {
        put(buffer, &id.to_le_bytes());
        put(buffer, bytes);
    };
    match value {
        Value::U8(v) => scalar(0, &v.to_le_bytes()),
        Value::I8(v) => scalar(1, &v.to_le_bytes()),
        Value::U16(v) => scalar(2, &v.to_le_bytes()),
        Value::I16(v) => scalar(3, &v.to_le_bytes()),
        Value::U32(v) => scalar(4, &v.to_le_bytes()),
        Value::I32(v) => scalar(5, &v.to_le_bytes()),
        Value::F32(v) => scalar(6, &v.to_le_bytes()),
        Value::Bool(v) => scalar(7, &[u8::from(*v)]),
        Value::U64(v) => scalar(10, &v.to_le_bytes()),
        Value::I64(v) => scalar(11, &v.to_le_bytes()),
        Value::F64(v) => scalar(12, &v.to_le_bytes()),
        Value::Str(text) => {
            scalar(8, &[]);
            put_str(buffer, text);
        }
        Value::Array(array) => {
            scalar(9, &[]);
            put_array(buffer, array);
        }
    }
}

fn put_array(buffer: &mut Vec<u8>, array: &Array) {
    let id: u32 = match array {
        Array::U8(_) => 0,
        Array::I8(_) => 1,
        Array::U16(_) => 2,
        Array::I16(_) => 3,
        Array::U32(_) => 4,
        Array::I32(_) => 5,
        Array::F32(_) => 6,
        Array::Bool(_) => 7,
        Array::Str(_) => 8,
        Array::Array(_) => 9,
        Array::U64(_) => 10,
        Array::I64(_) => 11,
        Array::F64(_) => 12,
    };
    put(buffer, &id.to_le_bytes());
    put(buffer, &(array.len() as u64).to_le_bytes());
    match array {
        Array::U8(list) => put(buffer, list),
        Array::I8(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::U16(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::I16(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::U32(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::I32(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::F32(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::Bool(list) => list.iter().for_each(|v| put(buffer, &[u8::from(*v)])),
        Array::Str(list) => list.iter().for_each(|text| put_str(buffer, text)),
        Array::Array(list) => list.iter().for_each(|inner| put_array(buffer, inner)),
        Array::U64(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::I64(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
        Array::F64(list) => list.iter().for_each(|v| put(buffer, &v.to_le_bytes())),
    }
}
