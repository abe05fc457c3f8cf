//! Answers of a given form, stop texts and characters that lie across tokens.

use std::ops::ControlFlow;

use dossier::engine::{Finish, GenerateOptions, Generation, Generator, Grammar, ServeOptions};

use crate::support::model;

const SMOLLM2: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
const GEMMA3: &str = "gemma-3-270m-q4_k_m.gguf";

fn open(file: &str, drafts: bool) -> Generator {
    let options = ServeOptions {
        threads: 2,
        context_tokens: 1024,
        prefix_bytes: 32 << 20,
        drafts,
        ..ServeOptions::default()
    };
    Generator::open_with(&model(file), &options).unwrap()
}

/// The answer, and its text in the pieces in which it came.
fn run(model: &Generator, prompt: &str, options: &GenerateOptions) -> (Generation, Vec<String>) {
    let mut pieces = Vec::new();
    let done = model.complete(prompt, options, &mut |piece| {
        pieces.push(piece.to_owned());
        ControlFlow::Continue(())
    });
    (done.unwrap(), pieces)
}

fn with(grammar: Grammar) -> GenerateOptions {
    GenerateOptions { max_tokens: 250, grammar: Some(grammar), ..GenerateOptions::default() }
}

fn wild(options: &GenerateOptions, seed: u64) -> GenerateOptions {
    GenerateOptions { temperature: 1.3, top_k: 0, top_p: 1.0, min_p: 0.0, seed, ..options.clone() }
}

const SOURCES: &str = "[1] The wall of house A is 320 mm thick.\n[2] The wall of house B has a U-value of 0.15 W/m2K.\n\
    [4] The lift carries 900 kg.\nQuestion: How thick is the wall, and what does the lift carry?\nAnswer: ";

/// Whether a text is sentences that end in numbers among 1, 2 and 4, read letter by letter.
fn cites(text: &str) -> bool {
    if text == "NOT FOUND." {
        return true;
    }
    let mut rest = text;
    while !rest.is_empty() {
        let Some(open) = rest.find(" [") else { return false };
        let body = &rest[..open];
        if body.is_empty() || body.contains(['[', ']', '\n']) || body.contains(". T") {
            return false;
        }
        rest = &rest[open + 1..];
        while let Some(mark) = rest.strip_prefix('[') {
            let Some(close) = mark.find(']') else { return false };
            if !["1", "2", "4"].contains(&&mark[..close]) {
                return false;
            }
            rest = mark[close + 1..]
                .strip_prefix(' ')
                .filter(|r| r.starts_with('['))
                .unwrap_or(&mark[close + 1..]);
        }
        let Some(after) = rest.strip_prefix('.') else { return false };
        if after.is_empty() {
            return true;
        }
        let Some(next) = after.strip_prefix(' ') else { return false };
        rest = next;
    }
    false
}

#[test]
fn every_sentence_cites_one_of_the_sources() {
    assert!(
        cites("It is 320 mm [1].") && cites("It is [2] [4]. It is 0.15 so [1][2].") && cites("NOT FOUND.")
    );
    assert!(
        !cites("It is 320 mm.") && !cites("It is [3].") && !cites("It is [1]") && !cites("It is [1]. No.")
    );
    let (fast, slow) = (open(SMOLLM2, true), open(SMOLLM2, false));
    let greedy = with(Grammar::citations([1, 2, 4]));
    let mut different = std::collections::BTreeSet::new();
    for seed in 0..12 {
        let options = if seed == 0 { greedy.clone() } else { wild(&greedy, seed) };
        let (done, _) = run(&fast, SOURCES, &options);
        assert!(cites(&done.text), "seed {seed}: {:?}", done.text);
        assert_eq!(done.finish, Finish::Stop, "seed {seed}: {:?}", done.text);
        if seed < 4 {
            assert_eq!(run(&slow, SOURCES, &options).0.text, done.text, "guesses change nothing");
        }
        different.insert(done.text);
    }
    assert!(different.len() > 6, "{different:?}");
    // Nothing to cite: there is one thing to say.
    assert_eq!(run(&fast, SOURCES, &with(Grammar::citations([]))).0.text, "NOT FOUND.");
}

