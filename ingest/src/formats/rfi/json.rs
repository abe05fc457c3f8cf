//! Registers as JSON: a list of objects, alone or inside an object. Keys are read like headers of columns.

use serde_json::{Map, Value};

use super::cells::tidy;
use super::columns::{Field, plain};
use super::dates::{Order, iso};
use super::mapping::RecordMapping;
use super::register::{read_below, slots};
use crate::error::ReadError;
use crate::formats::sheet::workbook::Grid;
use crate::limits::{Limits, MAX_EXPANDED};
use crate::model::{Answer, Document, Kind};
use crate::text::counted;

/// A value takes up to this many times the bytes that it has in the file.
const GROWTH: u64 = 32;
/// Nesting down to which a list of records is looked for.
const DEPTH: usize = 4;
/// Columns of one list.
const MAX_COLUMNS: usize = 1_024;
/// Names of the list inside an object, the most telling first.
const LISTS: [&str; 8] = ["rfis", "items", "data", "records", "results", "value", "requests", "topics"];
/// Keys under which an object says what it is called, what it says, who wrote it and when.
const NAMES: [&str; 12] = [
    "name",
    "title",
    "label",
    "displayName",
    "display_name",
    "fullName",
    "value",
    "login",
    "email",
    "number",
    "filename",
    "id",
];
const TEXTS: [&str; 11] = [
    "text",
    "body",
    "plain_text_body",
    "response",
    "answer",
    "content",
    "comment",
    "message",
    "plainTextBody",
    "rich_text_body",
    "value",
];
const AUTHORS: [&str; 10] = [
    "author",
    "createdBy",
    "created_by",
    "by",
    "from",
    "user",
    "respondedBy",
    "responded_by",
    "answeredBy",
    "answered_by",
];
const DATES: [&str; 9] = [
    "date",
    "createdAt",
    "created_at",
    "created",
    "respondedAt",
    "responded_at",
    "answeredAt",
    "answered_at",
    "updatedAt",
];
const OFFICIAL: [&str; 4] = ["official", "isOfficial", "is_official", "accepted"];

/// Reads a list of requests.
///
/// # Errors
/// [`ReadError::Unsupported`] where it holds no such list, [`ReadError::Damaged`] where it is no JSON.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
) -> Result<Document, ReadError> {
    let most = limits.max_expanded_bytes / GROWTH;
    if bytes.len() as u64 > most {
        return Err(ReadError::beyond(format!("bytes of a JSON file ({most})"), MAX_EXPANDED));
    }
    let (text, _) = crate::formats::charset::decode(bytes);
    let value: Value = serde_json::from_str(&text)
        .map_err(|error| ReadError::Damaged { detail: format!("it is no valid JSON ({error})") })?;
    let no_register =
        || ReadError::Unsupported { found: "JSON without a list of requests for information".into() };
    let (list_name, items) = list(&value, name, DEPTH, mapping).ok_or_else(no_register)?;
    let table = Table::of(items, limits.max_rows as usize);
    let grid = Grid { name: list_name, rows: table.rows, ..Grid::default() };
    let mut reading = read_below(&grid, 0, mapping, "item", &table.answers);
    if table.left_out > 0 {
        let message = format!(
            "{} left out, beyond {MAX_COLUMNS} different keys",
            counted(table.left_out, "value was", "values were")
        );
        reading.warnings.push(message);
    }
    let mut document = Document::new(Kind::Rfi, crate::formats::stem(name));
    let left = items.len() - table.items;
    if left > 0 {
        reading.register.counts.found += left as u64;
        reading.register.counts.rejected += left as u64;
        let place = format!("items from {}", table.items + 1);
        let reason =
            format!("{} beyond the limit of {} rows", counted(left, "item", "items"), limits.max_rows);
        reading.register.rejected.push(crate::model::RejectedRecord { place, reason });
    }
    reading.add_to(&mut document);
    Ok(document)
}

/// The list of records in a value, with its name.
fn list<'a>(
    value: &'a Value,
    name: &str,
    depth: usize,
    mapping: &RecordMapping,
) -> Option<(String, &'a [Value])> {
    match value {
        Value::Array(items) if is_register(items, name, mapping) => Some((crate::formats::stem(name), items)),
        Value::Object(members) if depth > 0 => {
            let rank =
                |key: &str| LISTS.iter().position(|l| l.eq_ignore_ascii_case(key)).unwrap_or(LISTS.len());
            let mut keys: Vec<&String> = members.keys().collect();
            keys.sort_by_key(|key| rank(key));
            keys.into_iter().find_map(|key| list(members.get(key)?, &joined(name, key), depth - 1, mapping))
        }
        _ => None,
    }
}

