//! Metadata values and how callers ask for them.

use super::{Gguf, GgufError};

/// One metadata value.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the format's own type names
pub enum Value {
    U8(u8),
    I8(i8),
    U16(u16),
    I16(i16),
    U32(u32),
    I32(i32),
    F32(f32),
    Bool(bool),
    Str(String),
    Array(Array),
    U64(u64),
    I64(i64),
    F64(f64),
}

/// An array value; all elements have one type, and arrays may hold arrays.
#[derive(Debug, Clone, PartialEq)]
#[allow(missing_docs)] // the format's own type names
pub enum Array {
    U8(Vec<u8>),
    I8(Vec<i8>),
    U16(Vec<u16>),
    I16(Vec<i16>),
    U32(Vec<u32>),
    I32(Vec<i32>),
    F32(Vec<f32>),
    Bool(Vec<bool>),
    Str(Vec<String>),
    Array(Vec<Array>),
    U64(Vec<u64>),
    I64(Vec<i64>),
    F64(Vec<f64>),
}

impl Value {
    /// The type's name in messages.
    pub fn type_name(&self) -> String {
        match self {
            Value::U8(_) => "u8".into(),
            Value::I8(_) => "i8".into(),
            Value::U16(_) => "u16".into(),
            Value::I16(_) => "i16".into(),
            Value::U32(_) => "u32".into(),
            Value::I32(_) => "i32".into(),
            Value::F32(_) => "f32".into(),
            Value::Bool(_) => "bool".into(),
            Value::Str(_) => "string".into(),
            Value::Array(array) => format!("array of {}", array.element_name()),
            Value::U64(_) => "u64".into(),
            Value::I64(_) => "i64".into(),
            Value::F64(_) => "f64".into(),
        }
    }

    /// The value as a signed number wide enough for every integer type.
    fn integer(&self) -> Option<i128> {
        Some(match *self {
            Value::U8(v) => v.into(),
            Value::I8(v) => v.into(),
            Value::U16(v) => v.into(),
            Value::I16(v) => v.into(),
            Value::U32(v) => v.into(),
            Value::I32(v) => v.into(),
            Value::U64(v) => v.into(),
            Value::I64(v) => v.into(),
            _ => return None,
        })
    }
}

impl Array {
    /// The element type's name in messages.
    pub fn element_name(&self) -> &'static str {
        match self {
            Array::U8(_) => "u8",
            Array::I8(_) => "i8",
            Array::U16(_) => "u16",
            Array::I16(_) => "i16",
            Array::U32(_) => "u32",
            Array::I32(_) => "i32",
            Array::F32(_) => "f32",
            Array::Bool(_) => "bool",
            Array::Str(_) => "string",
            Array::Array(_) => "array",
            Array::U64(_) => "u64",
            Array::I64(_) => "i64",
            Array::F64(_) => "f64",
        }
    }

    /// Number of elements.
    pub fn len(&self) -> usize {
        match self {
            Array::U8(v) => v.len(),
            Array::I8(v) => v.len(),
            Array::U16(v) => v.len(),
            Array::I16(v) => v.len(),
            Array::U32(v) => v.len(),
            Array::I32(v) => v.len(),
            Array::F32(v) => v.len(),
            Array::Bool(v) => v.len(),
            Array::Str(v) => v.len(),
            Array::Array(v) => v.len(),
            Array::U64(v) => v.len(),
            Array::I64(v) => v.len(),
            Array::F64(v) => v.len(),
        }
    }

    /// Whether it has no elements.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Typed access to the metadata. A method without `opt_` fails with "no key X" when the key is missing; both
/// kinds fail with "key X has type Y" on another type. Integers of any width are taken when the number fits.
impl Gguf {
    /// The raw value of a key.
    pub fn get(&self, key: &str) -> Option<&Value> {
        self.metadata.get(key)
    }

    /// A string.
    pub fn str(&self, key: &str) -> Result<&str, GgufError> {
        self.opt_str(key)?.ok_or_else(|| missing(key))
    }

