//! How a staged generation becomes visible, and how what it replaced goes away.

use std::collections::BTreeSet;

use rusqlite::{OptionalExtension, Transaction, params};

use super::{Catalog, CatalogError, ChunkId, DocumentId, ProjectId, Staged, sql};

/// Left behind by a run that was cut off: delete these chunks from the index, then purge them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unfinished {
    /// The document.
    pub document: DocumentId,
    /// The generation that was never committed, or was replaced and never purged.
    pub generation: i64,
    /// Its chunks.
    pub chunks: Vec<ChunkId>,
    /// True where the document itself was removed, so that the audit log may lack its end.
    pub removed: bool,
}

/// A live version that the audit log may lack.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Unlogged {
    /// The document.
    pub document: DocumentId,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Number of its chunks.
    pub chunks: u64,
}

/// What a removal took away, for the index and for the audit log.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Removed {
    /// The document.
    pub document: DocumentId,
    /// The project that it stood under.
    pub project: ProjectId,
    /// Its version; empty where none was ever live.
    pub version: String,
    /// Its chunks: delete from the index, then purge.
    pub chunks: Vec<ChunkId>,
}

/// What a commit put out of sight.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Replaced {
    /// Chunks of versions that were replaced: delete from the index, then purge.
    pub chunks: Vec<ChunkId>,
    /// Documents that went with it.
    pub removed: Vec<Removed>,
}

impl Catalog {
    /// Makes a staged generation the live one. Gives the chunks of the version it replaced.
    ///
    /// # Errors
    /// [`CatalogError::Stale`] where another version was committed or the document removed since it
    /// was staged; or the catalog cannot be written. Nothing has changed then.
    pub fn commit(&self, staged: &Staged) -> Result<Vec<ChunkId>, CatalogError> {
        Ok(self.commit_all(std::slice::from_ref(staged), &[])?.chunks)
    }

    /// As [`Catalog::commit`], for several at once, and removes documents (attachments that a mail no
    /// longer has) in the same transaction: readers see all of it or nothing. Gives the chunks of all
    /// that was replaced or removed.
    ///
    /// # Errors
    /// As for one; a single stale generation stops all.
    pub fn commit_all(&self, staged: &[Staged], gone: &[DocumentId]) -> Result<Replaced, CatalogError> {
        self.write(|t| {
            let mut replaced = Replaced::default();
            for one in staged {
                replaced.chunks.extend(commit(t, one)?);
            }
            for document in gone {
                replaced.removed.push(remove(t, *document)?);
            }
            Ok(replaced)
        })
    }

    /// Gives up a staged generation. Its chunks are to be deleted from the index and purged.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn abandon(&self, staged: &Staged) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "UPDATE generations SET state = 'replaced' WHERE id = ?1 AND state = 'staged'",
                [staged.generation],
            )?;
            Ok(())
        })
    }

    /// Takes a document and those inside it out of every reader's sight; the document comes first.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn remove(&self, id: DocumentId) -> Result<Vec<Removed>, CatalogError> {
        self.write(|t| {
            let mut family = t.prepare_cached(
                "WITH RECURSIVE family (id, depth) AS (
                     SELECT ?1, 0 UNION SELECT d.id, depth + 1 FROM documents d JOIN family f ON d.parent = f.id)
                 SELECT id FROM family ORDER BY depth, id",
            )?;
            let documents: Vec<DocumentId> =
                family.query_map([id], |row| row.get(0))?.collect::<rusqlite::Result<_>>()?;
            documents.into_iter().map(|document| Ok(remove(t, document)?)).collect()
        })
    }

    /// Forgets these chunks, except live ones, then every replaced generation and removed document
    /// that has none left. To be called after the index has durably forgotten them.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn purge(&self, chunks: &[ChunkId]) -> Result<(), CatalogError> {
        self.write(|t| {
            t.prepare_cached(
                "DELETE FROM chunks WHERE id IN (SELECT value FROM json_each(?1))
                 AND NOT EXISTS (SELECT 1 FROM documents d WHERE d.live = chunks.generation)",
            )?
            .execute([sql::ids(chunks.iter().map(|id| id.0))])?;
            t.prepare_cached(
                "DELETE FROM generations WHERE state = 'replaced'
                 AND NOT EXISTS (SELECT 1 FROM chunks c WHERE c.generation = generations.id)",
            )?
            .execute([])?;
            let mut empty = t.prepare_cached(
                "DELETE FROM documents WHERE live IS NULL
                 AND NOT EXISTS (SELECT 1 FROM generations g WHERE g.document = documents.id)
                 AND NOT EXISTS (SELECT 1 FROM documents child WHERE child.parent = documents.id)",
            )?;
            while empty.execute([])? > 0 {} // children first, then their parents
            Ok(())
        })
    }

    /// Gives up every staged generation and lists everything that is waiting to be purged. Only for
    /// the start of a run, before it stages anything.
    ///
    /// # Errors
    /// The catalog cannot be read or written.
    pub fn unfinished(&self) -> Result<Vec<Unfinished>, CatalogError> {
        self.write(|t| {
            t.execute("UPDATE generations SET state = 'replaced' WHERE state = 'staged'", [])?;
            let mut statement = t.prepare(
                "SELECT g.id, d.id, d.removed FROM generations g JOIN documents d ON d.id = g.document
                 WHERE g.state = 'replaced' ORDER BY g.id",
            )?;
            let rows = statement.query_map([], |row| Ok((row.get(0)?, row.get(1)?, row.get(2)?)))?;
            let mut unfinished = Vec::new();
            for row in rows {
                let (generation, document, removed) = row?;
                unfinished.push(Unfinished { document, generation, chunks: chunks(t, generation)?, removed });
            }
            Ok(unfinished)
        })
    }

    /// The versions of all live documents.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn live_versions(&self) -> Result<BTreeSet<String>, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT g.version FROM documents d JOIN generations g ON g.id = d.live")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    /// Live versions that were committed and not yet noted as logged.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn unlogged(&self) -> Result<Vec<Unlogged>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT document, sha256, chunks FROM generations WHERE state = 'live' AND logged = 0 ORDER BY id",
            )?
            .query_map([], |row| {
                Ok(Unlogged {
                    document: row.get("document")?,
                    sha256: row.get("sha256")?,
                    chunks: sql::count(row, "chunks")?,
                })
            })?
            .collect()
        })
    }

    /// Notes that the audit log has the live versions of these documents.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn set_logged(&self, documents: &[DocumentId]) -> Result<(), CatalogError> {
        self.write(|t| {
            t.prepare_cached(
                "UPDATE generations SET logged = 1 WHERE state = 'live' AND logged = 0
                 AND document IN (SELECT value FROM json_each(?1))",
            )?
            .execute([sql::ids(documents.iter().map(|id| id.0))])?;
            Ok(())
        })
    }

    /// Gives a document another path in its source, and those inside it with it. The version stays.
    /// A title that was only the file's name follows.
    ///
    /// # Errors
    /// The catalog cannot be written, or another document has that path.
    pub fn move_document(
        &self,
        id: DocumentId,
        path: &str,
        stamp: super::FileStamp,
    ) -> Result<(), CatalogError> {
        self.write(|t| {
            let old: String =
                t.query_row("SELECT path FROM documents WHERE id = ?1", [id], |row| row.get(0))?;
            t.execute("UPDATE documents SET path = ?2 WHERE id = ?1", params![id, path])?;
            t.execute(
                "UPDATE documents SET path = ?2 || substr(path, ?3)
                 WHERE parent = ?1 AND removed = 0 AND substr(path, 1, ?3 - 1) = ?4",
                params![id, path, old.chars().count() as i64 + 1, old],
            )?;
            t.execute(
                "UPDATE rejections SET path = ?2 || substr(path, ?3)
                 WHERE source = (SELECT source FROM documents WHERE id = ?1) AND substr(path, 1, ?3) = ?4 || '/'",
                params![id, path, old.chars().count() as i64 + 1, old],
            )?;
            for name in [file_name, file_stem] {
                t.execute(
                    "UPDATE generations SET title = ?3 WHERE document = ?1 AND state = 'live' AND title = ?2",
                    params![id, name(&old), name(path)],
                )?;
            }
            super::files::stamp(t, id, stamp)?;
            Ok(())
        })
    }
}

