//! Every architecture against transformers, on tiny random models: `tests/support/shapes.py` made them and the
//! numbers, and says how.

#![expect(clippy::print_stdout, reason = "the figures that the manual names, with --no-capture")]

use std::path::{Path, PathBuf};

use dossier::engine::gguf::Gguf;
use dossier::engine::{EmbedKind, Embedder, Generator, Purpose, Reranker, Session, Together, inspect};
use serde_json::Value;

/// Largest difference of a logit, of a value of a vector of length 1, of a score.
const TOLERANCE: f32 = 1e-4;

const TEXT_MODELS: [&str; 8] =
    ["llama", "mistral", "qwen2", "qwen3", "qwen3moe", "gemma3", "phi3", "smollm3"];
const EMBEDDERS: [&str; 4] = ["bert", "xlm-roberta", "nomic-bert", "qwen3-embedding"];
const RERANKERS: [&str; 3] = ["bert-rerank", "xlm-roberta-rerank", "qwen3-rerank"];

/// What the script wrote about one model.
struct Case {
    path: PathBuf,
    facts: Value,
    numbers: Vec<f32>,
}

impl Case {
    fn read(name: &str) -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/engine/shapes");
        let file = |end: &str| folder.join(format!("{name}.{end}"));
        let numbers = std::fs::read(file("f32")).unwrap();
        Self {
            path: file("gguf"),
            facts: serde_json::from_slice(&std::fs::read(file("json")).unwrap()).unwrap(),
            numbers: numbers.chunks_exact(4).map(|b| f32::from_le_bytes(b.try_into().unwrap())).collect(),
        }
    }

    fn text(&self, key: &str) -> &str {
        self.facts[key].as_str().unwrap()
    }

    fn texts(&self, key: &str) -> Vec<&str> {
        self.facts[key].as_array().unwrap().iter().map(|t| t.as_str().unwrap()).collect()
    }

    fn sizes(list: &Value) -> Vec<usize> {
        list.as_array().unwrap().iter().map(|n| n.as_u64().unwrap() as usize).collect()
    }

    fn ids(&self) -> Vec<u32> {
        Self::sizes(&self.facts["ids"]).into_iter().map(|n| n as u32).collect()
    }
}

/// The largest difference; the numbers must be large enough that one would show.
fn furthest(found: &[f32], expected: &[f32]) -> f32 {
    assert_eq!(found.len(), expected.len());
    found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f32::max)
}

#[test]
fn logits_equal_those_of_transformers() {
    for name in TEXT_MODELS {
        let case = Case::read(name);
        let ids = case.ids();
        let lengths = Case::sizes(&case.facts["lengths"]);
        let vocabulary = case.facts["vocabulary"].as_u64().unwrap() as usize;
        let mut found = Vec::new();
        for (length, places) in lengths.iter().zip(case.facts["positions"].as_array().unwrap()) {
            // A context of no more than the text: Phi-3's factors follow from it.
            let model = Generator::open(&case.path, 2, *length).unwrap();
            assert_eq!(model.tokenizer().encode(case.text("text"), true, false), ids, "{name}");
            let mut rows = Vec::new();
            model.session().unwrap().feed_each(&ids[..*length], |row| rows.push(row.to_vec())).unwrap();
            for place in Case::sizes(places) {
                found.extend_from_slice(&rows[place][..vocabulary]);
            }
        }
        let difference = furthest(&found, &case.numbers);
        println!("{name}: {difference:.1e}");
        assert!(difference < TOLERANCE, "{name}: {difference}");
        assert!(case.numbers.iter().any(|v| v.abs() > 1.0), "{name}: logits are too small to tell");
    }
}

#[test]
fn vectors_equal_those_of_transformers() {
    for name in EMBEDDERS {
        let case = Case::read(name);
        let model = Embedder::open(&case.path, 2).unwrap();
        let mut found = model.embed(EmbedKind::Query, &[case.text("query")]).unwrap();
        found.extend(model.embed(EmbedKind::Passage, &case.texts("passages")).unwrap());
        let difference = furthest(&found.concat(), &case.numbers);
        println!("{name}: {difference:.1e}");
        assert!(difference < TOLERANCE, "{name}: {difference}");
        let lengths = Case::sizes(&case.facts["lengths"]);
        let counted: Vec<usize> = case.texts("passages").iter().map(|t| model.count_tokens(t)).collect();
        assert_eq!(counted, lengths[1..], "{name}");
        for line in case.facts["lines"].as_array().unwrap() {
            let ids: Vec<u32> = Case::sizes(&line[1]).into_iter().map(|n| n as u32).collect();
            let text = line[0].as_str().unwrap();
            assert_eq!(model.tokenizer().encode(text, true, false), ids, "{name}: {text:?}");
        }
    }
}

