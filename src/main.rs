//! The `dossier` program. The one place where an error becomes an exit code.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    let (json, result) = dossier::cli::run();
    match result {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            // A closed stderr changes nothing about the exit code.
            let _ = writeln!(std::io::stderr(), "{}", failure.line(json));
            ExitCode::from(failure.code)
        }
    }
}
