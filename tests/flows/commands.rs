//! The contract of the command line: exit codes, one JSON object, nothing promised that was not done.

use serde_json::{Value, json};

use crate::support::Appliance;

fn code(appliance: &Appliance, arguments: &[&str]) -> i32 {
    appliance.run(arguments).0
}

#[test]
fn what_does_not_exist_is_wrong_use() {
    let a = Appliance::new();
    for wrong in [
        &["search", ""][..],
        &["search", "x", "--project", "nope"],
        &["search", "x", "--as", "nobody"],
        &["ask", &"a".repeat(10_000)],
        &["ingest", "--source", "nope"],
        &["audit", "list", "--query", "U99"],
        &["audit", "list", "--kind", "nope"],
        &["audit", "list", "--kind", "nope", "--count"],
        &["audit", "list", "--from", "2026-12-01", "--to", "2026-11-01"],
        &["report", "--from", "2026-12-01", "--to", "2026-11-01", "-o", "/dev/null"],
        &["user", "password", "nobody"],
        &["user", "add", "x", "--role", "king"],
    ] {
        let (code, output) = a.run(wrong);
        assert_eq!(code, 2, "{wrong:?}: {}", String::from_utf8_lossy(&output.stderr));
        assert!(output.stdout.is_empty(), "{wrong:?} printed {}", String::from_utf8_lossy(&output.stdout));
    }
}

#[test]
fn an_unknown_kind_of_event_is_answered_with_the_known_ones() {
    let (_, output) = Appliance::new().run(&["audit", "list", "--kind", "nope"]);
    let message = String::from_utf8_lossy(&output.stderr);
    for kind in ["question", "config_change", "checkpoint"] {
        assert!(message.contains(kind), "{message}");
    }
}

/// A name may hold anything but a slash: on the terminal it stays on its line and steers nothing.
#[test]
fn the_name_of_a_file_stays_on_its_line() {
    let a = Appliance::new();
    a.write("Aussenwand\n  9  Falsche Zeile\u{1b}[31m\u{202e}.txt", "Die Aussenwand AW-01 ist aus Lehm.");
    a.write("b\nrejected  alles\u{1b}[2J.pdf", [0u8, 159, 146, 150]);
    for command in [&["ingest"][..], &["search", "Aussenwand"], &["ask", "Was ist die Aussenwand AW-01?"]] {
        let (_, output) = a.run(command);
        for bytes in [&output.stdout, &output.stderr] {
            let text = String::from_utf8_lossy(bytes);
            assert!(!text.contains(['\u{1b}', '\u{202e}']), "{command:?}: {text:?}");
            let forged =
                |line: &&str| line.starts_with("  9  Falsche") || line.starts_with("rejected  alles");
            assert_eq!(text.lines().find(forged), None, "{command:?}");
        }
        let text =
            String::from_utf8_lossy(&output.stdout).into_owned() + &String::from_utf8_lossy(&output.stderr);
        assert!(text.contains('\u{fffd}'), "{command:?} shows the name: {text}");
    }
}

#[test]
fn a_prepared_demo_says_nothing_of_a_server() {
    let folder = tempfile::tempdir().unwrap();
    let sample = folder.path().join("sample");
    std::fs::create_dir(&sample).unwrap();
    std::fs::write(sample.join("notiz.txt"), "Die Aussenwand ist aus Lehm.").unwrap();
    // The demo registers these two.
    for name in ["e5-small-q4.bin", "SmolLM2-135M-Instruct.Q4_1.gguf"] {
        crate::support::model(name);
    }
    let output = std::process::Command::new(crate::support::DOSSIER)
        .arg("--data")
        .arg(folder.path().join("data"))
        .args(["demo", "--prepare", "--sample"])
        .arg(&sample)
        .output()
        .unwrap();
    let text = [output.stdout, output.stderr].concat();
    let text = String::from_utf8_lossy(&text);
    assert!(output.status.success(), "{text}");
    assert!(text.contains("Prepared after") && text.contains("password"), "{text}");
    for word in ["http://", "Ctrl-C", "Address"] {
        assert!(!text.contains(word), "{word}: {text}");
    }
}

#[test]
fn every_command_prints_one_json_object() {
    let a = Appliance::new();
    a.write("a.txt", "Die Aussenwand AW-01 hat einen U-Wert von 0.15 W/(m²K).");
    a.write("b.bin", [0u8, 159, 146, 150]);
    for command in [
        &["ingest"][..],
        &["user", "list"],
        &["user", "add", "anna"],
        &["user", "join", "anna", "planer"],
        &["project", "list"],
        &["project", "grant", "Rosenmatt", "planer"],
        &["model", "list"],
        &["model", "verify"],
        &["audit", "list"],
        &["audit", "list", "--count"],
        &["audit", "checkpoint"],
        &["extract", "--chunks", "Cargo.toml"],
    ] {
        assert!(a.json(command).is_object(), "{command:?}");
    }
    let (_, output) = a.run(&["--json", "search", ""]);
    let error: serde_json::Value = serde_json::from_slice(&output.stderr).unwrap();
    assert_eq!(error["code"], 2);
}

