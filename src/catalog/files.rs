//! What the last run saw of each file, so that the next one reads only what changed.

use std::collections::HashMap;

use rusqlite::{OptionalExtension, Row, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::AclId;

/// What a file system says about a file. Equal stamps mean: not touched.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct FileStamp {
    /// Size in bytes.
    pub size: u64,
    /// Last change of the contents, in nanoseconds since 1970.
    pub mtime_ns: i64,
    /// Last change of contents or attributes, in nanoseconds since 1970.
    pub ctime_ns: i64,
    /// Inode number.
    pub inode: u64,
}

impl FileStamp {
    /// The inode as SQLite keeps it: the same 64 bits, signed.
    pub(super) fn inode_bits(self) -> i64 {
        self.inode.cast_signed()
    }

    fn of(row: &Row<'_>) -> rusqlite::Result<Self> {
        Ok(FileStamp {
            size: sql::count(row, "size")?,
            mtime_ns: row.get("mtime_ns")?,
            ctime_ns: row.get("ctime_ns")?,
            inode: row.get::<_, i64>("inode")?.cast_unsigned(),
        })
    }
}

/// A document as the last run left it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileState {
    /// The document.
    pub document: DocumentId,
    /// What the file system said.
    pub stamp: FileStamp,
    /// SHA-256 of its bytes, in hex.
    pub sha256: String,
    /// Version: hash and reader version.
    pub version: String,
    /// The model that made its vectors.
    pub embedder: Option<String>,
    /// Project it stands under.
    pub project: ProjectId,
    /// Access list it stands under.
    pub acl: AclId,
    /// Languages in which its pages that are images were read, `none` where they were not; `None` where it
    /// has no such pages. See [`ingest::OCR_LANGUAGES`].
    pub ocr: Option<String>,
}

/// A file that cannot be read as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rejection {
    /// What the file system said.
    pub stamp: FileStamp,
    /// Reader version and limits that it was tried with.
    pub reader: String,
    /// Stable identifier of the reason.
    pub code: String,
    /// The reason, for the administrator.
    pub reason: String,
    /// Runs that tried it as it is, this one included; [`Catalog::reject`] counts.
    pub attempts: u32,
}

