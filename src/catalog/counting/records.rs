use rusqlite::{Connection, Row, params_from_iter};

use super::elements::group;
use super::{Counted, Group, Where};
use crate::catalog::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::Scope;

/// Different texts that are looked through for the words of a question, at most.
const MAX_TEXTS: usize = 50_000;

/// Where a record stands: its register, and its place in it.
pub type RecordPlace = (DocumentId, i64);

/// A date of a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum DateField {
    /// When it was asked.
    Created,
    /// By when an answer is due.
    Due,
    /// When it was answered.
    Answered,
    /// When it was closed.
    Closed,
}

/// A person whom a record names.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum PersonField {
    /// Who asked.
    Author,
    /// Who has to answer.
    Assignee,
    /// Who has to act next: the ball in court where the register says it, else who has to answer.
    Next,
}

/// A text that a record states.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum RecordField {
    /// The number.
    Number,
    /// Discipline or trade.
    Discipline,
    /// Priority.
    Priority,
    /// Sort of record.
    Kind,
    /// A person.
    Person(PersonField),
}

/// What a record must meet.
#[derive(Debug, Clone, PartialEq)]
pub enum RecordCondition {
    /// One of these states: `open`, `answered`, `closed`, `void`.
    State(Vec<String>),
    /// Has an answer, or has none.
    Answered(bool),
    /// Has an official answer, or has none.
    Official(bool),
    /// Open on this day (ISO 8601) and due before it.
    OverdueOn(String),
    /// One of these texts, exactly as the register writes them.
    OneOf(RecordField, Vec<String>),
    /// A date from this day on, up to and including that one; ISO 8601.
    Dated(DateField, Option<String>, Option<String>),
    /// In one of these registers.
    In(Vec<DocumentId>),
    /// Points at a building element, or does not.
    NamesElements(bool),
    /// At one of these places, which were found by their words.
    Places(Vec<RecordPlace>),
}

/// By what records are grouped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RecordGroup {
    /// State.
    State,
    /// Discipline or trade.
    Discipline,
    /// Priority.
    Priority,
    /// Who has to act next.
    Next,
    /// Who asked.
    Author,
    /// Register.
    Document,
    /// Project.
    Project,
    /// Month in which it was asked.
    Month,
}

/// Which records.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct RecordQuery {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// All of these hold.
    pub conditions: Vec<RecordCondition>,
    /// By what they are grouped.
    pub group: Option<RecordGroup>,
    /// Rows at most.
    pub limit: u64,
}

/// A record that was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedRecord {
    /// Its register.
    pub document: DocumentId,
    /// Title of the register.
    pub title: String,
    /// Name of the project.
    pub project: String,
    /// Number.
    pub number: String,
    /// Subject.
    pub subject: String,
    /// What is asked.
    pub question: String,
    /// Status in the source's words.
    pub status: String,
    /// `open`, `answered`, `closed`, `void` or empty.
    pub state: String,
    /// Who has to act next; see [`PersonField::Next`].
    pub next: String,
    /// Date of creation.
    pub created: String,
    /// Date by which an answer is due.
    pub due: String,
    /// Date of the answer.
    pub answered: String,
    /// How many answers it has.
    pub answers: u64,
    /// The newest answer, the official one before others; may be empty.
    pub answer: String,
}

impl Catalog {
    /// Runs a query over the records of all registers in the scope. Of several revisions in one register the last one
    /// counts; a record that two registers of a project hold with the same number and subject is counted once.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn count_records(
        &self,
        scope: &Scope,
        query: &RecordQuery,
    ) -> Result<Counted<CountedRecord>, CatalogError> {
        let hits = hits(scope, query);
        let unstated = unstated(scope, query);
        self.read(|c| {
            let number = |w: &Where| {
                c.prepare(&format!("{} SELECT count(*) FROM hit", w.text))?
                    .query_row(params_from_iter(&w.values), |r| r.get::<_, i64>(0))
                    .map(|n| u64::try_from(n).unwrap_or(0))
            };
            Ok(Counted {
                total: number(&hits)?,
                rows: rows(c, &hits, query.limit)?,
                groups: groups(c, &hits, query)?,
                measured: None,
                unstated: unstated.as_ref().map(number).transpose()?.unwrap_or(0),
            })
        })
    }

    /// The different texts that the records in the scope have in a field.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn record_texts(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        field: RecordField,
    ) -> Result<Vec<String>, CatalogError> {
        let text = format!(
            "SELECT DISTINCT text FROM (SELECT {} AS text FROM records r JOIN documents d ON d.live = r.generation
                 WHERE {} AND (?2 IS NULL OR d.project = ?2))
             WHERE text IS NOT NULL AND text <> '' ORDER BY text LIMIT {MAX_TEXTS}",
            text_of(field),
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&text)?
                .query_map(rusqlite::params![sql::scope(scope), project], |row| row.get(0))?
                .collect()
        })
    }

    /// Subject and question of every record in the scope, with its place: document and ordinal.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn record_subjects(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Vec<(RecordPlace, String)>, CatalogError> {
        let text = format!(
            "SELECT d.id, r.ordinal, json_extract(r.body, '$.subject') || char(10) || json_extract(r.body, '$.question') AS text
             FROM records r JOIN documents d ON d.live = r.generation
             WHERE {} AND (?2 IS NULL OR d.project = ?2) ORDER BY d.id, r.ordinal LIMIT {MAX_TEXTS}",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&text)?
                .query_map(rusqlite::params![sql::scope(scope), project], |row| {
                    Ok(((row.get("id")?, row.get("ordinal")?), row.get("text")?))
                })?
                .collect()
        })
    }

    /// The registers in the scope: documents that hold records, with title and path.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn registers(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Vec<(DocumentId, String, String)>, CatalogError> {
        let text = format!(
            "SELECT d.id, g.title, d.path FROM documents d JOIN generations g ON g.id = d.live
             WHERE {} AND (?2 IS NULL OR d.project = ?2) AND g.records > 0 ORDER BY d.id",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&text)?
                .query_map(rusqlite::params![sql::scope(scope), project], |row| {
                    Ok((row.get("id")?, row.get("title")?, row.get("path")?))
                })?
                .collect()
        })
    }
}

