use std::collections::{BTreeMap, HashMap};

use super::super::cells::parties;
use super::super::dates::{Order, iso};
use super::super::merge::Parts;
use super::super::register::Reading;
use super::{Part, REQUEST, TABLES, Table, names_by_id, warn};
use crate::model::{Answer, Document, Record};
use crate::text::counted;

/// Puts the rows of the other tables to the requests that they name.
pub(super) fn join(
    tables: &BTreeMap<String, Table>,
    people: &HashMap<String, String>,
    reading: &mut Reading,
    document: &mut Document,
) {
    let by_id: HashMap<&str, usize> =
        reading.ids.iter().enumerate().map(|(index, id)| (id.as_str(), index)).collect();
    let attributes = names_by_id(tables.get("project_custom_attributes"), &["name", "title"]);
    let mut known: HashMap<usize, Known> = HashMap::new();
    for (name, part) in TABLES {
        let Some(table) = tables.get(name).filter(|_| part != Part::History) else { continue };
        let mut lost = 0;
        for row in table.rows.iter().filter(|r| r.iter().any(|c| !c.trim().is_empty())) {
            let id = table.cell(row, &REQUEST);
            let index = by_id.get(id.as_str()).copied();
            let record = index.and_then(|index| Some((index, reading.records.get_mut(index)?)));
            match record.filter(|_| table.cell(row, &["deleted at"]).is_empty()) {
                Some((index, record)) => {
                    let known = known.entry(index).or_insert_with(|| Known::of(record));
                    put(record, known, table, row, part, people, &attributes);
                }
                None => lost += 1,
            }
        }
        if lost > 0 {
            let message = format!(
                "{name}: {} no request that was read",
                counted(lost, "row is deleted or names", "rows are deleted or name")
            );
            warn(document, "join", message);
        }
    }
    for record in &mut reading.records {
        record.answers.sort_by(|a, b| a.date.cmp(&b.date));
        if record.answered.is_empty() {
            record.answered = record.answers.iter().map(|a| a.date.clone()).max().unwrap_or_default();
        }
        if record.status.is_empty() && record.state == "open" && !record.answers.is_empty() {
            record.state = "answered".into();
        }
    }
}

/// What a request holds, looked up instead of searched for.
struct Known {
    /// The first answer with each text.
    answers: HashMap<String, usize>,
    assignee: Parts,
    location: Parts,
    discipline: Parts,
    fields: HashMap<String, Parts>,
}

impl Known {
    fn of(record: &Record) -> Self {
        let mut answers = HashMap::new();
        for (at, answer) in record.answers.iter().enumerate() {
            answers.entry(answer.text.clone()).or_insert(at);
        }
        Known {
            answers,
            assignee: Parts::default(),
            location: Parts::default(),
            discipline: Parts::default(),
            fields: HashMap::new(),
        }
    }
}

fn put(
    record: &mut Record,
    known: &mut Known,
    table: &Table,
    row: &[String],
    part: Part,
    people: &HashMap<String, String>,
    attributes: &HashMap<String, String>,
) {
    let named = |id: String| people.get(&id).cloned().unwrap_or(id);
    let cell = |names: &[&str]| table.cell(row, names);
    match part {
        Part::Answers => {
            let text = cell(&["text", "response", "body", "comment", "content"]);
            let date = cell(&["created at", "responded at", "date"]);
            let author = named(cell(&["created by", "responded by", "author"]));
            let date = iso(&date, Order::MonthFirst).unwrap_or(date);
            let at = known.answers.get(&text);
            match at.and_then(|at| record.answers.get_mut(*at)) {
                // The official answer stands in the main table, without its author.
                Some(answer) => {
                    if answer.author.is_empty() {
                        answer.author = author;
                    }
                    if answer.date.is_empty() {
                        answer.date = date;
                    }
                }
                None if text.is_empty() => {}
                None => {
                    known.answers.insert(text.clone(), record.answers.len());
                    record.answers.push(Answer { text, author, date, official: false });
                }
            }
        }
        Part::Party(part) => {
            let name = named(cell(&[
                "name",
                "user name",
                "user id",
                "assignee id",
                "assignee",
                "reviewer id",
                "oxygen id",
                "id",
            ]));
            if part == "assignee" {
                known.assignee.append(&mut record.assignee, name.clone());
            }
            record.parties.extend(parties(part, &name, &cell(&["company", "company name"])));
        }
        Part::Location => {
            known.location.append(&mut record.location, cell(&["path", "location", "name", "location id"]));
        }
        Part::Discipline => {
            known
                .discipline
                .append(&mut record.discipline, cell(&["discipline", "category", "name", "value"]));
        }
        Part::Attachment => {
            record.attachments.push(cell(&["display name", "file name", "name", "urn", "id"]));
        }
        Part::Attribute => {
            let id = cell(&["custom attribute id", "attribute id", "name", "id"]);
            let name = attributes.get(&id).cloned().unwrap_or(id);
            let value = cell(&["value", "text value", "list value", "enum value"]);
            let slot = record.fields.entry(name.clone()).or_default();
            known.fields.entry(name).or_default().append(slot, value);
        }
        Part::History => {}
    }
}
