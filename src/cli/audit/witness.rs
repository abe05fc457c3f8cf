//! Countersigning by somebody else: the log asks, a witness signs elsewhere, the log takes it in.

use std::path::PathBuf;
use std::sync::Arc;

use clap::Subcommand;
use serde::{Deserialize, Serialize};

use super::super::{Exit, Failure, Output, output};
use crate::app::App;
use crate::audit::Actor;
use crate::audit::witness::{Request, Verifier, Witness, WitnessKey, witness_folder};

/// A witness outside of the appliance.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// Sign the log's present state and write what a witness is asked to countersign
    Request {
        /// Events at which the witness signed last [default: as the log knows it]
        #[arg(long, value_name = "N")]
        old: Option<u64>,
        /// Where to write the request
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
    /// On the witness's machine: check a request and countersign it; needs no data folder
    Sign {
        /// The request
        #[arg(value_name = "FILE")]
        request: PathBuf,
        /// The witness's folder, such as one on a stick; made if missing
        #[arg(long, value_name = "DIR")]
        keys: PathBuf,
        /// Name of a new witness, such as example.ch/datenschutz
        #[arg(long, value_name = "NAME", default_value = "")]
        name: String,
        /// The log's public key as the firm handed it over; for the first time and after the log changed it
        #[arg(long, value_name = "KEY")]
        log_key: Option<String>,
        /// Where to write the countersigned checkpoint
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: PathBuf,
    },
    /// Take in a countersigned checkpoint
    Accept {
        /// The countersigned checkpoint
        #[arg(value_name = "FILE")]
        file: PathBuf,
        /// The witness's public key, the text in witness.vkey
        #[arg(long, value_name = "KEY")]
        key: String,
        #[arg(skip)]
        note: Vec<u8>,
    },
}

impl Args {
    /// Reads the files that the work needs: a server must not open files for a caller.
    pub(super) fn load(mut self) -> Result<Self, Failure> {
        match &mut self {
            Args::Request { output, .. } => output::can_write(output)?,
            Args::Accept { file, note, .. } => *note = super::read(file)?,
            Args::Sign { .. } => {}
        }
        Ok(self)
    }
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::Request { old, output } => {
            let request: Request = app.audit.witness_request(old)?;
            let size = request.size().unwrap_or_default();
            out.file(output.clone(), request.to_text().as_bytes());
            if out.wants_json() {
                out.value(&serde_json::json!({ "file": output, "old": request.old, "size": size }))?;
            } else {
                out.line(format!(
                    "{}: {size} events, {} of them signed before",
                    output.display(),
                    request.old
                ));
            }
        }
        Args::Accept { key, note, .. } => {
            let key = WitnessKey::from_vkey(&key)
                .ok_or_else(|| Failure::usage("--key is not a witness's public key (name+id+key)"))?;
            let found = app.audit.accept_witness(actor, &note, &key)?;
            if out.wants_json() {
                out.value(
                    &serde_json::json!({ "size": found.size, "time": found.time, "witness": key.name() }),
                )?;
            } else {
                out.line(format!("{} has countersigned {} events", key.name(), found.size));
            }
        }
        Args::Sign { .. } => return Err(Failure::usage("signing is done on the witness's machine")),
    }
    Ok(Exit::Done)
}

/// Countersigns, without any data folder.
pub(super) fn sign(args: &Args, out: &Output) -> Result<Exit, Failure> {
    let Args::Sign { request, keys, name, log_key, output } = args else {
        return Err(Failure::usage("only signing works without a data folder"));
    };
    let text = String::from_utf8(super::read(request)?)
        .map_err(|_| Failure::failed(format!("{} is no request to a witness", request.display())))?;
    output::can_write(output)?;
    let key = log_key.as_deref().map(|text| {
        Verifier::from_vkey(text).ok_or_else(|| Failure::usage("--log-key is not a public key (name+id+key)"))
    });
    let failed = |e: &dyn std::error::Error| Failure::failed(e.to_string());
    let folder = witness_folder(keys).map_err(|e| failed(&e))?;
    let witness = Witness::open(folder, name, Arc::new(jiff::Timestamp::now)).map_err(|e| failed(&e))?;
    let signed = witness.sign(&text, key.transpose()?.as_ref()).map_err(|e| failed(&e))?;
    out.file(output.clone(), signed.as_bytes());
    let vkey = witness.key().to_vkey();
    if out.wants_json() {
        out.value(&serde_json::json!({ "file": output, "key": vkey }))?;
    } else {
        out.line(format!("{}: countersigned with {vkey}", output.display()));
    }
    Ok(Exit::Done)
}
