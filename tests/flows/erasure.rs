//! A person, documents and records are erased: from every store, down to the bytes of every file of the data folder,
//! for every later night and after a restored backup.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::support::{Appliance, model, person};

fn seeded() -> Appliance {
    let a = Appliance::new();
    person::write(&a);
    a.json(&["ingest"]);
    a
}

/// Every file of the data folder but the models that holds one of these texts, in UTF-8 or UTF-16.
fn files_with(data: &Path, texts: &[&str]) -> BTreeSet<PathBuf> {
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>();
    let bytes = |bytes: Vec<u8>| bytes.iter().map(|b| format!("\\x{b:02x}")).collect::<String>();
    let wanted: Vec<String> =
        texts.iter().flat_map(|t| [bytes(t.as_bytes().to_vec()), bytes(utf16(t))]).collect();
    let wanted = regex::bytes::Regex::new(&format!("(?-u){}", wanted.join("|"))).unwrap();
    let mut found = BTreeSet::new();
    for file in walkdir::WalkDir::new(data).into_iter().map(Result::unwrap) {
        let path = file.path().strip_prefix(data).unwrap();
        let looked = file.file_type().is_file() && !path.starts_with("models");
        if looked && wanted.is_match(&fs::read(file.path()).unwrap()) {
            found.insert(path.to_owned());
        }
    }
    found
}

fn access(a: &Appliance, name: &str) -> Value {
    let file = a.files().join("../auskunft.json");
    a.json(&["privacy", "access", "--person", name, "-o", file.to_str().unwrap()]);
    serde_json::from_slice(&fs::read(&file).unwrap()).unwrap()
}

/// Paths that name the person: certainly, and by a family name alone.
fn named(a: &Appliance) -> (BTreeSet<String>, BTreeSet<String>) {
    let found = access(a, person::NAME);
    let (mut certain, mut possible) = (BTreeSet::new(), BTreeSet::new());
    for document in found["found"]["documents"].as_array().unwrap() {
        let is_certain = document["places"].as_array().unwrap().iter().any(|p| p["certain"] == true);
        let path = document["path"].as_str().unwrap().to_owned();
        if is_certain { &mut certain } else { &mut possible }.insert(path);
    }
    (certain, possible)
}

/// Looks first, then does exactly that.
fn erase(a: &Appliance, arguments: &[&str]) -> Value {
    let command = [&["privacy", "erase", "--basis", "Fall 1"], arguments].concat();
    let plan = a.json(&command);
    let code = plan["confirm"].as_str().unwrap().to_owned();
    a.json(&[&command[..], &["--confirm", &code]].concat())
}

fn finds(a: &Appliance, text: &str) -> bool {
    !a.json(&["search", &format!("\"{text}\"")])["hits"].as_array().unwrap().is_empty()
}

#[test]
fn a_person_is_found_in_every_format_and_spelling() {
    let a = seeded();
    let (certain, possible) = person::files();
    let paths = |files: Vec<(&str, Vec<u8>)>| {
        files.into_iter().map(|(path, _)| path.to_owned()).collect::<BTreeSet<_>>()
    };
    assert_eq!(named(&a), (paths(certain), paths(possible)), "all of them and nobody else");
}

