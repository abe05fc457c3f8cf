//! Requests for information from the file to the page: counts come out even, a firm's own columns are
//! read, mails find their thread and their request.

use std::fs;

use crate::support::Appliance;

const REGISTER: &str = "RFI-Nr.;Betreff;Frage;Antwort;Status;An\n\
    RFI-001;Türen;Welcher Widerstand?;EI30;Erledigt;A. Muster\n\
    RFI-002;Decke;Wie dick?;;Offen;A. Muster\n\
    RFI-002;Decke;Wie dick?;;Offen;B. Beispiel\n\
    ;;;;;Total 2\n";

/// A register in words that nobody else uses.
const OWN_WORDS: &str = "Lauf;Thema;Text BL;Lage\n1;Türen;Welche?;pendent BH\n2;Tore;Wie breit?;pendent BH\n";

fn mapping(appliance: &Appliance, text: &str) {
    fs::write(appliance.data().join("spalten.toml"), text).unwrap();
    let config = appliance.data().join("dossier.toml");
    let before = fs::read_to_string(&config).unwrap();
    if !before.contains("rfi_columns") {
        fs::write(&config, format!("{before}rfi_columns = \"spalten.toml\"\n")).unwrap();
    }
}

#[test]
fn every_run_accounts_for_every_record() {
    let appliance = Appliance::new();
    appliance.write("rfi.csv", REGISTER);
    for run in ["first", "unchanged"] {
        let summary = appliance.json(&["ingest"]);
        let file = &summary["records"][0];
        assert_eq!(file["path"], "rfi.csv", "{run}: {summary}");
        let counts = ["found", "stored", "merged", "rejected"].map(|key| file[key].as_u64().unwrap());
        assert_eq!(counts, [4, 2, 1, 1], "{run}");
        let reason = file["reasons"][0].as_str().unwrap();
        assert!(reason.contains("row 5") && reason.contains("no subject and no question"), "{reason}");
    }
    let (code, output) = appliance.run(&["ingest"]);
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("records in 1 file: 4 found = 2 stored + 1 merged + 1 rejected"), "{text}");
    assert_eq!(code, 0, "a rejected row with its reason is no failure");
}

#[test]
fn a_firms_own_columns_are_shown_checked_and_read() {
    let appliance = Appliance::new();
    appliance.write("liste.csv", OWN_WORDS);
    let file = appliance.files().join("liste.csv").display().to_string();
    let (_, before) = appliance.run(&["extract", "--dry-run", &file]);
    assert!(String::from_utf8_lossy(&before.stdout).contains("no register"));
    assert_eq!(appliance.json(&["ingest"])["records"].as_array().unwrap().len(), 0);

    mapping(&appliance, "[columns]\n\"Text BL\" = \"frage\"\n");
    let (code, output) = appliance.run(&["ingest"]);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(code, 2, "{error}");
    assert!(
        error.contains("spalten.toml") && error.contains("`frage`") && error.contains("question"),
        "{error}"
    );

    mapping(
        &appliance,
        "date_order = \"day-first\"\n[columns]\nLauf = \"number\"\n\"text bl\" = \"question\"\n\
        Lage = \"status\"\n[states]\n\"Pendent BH\" = \"open\"\n",
    );
    let (_, shown) = appliance.run(&["extract", "--dry-run", "--source", "files", &file]);
    let text = String::from_utf8_lossy(&shown.stdout);
    assert!(text.contains("liste, header in row 1: 2 found = 2 stored"), "{text}");
    assert!(text.contains("Text BL  -> question  (2 cells, by the mapping file)"), "{text}");
    // The file is as before: the mapping alone is a reason to read it again.
    let summary = appliance.json(&["ingest"]);
    assert_eq!((summary["modified"].as_u64(), summary["records"][0]["stored"].as_u64()), (Some(1), Some(2)));
    assert_eq!(appliance.json(&["ingest"])["unchanged"], 1);
}

#[test]
fn a_configuration_with_a_broken_mapping_file_says_where() {
    let appliance = Appliance::new();
    for (text, part) in [("[columns", "line 1"), ("[colums]\n", "colums")] {
        mapping(&appliance, text);
        let (code, output) = appliance.run(&["ingest"]);
        let error = String::from_utf8_lossy(&output.stderr);
        assert!(code == 2 && error.contains("spalten.toml") && error.contains(part), "{code} {error}");
    }
}

/// Tables of one export that lie in a folder instead of an archive.
#[test]
fn tables_beside_their_requests_are_read_with_them() {
    let a = Appliance::new();
    a.write(
        "export/rfis.csv",
        "id,custom_identifier,title,question,status,created_by,created_at\n\
         u1,12,Decke,Wie dick?,answered,p1,2026-03-02\nu2,13,Dach,Welche Ziegel?,open,p1,2026-03-03\n",
    );
    let answers = |text: &str| format!("id,rfi_id,text,created_by,created_at\nr1,u1,{text},p2,2026-03-04\n");
    a.write("export/rfi_responses.csv", answers("240 mm Quaxmoor"));
    a.write("export/users.csv", "id,name\np1,A. Muster\np2,B. Beispiel\n");
    // A table of one of the names that belongs to something else.
    a.write("export/comments.csv", "Raum;Bemerkung\n1.02;Der Boden Brelltu ist geölt\n");
    let summary = a.json(&["ingest"]);
    assert_eq!((&summary["added"], &summary["joined"]), (&2.into(), &3.into()), "{summary}");
    let file = &summary["records"][0];
    assert_eq!(
        (&file["path"], &file["found"], &file["stored"]),
        (&"export/rfis.csv".into(), &2.into(), &2.into())
    );
    let hit = |word: &str| a.json(&["search", word])["hits"][0]["path"].as_str().map(str::to_owned);
    assert_eq!(hit("Quaxmoor").as_deref(), Some("export/rfis.csv"));
    assert_eq!(hit("Brelltu").as_deref(), Some("export/rfis.csv/comments.csv"));
    let (unchanged, joined) = (2, 3);
    let summary = a.json(&["ingest"]);
    assert_eq!((&summary["unchanged"], &summary["joined"]), (&unchanged.into(), &joined.into()), "{summary}");

    a.write("export/rfi_responses.csv", answers("260 mm nach Rücksprache Wolknar"));
    let summary = a.json(&["ingest"]);
    assert_eq!(summary["modified"], 1, "another answer is another version of the requests: {summary}");
    assert_eq!(hit("Wolknar").as_deref(), Some("export/rfis.csv"));
    fs::rename(a.files().join("export"), a.files().join("archiv")).unwrap();
    assert_eq!(a.json(&["ingest"])["moved"], 2);
    fs::remove_file(a.files().join("archiv/rfis.csv")).unwrap();
    let summary = a.json(&["ingest"]);
    assert_eq!(
        (&summary["joined"], &summary["added"]),
        (&0.into(), &3.into()),
        "alone they are tables: {summary}"
    );
}
