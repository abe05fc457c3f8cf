//! What can be wrong with a GGUF file.

/// Why a GGUF file cannot be read or lacks what a caller needs.
///
/// Offsets are bytes from the start of the file.
#[derive(Debug, thiserror::Error, PartialEq)]
pub enum GgufError {
    /// The first four bytes are not `GGUF`.
    #[error("not a GGUF file: it starts with {found:02x?}, not with \"GGUF\"")]
    NotGguf {
        /// The first bytes of the file, at most four.
        found: Vec<u8>,
    },
    /// The file was written for a big-endian machine.
    #[error("a big-endian GGUF file: only little-endian ones are read; convert it again for this machine")]
    BigEndian,
    /// A version other than 2 and 3.
    #[error("GGUF version {version}: only versions 2 and 3 are read; convert the model again")]
    Version {
        /// The version in the header.
        version: u32,
    },
    /// The file ends inside something.
    #[error(
        "{what} at offset {offset} needs {need} bytes, but the file has {have} left: it is cut short or damaged"
    )]
    Truncated {
        /// What was being read, with the name of the key or tensor.
        what: String,
        /// Where it starts.
        offset: u64,
        /// Bytes it needs at least.
        need: u64,
        /// Bytes that are left.
        have: u64,
    },
    /// Something was read whole and makes no sense.
    #[error("{what} at offset {offset}: {problem}")]
    Invalid {
        /// What was being read, with the name of the key or tensor.
        what: String,
        /// Where it starts.
        offset: u64,
        /// What is wrong with it.
        problem: String,
    },
    /// The metadata lacks a key.
    #[error("the GGUF metadata has no key {key}")]
    MissingKey {
        /// The key.
        key: String,
    },
    /// A key has a value of another type.
    #[error("the GGUF key {key} has type {found}, expected {expected}")]
    WrongType {
        /// The key.
        key: String,
        /// The type that the caller needs.
        expected: &'static str,
        /// The type in the file.
        found: String,
    },
    /// A key has a number that does not fit.
    #[error("the GGUF key {key} is {value}, which is not a {expected}")]
    OutOfRange {
        /// The key.
        key: String,
        /// The value in the file.
        value: String,
        /// The type that the caller needs.
        expected: &'static str,
    },
    /// There is no tensor of that name.
    #[error("the GGUF file has no tensor {name}")]
    MissingTensor {
        /// The tensor's name.
        name: String,
    },
}