#[test]
fn names_are_taken_out_of_every_store_and_stay_out() {
    let a = seeded();
    a.json(&["search", "Wer ist Hans-Peter Müller-Beispiel?"]);
    let names =
        ["Müller-Beispiel", "Mueller-Beispiel", "MÜLLER-BEISPIEL", "Beispiel, Hans-Peter", "H.-P. Beispiel"];
    // The control: the raw bytes are there before.
    assert!(
        files_with(&a.data(), &names)
            .iter()
            .any(|f| f.starts_with("catalog.sqlite") || f.ends_with("catalog.sqlite-wal"))
    );
    // Nothing happens before it was looked at, and another code does nothing.
    let wish = ["privacy", "erase", "--basis", "Fall 1", "--person", person::NAME];
    let plan = a.json(&wish);
    assert_eq!(plan["named_by_path"], serde_json::json!(["files/Offerte_HansPeter-Mueller.txt"]));
    assert_eq!(plan["possible"].as_array().unwrap().len(), 3);
    assert_eq!(a.run(&[&wish[..], &["--confirm", "000000"]].concat()).0, 1);
    assert_eq!(named(&a).0.len(), 13);
    let done = erase(&a, &["--person", person::NAME, "--document", "files/Offerte_HansPeter-Mueller.txt"]);
    assert_eq!(done["proof"]["found"], serde_json::json!([]), "{done:#}");
    assert_eq!(done["documents_left"], serde_json::json!([]));
    assert_eq!(done["log"]["events"].as_array().unwrap().len(), 1);
    let (certain, possible) = named(&a);
    assert_eq!(
        (certain.len(), possible.len()),
        (0, 4),
        "the family name alone stays, and the firm Beispiel AG: {certain:?} {possible:?}"
    );
    // What is left of the firm's name in the three others, and in the list of requests of nobody, is theirs.
    let left = files_with(&a.data(), &["Hans-Peter", "H.-P. Beispiel", "hans-peter.mueller", "hp.mueller@"]);
    assert_eq!(left, BTreeSet::new());
    // The rest of each document stays, with its vectors and words.
    assert!(finds(&a, "Bauleitung") && finds(&a, "Kanarienvogel1"));
    assert_eq!(a.json(&["search", "Hans-Peter"])["hits"].as_array().unwrap().len(), 0);
    // The log tells, and is whole.
    assert_eq!(a.json(&["audit", "list", "--kind", "erasure", "--count"])["count"], 1);
    assert!(a.json(&["audit", "verify"])["ok"].as_bool().unwrap());
    // The next nights: a full reading of changed files brings no name back, and the erased file is not read.
    a.write("vertrag.docx", person::files().0.remove(1).1);
    let touched = fs::read(a.files().join("liste.csv")).unwrap();
    a.write("liste.csv", [&touched[..], b"Neu;Hans-Peter M\xc3\xbcller-Beispiel kam wieder\n"].concat());
    let run = a.json(&["ingest"]);
    assert_eq!(run["erased"], 1, "{run:#}");
    assert!(finds(&a, "kam wieder"));
    assert_eq!(named(&a).0, BTreeSet::new());
    // Its bytes under another name are the same document.
    fs::copy(a.files().join("Offerte_HansPeter-Mueller.txt"), a.files().join("Offerte.txt")).unwrap();
    assert_eq!(a.json(&["ingest"])["erased"], 2);
    assert!(!finds(&a, "Offerte ohne Namen"));
}

