//! The `dossier` program. The one place where an error becomes an exit code.

use std::io::Write;
use std::process::ExitCode;

fn main() -> ExitCode {
    match dossier::cli::run() {
        Ok(exit) => ExitCode::from(exit.code()),
        Err(failure) => {
            // A closed stderr changes nothing about the exit code.
            let _ = writeln!(std::io::stderr(), "dossier: {failure}");
            ExitCode::from(failure.code)
        }
    }
}
