use std::{
    path::{Path, PathBuf},
    sync::{Arc, Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use rusqlite::{Connection, Transaction, TransactionBehavior};

use super::{CatalogError, migrate};

/// Reader connections that are kept open.
const KEPT_READERS: usize = 4;
/// How long a statement waits for a lock that another process holds.
const BUSY: Duration = Duration::from_secs(10);

/// The catalog of one data folder. Clones share it.
#[derive(Clone)]
pub struct Catalog {
    inner: Arc<Inner>,
}

struct Inner {
    /// `None`: in memory, everything goes through the writer.
    path: Option<PathBuf>,
    writer: Mutex<Connection>,
    readers: Mutex<Vec<Connection>>,
}

impl Catalog {
    /// Opens or creates the database file and brings its schema up to date.
    ///
    /// # Errors
    /// The file cannot be opened, was written by a newer program, or a migration failed.
    pub fn open(path: &Path) -> Result<Self, CatalogError> {
        let failed = |source| CatalogError::Open { path: path.to_owned(), source };
        let mut writer = Connection::open(path).map_err(failed)?;
        writer.pragma_update(None, "journal_mode", "WAL").map_err(failed)?;
        set_up(&writer).map_err(failed)?;
        migrate::migrate(&mut writer, path)?;
        Ok(Catalog::of(Some(path.to_owned()), writer))
    }

    /// An empty catalog that lives as long as its handles, for tests and for reading a single file.
    ///
    /// # Errors
    /// SQLite cannot be used at all.
    pub fn memory() -> Result<Self, CatalogError> {
        let mut writer = Connection::open_in_memory()?;
        set_up(&writer)?;
        migrate::migrate(&mut writer, Path::new(":memory:"))?;
        Ok(Catalog::of(None, writer))
    }

    fn of(path: Option<PathBuf>, writer: Connection) -> Self {
        let inner = Inner { path, writer: Mutex::new(writer), readers: Mutex::default() };
        Catalog { inner: Arc::new(inner) }
    }

    /// Runs `f` on a reader's connection, inside one read transaction: all its statements see the
    /// same state.
    pub(super) fn read<T>(
        &self,
        f: impl FnOnce(&Connection) -> rusqlite::Result<T>,
    ) -> Result<T, CatalogError> {
        let Some(path) = &self.inner.path else {
            return Ok(f(&lock(&self.inner.writer))?);
        };
        let idle = lock(&self.inner.readers).pop();
        let mut connection = match idle {
            Some(connection) => connection,
            None => open_reader(path)?,
        };
        let result = connection.transaction().and_then(|transaction| f(&transaction));
        let mut readers = lock(&self.inner.readers);
        if readers.len() < KEPT_READERS {
            readers.push(connection);
        }
        Ok(result?)
    }

    /// The database file; `None` in memory.
    pub(super) fn path(&self) -> Option<&Path> {
        self.inner.path.as_deref()
    }

    /// Runs `f` on the writer's connection, outside of any transaction and without idle readers beside it.
    pub(super) fn alone<T>(
        &self,
        f: impl FnOnce(&Connection) -> Result<T, CatalogError>,
    ) -> Result<T, CatalogError> {
        let writer = lock(&self.inner.writer);
        lock(&self.inner.readers).clear();
        f(&writer)
    }

    /// Runs `f` in one immediate transaction and commits it; an error rolls it back. The error type
    /// is the caller's, so that a refusal can carry its reason.
    pub(super) fn write<T, E: From<rusqlite::Error>>(
        &self,
        f: impl FnOnce(&Transaction<'_>) -> Result<T, E>,
    ) -> Result<T, E> {
        let mut writer = lock(&self.inner.writer);
        let transaction = writer.transaction_with_behavior(TransactionBehavior::Immediate)?;
        let value = f(&transaction)?;
        transaction.commit()?;
        Ok(value)
    }
}

/// A panic while the lock was held leaves a rolled-back transaction, not a broken connection.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

fn open_reader(path: &Path) -> Result<Connection, CatalogError> {
    let failed = |source| CatalogError::Open { path: path.to_owned(), source };
    let connection = Connection::open(path).map_err(failed)?;
    set_up(&connection).map_err(failed)?;
    connection.pragma_update(None, "query_only", true).map_err(failed)?;
    Ok(connection)
}

fn set_up(connection: &Connection) -> rusqlite::Result<()> {
    connection.busy_timeout(BUSY)?;
    connection.set_prepared_statement_cache_capacity(64);
    connection.pragma_update(None, "synchronous", "FULL")?;
    connection.pragma_update(None, "foreign_keys", true)?;
    connection.pragma_update(None, "trusted_schema", false)?;
    // What is deleted is overwritten, so that nothing of it is left in the file.
    connection.pragma_update(None, "secure_delete", true)?;
    connection.pragma_update(None, "temp_store", "MEMORY")
}
