//! Which configuration is in force, and what changed since the log last said so.

use std::collections::BTreeMap;
use std::path::Path;

use compliance::log::{Log, LogError, sha256};
use compliance::storage::{FileStorage, Storage};
use serde::{Deserialize, Serialize};

use super::AuditError;

/// File in the data folder: the settings that the log last told of, as hashes, to name what changed. Who
/// edits it gets wrong names of keys into an event, never a wrong hash.
const SEEN: &str = "config.seen.json";
/// Events that are read at once when looking back for the configuration's hash.
const WINDOW: u64 = 64;

/// Settings by key, each as the SHA-256 of its value.
#[derive(Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Seen {
    keys: BTreeMap<String, String>,
}

fn hash(text: &str) -> String {
    hex::encode(sha256(text.as_bytes()))
}

impl Seen {
    pub(super) fn of(settings: &BTreeMap<String, String>) -> Self {
        Self { keys: settings.iter().map(|(key, value)| (key.clone(), hash(value))).collect() }
    }

    /// SHA-256 over all of them, hexadecimal.
    pub(super) fn sha256(&self) -> String {
        let lines: Vec<String> = self.keys.iter().map(|(key, value)| format!("{key} {value}\n")).collect();
        hash(&lines.concat())
    }

    /// What an earlier start kept; nothing where there is none or it cannot be read.
    pub(super) fn load(data: &Path) -> Result<Self, AuditError> {
        let bytes = storage(data)?.read(SEEN).map_err(LogError::from)?.unwrap_or_default();
        Ok(serde_json::from_slice(&bytes).unwrap_or_default())
    }

    pub(super) fn save(&self, data: &Path) -> Result<(), AuditError> {
        let bytes = serde_json::to_vec(self).map_err(|e| LogError::Prepare(e.to_string()))?;
        Ok(storage(data)?.replace(SEEN, &bytes).map_err(LogError::from)?)
    }

    /// Names of the keys that differ, are new, or are gone.
    pub(super) fn changed_since(&self, before: &Self) -> Vec<String> {
        let names: std::collections::BTreeSet<&String> = self.keys.keys().chain(before.keys.keys()).collect();
        names.into_iter().filter(|key| self.keys.get(*key) != before.keys.get(*key)).cloned().collect()
    }
}

fn storage(data: &Path) -> Result<FileStorage, AuditError> {
    Ok(FileStorage::new(data).map_err(LogError::from)?)
}

/// The configuration's hash that the log last told of.
pub(super) fn last_logged(log: &Log) -> Result<Option<String>, AuditError> {
    let mut end = log.size();
    while end > 0 {
        let start = end.saturating_sub(WINDOW);
        let mut found = None;
        log.envelopes(start, |envelope| {
            match envelope.kind.as_str() {
                "config_change" => found = envelope.target_ids.into_iter().next(),
                // The log's own events at opening know of no configuration yet.
                _ => found = envelope.config_sha256.or(found.take()),
            }
            Ok(envelope.seq + 1 < end)
        })?;
        if found.is_some() {
            return Ok(found);
        }
        end = start;
    }
    Ok(None)
}
