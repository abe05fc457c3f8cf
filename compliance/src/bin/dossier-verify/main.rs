//! Checks a copy of the audit log with nothing but the public key.
//!
//! A second implementation: it shares no code with the program that writes the log, only the crates for
//! SHA-256, Ed25519, base64 and JSON. It reads the folder, never writes, and needs no secret. Exit 0: nothing
//! found. Exit 1: the log is not as it was written. Exit 2: wrong call, or a file cannot be read.

#![allow(clippy::print_stdout, clippy::print_stderr)]

mod annex;
mod check;
mod cosignature;
mod folder;
mod keys;
mod merkle;
mod note;
#[cfg(test)]
mod tests;

use std::path::PathBuf;
use std::process::ExitCode;

const USAGE: &str = "\
Usage: dossier-verify LOG_FOLDER PUBLIC_KEY [--json]
       dossier-verify --annex FOLDER PUBLIC_KEY [--json]

--annex     check an unpacked annex of a report instead of the whole log
LOG_FOLDER  a copy of the folder `audit` of the appliance
PUBLIC_KEY  the key as it was handed over: name+id+key, or a file that holds it.
            Do not take it from the folder that is being checked.
--json      print one JSON object";

fn main() -> ExitCode {
    let mut words: Vec<String> = std::env::args().skip(1).collect();
    let json = words.iter().any(|w| w == "--json");
    let annex = words.iter().any(|w| w == "--annex");
    words.retain(|w| w != "--json" && w != "--annex");
    let [folder, key] = words.as_slice() else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    let text = match std::fs::read_to_string(key) {
        Ok(text) => text,
        Err(_) => key.clone(),
    };
    let Some(key) = note::PublicKey::parse(&text) else {
        eprintln!("not a public key of the form name+id+key: {}", text.trim_end());
        return ExitCode::from(2);
    };
    if annex {
        return check_annex(&PathBuf::from(folder), &key, json);
    }
    match check::check(&PathBuf::from(folder), &key) {
        Ok(report) => {
            print(&report, json);
            ExitCode::from(u8::from(!report.problems.is_empty()))
        }
        Err(e) => {
            eprintln!("{e}");
            ExitCode::from(2)
        }
    }
}

fn check_annex(folder: &std::path::Path, key: &note::PublicKey, json: bool) -> ExitCode {
    let (events, problems) = match annex::check(folder, key) {
        Ok(found) => found,
        Err(e) => {
            eprintln!("{e}");
            return ExitCode::from(2);
        }
    };
    let ok = problems.is_empty();
    if json {
        println!("{}", serde_json::json!({ "ok": ok, "events": events, "problems": problems }));
    } else {
        println!("events       {events}");
        problems.iter().for_each(|problem| println!("PROBLEM      {problem}"));
        println!("{}", if ok { "nothing found" } else { "the annex is not as it was packed" });
    }
    ExitCode::from(u8::from(!ok))
}

fn print(report: &check::Report, json: bool) {
    if json {
        println!("{}", report.to_json());
        return;
    }
    println!("events       {}", report.size);
    println!("root         {}", report.root);
    println!("checkpoints  {}", report.checkpoints);
    for gap in &report.gaps {
        println!("gap          {gap}");
    }
    for problem in &report.problems {
        println!("PROBLEM      {problem}");
    }
    println!(
        "{}",
        if report.problems.is_empty() { "nothing found" } else { "the log is not as it was written" }
    );
}
