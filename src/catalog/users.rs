//! Accounts, groups, what a group may see, and sessions.

use std::fmt;

use ingest::Language;
use rusqlite::{Connection, OptionalExtension, Row, Transaction, named_params, params};
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, ProjectId};
use crate::scope::{AclId, Scope};

/// What an account may do beside reading.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UserRole {
    /// Searches, asks and opens documents.
    Reader,
    /// Also sees how much the projects are used that their groups may see.
    Lead,
    /// Also makes reports and reads the log.
    Auditor,
    /// Also agrees, or does not, to an auditor's reading of texts in the log.
    Custodian,
    /// Sees every project and runs the appliance.
    #[serde(rename = "admin")]
    Administrator,
}

impl UserRole {
    /// All of them.
    pub const ALL: [Self; 5] =
        [UserRole::Reader, UserRole::Lead, UserRole::Auditor, UserRole::Custodian, UserRole::Administrator];

    /// The lower-case name used in the catalog and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            UserRole::Reader => "reader",
            UserRole::Lead => "lead",
            UserRole::Auditor => "auditor",
            UserRole::Custodian => "custodian",
            UserRole::Administrator => "admin",
        }
    }

    /// The role with this name.
    pub fn parse(name: &str) -> Option<UserRole> {
        Self::ALL.into_iter().find(|r| r.as_str() == name)
    }
}

impl fmt::Display for UserRole {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

/// An account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct UserRow {
    /// Its id.
    pub id: i64,
    /// The name as it was given.
    pub name: String,
    /// What it may do.
    pub role: UserRole,
    /// The language that its owner chose.
    pub language: Option<Language>,
    /// True where nobody may sign in with it.
    pub disabled: bool,
    /// Names of its groups, sorted.
    pub groups: Vec<String>,
    /// When it was made, ISO 8601.
    pub created_at: String,
    /// Version of the instruction that its owner has acknowledged last.
    pub acknowledged: Option<String>,
}

/// A group and the access lists it is on.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct GroupRow {
    /// Its name.
    pub name: String,
    /// Names of the access lists, sorted.
    pub acls: Vec<String>,
    /// Names of its members, sorted.
    pub members: Vec<String>,
}

/// A session with its account.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct SessionRow {
    pub(crate) user: UserRow,
    pub(crate) scope: Scope,
    /// Seconds since 1970.
    pub(crate) created_at: i64,
    /// Seconds since 1970.
    pub(crate) seen_at: i64,
}

const USER: &str = "u.id, u.name, u.role, u.language, u.disabled, u.created_at, u.acknowledged,
    coalesce((SELECT json_group_array(g.name) FROM group_members m JOIN user_groups g ON g.id = m.member_group
              WHERE m.member = u.id), '[]') AS member_of";

impl Catalog {
    /// Adds an account; `None` where the name is taken. Groups that do not exist are made.
    pub(crate) fn add_user(
        &self,
        name: &str,
        name_key: &str,
        password: &str,
        role: UserRole,
        groups: &[String],
        now: &str,
    ) -> Result<Option<i64>, CatalogError> {
        self.write(|t| {
            let added = t.execute(
                "INSERT INTO users (name, name_key, password, role, created_at) VALUES (?1, ?2, ?3, ?4, ?5)
                 ON CONFLICT (name_key) DO NOTHING",
                params![name, name_key, password, role.as_str(), now],
            )?;
            if added == 0 {
                return Ok(None);
            }
            let id = t.last_insert_rowid();
            set_groups(t, id, groups)?;
            Ok(Some(id))
        })
    }

