//! What models take in memory is what was planned, to within 2 %.

use std::ops::ControlFlow;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::time::Duration;

use dossier::engine::{
    GenerateOptions, Generator, KvKind, MemoryPlan, MemoryUse, PreparedModel, ServeOptions, anonymous_memory,
};

use crate::support::{Appliance, model};

const SMOLLM2: &str = "SmolLM2-135M-Instruct.Q4_1.gguf";
const GEMMA3: &str = "gemma-3-270m-q4_k_m.gguf";

/// (file, bytes of a page of 64 tokens: keys and values × layers × heads × values of a head × 64 × 2 bytes)
const MODELS: [(&str, usize); 2] = [(SMOLLM2, 2 * 30 * 3 * 64 * 64 * 2), (GEMMA3, 2 * 18 * 256 * 64 * 2)];

/// What the process holds, once the allocator has given back what is free: from a thread of its own, which takes a second
/// to, and longer where the processors are busy.
fn held() -> usize {
    let (mut least, mut same) = (usize::MAX, 0);
    for _ in 0..100 {
        std::thread::sleep(Duration::from_millis(200));
        let now = anonymous_memory().unwrap();
        same = if now < least { 0 } else { same + 1 };
        least = least.min(now);
        if same == 10 {
            break;
        }
    }
    least
}

/// The most that is held while `work` runs.
fn peak(work: impl FnOnce()) -> usize {
    let (most, done) = (AtomicUsize::new(0), AtomicBool::new(false));
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                most.fetch_max(anonymous_memory().unwrap(), Ordering::Relaxed);
                std::thread::sleep(Duration::from_millis(2));
            }
        });
        work();
        done.store(true, Ordering::Relaxed);
    });
    most.into_inner()
}

/// Within 2 %. Weights lie in huge pages, of which the last one in each 64 MiB may only be begun: that much more may be
/// held too.
fn near(what: &str, found: usize, planned: usize, weights: usize) {
    let begun = (2 << 20) * weights.div_ceil(64 << 20);
    let off = (found as f64 - planned as f64) / planned as f64;
    assert!(
        found as f64 > planned as f64 * 0.98 && (found as f64) < planned as f64 * 1.02 + begun as f64,
        "{what}: {found} bytes instead of {planned}, {:+.1} %",
        off * 100.0
    );
}

/// A prompt of exactly `n` tokens that shares no beginning with another seed's. It goes on as it began, so that as many
/// tokens are guessed as can be.
fn prompt(model: &Generator, n: usize, seed: usize) -> String {
    const WORDS: [&str; 10] =
        [" one", " two", " three", " four", " five", " six", " seven", " eight", " nine", " ten"];
    let count = |text: &str| model.tokenizer().encode(text, true, false).len();
    let start = format!("{seed}:");
    let words = WORDS.iter().cycle().take(n - count(&start)).copied();
    let text = format!("{start}{}", words.collect::<String>());
    assert_eq!(count(&text), n);
    text
}

fn complete(model: &Generator, text: &str, max_tokens: usize) {
    let options = GenerateOptions { max_tokens, ..GenerateOptions::default() };
    model.complete(text, &options, &mut |_| ControlFlow::Continue(())).unwrap();
}

fn open(file: &str, options: &ServeOptions) -> (Generator, MemoryPlan, usize) {
    let before = held();
    let prepared = PreparedModel::open(&model(file)).unwrap();
    let plan = prepared.plan_answers(options).unwrap();
    let opened = Generator::open_prepared(&prepared, options).unwrap();
    drop(prepared);
    (opened, plan, before)
}

#[test]
fn weights_and_vocabulary_take_what_the_table_of_the_file_says() {
    for (file, _) in MODELS {
        let (opened, plan, before) = open(file, &ServeOptions { threads: 2, ..ServeOptions::default() });
        let planned = plan.bytes(MemoryUse::Weights) + plan.bytes(MemoryUse::Vocabulary);
        near(file, held() - before, planned, plan.bytes(MemoryUse::Weights));
        near(file, opened.tokenizer().bytes(), plan.bytes(MemoryUse::Vocabulary), 0);
    }
}

