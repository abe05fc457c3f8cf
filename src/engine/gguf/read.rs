//! The bytes of a GGUF file, read front to back with every step checked.

use std::collections::{BTreeMap, HashMap};

use super::{Array, Gguf, GgufError, TensorInfo, TensorKind, Value};

/// Arrays in arrays deeper than this are refused; no known model nests at all.
const MAX_DEPTH: usize = 4;
/// Longest key or tensor name in bytes; llama.cpp stops at 64 for tensors, keys are longer.
const MAX_NAME: u64 = 4096;

struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn left(&self) -> u64 {
        (self.bytes.len() - self.at) as u64
    }

    /// The next `need` bytes; `what` names them in the error.
    fn take(&mut self, need: u64, what: impl FnOnce() -> String) -> Result<&'a [u8], GgufError> {
        let end = usize::try_from(need).ok().and_then(|n| self.at.checked_add(n));
        let Some(slice) = end.and_then(|end| self.bytes.get(self.at..end)) else {
            let (offset, have) = (self.at as u64, self.left());
            return Err(GgufError::Truncated { what: what(), offset, need, have });
        };
        self.at += slice.len();
        Ok(slice)
    }

    fn array<const N: usize>(&mut self, what: impl FnOnce() -> String) -> Result<[u8; N], GgufError> {
        let slice = self.take(N as u64, what)?;
        let mut out = [0; N];
        out.copy_from_slice(slice);
        Ok(out)
    }

    fn u32(&mut self, what: impl FnOnce() -> String) -> Result<u32, GgufError> {
        Ok(u32::from_le_bytes(self.array(what)?))
    }

    fn u64(&mut self, what: impl FnOnce() -> String) -> Result<u64, GgufError> {
        Ok(u64::from_le_bytes(self.array(what)?))
    }

    fn string(&mut self, what: impl Fn() -> String, longest: u64) -> Result<String, GgufError> {
        let offset = self.at as u64;
        let length = self.u64(|| format!("length of {}", what()))?;
        if length > longest {
            return Err(invalid(what(), offset, format!("{length} bytes long, at most {longest} allowed")));
        }
        let bytes = self.take(length, &what)?;
        String::from_utf8(bytes.to_vec()).map_err(|e| {
            invalid(what(), offset, format!("not UTF-8 from byte {}", e.utf8_error().valid_up_to()))
        })
    }

    /// A count of things of at least `smallest` bytes each; more than the rest of the file holds is refused,
    /// so that no memory is set aside for what cannot be there.
    fn count(&mut self, smallest: u64, what: impl Fn() -> String) -> Result<usize, GgufError> {
        let offset = self.at as u64;
        let count = self.u64(&what)?;
        let need = count.saturating_mul(smallest);
        if need > self.left() {
            return Err(GgufError::Truncated { what: what(), offset, need, have: self.left() });
        }
        usize::try_from(count).map_err(|_| invalid(what(), offset, format!("{count} does not fit")))
    }

    fn value(&mut self, kind: u32, key: &str) -> Result<Value, GgufError> {
        let what = || format!("value of key {key}");
        Ok(match kind {
            0 => Value::U8(u8::from_le_bytes(self.array(what)?)),
            1 => Value::I8(i8::from_le_bytes(self.array(what)?)),
            2 => Value::U16(u16::from_le_bytes(self.array(what)?)),
            3 => Value::I16(i16::from_le_bytes(self.array(what)?)),
            4 => Value::U32(self.u32(what)?),
            5 => Value::I32(i32::from_le_bytes(self.array(what)?)),
            6 => Value::F32(f32::from_le_bytes(self.array(what)?)),
            7 => Value::Bool(self.array::<1>(what)? != [0]),
            8 => Value::Str(self.string(what, u64::MAX)?),
            9 => Value::Array(self.list(key, 1)?),
            10 => Value::U64(self.u64(what)?),
            11 => Value::I64(i64::from_le_bytes(self.array(what)?)),
            12 => Value::F64(f64::from_le_bytes(self.array(what)?)),
            other => return Err(invalid(what(), self.at as u64, format!("unknown value type {other}"))),
        })
    }

    fn list(&mut self, key: &str, depth: usize) -> Result<Array, GgufError> {
        let what = || format!("array of key {key}");
        let offset = self.at as u64;
        if depth > MAX_DEPTH {
            return Err(invalid(what(), offset, format!("nested deeper than {MAX_DEPTH}")));
        }
        let kind = self.u32(what)?;
        Ok(match kind {
            0 => Array::U8(self.numbers(what, |b: [u8; 1]| b[0])?),
            1 => Array::I8(self.numbers(what, i8::from_le_bytes)?),
            2 => Array::U16(self.numbers(what, u16::from_le_bytes)?),
            3 => Array::I16(self.numbers(what, i16::from_le_bytes)?),
            4 => Array::U32(self.numbers(what, u32::from_le_bytes)?),
            5 => Array::I32(self.numbers(what, i32::from_le_bytes)?),
            6 => Array::F32(self.numbers(what, f32::from_le_bytes)?),
            7 => Array::Bool(self.numbers(what, |b: [u8; 1]| b != [0])?),
            8 => {
                let count = self.count(8, what)?;
                let mut list = Vec::with_capacity(count);
                for i in 0..count {
                    list.push(self.string(|| format!("element {i} of key {key}"), u64::MAX)?);
                }
                Array::Str(list)
            }
            9 => {
                // An inner array takes 12 bytes at least: its type and its count.
                let count = self.count(12, what)?;
                let mut list = Vec::with_capacity(count);
                for _ in 0..count {
                    list.push(self.list(key, depth + 1)?);
                }
                Array::Array(list)
            }
            10 => Array::U64(self.numbers(what, u64::from_le_bytes)?),
            11 => Array::I64(self.numbers(what, i64::from_le_bytes)?),
            12 => Array::F64(self.numbers(what, f64::from_le_bytes)?),
            other => return Err(invalid(what(), offset, format!("unknown element type {other}"))),
        })
    }

    fn numbers<const N: usize, T>(
        &mut self,
        what: impl Fn() -> String,
        convert: impl Fn([u8; N]) -> T,
    ) -> Result<Vec<T>, GgufError> {
        let count = self.count(N as u64, &what)?;
        let bytes = self.take((count * N) as u64, &what)?;
        let (chunks, _) = bytes.as_chunks::<N>();
        Ok(chunks.iter().map(|chunk| convert(*chunk)).collect())
    }
}

