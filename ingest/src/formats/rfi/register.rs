//! A table that is a register: header found, rows mapped, every row accounted for.

use super::columns::{Field, field, plain};
use super::dates::{Order, order};
use super::join::Joiner;
use super::mapper::{Draft, Mapper, Slot};
use super::mapping::RecordMapping;
use crate::formats::sheet::workbook::Grid;
use crate::model::{Answer, Column, Document, Record, RecordCounts, Register, RejectedRecord, Warning};

/// Rows in which a header is looked for.
const HEADER_WITHIN: usize = 40;
/// Rows that are searched for what sort of requests they hold.
const SAMPLE: usize = 50;
/// What requests are called, as [`plain`] writes it.
const CALLED: [&str; 5] =
    ["rfi", "request for information", "anfrage", "demande d information", "richiesta d informazion"];

/// A register read.
#[derive(Debug, Default)]
pub(crate) struct Reading {
    pub(super) register: Register,
    pub(super) records: Vec<Record>,
    /// Identifiers that the program gave the records, one for each.
    pub(super) ids: Vec<String>,
    pub(super) warnings: Vec<String>,
    title: String,
    project: String,
}

impl Reading {
    /// Moves records, counts and warnings into the document.
    pub(crate) fn add_to(self, document: &mut Document) {
        for (key, value) in [("register", self.title), ("project", self.project)] {
            if !value.is_empty() {
                document.metadata.entry(key.into()).or_insert(value);
            }
        }
        let name = self.register.name.clone();
        document.take_register(self.register);
        document.warnings.extend(self.warnings.into_iter().map(|message| Warning {
            code: "record".into(),
            message: format!("'{name}': {message}"),
            page: None,
        }));
        document.records.extend(self.records);
    }
}

/// The register that a sheet is; `None` where it is none.
pub(crate) fn read(grid: &Grid, file_name: &str, mapping: &RecordMapping) -> Option<Reading> {
    let header_at = header(grid, file_name, mapping)?;
    let mut reading = read_below(grid, header_at, mapping, "row", &[]);
    let above = grid.rows.get(..header_at).unwrap_or_default();
    reading.title = title(above);
    reading.project = project(above);
    Some(reading)
}

/// Reads a table whose header stands in row `header_at`, from 0. `unit` says what its rows are called, `row`
/// in a sheet; `answers` are those that come with the rows but stand in no cell.
pub(super) fn read_below(
    grid: &Grid,
    header_at: usize,
    mapping: &RecordMapping,
    unit: &str,
    answers: &[Vec<Answer>],
) -> Reading {
    let names: Vec<String> = grid.rows.get(header_at).cloned().unwrap_or_default();
    let body = grid.rows.get(header_at + 1..).unwrap_or_default();
    let columns = slots(&names, mapping);
    let mut reading = Reading::default();
    let (order, mixed) = date_order(body, &columns, &names, mapping);
    if mixed {
        reading.warnings.push("dates with the day first and with the month first stand in it".into());
    }
    let mut mapper = Mapper::new(columns, &names, order, mapping);
    let mut joiner = Joiner::default();
    let above = if unit == "row" { header_at + 2 } else { 1 };
    for (offset, row) in body.iter().enumerate() {
        if row.iter().all(|c| c.trim().is_empty()) {
            continue;
        }
        let place = format!("{unit} {}", above + offset);
        reading.register.counts.found += 1;
        let own = answers.get(offset).cloned().unwrap_or_default();
        match mapper.draft(row, &place, own) {
            Err(reason) => reading.register.rejected.push(RejectedRecord { place, reason }),
            Ok(mut draft) => {
                let number = u32::try_from(above + offset).unwrap_or(u32::MAX);
                draft.record.row = Some(number).filter(|_| unit == "row");
                joiner.take(draft, &place);
            }
        }
    }
    reading.finish(joiner, mapper.columns(), grid, header_at, unit)
}

impl Reading {
    fn finish(
        mut self,
        joiner: Joiner,
        columns: Vec<Column>,
        grid: &Grid,
        header_at: usize,
        unit: &str,
    ) -> Self {
        let joined = joiner.finish();
        self.warnings.extend(joined.warnings);
        (self.records, self.ids) = joined.records.into_iter().map(Draft::into_record).unzip();
        self.register.counts = RecordCounts {
            found: self.register.counts.found,
            stored: self.records.len() as u64,
            merged: joined.merged,
            rejected: self.register.rejected.len() as u64,
        };
        self.register.name = grid.name.clone();
        self.register.unit = unit.to_string();
        self.register.header_row = (unit == "row").then(|| u32::try_from(header_at + 1).unwrap_or(u32::MAX));
        self.register.columns = columns;
        self
    }
}

