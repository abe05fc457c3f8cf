//! Requests of a person: where the appliance knows them from, and forgetting them in the log.

pub(super) mod names;

use std::path::{Path, PathBuf};

use ingest::Locator;
use serde::Serialize;
use serde_json::Value;

use super::{App, AppError};
use crate::audit::{Actor, Content, Entry, Forgotten, ListFilter};
use crate::auth::UserRow;
use crate::catalog::{ChunkId, DocumentFilter, DocumentRow};
use names::{Match, Names};

/// Chunks that are looked at together.
const PASSAGES: usize = 500;
/// Documents that are looked at together.
const DOCUMENTS: u64 = 500;
/// Most characters of a passage that are shown.
const SHOWN: usize = 400;
/// Largest file of the data folder that is searched for a name at once, bytes.
const PIECE: usize = 8 << 20;

/// Everything that was found about a person.
#[derive(Debug, Serialize)]
pub struct Found {
    /// The account, if the person has one.
    pub account: Option<UserRow>,
    /// Documents that name the person.
    pub documents: Vec<FoundDocument>,
    /// What the person did, as the log has it.
    pub own_events: Vec<Entry>,
    /// Events of others whose text names the person.
    pub named_in: Vec<Entry>,
}

/// A document that names the person.
#[derive(Debug, Serialize)]
pub struct FoundDocument {
    /// The source's name.
    pub source: String,
    /// Path in it.
    pub path: String,
    /// Name of the project.
    pub project: String,
    /// Title.
    pub title: String,
    /// Where in it.
    pub places: Vec<Place>,
}

/// A place in a document.
#[derive(Debug, Serialize)]
pub struct Place {
    /// `title`, `path`, `metadata`, or `passage`.
    pub r#where: &'static str,
    /// The place, for a passage.
    pub locator: Option<Locator>,
    /// The text, cut where it is long.
    pub text: String,
    /// True where given and family name occur together, false where it is the family name alone.
    pub certain: bool,
}

/// What became of an erasure.
#[derive(Debug, Serialize)]
pub struct Erased {
    /// In the log.
    pub log: Forgotten,
    /// True if the account was removed.
    pub account_removed: bool,
    /// Documents that still name the person: their originals are in the firm's folders.
    pub documents_left: Vec<String>,
    /// Files of the data folder in which the name still stands in clear, relative to it.
    pub files_left: Vec<PathBuf>,
}

impl App {
    /// Looks for a person in documents, registers, mails, models and in the log. `user` is the login of the person's
    /// account.
    ///
    /// # Errors
    /// When the catalog or the log cannot be read.
    pub fn find_person(&self, names: &Names, user: Option<&str>) -> Result<Found, AppError> {
        let account = user.map(|u| self.users.find(u)).transpose()?.flatten();
        let own = |login: &str| {
            self.audit.list(&ListFilter { actor: Some(login.to_owned()), ..ListFilter::default() })
        };
        let own_events = match (&account, user) {
            (Some(account), _) => own(&account.name)?,
            (None, Some(user)) => own(user)?,
            (None, None) => Vec::new(),
        };
        let all = self.audit.list(&ListFilter::default())?;
        let mine = |e: &Entry| own_events.iter().any(|o| o.envelope.seq == e.envelope.seq);
        let named_in = all.into_iter().filter(|e| !mine(e) && names_in(&e.content, names)).collect();
        Ok(Found { account, documents: self.documents_naming(names)?, own_events, named_in })
    }

    /// Documents that name the person: by title, path, metadata, or a passage (pages, rows of registers, parts of
    /// mails, elements).
    fn documents_naming(&self, names: &Names) -> Result<Vec<FoundDocument>, AppError> {
        let scope = self.catalog.all_scope()?;
        let mut found: std::collections::BTreeMap<(String, String), FoundDocument> = Default::default();
        let mut offset = 0;
        loop {
            let filter = DocumentFilter { offset, limit: DOCUMENTS, ..DocumentFilter::default() };
            let (rows, _) = self.catalog.documents(&scope, &filter)?;
            if rows.is_empty() {
                break;
            }
            offset += rows.len() as u64;
            for row in rows {
                let metadata = self.catalog.document_facts(&scope, row.id)?.map(|f| f.metadata);
                let mut texts = vec![("title", row.title.clone()), ("path", row.path.clone())];
                let lines = metadata.into_iter().flatten().map(|(key, value)| format!("{key}: {value}"));
                texts.extend(lines.map(|line| ("metadata", line)));
                let places: Vec<Place> =
                    texts.iter().filter_map(|(place, text)| place_of(place, None, text, names)).collect();
                if !places.is_empty() {
                    found.insert((row.source.clone(), row.path.clone()), named(row, places));
                }
            }
        }
        let ids: Vec<ChunkId> = self.catalog.live_chunk_ids()?.into_iter().collect();
        for some in ids.chunks(PASSAGES) {
            for chunk in self.catalog.live_chunks(&scope, some)? {
                let text = format!("{} {}", chunk.section.join(" "), chunk.text);
                let Some(place) = place_of("passage", Some(chunk.locator), &text, names) else { continue };
                let document = || FoundDocument {
                    source: chunk.source.clone(),
                    path: chunk.path.clone(),
                    project: chunk.project_name.clone(),
                    title: chunk.title.clone(),
                    places: Vec::new(),
                };
                let key = (chunk.source.clone(), chunk.path.clone());
                found.entry(key).or_insert_with(document).places.push(place);
            }
        }
        Ok(found.into_values().collect())
    }

