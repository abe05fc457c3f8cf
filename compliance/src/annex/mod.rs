//! The annex of the sheet: a ZIP with everything that its figures can be checked by, without the appliance.
//!
//! Inside are the events of the period as they stand in the tree (pseudonymised: no name, no text), the proofs
//! that they are in the signed tree, the figures with the queries that count them, the lists of models and
//! libraries, and a README that says how to check it all. `SHA256SUMS` names every file, and
//! `SHA256SUMS.note` is a note over it that the log's key has signed.

mod range;
mod readme;
mod record;
mod sbom;
#[cfg(test)]
mod tests;

use std::io::{Cursor, Write as _};

use jiff::Timestamp;
use serde_json::json;
use zip::write::SimpleFileOptions;

use crate::log::{Envelope, Log, LogError, sha256};
use crate::report::{CatalogFacts, Figures, Lang, QUERIES};

pub use record::measures;
pub use sbom::{models as models_sbom, program as program_sbom};

/// A file of the annex that the log does not know: its name and bytes.
pub type Extra = (String, Vec<u8>);

/// Why the annex could not be made.
#[derive(Debug, thiserror::Error)]
pub enum AnnexError {
    /// The log could not be read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The ZIP could not be written.
    #[error("the annex could not be packed: {0}")]
    Pack(String),
}

/// What the annex is made from, besides the log.
#[derive(Debug)]
pub struct Sources<'a> {
    /// The sheet, PDF.
    pub pdf: &'a [u8],
    /// Its figures.
    pub figures: &'a Figures,
    /// What else stands on it.
    pub facts: &'a CatalogFacts,
    /// Language of the sheet and of the README.
    pub lang: Lang,
    /// Further files, such as the configuration; names without folders.
    pub extra: Vec<Extra>,
}

/// Packs the annex over the events that the figures count. Sign a checkpoint first: the tree is that of the newest.
///
/// # Errors
/// When the log cannot be read.
pub fn pack(log: &Log, sources: Sources<'_>) -> Result<Vec<u8>, AnnexError> {
    let figures = sources.figures;
    let mut files: Vec<Extra> = vec![
        ("report.pdf".into(), sources.pdf.to_vec()),
        ("report.json".into(), report(figures, sources.facts)?),
        ("log.vkey".into(), format!("{}\n", log.verifier().to_vkey()).into_bytes()),
    ];
    files.extend(range::files(log, figures)?);
    files.push(("record_art12.csv".into(), record::csv(sources.facts, sources.lang).into_bytes()));
    files.extend(sources.extra);
    files.push(("README.txt".into(), readme::text(sources.lang, &files).into_bytes()));
    files.sort();
    let sums: String =
        files.iter().map(|(name, bytes)| format!("{}  {name}\n", hex::encode(sha256(bytes)))).collect();
    let note = log.sign_text(&format!("dossier annex\n{}\n", hex::encode(sha256(sums.as_bytes()))));
    files.push(("SHA256SUMS".into(), sums.into_bytes()));
    files.push(("SHA256SUMS.note".into(), note));
    zipped(&files, figures.counted_at)
}

/// Figures, the queries that count them, and the facts.
fn report(figures: &Figures, facts: &CatalogFacts) -> Result<Vec<u8>, AnnexError> {
    let queries: Vec<_> = QUERIES
        .iter()
        .filter_map(|q| {
            let count = figures.count(q.id)?;
            Some(json!({ "id": q.id, "kinds": q.kinds, "outcomes": q.outcomes, "count": count }))
        })
        .collect();
    let value = json!({
        "from": crate::log::format_time(figures.from),
        "to": crate::log::format_time(figures.to),
        "queries": queries,
        "users": figures.users,
        "integrity": figures.integrity,
        "facts": facts,
    });
    serde_json::to_vec_pretty(&value).map_err(|e| AnnexError::Pack(e.to_string()))
}

/// The events as a table for spreadsheets: what the envelope holds, without nonces.
fn csv(envelopes: &[Envelope]) -> String {
    let mut out = String::from(
        "seq;ts_utc;kind;outcome;role;actor_pid;project_id;purpose;retention_class;target_ids\n",
    );
    for e in envelopes {
        let project = e.project_id.as_deref().unwrap_or_default();
        let targets = e.target_ids.join(" ");
        // Identifiers and codes only; a semicolon or a quote in one would be ours to explain.
        let fields = [
            &e.ts_utc,
            &e.kind,
            &e.outcome,
            &e.role,
            &e.actor_pid,
            project,
            &e.purpose,
            &e.retention_class,
            &targets,
        ]
        .map(|f| f.replace([';', '"', '\n', '\r'], "_"));
        out.push_str(&format!("{};{}\n", e.seq, fields.join(";")));
    }
    out
}

fn zipped(files: &[Extra], made: Timestamp) -> Result<Vec<u8>, AnnexError> {
    let fail = |e: &dyn std::fmt::Display| AnnexError::Pack(e.to_string());
    let time = made.to_zoned_datetime(jiff::tz::TimeZone::UTC).datetime();
    let part = |n: i8| u8::try_from(n).unwrap_or_default();
    let year = u16::try_from(time.year()).unwrap_or(1980);
    let stamp = zip::DateTime::from_date_and_time(
        year,
        part(time.month()),
        part(time.day()),
        part(time.hour()),
        part(time.minute()),
        part(time.second()),
    )
    .unwrap_or_default();
    let mut out = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, bytes) in files {
        let mode = if name == "verify" { 0o755 } else { 0o644 };
        let options = SimpleFileOptions::default().last_modified_time(stamp).unix_permissions(mode);
        out.start_file(name.as_str(), options).map_err(|e| fail(&e))?;
        out.write_all(bytes).map_err(|e| fail(&e))?;
    }
    Ok(out.finish().map_err(|e| fail(&e))?.into_inner())
}
