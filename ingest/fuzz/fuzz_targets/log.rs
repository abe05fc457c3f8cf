//! A whole log whose files were changed: both verifiers read it, and find the same to be whole or not; the
//! writer opens it or says why not.
#![no_main]

#[path = "../../../compliance/src/bin/dossier-verify/check.rs"]
#[allow(dead_code, reason = "its report's fields are shown by its own program")]
mod check;
#[path = "../../../compliance/src/bin/dossier-verify/cosignature.rs"]
mod cosignature;
#[path = "../../../compliance/src/bin/dossier-verify/folder.rs"]
mod folder;
#[path = "../../../compliance/src/bin/dossier-verify/keys.rs"]
mod keys;
#[path = "../../../compliance/src/bin/dossier-verify/merkle.rs"]
mod merkle;
#[path = "../../../compliance/src/bin/dossier-verify/note.rs"]
mod note;

use std::path::Path;
use std::sync::{Arc, LazyLock};

use compliance::event::{Actor, Event};
use compliance::log::{ListFilter, Log, Provenance, Verifier, verify};
use compliance::storage::{MemoryStorage, PowerSwitch, Storage};
use ingest_fuzz::packages::parts;

/// A log of two bundles and a tail, its keys, and its public key.
struct Written {
    files: Vec<(String, Vec<u8>)>,
    keys: Vec<(String, Vec<u8>)>,
    vkey: String,
}

static WRITTEN: LazyLock<Written> = LazyLock::new(|| {
    let (files, keys) = (Arc::new(MemoryStorage::default()), Arc::new(MemoryStorage::default()));
    let mut log = open(files.clone(), keys.clone()).expect("a new log opens");
    let events = |n| vec![(Actor::system(), Event::ServerStop); n];
    log.append_all(events(5)).expect("events are taken");
    log.checkpoint().expect("a checkpoint is made");
    log.append_all(events(255)).expect("events are taken");
    log.checkpoint().expect("a checkpoint is made");
    log.append_all(events(3)).expect("events are taken");
    Written { files: all(&*files), keys: all(&*keys), vkey: log.verifier().to_vkey() }
});

fn open(files: Arc<dyn Storage>, keys: Arc<dyn Storage>) -> Result<Log, compliance::log::LogError> {
    let clock = Arc::new(|| jiff::Timestamp::from_second(1_800_000_000).unwrap_or_default());
    Log::open(files, keys, clock, Provenance::default(), None)
}

fn all(storage: &dyn Storage) -> Vec<(String, Vec<u8>)> {
    let paths = storage.list("").expect("memory can be listed");
    paths.into_iter().map(|p| (p.clone(), storage.read(&p).ok().flatten().unwrap_or_default())).collect()
}

fn filled(files: &[(String, Vec<u8>)]) -> Arc<MemoryStorage> {
    let storage = Arc::new(MemoryStorage::new(PowerSwitch::default()));
    for (path, bytes) in files {
        storage.replace(path, bytes).expect("memory can be written");
    }
    storage
}

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let mut files = WRITTEN.files.clone();
    changed(&mut files, bytes);
    let verifier = Verifier::from_vkey(&WRITTEN.vkey).expect("the key is one");
    let storage = filled(&files);
    let found = verify(&*storage, &verifier).expect("memory can be read");
    let whole = files == WRITTEN.files;
    if whole {
        assert!(found.ok, "{:?}", found.problems);
    }
    let folder = tempfile::tempdir().expect("a folder can be made");
    if written_out(folder.path(), &files) {
        let key = note::PublicKey::parse(&WRITTEN.vkey).expect("the key is one");
        let other = check::check(folder.path(), &key).expect("a folder can be read");
        assert_eq!(other.problems.is_empty(), found.ok, "{:?} against {:?}", other.problems, found.problems);
    }
    if let Ok(mut log) = open(storage, filled(&WRITTEN.keys)) {
        let _ = log.list(&ListFilter::default());
    }
});

/// Four bytes say which file, where and what; parts at the end (`@@ NAME`) are new files.
fn changed(files: &mut Vec<(String, Vec<u8>)>, bytes: &[u8]) {
    let mark = bytes.windows(3).position(|w| w == b"@@ ").unwrap_or(bytes.len());
    let (edits, new) = bytes.split_at(mark);
    for edit in edits.as_chunks::<5>().0.iter().take(8) {
        let [which, sort, high, low, byte] = *edit;
        let count = files.len().max(1);
        let Some((_, content)) = files.get_mut(usize::from(which) % count) else { continue };
        let at = usize::from(u16::from_be_bytes([high, low])).checked_rem(content.len()).unwrap_or(0);
        match sort % 6 {
            0 => content.truncate(at),
            1 => content.insert(at, byte),
            2 if !content.is_empty() => drop(content.remove(at)),
            3 => content.push(byte),
            4 => content.extend_from_within(at..),
            _ => content.iter_mut().skip(at).take(1).for_each(|b| *b = byte),
        }
    }
    for (name, body) in parts(new) {
        files.retain(|(path, _)| *path != name);
        files.push((name, body.to_vec()));
    }
}

/// Writes the files below a folder; false where a path is none of a folder.
fn written_out(folder: &Path, files: &[(String, Vec<u8>)]) -> bool {
    files.iter().all(|(name, bytes)| {
        let plain = |part: &str| {
            !part.is_empty()
                && part.len() < 40
                && part != "."
                && part != ".."
                && part.bytes().all(|b| b.is_ascii_alphanumeric() || matches!(b, b'.' | b'_' | b'-'))
        };
        let path = folder.join(name);
        name.split('/').all(plain)
            && path.parent().is_some_and(|p| std::fs::create_dir_all(p).is_ok())
            && std::fs::write(&path, bytes).is_ok()
    })
}
