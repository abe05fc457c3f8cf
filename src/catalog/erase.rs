//! Taking out of the catalog what was erased, down to the bytes of its file.

use std::fs;
use std::time::{Duration, Instant};

use rusqlite::{OptionalExtension, Row, Transaction, params, params_from_iter};
use serde_json::Value;

use super::{Catalog, CatalogError, ChunkId, DocumentId, sql, words};

/// How long other readers may keep the write-ahead log from being cut off.
const PATIENCE: Duration = Duration::from_secs(20);

/// Says what has to go.
pub trait Scrub {
    /// The text without what has to go, where it holds any.
    fn text(&self, text: &str) -> Option<String>;
    /// As [`Scrub::text`] for words that follow each other.
    fn words(&self, words: &[&str]) -> Option<Vec<String>>;
    /// Takes it out of every text of a value; true where there was any.
    fn value(&self, value: &mut Value) -> bool;
    /// True for a record (its number) or an element (its GlobalId) that has to go.
    fn item(&self, source: &str, path: &str, item: &str) -> bool;
    /// True for a file that nothing may be known of.
    fn path(&self, source: &str, path: &str) -> bool;
}

/// What of a document held something that has to go.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Scrubbed {
    /// Version that readers see, which names its drawn pages.
    pub version: String,
    /// Chunks with another text.
    pub changed: Vec<ChunkId>,
    /// Chunks of records and elements that go whole.
    pub dropped: Vec<ChunkId>,
    /// Records and elements that go whole.
    pub items: u64,
    /// Rows of all other sorts with other texts.
    pub rows: u64,
}

impl Scrubbed {
    /// True where there was nothing.
    pub fn is_empty(&self) -> bool {
        self.changed.is_empty() && self.dropped.is_empty() && self.items == 0 && self.rows == 0
    }
}

