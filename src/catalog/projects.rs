use rusqlite::{Connection, OptionalExtension, Row, Transaction, params};
use serde::Serialize;

use super::{Catalog, CatalogError, ProjectId, sql};
use crate::scope::{AclId, Scope};

/// A project: what a firm builds and files documents under.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Project {
    /// Its id.
    pub id: ProjectId,
    /// Its name, unique.
    pub name: String,
    /// The access list of documents that name no other.
    pub acl: AclId,
}

impl Catalog {
    /// The project of this name; created with an access list of the same name where there is none.
    /// Nobody is on a new list until somebody is put on it.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn ensure_project(&self, name: &str) -> Result<Project, CatalogError> {
        if let Some(project) = self.read(|c| by_name(c, name))? {
            return Ok(project);
        }
        self.write(|t| {
            if let Some(project) = by_name(t, name)? {
                return Ok(project);
            }
            let acl = acl(t, name)?;
            t.execute("INSERT INTO projects (name, acl) VALUES (?1, ?2)", params![name, acl.0])?;
            Ok(Project { id: ProjectId(t.last_insert_rowid()), name: name.to_owned(), acl })
        })
    }

    /// The project of this name, if there is one.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn find_project(&self, name: &str) -> Result<Option<Project>, CatalogError> {
        self.read(|c| by_name(c, name))
    }

    /// The name of a project, for whoever may see all of them.
    ///
    /// # Errors
    /// There is no such project, or the catalog cannot be read.
    pub fn project_name(&self, id: ProjectId) -> Result<String, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT name FROM projects WHERE id = ?1")?.query_row([id], |row| row.get(0))
        })
    }

    /// The access list of this name, if there is one.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn find_acl(&self, name: &str) -> Result<Option<AclId>, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT id FROM acls WHERE name = ?1")?
                .query_row([name], |row| row.get(0).map(AclId))
                .optional()
        })
    }

    /// The access list of this name; created empty where there is none.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn ensure_acl(&self, name: &str) -> Result<AclId, CatalogError> {
        self.write(|t| Ok(acl(t, name)?))
    }

    /// The projects that a reader may know of, by name: those whose list the reader is on, and those
    /// with a document in the reader's scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn projects(&self, scope: &Scope) -> Result<Vec<Project>, CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached(
                "SELECT id, name, acl FROM projects p
                 WHERE p.acl IN (SELECT value FROM json_each(?1))
                    OR EXISTS (SELECT 1 FROM documents d WHERE d.project = p.id AND d.live IS NOT NULL
                               AND d.acl IN (SELECT value FROM json_each(?1)))
                 ORDER BY name",
            )?;
            statement.query_map([sql::scope(scope)], project)?.collect()
        })
    }

    /// Every access list: the scope of the local administrator.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn all_scope(&self) -> Result<Scope, CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached("SELECT id FROM acls")?;
            let ids = statement.query_map([], |row| row.get(0).map(AclId))?;
            Ok(Scope::of(ids.collect::<rusqlite::Result<Vec<_>>>()?))
        })
    }
}

fn by_name(c: &Connection, name: &str) -> rusqlite::Result<Option<Project>> {
    c.prepare_cached("SELECT id, name, acl FROM projects WHERE name = ?1")?
        .query_row([name], project)
        .optional()
}

fn acl(t: &Transaction<'_>, name: &str) -> rusqlite::Result<AclId> {
    t.execute("INSERT INTO acls (name) VALUES (?1) ON CONFLICT (name) DO NOTHING", [name])?;
    t.query_row("SELECT id FROM acls WHERE name = ?1", [name], |row| row.get(0).map(AclId))
}

fn project(row: &Row<'_>) -> rusqlite::Result<Project> {
    Ok(Project { id: row.get("id")?, name: row.get("name")?, acl: AclId(row.get("acl")?) })
}