/// `WITH hit AS (…)`: the records that meet the conditions, each once.
fn hits(scope: &Scope, query: &RecordQuery) -> Where {
    let mut w = Where::default();
    let mark = w.value(sql::scope(scope));
    w.and(&sql::IN_SCOPE.replace("?1", &mark));
    if let Some(project) = query.project {
        let mark = w.value(project.0);
        w.and(&format!("d.project = {mark}"));
    }
    // Revisions stand under one number in one register; the last one is the request as it is today.
    w.and(
        "NOT EXISTS (SELECT 1 FROM records n WHERE n.generation = r.generation AND n.number = r.number
             AND r.number <> '' AND n.ordinal > r.ordinal
             AND json_extract(n.body, '$.revision') <> json_extract(r.body, '$.revision'))",
    );
    for condition in &query.conditions {
        meet(&mut w, condition);
    }
    let key = query.group.map_or("NULL", key_of);
    w.text = format!(
        "WITH hit AS (SELECT min(d.id) AS document, g.title, p.name AS project, r.ordinal, r.number, r.state, r.body, {key} AS key
         FROM records r JOIN documents d ON d.live = r.generation JOIN generations g ON g.id = d.live
         JOIN projects p ON p.id = d.project
         WHERE {} GROUP BY d.project, r.number, json_extract(r.body, '$.subject'), json_extract(r.body, '$.question'))",
        w.text
    );
    w
}

/// Records that might be overdue if only they said when they are due.
fn unstated(scope: &Scope, query: &RecordQuery) -> Option<Where> {
    let overdue = |c: &RecordCondition| matches!(c, RecordCondition::OverdueOn(_));
    if !query.conditions.iter().any(overdue) {
        return None;
    }
    let mut other = query.clone();
    other.conditions.retain(|c| !overdue(c));
    other.conditions.push(RecordCondition::State(vec!["open".into()]));
    let mut w = hits(scope, &other);
    w.text = w.text.replacen("WHERE ", "WHERE json_extract(r.body, '$.due') = '' AND ", 1);
    Some(w)
}

fn meet(w: &mut Where, condition: &RecordCondition) {
    let not = |yes: bool| if yes { "" } else { "NOT " };
    match condition {
        RecordCondition::State(states) => {
            let mark = w.list(states);
            w.and(&format!("r.state IN (SELECT value FROM json_each({mark}))"));
        }
        RecordCondition::Answered(yes) => w.and(&format!(
            "{}(json_array_length(r.body, '$.answers') > 0 OR r.state = 'answered')",
            not(*yes)
        )),
        RecordCondition::Official(yes) => w.and(&format!(
            "{}EXISTS (SELECT 1 FROM json_each(r.body, '$.answers') a WHERE json_extract(a.value, '$.official'))",
            not(*yes)
        )),
        RecordCondition::OverdueOn(day) => {
            let mark = w.value(day.clone());
            w.and(&format!(
                "r.state = 'open' AND json_extract(r.body, '$.due') <> ''
                 AND substr(json_extract(r.body, '$.due'), 1, 10) < {mark}"
            ));
        }
        RecordCondition::OneOf(field, values) => {
            let mark = w.list(values);
            w.and(&format!("{} IN (SELECT value FROM json_each({mark}))", text_of(*field)));
        }
        RecordCondition::Dated(field, from, to) => {
            let date = format!("substr({}, 1, 10)", date_of(*field));
            w.and(&format!("{date} <> ''"));
            for (bound, sign) in [(from, ">="), (to, "<=")] {
                if let Some(day) = bound {
                    let mark = w.value(day.clone());
                    w.and(&format!("{date} {sign} {mark}"));
                }
            }
        }
        RecordCondition::In(documents) => {
            let mark = w.value(sql::ids(documents.iter().map(|d| d.0)));
            w.and(&format!("d.id IN (SELECT value FROM json_each({mark}))"));
        }
        RecordCondition::NamesElements(yes) => {
            w.and(&format!("{}(json_array_length(r.body, '$.elements') > 0)", not(*yes)));
        }
        RecordCondition::Places(places) => {
            let keys: Vec<String> = places.iter().map(|(d, o)| format!("{d}:{o}")).collect();
            let mark = w.list(&keys);
            w.and(&format!("(d.id || ':' || r.ordinal) IN (SELECT value FROM json_each({mark}))"));
        }
    }
}