fn commit(t: &Transaction<'_>, staged: &Staged) -> Result<Vec<ChunkId>, CatalogError> {
    let stale = || CatalogError::Stale { document: staged.document, generation: staged.generation };
    let base: Option<i64> = t
        .prepare_cached(
            "SELECT d.live FROM generations g JOIN documents d ON d.id = g.document
             WHERE g.id = ?1 AND g.document = ?2 AND g.state = 'staged' AND g.base IS d.live AND d.removed = 0",
        )?
        .query_row(params![staged.generation, staged.document], |row| row.get(0))
        .optional()?
        .ok_or_else(stale)?;
    t.prepare_cached("UPDATE generations SET state = 'live', committed_at = ?2 WHERE id = ?1")?
        .execute(params![staged.generation, sql::now()])?;
    t.prepare_cached(
        "UPDATE documents SET live = g.id, project = g.project, acl = g.acl FROM generations g
         WHERE g.id = ?1 AND documents.id = g.document",
    )?
    .execute([staged.generation])?;
    t.prepare_cached(
        "DELETE FROM rejections WHERE (source, path) = (SELECT source, path FROM documents WHERE id = ?1)",
    )?
    .execute([staged.document])?;
    let Some(base) = base else { return Ok(Vec::new()) };
    t.prepare_cached("UPDATE generations SET state = 'replaced' WHERE id = ?1")?.execute([base])?;
    Ok(chunks(t, base)?)
}

fn remove(t: &Transaction<'_>, document: DocumentId) -> rusqlite::Result<Removed> {
    let (project, version): (ProjectId, Option<String>) = t
        .prepare_cached(
            "SELECT d.project, g.version FROM documents d LEFT JOIN generations g ON g.id = d.live WHERE d.id = ?1",
        )?
        .query_row([document], |row| Ok((row.get(0)?, row.get(1)?)))?;
    t.prepare_cached("UPDATE documents SET live = NULL, removed = 1 WHERE id = ?1")?.execute([document])?;
    t.prepare_cached("UPDATE generations SET state = 'replaced' WHERE document = ?1")?.execute([document])?;
    let chunks = t
        .prepare_cached(
            "SELECT c.id FROM generations g JOIN chunks c ON c.generation = g.id WHERE g.document = ?1",
        )?
        .query_map([document], |row| row.get(0))?
        .collect::<rusqlite::Result<_>>()?;
    Ok(Removed { document, project, version: version.unwrap_or_default(), chunks })
}

fn chunks(t: &Transaction<'_>, generation: i64) -> rusqlite::Result<Vec<ChunkId>> {
    t.prepare_cached("SELECT id FROM chunks WHERE generation = ?1 ORDER BY ordinal")?
        .query_map([generation], |row| row.get(0))?
        .collect()
}

fn file_name(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

fn file_stem(path: &str) -> &str {
    let name = file_name(path);
    name.rsplit_once('.').map_or(name, |(stem, _)| stem)
}