#[test]
fn scores_equal_those_of_transformers() {
    for name in RERANKERS {
        let case = Case::read(name);
        let model = Reranker::open(&case.path, 2).unwrap();
        let found = model.score(case.text("query"), &case.texts("passages")).unwrap();
        let difference = furthest(&found, &case.numbers);
        println!("{name}: {difference:.1e}");
        assert!(difference < TOLERANCE, "{name}: {found:?} instead of {:?}", case.numbers);
    }
}

/// The bits of the logits after each of `pieces`, computed one after the other.
fn alone(session: &mut Session<'_>, pieces: &[&[u32]]) -> Vec<u32> {
    pieces.iter().flat_map(|p| session.feed(p).unwrap().to_vec()).map(f32::to_bits).collect()
}

#[test]
fn logits_depend_on_nothing_but_the_text() {
    for name in TEXT_MODELS {
        let case = Case::read(name);
        let ids = case.ids();
        let n = *Case::sizes(&case.facts["lengths"]).iter().max().unwrap();
        let (two, one) =
            (Generator::open(&case.path, 2, n).unwrap(), Generator::open(&case.path, 1, n).unwrap());
        // Sixteen texts that end at different places, all their last tokens in one step.
        let ends: Vec<usize> = (0..16).map(|i| n - 1 - 2 * i).collect();
        let mut sessions: Vec<Session<'_>> = ends.iter().map(|_| two.session().unwrap()).collect();
        for (session, &end) in sessions.iter_mut().zip(&ends) {
            session.feed(&ids[..end]).unwrap();
        }
        let last: Vec<&[u32]> = ends.iter().map(|&end| &ids[end..=end]).collect();
        let mut step = Together::default();
        let together = step.feed(&mut sessions, &last).unwrap();
        for (&end, row) in ends.iter().zip(together) {
            let found: Vec<u32> = row.iter().map(|v| v.to_bits()).collect();
            let whole = alone(&mut one.session().unwrap(), &[&ids[..=end]]);
            assert_eq!(found, whole, "{name}: {end} tokens, one thread, in one piece");
            let tokens: Vec<&[u32]> = ids[..=end].chunks(1).collect();
            let steps = alone(&mut two.session().unwrap(), &tokens);
            assert_eq!(steps[steps.len() - found.len()..], found, "{name}: {end} tokens one by one");
        }
    }
}

#[test]
fn vectors_and_scores_depend_on_nothing_but_their_texts() {
    for name in EMBEDDERS {
        let case = Case::read(name);
        let (two, one) = (Embedder::open(&case.path, 2).unwrap(), Embedder::open(&case.path, 1).unwrap());
        let passages = case.texts("passages");
        let together = two.embed(EmbedKind::Passage, &passages).unwrap();
        for (passage, vector) in passages.iter().zip(together) {
            assert_eq!(one.embed(EmbedKind::Passage, &[passage]).unwrap()[0], vector, "{name}");
        }
        assert!(two.embed(EmbedKind::Passage, &[]).unwrap().is_empty());
        let empty = &two.embed(EmbedKind::Passage, &[""]).unwrap()[0];
        assert!(empty.iter().all(|v| v.is_finite()), "{name}: a text without words has a vector too");
        // Longer than the model sees: cut, and the same as what is left of it.
        let long = "Beton ".repeat(400);
        assert!(two.count_tokens(&long) > two.max_tokens(), "{name}");
        assert!(two.embed(EmbedKind::Passage, &[&long]).unwrap()[0].iter().all(|v| v.is_finite()), "{name}");
    }
    for name in RERANKERS {
        let case = Case::read(name);
        let (two, one) = (Reranker::open(&case.path, 2).unwrap(), Reranker::open(&case.path, 1).unwrap());
        let query = case.text("query");
        let long = "Beton ".repeat(400);
        let passages = [&case.texts("passages")[..], &[&long, ""]].concat();
        let together = two.score(query, &passages).unwrap();
        for (passage, score) in passages.iter().zip(together) {
            assert_eq!(one.score(query, &[passage]).unwrap(), [score], "{name}");
        }
        assert!(two.score(query, &[]).unwrap().is_empty());
        let error = two.score(&"Welche Wand? ".repeat(100), &["Beton"]).unwrap_err();
        assert!(error.to_string().contains("tokens"), "{name}: {error}");
    }
}

