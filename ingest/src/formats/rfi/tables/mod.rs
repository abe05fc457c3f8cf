//! An export of several CSV tables in one archive, joined by the identifier of the request: `rfis.csv` with
//! its responses, assignees, comments and attachments.

mod join;
mod pack;

use std::collections::{BTreeMap, HashMap};

use super::cells::tidy;
use super::columns::plain;
use super::mapping::RecordMapping;
use super::register::{Reading, read_below};
use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::sheet::csv;
use crate::formats::sheet::workbook::Grid;
use crate::limits::Limits;
use crate::model::{Attachment, Document, Kind, RejectedRecord, Warning};
use crate::text::label;
pub use pack::{ExportTable, pack_tables, table_of_export};

/// The table that holds the requests.
const MAIN: &str = "rfis";

/// Whether a member of an archive is the table of requests of such an export.
pub(crate) fn is_main(path: &str) -> bool {
    table_name(path) == Some(MAIN.into())
}

/// `RFIs/rfis_rfi_responses.csv` and `rfi_responses.csv` are both `rfi_responses`.
fn table_name(path: &str) -> Option<String> {
    let file = path.rsplit('/').next().unwrap_or(path).to_ascii_lowercase();
    let name = file.strip_suffix(".csv")?;
    let short = ["rfis_", "admin_"].iter().find_map(|p| name.strip_prefix(p)).unwrap_or(name);
    Some(short.to_string())
}

/// What the rows of a table are to the request that they name.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Part {
    Answers,
    Party(&'static str),
    Location,
    Discipline,
    Attachment,
    Attribute,
    /// Changes of status: history that the record's own status ends.
    History,
}

const TABLES: [(&str, Part); 14] = [
    ("rfi_responses", Part::Answers),
    ("comments", Part::Answers),
    ("rfi_comments", Part::Answers),
    ("rfi_assignees", Part::Party("assignee")),
    ("rfi_reviewers", Part::Party("reviewer")),
    ("rfi_co_reviewers", Part::Party("reviewer")),
    ("rfi_distribution_list", Part::Party("copy")),
    ("rfi_location", Part::Location),
    ("discipline", Part::Discipline),
    ("category", Part::Discipline),
    ("attachments", Part::Attachment),
    ("acc_attachments", Part::Attachment),
    ("rfi_custom_attributes", Part::Attribute),
    ("rfi_transitions", Part::History),
];

/// A table with the names of its columns, plain.
struct Table {
    names: Vec<String>,
    rows: Vec<Vec<String>>,
}

/// Columns that name the request that a row belongs to.
const REQUEST: [&str; 3] = ["rfi id", "entity id", "container id"];
/// Columns that name what a row itself is.
const OWN: [&str; 4] = ["id", "autodesk id", "user id", "uid"];

impl Table {
    /// True where it has the columns of the table that its name says it is. A file of the same name may hold
    /// something else.
    fn belongs(&self, name: &str) -> bool {
        let is_part = TABLES.iter().any(|(table, _)| *table == name);
        name == MAIN || self.column(if is_part { &REQUEST } else { &OWN }).is_some()
    }

    fn column(&self, names: &[&str]) -> Option<usize> {
        names.iter().find_map(|n| self.names.iter().position(|name| name == n))
    }

    /// The first filled cell of these columns.
    fn cell(&self, row: &[String], names: &[&str]) -> String {
        let cells = names.iter().filter_map(|n| row.get(self.names.iter().position(|name| name == n)?));
        cells.map(|c| tidy(c)).find(|c| !c.is_empty()).unwrap_or_default()
    }
}