/// `export.json` and `rfis` make `export rfis`.
fn joined(name: &str, key: &str) -> String {
    match LISTS.iter().any(|l| l.eq_ignore_ascii_case(key)) && !key.eq_ignore_ascii_case("rfis") {
        true => name.to_string(),
        false => format!("{} {key}", crate::formats::stem(name)),
    }
}

/// True where the objects have a number or subject and a question or answer, or are called requests.
fn is_register(items: &[Value], name: &str, mapping: &RecordMapping) -> bool {
    let mut keys: Vec<String> = items
        .iter()
        .take(50)
        .filter_map(Value::as_object)
        .flat_map(|o| o.keys().map(|k| spaced(k)))
        .collect();
    keys.sort();
    keys.dedup();
    let fields: Vec<Field> = slots(&keys, mapping).into_iter().filter_map(|s| s.field).collect();
    let has = |f: Field| fields.contains(&f);
    let about = plain(name);
    let called = about.contains("rfi") || about.contains("anfrage");
    (has(Field::Number) || has(Field::UniqueId))
        && (has(Field::Subject) || has(Field::Question))
        && (has(Field::Question) || (called && (has(Field::Status) || has(Field::Answer))))
}

/// `dueDate` and `due_date` as `due Date` and `due date`.
fn spaced(key: &str) -> String {
    let mut out = String::with_capacity(key.len() + 4);
    let mut small = false;
    for c in key.chars() {
        if c.is_uppercase() && small {
            out.push(' ');
        }
        small = c.is_lowercase();
        out.push(if c == '_' { ' ' } else { c });
    }
    out
}

/// The list as rows of texts, answers apart.
struct Table {
    rows: Vec<Vec<String>>,
    answers: Vec<Vec<Answer>>,
    items: usize,
    /// Values beyond the most columns.
    left_out: u64,
}

impl Table {
    fn of(items: &[Value], most: usize) -> Table {
        let mut names: Vec<String> = Vec::new();
        let mut places: std::collections::HashMap<String, usize> = std::collections::HashMap::new();
        let (mut rows, mut answers, mut left_out) = (Vec::new(), Vec::new(), 0);
        let items = items.get(..items.len().min(most)).unwrap_or_default();
        for item in items {
            let (mut row, mut own) = (Vec::new(), Vec::new());
            let lone = Map::from_iter([("value".to_string(), item.clone())]);
            for (key, value) in item.as_object().unwrap_or(&lone) {
                let name = spaced(key);
                let field = super::columns::field(&name);
                if let (Some(Field::Answer | Field::OfficialAnswer), Value::Array(_) | Value::Object(_)) =
                    (field, value)
                {
                    own.extend(replies(value, field == Some(Field::OfficialAnswer)));
                    continue;
                }
                let text = tidy(&shown(value, 0));
                let at = match places.get(&name) {
                    Some(at) => *at,
                    None if names.len() < MAX_COLUMNS => {
                        places.insert(name.clone(), names.len());
                        names.push(name);
                        names.len() - 1
                    }
                    None => {
                        left_out += 1;
                        continue;
                    }
                };
                if row.len() <= at {
                    row.resize(at + 1, String::new());
                }
                if let Some(cell) = row.get_mut(at) {
                    *cell = text;
                }
            }
            // An item that is empty is an item all the same: it is counted and rejected.
            if row.iter().all(String::is_empty) {
                row = vec![String::new(); names.len()];
                row.push("(empty)".into());
            }
            rows.push(row);
            answers.push(own);
        }
        let mut all = vec![names];
        all.append(&mut rows);
        Table { rows: all, answers, items: items.len(), left_out }
    }
}

/// Answers in a list of texts or objects.
fn replies(value: &Value, official: bool) -> Vec<Answer> {
    let one = |value: &Value| -> Option<Answer> {
        let Value::Object(object) = value else {
            let text = tidy(&shown(value, 0));
            return (!text.is_empty()).then(|| Answer { text, official, ..Answer::default() });
        };
        let first = |keys: &[&str]| {
            keys.iter().filter_map(|key| object.get(*key)).map(|v| tidy(&shown(v, 0))).find(|t| !t.is_empty())
        };
        let date = first(&DATES).unwrap_or_default();
        let date = iso(&date, Order::MonthFirst).unwrap_or(date);
        let text = first(&TEXTS)?;
        let marked = OFFICIAL.iter().any(|key| object.get(*key) == Some(&Value::Bool(true)));
        Some(Answer { text, author: first(&AUTHORS).unwrap_or_default(), date, official: official || marked })
    };
    match value {
        Value::Array(items) => items.iter().filter_map(one).collect(),
        other => one(other).into_iter().collect(),
    }
}

