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

/// More than is read at once (128 MiB), in an archive on the disk and in one that lies in an archive.
#[test]
fn an_archive_is_read_whole_in_portions() {
    let a = Appliance::new();
    // No reader knows it, so it takes only room.
    let filler = [&b"\x7fELF"[..], &vec![0; 70 << 20]].concat();
    let inner = archive(&[
        ("a.txt", b"Das Blatt Quaxmoor a."),
        ("x.bin", &filler),
        ("b.txt", b"Das Blatt Quaxmoor b."),
        ("y.bin", &filler),
        ("c/c.txt", b"Das Blatt Quaxmoor c."),
    ]);
    a.write("gross.zip", &inner);
    a.write("aussen.zip", archive(&[("innen.zip", &inner), ("d.txt", b"Das Blatt Quaxmoor d.")]));
    let (code, output) = a.run(&["--json", "ingest"]);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
    let steps: Vec<Value> =
        String::from_utf8_lossy(&output.stderr).lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(steps.iter().any(|s| s["inside"] == serde_json::json!([2, 5])), "progress goes on inside of it");
    let expected = [
        "aussen.zip/d.txt",
        "aussen.zip/innen.zip/a.txt",
        "aussen.zip/innen.zip/b.txt",
        "aussen.zip/innen.zip/c/c.txt",
        "gross.zip/a.txt",
        "gross.zip/b.txt",
        "gross.zip/c/c.txt",
    ];
    assert_eq!(paths(&a, "Quaxmoor"), expected);
    assert_eq!(a.json(&["ingest"])["unchanged"], 10, "the archives, the one inside, and their texts");

    // A new version without b: what it held is gone, the rest stays.
    let less = [
        ("a.txt", &b"Das Blatt Quaxmoor a."[..]),
        ("x.bin", &filler),
        ("y.bin", &filler),
        ("c/c.txt", b"Das Blatt Quaxmoor c."),
    ];
    a.write("gross.zip", archive(&less));
    let second = a.json(&["ingest"]);
    assert_eq!((&second["deleted"], &second["rejected"]), (&1.into(), &Value::Array(vec![])), "{second}");
    assert!(!paths(&a, "Quaxmoor").contains(&"gross.zip/b.txt".to_owned()));
}
