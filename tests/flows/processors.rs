//! Processors that the machine is not, as Debian's `qemu-user` plays them: what is missing is said, and the engine
//! computes the same with what is there.

use std::path::Path;
use std::process::{Command, Output};

use crate::support::{Appliance, DOSSIER};

/// The program on another processor.
fn on(processor: &str, arguments: &[&str]) -> Output {
    let mut command = Command::new("qemu-x86_64");
    let output = command.args(["-cpu", processor, DOSSIER]).args(arguments).output();
    output.expect("qemu-x86_64 starts: `make test` installs qemu-user")
}

/// The hashes over continuations and logits of a small model, and the instructions that it was computed with.
fn hashes(output: &Output) -> (String, [String; 2]) {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8_lossy(&output.stderr);
    let report: serde_json::Value =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{e}: {text}\n{errors}"));
    let word = |key: &str| report[key].as_str().unwrap().to_owned();
    let device = word("device").rsplit(", ").next().unwrap().to_owned();
    (device, ["continuations", "logits"].map(word))
}

#[test]
fn a_processor_without_wide_instructions_is_named_and_computes_the_same() {
    let model = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/engine/shapes/llama.gguf");
    let model = model.display().to_string();
    let bench =
        ["--json", "bench", "llm", "--model", &model, "--prefill", "8", "--decode", "4", "--runs", "1"];
    let here = hashes(&Command::new(DOSSIER).args(bench).output().unwrap());
    let scalar = hashes(&on("Nehalem", &bench));
    assert_eq!((scalar.0.as_str(), &scalar.1), ("scalar", &here.1));
    let avx2 = hashes(&on("Haswell", &bench));
    assert_eq!((avx2.0.as_str(), &avx2.1), ("AVX2", &here.1));
}

#[test]
fn doctor_says_what_a_processor_lacks_and_what_to_do() {
    let appliance = Appliance::new();
    let output = on("Nehalem", &["--data", &appliance.data().display().to_string(), "--json", "doctor"]);
    let report: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap();
    let processor = checks.iter().find(|c| c["name"] == "processor").unwrap_or_else(|| panic!("{report:#}"));
    let text = processor.to_string();
    assert_eq!(processor["state"], "warn", "{text}");
    assert!(text.contains("neither AVX2 nor AVX-512") && text.contains("times slower"), "{text}");
    assert!(text.contains("pass the host's processor type through"), "{text}");
}
