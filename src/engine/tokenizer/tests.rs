use proptest::prelude::*;

use super::*;
use crate::engine::gguf::{Array, Value, Writer};

/// A GGUF with nothing but this vocabulary: (text, score, type).
fn gguf(model: &str, tokens: &[(&str, f32, i32)], more: &[(&str, Value)]) -> Gguf {
    let mut writer = Writer::new();
    let texts = tokens.iter().map(|t| t.0.to_owned()).collect();
    writer
        .set("tokenizer.ggml.model", Value::Str(model.into()))
        .set("tokenizer.ggml.tokens", Value::Array(Array::Str(texts)))
        .set("tokenizer.ggml.scores", Value::Array(Array::F32(tokens.iter().map(|t| t.1).collect())))
        .set("tokenizer.ggml.token_type", Value::Array(Array::I32(tokens.iter().map(|t| t.2).collect())));
    for (key, value) in more {
        writer.set(*key, value.clone());
    }
    let mut bytes = Vec::new();
    writer.write(&mut bytes).unwrap();
    Gguf::parse(&bytes).unwrap()
}

fn strings(list: &[&str]) -> Value {
    Value::Array(Array::Str(list.iter().map(|s| (*s).to_owned()).collect()))
}

/// SentencePiece-style: pieces of "▁Wand", byte tokens for "ß", a control token and a user-defined one.
fn spm() -> Tokenizer {
    let tokens = [
        ("<unk>", 0.0, 2),
        ("<bos>", 0.0, 3),
        ("<eos>", 0.0, 3),
        ("<0xC3>", 0.0, 6),
        ("<0x9F>", 0.0, 6),
        ("▁", -10.0, 1),
        ("W", -11.0, 1),
        ("a", -12.0, 1),
        ("n", -13.0, 1),
        ("d", -14.0, 1),
        ("an", -1.0, 1),
        ("Wan", -5.0, 1),
        ("and", -2.0, 1),
        ("▁Wand", -4.0, 1),
        ("Wand", -3.0, 1),
        ("\n\n", -100.0, 4),
        ("<think>", -100.0, 4),
        ("<", -20.0, 1),
        ("bos", -20.0, 1),
        (">", -20.0, 1),
        ("<bos", -6.0, 1),
        ("b", -20.0, 1),
        ("o", -20.0, 1),
        ("s", -20.0, 1),
        ("bo", -20.0, 1),
    ];
    let more = [
        ("tokenizer.ggml.bos_token_id", Value::U32(1)),
        ("tokenizer.ggml.eos_token_id", Value::U32(2)),
        ("tokenizer.ggml.unknown_token_id", Value::U32(0)),
        ("tokenizer.ggml.padding_token_id", Value::U32(u32::MAX)),
    ];
    Tokenizer::from_gguf(&gguf("llama", &tokens, &more)).unwrap()
}

#[test]
fn sentencepiece_merges_by_score_and_falls_back_to_bytes() {
    let t = spm();
    // "an" (-1), then "and" (-2) beats "Wan" (-5), then "Wand" (-3), then "▁Wand" (-4).
    assert_eq!(t.encode("Wand", true, false), [1, 13]);
    assert_eq!(t.encode("Wand", false, false), [13]);
    assert_eq!(t.encode("ß", false, false), [5, 3, 4]);
    assert_eq!(t.encode("€", false, false), [5, 0, 0, 0]);
    assert_eq!(t.encode("", true, false), [1]);
    assert_eq!(t.decode(&[13, 3, 4]), " Wandß");
    assert_eq!((t.bos(), t.eos(), t.pad(), t.vocab_len()), (Some(1), Some(2), None, 25));
    assert!(t.is_end(2) && !t.is_end(1));
}

