//! The program is killed for real, a hundred times.

use std::io::{BufRead as _, BufReader, Write as _};
use std::path::Path;
use std::process::{Command, Stdio};

use super::super::ListFilter;
use super::*;
use crate::storage::FileStorage;

/// Tells the writing process where its log lies.
const FOLDER: &str = "DOSSIER_TEST_KILLED_LOG";

fn open(folder: &Path) -> Log {
    let storage = Arc::new(FileStorage::new(folder.join("audit")).unwrap());
    let keys = Arc::new(FileStorage::new(folder.join("keys")).unwrap());
    Log::open(storage, keys, Arc::new(Timestamp::now), Provenance::default(), None).unwrap()
}

/// Appends, signs and changes keys until it is killed; says each event once it is durable.
fn write_forever(folder: &Path) -> ! {
    let mut log = open(folder);
    for n in 0.. {
        let events = (0..1 + n % 3).map(|i| (anna(), question(n + i))).collect();
        for receipt in log.append_all(events).unwrap() {
            writeln!(std::io::stdout(), "event {}", receipt.event_id).unwrap();
        }
        if n % 5 == 4 {
            log.checkpoint().unwrap();
        }
        if n % 17 == 16 {
            log.rotate_key(&anna(), "test").unwrap();
        }
    }
    unreachable!()
}

#[test]
fn a_hundred_kills_lose_no_acknowledged_event() {
    if let Some(folder) = std::env::var_os(FOLDER) {
        write_forever(Path::new(&folder));
    }
    let folder = tempfile::tempdir().unwrap();
    let first = open(folder.path()).first_verifier().clone();
    let mut acknowledged: Vec<String> = Vec::new();
    for kill in 0..100_u64 {
        let mut child = Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "log::tests::kill::a_hundred_kills_lose_no_acknowledged_event", "--nocapture"])
            .env(FOLDER, folder.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let before = acknowledged.len();
        let mut lines = BufReader::new(child.stdout.take().unwrap()).lines().map_while(Result::ok);
        let event = |line: String| line.strip_prefix("event ").map(str::to_owned);
        // Somewhere after the first few events, at any place within a write.
        let until = before + 1 + (kill as usize * 7) % 29;
        acknowledged.extend(lines.by_ref().filter_map(event).take(until - before));
        std::thread::sleep(std::time::Duration::from_micros(kill * 37 % 900));
        child.kill().unwrap();
        child.wait().unwrap();
        // The last line may be cut off; an identifier has 32 digits.
        acknowledged.extend(lines.filter_map(event).filter(|id| id.len() == 32));
        assert!(acknowledged.len() >= until, "kill {kill}: the log did not open");
    }
    let mut log = open(folder.path());
    let filter = ListFilter { kinds: vec!["question".into()], envelopes_only: true, ..Default::default() };
    let found: Vec<String> = log.list(&filter).unwrap().into_iter().map(|e| e.envelope.event_id).collect();
    let mut rest = found.iter();
    assert!(acknowledged.iter().all(|id| rest.any(|f| f == id)), "an acknowledged event is missing");
    let result = super::super::verify(&*log.files().0, &first).unwrap();
    assert!(result.ok, "{:?}", result.problems);
    assert!(result.size > 1000, "{}", result.size);
}