    /// A string, or `None` when the key is missing.
    pub fn opt_str(&self, key: &str) -> Result<Option<&str>, GgufError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Str(text)) => Ok(Some(text)),
            Some(other) => Err(wrong(key, "string", other)),
        }
    }

    /// An unsigned 32-bit number.
    pub fn u32(&self, key: &str) -> Result<u32, GgufError> {
        self.opt_u32(key)?.ok_or_else(|| missing(key))
    }

    /// An unsigned 32-bit number, or `None` when the key is missing.
    pub fn opt_u32(&self, key: &str) -> Result<Option<u32>, GgufError> {
        self.integer(key, "u32")
    }

    /// An unsigned 64-bit number.
    pub fn u64(&self, key: &str) -> Result<u64, GgufError> {
        self.opt_u64(key)?.ok_or_else(|| missing(key))
    }

    /// An unsigned 64-bit number, or `None` when the key is missing.
    pub fn opt_u64(&self, key: &str) -> Result<Option<u64>, GgufError> {
        self.integer(key, "u64")
    }

    fn integer<T: TryFrom<i128>>(&self, key: &str, expected: &'static str) -> Result<Option<T>, GgufError> {
        let Some(value) = self.get(key) else { return Ok(None) };
        let number = value.integer().ok_or_else(|| wrong(key, expected, value))?;
        T::try_from(number).map(Some).map_err(|_| GgufError::OutOfRange {
            key: key.to_owned(),
            value: number.to_string(),
            expected,
        })
    }

    /// A 32-bit float.
    pub fn f32(&self, key: &str) -> Result<f32, GgufError> {
        self.opt_f32(key)?.ok_or_else(|| missing(key))
    }

    /// A 32-bit float, or `None` when the key is missing. A 64-bit one is rounded.
    pub fn opt_f32(&self, key: &str) -> Result<Option<f32>, GgufError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::F32(number)) => Ok(Some(*number)),
            Some(Value::F64(number)) => Ok(Some(*number as f32)),
            Some(other) => Err(wrong(key, "f32", other)),
        }
    }

    /// A truth value.
    pub fn bool(&self, key: &str) -> Result<bool, GgufError> {
        self.opt_bool(key)?.ok_or_else(|| missing(key))
    }

    /// A truth value, or `None` when the key is missing.
    pub fn opt_bool(&self, key: &str) -> Result<Option<bool>, GgufError> {
        match self.get(key) {
            None => Ok(None),
            Some(Value::Bool(truth)) => Ok(Some(*truth)),
            Some(other) => Err(wrong(key, "bool", other)),
        }
    }

    /// An array of any type.
    pub fn arr(&self, key: &str) -> Result<&Array, GgufError> {
        match self.get(key) {
            None => Err(missing(key)),
            Some(Value::Array(array)) => Ok(array),
            Some(other) => Err(wrong(key, "array", other)),
        }
    }

    /// An array of strings.
    pub fn strings(&self, key: &str) -> Result<&[String], GgufError> {
        match self.get(key) {
            None => Err(missing(key)),
            Some(Value::Array(Array::Str(list))) => Ok(list),
            Some(other) => Err(wrong(key, "array of string", other)),
        }
    }

    /// An array of 32-bit floats.
    pub fn f32s(&self, key: &str) -> Result<&[f32], GgufError> {
        match self.get(key) {
            None => Err(missing(key)),
            Some(Value::Array(Array::F32(list))) => Ok(list),
            Some(other) => Err(wrong(key, "array of f32", other)),
        }
    }

    /// An array of signed 32-bit numbers.
    pub fn i32s(&self, key: &str) -> Result<&[i32], GgufError> {
        match self.get(key) {
            None => Err(missing(key)),
            Some(Value::Array(Array::I32(list))) => Ok(list),
            Some(other) => Err(wrong(key, "array of i32", other)),
        }
    }

    /// An array of bytes, stored as u8 or i8.
    pub fn bytes(&self, key: &str) -> Result<Vec<u8>, GgufError> {
        match self.get(key) {
            None => Err(missing(key)),
            Some(Value::Array(Array::U8(list))) => Ok(list.clone()),
            Some(Value::Array(Array::I8(list))) => Ok(list.iter().map(|b| b.cast_unsigned()).collect()),
            Some(other) => Err(wrong(key, "array of u8", other)),
        }
    }
}

fn missing(key: &str) -> GgufError {
    GgufError::MissingKey { key: key.to_owned() }
}

fn wrong(key: &str, expected: &'static str, found: &Value) -> GgufError {
    GgufError::WrongType { key: key.to_owned(), expected, found: found.type_name() }
}