    /// The account of this folded name with its password hash.
    pub(crate) fn user_by_key(&self, name_key: &str) -> Result<Option<(UserRow, String)>, CatalogError> {
        let query = format!("SELECT {USER}, u.password FROM users u WHERE u.name_key = ?1");
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_row([name_key], |row| Ok((user(row)?, row.get("password")?)))
                .optional()
        })
    }

    /// Every account, by name.
    pub(crate) fn users(&self) -> Result<Vec<UserRow>, CatalogError> {
        let query = format!("SELECT {USER} FROM users u ORDER BY u.name_key");
        self.read(|c| c.prepare_cached(&query)?.query_map([], user)?.collect())
    }

    /// Replaces the groups of an account. Groups that do not exist are made.
    pub(crate) fn set_user_groups(&self, id: i64, groups: &[String]) -> Result<(), CatalogError> {
        self.write(|t| Ok(set_groups(t, id, groups)?))
    }

    /// Gives an account another role and ends all its sessions.
    pub(crate) fn set_user_role(&self, id: i64, role: UserRole) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("UPDATE users SET role = ?2 WHERE id = ?1", params![id, role.as_str()])?;
            t.execute("DELETE FROM sessions WHERE account = ?1", [id])?;
            Ok(())
        })
    }

    /// Sets a new password hash and ends all sessions of the account.
    pub(crate) fn set_user_password(&self, id: i64, password: &str) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("UPDATE users SET password = ?2 WHERE id = ?1", params![id, password])?;
            t.execute("DELETE FROM sessions WHERE account = ?1", [id])?;
            Ok(())
        })
    }

    /// Opens or closes an account. Closing ends all its sessions.
    pub(crate) fn set_user_disabled(&self, id: i64, disabled: bool) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("UPDATE users SET disabled = ?2 WHERE id = ?1", params![id, disabled])?;
            if disabled {
                t.execute("DELETE FROM sessions WHERE account = ?1", [id])?;
            }
            Ok(())
        })
    }

    /// Removes an account with its sessions. The log keeps what it did.
    pub(crate) fn remove_user(&self, id: i64) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("DELETE FROM users WHERE id = ?1", [id])?;
            Ok(())
        })
    }

    /// Remembers the language that the owner of an account chose.
    pub(crate) fn set_user_language(&self, id: i64, language: Language) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("UPDATE users SET language = ?2 WHERE id = ?1", params![id, language.as_str()])?;
            Ok(())
        })
    }

    /// Remembers which version of the instruction the owner of an account has acknowledged.
    pub(crate) fn set_user_acknowledged(&self, id: i64, version: &str) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("UPDATE users SET acknowledged = ?2 WHERE id = ?1", params![id, version])?;
            Ok(())
        })
    }

    /// The access lists of an account through its groups; for an administrator, all of them.
    pub(crate) fn user_scope(&self, user: &UserRow) -> Result<Scope, CatalogError> {
        self.read(|c| scope_of(c, user.id, user.role))
    }

    /// Every group, by name.
    pub(crate) fn groups(&self) -> Result<Vec<GroupRow>, CatalogError> {
        self.read(|c| {
            let mut statement = c.prepare_cached(
                "SELECT g.name,
                    (SELECT json_group_array(a.name) FROM group_acls x JOIN acls a ON a.id = x.acl
                     WHERE x.granted_group = g.id) AS lists,
                    (SELECT json_group_array(u.name) FROM group_members m JOIN users u ON u.id = m.member
                     WHERE m.member_group = g.id) AS members
                 FROM user_groups g ORDER BY g.name",
            )?;
            let rows = statement.query_map([], |row| {
                Ok(GroupRow { name: row.get(0)?, acls: names(row, 1)?, members: names(row, 2)? })
            })?;
            rows.collect()
        })
    }

    /// Puts a group on a project's access list or takes it off; the group is made where there is none.
    pub(crate) fn set_grant(
        &self,
        group: &str,
        project: ProjectId,
        granted: bool,
    ) -> Result<(), CatalogError> {
        self.write(|t| {
            let group = ensure_group(t, group)?;
            let change = if granted {
                "INSERT INTO group_acls (granted_group, acl) SELECT ?1, acl FROM projects WHERE id = ?2
                 ON CONFLICT DO NOTHING"
            } else {
                "DELETE FROM group_acls WHERE granted_group = ?1
                 AND acl = (SELECT acl FROM projects WHERE id = ?2)"
            };
            t.execute(change, params![group, project])?;
            Ok(())
        })
    }

    /// Starts a session and forgets those that were made before `oldest`.
    pub(crate) fn add_session(
        &self,
        token_sha256: &[u8; 32],
        user: i64,
        now: i64,
        oldest: i64,
    ) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("DELETE FROM sessions WHERE created_at < ?1", [oldest])?;
            t.execute(
                "INSERT INTO sessions (token_sha256, account, created_at, seen_at) VALUES (?1, ?2, ?3, ?3)",
                params![token_sha256.as_slice(), user, now],
            )?;
            Ok(())
        })
    }

    /// The session of a token, where its account may still sign in, with what it may see now.
    pub(crate) fn find_session(&self, token_sha256: &[u8; 32]) -> Result<Option<SessionRow>, CatalogError> {
        let query = format!(
            "SELECT {USER}, s.created_at AS began, s.seen_at AS seen FROM sessions s
             JOIN users u ON u.id = s.account WHERE s.token_sha256 = ?1 AND u.disabled = 0"
        );
        self.read(|c| {
            let found = c
                .prepare_cached(&query)?
                .query_row([token_sha256.as_slice()], |row| {
                    Ok((user(row)?, row.get::<_, i64>("began")?, row.get::<_, i64>("seen")?))
                })
                .optional()?;
            let Some((user, created_at, seen_at)) = found else { return Ok(None) };
            let scope = scope_of(c, user.id, user.role)?;
            Ok(Some(SessionRow { user, scope, created_at, seen_at }))
        })
    }

    /// Notes that a session was used.
    pub(crate) fn touch_session(&self, token_sha256: &[u8; 32], now: i64) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "UPDATE sessions SET seen_at = :now WHERE token_sha256 = :token AND seen_at < :now",
                named_params! {":now": now, ":token": token_sha256.as_slice()},
            )?;
            Ok(())
        })
    }

    /// Ends a session.
    pub(crate) fn end_session(&self, token_sha256: &[u8; 32]) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute("DELETE FROM sessions WHERE token_sha256 = ?1", [token_sha256.as_slice()])?;
            Ok(())
        })
    }
}

