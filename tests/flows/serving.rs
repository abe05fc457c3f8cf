//! Many readers, earlier prompts, guessed tokens: none of it changes a bit of any answer.

use std::ops::ControlFlow;

use dossier::engine::{
    ChatMessage, Finish, GenerateOptions, Generation, Generator, KvKind, Role, ServeOptions, Together,
};

use crate::support::model;

const SMOLLM2: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
/// Has layers that see a window of 512 tokens only.
const GEMMA3: &str = "gemma-3-270m-q4_k_m.gguf";

/// Nothing remembered, nothing guessed.
fn plain(threads: usize) -> ServeOptions {
    ServeOptions { threads, context_tokens: 2048, prefix_bytes: 0, drafts: false, ..ServeOptions::default() }
}

fn open(file: &str, options: &ServeOptions) -> Generator {
    Generator::open_with(&model(file), options).unwrap()
}

fn complete(model: &Generator, prompt: &str, options: &GenerateOptions) -> Generation {
    model.complete(prompt, options, &mut |_| ControlFlow::Continue(())).unwrap()
}

fn tokens(n: usize, seed: usize) -> Vec<u32> {
    (0..n).map(|i| ((i + seed) * 7919 % 40_000) as u32).collect()
}

const LAYERS: &str =
    "Layers of the wall: 20 mm lime plaster, 175 mm brick, 200 mm mineral wool, 15 mm render.\n";

#[test]
fn logits_are_the_same_for_any_number_of_answers() {
    for file in [SMOLLM2, GEMMA3] {
        let model = open(file, &plain(2));
        let prompts: Vec<Vec<u32>> = (0..16).map(|i| tokens(20 + 37 * (i % 5) + i, 1000 * i)).collect();
        let next: Vec<u32> = (0..16).map(|i| 300 + i).collect();
        let alone: Vec<Vec<f32>> = prompts
            .iter()
            .zip(&next)
            .map(|(prompt, next)| {
                let mut session = model.session().unwrap();
                session.feed(prompt).unwrap();
                session.feed(&[*next]).unwrap().to_vec()
            })
            .collect();
        for n in [1, 2, 3, 7, 8, 16] {
            let mut sessions: Vec<_> = (0..n).map(|_| model.session().unwrap()).collect();
            let prompts: Vec<&[u32]> = prompts[..n].iter().map(Vec::as_slice).collect();
            let mut together = Together::default();
            let _logits = together.feed(&mut sessions, &prompts).unwrap();
            let next: Vec<&[u32]> = next[..n].iter().map(std::slice::from_ref).collect();
            let logits = together.feed(&mut sessions, &next).unwrap();
            assert!(logits.eq(alone[..n].iter().map(Vec::as_slice)), "{file}, {n} answers");
        }
    }
}

#[test]
fn logits_are_the_same_after_any_beginning_that_is_taken_over() {
    for file in [SMOLLM2, GEMMA3] {
        for kv_kind in [KvKind::F16, KvKind::Q8_0] {
            let model = open(file, &ServeOptions { kv_kind, ..plain(2) });
            let prompt = tokens(700, 5);
            let mut whole = model.session().unwrap();
            let expected = whole.feed(&prompt).unwrap().to_vec();
            for cut in [1, 63, 64, 65, 500, 512, 699] {
                // The original goes on elsewhere, which must not show.
                let mut other = whole.branch(cut);
                other.feed(&tokens(30, 9000)).unwrap();
                let mut branch = whole.branch(cut);
                assert!(branch.feed(&prompt[cut..]).unwrap() == expected, "{file} {kv_kind:?} {cut}");
            }
        }
    }
}

/// How far bytes move the distribution: the mean and the largest Kullback-Leibler divergence in nats.
fn divergence(file: &str, prompt: &[u32]) -> (f64, f64) {
    let rows = |kv_kind| {
        let model = open(file, &ServeOptions { kv_kind, ..plain(2) });
        let mut out = Vec::new();
        model.session().unwrap().feed_each(prompt, |row| out.push(log_shares(row))).unwrap();
        out
    };
    let (half, bytes) = (rows(KvKind::F16), rows(KvKind::Q8_0));
    let pairs = half.iter().zip(&bytes);
    let each: Vec<f64> =
        pairs.map(|(p, q)| p.iter().zip(q).map(|(p, q)| p.exp() * (p - q)).sum::<f64>()).collect();
    (each.iter().sum::<f64>() / each.len() as f64, each.iter().copied().fold(0.0, f64::max))
}