#[test]
fn documents_and_records_go_from_words_vectors_pictures_and_free_space() {
    let a = Appliance::new();
    a.json(&["model", "import", model("e5-small-q4.bin").to_str().unwrap()]);
    let (files, _) = person::files();
    for (name, bytes) in
        files.into_iter().filter(|(name, _)| ["abnahme.pdf", "vertrag.docx", "rfi.csv"].contains(name))
    {
        a.write(name, bytes);
    }
    a.write("bericht2.txt", format!("{}\n", person::canary(21)));
    a.json(&["ingest"]);
    // An older version of a file leaves bytes in free space; a drawn page lies in its cache.
    a.write("bericht2.txt", format!("{}\n", person::canary(22)));
    a.json(&["ingest"]);
    let sha256 = hex::encode(Sha256::digest(fs::read(a.files().join("abnahme.pdf")).unwrap()));
    let version = format!("{sha256}-r{}", ingest::READER_VERSION);
    let page = a.data().join("cache/pages").join(&version).join("1.png");
    fs::create_dir_all(page.parent().unwrap()).unwrap();
    fs::write(&page, b"drawn").unwrap();
    let gone: Vec<String> = [1, 2, 7, 21, 22].map(person::canary).into();
    let texts: Vec<&str> = gone.iter().map(String::as_str).collect();
    assert!(!files_with(&a.data(), &texts).is_empty());
    let documents = [
        "--document",
        "files/abnahme.pdf",
        "--document",
        "files/vertrag.docx",
        "--document",
        "files/bericht2.txt",
    ];
    let done = erase(&a, &[&documents[..], &["--item", "files/rfi.csv#RFI-2"]].concat());
    assert_eq!(done["proof"]["found"], serde_json::json!([]), "{done:#}");
    assert!(done["proof"]["strings"].as_u64().unwrap() >= 4, "{done:#}");
    assert_eq!(files_with(&a.data(), &texts), BTreeSet::new());
    assert!(!page.exists());
    assert!(!finds(&a, "Kanarienvogel1") && finds(&a, "Zwei Meter"), "the rest of the register stays");
    // The next night reads neither, says so, and a changed register comes without the record.
    let register = String::from_utf8(fs::read(a.files().join("rfi.csv")).unwrap()).unwrap();
    a.write("rfi.csv", format!("{register}RFI-4;Tor;Breite?;Drei Meter.;offen;Anna Meier\n"));
    let run = a.json(&["ingest"]);
    assert_eq!((&run["erased"], &run["modified"]), (&3.into(), &1.into()), "{run:#}");
    assert!(finds(&a, "Drei Meter") && !finds(&a, "Kanarienvogel7"));
    assert_eq!(files_with(&a.data(), &texts), BTreeSet::new());
    assert_eq!(a.json(&["ingest"])["repaired"], 0, "catalog and both indexes hold the same");
}

#[test]
fn a_restored_backup_is_erased_again_at_the_first_start() {
    let a = seeded();
    a.json(&["user", "add", "hpmueller"]);
    a.json(&["search", "--as", "hpmueller", "Wer hat den Kran bestellt?"]);
    let backup = a.data().with_file_name("backup");
    copy(&a.data(), &backup);
    let documents = ["--document", "files/abnahme.pdf", "--document", "files/Offerte_HansPeter-Mueller.txt"];
    erase(&a, &[&["--person", person::NAME, "--user", "hpmueller"], &documents[..]].concat());
    let texts = [person::canary(1)];
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    // The data of before the erasure, the keys of now: as the manual says a backup is restored.
    let keys = a.data().with_file_name("keys");
    copy(&a.data().join("keys"), &keys);
    fs::remove_dir_all(a.data()).unwrap();
    copy(&backup, &a.data());
    fs::remove_dir_all(a.data().join("keys")).unwrap();
    copy(&keys, &a.data().join("keys"));
    assert!(!files_with(&a.data(), &texts).is_empty(), "the backup holds it");
    assert!(!finds(&a, "Kanarienvogel1"), "the first start erases before it answers");
    assert_eq!(files_with(&a.data(), &texts), BTreeSet::new());
    assert_eq!(named(&a).0, BTreeSet::new());
    assert!(!a.json(&["user", "list"]).to_string().contains("hpmueller"));
    // The log of the backup is older than the erasure: the one event in it is that of the second time. What it says is
    // sealed; its envelope says that nothing was found afterwards.
    let told = a.json(&["audit", "list", "--kind", "erasure"]);
    assert_eq!(told["events"][0]["envelope"]["outcome"], "ok", "{told:#}");
    assert!(a.json(&["audit", "verify"])["ok"].as_bool().unwrap());
    assert_eq!(a.json(&["audit", "list", "--kind", "erasure", "--count"])["count"], 1, "once");
}

fn copy(from: &Path, to: &Path) {
    for file in walkdir::WalkDir::new(from).into_iter().map(Result::unwrap) {
        let target = to.join(file.path().strip_prefix(from).unwrap());
        if file.file_type().is_dir() {
            fs::create_dir_all(target).unwrap();
        } else if file.file_type().is_file() {
            fs::copy(file.path(), target).unwrap();
        }
    }
}
