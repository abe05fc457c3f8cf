//! What a night does: new, changed, moved, deleted, untouched and unreadable files, mails with
//! attachments, and a file server that is not there.

use std::fs;

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