fn log_shares(logits: &[f32]) -> Vec<f64> {
    let top = f64::from(logits.iter().copied().fold(f32::NEG_INFINITY, f32::max));
    let sum: f64 = logits.iter().map(|&l| (f64::from(l) - top).exp()).sum();
    logits.iter().map(|&l| f64::from(l) - top - sum.ln()).collect()
}

#[test]
fn keys_and_values_in_bytes_cost_little() {
    for file in [SMOLLM2, GEMMA3] {
        let model = open(file, &plain(1));
        let text =
            LAYERS.repeat(12) + "The schedule of doors lists width, height and fire rating of every door.";
        let prompt = model.tokenizer().encode(&text, true, false);
        drop(model);
        let (mean, largest) = divergence(file, &prompt);
        assert!(mean < 0.002 && largest < 0.1, "{file}: {mean} nats on average, {largest} at most");
    }
}

#[test]
fn an_answer_is_the_same_with_earlier_prompts_remembered_and_tokens_guessed() {
    let (slow, fast) = (
        open(SMOLLM2, &plain(2)),
        open(SMOLLM2, &ServeOptions { drafts: true, prefix_bytes: 64 << 20, ..plain(2) }),
    );
    let greedy = GenerateOptions { max_tokens: 60, ..GenerateOptions::default() };
    let wild = GenerateOptions { temperature: 0.9, seed: 11, ..greedy.clone() };
    let penalised = GenerateOptions {
        repeat_penalty: 1.1,
        frequency_penalty: 0.2,
        presence_penalty: 0.3,
        ..wild.clone()
    };
    let sources = LAYERS.repeat(3);
    for options in [&greedy, &wild, &penalised] {
        for question in ["Repeat the layers:", "Repeat the layers of the wall:", "A poem:"] {
            let prompt = format!("{sources}{question}\n");
            let expected = complete(&slow, &prompt, options);
            let found = complete(&fast, &prompt, options);
            assert_eq!((found.text, found.finish), (expected.text, expected.finish), "{question}");
            assert_eq!(expected.cached_tokens, 0);
        }
    }
    let stats = fast.prefix_stats();
    assert_eq!(stats.prompts, 9);
    assert!(stats.reused * 2 > stats.tokens, "{stats:?}");
    assert_eq!(slow.prefix_stats().reused, 0);
}