    /// Forgets a person in the log and removes the account; says what still names them. A hold forbids it.
    ///
    /// # Errors
    /// [`AppError::Held`] where a hold covers the person; else when the log or the catalog cannot be written.
    pub fn erase_person(
        &self,
        actor: &Actor,
        names: &Names,
        user: Option<&str>,
        basis: &str,
    ) -> Result<Erased, AppError> {
        let account = user.map(|u| self.users.find(u)).transpose()?.flatten();
        let login = account.as_ref().map(|a| a.name.as_str()).or(user);
        // The texts of others that name the person stand under holds of those others, too.
        let book = self.audit.book()?;
        if let Some(hold) = book.covering(login) {
            return Err(AppError::Held(hold.id.clone(), hold.reason.clone()));
        }
        let found = self.find_person(names, login)?;
        let naming: Vec<u64> = found.named_in.iter().map(|e| e.envelope.seq).collect();
        let log = self.audit.forget(actor, login, &naming, basis)?;
        if let Some(account) = &account {
            self.users.remove(actor, &account.name)?;
        }
        let documents_left = found.documents.iter().map(|d| format!("{}/{}", d.source, d.path)).collect();
        let files_left = if names.is_empty() { Vec::new() } else { self.files_naming(names)? };
        Ok(Erased { log, account_removed: account.is_some(), documents_left, files_left })
    }

    /// Files of the data folder that hold the person's name in clear. Compressed parts of the search index are
    /// derived from the catalog, which is searched.
    fn files_naming(&self, names: &Names) -> Result<Vec<PathBuf>, AppError> {
        let data = &self.config.data;
        let mut out = Vec::new();
        let files = walkdir::WalkDir::new(data).into_iter().filter_map(Result::ok);
        for file in files.filter(|f| f.file_type().is_file()) {
            let failed = |source| AppError::Folder { path: file.path().display().to_string(), source };
            if holds_name(file.path(), names).map_err(failed)? {
                out.push(file.path().strip_prefix(data).unwrap_or(file.path()).to_owned());
            }
        }
        out.sort();
        Ok(out)
    }
}

fn holds_name(path: &Path, names: &Names) -> std::io::Result<bool> {
    use std::io::Read as _;
    let mut file = std::fs::File::open(path)?;
    let mut bytes = Vec::new();
    loop {
        // A name that lies across two pieces is in the end of one that goes along into the next.
        let kept = bytes.len().min(200);
        bytes.drain(..bytes.len() - kept);
        if file.by_ref().take(PIECE as u64).read_to_end(&mut bytes)? == 0 {
            return Ok(false);
        }
        if names.find(&String::from_utf8_lossy(&bytes)) == Some(Match::Certain) {
            return Ok(true);
        }
    }
}

fn named(row: DocumentRow, places: Vec<Place>) -> FoundDocument {
    FoundDocument { source: row.source, path: row.path, project: row.project_name, title: row.title, places }
}

fn place_of(place: &'static str, locator: Option<Locator>, text: &str, names: &Names) -> Option<Place> {
    let certain = names.find(text)? == Match::Certain;
    Some(Place { r#where: place, locator, text: text.chars().take(SHOWN).collect(), certain })
}

/// True if any text of the payload certainly names the person.
fn names_in(content: &Content, names: &Names) -> bool {
    fn texts(value: &Value, names: &Names) -> bool {
        match value {
            Value::String(text) => names.find(text) == Some(Match::Certain),
            Value::Array(list) => list.iter().any(|v| texts(v, names)),
            Value::Object(fields) => fields.values().any(|v| texts(v, names)),
            _ => false,
        }
    }
    match content {
        Content::Clear(payload) => payload.get("event").is_some_and(|event| texts(event, names)),
        _ => false,
    }
}