/// Reads an archive that holds the table of requests.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    mapping: &RecordMapping,
) -> Result<Document, ReadError> {
    let mut archive = Archive::open(bytes, limits)?;
    let mut document = Document::new(Kind::Rfi, crate::formats::stem(name));
    let mut tables: BTreeMap<String, Table> = BTreeMap::new();
    let mut rows_left = limits.max_rows as usize;
    for (index, path) in archive.names() {
        let table = table_name(&path).filter(|t| t == MAIN || is_known(t));
        let content = match archive.read(index) {
            Ok(content) => content,
            Err(error @ (ReadError::TooLarge { .. } | ReadError::Password)) => return Err(error),
            Err(error) => {
                warn(&mut document, "member", format!("{path}: {error}"));
                continue;
            }
        };
        match table {
            Some(table) if !tables.contains_key(&table) => {
                let parsed = parse(&content, &mut rows_left, &path, &mut document);
                if parsed.belongs(&table) {
                    tables.insert(table, parsed);
                } else {
                    attach(&mut document, &path, content);
                }
            }
            _ => attach(&mut document, &path, content),
        }
    }
    let mut main = tables.remove(MAIN).ok_or_else(|| ReadError::Damaged {
        detail: "the archive has no table of requests (rfis.csv)".into(),
    })?;
    let people = people(&tables);
    let kinds = names_by_id(tables.get("rfi_types"), &["name", "title"]);
    replace(&mut main, &people, &kinds);
    let mut reading = requests(main, mapping);
    join::join(&tables, &people, &mut reading, &mut document);
    reading.add_to(&mut document);
    Ok(document)
}

/// A member that is no table of the export is a document of its own.
fn attach(document: &mut Document, path: &str, bytes: Vec<u8>) {
    let part = u32::try_from(document.attachments.len() + 1).unwrap_or(u32::MAX);
    let name = path.rsplit('/').next().unwrap_or(path).to_string();
    document.attachments.push(Attachment { name, part, bytes });
}

fn is_known(table: &str) -> bool {
    const LOOKUPS: [&str; 5] = [
        "rfi_types",
        "users",
        "project_users",
        "project_custom_attributes",
        "project_custom_attributes_enums",
    ];
    LOOKUPS.contains(&table) || TABLES.iter().any(|(name, _)| *name == table)
}

fn warn(document: &mut Document, code: &str, message: String) {
    document.warnings.push(Warning { code: code.into(), message, page: None });
}

fn parse(bytes: &[u8], rows_left: &mut usize, path: &str, document: &mut Document) -> Table {
    let (text, _) = crate::formats::charset::decode(bytes);
    let csv::Parsed { mut rows, cut, odd } = csv::parse(&text, *rows_left);
    if let Some(message) = csv::odd_quotes(&odd) {
        warn(document, "quotes", format!("{path}: {message}"));
    }
    *rows_left -= rows.len().min(*rows_left);
    if cut {
        warn(document, "row-limit", format!("{path}: rows beyond the limit were left out"));
    }
    let names = if rows.is_empty() { Vec::new() } else { rows.remove(0) };
    Table { names: names.iter().map(|n| plain(n)).collect(), rows }
}

/// Names by identifier.
fn names_by_id(table: Option<&Table>, columns: &[&str]) -> HashMap<String, String> {
    let mut out = HashMap::new();
    for (table, row) in table.iter().flat_map(|t| t.rows.iter().map(move |r| (t, r))) {
        let name = table.cell(row, columns);
        for id in OWN {
            let id = table.cell(row, &[id]);
            if !id.is_empty() && !name.is_empty() {
                out.insert(id, label(&name));
            }
        }
    }
    out
}

fn people(tables: &BTreeMap<String, Table>) -> HashMap<String, String> {
    let mut out = HashMap::new();
    for table in ["users", "project_users"] {
        out.extend(names_by_id(tables.get(table), &["name", "full name", "email"]));
    }
    out
}