/// A table whose rows belong to a generation: text columns, JSON columns.
type Table = (&'static str, &'static [&'static str], &'static [&'static str]);

const TABLES: [Table; 6] = [
    ("chunks", &["text"], &["section"]),
    ("elements", &["name", "type", "storey"], &["body"]),
    ("spatial", &[], &["body"]),
    ("records", &["number"], &["body"]),
    ("facts", &["subject", "element", "element_key", "label", "value", "cell"], &[]),
    ("pages", &["text"], &["tables"]),
];

impl Catalog {
    /// What of a document's live version has to go; with `write` it is taken out, in one transaction. The index is
    /// to be told of the chunks. `None` where the document has no live version.
    ///
    /// # Errors
    /// The catalog cannot be read or written.
    pub fn scrub(
        &self,
        id: DocumentId,
        scrub: &dyn Scrub,
        write: bool,
    ) -> Result<Option<Scrubbed>, CatalogError> {
        self.write(|t| {
            let live = t
                .query_row(
                    "SELECT g.id, g.version, d.source, d.path FROM documents d
                     JOIN generations g ON g.id = d.live WHERE d.id = ?1",
                    [id],
                    |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)),
                )
                .optional()?;
            let Some((generation, version, source, path)) = live else { return Ok(None) };
            let (source, path): (String, String) = (source, path);
            let mut found = Scrubbed { version, ..Scrubbed::default() };
            items(t, generation, (&source, &path), scrub, write, &mut found)?;
            for table in TABLES {
                let changed = rows(t, table, "generation = ?1", generation, scrub, write)?;
                match table.0 {
                    "chunks" => {
                        let gone = |id: &i64| found.dropped.contains(&ChunkId(*id));
                        found.changed = changed.into_iter().filter(|id| !gone(id)).map(ChunkId).collect();
                    }
                    _ => found.rows += changed.len() as u64,
                }
            }
            found.rows += page_words(t, generation, scrub, write)?;
            found.rows += mail_keys(t, generation, scrub, write)?;
            let whole = ("generations", &["title"][..], &["metadata", "warnings", "changes"][..]);
            found.rows += rows(t, whole, "id = ?1", generation, scrub, write)?.len() as u64;
            Ok::<_, CatalogError>(Some(found))
        })
    }

    /// Forgets what earlier runs noted about what has to go, removes copies of the catalog that earlier versions of the
    /// program left beside it, and writes the file anew, so that nothing that was ever taken out is left in its free
    /// space. Takes as much memory as the catalog is large.
    ///
    /// # Errors
    /// The catalog cannot be written, or somebody keeps reading it.
    pub fn expunge(&self, scrub: &dyn Scrub) -> Result<(), CatalogError> {
        self.write(|t| {
            forget_files(t, "rejections", scrub)?;
            forget_files(t, "run_rejected", scrub)?;
            summaries(t, scrub)
        })?;
        let Some(path) = self.path() else { return Ok(()) };
        self.remove_copies(path)?;
        self.alone(|c| {
            c.execute_batch("VACUUM")?;
            let patience = Instant::now() + PATIENCE;
            loop {
                let busy: i64 = c.query_row("PRAGMA wal_checkpoint(TRUNCATE)", [], |row| row.get(0))?;
                match busy {
                    0 => return Ok(()),
                    _ if Instant::now() < patience => std::thread::sleep(Duration::from_millis(50)),
                    _ => return Err(CatalogError::Busy),
                }
            }
        })
    }

    fn remove_copies(&self, path: &std::path::Path) -> Result<(), CatalogError> {
        let failed = |source| CatalogError::Copies { path: path.to_owned(), source };
        let start = format!("{}.before-schema-", path.file_name().unwrap_or_default().to_string_lossy());
        let folder = path.parent().unwrap_or(std::path::Path::new("."));
        for file in fs::read_dir(folder).map_err(failed)? {
            let file = file.map_err(failed)?;
            if file.file_name().to_string_lossy().starts_with(&start) {
                fs::remove_file(file.path()).map_err(failed)?;
            }
        }
        Ok(())
    }
}

/// Records and elements that go whole, with their chunks.
fn items(
    t: &Transaction<'_>,
    generation: i64,
    (source, path): (&str, &str),
    scrub: &dyn Scrub,
    write: bool,
    found: &mut Scrubbed,
) -> rusqlite::Result<()> {
    for (table, column, count) in [("records", "number", "records"), ("elements", "global_id", "elements")] {
        let query = format!("SELECT rowid, {column} FROM {table} WHERE generation = ?1");
        let gone: Vec<i64> = t
            .prepare(&query)?
            .query_map([generation], |row| Ok((row.get(0)?, row.get(1)?)))?
            .collect::<rusqlite::Result<Vec<(i64, String)>>>()?
            .into_iter()
            .filter(|(_, item)| scrub.item(source, path, item))
            .map(|(id, _)| id)
            .collect();
        found.items += gone.len() as u64;
        if write && !gone.is_empty() {
            t.execute(
                &format!("DELETE FROM {table} WHERE rowid IN (SELECT value FROM json_each(?1))"),
                [sql::ids(gone.iter().copied())],
            )?;
            t.execute(
                &format!("UPDATE generations SET {count} = {count} - ?2 WHERE id = ?1"),
                params![generation, gone.len() as i64],
            )?;
        }
    }
    let named = "SELECT id, coalesce(json_extract(locator, '$.record'), json_extract(locator, '$.global_id'))
         AS item FROM chunks WHERE generation = ?1 AND item IS NOT NULL";
    let chunks: Vec<(i64, String)> = t
        .prepare(named)?
        .query_map([generation], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let gone =
        chunks.into_iter().filter(|(_, item)| scrub.item(source, path, item)).map(|(id, _)| ChunkId(id));
    found.dropped = gone.collect();
    if write && !found.dropped.is_empty() {
        let ids = sql::ids(found.dropped.iter().map(|id| id.0));
        t.execute("DELETE FROM chunks WHERE id IN (SELECT value FROM json_each(?1))", [ids])?;
        t.execute(
            "UPDATE generations SET chunks = chunks - ?2 WHERE id = ?1",
            params![generation, found.dropped.len() as i64],
        )?;
    }
    Ok(())
}

/// Rows whose texts hold what has to go, by rowid.
fn rows(
    t: &Transaction<'_>,
    (table, texts, values): Table,
    of: &str,
    generation: i64,
    scrub: &dyn Scrub,
    write: bool,
) -> rusqlite::Result<Vec<i64>> {
    let columns: Vec<&str> = texts.iter().chain(values).copied().collect();
    let query = format!("SELECT rowid, {} FROM {table} WHERE {of}", columns.join(", "));
    let mut changed = Vec::new();
    let mut statement = t.prepare_cached(&query)?;
    let mut found = statement.query([generation])?;
    while let Some(row) = found.next()? {
        let mut any = false;
        let mut new: Vec<Option<String>> = Vec::with_capacity(columns.len());
        for (n, _) in columns.iter().enumerate() {
            let old: Option<String> = row.get(n + 1)?;
            let cleaned = old.as_deref().and_then(|old| match n < texts.len() {
                true => scrub.text(old),
                false => cleaned(old, scrub),
            });
            any |= cleaned.is_some();
            new.push(cleaned.or(old));
        }
        if any {
            changed.push((row.get::<_, i64>(0)?, new));
        }
    }
    drop(found);
    if write && !changed.is_empty() {
        let set: Vec<String> = columns.iter().enumerate().map(|(n, c)| format!("{c} = ?{}", n + 2)).collect();
        let mut update = t.prepare(&format!("UPDATE {table} SET {} WHERE rowid = ?1", set.join(", ")))?;
        for (id, new) in &changed {
            let id = rusqlite::types::Value::Integer(*id);
            let new = new.iter().cloned().map(rusqlite::types::Value::from);
            update.execute(params_from_iter(std::iter::once(id).chain(new)))?;
        }
    }
    Ok(changed.into_iter().map(|(id, _)| id).collect())
}

/// A JSON text without what has to go, where it holds any.
fn cleaned(json: &str, scrub: &dyn Scrub) -> Option<String> {
    let mut value: Value = serde_json::from_str(json).ok()?;
    scrub.value(&mut value).then(|| value.to_string())
}

fn page_words(t: &Transaction<'_>, generation: i64, scrub: &dyn Scrub, write: bool) -> rusqlite::Result<u64> {
    let pages: Vec<(i64, Vec<u8>)> = t
        .prepare_cached("SELECT number, words FROM pages WHERE generation = ?1")?
        .query_map([generation], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    let mut changed = 0;
    for (number, packed) in pages {
        // A page whose words cannot be read shows none, whatever they are: it goes without them.
        let mut list = words::unpack(&packed).unwrap_or_default();
        let texts: Vec<&str> = list.iter().map(|w| w.text.as_str()).collect();
        let Some(new) = scrub.words(&texts) else { continue };
        changed += 1;
        for (word, text) in list.iter_mut().zip(new) {
            word.text = text;
        }
        if write {
            t.prepare_cached("UPDATE pages SET words = ?3 WHERE generation = ?1 AND number = ?2")?
                .execute(params![generation, number, words::pack(&list)])?;
        }
    }
    Ok(changed)
}

/// What joins mails: a key with a name in it joins none any more.
fn mail_keys(t: &Transaction<'_>, generation: i64, scrub: &dyn Scrub, write: bool) -> rusqlite::Result<u64> {
    let keys: Vec<String> = t
        .prepare_cached("SELECT key FROM mail_keys WHERE generation = ?1")?
        .query_map([generation], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    let gone: Vec<&String> = keys.iter().filter(|key| scrub.text(key).is_some()).collect();
    if write {
        for key in &gone {
            t.prepare_cached("DELETE FROM mail_keys WHERE generation = ?1 AND key = ?2")?
                .execute(params![generation, key])?;
        }
    }
    Ok(gone.len() as u64)
}

/// Removes rows about files that nothing may be known of, and names in the others' reasons.
fn forget_files(t: &Transaction<'_>, table: &str, scrub: &dyn Scrub) -> rusqlite::Result<()> {
    let all: Vec<(i64, String, String, String)> = t
        .prepare(&format!("SELECT rowid, source, path, reason FROM {table}"))?
        .query_map([], |row: &Row<'_>| Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (id, source, path, reason) in all {
        if scrub.path(&source, &path) || scrub.text(&path).is_some() {
            t.execute(&format!("DELETE FROM {table} WHERE rowid = ?1"), [id])?;
        } else if let Some(reason) = scrub.text(&reason) {
            t.execute(&format!("UPDATE {table} SET reason = ?2 WHERE rowid = ?1"), params![id, reason])?;
        }
    }
    Ok(())
}

/// What runs told.
fn summaries(t: &Transaction<'_>, scrub: &dyn Scrub) -> Result<(), CatalogError> {
    let all: Vec<(i64, String)> = t
        .prepare("SELECT id, summary FROM runs WHERE summary IS NOT NULL")?
        .query_map([], |row| Ok((row.get(0)?, row.get(1)?)))?
        .collect::<rusqlite::Result<_>>()?;
    for (id, summary) in all {
        let Ok(mut value) = serde_json::from_str::<Value>(&summary) else { continue };
        let listed = drop_files(&mut value, scrub);
        if scrub.value(&mut value) | listed {
            t.execute("UPDATE runs SET summary = ?2 WHERE id = ?1", params![id, value.to_string()])?;
        }
    }
    Ok(())
}

/// Takes the entries of files that nothing may be known of out of every list.
fn drop_files(value: &mut Value, scrub: &dyn Scrub) -> bool {
    let is_file = |v: &Value| {
        let text = |key: &str| v.get(key).and_then(Value::as_str);
        text("source").zip(text("path")).is_some_and(|(source, path)| scrub.path(source, path))
    };
    match value {
        Value::Array(list) => {
            let before = list.len();
            list.retain(|v| !is_file(v));
            let any = before != list.len();
            list.iter_mut().fold(any, |any, v| drop_files(v, scrub) | any)
        }
        Value::Object(fields) => fields.values_mut().fold(false, |any, v| drop_files(v, scrub) | any),
        _ => false,
    }
}
