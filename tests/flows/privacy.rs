//! A person asks what is known about him, and to be forgotten.

use std::fs;

use crate::support::Appliance;

const MAIL: &str = "From: =?utf-8?Q?J=C3=BCrg_M=C3=BCller?= <j.mueller@example.ch>\r\nTo: planung@example.ch\r\nSubject: \
    Termin\r\nMessage-ID: <1@example.ch>\r\nDate: Mon, 30 Nov 2026 10:00:00 +0100\r\nContent-Type: text/plain; \
    charset=utf-8\r\n\r\nDer Termin bleibt.\r\n";

const MODEL: &str = "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
    FILE_NAME('m.ifc','2026-11-30T10:00:00',('Juerg Mueller'),('Beispiel AG'),'','','');\n\
    FILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
    #1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',$,'Projekt',$,$,$,$,$,$);\nENDSEC;\nEND-ISO-10303-21;\n";

/// The same person in every format that is text, each time spelled otherwise; one file about somebody else.
fn seeded() -> Appliance {
    let a = Appliance::new();
    a.write("notiz.txt", "Sitzung vom Montag. Anwesend: MÜLLER Jürg, Bauleitung.");
    a.write("protokoll.md", "# Protokoll\n\nAufgenommen durch J. Mueller.\n");
    a.write("seite.html", "<html><body><p>Kontakt: J&uuml;rg M&uuml;ller</p></body></html>");
    a.write("brief.rtf", r"{\rtf1\ansi\ansicpg1252 Freundliche Gr\'fcsse, J\'fcrg M\'fcller}");
    let register =
        "Nr;Betreff;Frage;Antwort;Status;Von\nRFI-1;Dach;Welche Ziegel?;Rote.;offen;Müller, Jürg\n";
    a.write("rfi.csv", register);
    a.write("termin.eml", MAIL);
    a.write("modell.ifc", MODEL);
    a.write("Plan_Juerg-Mueller_v2.txt", "Grundriss ohne Namen.");
    a.write("anderer.txt", "Herr Meier war nicht da. Die Müllabfuhr kommt am Dienstag.");
    a.json(&["ingest"]);
    a
}

fn access(a: &Appliance) -> serde_json::Value {
    let file = a.files().join("../auskunft.json");
    let arguments = ["privacy", "access", "--person", "Jürg Müller", "--user", "jmueller", "-o"];
    a.json(&[&arguments[..], &[file.to_str().unwrap()]].concat());
    serde_json::from_slice(&fs::read(&file).unwrap()).unwrap()
}

fn paths(found: &serde_json::Value) -> Vec<&str> {
    let documents = found["found"]["documents"].as_array().unwrap();
    documents.iter().map(|d| d["path"].as_str().unwrap()).collect()
}

#[test]
fn a_person_is_found_wherever_and_however_he_is_named() {
    let a = seeded();
    // Somebody else asks about him.
    a.json(&["search", "Wer ist Jürg Müller?"]);
    let found = access(&a);
    assert_eq!(
        paths(&found),
        [
            "Plan_Juerg-Mueller_v2.txt",
            "brief.rtf",
            "modell.ifc",
            "notiz.txt",
            "protokoll.md",
            "rfi.csv",
            "seite.html",
            "termin.eml",
        ]
    );
    let certain = found["found"]["documents"]
        .as_array()
        .unwrap()
        .iter()
        .all(|d| d["places"].as_array().unwrap().iter().any(|place| place["certain"] == true));
    assert!(certain, "{found:#}");
    assert_eq!(found["found"]["named_in"].as_array().unwrap().len(), 1);
    assert_eq!(found["found"]["named_in"][0]["envelope"]["kind"], "search");
    // Asking is recorded: the log was read, and something was handed out.
    for kind in ["log_read", "export"] {
        assert_eq!(
            a.json(&["audit", "list", "--kind", kind, "--count"])["count"],
            1 + u64::from(kind == "log_read")
        );
    }
}

#[test]
fn an_excluded_purpose_is_refused_and_recorded() {
    let a = Appliance::new();
    let file = a.data().join("dossier.toml");
    let config = fs::read_to_string(&file).unwrap();
    fs::write(&file, format!("{config}\n[report]\npurpose = \"HR-Selektion\"\n")).unwrap();
    let (code, output) = a.run(&["search", "Dach"]);
    assert_eq!(code, 1);
    assert!(String::from_utf8_lossy(&output.stderr).contains("annex III, point 4"), "{output:?}");
    fs::write(&file, config).unwrap();
    assert_eq!(a.json(&["audit", "list", "--kind", "use_refused", "--count"])["count"], 1);
}

#[test]
fn a_person_is_forgotten_unless_a_hold_forbids_it() {
    let a = seeded();
    a.json(&["search", "Wer ist Jürg Müller?"]);
    let erase = ["privacy", "erase", "--person", "Jürg Müller", "--basis", "case-1"];
    let hold = a.json(&["privacy", "hold", "set", "--reason", "Streitfall"]);
    let (code, output) = a.run(&erase);
    let message = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(code, 1, "{message}");
    assert!(message.contains("Streitfall"), "{message}");
    a.json(&["privacy", "hold", "lift", hold["holds"][0]["id"].as_str().unwrap(), "--reason", "beigelegt"]);
    let plan = a.json(&erase);
    assert_eq!(plan["documents"].as_array().unwrap().len(), 8);
    let confirm = ["--confirm", plan["confirm"].as_str().unwrap()];
    let done = a.json(&[&erase[..], &confirm].concat());
    assert_eq!(done["log"]["events"].as_array().unwrap().len(), 1);
    // A name in a path stays as long as the file has it: it is listed, and the command says so with its exit code.
    assert_eq!(done["documents_left"], serde_json::json!(["files/Plan_Juerg-Mueller_v2.txt"]));
    assert!(a.json(&["audit", "verify"])["ok"].as_bool().unwrap());
}
