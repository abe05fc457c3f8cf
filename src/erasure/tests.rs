use ingest::{ChunkOptions, Document, Kind, Record, Section};

use super::*;

fn choice() -> Choice {
    Choice {
        names: Names::new(["Hans-Peter Müller-Beispiel"]),
        documents: vec![("files".into(), "a/lebenslauf.pdf".into(), "aa".repeat(32))],
        items: vec![("files".into(), "rfi.csv".into(), "RFI-2".into())],
        account: Some(("hpmueller".into(), "pid-1".into())),
    }
}

fn folder() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    std::fs::create_dir(folder.path().join("keys")).unwrap();
    folder
}

#[test]
fn the_list_knows_again_what_was_erased_and_says_nothing_in_clear() {
    let folder = folder();
    let mut list = Erasures::open(folder.path()).unwrap();
    assert!(list.rules().is_empty() && list.pending().is_empty());
    list.add(list.drafted(&choice(), "2026-12-01T00:00:00Z")).unwrap();
    list.carried_out().unwrap();
    for file in ["keys/erased.json", "erased.json"] {
        let text = std::fs::read_to_string(folder.path().join(file)).unwrap().to_lowercase();
        for word in ["beispiel", "muller", "müller", "hans", "lebenslauf", "rfi", "hpmueller", "files"] {
            assert!(!text.contains(word), "{file} holds {word}: {text}");
        }
    }
    let rules = Erasures::open(folder.path()).unwrap().rules();
    assert!(rules.covers_path("files", "a/lebenslauf.pdf") && !rules.covers_path("files", "a/other.pdf"));
    assert!(rules.covers_bytes(&"aa".repeat(32)) && !rules.covers_bytes("bb"));
    assert!(
        rules.covers_item("files", "rfi.csv", "RFI-2") && !rules.covers_item("files", "rfi.csv", "RFI-1")
    );
    assert!(rules.covers_account("hpmueller") && !rules.covers_account("other"));
    assert!(rules.names.certain("H.-P. Beispiel") && !rules.names.certain("zum Beispiel"));
}

#[test]
fn a_restored_folder_has_erasures_to_carry_out() {
    let folder = folder();
    let path = |name: &str| folder.path().join(name);
    let mut list = Erasures::open(folder.path()).unwrap();
    list.add(list.drafted(&choice(), "2026-12-01T00:00:00Z")).unwrap();
    assert_eq!(
        Erasures::open(folder.path()).unwrap().pending().len(),
        1,
        "noted, and cut off before it was done"
    );
    list.carried_out().unwrap();
    assert!(Erasures::open(folder.path()).unwrap().pending().is_empty());
    // The data of before, the keys of now.
    let copy = std::fs::read(path("erased.json")).unwrap();
    std::fs::remove_file(path("erased.json")).unwrap();
    assert_eq!(Erasures::open(folder.path()).unwrap().pending().len(), 1);
    // The data of now, the list of keys of an earlier day with the same key.
    std::fs::write(path("erased.json"), copy).unwrap();
    let keyed: serde_json::Value =
        serde_json::from_slice(&std::fs::read(path("keys/erased.json")).unwrap()).unwrap();
    let earlier = serde_json::json!({ "key": keyed["key"], "erasures": [] });
    std::fs::write(path("keys/erased.json"), earlier.to_string()).unwrap();
    let mut list = Erasures::open(folder.path()).unwrap();
    assert_eq!(list.pending().len(), 1);
    list.carried_out().unwrap();
    assert!(Erasures::open(folder.path()).unwrap().pending().is_empty());
    std::fs::remove_file(path("keys/erased.json")).unwrap();
    assert!(matches!(Erasures::open(folder.path()), Err(ErasureError::NoKey(_))));
    std::fs::write(path("keys/erased.json"), "{").unwrap();
    assert!(matches!(Erasures::open(folder.path()), Err(ErasureError::Damaged { .. })));
}

#[test]
fn a_document_that_is_read_again_comes_without_what_was_erased() {
    let folder = folder();
    let mut list = Erasures::open(folder.path()).unwrap();
    list.add(list.drafted(&choice(), "2026-12-01T00:00:00Z")).unwrap();
    let rules = list.rules();
    let mut document = Document::new(Kind::Rfi, "Fragen von Hans-Peter Müller-Beispiel");
    document.metadata.insert("author".into(), "H.-P. Beispiel".into());
    let record = |number: &str, author: &str| Record {
        number: number.into(),
        subject: "Dach".into(),
        author: author.into(),
        ..Record::default()
    };
    document.records = vec![record("RFI-1", "Müller-Beispiel, Hans-Peter"), record("RFI-2", "Meier")];
    let text = "Anwesend: Hans-Peter Beispiel, Anna Meier.".to_owned();
    document.sections = vec![Section { heading: "Sitzung".into(), text, line: 1, ..Section::default() }];
    let mut chunks = ingest::chunk(&document, &ChunkOptions::default());
    assert!(rules.clean("files", "rfi.csv", &mut document, &mut chunks).unwrap());
    assert_eq!(document.records.len(), 1);
    assert_eq!(document.records[0].author, MARK);
    assert_eq!(document.sections[0].text, "Anwesend: […], Anna Meier.");
    let all = format!("{document:?} {chunks:?}");
    assert!(!all.contains("Beispiel") && !all.contains("RFI-2"), "{all}");
    assert!(all.contains("Anna Meier"));
    let before = document.clone();
    assert!(
        !rules.clean("files", "rfi.csv", &mut document, &mut chunks).unwrap(),
        "nothing is left to take out"
    );
    assert_eq!(document, before);
}
