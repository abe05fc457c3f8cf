use std::collections::{BTreeMap, BTreeSet};

use ingest::{Document, Kind};
use rusqlite::{Row, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, sql};
use crate::scope::Scope;

/// Mails of one thread that are shown.
const MAX_THREAD: i64 = 200;
/// Shorter subjects ("Plan", "Frage") join what does not belong together.
const MIN_SUBJECT: usize = 10;

/// A mail of a thread.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MailRow {
    /// Its document.
    pub document: DocumentId,
    /// Subject.
    pub title: String,
    /// Sender, may be empty.
    pub from: String,
    /// Date, RFC 3339, may be empty.
    pub date: String,
}

impl Catalog {
    /// The mails of a mail's thread in its project, itself among them, oldest first: joined by message
    /// identifiers, by the conversation that the mail program names, and by subject.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn thread(&self, scope: &Scope, id: DocumentId) -> Result<Vec<MailRow>, CatalogError> {
        let query = format!(
            "WITH RECURSIVE thread (generation) AS (
                 SELECT d.live FROM documents d WHERE d.id = ?2 AND {0}
                 UNION
                 SELECT theirs.generation FROM thread t
                 JOIN mail_keys mine ON mine.generation = t.generation AND mine.key NOT LIKE 'rfi:%'
                 JOIN mail_keys theirs ON theirs.key = mine.key
                 JOIN documents d ON d.live = theirs.generation
                 WHERE {0} AND d.project = (SELECT project FROM documents WHERE id = ?2) LIMIT {MAX_THREAD})
             SELECT d.id, g.title, g.metadata FROM thread t
             JOIN documents d ON d.live = t.generation JOIN generations g ON g.id = t.generation",
            sql::IN_SCOPE
        );
        self.read(|c| mails(c.prepare_cached(&query)?.query_map(params![sql::scope(scope), id], mail)?))
    }

    /// The mails about a request, oldest first: in the project of the register that holds it, with its
    /// number in the subject.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn mails_about(
        &self,
        scope: &Scope,
        register: DocumentId,
        number: &str,
    ) -> Result<Vec<MailRow>, CatalogError> {
        let Some(key) = request_key(number) else { return Ok(Vec::new()) };
        let query = format!(
            "SELECT d.id, g.title, g.metadata FROM mail_keys k
             JOIN documents d ON d.live = k.generation JOIN generations g ON g.id = k.generation
             WHERE {} AND k.key = ?3 AND d.project = (SELECT project FROM documents WHERE id = ?2)
             LIMIT {MAX_THREAD}",
            sql::IN_SCOPE
        );
        self.read(|c| {
            mails(c.prepare_cached(&query)?.query_map(params![sql::scope(scope), register, key], mail)?)
        })
    }
}

fn mails(rows: impl Iterator<Item = rusqlite::Result<MailRow>>) -> rusqlite::Result<Vec<MailRow>> {
    let mut out: Vec<MailRow> = rows.collect::<rusqlite::Result<_>>()?;
    let moment = |row: &MailRow| row.date.parse::<jiff::Timestamp>().ok();
    out.sort_by_key(|row| (moment(row), row.document));
    Ok(out)
}

fn mail(row: &Row<'_>) -> rusqlite::Result<MailRow> {
    let mut metadata: BTreeMap<String, String> = sql::from_json(row, "metadata")?;
    let mut take = |key: &str| metadata.remove(key).unwrap_or_default();
    Ok(MailRow { document: row.get("id")?, title: row.get("title")?, from: take("from"), date: take("date") })
}

pub(super) fn insert(t: &Transaction<'_>, generation: i64, document: &Document) -> rusqlite::Result<()> {
    if document.kind != Kind::Mail {
        return Ok(());
    }
    let mut insert = t.prepare_cached("INSERT INTO mail_keys (generation, key) VALUES (?1, ?2)")?;
    for key in keys(&document.metadata) {
        insert.execute(params![generation, key])?;
    }
    Ok(())
}

