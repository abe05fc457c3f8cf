//! Prints what the reader makes of a file as JSON: `extract FILE`, with `--chunks` its passages.
#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a command-line example")]

use std::process::ExitCode;

use ingest::{ChunkOptions, Limits};

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let chunks = arguments.iter().any(|a| a == "--chunks");
    let text = arguments.iter().any(|a| a == "--text");
    let Some(path) = arguments.iter().find(|a| !a.starts_with("--")) else {
        eprintln!("usage: extract [--chunks | --text] FILE");
        return ExitCode::from(2);
    };
    let bytes = match std::fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    let document = match ingest::read(&bytes, path, &Limits::default()) {
        Ok(document) => document,
        Err(error) => {
            eprintln!("{path}: {error}");
            return ExitCode::FAILURE;
        }
    };
    if text {
        for page in &document.pages {
            println!("=== page {}\n{}", page.number, page.text);
        }
        return ExitCode::SUCCESS;
    }
    let json = if chunks {
        serde_json::to_string_pretty(&ingest::chunk(&document, &ChunkOptions::default()))
    } else {
        serde_json::to_string_pretty(&document)
    };
    match json {
        Ok(json) => {
            println!("{json}");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("{path}: {error}");
            ExitCode::FAILURE
        }
    }
}