#[test]
fn marks_of_phi3_take_the_blanks_after_them_along() {
    let tokens = [
        ("<unk>", 0.0, 2),
        ("<s>", 0.0, 3),
        ("<|user|>", 0.0, 3),
        ("▁", -3.0, 1),
        ("W", -4.0, 1),
        ("\n", -5.0, 1),
    ];
    let bos = ("tokenizer.ggml.bos_token_id", Value::U32(1));
    let arch = ("general.architecture", Value::Str("phi3".into()));
    let text = "<s> W<|user|>\n W\n<|user|> \n";
    let phi = Tokenizer::from_gguf(&gguf("llama", &tokens, &[bos.clone(), arch])).unwrap();
    assert_eq!(phi.encode(text, false, true), [1, 3, 3, 4, 2, 3, 4, 5, 2]);
    // What a person wrote is no exception, and what they wrote of marks stays text.
    let segments = [("<|user|>", true), ("\n W", false)];
    let segments = segments.map(|(text, trusted)| Segment { text: text.into(), trusted });
    assert_eq!(phi.encode_chat(&segments), [1, 2, 3, 4]);
    let llama = Tokenizer::from_gguf(&gguf("llama", &tokens, &[bos])).unwrap();
    assert_eq!(llama.encode(text, false, true), [1, 3, 3, 4, 2, 3, 5, 3, 4, 5, 2, 3, 3, 5]);
}

#[test]
fn a_control_token_comes_from_trusted_text_only() {
    let t = spm();
    let bos = |ids: &[u32]| ids.iter().filter(|id| **id == 1).count();
    assert_eq!(t.encode("<bos>", false, true), [1]);
    // Merging would reach the text "<bos>" through "<bos" + ">"; it must stop before.
    assert_eq!(t.encode("<bos>", false, false), [5, 20, 19]);
    let parts = |text, trusted| Segment { text: Cow::Borrowed(text), trusted };
    let ids = t.encode_chat(&[parts("<bos>", true), parts("Wand<bos><think>", false), parts("<eos>", true)]);
    assert_eq!((bos(&ids), ids.first(), ids.last()), (1, Some(&1), Some(&2)));
    // <think> of the text is no token either, in a template it is.
    assert!(!ids.contains(&16));
    assert_eq!(t.encode_chat(&[parts("<think>", true)]), [1, 16]);
    // A name that only the seam between two segments makes up is text too.
    assert_eq!(bos(&t.encode_chat(&[parts("<bo", true), parts("s>", false)])), 1);
    // Blanks and line ends keep their tokens.
    assert_eq!(t.encode_chat(&[parts("\n\n", false)]), [1, 15]);
}

fn bpe(pre: &str) -> Result<Tokenizer, TokenizerError> {
    let tokens =
        [("a", 0.0, 1), ("b", 0.0, 1), ("ab", 0.0, 1), ("Ġ", 0.0, 1), ("Ġab", 0.0, 1), ("Ã", 0.0, 1)];
    let more = [
        ("tokenizer.ggml.pre", Value::Str(pre.into())),
        ("tokenizer.ggml.merges", strings(&["a b", "Ġ ab", "a b"])),
    ];
    Tokenizer::from_gguf(&gguf("gpt2", &tokens, &more))
}

#[test]
fn byte_level_merges_by_rank_and_leaves_out_bytes_without_a_token() {
    let t = bpe("gpt-2").unwrap();
    assert_eq!(t.encode("ab ab", true, false), [2, 4]);
    assert_eq!(t.encode("ba", false, false), [1, 0]);
    // "ü" is C3 BC: "Ã" is here, "¼" is not.
    assert_eq!(t.encode("ü", false, false), [5]);
    assert_eq!(t.decode(&[2, 4]), "ab ab");
    assert_eq!(t.decode(&[5]), "\u{fffd}");
}

#[test]
fn what_cannot_be_read_is_refused_by_name() {
    assert!(bpe("mystery").unwrap_err().to_string().contains("\"mystery\""));
    let error = Tokenizer::from_gguf(&gguf("rwkv", &[], &[])).unwrap_err();
    assert!(error.to_string().contains("\"rwkv\""));
    let twice = Tokenizer::from_gguf(&gguf("llama", &[("a", 0.0, 1), ("a", 0.0, 1)], &[])).unwrap_err();
    assert!(twice.to_string().contains("tokens 0 and 1"));
    let nan = Tokenizer::from_gguf(&gguf("llama", &[("a", f32::NAN, 1)], &[])).unwrap_err();
    assert!(nan.to_string().contains("token 0"));
    let more =
        [("tokenizer.ggml.pre", Value::Str("gpt-2".into())), ("tokenizer.ggml.merges", strings(&["ab"]))];
    let merge = Tokenizer::from_gguf(&gguf("gpt2", &[("a", 0.0, 1)], &more)).unwrap_err();
    assert!(merge.to_string().contains("merge 0"));
}

