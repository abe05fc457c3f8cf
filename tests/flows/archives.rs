//! Archives of many files: every member is a document, whatever they are together.

use std::io::{Cursor, Write};

use serde_json::Value;

use crate::support::Appliance;

/// An archive of these members, as they are.
fn archive(members: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let plain = zip::write::SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
    for (name, bytes) in members {
        zip.start_file(*name, plain).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn paths(appliance: &Appliance, word: &str) -> Vec<String> {
    let hits = appliance.json(&["search", word, "--limit", "50"])["hits"].clone();
    let mut paths: Vec<String> =
        hits.as_array().unwrap().iter().map(|h| h["path"].as_str().unwrap().to_owned()).collect();
    paths.sort();
    paths.dedup();
    paths
}

/// More than is read at once (128 MiB), in an archive on the disk and in one that lies in it.
#[test]
fn an_archive_is_read_whole_in_portions() {
    let a = Appliance::new();
    // No reader knows it, so it takes only room.
    let filler = [&b"\x7fELF"[..], &vec![0; 65 << 20]].concat();
    let text = |name: &str| format!("Das Blatt Quaxmoor {name}.").into_bytes();
    let inner = archive(&[
        ("a.txt", &text("a")),
        ("x.bin", &filler),
        ("b.txt", &text("b")),
        ("y/y.bin", &filler),
        ("y/c.txt", &text("c")),
    ]);
    let outer = |inner: &[u8]| archive(&[("innen.zip", inner), ("d.txt", &text("d"))]);
    a.write("aussen.zip", outer(&inner));
    let (code, output) = a.run(&["--json", "ingest"]);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
    let steps: Vec<Value> =
        String::from_utf8_lossy(&output.stderr).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(steps.iter().any(|s| s["inside"] == serde_json::json!([1, 7])), "progress goes on inside of it");
    let expected = [
        "aussen.zip/d.txt",
        "aussen.zip/innen.zip/a.txt",
        "aussen.zip/innen.zip/b.txt",
        "aussen.zip/innen.zip/y/c.txt",
    ];
    assert_eq!(paths(&a, "Quaxmoor"), expected);

    // A new version without b: what it held is gone, the rest stays.
    a.write(
        "aussen.zip",
        outer(&archive(&[("a.txt", &text("a")), ("x.bin", &filler), ("y/c.txt", &text("c"))])),
    );
    let second = a.json(&["ingest"]);
    assert_eq!(
        (&second["deleted"], &second["unchanged"], &second["rejected"]),
        (&1.into(), &3.into(), &Value::Array(vec![])),
        "{second}"
    );
    assert!(!paths(&a, "Quaxmoor").contains(&"aussen.zip/innen.zip/b.txt".to_owned()));
}
