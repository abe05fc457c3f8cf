//! The layers of the supported architectures.
//!
//! The files of text models are read into one [`backbone::Backbone`], whose parts say what a family adds; those of
//! `bert` and `nomic-bert` into one [`encoder::Encoder`]. From either come vectors ([`pooled::Pooled`]) and, with a
//! classification head ([`head::Head`]), scores of pairs.

mod backbone;
mod bert;
pub(super) mod decoder;
pub(super) mod encoder;
mod family;
mod feed_forward;
mod gemma3;
pub(super) mod head;
mod llama;
mod parts;
mod phi3;
pub(super) mod pooled;
mod qwen;

use std::ops::RangeInclusive;

use self::backbone::Backbone;
use self::decoder::Decoder;
use self::head::Head;
use self::pooled::Pooled;
use crate::engine::EngineError;
use crate::engine::info::Purpose;
use crate::engine::weights::ModelFile;

/// The architectures that [`open_decoder`] reads.
const DECODERS: &str = "llama, smollm3, qwen2, qwen3, qwen3moe, gemma3, phi3";
/// The architectures that [`open_pooled`] and [`open_reranker`] read.
const POOLED: &str = "bert, nomic-bert, qwen3 with last-token pooling";
const RERANKERS: &str = "bert and qwen3 with a classification head";

/// `ARCH.pooling_type`: mean, first token, last token.
const VECTORS: RangeInclusive<u32> = 1..=3;
/// `ARCH.pooling_type`: the last token's row.
const LAST: u32 = 3;
/// `ARCH.pooling_type`: a classification head.
const RANK: u32 = 4;

/// The last layer of a classification head.
const HEAD: &str = "cls.output.weight";

/// What a file's model is for.
pub(super) fn purpose(file: &ModelFile) -> Result<Purpose, EngineError> {
    let arch = file.named(file.gguf.architecture())?;
    let pooling = file.named(file.gguf.opt_u32(&format!("{arch}.pooling_type")))?;
    Ok(match (arch, pooling) {
        (_, Some(RANK)) => Purpose::Rerank,
        // Files of rerankers that were converted without the key have the head all the same.
        ("bert", _) if file.has(HEAD) => Purpose::Rerank,
        ("bert" | "nomic-bert", _) => Purpose::Embed,
        (_, Some(pooling)) if VECTORS.contains(&pooling) => Purpose::Embed,
        _ => Purpose::Answer,
    })
}

/// Reads the weights of a text model. Prompt and answer together will have at most `context` tokens.
pub(super) fn open_decoder(file: &ModelFile, context: usize) -> Result<Decoder, EngineError> {
    let backbone = open_backbone(file, context)?;
    let output = if file.has("output.weight") { "output.weight" } else { "token_embd.weight" };
    let output = file.matrix(output, backbone.embedding.rows(), backbone.spec.width)?;
    Ok(Decoder { output, backbone })
}

fn open_backbone(file: &ModelFile, context: usize) -> Result<Backbone, EngineError> {
    match file.named(file.gguf.architecture())? {
        "llama" => llama::open(file),
        "smollm3" => llama::open_smollm3(file),
        "qwen2" => qwen::open2(file),
        "qwen3" => qwen::open3(file),
        "qwen3moe" => qwen::open3_experts(file),
        "gemma3" => gemma3::open(file),
        "phi3" => phi3::open(file, context),
        other => Err(file.wrong_architecture(other, DECODERS)),
    }
}

/// Reads the weights of an embedding model.
pub(super) fn open_pooled(file: &ModelFile) -> Result<Pooled, EngineError> {
    match (file.named(file.gguf.architecture())?, purpose(file)?) {
        ("bert", Purpose::Embed) => bert::open(file).map(Pooled::Encoder),
        ("nomic-bert", Purpose::Embed) => bert::open_nomic(file).map(Pooled::Encoder),
        ("qwen3", Purpose::Embed) => {
            if file.named(file.gguf.opt_u32("qwen3.pooling_type"))? != Some(LAST) {
                return Err(file.wrong_architecture("qwen3", POOLED));
            }
            qwen::open3(file).map(Pooled::LastToken)
        }
        (other, _) => Err(file.wrong_architecture(other, POOLED)),
    }
}

/// Reads the weights of a reranker.
pub(super) fn open_reranker(file: &ModelFile) -> Result<(Pooled, Head), EngineError> {
    let pooled = match (file.named(file.gguf.architecture())?, purpose(file)?) {
        ("bert", Purpose::Rerank) => Pooled::Encoder(bert::open(file)?),
        ("qwen3", Purpose::Rerank) => Pooled::LastToken(qwen::open3(file)?),
        (other, _) => return Err(file.wrong_architecture(other, RERANKERS)),
    };
    let yes_or_no = matches!(pooled, Pooled::LastToken(_));
    let head = Head::open(file, pooled.width(), yes_or_no)?;
    Ok((pooled, head))
}
