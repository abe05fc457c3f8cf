use ingest::{Chunk, Document};
use rusqlite::{OptionalExtension, Transaction, params};

use super::{
    Catalog, CatalogError, ChunkId, DocumentId, FileStamp, ModelChanges, ProjectId, elements, facts, mails,
    pages, records, sql,
};
use crate::scope::AclId;

/// A reading of a file, ready to be staged.
#[derive(Debug, Clone, Copy)]
pub struct NewVersion<'a> {
    /// Name of the source.
    pub source: &'a str,
    /// Path relative to the source's folder, with `/`.
    pub path: &'a str,
    /// Project it will belong to.
    pub project: ProjectId,
    /// Access list it will stand under.
    pub acl: AclId,
    /// The mail that carries it.
    pub parent: Option<DocumentId>,
    /// `<SHA-256 in hex>-r<reader version>`.
    pub version: &'a str,
    /// SHA-256 of the model that made the vectors; `None` where there are none.
    pub embedder: Option<&'a str>,
    /// SHA-256 of the bytes, in hex.
    pub sha256: &'a str,
    /// What the file system said when the bytes were read.
    pub stamp: FileStamp,
    /// What the reader made of them.
    pub document: &'a Document,
    /// Of a model, what changed since the version before.
    pub changes: Option<&'a ModelChanges>,
    /// Its passages.
    pub chunks: &'a [Chunk],
}

/// A generation that no reader sees yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Staged {
    /// The document.
    pub document: DocumentId,
    /// The generation.
    pub generation: i64,
    /// Ids of its chunks, in their order.
    pub chunks: Vec<ChunkId>,
}

impl Catalog {
    /// Writes a reading as a new generation beside the live one. Readers see no difference.
    ///
    /// # Errors
    /// The catalog cannot be written; nothing was staged.
    pub fn stage(&self, new: &NewVersion<'_>) -> Result<Staged, CatalogError> {
        self.write(|t| stage(t, new, new.parent))
    }

    /// Like [`Catalog::stage`] for many, in one transaction and in their order. The first of each group is
    /// the document that the others of it lie inside.
    ///
    /// # Errors
    /// The catalog cannot be written; nothing was staged.
    pub fn stage_all(&self, groups: &[Vec<NewVersion<'_>>]) -> Result<Vec<Staged>, CatalogError> {
        self.write(|t| {
            let mut all = Vec::new();
            for group in groups {
                let mut parent = None;
                for new in group {
                    let staged = stage(t, new, parent)?;
                    parent = parent.or(Some(staged.document));
                    all.push(staged);
                }
            }
            Ok(all)
        })
    }
}

fn stage(
    t: &Transaction<'_>,
    new: &NewVersion<'_>,
    parent: Option<DocumentId>,
) -> Result<Staged, CatalogError> {
    let (document, base) = document(t, new, parent)?;
    let generation = generation(t, new, document, base)?;
    pages::insert(t, generation, &new.document.pages)?;
    elements::insert(t, generation, &new.document.elements)?;
    elements::insert_spatial(t, generation, &new.document.spatial)?;
    records::insert(t, generation, &new.document.records)?;
    facts::insert(t, generation, &new.document.facts)?;
    mails::insert(t, generation, new.document)?;
    let chunks = chunks(t, generation, new.chunks)?;
    Ok(Staged { document, generation, chunks })
}

/// The document's id and live generation; a new row where the path is new.
fn document(
    t: &Transaction<'_>,
    new: &NewVersion<'_>,
    parent: Option<DocumentId>,
) -> rusqlite::Result<(DocumentId, Option<i64>)> {
    let known = t
        .prepare_cached("SELECT id, live FROM documents WHERE source = ?1 AND path = ?2 AND removed = 0")?
        .query_row(params![new.source, new.path], |row| Ok((row.get(0)?, row.get(1)?)))
        .optional()?;
    if let Some(known) = known {
        return Ok(known);
    }
    t.prepare_cached(
        "INSERT INTO documents (source, path, project, acl, parent) VALUES (?1, ?2, ?3, ?4, ?5)",
    )?
    .execute(params![new.source, new.path, new.project, new.acl.0, parent])?;
    Ok((DocumentId(t.last_insert_rowid()), None))
}

fn generation(
    t: &Transaction<'_>,
    new: &NewVersion<'_>,
    document: DocumentId,
    base: Option<i64>,
) -> rusqlite::Result<i64> {
    let read = new.document;
    t.prepare_cached(
        "INSERT INTO generations (document, base, project, acl, state, version, embedder, sha256, size,
             mtime_ns, ctime_ns, inode, kind, title, metadata, warnings, pages, chunks, elements, records,
             staged_at, changes)
         VALUES (?1, ?2, ?3, ?4, 'staged', ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,
             ?19, ?20, ?21)",
    )?
    .execute(params![
        document,
        base,
        new.project,
        new.acl.0,
        new.version,
        new.embedder,
        new.sha256,
        sql::int(new.stamp.size),
        new.stamp.mtime_ns,
        new.stamp.ctime_ns,
        new.stamp.inode_bits(),
        read.kind.as_str(),
        read.title,
        sql::json(&read.metadata)?,
        sql::json(&read.warnings)?,
        sql::int(read.pages.len() as u64),
        sql::int(new.chunks.len() as u64),
        sql::int(read.elements.len() as u64),
        sql::int(read.records.len() as u64),
        sql::now(),
        new.changes.map(sql::json).transpose()?,
    ])?;
    Ok(t.last_insert_rowid())
}

fn chunks(t: &Transaction<'_>, generation: i64, chunks: &[Chunk]) -> rusqlite::Result<Vec<ChunkId>> {
    let mut insert = t.prepare_cached(
        "INSERT INTO chunks (generation, ordinal, kind, locator, section, text, language)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7)",
    )?;
    let mut ids = Vec::with_capacity(chunks.len());
    for chunk in chunks {
        insert.execute(params![
            generation,
            chunk.ordinal,
            chunk.kind.as_str(),
            sql::json(&chunk.locator)?,
            sql::json(&chunk.section)?,
            chunk.text,
            chunk.language.map(|l| l.as_str()),
        ])?;
        ids.push(ChunkId(t.last_insert_rowid()));
    }
    Ok(ids)
}