#[test]
fn a_conversation_goes_on_where_it_ended() {
    let model = open(SMOLLM2, &ServeOptions { prefix_bytes: 64 << 20, ..plain(2) });
    let message = |role, content: &str| ChatMessage { role, content: content.to_string() };
    let options = GenerateOptions { max_tokens: 24, ..GenerateOptions::default() };
    let mut conversation = vec![message(Role::User, &format!("{LAYERS}How thick is the brick?"))];
    let first = model.generate(&conversation, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!(first.cached_tokens, 0);
    conversation.push(message(Role::Assistant, &first.text));
    conversation.push(message(Role::User, "And the plaster?"));
    let second = model.generate(&conversation, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    let known = first.prompt_tokens + first.completion_tokens;
    assert!(second.cached_tokens + 4 >= known, "{} of {known}", second.cached_tokens);
    let again = open(SMOLLM2, &plain(1));
    let alone = again.generate(&conversation, &options, &mut |_| ControlFlow::Continue(())).unwrap();
    assert_eq!((second.text, alone.cached_tokens), (alone.text, 0));
}

#[test]
fn a_conversation_longer_than_the_window_goes_on_where_it_ended() {
    for file in [SMOLLM2, GEMMA3] {
        let model = open(file, &ServeOptions { prefix_bytes: 64 << 20, drafts: true, ..plain(2) });
        let options = GenerateOptions { max_tokens: 20, ..GenerateOptions::default() };
        // Longer than Gemma's window of 512 tokens.
        let mut text = (0..28).map(|i| format!("{i}: {LAYERS}")).collect::<String>();
        let first = complete(&model, &text, &options);
        assert!(first.prompt_tokens > 700, "{}", first.prompt_tokens);
        text.push_str(&first.text);
        let other =
            complete(&model, "Another question, by somebody else, that begins in its own way:", &options);
        assert_eq!(other.cached_tokens.min(2), other.cached_tokens, "at most the begin mark");
        text.push_str("\nHow thick is the plaster?");
        let second = complete(&model, &text, &options);
        let known = first.prompt_tokens + first.completion_tokens;
        // Where the answer ended, its last token may have been written together with the next.
        assert!(second.cached_tokens + 4 >= known, "{file}: {} of {known}", second.cached_tokens);
        let alone = complete(&open(file, &plain(2)), &text, &options);
        assert_eq!((second.text, alone.cached_tokens), (alone.text, 0), "{file}");
    }
}

#[test]
fn what_readers_have_in_common_is_computed_once() {
    for file in [SMOLLM2, GEMMA3] {
        let options = ServeOptions { prefix_bytes: 64 << 20, kv_tokens: 8192, ..plain(2) };
        let model = open(file, &options);
        let count = |text: &str| model.tokenizer().encode(text, true, false).len();
        let common = (0..20).map(|i| format!("{i}: {LAYERS}")).collect::<String>();
        let questions: Vec<String> =
            (0..6).map(|i| format!("{common}{} asks about layer {i}:", ["Anna", "Beat"][i % 2])).collect();
        std::thread::scope(|scope| {
            for question in &questions {
                let model = &model;
                let options = GenerateOptions { max_tokens: 2, ..GenerateOptions::default() };
                scope.spawn(move || complete(model, question, &options));
            }
        });
        let stats = model.prefix_stats();
        let all: usize = questions.iter().map(|q| count(q)).sum();
        assert_eq!((stats.prompts, stats.tokens), (6, all as u64));
        let own: usize = questions.iter().map(|q| count(q) - count(&common)).sum();
        let computed = (stats.tokens - stats.reused) as usize;
        // The sources once, and of each question its own words.
        assert!(
            computed <= count(&common) + own,
            "{file}: {computed} of {all}, {} in common",
            count(&common)
        );
    }
}

#[test]
fn readers_at_the_same_time_get_what_they_would_get_alone() {
    // Room for two at a time; the others wait.
    let options =
        ServeOptions { kv_tokens: 2048, max_streams: 3, prefix_bytes: 64 << 20, drafts: true, ..plain(2) };
    let (alone, shared) = (open(SMOLLM2, &plain(2)), open(SMOLLM2, &options));
    let prompts: Vec<String> = (0..8).map(|i| format!("{}Question {i}:", LAYERS.repeat(1 + i % 3))).collect();
    let options = |i: usize| GenerateOptions { max_tokens: 10 + 7 * (i % 4), ..GenerateOptions::default() };
    let expected: Vec<_> =
        prompts.iter().enumerate().map(|(i, p)| complete(&alone, p, &options(i)).text).collect();
    let found: Vec<_> = std::thread::scope(|scope| {
        let shared = &shared;
        let handles: Vec<_> = prompts
            .iter()
            .enumerate()
            .map(|(i, p)| scope.spawn(move || complete(shared, p, &options(i)).text))
            .collect();
        handles.into_iter().map(|h| h.join().unwrap()).collect()
    });
    assert_eq!(found, expected);
}

#[test]
fn a_reader_who_leaves_makes_room() {
    let options = ServeOptions { max_streams: 1, ..plain(2) };
    let model = open(SMOLLM2, &options);
    let endless = GenerateOptions { max_tokens: 1500, ..GenerateOptions::default() };
    let left = model.complete(LAYERS, &endless, &mut |_| ControlFlow::Break(())).unwrap();
    assert_eq!(left.finish, Finish::Cancelled);
    let none = complete(&model, LAYERS, &GenerateOptions { max_tokens: 0, ..endless });
    assert_eq!((none.text.as_str(), none.completion_tokens, none.finish), ("", 0, Finish::Length));
}
