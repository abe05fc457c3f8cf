//! Requests of a person: where the appliance knows them from, and erasing them.

mod erase;
mod scan;

use std::collections::{BTreeMap, BTreeSet};

use ingest::Locator;
use serde::Serialize;
use serde_json::Value;

use super::{App, AppError};
use crate::audit::{Content, Entry, ListFilter};
use crate::auth::UserRow;
use crate::catalog::{ChunkId, DocumentFilter, DocumentRow};
use crate::erasure::{Match, Names};

pub use erase::{Erased, Plan, Wish};
pub use scan::Proof;

/// Chunks that are looked at together.
const PASSAGES: usize = 500;
/// Documents that are looked at together.
const DOCUMENTS: u64 = 500;
/// Most characters of a passage that are shown.
const SHOWN: usize = 400;

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
    /// `title`, `path`, `metadata`, `passage`, `element`, `record`, `page`, `fact` or `spatial`.
    pub r#where: &'static str,
    /// The place, for a passage.
    pub locator: Option<Locator>,
    /// The text, cut where it is long.
    pub text: String,
    /// True where given and family name occur together, false where it is the family name alone.
    pub certain: bool,
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

    /// Documents that name the person: by title, path, metadata, a passage, or anything else that the catalog has of
    /// them (owners of elements, people in records, pages). The same text in the same sort of place is told once.
    fn documents_naming(&self, names: &Names) -> Result<Vec<FoundDocument>, AppError> {
        let scope = self.catalog.all_scope()?;
        let mut found: BTreeMap<(String, String), FoundDocument> = BTreeMap::new();
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
                let mut places: Vec<Place> =
                    texts.iter().filter_map(|(place, text)| place_of(place, None, text, names)).collect();
                let mut told = BTreeSet::new();
                self.catalog.each_text(row.id, &mut |place, text| {
                    if let Some(found) = place_of(place, None, text, names)
                        && told.insert((place, found.text.clone()))
                    {
                        places.push(found);
                    }
                })?;
                if !places.is_empty() {
                    found.insert((row.source.clone(), row.path.clone()), named(row, places));
                }
            }
        }
        self.passages_naming(names, &mut found)?;
        Ok(found.into_values().collect())
    }

    fn passages_naming(
        &self,
        names: &Names,
        found: &mut BTreeMap<(String, String), FoundDocument>,
    ) -> Result<(), AppError> {
        let scope = self.catalog.all_scope()?;
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
        Ok(())
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
