//! How long the log keeps what, and who is forgotten before.

use compliance::log::{Envelope, Keep, LogError};
use compliance::storage::{FileStorage, Storage as _};
use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};

use super::cases::Book;
use super::{Actor, Audit, AuditError};

/// File in the data folder: up to which event texts have been made unreadable. Who edits it delays that, or makes
/// the next run look at everything again.
const PROGRESS: &str = "retention.json";

/// Days after which things go.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Retention {
    /// Texts of persons: questions, answers, searches.
    pub content_days: u32,
    /// Who did what and when.
    pub trail_days: u32,
    /// Requests, incidents, erasures, gaps.
    pub case_days: u32,
}

/// What one run of retention did.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(default)]
pub struct Retained {
    /// Events whose text cannot be read any more.
    pub texts: u64,
    /// Events that were removed.
    pub events: u64,
}

/// What was done to forget a person in the log.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Forgotten {
    /// Months of the person's own events that cannot be read any more.
    pub months: Vec<String>,
    /// Events of others that named the person and cannot be read any more.
    pub events: Vec<u64>,
}

#[derive(Default, Serialize, Deserialize)]
struct Progress {
    content_next: u64,
}

impl Audit {
    /// Makes old texts unreadable and removes old events, except what a hold keeps.
    ///
    /// # Errors
    /// When the log cannot be read or written; what was done before stays done.
    pub fn retain(&self, actor: &Actor, rules: Retention) -> Result<Retained, AuditError> {
        let book = self.book()?;
        let held = self.held(&book)?;
        let now = Timestamp::now();
        let ago = |days: u32| {
            let hours = SignedDuration::from_hours(24 * i64::from(days));
            now.checked_sub(hours).unwrap_or(Timestamp::MIN)
        };
        let folder = self.folder()?;
        let bytes = folder.read(PROGRESS).map_err(LogError::from)?.unwrap_or_default();
        let progress: Progress = serde_json::from_slice(&bytes).unwrap_or_default();
        let basis = format!("retention: texts {} days", rules.content_days);
        let before = ago(rules.content_days);
        let (texts, next) = self.queue.with(|log| {
            Ok(log.shred_content(actor, progress.content_next.min(log.size()), before, &held, &basis)?)
        })?;
        // With a hold, what it keeps has to be looked at again once it is lifted.
        let bytes = serde_json::to_vec(&Progress { content_next: next })
            .map_err(|e| LogError::Prepare(e.to_string()))?;
        folder.replace(PROGRESS, &bytes).map_err(LogError::from)?;
        let keep = Keep { trail_since: ago(rules.trail_days), case_since: ago(rules.case_days) };
        let basis = format!("retention: events {} days, cases {} days", rules.trail_days, rules.case_days);
        let pruned = self.queue.with(|log| Ok(log.prune(actor, keep, &held, &basis)?))?;
        if texts + pruned.events > 0 {
            tracing::info!(texts, events = pruned.events, "retention applied to the audit log");
        }
        Ok(Retained { texts, events: pruned.events })
    }

    /// The pseudonym under which a user's events stand.
    ///
    /// # Errors
    /// When the log cannot be opened.
    pub fn pseudonym(&self, user: &str) -> Result<String, AuditError> {
        self.queue.with(|log| Ok(log.actor_pseudonym(user)))
    }

    /// What [`Audit::forget`] would make unreadable.
    ///
    /// # Errors
    /// When the folder of keys cannot be read.
    pub fn would_forget(&self, pid: Option<&str>, naming: &[u64]) -> Result<Forgotten, AuditError> {
        let months = |pid: &str| self.queue.with(|log| Ok(log.months_of(pid)?));
        let months = pid.map(months).transpose()?.unwrap_or_default();
        Ok(Forgotten { months, events: naming.to_vec() })
    }

    /// Destroys the keys of everything that the user with the pseudonym `pid` did, and of the events in `naming`, which
    /// others recorded.
    ///
    /// # Errors
    /// When the log cannot be read or written; what was done before stays done and is recorded.
    pub fn forget(
        &self,
        actor: &Actor,
        pid: Option<&str>,
        naming: &[u64],
        basis: &str,
    ) -> Result<Forgotten, AuditError> {
        self.queue.with(|log| {
            let mut done = Forgotten::default();
            if let Some(pid) = pid {
                for month in log.months_of(pid)? {
                    log.shred_month(actor, pid, &month, basis)?;
                    done.months.push(month);
                }
            }
            for &seq in naming {
                log.shred_event(actor, seq, basis)?;
                done.events.push(seq);
            }
            Ok(done)
        })
    }

    /// Lets the next run of retention look at every event again.
    pub(super) fn forget_progress(&self) -> Result<(), AuditError> {
        Ok(self.folder()?.remove(PROGRESS).map_err(LogError::from)?)
    }

    /// True for the events that a hold keeps.
    fn held(&self, book: &Book) -> Result<impl Fn(&Envelope) -> bool + use<>, AuditError> {
        let all = book.holds.iter().any(|h| h.user.is_none());
        let users: Vec<String> = book.holds.iter().filter_map(|h| h.user.clone()).collect();
        let pids: Vec<String> =
            self.queue.with(|log| Ok(users.iter().map(|user| log.actor_pseudonym(user)).collect()))?;
        Ok(move |e: &Envelope| all || pids.contains(&e.actor_pid))
    }

    fn folder(&self) -> Result<FileStorage, AuditError> {
        Ok(FileStorage::new(self.queue.data()).map_err(LogError::from)?)
    }
}