#[test]
fn unigram_takes_the_best_sum_and_joins_unknowns() {
    let map: std::collections::BTreeMap<Vec<u8>, Vec<u8>> = [("½", "1⁄2"), ("\t", " ")]
        .iter()
        .map(|(k, v)| (k.as_bytes().to_vec(), v.as_bytes().to_vec()))
        .collect();
    let tokens = [
        ("<s>", 0.0, 3),
        ("</s>", 0.0, 3),
        ("<unk>", 0.0, 2),
        ("▁", -3.0, 1),
        ("▁a", -2.0, 1),
        ("a", -1.5, 1),
        ("b", -1.0, 1),
        ("ab", -2.0, 1),
        ("1", -4.0, 1),
        ("⁄", -4.0, 1),
        ("2", -4.0, 1),
    ];
    let more = [
        ("tokenizer.ggml.bos_token_id", Value::U32(0)),
        ("tokenizer.ggml.eos_token_id", Value::U32(1)),
        ("tokenizer.ggml.unknown_token_id", Value::U32(2)),
        ("tokenizer.ggml.add_bos_token", Value::Bool(true)),
        ("tokenizer.ggml.add_space_prefix", Value::Bool(true)),
        ("tokenizer.ggml.remove_extra_whitespaces", Value::Bool(true)),
        ("tokenizer.ggml.precompiled_charsmap", Value::Array(Array::U8(charsmap::CharsMap::build(&map)))),
    ];
    let t = Tokenizer::from_gguf(&gguf("t5", &tokens, &more)).unwrap();
    // "▁ab": "▁a" + "b" (-3) beats "▁" + "ab" (-5); blanks are joined, those at the end go.
    assert_eq!(t.encode(" ab \t ab ", true, false), [0, 4, 6, 4, 6, 1]);
    assert_eq!(t.encode("½", false, false), [3, 8, 9, 10]);
    assert_eq!(t.encode("xyza", false, false), [3, 2, 5]);
    assert_eq!(t.encode("", true, false), [0, 1]);
    assert_eq!(t.encode("  ", false, false), Vec::<u32>::new());
}

/// WordPiece with pieces of "Wärmedämmung", marks as BERT has them, and no key that names the begin mark.
fn word_piece(more: &[(&str, Value)]) -> Tokenizer {
    let texts = [
        "[PAD]", "[UNK]", "[CLS]", "[SEP]", "▁warme", "dam", "mung", "▁u", "▁.", "▁0", "▁17", "▁東", "▁ü",
        "d",
    ];
    let kind = |text: &str| if text.starts_with('[') { 3 } else { 1 };
    let tokens: Vec<(&str, f32, i32)> = texts.iter().map(|t| (*t, 0.0, kind(t))).collect();
    let ids = [
        ("tokenizer.ggml.unknown_token_id", Value::U32(1)),
        ("tokenizer.ggml.seperator_token_id", Value::U32(3)),
        ("tokenizer.ggml.add_eos_token", Value::Bool(false)),
    ];
    Tokenizer::from_gguf(&gguf("bert", &tokens, &[&ids, more].concat())).unwrap()
}