fn scope_of(c: &Connection, id: i64, role: UserRole) -> rusqlite::Result<Scope> {
    let query = match role {
        UserRole::Administrator => "SELECT id FROM acls WHERE ?1 = ?1",
        UserRole::Reader | UserRole::Lead | UserRole::Auditor | UserRole::Custodian => {
            "SELECT DISTINCT a.acl FROM group_members m
             JOIN group_acls a ON a.granted_group = m.member_group WHERE m.member = ?1"
        }
    };
    let mut statement = c.prepare_cached(query)?;
    let ids = statement.query_map([id], |row| row.get(0).map(AclId))?;
    Ok(Scope::of(ids.collect::<rusqlite::Result<Vec<_>>>()?))
}

fn ensure_group(t: &Transaction<'_>, name: &str) -> rusqlite::Result<i64> {
    t.execute("INSERT INTO user_groups (name) VALUES (?1) ON CONFLICT (name) DO NOTHING", [name])?;
    t.query_row("SELECT id FROM user_groups WHERE name = ?1", [name], |row| row.get(0))
}

fn set_groups(t: &Transaction<'_>, id: i64, groups: &[String]) -> rusqlite::Result<()> {
    t.execute("DELETE FROM group_members WHERE member = ?1", [id])?;
    for name in groups {
        let group = ensure_group(t, name)?;
        t.execute(
            "INSERT INTO group_members (member_group, member) VALUES (?1, ?2) ON CONFLICT DO NOTHING",
            [group, id],
        )?;
    }
    Ok(())
}

fn names(row: &Row<'_>, column: impl rusqlite::RowIndex) -> rusqlite::Result<Vec<String>> {
    let text: String = row.get(column)?;
    let mut names: Vec<String> = serde_json::from_str(&text).unwrap_or_default();
    names.sort();
    Ok(names)
}

fn user(row: &Row<'_>) -> rusqlite::Result<UserRow> {
    let role: String = row.get("role")?;
    let language: Option<String> = row.get("language")?;
    Ok(UserRow {
        id: row.get("id")?,
        name: row.get("name")?,
        // The table's check allows only known roles; anything else may do least.
        role: UserRole::parse(&role).unwrap_or(UserRole::Reader),
        language: language.as_deref().and_then(Language::parse),
        disabled: row.get("disabled")?,
        groups: names(row, "member_of")?,
        created_at: row.get("created_at")?,
        acknowledged: row.get("acknowledged")?,
    })
}