#[test]
fn an_output_file_that_cannot_be_written_is_a_failure() {
    let a = Appliance::new();
    let missing = a.data().join("no/such/folder/r.pdf");
    let period = ["report", "--from", "2026-11-01", "--to", "2026-11-30", "-o"];
    assert_eq!(code(&a, &[&period[..], &[missing.to_str().unwrap()]].concat()), 1);
    let (_, logged) = a.run(&["audit", "list", "--kind", "export", "--count"]);
    assert_eq!(String::from_utf8_lossy(&logged.stdout).trim(), "0", "nothing was handed out");
}

#[test]
fn a_log_that_cannot_be_opened_is_a_failed_check() {
    let a = Appliance::new();
    let checkpoint = a.data().join("audit/checkpoint");
    let mut bytes = std::fs::read(&checkpoint).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&checkpoint, bytes).unwrap();
    assert_eq!(code(&a, &["audit", "verify"]), 3);
    assert_eq!(a.json(&["audit", "verify"])["ok"], false);
}

/// The states of doctor's checks, by name.
fn checks(appliance: &Appliance) -> Value {
    let (_, output) = appliance.run(&["--json", "doctor"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let checks = report["checks"].as_array().unwrap().iter();
    checks
        .map(|c| (c["name"].as_str().unwrap().to_owned(), c["state"].clone()))
        .collect::<serde_json::Map<_, _>>()
        .into()
}

/// What the configuration names is used, or nothing works: silence would be a search without its model.
#[test]
fn the_model_that_is_named_is_used_or_missed() {
    let shapes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/engine/shapes");
    let appliance = Appliance::new();
    let added = appliance.json(&["model", "add", &shapes.join("bert-rerank.gguf").display().to_string()]);
    let (name, sha256) = (added["name"].as_str().unwrap(), added["sha256"].as_str().unwrap());
    appliance.write("a.txt", "Die Aussenwand hat einen U-Wert von 0.15.");
    let config = std::fs::read_to_string(appliance.data().join("dossier.toml")).unwrap();
    let named = |model: &str| {
        let text = format!("[engine]\nrerank_model = \"{model}\"\n{config}");
        std::fs::write(appliance.data().join("dossier.toml"), text).unwrap();
        appliance.run(&["search", "Aussenwand"])
    };
    let path = shapes.join("bert-rerank.gguf").display().to_string();
    for model in [name, sha256, &sha256[..12], &sha256.to_uppercase(), &path, "none"] {
        let (code, output) = named(model);
        assert_eq!(code, 0, "{model}: {}", String::from_utf8_lossy(&output.stderr));
    }
    for model in ["anderes", "anderes.gguf", "0123456789abcdef"] {
        let (code, output) = named(model);
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(code, 1, "{model}");
        assert!(
            said.contains(model) && said.contains("engine.rerank_model") && said.contains(name),
            "{said}"
        );
        assert_eq!(checks(&appliance)["models"], "fail", "{model}");
    }
}

/// A model file that is gone, or another one by now, is refused wherever it would be used, and keeps nobody from mending the
/// register.
#[test]
fn a_register_with_a_bad_model_can_be_mended() {
    let shapes = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/engine/shapes");
    for damage in ["gone", "changed"] {
        let appliance = Appliance::new();
        let file = appliance.data().join("rerank.gguf");
        let name = file.display().to_string();
        std::fs::copy(shapes.join("bert-rerank.gguf"), &file).unwrap();
        let added = appliance.json(&["model", "add", &name]);
        assert_eq!(added["role"], "rerank");
        appliance.write("a.txt", "Die Aussenwand hat einen U-Wert von 0.15.");
        assert_eq!(appliance.run(&["ingest"]).0, 0);
        if damage == "gone" {
            std::fs::remove_file(&file).unwrap();
        } else {
            let mut bytes = std::fs::read(&file).unwrap();
            bytes.push(0);
            std::fs::write(&file, bytes).unwrap();
        }
        let (code, output) = appliance.run(&["search", "Aussenwand"]);
        assert_eq!(code, 1, "{damage}: a model that is not the registered one is not used");
        assert!(String::from_utf8_lossy(&output.stderr).contains("rerank.gguf"), "{output:?}");
        let checks = checks(&appliance);
        assert_eq!(checks["models"], "fail", "{damage}: doctor names the models and nothing else: {checks}");
        assert_eq!((&checks["index"], &checks["log"]), (&json!("ok"), &json!("ok")), "{damage}");
        for arguments in
            [&["model", "list"][..], &["audit", "verify"], &["user", "list"], &["project", "list"]]
        {
            assert_eq!(appliance.run(arguments).0, 0, "{damage}: {arguments:?}");
        }
        let sha256 = added["sha256"].as_str().unwrap();
        if damage == "gone" {
            assert_eq!(appliance.run(&["model", "remove", sha256]).0, 0);
        } else {
            assert_eq!(
                appliance.json(&["model", "add", &name])["role"],
                "rerank",
                "registered again as it is"
            );
        }
        assert_eq!(appliance.run(&["search", "Aussenwand"]).0, 0, "{damage}: mended");
    }
}
