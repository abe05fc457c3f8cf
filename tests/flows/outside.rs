//! What others confirm about the log, and what is handed to them.

use std::fs;

use crate::support::Appliance;

fn path(a: &Appliance, name: &str) -> String {
    a.files().join("..").join(name).display().to_string()
}

#[test]
fn a_witness_elsewhere_countersigns_and_finds_an_older_copy() {
    let a = Appliance::new();
    let (request, signed, keys) = (path(&a, "request.txt"), path(&a, "signed.txt"), path(&a, "witness"));
    let log_key = fs::read_to_string(a.data().join("audit/log.vkey")).unwrap();
    let ask = |a: &Appliance| a.json(&["audit", "witness", "request", "-o", &request]);
    ask(&a);
    let sign =
        ["audit", "witness", "sign", &request, "--keys", &keys, "--name", "example/laptop", "-o", &signed];
    assert_eq!(a.run(&sign).0, 1, "an unknown log needs its key");
    let key =
        a.json(&[&sign[..], &["--log-key", log_key.trim()]].concat())["key"].as_str().unwrap().to_owned();
    let accept = ["audit", "witness", "accept", &signed, "--key", &key];
    let copy = path(&a, "older");
    let older = std::process::Command::new("cp").args(["-a", a.data().to_str().unwrap(), &copy]).status();
    assert!(older.unwrap().success());
    a.json(&accept);
    a.json(&["search", "Dach"]);
    let second = ask(&a);
    assert!(second["old"].as_u64().unwrap() > 0);
    a.json(&sign);
    a.json(&accept);
    assert_eq!(a.json(&["audit", "verify"])["ok"], true);
    assert_eq!(a.json(&["audit", "list", "--kind", "witness", "--count"])["count"], 2);
    // The older copy is put back.
    fs::remove_dir_all(a.data()).unwrap();
    fs::rename(&copy, a.data()).unwrap();
    a.json(&["audit", "witness", "request", "-o", &request]);
    let (code, output) = a.run(&sign);
    assert_eq!(code, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("ALARM"), "{output:?}");
}

#[test]
fn a_changed_key_is_followed() {
    let a = Appliance::new();
    let key = a.json(&["audit", "rotate-key", "--reason", "jährlich"])["key"].as_str().unwrap().to_owned();
    a.json(&["search", "Dach"]);
    assert_eq!(a.json(&["audit", "verify"])["ok"], true);
    let first = fs::read_to_string(a.data().join("audit/log.vkey")).unwrap();
    assert_ne!(first.trim(), key);
    assert!(fs::read_to_string(a.data().join("audit/log.rotations")).unwrap().contains(&key));
}

#[test]
fn an_export_abroad_needs_a_guarantee_and_the_annex_goes_with_the_sheet() {
    let a = Appliance::new();
    let today = jiff::Timestamp::now().to_zoned_datetime(jiff::tz::TimeZone::system()).date().to_string();
    let file = path(&a, "log.jsonl");
    let export =
        ["audit", "export", "--from", &today, "--to", &today, "--recipient", "Example Inc.", "-o", &file];
    assert_eq!(a.run(&[&export[..], &["--country", "US"]].concat()).0, 2);
    assert!(!std::path::Path::new(&file).exists());
    let done = a.json(&[&export[..], &["--country", "ch"]].concat());
    let lines = fs::read_to_string(&file).unwrap();
    assert_eq!(lines.lines().count() as u64, done["events"].as_u64().unwrap());
    let (sheet, annex) = (path(&a, "sheet.pdf"), path(&a, "annex.zip"));
    let report = ["report", "--from", &today, "--to", &today, "-o", &sheet, "--annex", &annex];
    assert_eq!(a.json(&report)["annex"]["sha256"].as_str().unwrap().len(), 64);
    assert!(fs::read(&annex).unwrap().starts_with(b"PK"));
    let request = path(&a, "log.tsq");
    a.json(&["audit", "timestamp", "request", "-o", &request]);
    assert_eq!(fs::read(&request).unwrap().len(), 69);
    assert_eq!(a.run(&["audit", "timestamp", "accept", &request]).0, 1, "a request is no answer");
    let bom = a.json(&["sbom"]);
    assert_eq!(bom["bomFormat"], "CycloneDX");
    assert!(bom["components"].as_array().unwrap().len() > 100);
    assert_eq!(a.json(&["sbom", "--models"])["components"], serde_json::json!([]));
}
