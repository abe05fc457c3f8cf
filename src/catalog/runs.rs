//! The runs of the ingest and what each could not read. For administrators: paths of every project
//! stand here, so no scope applies and no reader's page may show it.

use rusqlite::{OptionalExtension, Row, params};
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, RunId, sql};

/// How a run stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum RunState {
    /// Under way.
    Running,
    /// Came to its end, perhaps with rejected files.
    Done,
    /// Gave up.
    Failed,
    /// The process ended before the run did; the next run has cleaned up after it.
    Interrupted,
}

impl RunState {
    fn as_str(self) -> &'static str {
        match self {
            RunState::Running => "running",
            RunState::Done => "done",
            RunState::Failed => "failed",
            RunState::Interrupted => "interrupted",
        }
    }

    fn parse(word: &str) -> Option<Self> {
        [RunState::Running, RunState::Done, RunState::Failed, RunState::Interrupted]
            .into_iter()
            .find(|state| state.as_str() == word)
    }
}

/// A run of the ingest.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RunRow {
    /// Its id.
    pub id: RunId,
    /// Beginning, RFC 3339.
    pub started_at: String,
    /// End, RFC 3339.
    pub finished_at: Option<String>,
    /// How it stands.
    pub state: RunState,
    /// Who started it.
    pub actor: String,
    /// The run's summary, or `{"error": …}` where it failed.
    pub summary: Option<serde_json::Value>,
    /// How many files it could not read.
    pub rejected: u64,
}

/// A file that a run could not read.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RejectedFile {
    /// Name of the source.
    pub source: String,
    /// Path relative to the source.
    pub path: String,
    /// Stable identifier of the reason.
    pub code: String,
    /// What is wrong and what to do, in English.
    pub reason: String,
}

impl Catalog {
    /// Notes that a run begins. Runs still marked as running are those of a process that is gone.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn start_run(&self, actor: &str) -> Result<RunId, CatalogError> {
        self.write(|t| {
            t.execute("UPDATE runs SET state = 'interrupted' WHERE state = 'running'", [])?;
            t.execute(
                "INSERT INTO runs (started_at, state, actor) VALUES (?1, 'running', ?2)",
                params![sql::now(), actor],
            )?;
            Ok(RunId(t.last_insert_rowid()))
        })
    }

    /// Notes how a run ended, and its summary as JSON.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn finish_run(
        &self,
        run: RunId,
        state: RunState,
        summary: &serde_json::Value,
    ) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "UPDATE runs SET finished_at = ?2, state = ?3, summary = ?4 WHERE id = ?1",
                params![run, sql::now(), state.as_str(), sql::json(summary)?],
            )?;
            Ok(())
        })
    }

    /// Notes the files that a run could not read.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn run_rejected(&self, run: RunId, files: &[RejectedFile]) -> Result<(), CatalogError> {
        self.write(|t| {
            let mut insert = t.prepare_cached(
                "INSERT INTO run_rejected (run, source, path, code, reason) VALUES (?1, ?2, ?3, ?4, ?5)",
            )?;
            for file in files {
                insert.execute(params![run, file.source, file.path, file.code, file.reason])?;
            }
            Ok(())
        })
    }

    /// The last `n` runs, newest first.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn last_runs(&self, n: u32) -> Result<Vec<RunRow>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT *, (SELECT count(*) FROM run_rejected f WHERE f.run = runs.id) AS rejected
                 FROM runs ORDER BY id DESC LIMIT ?1",
            )?
            .query_map([n], run)?
            .collect()
        })
    }

    /// One run.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn run(&self, id: RunId) -> Result<Option<RunRow>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT *, (SELECT count(*) FROM run_rejected f WHERE f.run = runs.id) AS rejected
                 FROM runs WHERE id = ?1",
            )?
            .query_row([id], run)
            .optional()
        })
    }

    /// The files that a run could not read, by source and path.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn rejected(&self, run: RunId) -> Result<Vec<RejectedFile>, CatalogError> {
        self.read(|c| {
            c.prepare_cached(
                "SELECT source, path, code, reason FROM run_rejected WHERE run = ?1 ORDER BY source, path",
            )?
            .query_map([run], |row| {
                Ok(RejectedFile {
                    source: row.get("source")?,
                    path: row.get("path")?,
                    code: row.get("code")?,
                    reason: row.get("reason")?,
                })
            })?
            .collect()
        })
    }
}

fn run(row: &Row<'_>) -> rusqlite::Result<RunRow> {
    let summary: Option<String> = row.get("summary")?;
    Ok(RunRow {
        id: row.get("id")?,
        started_at: row.get("started_at")?,
        finished_at: row.get("finished_at")?,
        state: sql::word(row, "state", RunState::parse)?,
        actor: row.get("actor")?,
        summary: summary.and_then(|text| serde_json::from_str(&text).ok()),
        rejected: sql::count(row, "rejected")?,
    })
}
