//! What persons see of themselves, and project leads of their projects.

use jiff::{Timestamp, civil::Date};

use super::{App, AppError};
use crate::audit::{Actor, CaseKind, CaseRow, Event, History, Usage, sha256_hex};
use crate::auth::Session;
use crate::scope::Scope;

/// What a request for deletion of one's own history is about, behind the person's name.
const DELETION: &str = ": delete own history";

/// A file that was recorded as handed out.
#[derive(Debug, Clone)]
pub struct HandedOut {
    /// Its bytes.
    pub bytes: Vec<u8>,
    /// Their SHA-256, hexadecimal.
    pub sha256: String,
    /// Rows in it.
    pub rows: u64,
}

impl App {
    /// What the person of a session asked, and was told.
    ///
    /// # Errors
    /// When the log cannot be read or written.
    pub fn history(&self, session: &Session) -> Result<History, AppError> {
        let since: Timestamp = session.user.created_at.parse().unwrap_or(Timestamp::MAX);
        Ok(self.audit.own_history(&session.actor(), since)?)
    }

    /// The same as a file, JSON or a table.
    ///
    /// # Errors
    /// When the log cannot be read or written.
    pub fn export_history(&self, session: &Session, csv: bool) -> Result<HandedOut, AppError> {
        let history = self.history(session)?;
        let bytes = if csv {
            history.csv().into_bytes()
        } else {
            serde_json::to_vec_pretty(&history).unwrap_or_default()
        };
        let (sha256, rows) = (sha256_hex(&bytes), history.asked.len() as u64);
        let event = Event::Export {
            what: if csv { "own_history_csv" } else { "own_history_json" }.to_owned(),
            sha256: sha256.clone(),
            rows,
            recipient: None,
            country: None,
        };
        self.audit.record(&session.actor(), event)?;
        Ok(HandedOut { bytes, sha256, rows })
    }

    /// Opens a request for deletion of the person's own history; the open one where there is one.
    ///
    /// # Errors
    /// When the log or the list of cases cannot be written.
    pub fn ask_for_deletion(&self, session: &Session) -> Result<CaseRow, AppError> {
        let open = self.deletions(session)?.into_iter().find(|case| case.closed.is_none());
        if let Some(case) = open {
            return Ok(case);
        }
        let subject = format!("{}{DELETION}", session.user.name);
        Ok(self.audit.open_case(&session.actor(), CaseKind::Request, &subject, self.today())?)
    }

    /// The person's requests for deletion, newest first.
    ///
    /// # Errors
    /// When the list of cases cannot be read.
    pub fn deletions(&self, session: &Session) -> Result<Vec<CaseRow>, AppError> {
        let subject = format!("{}{DELETION}", session.user.name);
        let mut own = self.audit.book()?.cases;
        own.retain(|case| case.subject == subject);
        own.reverse();
        Ok(own)
    }

    /// Figures of the projects in a scope, of the present quarter or the one before, with its first and last day.
    ///
    /// # Errors
    /// When the log or the catalog cannot be read.
    pub fn usage(
        &self,
        actor: &Actor,
        scope: &Scope,
        last: bool,
    ) -> Result<((Date, Date), Vec<Usage>), AppError> {
        let (from, to) = quarter(self.today(), last);
        let zone = self.config.report.zone();
        let midnight = |day: Date| zone.to_timestamp(day.at(0, 0, 0, 0)).unwrap_or(Timestamp::MIN);
        let names: Vec<String> = self.catalog.projects(scope)?.into_iter().map(|p| p.name).collect();
        self.audit
            .record(actor, Event::LogRead { range: format!("{from}..{to}"), reason: "usage".to_owned() })?;
        let end = to.tomorrow().unwrap_or(to);
        Ok(((from, to), self.audit.usage(&names, midnight(from), midnight(end))?))
    }

    /// Today, where the firm is.
    pub fn today(&self) -> Date {
        Timestamp::now().to_zoned_datetime(self.config.report.zone()).date()
    }
}

/// First and last day of the quarter that `day` is in, or of the one before.
fn quarter(day: Date, before: bool) -> (Date, Date) {
    let month = (day.month() - 1) / 3 * 3 + 1;
    let start = Date::new(day.year(), month, 1).unwrap_or(day);
    let three = jiff::Span::new().months(3);
    let start = if before { start.checked_sub(three).unwrap_or(start) } else { start };
    let end = start.checked_add(three).and_then(|next| next.yesterday()).unwrap_or(start);
    (start, end)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quarters_are_whole() {
        let day = |text: &str| text.parse::<Date>().unwrap();
        for (today, before, first, last) in [
            ("2026-11-30", false, "2026-10-01", "2026-12-31"),
            ("2026-02-28", true, "2025-10-01", "2025-12-31"),
            ("2028-05-01", true, "2028-01-01", "2028-03-31"),
        ] {
            assert_eq!(quarter(day(today), before), (day(first), day(last)));
        }
    }
}
