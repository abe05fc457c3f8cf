//! Numbered migrations. A file in `migrations/` is never edited once released: a change is a new file.

use std::path::Path;

use rusqlite::Connection;

use super::CatalogError;

/// Migration `n` (from 1) is entry `n - 1`; `PRAGMA user_version` holds the last one applied.
const MIGRATIONS: &[&str] = &[
    include_str!("migrations/001_documents.sql"),
    include_str!("migrations/002_users.sql"),
    include_str!("migrations/003_attempts.sql"),
    include_str!("migrations/004_mails.sql"),
    include_str!("migrations/005_facts.sql"),
    include_str!("migrations/006_changes.sql"),
    include_str!("migrations/007_rerankers.sql"),
    include_str!("migrations/008_duties.sql"),
];

/// The schema that this program writes.
pub(super) fn newest() -> i64 {
    MIGRATIONS.len() as i64
}

/// Brings the schema to [`newest`], each step in a transaction of its own. An older file is first
/// copied beside itself as `NAME.before-schema-N`, N being the schema to come.
pub(super) fn migrate(connection: &mut Connection, path: &Path) -> Result<(), CatalogError> {
    let found: i64 = connection.pragma_query_value(None, "user_version", |row| row.get(0))?;
    if found > newest() {
        return Err(CatalogError::TooNew { path: path.to_owned(), found, known: newest() });
    }
    if found > 0 && found < newest() {
        back_up(connection, path)?;
    }
    for (n, sql) in (1_i64..).zip(MIGRATIONS).skip(found.max(0) as usize) {
        apply(connection, n, sql).map_err(|source| CatalogError::Migration { to: n, source })?;
    }
    Ok(())
}

fn apply(connection: &mut Connection, n: i64, sql: &str) -> rusqlite::Result<()> {
    let transaction = connection.transaction()?;
    transaction.execute_batch(sql)?;
    transaction.pragma_update(None, "user_version", n)?;
    transaction.commit()
}

fn back_up(connection: &Connection, path: &Path) -> Result<(), CatalogError> {
    let mut copy = path.as_os_str().to_owned();
    copy.push(format!(".before-schema-{}", newest()));
    if Path::new(&copy).exists() {
        return Ok(()); // an earlier start was cut off after the copy; that copy is the older state
    }
    let failed = |source| CatalogError::Migration { to: newest(), source };
    connection.execute("VACUUM INTO ?1", [copy.to_string_lossy().as_ref()]).map(|_| ()).map_err(failed)
}