impl Catalog {
    /// Every live document of a source that is a file of its own, by path.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn file_states(&self, source: &str) -> Result<HashMap<String, FileState>, CatalogError> {
        self.states("d.source = ?1 AND d.removed = 0 AND d.parent IS NULL", source)
    }

    /// The live documents inside this one, by path.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn child_states(&self, parent: DocumentId) -> Result<HashMap<String, FileState>, CatalogError> {
        self.states("d.parent = ?1", parent)
    }

    /// How many live documents each document of a source carries inside it.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn child_counts(&self, source: &str) -> Result<HashMap<DocumentId, u64>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT parent, count(*) AS n FROM documents
                 WHERE source = ?1 AND removed = 0 AND parent IS NOT NULL AND live IS NOT NULL GROUP BY parent",
            )?
            .query_map([source], |row| Ok((row.get("parent")?, sql::count(row, "n")?)))?
            .collect()
        })
    }

    /// Live documents whose vectors were not made by this model.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn embedded_otherwise(&self, embedder: &str) -> Result<Vec<DocumentId>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT d.id FROM documents d JOIN generations g ON g.id = d.live
                 WHERE g.embedder IS NOT ?1 ORDER BY d.id",
            )?
            .query_map([embedder], |row| row.get(0))?
            .collect()
        })
    }

    fn states(
        &self,
        condition: &str,
        value: impl rusqlite::ToSql,
    ) -> Result<HashMap<String, FileState>, CatalogError> {
        let query = format!(
            "SELECT d.id, d.path, d.project, d.acl, g.size, g.mtime_ns, g.ctime_ns, g.inode, g.sha256,
                    g.version, g.embedder, json_extract(g.metadata, '$.{ocr}') AS ocr
             FROM documents d JOIN generations g ON g.id = d.live WHERE {condition}",
            ocr = ingest::OCR_LANGUAGES,
        );
        self.read(|c| {
            let mut statement = c.prepare_cached(&query)?;
            let rows = statement.query_map([value], |row| {
                let state = FileState {
                    document: row.get("id")?,
                    stamp: FileStamp::of(row)?,
                    sha256: row.get("sha256")?,
                    version: row.get("version")?,
                    embedder: row.get("embedder")?,
                    project: row.get("project")?,
                    acl: AclId(row.get("acl")?),
                    ocr: row.get("ocr")?,
                };
                Ok((row.get("path")?, state))
            })?;
            rows.collect()
        })
    }

    /// Names of all sources that have documents or rejected files.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn known_sources(&self) -> Result<Vec<String>, CatalogError> {
        self.read(|c| {
            c.prepare("SELECT source FROM documents WHERE removed = 0 UNION SELECT source FROM rejections")?
                .query_map([], |row| row.get(0))?
                .collect()
        })
    }

    /// Notes new stamps for unchanged bytes.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn restamp(&self, files: &[(DocumentId, FileStamp)]) -> Result<(), CatalogError> {
        self.write(|t| Ok(files.iter().try_for_each(|(id, new)| stamp(t, *id, *new))?))
    }

    /// Notes that the vectors of a document's live version were made by this model.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn set_embedder(&self, id: DocumentId, embedder: Option<&str>) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "UPDATE generations SET embedder = ?2 WHERE id = (SELECT live FROM documents WHERE id = ?1)",
                params![id, embedder],
            )?;
            Ok(())
        })
    }

    /// The rejected files of a source, by path; attachments stand under `mail/attachment`.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn rejections(&self, source: &str) -> Result<HashMap<String, Rejection>, CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached("SELECT * FROM rejections WHERE source = ?1")?;
            let rows = statement.query_map([source], |row| {
                let rejection = Rejection {
                    stamp: FileStamp::of(row)?,
                    reader: row.get("reader")?,
                    code: row.get("code")?,
                    reason: row.get("reason")?,
                    attempts: row.get("attempts")?,
                };
                Ok((row.get("path")?, rejection))
            })?;
            rows.collect()
        })
    }

    /// Keeps a rejected file in mind until it changes, can be read, or is gone. Gives how many runs have
    /// now tried it as it is.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn reject(&self, source: &str, path: &str, rejection: &Rejection) -> Result<u32, CatalogError> {
        self.write(|t| {
            t.prepare_cached(
                "INSERT INTO rejections (source, path, size, mtime_ns, ctime_ns, inode, reader, code, reason,
                     first_seen)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10)
                 ON CONFLICT (source, path) DO UPDATE SET
                     attempts = iif((size, mtime_ns, ctime_ns, inode, reader) = (excluded.size,
                         excluded.mtime_ns, excluded.ctime_ns, excluded.inode, excluded.reader), attempts + 1, 1),
                     size = excluded.size, mtime_ns = excluded.mtime_ns,
                     ctime_ns = excluded.ctime_ns, inode = excluded.inode, reader = excluded.reader,
                     code = excluded.code, reason = excluded.reason
                 RETURNING attempts",
            )?
            .query_row(params![
                source,
                path,
                sql::int(rejection.stamp.size),
                rejection.stamp.mtime_ns,
                rejection.stamp.ctime_ns,
                rejection.stamp.inode_bits(),
                rejection.reader,
                rejection.code,
                rejection.reason,
                sql::now(),
            ], |row| row.get(0))
            .map_err(Into::into)
        })
    }

    /// Forgets rejected files that are gone.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn forget_rejections(&self, source: &str, paths: &[String]) -> Result<(), CatalogError> {
        self.write(|t| {
            let mut forget = t.prepare_cached("DELETE FROM rejections WHERE source = ?1 AND path = ?2")?;
            for path in paths {
                forget.execute(params![source, path])?;
            }
            Ok(())
        })
    }

    /// When every file of the source was last hashed, RFC 3339.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn full_hashed_at(&self, source: &str) -> Result<Option<String>, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT full_hashed_at FROM sources WHERE name = ?1")?
                .query_row([source], |row| row.get(0))
                .optional()
                .map(Option::flatten)
        })
    }

    /// Notes that every file of the source was hashed just now.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn set_full_hashed(&self, source: &str) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "INSERT INTO sources (name, full_hashed_at) VALUES (?1, ?2)
                 ON CONFLICT (name) DO UPDATE SET full_hashed_at = excluded.full_hashed_at",
                params![source, sql::now()],
            )?;
            Ok(())
        })
    }
}

pub(super) fn stamp(t: &Transaction<'_>, id: DocumentId, stamp: FileStamp) -> rusqlite::Result<()> {
    t.prepare_cached(
        "UPDATE generations SET size = ?2, mtime_ns = ?3, ctime_ns = ?4, inode = ?5
         WHERE id = (SELECT live FROM documents WHERE id = ?1)",
    )?
    .execute(params![id, sql::int(stamp.size), stamp.mtime_ns, stamp.ctime_ns, stamp.inode_bits()])?;
    Ok(())
}