/// Identifiers of people and types become their names; `created by id` is the column `created by`.
fn replace(main: &mut Table, people: &HashMap<String, String>, kinds: &HashMap<String, String>) {
    for name in &mut main.names {
        *name = match name.as_str() {
            "rfi type id" => "type".into(),
            other => other.strip_suffix(" id").filter(|o| !o.is_empty()).unwrap_or(other).to_string(),
        };
    }
    for cell in main.rows.iter_mut().flatten() {
        if let Some(name) = people.get(cell.trim()).or_else(|| kinds.get(cell.trim())) {
            cell.clone_from(name);
        }
    }
}

/// The records of the main table; rows that the program marked as deleted are rejected.
fn requests(main: Table, mapping: &RecordMapping) -> Reading {
    let deleted = main.column(&["deleted at"]);
    let mut rows = vec![main.names];
    let mut gone = Vec::new();
    for (row, number) in main.rows.into_iter().zip(2_u64..) {
        let is_gone = deleted.and_then(|at| row.get(at)).is_some_and(|c| !c.trim().is_empty());
        if is_gone {
            gone.push(RejectedRecord {
                place: format!("row {number}"),
                reason: "deleted in the program that exported it".into(),
            });
            rows.push(Vec::new());
        } else {
            rows.push(row);
        }
    }
    let grid = Grid { name: MAIN.into(), rows, ..Grid::default() };
    let mut reading = read_below(&grid, 0, mapping, "row", &[]);
    reading.register.counts.found += gone.len() as u64;
    reading.register.counts.rejected += gone.len() as u64;
    reading.register.rejected.extend(gone);
    reading
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use crate::model::Kind;
    use crate::{Limits, read};

    pub(crate) fn export() -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [
            (
                "rfis_rfis.csv",
                "id,custom_identifier,title,question,status,due_date,created_by,created_at,official_response,deleted_at\n\
                 u1,12,Slab,How thick?,answered,2026-03-12,p1,2026-03-02,240 mm,\n\
                 u2,13,Roof,Which?,open,,p9,2026-03-03,,\n\
                 u3,14,Old,Gone?,open,,p1,2026-03-03,,2026-03-04\n",
            ),
            (
                "rfis_rfi_responses.csv",
                "id,rfi_id,text,created_by,created_at\nr1,u1,see detail,p2,2026-03-04\nr2,u1,240 mm,p2,2026-03-05\nr3,u7,lost,p2,2026-03-05\n",
            ),
            ("rfis_rfi_assignees.csv", "rfi_id,user_id\nu1,p2\nu1,p3\n"),
            ("rfis_acc_attachments.csv", "entity_id,entity_type,display_name\nu1,rfiResponse,detail.pdf\n"),
            ("admin_users.csv", "id,name\np1,A. Muster\np2,B. Beispiel\n"),
            ("issues_issues.csv", "id,title\n1,Other\n"),
        ] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    #[test]
    fn tables_are_joined_by_the_requests_identifier() {
        let document = read(&export(), "export.zip", &Limits::default()).unwrap();
        assert_eq!((document.kind, document.records.len()), (Kind::Rfi, 2));
        let record = &document.records[0];
        assert_eq!((record.number.as_str(), record.author.as_str()), ("12", "A. Muster"));
        assert_eq!(record.assignee, "B. Beispiel; p3");
        assert_eq!(record.attachments, ["detail.pdf"]);
        let answers: Vec<_> = record
            .answers
            .iter()
            .map(|a| (a.text.as_str(), a.author.as_str(), a.date.as_str(), a.official))
            .collect();
        assert_eq!(
            answers,
            [
                ("see detail", "B. Beispiel", "2026-03-04", false),
                ("240 mm", "B. Beispiel", "2026-03-05", true)
            ]
        );
        let register = &document.registers[0];
        assert_eq!((register.counts.found, register.counts.stored, register.counts.rejected), (3, 2, 1));
        assert!(register.counts.balance());
        assert_eq!(register.rejected[0].place, "row 4");
        assert!(document.warnings.iter().any(|w| w.message.contains("rfi_responses: 1 row is")));
        assert_eq!(document.attachments[0].name, "issues_issues.csv");
    }
}
