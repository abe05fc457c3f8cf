//! The architectures `bert` (BERT and XLM-RoBERTa, whose files hold the table of positions from the first one that is
//! used) and `nomic-bert` (positions turn queries and keys; gated networks without biases).

use super::encoder::{Encoder, Layer, Norm, Pooling, Positions};
use super::family::Family;
use crate::engine::EngineError;
use crate::engine::weights::ModelFile;

const NOMIC: &str = "nomic-bert";

pub(super) fn open(file: &ModelFile) -> Result<Encoder, EngineError> {
    let family = Family { file, arch: "bert" };
    let width = family.size("embedding_length")?;
    let table = file.table("position_embd.weight", width)?;
    let context = family.size("context_length")?.min(table.rows());
    encoder(&family, width, context, Positions::Table(table))
}

pub(super) fn open_nomic(file: &ModelFile) -> Result<Encoder, EngineError> {
    let family = Family { file, arch: NOMIC };
    let base = family.rope(10_000.0, None)?.base;
    let context = family.size("context_length")?;
    encoder(&family, family.size("embedding_length")?, context, Positions::Rope(base))
}

fn encoder(
    family: &Family<'_>,
    width: usize,
    context_length: usize,
    positions: Positions,
) -> Result<Encoder, EngineError> {
    let file = family.file;
    let n_heads = family.size("attention.head_count")?;
    if !width.is_multiple_of(n_heads) || !(width / n_heads).is_multiple_of(16) {
        let problem =
            format!("{n_heads} heads over {width} values: only heads of a multiple of 16 are supported");
        return Err(family.refuse("attention.head_count", problem));
    }
    let n_layers = family.size("block_count")?;
    Ok(Encoder {
        width,
        n_heads,
        eps: file.positive(family.arch, "attention.layer_norm_epsilon", None)?,
        context_length,
        pooling: pooling(family)?,
        embedding: file.table("token_embd.weight", width)?,
        positions,
        token_types: token_types(file, width)?,
        embed_norm: norm(file, "token_embd_norm", width)?,
        layers: (0..n_layers).map(|i| layer(family, width, i)).collect::<Result<_, _>>()?,
    })
}

/// A classification head looks at the first token, as its model was trained.
fn pooling(family: &Family<'_>) -> Result<Pooling, EngineError> {
    let key = format!("{}.pooling_type", family.arch);
    match family.file.named(family.file.gguf.opt_u32(&key))? {
        Some(2 | 4) => Ok(Pooling::First),
        None if family.file.has(super::HEAD) => Ok(Pooling::First),
        None | Some(1) => Ok(Pooling::Mean),
        Some(3) => Ok(Pooling::Last),
        Some(other) => Err(family.refuse("pooling_type", format!("{other} is not supported"))),
    }
}

/// The rows that are added to the tokens of a first and of a second text.
fn token_types(file: &ModelFile, width: usize) -> Result<Vec<Vec<f32>>, EngineError> {
    const NAME: &str = "token_types.weight";
    if !file.has(NAME) {
        return Ok(Vec::new());
    }
    let table = file.table(NAME, width)?;
    let row = |i| {
        let mut row = Vec::new();
        table.append_row(i, &mut row)?;
        Ok(row)
    };
    (0..table.rows().min(2)).map(row).collect()
}

fn norm(file: &ModelFile, name: &str, width: usize) -> Result<Norm, EngineError> {
    let part = |what: &str| file.vector(&format!("{name}.{what}"), width);
    Ok(Norm { weight: part("weight")?, bias: part("bias")? })
}

fn layer(family: &Family<'_>, width: usize, i: usize) -> Result<Layer, EngineError> {
    let file = family.file;
    let name = |part: &str| format!("blk.{i}.{part}");
    let n_ffn = family.size("feed_forward_length")?;
    let [q, k, v] = family.projections(width, [width; 3], i)?;
    let gate = || file.linear(&name("ffn_gate"), n_ffn, width);
    Ok(Layer {
        q,
        k,
        v,
        output: file.linear(&name("attn_output"), width, width)?,
        attn_norm: norm(file, &name("attn_output_norm"), width)?,
        gate: if family.arch == NOMIC { Some(gate()?) } else { None },
        up: file.linear(&name("ffn_up"), n_ffn, width)?,
        down: file.linear(&name("ffn_down"), width, n_ffn)?,
        out_norm: norm(file, &name("layer_output_norm"), width)?,
    })
}
