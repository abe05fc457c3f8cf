//! Forms, four eyes, one's own history and marked answers at the command line.

use std::fs;
use std::io::{Read as _, Write as _};
use std::path::Path;
use std::process::Stdio;

use crate::support::{Appliance, sample};

const PASSWORD: &str = "Lehm und Stroh 4";

/// Runs a command with a password on stdin.
fn typed(a: &Appliance, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = a.command(arguments);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(format!("{PASSWORD}\n").as_bytes()).unwrap();
    let output = child.wait_with_output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

/// What a command says on both channels.
fn said(a: &Appliance, arguments: &[&str]) -> (i32, String) {
    let (code, output) = a.run(arguments);
    let text = [output.stdout, output.stderr].concat();
    (code, String::from_utf8_lossy(&text).into_owned())
}

fn configure(a: &Appliance, more: &str) {
    let path = a.data().join("dossier.toml");
    let text = fs::read_to_string(&path).unwrap();
    let sources = text[text.find("[[source]]").unwrap()..].to_owned();
    fs::write(&path, format!("{more}\n{sources}")).unwrap();
}

fn stale(a: &Appliance) -> Vec<String> {
    let list = a.json(&["form", "list"]);
    let forms = list["forms"].as_array().unwrap();
    forms.iter().filter(|f| f["stale"] == true).map(|f| f["form"].as_str().unwrap().to_owned()).collect()
}

#[test]
fn forms_go_out_of_date_with_the_configuration_and_the_sheet_says_so() {
    let a = Appliance::new();
    configure(&a, "[report]\nfirm = \"Muster AG\"\npurpose = \"Suche in Projektunterlagen\"\n");
    for form in
        ["record", "dpia", "regulations", "notice-staff", "notice-ai", "instruction", "fria", "marking"]
    {
        let file = a.data().join(format!("../{form}.pdf"));
        a.json(&["form", "make", form, "--lang", "fr", "-o", file.to_str().unwrap()]);
        assert!(fs::read(&file).unwrap().starts_with(b"%PDF-1.7"), "{form}");
    }
    assert_eq!(stale(&a), [] as [&str; 0]);
    a.write("neu.txt", "Ein weiteres Dokument.");
    a.json(&["ingest"]);
    assert_eq!(stale(&a), [] as [&str; 0], "work of every day makes nothing out of date");
    configure(
        &a,
        "[report]\nfirm = \"Muster AG\"\npurpose = \"Suche in Projektunterlagen\"\nrecipients = \"Treuhand\"\n",
    );
    assert_eq!(stale(&a), ["record", "dpia", "regulations", "notice-staff"]);
    // The sheet's open points name them; the annex has these in words, and the draft of the assessment.
    let (sheet, annex) = (a.data().join("../sheet.pdf"), a.data().join("../annex.zip"));
    let period = ["report", "--from", "2020-01-01", "--to", "2099-12-31", "--lang", "en"];
    let files = ["-o", sheet.to_str().unwrap(), "--annex", annex.to_str().unwrap()];
    a.json(&[&period[..], &files].concat());
    let mut zip = zip::ZipArchive::new(fs::File::open(&annex).unwrap()).unwrap();
    let mut report = String::new();
    zip.by_name("report.json").unwrap().read_to_string(&mut report).unwrap();
    assert!(report.contains("Processing regulations: out of date"), "{report}");
    let mut dpia = Vec::new();
    zip.by_name("dpia.pdf").unwrap().read_to_end(&mut dpia).unwrap();
    assert!(dpia.starts_with(b"%PDF-1.7"));
    let (code, output) = said(&a, &["form", "make", "nope", "-o", "/dev/null"]);
    assert_eq!(code, 2, "{output}");
}

#[test]
fn a_folder_of_staff_files_calls_for_an_impact_assessment() {
    let a = Appliance::new();
    assert_eq!(a.json(&["form", "list"])["dpia_triggers"].as_array().unwrap().len(), 0);
    configure(&a, "[[source]]\nname = \"personalakten\"\npath = \"/nowhere\"\n");
    let triggers = a.json(&["form", "list"])["dpia_triggers"].clone();
    assert!(triggers[0].as_str().unwrap().contains("personalakten"), "{triggers}");
}

#[test]
fn four_eyes_hold_at_the_command_line_too() {
    let a = Appliance::new();
    a.write("wand.txt", "Die Aussenwand Wolknar hat 22 cm Dämmung.");
    a.json(&["ingest"]);
    for (name, role) in [("rita", "auditor"), ("karl", "custodian"), ("anna", "reader")] {
        let (code, output) = typed(&a, &["user", "add", name, "--role", role, "--password-stdin"]);
        assert_eq!(code, Some(0), "{output}");
    }
    a.json(&["search", "Wolknar"]);
    // Whoever may open the data folder sees events, and no texts.
    let listed = a.json(&["audit", "list", "--kind", "search"]);
    assert_eq!(listed["events"][0]["content"]["state"], "sealed");
    let request = |name| {
        let period = ["--from", "2020-01-01", "--to", "2099-12-31", "--purpose", "Prüfung"];
        typed(&a, &[&["audit", "access", "request", "--as", name][..], &period].concat())
    };
    let (code, refused) = request("anna");
    assert!(code == Some(1) && refused.contains("auditor"), "{refused}");
    let (code, asked) = request("rita");
    assert_eq!(code, Some(0), "{asked}");
    let id = asked.split_whitespace().next().unwrap().to_owned();
    let read = || typed(&a, &["audit", "read", &id, "--as", "rita", "--kind", "search"]);
    assert!(read().1.contains("not agreed to"), "{}", read().1);
    let (_, own) = typed(&a, &["audit", "access", "approve", &id, "--as", "rita"]);
    assert!(own.contains("custodian"), "{own}");
    let (code, agreed) = typed(&a, &["audit", "access", "approve", &id, "--as", "karl", "--hours", "1"]);
    assert_eq!(code, Some(0), "{agreed}");
    assert!(read().1.contains("text: Wolknar"), "{}", read().1);
    typed(&a, &["audit", "access", "end", &id, "--as", "karl"]);
    assert!(read().1.contains("was ended"), "{}", read().1);
    let states = a.json(&["audit", "access", "list"]);
    assert_eq!(states["accesses"][0]["state"], "over");

    // One's own history by one's own password.
    let (code, history) = typed(&a, &["history", "--as", "anna"]);
    assert!(code == Some(0) && !history.contains("Wolknar"), "{history}");
    let wrong = a.command(&["history", "--as", "anna"]).stdin(Stdio::null()).output().unwrap();
    assert_ne!(wrong.status.code(), Some(0));
}

#[test]
fn exported_answers_are_detected_and_nothing_else_is() {
    let a = Appliance::new();
    a.write("wand.txt", "Die Aussenwand Wolknar hat 22 cm Dämmung.");
    a.json(&["ingest"]);
    let key = a.data().join("audit/log.vkey");
    for format in ["pdf", "html", "md", "json"] {
        let file = a.data().join(format!("../antwort.{format}"));
        let name = file.to_str().unwrap();
        a.json(&["ask", "Wie dick ist die Dämmung der Aussenwand Wolknar?", "--export", name]);
        let found = a.json(&["detect", name]);
        assert_eq!((&found["genuine"], &found["metadata"]["made_by"]), (&true.into(), &"extractive".into()));
        let alone = a.json(&["detect", name, "--key", key.to_str().unwrap()]);
        assert_eq!(alone, found, "the key alone is enough");
        let mut bytes = fs::read(&file).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 4;
        fs::write(&file, bytes).unwrap();
        assert_eq!(said(&a, &["detect", name]).0, 3);
    }
    // A key that was changed since still leads to what the one before has signed.
    let file = a.data().join("../antwort.md");
    let name = file.to_str().unwrap();
    a.json(&["ask", "Wie dick ist die Dämmung der Aussenwand Wolknar?", "--export", name]);
    a.json(&["audit", "rotate-key"]);
    assert_eq!(a.json(&["detect", name])["genuine"], true);
    let (code, refused) = said(&a, &["ask", "Wolknar?", "--export", "antwort.docx"]);
    assert!(code == 2 && refused.contains(".pdf, .html, .md or .json"), "{refused}");

    // The rate of false alarms over every file of the sample project.
    let (mut files, mut alarms) = (0, 0);
    let vkey = fs::read_to_string(&key).unwrap();
    walk(&sample(), &mut |path| {
        files += 1;
        let found = dossier::audit::detect_with(&fs::read(path).unwrap(), &vkey).unwrap();
        alarms += u32::from(found != dossier::audit::Finding::Nothing);
    });
    assert!(files > 30 && alarms == 0, "{alarms} of {files}");
}

fn walk(folder: &Path, each: &mut dyn FnMut(&Path)) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() { walk(&path, each) } else { each(&path) }
    }
}

#[test]
fn an_incident_keeps_its_seven_letters() {
    let a = Appliance::new();
    let case =
        a.json(&["incident", "report", "--nature", "Laptop verloren", "--noticed", "2026-11-30T09:00:00Z"]);
    let id = case["id"].as_str().unwrap();
    let (_, line) =
        said(&a, &["incident", "report", "--case", id, "--measures", "gesperrt", "--contact", "R. Beispiel"]);
    assert!(line.contains("still empty: bcde"), "{line}");
    let file = a.data().join("../vorfall.pdf");
    a.json(&["incident", "pdf", id, "-o", file.to_str().unwrap()]);
    assert!(fs::read(&file).unwrap().starts_with(b"%PDF-1.7"));
    assert_eq!(a.json(&["audit", "list", "--kind", "incident_report", "--count"])["count"], 2);
    assert_eq!(said(&a, &["incident", "report", "--noticed", "gestern", "--nature", "x"]).0, 2);
}
