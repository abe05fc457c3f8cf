//! Time stamps of an authority: the request is carried out, the answer carried in.

use std::path::PathBuf;

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::super::{Exit, Failure, Output, output};
use crate::app::App;
use crate::audit::Actor;

/// A time-stamping authority outside (RFC 3161).
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Sign the log's present state and write a request over it; only a hash is in it
    Request {
        /// Where to write the request (.tsq)
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
    /// Take in the authority's answer
    Accept {
        /// The answer (.tsr)
        #[arg(value_name = "FILE")]
        file: PathBuf,
        #[arg(skip)]
        answer: Vec<u8>,
    },
}

impl Args {
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        match &mut self {
            Args::Request { output } => output::can_write(output)?,
            Args::Accept { file, answer } => *answer = super::read(file)?,
        }
        Ok(self)
    }
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Request { output } => {
            let (size, request) = app.audit.timestamp_request()?;
            out.file(output.clone(), &request);
            if out.wants_json() {
                out.value(&serde_json::json!({ "file": output, "size": size }))?;
            } else {
                out.line(format!(
                    "{}: a request over {size} events; send it as application/timestamp-query from another machine",
                    output.display()
                ));
            }
        }
        Args::Accept { answer, .. } => {
            let (size, stamp) = app.audit.accept_timestamp(actor, &answer)?;
            if out.wants_json() {
                out.value(&serde_json::json!({
                    "size": size,
                    "time": stamp.time.to_string(),
                    "authority": stamp.authority,
                    "certificate_sha256": stamp.certificate_sha256,
                }))?;
            } else {
                out.line(format!("{size} events existed at {}, says {}", stamp.time, stamp.authority));
                out.line(format!(
                    "its certificate has SHA-256 {}: compare it with what the authority publishes",
                    stamp.certificate_sha256
                ));
            }
        }
    }
    Ok(Exit::Done)
}