fn invalid(what: String, offset: u64, problem: String) -> GgufError {
    GgufError::Invalid { what, offset, problem }
}

pub(super) fn parse(bytes: &[u8]) -> Result<Gguf, GgufError> {
    let mut cursor = Cursor { bytes, at: 0 };
    let version = header(&mut cursor)?;
    // A tensor's entry takes 32 bytes at least, a key's 13.
    let tensor_count = cursor.count(32, || "tensor count".into())?;
    let key_count = cursor.count(13, || "key count".into())?;
    let metadata = metadata(&mut cursor, key_count)?;
    let alignment = alignment(&metadata)?;
    let mut entries = Vec::with_capacity(tensor_count);
    for i in 0..tensor_count {
        entries.push(tensor_entry(&mut cursor, i)?);
    }
    let data = cursor.at.checked_next_multiple_of(alignment).unwrap_or(usize::MAX);
    let mut index = HashMap::with_capacity(entries.len());
    let mut tensors = Vec::with_capacity(entries.len());
    for entry in entries {
        if index.insert(entry.name.clone(), tensors.len()).is_some() {
            return Err(invalid(format!("tensor {}", entry.name), entry.at, "its name comes twice".into()));
        }
        tensors.push(place(entry, data, alignment, bytes.len())?);
    }
    Ok(Gguf { version, alignment, metadata, tensors, index })
}

fn header(cursor: &mut Cursor<'_>) -> Result<u32, GgufError> {
    let magic = cursor.bytes.get(..4).unwrap_or(cursor.bytes);
    if magic != b"GGUF" {
        return Err(GgufError::NotGguf { found: magic.to_vec() });
    }
    cursor.at = 4;
    let version = cursor.u32(|| "version".into())?;
    match version {
        2 | 3 => Ok(version),
        _ if matches!(version.swap_bytes(), 1..=3) => Err(GgufError::BigEndian),
        _ => Err(GgufError::Version { version }),
    }
}