/// A value as a person would write it: an object by its name, a list by its members.
fn shown(value: &Value, depth: usize) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => number
            .as_f64()
            .filter(|_| number.is_f64())
            .map_or_else(|| number.to_string(), crate::text::number),
        Value::Bool(yes) => yes.to_string(),
        Value::Array(_) | Value::Object(_) if depth > 8 => value.to_string(),
        Value::Array(items) => {
            let parts: Vec<String> =
                items.iter().map(|i| shown(i, depth + 1)).filter(|t| !t.is_empty()).collect();
            parts.join("; ")
        }
        Value::Object(object) => {
            let name = NAMES.iter().find_map(|key| object.get(*key)).map(|v| shown(v, depth + 1));
            name.filter(|n| !n.is_empty()).unwrap_or_else(|| pairs(object, depth))
        }
    }
}

fn pairs(object: &Map<String, Value>, depth: usize) -> String {
    let parts: Vec<String> = object
        .iter()
        .map(|(key, value)| (key, shown(value, depth + 1)))
        .filter(|(_, text)| !text.is_empty())
        .map(|(key, text)| format!("{}: {text}", spaced(key)))
        .collect();
    parts.join(", ")
}

#[cfg(test)]
pub(crate) mod tests {
    use crate::model::Kind;
    use crate::{Limits, ReadError, read};

    pub(crate) const EXPORT: &str = r#"{"page":1,"data":{"items":[
        {"id":"6f9619ff-8b86-d011-b42d-00c04fc964ff","customIdentifier":"12","title":"Deckenstärke",
         "question":"Wie dick ist die Decke?","suggestedAnswer":"240 mm","status":{"name":"answered"},
         "dueDate":"2026-03-12T00:00:00Z","createdAt":"2026-03-02","priority":"High",
         "costImpact":{"name":"Yes (Unknown)"},"scheduleImpact":null,"disciplines":[{"name":"Statik"},{"name":"Rohbau"}],
         "assignedTo":[{"name":"B. Beispiel"}],"ballInCourt":"C. Muster",
         "attachments":[{"filename":"detail.pdf"}],
         "responses":[{"text":"260 mm","createdBy":{"name":"B. Beispiel"},"createdAt":"2026-03-05","official":true},
                      {"text":"siehe Detail","author":"D. Probe"}]},
        {"number":13,"title":"Ohne Frage","question":"","status":"open"},
        {"number":14},
        {}
    ]}}"#;

    #[test]
    fn nested_lists_answers_and_names() {
        let document = read(EXPORT.as_bytes(), "export.json", &Limits::default()).unwrap();
        assert_eq!((document.kind, document.records.len()), (Kind::Rfi, 2));
        let record = &document.records[0];
        assert_eq!((record.number.as_str(), record.subject.as_str()), ("12", "Deckenstärke"));
        assert_eq!((record.state.as_str(), record.due.as_str()), ("answered", "2026-03-12T00:00:00"));
        assert_eq!(
            (record.discipline.as_str(), record.cost_impact.as_str()),
            ("Statik; Rohbau", "Yes (Unknown)")
        );
        assert_eq!((record.assignee.as_str(), record.ball_in_court.as_str()), ("B. Beispiel", "C. Muster"));
        assert_eq!(
            (record.suggestion.as_str(), record.attachments.as_slice()),
            ("240 mm", &["detail.pdf".to_string()][..])
        );
        let answers: Vec<_> = record
            .answers
            .iter()
            .map(|a| (a.text.as_str(), a.author.as_str(), a.date.as_str(), a.official))
            .collect();
        assert_eq!(
            answers,
            [("260 mm", "B. Beispiel", "2026-03-05", true), ("siehe Detail", "D. Probe", "", false)]
        );
        let counts = document.registers[0].counts;
        assert_eq!((counts.found, counts.stored, counts.rejected), (4, 2, 2));
        assert_eq!(document.registers[0].rejected[0].place, "item 3");
    }

    #[test]
    fn other_json_is_named_and_broken_json_is_damaged() {
        let read = |text: &str| read(text.as_bytes(), "x.json", &Limits::default());
        for text in [r#"{"type":"FeatureCollection","features":[]}"#, "[1,2,3]", "3", "[]"] {
            assert!(matches!(read(text), Err(ReadError::Unsupported { .. })), "{text}");
        }
        assert!(matches!(read("[{"), Err(ReadError::Damaged { .. })));
        assert!(matches!(read(&"[".repeat(100_000)), Err(ReadError::Damaged { .. })));
    }
}