fn keys(metadata: &BTreeMap<String, String>) -> BTreeSet<String> {
    let value = |key: &str| metadata.get(key).map(String::as_str).unwrap_or_default();
    let ids = ["message_id", "in_reply_to", "references"].map(value);
    let mut out: BTreeSet<String> =
        ids.iter().flat_map(|list| list.split_whitespace()).map(|id| format!("id:{id}")).collect();
    if !value("conversation").is_empty() {
        out.insert(format!("conv:{}", value("conversation")));
    }
    let subject = value("thread");
    if subject.chars().count() >= MIN_SUBJECT && subject.contains(' ') {
        out.insert(format!("subject:{subject}"));
    }
    out.extend(request_key(value("rfi")));
    out
}

/// `RFI-014`, `RFI 14` and `14` are one request.
fn request_key(number: &str) -> Option<String> {
    let upper = number.to_uppercase();
    let rest = upper.trim().strip_prefix("RFI").unwrap_or(upper.trim());
    let digits = rest.trim_matches(|c: char| !c.is_alphanumeric()).trim_start_matches('0');
    let plain = !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit());
    plain.then(|| format!("rfi:{digits}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_request_in_several_spellings() {
        for number in ["RFI-014", "rfi 14", "14", "RFI#0014"] {
            assert_eq!(request_key(number).as_deref(), Some("rfi:14"), "{number}");
        }
        for number in ["", "RFI", "7ddc3ef0", "K-01", "row 3"] {
            assert_eq!(request_key(number), None, "{number}");
        }
    }

    #[test]
    fn short_subjects_join_nothing() {
        let keys = |subject: &str| keys(&BTreeMap::from([("thread".to_string(), subject.to_string())]));
        assert!(keys("plan").is_empty() && keys("besprechung").is_empty());
        assert_eq!(keys("türen im korridor").len(), 1);
    }

    use crate::catalog::{Project, tests::live_document};

    fn put(catalog: &Catalog, project: &Project, path: &str, facts: &[(&str, &str)]) -> DocumentId {
        let mut document = Document::new(Kind::Mail, path);
        document.metadata = facts.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        live_document(catalog, project, path, &document)
    }

    #[test]
    fn threads_are_joined_by_headers_conversation_and_subject_within_project_and_rights() {
        let catalog = Catalog::memory().unwrap();
        let here = catalog.ensure_project("Schulhaus").unwrap();
        let there = catalog.ensure_project("Spital").unwrap();
        let day = |n: u32| format!("2026-03-0{n}T08:00:00Z");
        let (one, two, three, four) = (day(1), day(2), day(3), day(4));
        let mail = |project, path, facts: &[(&str, &str)]| put(&catalog, project, path, facts);
        let third = mail(&here, "c", &[("message_id", "c"), ("conversation", "77"), ("date", &three)]);
        let first = mail(&here, "a", &[("message_id", "a"), ("date", &one), ("rfi", "RFI-014")]);
        let second = mail(
            &here,
            "b",
            &[("message_id", "b"), ("references", "x a"), ("conversation", "77"), ("date", &two)],
        );
        let fourth =
            mail(&here, "d", &[("message_id", "d"), ("thread", "türen im korridor"), ("date", &four)]);
        let fifth = mail(&here, "e", &[("message_id", "e"), ("thread", "türen im korridor")]);
        let other = mail(&there, "f", &[("message_id", "f"), ("references", "a"), ("rfi", "14")]);
        let all = catalog.all_scope().unwrap();
        let thread = |scope: &Scope, id| -> Vec<DocumentId> {
            catalog.thread(scope, id).unwrap().into_iter().map(|m| m.document).collect()
        };
        for member in [first, second, third] {
            assert_eq!(thread(&all, member), [first, second, third], "{member}");
        }
        assert_eq!(thread(&all, fourth), [fifth, fourth], "the one without a date first");
        assert_eq!(thread(&all, other), [other], "another project");
        assert_eq!(thread(&Scope::none(), first), []);
        let about: Vec<DocumentId> =
            catalog.mails_about(&all, second, "RFI 14").unwrap().into_iter().map(|m| m.document).collect();
        assert_eq!(about, [first], "in the register's project alone");
        assert_eq!(catalog.mails_about(&Scope::none(), second, "RFI 14").unwrap(), []);
    }
}