fn metadata(cursor: &mut Cursor<'_>, count: usize) -> Result<BTreeMap<String, Value>, GgufError> {
    let mut metadata = BTreeMap::new();
    for i in 0..count {
        let offset = cursor.at as u64;
        let key = cursor.string(|| format!("metadata key {i}"), MAX_NAME)?;
        let kind = cursor.u32(|| format!("type of key {key}"))?;
        let value = cursor.value(kind, &key)?;
        if metadata.contains_key(&key) {
            return Err(invalid(format!("key {key}"), offset, "it comes twice".into()));
        }
        metadata.insert(key, value);
    }
    Ok(metadata)
}

fn alignment(metadata: &BTreeMap<String, Value>) -> Result<usize, GgufError> {
    let key = "general.alignment";
    match metadata.get(key) {
        None => Ok(32),
        Some(&Value::U32(n)) if n.is_power_of_two() && n <= 1 << 20 => Ok(n as usize),
        Some(Value::U32(n)) => Err(GgufError::OutOfRange {
            key: key.into(),
            value: n.to_string(),
            expected: "power of two up to 1048576",
        }),
        Some(other) => {
            Err(GgufError::WrongType { key: key.into(), expected: "u32", found: other.type_name() })
        }
    }
}

/// A tensor's entry as it stands in the file; `offset` counts from the start of the data section.
struct Entry {
    name: String,
    dims: Vec<u64>,
    kind: u32,
    offset: u64,
    at: u64,
}

fn tensor_entry(cursor: &mut Cursor<'_>, number: usize) -> Result<Entry, GgufError> {
    let at = cursor.at as u64;
    let name = cursor.string(|| format!("name of tensor {number}"), MAX_NAME)?;
    let what = || format!("entry of tensor {name}");
    let rank = cursor.u32(what)?;
    if !(1..=4).contains(&rank) {
        return Err(invalid(what(), at, format!("{rank} dimensions, from 1 to 4 are allowed")));
    }
    let mut dims = Vec::with_capacity(4);
    for _ in 0..rank {
        dims.push(cursor.u64(what)?);
    }
    let kind = cursor.u32(what)?;
    let offset = cursor.u64(what)?;
    Ok(Entry { name, dims, kind, offset, at })
}

/// Checks an entry against the file and finds the tensor's bytes.
fn place(entry: Entry, data: usize, alignment: usize, file_len: usize) -> Result<TensorInfo, GgufError> {
    let Entry { name, dims: raw, kind: raw_kind, offset, at } = entry;
    let fail = |problem: String| invalid(format!("tensor {name}"), at, problem);
    let kind =
        TensorKind::from_id(raw_kind).ok_or_else(|| fail(format!("unknown tensor type {raw_kind}")))?;
    let mut dims = Vec::with_capacity(raw.len());
    let mut elements = 1_usize;
    for &dim in &raw {
        let size = usize::try_from(dim).ok().filter(|size| *size > 0);
        let product = size.and_then(|size| elements.checked_mul(size));
        let (Some(size), Some(product)) = (size, product) else {
            return Err(fail(format!("impossible shape {raw:?}")));
        };
        dims.push(size);
        elements = product;
    }
    let row = dims.first().copied().unwrap_or(1);
    if row % kind.block_elements() != 0 {
        return Err(fail(format!("rows of {row} are not whole {kind} blocks of {}", kind.block_elements())));
    }
    let length = kind.bytes_for(elements).ok_or_else(|| fail(format!("impossible shape {raw:?}")))?;
    if offset % alignment as u64 != 0 {
        return Err(fail(format!("data offset {offset} is not a multiple of the alignment {alignment}")));
    }
    let start = usize::try_from(offset).ok().and_then(|offset| data.checked_add(offset));
    let range = start.and_then(|start| Some(start..start.checked_add(length)?));
    match range {
        Some(range) if range.end <= file_len => Ok(TensorInfo { name, dims, kind, range }),
        _ => Err(GgufError::Truncated {
            what: format!("data of tensor {name}"),
            offset: (data as u64).saturating_add(offset),
            need: length as u64,
            have: (file_len as u64).saturating_sub((data as u64).saturating_add(offset)),
        }),
    }
}