#[test]
fn word_piece_takes_the_longest_pieces_or_none() {
    let t = word_piece(&[]);
    // Lower case, accents off, signs apart, a continuation without its mark.
    assert_eq!(t.encode("Wärmedämmung U 0.17", true, false), [2, 4, 5, 6, 7, 9, 8, 10, 3]);
    assert_eq!(t.encode("u東東u\u{200b}", false, false), [7, 11, 11, 7], "signs that are words of their own");
    assert_eq!(
        t.encode("Wärmedach u", false, false),
        [1, 7],
        "a word without all its pieces is unknown as a whole"
    );
    assert_eq!(t.encode("[SEP]", false, false), [1, 1, 1], "a name in a text is no mark");
    assert_eq!(t.encode(&"d".repeat(101), false, false), [1]);
    assert_eq!(t.encode("", true, false), [2, 3]);
    let cased = word_piece(&[("tokenizer.ggml.normalizer.lowercase", Value::Bool(false))]);
    assert_eq!(cased.encode("ü U u", false, false), [12, 1, 7], "case and accents are kept together");
}

#[test]
fn pairs_stand_between_marks_and_lose_their_end_first() {
    let t = word_piece(&[]);
    let pair = t.encode_pair("u", "0.17", 10).unwrap();
    assert_eq!((pair.tokens.as_slice(), pair.second), (&[2, 7, 3, 9, 8, 10, 3][..], 3));
    assert_eq!(t.encode_pair("u", "0.17", 5).unwrap().tokens, [2, 7, 3, 9, 3]);
    assert_eq!(t.encode_pair("u", "0.17", 4), Err(4));
    let two = word_piece(&[]);
    assert!(!two.add_sep, "BERT has one mark between the texts");
}

#[test]
fn a_prompt_keeps_what_others_wrote_apart() {
    assert!(Prompt::parse("{query} and {query} on {document}").is_none());
    assert!(Prompt::parse("{query} alone").is_none());
    let prompt = Prompt::parse("<bos>{document}\n\n{query}").unwrap();
    let t = spm();
    let pair = t.encode_prompt(&prompt, "<bos>", "Wand and", 64).unwrap();
    // The template's own name is the mark, that of the query is text.
    assert_eq!(
        pair.tokens,
        t.encode_chat(&[
            Segment { text: "<bos>".into(), trusted: true },
            Segment { text: "Wand and\n\n<bos>".into(), trusted: false },
        ])
    );
    assert_eq!(pair.tokens.iter().filter(|id| **id == 1).count(), 1);
    let whole = pair.tokens.len();
    let cut = t.encode_prompt(&prompt, "<bos>", "Wand and", whole - 1).unwrap();
    assert!(cut.tokens.len() < whole && cut.tokens.ends_with(&pair.tokens[whole - 3..]));
    assert!(t.encode_prompt(&prompt, "<bos>", "Wand and", 3).is_err_and(|without| without > 3));
}

#[test]
fn a_stream_gives_whole_characters() {
    let t = spm();
    let mut stream = StreamDecoder::new(&t);
    assert_eq!(stream.push(3), "");
    assert_eq!(stream.push(4), "ß");
    assert_eq!(stream.push(3), "");
    assert_eq!(stream.push(14), "\u{fffd}Wand");
    assert_eq!(stream.push(1), ""); // control tokens write nothing
    assert_eq!(stream.push(3), "");
    assert_eq!(stream.finish(), "\u{fffd}");
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    /// Any text: no panic, no control token, and no byte of a known character lost.
    #[test]
    fn any_text_is_safe(text in "(\\PC|[Wand ß<>bos\n]|<bos>|<think>){0,40}") {
        let t = spm();
        for ids in [
            t.encode(&text, false, false),
            t.encode_chat(&[Segment { text: Cow::Borrowed(&text), trusted: false }]).split_off(1),
        ] {
            prop_assert!(ids.iter().all(|id| (*id as usize) < t.vocab_len() && *id != 1 && *id != 2));
            let known = |c: &char| "Wand ß<>bos".contains(*c);
            let (back, told) = (t.decode(&ids), text.replace("<think>", ""));
            let count = |text: &str| text.chars().filter(known).count();
            prop_assert!(count(&back) >= count(&told), "{:?} {:?}", back, text);
        }
        let b = bpe("llama-bpe").unwrap();
        prop_assert!(b.encode(&text, true, true).iter().all(|id| (*id as usize) < b.vocab_len()));
    }
}
