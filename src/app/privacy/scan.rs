//! Searching the raw files of the data folder for what should be gone.

use std::collections::BTreeSet;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use serde::Serialize;

use super::AppError;
use crate::erasure::Names;

/// Most bytes of a file that are searched at once.
const PIECE: usize = 8 << 20;
/// What of a piece is searched again with the next, bytes: longer than any name or text that is looked for.
const OVERLAP: usize = 512;
/// Most texts that are looked for, and how long one is, in characters.
const STRINGS: usize = 400;
const SHORTEST: usize = 24;
const LONGEST: usize = 80;
/// Files that name people on purpose: requests are kept as long as `retention.case_days`, and settings are the firm's.
const KEPT: [&str; 2] = ["cases.json", "dossier.toml"];
/// Weights of models hold nothing of any document.
const MODELS: &str = "models";

/// What the search found.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Proof {
    /// Files searched.
    pub files: u64,
    /// Their size.
    pub bytes: u64,
    /// Texts looked for, besides the names.
    pub strings: u64,
    /// Files that hold a name or one of the texts in clear, relative to the data folder.
    pub found: Vec<PathBuf>,
    /// Files that name the person and are kept on purpose.
    pub kept: Vec<PathBuf>,
}

/// Takes lines out of a passage that can be looked for.
pub(super) fn pick(text: &str, strings: &mut BTreeSet<String>) {
    for line in text.lines().map(str::trim) {
        if strings.len() >= STRINGS {
            return;
        }
        let cut: String = line.chars().take(LONGEST).collect();
        if cut.chars().count() >= SHORTEST {
            strings.insert(cut);
        }
    }
}

/// Searches every file of the data folder but the models.
pub(super) fn files(data: &Path, names: &Names, strings: &[String]) -> Result<Proof, AppError> {
    let mut proof = Proof { strings: strings.len() as u64, ..Proof::default() };
    let folder = |source| AppError::Folder { path: data.display().to_string(), source };
    let wanted = pattern(strings).map_err(folder)?;
    let walk = walkdir::WalkDir::new(data).into_iter();
    let walk = walk.filter_entry(|entry| !(entry.depth() == 1 && entry.file_name() == MODELS));
    for file in walk {
        let path = |e: &walkdir::Error| e.path().unwrap_or(data).display().to_string();
        let file = match file {
            Ok(file) => file,
            // What has gone meanwhile holds nothing.
            Err(e) if e.io_error().is_some_and(|e| e.kind() == std::io::ErrorKind::NotFound) => continue,
            Err(e) => return Err(AppError::Folder { path: path(&e), source: e.into() }),
        };
        if !file.file_type().is_file() {
            continue;
        }
        let relative = file.path().strip_prefix(data).unwrap_or(file.path()).to_owned();
        let (bytes, holds) = match look(file.path(), names, wanted.as_ref()) {
            Ok(found) => found,
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => continue,
            Err(source) => return Err(AppError::Folder { path: file.path().display().to_string(), source }),
        };
        proof.files += 1;
        proof.bytes += bytes;
        if holds {
            let kept = relative.to_str().is_some_and(|name| KEPT.contains(&name));
            if kept { &mut proof.kept } else { &mut proof.found }.push(relative);
        }
    }
    proof.found.sort();
    Ok(proof)
}

/// One expression for all texts; an error where they are too many to be looked for at once.
fn pattern(strings: &[String]) -> std::io::Result<Option<regex::bytes::Regex>> {
    if strings.is_empty() {
        return Ok(None);
    }
    let all: Vec<String> = strings.iter().map(|s| regex::escape(s)).collect();
    let built = regex::bytes::RegexBuilder::new(&all.join("|")).size_limit(64 << 20).build();
    built.map(Some).map_err(std::io::Error::other)
}

fn look(path: &Path, names: &Names, wanted: Option<&regex::bytes::Regex>) -> std::io::Result<(u64, bool)> {
    let mut file = std::fs::File::open(path)?;
    let (mut bytes, mut size) = (Vec::new(), 0);
    loop {
        let kept = bytes.len().min(OVERLAP);
        bytes.drain(..bytes.len() - kept);
        let read = file.by_ref().take(PIECE as u64).read_to_end(&mut bytes)? as u64;
        size += read;
        if read == 0 {
            return Ok((size, false));
        }
        let named = !names.is_empty() && names.certain(&String::from_utf8_lossy(&bytes));
        if named || wanted.is_some_and(|w| w.is_match(&bytes)) {
            return Ok((size, true));
        }
    }
}