fn date_of(field: DateField) -> &'static str {
    match field {
        DateField::Created => "json_extract(r.body, '$.created')",
        DateField::Due => "json_extract(r.body, '$.due')",
        DateField::Answered => "json_extract(r.body, '$.answered')",
        DateField::Closed => "json_extract(r.body, '$.closed')",
    }
}

const NEXT: &str =
    "coalesce(nullif(json_extract(r.body, '$.ball_in_court'), ''), json_extract(r.body, '$.assignee'))";

fn text_of(field: RecordField) -> &'static str {
    match field {
        RecordField::Number => "r.number",
        RecordField::Discipline => "json_extract(r.body, '$.discipline')",
        RecordField::Priority => "json_extract(r.body, '$.priority')",
        RecordField::Kind => "json_extract(r.body, '$.type')",
        RecordField::Person(PersonField::Author) => "json_extract(r.body, '$.author')",
        RecordField::Person(PersonField::Assignee) => "json_extract(r.body, '$.assignee')",
        RecordField::Person(PersonField::Next) => NEXT,
    }
}

fn key_of(group: RecordGroup) -> &'static str {
    match group {
        RecordGroup::State => "r.state",
        RecordGroup::Discipline => "json_extract(r.body, '$.discipline')",
        RecordGroup::Priority => "json_extract(r.body, '$.priority')",
        RecordGroup::Next => NEXT,
        RecordGroup::Author => "json_extract(r.body, '$.author')",
        RecordGroup::Document => "g.title",
        RecordGroup::Project => "p.name",
        RecordGroup::Month => "substr(json_extract(r.body, '$.created'), 1, 7)",
    }
}

fn rows(c: &Connection, hits: &Where, limit: u64) -> rusqlite::Result<Vec<CountedRecord>> {
    let text = format!(
        "{} SELECT document, title, project, number, state, json_extract(r.body, '$.subject') AS subject,
             json_extract(r.body, '$.question') AS question, json_extract(r.body, '$.status') AS status, {NEXT} AS next,
             substr(json_extract(r.body, '$.created'), 1, 10) AS created,
             substr(json_extract(r.body, '$.due'), 1, 10) AS due,
             substr(json_extract(r.body, '$.answered'), 1, 10) AS answered,
             json_array_length(r.body, '$.answers') AS answers,
             coalesce((SELECT json_extract(a.value, '$.text') FROM json_each(r.body, '$.answers') a
                 ORDER BY json_extract(a.value, '$.official') DESC, a.key DESC LIMIT 1), '') AS answer
         FROM hit r ORDER BY project, document, ordinal LIMIT {limit}",
        hits.text
    );
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), record)?.collect()
}

fn record(row: &Row<'_>) -> rusqlite::Result<CountedRecord> {
    let text = |column: &str| row.get::<_, Option<String>>(column).map(Option::unwrap_or_default);
    Ok(CountedRecord {
        document: row.get("document")?,
        title: text("title")?,
        project: text("project")?,
        number: text("number")?,
        subject: text("subject")?,
        question: text("question")?,
        status: text("status")?,
        state: text("state")?,
        next: text("next")?,
        created: text("created")?,
        due: text("due")?,
        answered: text("answered")?,
        answers: sql::count(row, "answers")?,
        answer: text("answer")?,
    })
}

fn groups(c: &Connection, hits: &Where, query: &RecordQuery) -> rusqlite::Result<Vec<Group>> {
    if query.group.is_none() {
        return Ok(Vec::new());
    }
    let text = format!(
        "{} SELECT key, count(*) AS n, NULL AS sum FROM hit GROUP BY key ORDER BY n DESC, key LIMIT {}",
        hits.text, query.limit
    );
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), group)?.collect()
}