#[test]
fn json_follows_its_schema() {
    let schema = serde_json::json!({
        "type": "object",
        "properties": {
            "thickness_mm": { "type": "integer", "minimum": 1, "maximum": 999 },
            "material": { "enum": ["brick", "timber", "concrete"] }
        },
        "required": ["thickness_mm", "material"],
        "additionalProperties": false
    });
    let model = open(SMOLLM2, true);
    for seed in 0..6 {
        let options = wild(&with(Grammar::JsonSchema(schema.clone())), seed);
        let (done, _) = run(&model, "A wall of 175 mm brick, as JSON:\n", &options);
        let value: serde_json::Value = serde_json::from_str(&done.text).unwrap();
        let fields: Vec<&String> = value.as_object().unwrap().keys().collect();
        assert_eq!(fields.len(), 2, "{value}");
        assert!((1..1000).contains(&value["thickness_mm"].as_i64().unwrap()), "{value}");
        assert!(["brick", "timber", "concrete"].contains(&value["material"].as_str().unwrap()), "{value}");
    }
}

#[test]
fn rules_in_lark_and_what_is_no_grammar() {
    let model = open(SMOLLM2, true);
    let lark = "start: \"EI\" NUMBER \"-C\"\nNUMBER: \"30\" | \"60\" | \"90\"";
    let (done, _) = run(&model, "The fire door is of class ", &with(Grammar::Lark(lark.into())));
    assert!(["EI30-C", "EI60-C", "EI90-C"].contains(&done.text.as_str()), "{}", done.text);
    for bad in [Grammar::Lark("start: nothing".into()), Grammar::Regex("(".into())] {
        let error = model.complete("x", &with(bad), &mut |_| ControlFlow::Continue(())).unwrap_err();
        assert!(error.to_string().contains("form that was asked for"), "{error}");
    }
}

/// Characters for which neither vocabulary has a token: they come byte by byte.
const RARE: &str = "ab\u{12000}\u{1d538}\u{2f00a}";

#[test]
fn a_character_over_several_tokens_is_never_cut() {
    for file in [SMOLLM2, GEMMA3] {
        let model = open(file, true);
        let written = Grammar::Regex(format!("{RARE}c{RARE}"));
        let (done, pieces) = run(&model, "Signs: ", &with(written.clone()));
        assert_eq!(done.text, format!("{RARE}c{RARE}"), "{file}");
        assert_eq!(pieces.concat(), done.text);
        assert!(!done.text.contains(char::REPLACEMENT_CHARACTER));
        assert!(done.completion_tokens > done.text.chars().count(), "{file}: bytes are tokens of their own");
        // It ends in the middle of a character: what there is of it is not shown as half of it.
        for max_tokens in 1..done.completion_tokens {
            let (cut, _) = run(&model, "Signs: ", &GenerateOptions { max_tokens, ..with(written.clone()) });
            let whole = cut.text.trim_end_matches(char::REPLACEMENT_CHARACTER);
            assert!(done.text.starts_with(whole), "{file} {max_tokens}: {:?}", cut.text);
            assert!(cut.text.chars().count() <= whole.chars().count() + 3);
        }
        // A stop text that begins in one token and ends in another.
        let stop = vec![format!("\u{1d538}\u{2f00a}c")];
        let (stopped, pieces) = run(&model, "Signs: ", &GenerateOptions { stop, ..with(written) });
        assert_eq!((stopped.text.as_str(), stopped.finish), ("ab\u{12000}", Finish::Stop), "{file}");
        assert_eq!(pieces.concat(), stopped.text, "nothing of it was shown");
    }
}

#[test]
fn a_stop_text_across_tokens_ends_the_answer_before_it() {
    let model = open(SMOLLM2, true);
    let options = GenerateOptions { max_tokens: 40, ..GenerateOptions::default() };
    let prompt = "The external wall consists of the following layers:";
    let (whole, pieces) = run(&model, prompt, &options);
    let mut tried = 0;
    for at in 1..pieces.len() {
        let (Some(a), Some(b)) = (pieces[at - 1].chars().last(), pieces[at].chars().next()) else { continue };
        let stop = format!("{a}{b}");
        let expected = whole.text.find(&stop).map(|end| &whole.text[..end]).unwrap();
        let (found, shown) =
            run(&model, prompt, &GenerateOptions { stop: vec![stop.clone()], ..options.clone() });
        assert_eq!((found.text.as_str(), found.finish), (expected, Finish::Stop), "{stop:?}");
        assert_eq!(shown.concat(), expected, "{stop:?}");
        tried += 1;
    }
    assert!(tried > 20, "{tried}");
}