#[test]
fn a_full_model_takes_what_was_planned() {
    for (file, page) in MODELS {
        let options = ServeOptions {
            threads: 2,
            context_tokens: 512,
            max_streams: 1,
            kv_tokens: 512,
            prefix_bytes: 16 * page,
            ..ServeOptions::default()
        };
        let (opened, plan, before) = open(file, &options);
        assert_eq!(plan.bytes(MemoryUse::EarlierPrompts), 16 * page);
        assert_eq!(plan.bytes(MemoryUse::KeysValues), 9 * page, "eight pages, and one that is begun");
        let most = peak(|| {
            for seed in 0..4 {
                // Eight pages each: two fill the budget, the next is read beside them.
                complete(&opened, &prompt(&opened, 500, seed), 12);
            }
        });
        near(file, most - before, plan.total(), plan.bytes(MemoryUse::Weights));
    }
}

#[test]
fn answers_at_the_same_time_stay_within_the_plan() {
    let (file, page) = MODELS[0];
    for kv_kind in [KvKind::F16, KvKind::Q8_0] {
        let options = ServeOptions {
            threads: 2,
            context_tokens: 256,
            max_streams: 4,
            kv_tokens: 1024,
            kv_kind,
            prefix_bytes: 0,
            ..ServeOptions::default()
        };
        let (opened, plan, before) = open(file, &options);
        // Of 16 bits there are 34 in 64 left: 8 for each, and a scale of 16 for 32.
        let one = if kv_kind == KvKind::F16 { page } else { page * 34 / 64 };
        assert_eq!(plan.bytes(MemoryUse::KeysValues), (16 + 4) * one);
        let most = peak(|| {
            std::thread::scope(|scope| {
                for seed in 0..4 {
                    let opened = &opened;
                    scope.spawn(move || complete(opened, &prompt(opened, 220, seed), 36));
                }
            });
        });
        let found = most - before;
        assert!(found <= plan.total() * 102 / 100, "{kv_kind:?}: {found} of {}", plan.total());
        assert!(found >= plan.total() * 9 / 10, "{kv_kind:?}: {found} of {}", plan.total());
    }
}

#[test]
fn a_plan_that_does_not_fit_is_refused_with_what_to_change() {
    let prepared = PreparedModel::open(&model(SMOLLM2)).unwrap();
    let plan = prepared.plan_answers(&ServeOptions::default()).unwrap();
    plan.check(Some(plan.total() as u64)).unwrap();
    plan.check(None).unwrap();
    let error = plan.check(Some(plan.total() as u64 - 1)).unwrap_err().to_string();
    for part in
        ["engine.context_tokens", "engine.kv_kind", "engine.prefix_cache_mb = 0 saves 256 MiB", "smaller"]
    {
        assert!(error.contains(part), "{part}: {error}");
    }
    // 130 GiB of keys and values: no machine of ours has them.
    let vast = ServeOptions { kv_tokens: 6_000_000, ..ServeOptions::default() };
    let error = Generator::open_with(&model(SMOLLM2), &vast).unwrap_err().to_string();
    assert!(error.contains("are available. To make it fit"), "{error}");
}

#[test]
fn doctor_shows_the_plan() {
    let appliance = Appliance::new();
    let path = model(SMOLLM2).display().to_string();
    appliance.json(&["model", "add", &path, "--languages", "en"]);
    let report = appliance.json(&["doctor"]);
    let plan = &report["memory_plan"];
    let parts = plan["parts"].as_array().unwrap();
    let of = |what: &str| parts.iter().find(|p| p["what"] == what).unwrap()["bytes"].as_u64().unwrap();
    assert_eq!(of("keys_values"), (128 + 16) * MODELS[0].1 as u64, "twice 4096 tokens, and 16 pages begun");
    assert_eq!(of("earlier_prompts"), 256 << 20);
    let sum: u64 = parts.iter().map(|p| p["bytes"].as_u64().unwrap()).sum();
    assert_eq!(plan["total_bytes"], sum);
    let check = |report: &serde_json::Value| {
        let checks = report["checks"].as_array().unwrap();
        checks.iter().find(|c| c["name"] == "plan").unwrap().clone()
    };
    assert_eq!(check(&report)["state"], "ok");

    let file = appliance.data().join("dossier.toml");
    let mut config = std::fs::read_to_string(&file).unwrap();
    config.push_str("[engine]\nprefix_cache_mb = 1048576\n");
    std::fs::write(&file, config).unwrap();
    let report = appliance.json(&["doctor"]);
    assert_eq!(check(&report)["state"], "fail");
    assert!(check(&report)["fix"].as_str().unwrap().contains("prefix_cache_mb"));
    let (code, output) = appliance.run(&["search", "Wand"]);
    assert_eq!(code, 1, "a model that does not fit is not opened");
    assert!(String::from_utf8_lossy(&output.stderr).contains("engine.prefix_cache_mb = 0"));
}
