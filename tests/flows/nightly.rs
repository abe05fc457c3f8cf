//! What a night does: new, changed, moved, deleted, untouched and unreadable files, mails with
//! attachments, and a file server that is not there.

use std::{
    fs,
    io::{BufRead, BufReader},
    process::Stdio,
};

use serde_json::Value;

use crate::support::Appliance;

/// `added modified moved deleted unchanged rejected`.
fn counts(summary: &Value) -> [u64; 6] {
    let number = |name: &str| summary[name].as_u64().unwrap_or_else(|| panic!("no `{name}` in {summary}"));
    let rejected = summary["rejected"].as_array().unwrap().len() as u64;
    [number("added"), number("modified"), number("moved"), number("deleted"), number("unchanged"), rejected]
}

fn night(appliance: &Appliance) -> [u64; 6] {
    let summary = appliance.json(&["ingest"]);
    counts(&summary)
}

/// Ids of the documents in which a word is found.
fn found(appliance: &Appliance, word: &str) -> Vec<i64> {
    let result = appliance.json(&["search", word, "--limit", "50"]);
    let hits = result["hits"].as_array().unwrap_or_else(|| panic!("no hits in {result}"));
    let mut documents: Vec<i64> = hits.iter().map(|hit| hit["document"].as_i64().unwrap()).collect();
    documents.dedup();
    documents
}

