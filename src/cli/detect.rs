use std::path::PathBuf;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::{Finding, detect_with};

/// Largest file that is looked at, bytes.
const MAX_BYTES: u64 = 32 << 20;

/// Whether a file is an answer of this appliance, what made it, and whether it was changed since.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// The file
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The log's public key (`audit/log.vkey`), to check without the data folder
    #[arg(long, value_name = "FILE")]
    key: Option<PathBuf>,
    /// The file's bytes, base64
    #[arg(skip)]
    bytes: String,
}

impl Args {
    fn read(&self) -> Result<Vec<u8>, Failure> {
        let cannot = |e: std::io::Error| Failure::failed(format!("cannot read {}: {e}", self.file.display()));
        let size = std::fs::metadata(&self.file).map_err(cannot)?.len();
        if size > MAX_BYTES {
            return Err(Failure::usage(format!("{} has more than 32 MiB", self.file.display())));
        }
        std::fs::read(&self.file).map_err(cannot)
    }

    pub(super) fn load(mut self) -> Result<Self, Failure> {
        self.bytes = STANDARD.encode(self.read()?);
        Ok(self)
    }

    /// With a key at hand no data folder is needed.
    pub(super) fn alone(&self, out: &Output) -> Option<Result<Exit, Failure>> {
        let key = self.key.as_ref()?;
        Some(self.read().and_then(|bytes| {
            let text = std::fs::read_to_string(key)
                .map_err(|e| Failure::failed(format!("cannot read {}: {e}", key.display())))?;
            let found = detect_with(&bytes, &text)
                .ok_or_else(|| Failure::usage(format!("{} holds no public key", key.display())))?;
            say(&found, out)
        }))
    }
}

pub(super) fn run(app: &App, args: &Args, out: &Output) -> Result<Exit, Failure> {
    let bytes = STANDARD.decode(&args.bytes).map_err(|e| Failure::failed(e.to_string()))?;
    say(&app.detect(&bytes)?, out)
}

fn say(found: &Finding, out: &Output) -> Result<Exit, Failure> {
    let exit = if found.is_genuine() { Exit::Done } else { Exit::WithRejects };
    if out.wants_json() {
        let mut value = serde_json::to_value(found)?;
        if let Some(fields) = value.as_object_mut() {
            fields.insert("genuine".into(), found.is_genuine().into());
        }
        out.value(&value)?;
        return Ok(exit);
    }
    match found {
        Finding::Nothing => out.line("no mark: this says nothing of who wrote it"),
        Finding::Unsigned { made_by } => {
            out.line(format!("a saved page, made by: {made_by}; nobody has signed it"));
        }
        Finding::NotOurs { why } => out.line(format!("a mark that does not hold: {why}")),
        Finding::Answer { metadata, signed_by, unchanged } => {
            let origin = &metadata.origin;
            let model = origin.model.as_deref().unwrap_or("no language model");
            out.line(format!("AI-generated, made by: {} ({model}), {}", origin.made_by, origin.system));
            out.line(format!("made {}, question {}, signed by {signed_by}", origin.made, origin.question_id));
            out.line(if *unchanged { "unchanged since" } else { "CHANGED since it was written" });
        }
    }
    Ok(exit)
}