/// What each column holds: what the mapping says, else what its header says.
pub(super) fn slots(names: &[String], mapping: &RecordMapping) -> Vec<Slot> {
    names
        .iter()
        .map(|name| match mapping.column(name) {
            Some(field) => Slot { field, by_mapping: true },
            None => Slot { field: field(name), by_mapping: false },
        })
        .collect()
}

/// Row of the header, from 0.
fn header(grid: &Grid, file_name: &str, mapping: &RecordMapping) -> Option<usize> {
    let mut above = plain(&format!("{file_name} {}", grid.name));
    let mut best: Option<(usize, usize)> = None;
    for (index, row) in grid.rows.iter().enumerate().take(HEADER_WITHIN) {
        let columns = slots(row, mapping);
        let below = grid.rows.get(index + 1..).unwrap_or_default();
        if let Some(kinds) = fields_of_register(row, &columns, &above, below)
            && best.is_none_or(|(_, most)| kinds > most)
        {
            best = Some((index, kinds));
        }
        above.push(' ');
        above.push_str(&plain(&row.join(" ")));
    }
    best.map(|(index, _)| index)
}

/// How many fields a header names; `None` where it is none of a register.
fn fields_of_register(row: &[String], columns: &[Slot], above: &str, below: &[Vec<String>]) -> Option<usize> {
    let mut kinds: Vec<Field> = columns.iter().filter_map(|c| c.field).collect();
    kinds.sort_unstable();
    kinds.dedup();
    let has = |f: Field| kinds.contains(&f);
    let question = has(Field::Question);
    let mapped = columns.iter().any(|c| c.by_mapping);
    if mapped && kinds.len() >= 3 && (question || has(Field::Subject)) {
        return Some(kinds.len());
    }
    let numbered = has(Field::Number) || has(Field::UniqueId);
    if kinds.len() < 4 || !numbered || !(question || has(Field::Subject)) {
        return None;
    }
    let named = || {
        let header = plain(&row.join(" "));
        CALLED.iter().any(|w| above.contains(w) || header.contains(w)) || names_requests(columns, below)
    };
    let text = question || has(Field::Answer) || has(Field::OfficialAnswer);
    (question || (named() && (text || has(Field::Status)))).then_some(kinds.len())
}

/// True where a column of sorts holds requests for information.
fn names_requests(columns: &[Slot], below: &[Vec<String>]) -> bool {
    let kind = columns.iter().position(|c| c.field == Some(Field::Kind));
    kind.is_some_and(|at| {
        let cells = below.iter().take(SAMPLE).filter_map(|row| row.get(at));
        cells.map(|cell| plain(cell)).any(|text| CALLED.iter().any(|w| text.contains(w)))
    })
}

/// The title block above the header as one line.
fn title(above: &[Vec<String>]) -> String {
    let lines: Vec<String> = above
        .iter()
        .map(|row| row.iter().map(|c| c.trim()).filter(|c| !c.is_empty()).collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("; ")
}

/// The project that a title block names: `Projekt: Schulhaus`, or in two cells.
fn project(above: &[Vec<String>]) -> String {
    const LABELS: [&str; 7] =
        ["project name", "projektname", "nom du projet", "project", "projekt", "projet", "progetto"];
    for label in LABELS {
        for row in above {
            let mut cells = row.iter().map(|c| c.trim()).filter(|c| !c.is_empty());
            while let Some(cell) = cells.next() {
                let (name, value) = cell.split_once(':').unwrap_or((cell, ""));
                if plain(name) == label {
                    let value = if value.trim().is_empty() { cells.next().unwrap_or("") } else { value };
                    return value.trim().to_string();
                }
            }
        }
    }
    String::new()
}

/// Day or month first: what the mapping says, else what the file's own dates show, else what its language
/// suggests. True where it holds both.
fn date_order(
    body: &[Vec<String>],
    columns: &[Slot],
    names: &[String],
    mapping: &RecordMapping,
) -> (Order, bool) {
    let any = |words: &[&str]| names.iter().any(|n| words.contains(&plain(n).as_str()));
    let english = any(&["subject", "question", "due", "due by", "due date", "date initiated"]);
    let other = any(&["betreff", "objet", "oggetto", "frage", "domanda", "titel", "titre", "titolo"]);
    let otherwise = if english && !other { Order::MonthFirst } else { Order::DayFirst };
    let dates = [Field::Created, Field::Due, Field::Closed, Field::AnswerDate];
    let is_date = |index: usize| columns.get(index).and_then(|s| s.field).is_some_and(|f| dates.contains(&f));
    let cells = body.iter().flat_map(|row| {
        row.iter().enumerate().filter(|(index, _)| is_date(*index)).map(|(_, cell)| cell.as_str())
    });
    let (shown, mixed) = order(cells, otherwise);
    (mapping.order().unwrap_or(shown), mixed)
}