/// How many events of a kind the audit log has.
fn logged(appliance: &Appliance, kind: &str) -> usize {
    let (code, output) = appliance.run(&["audit", "list", "--kind", kind, "--count"]);
    assert_eq!(code, 0, "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().parse().unwrap()
}

fn mail(subject: &str, body: &str, attachments: &[(&str, &str)]) -> String {
    let mut mail = format!(
        "From: Bauleitung <bauleitung@beispiel.example>\r\nTo: Planer <planer@beispiel.example>\r\n\
         Subject: {subject}\r\nDate: Mon, 2 Nov 2026 08:15:00 +0100\r\nMessage-ID: <1@beispiel.example>\r\n\
         MIME-Version: 1.0\r\nContent-Type: multipart/mixed; boundary=\"grenze\"\r\n\r\n\
         --grenze\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    );
    for (name, text) in attachments {
        mail.push_str(&format!(
            "--grenze\r\nContent-Type: application/octet-stream; name=\"{name}\"\r\n\
             Content-Disposition: attachment; filename=\"{name}\"\r\n\r\n{text}\r\n"
        ));
    }
    mail.push_str("--grenze--\r\n");
    mail
}

#[test]
fn a_night_says_what_it_did_and_the_next_one_finds_nothing_to_do() {
    let a = Appliance::new();
    a.write("plan/wand.txt", "Die Aussenwand Quaxmoor hat einen U-Wert von 0.15 W/(m2K).");
    a.write("plan/dach.txt", "Das Dach Brelltu hat einen U-Wert von 0.12 W/(m2K).");
    a.write("notiz.txt", "Die Notiz Wolknar ist kurz.");
    a.write("liste.txt", "Die Liste Fennsig bleibt.");
    a.write("kaputt.pdf", "%PDF-1.7 und dann nichts mehr");
    a.write("~$wand.xlsx", "lock file of an office program");
    assert_eq!(night(&a), [4, 0, 0, 0, 0, 1]);
    assert_eq!(night(&a), [0, 0, 0, 0, 4, 1], "same bytes, and the rejected file is listed again");
    let wall = found(&a, "Quaxmoor");
    assert_eq!(wall.len(), 1);

    a.write("plan/dach.txt", "Das Dach Zornbel hat einen U-Wert von 0.11 W/(m2K).");
    fs::create_dir(a.files().join("archiv")).unwrap();
    fs::rename(a.files().join("plan/wand.txt"), a.files().join("archiv/aussenwand.txt")).unwrap();
    fs::remove_file(a.files().join("notiz.txt")).unwrap();
    a.write("neu.txt", "Das neue Blatt Irrwopp ist da.");
    a.write("liste.txt", "Die Liste Fennsig bleibt."); // written again, same bytes
    let planned = a.json(&["ingest", "--dry-run"]);
    assert_eq!(counts(&planned), [1, 1, 1, 1, 1, 1]);
    assert_eq!(found(&a, "Brelltu").len(), 1, "a dry run changes nothing");
    assert_eq!(night(&a), [1, 1, 1, 1, 1, 1]);

    assert_eq!(found(&a, "Quaxmoor"), wall, "a moved document keeps its id");
    assert_eq!((found(&a, "Brelltu").len(), found(&a, "Zornbel").len()), (0, 1));
    assert_eq!((found(&a, "Wolknar").len(), found(&a, "Irrwopp").len()), (0, 1));
    assert_eq!((logged(&a, "ingest"), logged(&a, "delete"), logged(&a, "ingest_run")), (6, 1, 3));
    assert_eq!(a.json(&["audit", "verify"])["ok"], true);
}

#[test]
fn a_file_that_cannot_be_read_is_listed_with_its_reason_until_it_is_mended() {
    let a = Appliance::new();
    let damaged = "%PDF-1.7 und dann nichts mehr";
    a.write("gut.txt", "Das gute Blatt Quaxmoor.");
    a.write("raum.csv", damaged);
    a.write("modell.xyz", [0, 159, 146, 150, 255, 0, 1, 2]);
    let (code, _) = a.run(&["ingest"]);
    assert_eq!(code, 3, "done, with rejected files");
    let summary = a.json(&["ingest"]);
    let rejected: Vec<(&str, &str)> = summary["rejected"]
        .as_array()
        .unwrap()
        .iter()
        .map(|r| (r["path"].as_str().unwrap(), r["reason"].as_str().unwrap()))
        .collect();
    assert_eq!(rejected.iter().map(|r| r.0).collect::<Vec<_>>(), ["modell.xyz", "raum.csv"]);
    assert!(rejected.iter().all(|r| r.1.len() > 20), "{rejected:?}");

    a.write("raum.csv", "Raum;Element\n0.01;Brelltu\n0.02;Wolknar\n");
    fs::remove_file(a.files().join("modell.xyz")).unwrap();
    assert_eq!(night(&a), [1, 0, 0, 0, 1, 0]);
    assert_eq!(found(&a, "Brelltu").len(), 1);
    a.write("raum.csv", damaged);
    assert_eq!(night(&a), [0, 0, 0, 0, 1, 1]);
    assert_eq!(found(&a, "Brelltu").len(), 1, "what was readable stays findable as it was");
}

#[test]
fn a_file_server_that_is_not_there_deletes_nothing() {
    let a = Appliance::new();
    a.write("wand.txt", "Die Aussenwand Quaxmoor.");
    a.write("dach.txt", "Das Dach Brelltu.");
    assert_eq!(night(&a), [2, 0, 0, 0, 0, 0]);
    let away = a.data().join("away");
    fs::rename(a.files(), &away).unwrap();
    let check = |what: &str| {
        let (code, _) = a.run(&["ingest"]);
        assert_eq!(code, 3, "{what}");
        let summary = a.json(&["ingest"]);
        assert_eq!(counts(&summary), [0, 0, 0, 0, 0, 0], "{what}");
        assert!(summary["sources"][0]["error"].as_str().is_some_and(|e| e.contains("files")), "{summary}");
        assert_eq!((found(&a, "Quaxmoor").len(), found(&a, "Brelltu").len()), (1, 1), "{what}");
    };
    check("folder missing");
    fs::create_dir(a.files()).unwrap();
    check("mount point empty");
    fs::remove_dir(a.files()).unwrap();
    fs::rename(&away, a.files()).unwrap();
    assert_eq!(night(&a), [0, 0, 0, 0, 2, 0]);
    fs::remove_file(a.files().join("dach.txt")).unwrap();
    assert_eq!(night(&a), [0, 0, 0, 1, 1, 0], "one of several may go");
    assert_eq!(found(&a, "Brelltu").len(), 0);
}

#[test]
fn a_rejected_attachment_stays_listed_when_its_mail_is_only_touched() {
    let a = Appliance::new();
    let letter =
        mail("Unterlagen", "Guten Tag, anbei.", &[("plan.txt", "Der Plan."), ("x.pdf", "%PDF-1.7 ende")]);
    a.write("post/m.eml", &letter);
    assert_eq!(night(&a), [2, 0, 0, 0, 0, 1]);
    assert_eq!(night(&a), [0, 0, 0, 0, 2, 1]);
    a.write("post/m.eml", &letter);
    assert_eq!(night(&a), [0, 0, 0, 0, 2, 1], "the bytes are the same");
    assert_eq!(night(&a), [0, 0, 0, 0, 2, 1]);
    a.write("post/m.eml", mail("Unterlagen", "Guten Tag, anbei.", &[("plan.txt", "Der Plan.")]));
    assert_eq!(night(&a), [0, 1, 0, 0, 1, 0], "it is gone, and with it its rejection");
}

#[test]
fn attachments_are_documents_that_come_and_go_with_their_mail() {
    let a = Appliance::new();
    let plan = "Der Plan Quaxmoor zeigt die Fassade Nord im Massstab 1:50.";
    let note = "Die Beilage Brelltu nennt die Termine der Abnahme.";
    let body = "Guten Tag, im Anhang finden Sie die Unterlagen Wolknar zur Fassade.";
    a.write("post/m.eml", mail("Unterlagen", body, &[("plan.txt", plan), ("beilage.txt", note)]));
    assert_eq!(night(&a), [3, 0, 0, 0, 0, 0]);
    let (attached, letter) = (found(&a, "Quaxmoor"), found(&a, "Wolknar"));
    assert_eq!((attached.len(), letter.len()), (1, 1));
    assert_ne!(attached, letter);
    assert_eq!(night(&a), [0, 0, 0, 0, 3, 0]);

    a.write("post/m.eml", mail("Unterlagen", "Guten Tag, anbei Zornbel.", &[("plan.txt", plan)]));
    assert_eq!(night(&a), [0, 1, 0, 1, 1, 0], "mail changed, one attachment gone, one as before");
    assert_eq!(found(&a, "Quaxmoor"), attached);
    assert_eq!((found(&a, "Brelltu").len(), found(&a, "Zornbel")), (0, letter));

    fs::remove_file(a.files().join("post/m.eml")).unwrap();
    a.write("bleibt.txt", "Dieses Blatt bleibt.");
    assert_eq!(night(&a), [1, 0, 0, 2, 0, 0]);
    assert_eq!((found(&a, "Quaxmoor").len(), found(&a, "Zornbel").len()), (0, 0));
    assert_eq!(logged(&a, "delete"), 3);
}

#[test]
fn files_belong_where_the_first_rule_for_their_path_says() {
    let a = Appliance::new();
    let mut config = fs::read_to_string(a.data().join("dossier.toml")).unwrap();
    config.push_str("[[source.rule]]\npaths = [\"4210-*/**\"]\nproject = \"Werkhof\"\n");
    fs::write(a.data().join("dossier.toml"), config).unwrap();
    a.write("plan.txt", "Der Plan Quaxmoor gehört zur Quelle.");
    a.write("4210-Werkhof/plan.txt", "Der Plan Brelltu gehört zum Werkhof.");
    let summary = a.json(&["ingest"]);
    assert_eq!(counts(&summary), [2, 0, 0, 0, 0, 0]);
    let projects = |summary: &Value| -> Vec<(String, u64, u64)> {
        let of = |p: &Value, key: &str| p[key].as_u64().unwrap();
        let list = summary["projects"].as_array().unwrap();
        list.iter()
            .map(|p| (p["name"].as_str().unwrap().to_owned(), of(p, "added"), of(p, "modified")))
            .collect()
    };
    assert_eq!(projects(&summary), [("Rosenmatt".into(), 1, 0), ("Werkhof".into(), 1, 0)]);
    let project = |word: &str| {
        let hits = a.json(&["search", word])["hits"].clone();
        hits[0]["project"].as_str().map(str::to_owned)
    };
    assert_eq!(project("Brelltu").as_deref(), Some("Werkhof"));

    let before = found(&a, "Brelltu");
    fs::rename(a.files().join("4210-Werkhof/plan.txt"), a.files().join("werkhof.txt")).unwrap();
    let summary = a.json(&["ingest"]);
    assert_eq!(counts(&summary), [0, 1, 0, 0, 1, 0], "it moved to where other rights hold");
    assert_eq!(project("Brelltu").as_deref(), Some("Rosenmatt"));
    assert_eq!(found(&a, "Brelltu"), before, "and is the same document");
    assert_eq!(night(&a), [0, 0, 0, 0, 2, 0]);
}

#[test]
fn the_report_of_a_run_says_what_it_did_and_asks_the_indexes_for_what_is_gone() {
    let a = Appliance::new();
    a.write("bleibt.txt", "Das Blatt Quaxmoor bleibt.");
    a.write("geht.txt", "Das Blatt Brelltu geht.");
    a.json(&["ingest"]);
    fs::remove_file(a.files().join("geht.txt")).unwrap();
    let summary = a.json(&["ingest"]);
    let proof = &summary["deletion"];
    assert_eq!((proof["documents"].as_u64(), proof["chunks"].as_u64()), (Some(1), Some(1)));
    assert_eq!(proof["found_in_words"].as_u64(), Some(0));
    assert!(proof["found_in_vectors"].is_null(), "there is no embedding model here");

    let report = a.json(&["ingest", "--report", "0"]);
    assert_eq!(report["state"], "done");
    assert_eq!(report["summary"]["deletion"], *proof);
    let first = a.json(&["ingest", "--report", "1"]);
    assert_eq!(first["summary"]["added"], 2);
    let bytes = "Das Blatt Quaxmoor bleibt.".len() + "Das Blatt Brelltu geht.".len();
    assert_eq!(first["summary"]["bytes"].as_u64(), Some(bytes as u64));
    let stages: Vec<&str> = first["summary"]["stages"]
        .as_array()
        .unwrap()
        .iter()
        .map(|stage| stage["stage"].as_str().unwrap())
        .collect();
    for stage in ["scan", "read", "stage", "index", "commit"] {
        assert!(stages.contains(&stage), "{stage} is not in {stages:?}");
    }
    let catalog = rusqlite::Connection::open(a.data().join("catalog.sqlite")).unwrap();
    catalog.execute("UPDATE runs SET state = 'interrupted', summary = NULL WHERE id = 1", []).unwrap();
    drop(catalog);
    let (code, output) = a.run(&["ingest", "--report", "1"]);
    assert_eq!(code, 0, "a run that was cut off has a report, too: {output:?}");
    let (code, output) = a.run(&["ingest", "--report", "99"]);
    assert_eq!(code, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("there is no run 99"));
}

#[test]
fn a_run_stops_before_the_disk_is_full() {
    let a = Appliance::new();
    let config = fs::read_to_string(a.data().join("dossier.toml")).unwrap();
    let needed = 1_u64 << 30;
    fs::write(a.data().join("dossier.toml"), format!("[ingest]\nmin_free_mb = {needed}\n{config}")).unwrap();
    a.write("plan.txt", "Der Plan Quaxmoor.");
    let (code, output) = a.run(&["ingest"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code, 1, "{said}");
    assert!(said.contains("min_free_mb") && said.contains("MiB are free"), "{said}");
    assert!(found(&a, "Quaxmoor").is_empty());
    fs::write(a.data().join("dossier.toml"), config).unwrap();
    assert_eq!(night(&a), [1, 0, 0, 0, 0, 0], "with room, the next run does it");
}

#[test]
fn a_word_to_a_run_that_is_not_there_is_refused() {
    let a = Appliance::new();
    for word in ["--pause", "--resume", "--stop"] {
        let (code, output) = a.run(&["ingest", word]);
        assert_eq!(code, 1, "{word}");
        assert!(String::from_utf8_lossy(&output.stderr).contains("no run is"), "{word}");
    }
    assert_eq!(a.run(&["ingest", "--pause", "--stop"]).0, 2);
}

#[test]
fn a_watched_folder_is_read_again_once_it_is_quiet() {
    let a = Appliance::new();
    let config = fs::read_to_string(a.data().join("dossier.toml")).unwrap();
    fs::write(a.data().join("dossier.toml"), format!("[ingest]\nwatch_seconds = 1\n{config}")).unwrap();
    a.write("alt.txt", "Das Blatt Quaxmoor ist alt.");
    let mut watch = a.command(&["--json", "ingest", "--watch"]);
    let mut child = watch.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
    let mut runs = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || counts(&serde_json::from_str(&runs.next().unwrap().unwrap()).unwrap());
    assert_eq!(next(), [1, 0, 0, 0, 0, 0]);
    a.write("neu.txt", "Das Blatt Brelltu ist neu.");
    assert_eq!(next(), [1, 0, 0, 0, 1, 0]);
    fs::remove_file(a.files().join("alt.txt")).unwrap();
    assert_eq!(next(), [0, 0, 0, 1, 1, 0]);
    child.kill().unwrap();
    child.wait().unwrap();
    assert_eq!((found(&a, "Quaxmoor").len(), found(&a, "Brelltu").len()), (0, 1));
}

#[test]
fn files_that_vanish_during_a_run_are_named_and_no_fault() {
    let a = Appliance::new();
    for n in 100..400 {
        a.write(&format!("{n}.txt"), format!("Das Blatt Quaxmoor {n}."));
    }
    let (child, mut steps) = run_beside(&a);
    assert!(steps.any(|step| is_step(&step, "read")));
    assert_eq!(a.run(&["ingest", "--pause"]).0, 0);
    assert!(steps.any(|step| is_step(&step, "paused")));
    fs::remove_file(a.files().join("398.txt")).unwrap();
    fs::rename(a.files().join("399.txt"), a.files().join("z.txt")).unwrap();
    assert_eq!(a.run(&["ingest", "--resume"]).0, 0);
    assert!(steps.any(|step| is_step(&step, "done")));
    let end = child.wait_with_output().unwrap();
    let summary: Value = serde_json::from_slice(&end.stdout).unwrap();
    assert_eq!((end.status.code(), counts(&summary)), (Some(0), [298, 0, 0, 0, 0, 0]));
    assert_eq!(summary["sources"][0]["vanished_files"], serde_json::json!(["398.txt", "399.txt"]));
    let (_, report) = a.run(&["ingest", "--report", "0"]);
    assert!(String::from_utf8_lossy(&report.stdout).contains("2 files were deleted or moved during the run"));
    assert_eq!(night(&a), [1, 0, 0, 0, 298, 0]);
}

/// A server over the appliance's folder, killed at the end.
struct Server(std::process::Child);

impl Server {
    fn start(a: &Appliance) -> Server {
        let mut command = a.command(&["--json", "serve", "--bind", "127.0.0.1:0"]);
        let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        assert!(line.contains("address"), "{line}");
        Server(child)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A run through the server: its steps as they come, and its end.
fn run_beside(a: &Appliance) -> (std::process::Child, impl Iterator<Item = Value> + use<>) {
    let mut command = a.command(&["--json", "ingest"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    (child, lines.filter_map(|line| serde_json::from_str(&line.unwrap()).ok()))
}

fn is_step(step: &Value, name: &str) -> bool {
    step["step"] == name
}

#[test]
fn a_run_can_be_held_let_go_and_stopped() {
    let a = Appliance::new();
    let _server = Server::start(&a);
    held_let_go_and_stopped(&a);
}

#[test]
fn a_run_without_a_server_can_be_held_let_go_and_stopped() {
    held_let_go_and_stopped(&Appliance::new());
}

fn held_let_go_and_stopped(a: &Appliance) {
    const FILES: u64 = 400;
    for n in 0..FILES {
        a.write(&format!("{n}.txt"), format!("Das Blatt Quaxmoor {n}."));
    }
    let (child, mut steps) = run_beside(a);
    assert!(steps.any(|step| is_step(&step, "read")));
    assert_eq!(a.run(&["ingest", "--pause"]).0, 0);
    assert!(steps.any(|step| is_step(&step, "paused")), "it says that it is paused");
    assert_eq!(a.run(&["ingest", "--resume"]).0, 0);
    assert!(steps.any(|step| is_step(&step, "done")));
    let summary: Value = serde_json::from_slice(&child.wait_with_output().unwrap().stdout).unwrap();
    assert_eq!(counts(&summary), [FILES, 0, 0, 0, 0, 0]);
    assert_eq!(a.run(&["ingest", "--resume"]).0, 1, "nothing is paused any more");

    for n in 0..FILES {
        a.write(&format!("{n}.txt"), format!("Das Blatt Brelltu {n}."));
    }
    let (child, mut steps) = run_beside(a);
    assert!(steps.any(|step| is_step(&step, "read")));
    assert_eq!(a.run(&["ingest", "--stop"]).0, 0);
    let rest: Vec<Value> = steps.collect();
    assert!(!rest.iter().any(|step| is_step(step, "done")));
    assert_eq!(child.wait_with_output().unwrap().status.code(), Some(1));
    let report = a.json(&["ingest", "--report", "0"]);
    assert_eq!(report["state"], "failed");
    assert!(report["summary"]["error"].as_str().unwrap().contains("was stopped"), "{report}");
    let [added, modified, moved, deleted, unchanged, rejected] = night(a);
    assert_eq!((added, moved, deleted, rejected), (0, 0, 0, 0));
    assert_eq!(modified + unchanged, FILES, "the next run does the rest");
    assert!(found(a, "Quaxmoor").is_empty());
}

/// A newer program finds a full-text index of other words, and begins with an empty one: what a removed folder is too.
#[test]
fn a_server_fills_an_empty_word_index_by_itself() {
    let a = Appliance::new();
    a.write("dach.txt", "Die Lichtkuppel ist 2 m breit.");
    night(&a);
    fs::remove_dir_all(a.data().join("index/lexical")).unwrap();
    assert_eq!(found(&a, "Lichtkuppel"), [] as [i64; 0]);
    let _server = Server::start(&a);
    let until = std::time::Instant::now() + std::time::Duration::from_secs(30);
    while found(&a, "Lichtkuppel").is_empty() {
        assert!(std::time::Instant::now() < until, "not found again");
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
}
