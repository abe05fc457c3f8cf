//! The layers of the supported architectures.
//!
//! `llama` and `gemma3` files are read into one [`decoder::Decoder`], whose parts say what a family adds; `bert`
//! is an [`bert::Encoder`] of its own.

pub(super) mod bert;
pub(super) mod decoder;
mod gemma3;
mod llama;
mod parts;

use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

/// The architectures that [`open_decoder`] reads.
const DECODERS: &str = "llama, gemma3";

/// Reads the weights of a text model.
pub(super) fn open_decoder(file: &ModelFile) -> Result<decoder::Decoder, EngineError> {
    match file.named(file.gguf.architecture())? {
        "llama" => llama::open(file),
        "gemma3" => gemma3::open(file),
        other => Err(file.wrong_architecture(other, DECODERS)),
    }
}

/// Reads the weights of an embedding model.
pub(super) fn open_encoder(file: &ModelFile) -> Result<bert::Encoder, EngineError> {
    match file.named(file.gguf.architecture())? {
        "bert" => bert::open(file),
        other => Err(file.wrong_architecture(other, "bert")),
    }
}