#[test]
fn files_say_what_their_models_are_for() {
    let looked = |names: &[&str], purpose| {
        for name in names {
            let info = inspect(&Case::read(name).path).unwrap();
            assert_eq!(info.purpose, purpose, "{name}");
            let family = match *name {
                "mistral" => "llama",
                "xlm-roberta" => "bert",
                other => {
                    other.split_once('-').filter(|(_, end)| *end != "bert").map_or(other, |(arch, _)| arch)
                }
            };
            assert!(info.architecture == family || name.starts_with("xlm"), "{name}: {}", info.architecture);
        }
    };
    looked(&TEXT_MODELS, Purpose::Answer);
    looked(&EMBEDDERS, Purpose::Embed);
    looked(&RERANKERS, Purpose::Rerank);
    let rank = Embedder::open(&Case::read("bert-rerank").path, 1).unwrap_err();
    assert!(rank.to_string().contains("\"bert\" is not supported here"), "{rank}");
    let plain = Reranker::open(&Case::read("bert").path, 1).unwrap_err();
    assert!(plain.to_string().contains("classification head"), "{plain}");
}

/// The file of `name` with the first place that holds `from` holding `to` of the same length.
fn patched(name: &str, from: &[u8], to: &[u8]) -> (tempfile::TempDir, PathBuf) {
    let mut bytes = std::fs::read(Case::read(name).path).unwrap();
    let at = bytes.windows(from.len()).position(|w| w == from).unwrap();
    assert_eq!(from.len(), to.len());
    bytes[at..at + to.len()].copy_from_slice(to);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("patched.gguf");
    std::fs::write(&path, bytes).unwrap();
    (folder, path)
}

#[test]
fn what_is_not_built_in_is_refused_by_name() {
    let refused = |name: &str, from: &str, to: &str| {
        let (_folder, path) = patched(name, from.as_bytes(), to.as_bytes());
        let error = inspect(&path).unwrap_err().to_string();
        assert!(error.contains("patched.gguf"), "{error}");
        error
    };
    let length = |text: &str| String::from_utf8((text.len() as u64).to_le_bytes().to_vec()).unwrap();
    let counted = |text: &str| format!("{}{text}", length(text));
    let arch = refused("qwen3", &counted("qwen3"), &counted("qwen9"));
    assert!(arch.contains("architecture \"qwen9\""), "{arch}");
    let model = refused("llama", &counted("gpt2"), &counted("gptx"));
    assert!(model.contains("tokenizer model \"gptx\""), "{model}");
    let pre = refused("llama", &counted("llama-bpe"), &counted("llama-xyz"));
    assert!(pre.contains("pre-tokenizer \"llama-xyz\""), "{pre}");
    let tensor = refused("phi3", "blk.1.attn_qkv.weight", "blk.1.attn_xyz.weight");
    assert!(tensor.contains("blk.1.attn_q.weight is missing"), "{tensor}");
    let router = refused("qwen3moe", "blk.1.ffn_gate_inp.weight", "blk.1.ffn_gate_xyz.weight");
    assert!(router.contains("blk.1.ffn_gate_inp.weight is missing"), "{router}");
    // A converter that leaves BERT's pooler out makes a file whose scores would be wrong.
    let head = refused("bert-rerank", "cls.weight", "cls.xyzwvu");
    assert!(head.contains("cls.weight is missing"), "{head}");
}

/// A weight, a norm and a row of the embedding that are no numbers: each is named with its place in the file.
#[test]
fn numbers_that_are_none_are_told_with_tensor_and_offset() {
    let bytes = std::fs::read(Case::read("llama").path).unwrap();
    let gguf = Gguf::parse(&bytes).unwrap();
    let folder = tempfile::tempdir().unwrap();
    for (name, element) in
        [("blk.1.ffn_down.weight", 77), ("blk.0.attn_norm.weight", 3), ("token_embd.weight", 9)]
    {
        let tensor = gguf.tensor(name).unwrap();
        let size = tensor.range.len() / tensor.elements();
        let offset = tensor.range.start + element * size;
        let mut bytes = bytes.clone();
        bytes[offset..offset + size].fill(0x7f);
        if size == 4 {
            bytes[offset..offset + 4].copy_from_slice(&f32::NAN.to_le_bytes());
        }
        let path = folder.path().join("damaged.gguf");
        std::fs::write(&path, bytes).unwrap();
        let looked = inspect(&path).unwrap_err().to_string();
        let error = match Generator::open(&path, 1, 64) {
            Err(error) => error,
            Ok(model) => model.session().unwrap().feed(&[0]).map(|_| ()).unwrap_err(),
        };
        let error = error.to_string();
        let place = format!("tensor {name} holds an infinite number or none at byte {offset} of the file");
        assert!(error.contains("damaged.gguf") && error.contains(&place), "{error}");
        assert_eq!(looked, error, "nor can it be registered");
    }
}
