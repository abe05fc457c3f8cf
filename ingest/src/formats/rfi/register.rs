//! A sheet that is a register: header found, rows mapped, every row accounted for.

use std::collections::{BTreeMap, HashMap};

use super::columns::{Field, field, plain};
use super::dates::{Order, iso, order};
use super::states::state;
use crate::formats::sheet::workbook::Grid;
use crate::model::{Answer, Document, ElementLink, Record, Warning};

/// Rows in which a header is looked for.
const HEADER_WITHIN: usize = 40;
/// Rejected rows named one by one.
const NAMED_ROWS: usize = 200;

/// A register read.
#[derive(Debug, Default)]
pub(crate) struct Register {
    sheet: String,
    records: Vec<Record>,
    /// Rows with content below the header.
    rows_in: usize,
    merged: usize,
    rejected: Vec<(u32, String)>,
    warnings: Vec<String>,
    title: String,
}

impl Register {
    /// Moves records, counts and warnings into the document.
    pub(crate) fn add_to(self, document: &mut Document) {
        let mut add = |key: &str, count: usize| {
            let so_far: usize = document.metadata.get(key).and_then(|v| v.parse().ok()).unwrap_or(0);
            document.metadata.insert(key.into(), (so_far + count).to_string());
        };
        add("rows", self.rows_in);
        add("records", self.records.len());
        add("rows_merged", self.merged);
        add("rows_rejected", self.rejected.len());
        if !self.title.is_empty() {
            document.metadata.entry("register".into()).or_insert(self.title);
        }
        let sheet = &self.sheet;
        let mut warn = |code: &str, message: String| {
            document.warnings.push(Warning { code: code.into(), message, page: None })
        };
        for (row, reason) in self.rejected.iter().take(NAMED_ROWS) {
            warn("row-rejected", format!("sheet '{sheet}', row {row}: {reason}"));
        }
        if self.rejected.len() > NAMED_ROWS {
            warn(
                "row-rejected",
                format!("sheet '{sheet}': {} more rows rejected", self.rejected.len() - NAMED_ROWS),
            );
        }
        for message in self.warnings {
            warn("record", format!("sheet '{sheet}', {message}"));
        }
        document.records.extend(self.records);
    }
}

/// The register that a sheet is; `None` where it is none.
pub(crate) fn read(grid: &Grid, file_name: &str) -> Option<Register> {
    let (header_at, columns) = header(grid, file_name)?;
    let names = grid.rows.get(header_at)?;
    let body = grid.rows.get(header_at + 1..).unwrap_or_default();
    let mapper = Mapper { order: date_order(body, &columns, names), columns, names };
    let mut register =
        Register { sheet: grid.name.clone(), title: title(grid, header_at), ..Register::default() };
    let mut by_number: HashMap<(String, String), usize> = HashMap::new();
    for (offset, row) in body.iter().enumerate() {
        if row.iter().all(|c| c.trim().is_empty()) {
            continue;
        }
        let number = u32::try_from(header_at + offset + 2).unwrap_or(u32::MAX);
        register.rows_in += 1;
        match mapper.record(row, number) {
            Err(reason) => register.rejected.push((number, reason)),
            Ok(record) => place(record, &mut register, &mut by_number),
        }
    }
    Some(register)
}

/// A row for each recipient is one record; the same number with other contents is a second one.
fn place(record: Record, register: &mut Register, by_number: &mut HashMap<(String, String), usize>) {
    let key = (record.number.clone(), record.revision.clone());
    let known = by_number.get(&key).and_then(|index| register.records.get_mut(*index));
    match known {
        Some(first) if first.subject == record.subject && first.question == record.question => {
            merge(first, record);
            register.merged += 1;
        }
        Some(_) => {
            let row = record.row.unwrap_or(0);
            register
                .warnings
                .push(format!("row {row}: number {} stands above with other contents", record.number));
            register.records.push(record);
        }
        None => {
            by_number.insert(key, register.records.len());
            register.records.push(record);
        }
    }
}

fn merge(first: &mut Record, other: Record) {
    for (mine, theirs) in [(&mut first.assignee, other.assignee), (&mut first.author, other.author)] {
        if !theirs.is_empty() && !mine.split("; ").any(|m| m == theirs) {
            if !mine.is_empty() {
                mine.push_str("; ");
            }
            mine.push_str(&theirs);
        }
    }
    for answer in other.answers {
        if !first.answers.contains(&answer) {
            first.answers.push(answer);
        }
    }
    for (name, value) in other.fields {
        first.fields.entry(name).or_insert(value);
    }
    // One open recipient leaves the request open.
    if first.state != "open" && other.state == "open" {
        first.status = other.status;
        first.state = other.state;
    }
}

/// Row of the header and what each column holds.
fn header(grid: &Grid, file_name: &str) -> Option<(usize, Vec<Option<Field>>)> {
    let about = plain(&format!("{file_name} {}", grid.name));
    let mut above = about.clone();
    let mut best: Option<(usize, usize, Vec<Option<Field>>)> = None;
    for (index, row) in grid.rows.iter().enumerate().take(HEADER_WITHIN) {
        let columns: Vec<Option<Field>> = row.iter().map(|c| field(c)).collect();
        let mut kinds: Vec<Field> = columns.iter().flatten().copied().collect();
        kinds.sort_unstable();
        kinds.dedup();
        let has = |f: Field| kinds.contains(&f);
        let text = has(Field::Question) || has(Field::Answer) || has(Field::OfficialAnswer);
        let called =
            ["rfi", "request for information", "anfrage", "demande d information", "richiesta d informazion"];
        let named = called.iter().any(|w| above.contains(w) || plain(&row.join(" ")).contains(w));
        let is_register = has(Field::Number)
            && (has(Field::Subject) || has(Field::Question))
            && (has(Field::Question) && text || named && (text || has(Field::Status)))
            && kinds.len() >= 4;
        if is_register && best.as_ref().is_none_or(|(_, most, _)| kinds.len() > *most) {
            best = Some((index, kinds.len(), columns));
        }
        above.push(' ');
        above.push_str(&plain(&row.join(" ")));
    }
    best.map(|(index, _, columns)| (index, columns))
}

/// The title block above the header as one line.
fn title(grid: &Grid, header_at: usize) -> String {
    let above = grid.rows.get(..header_at).unwrap_or_default();
    let lines: Vec<String> = above
        .iter()
        .map(|row| row.iter().map(|c| c.trim()).filter(|c| !c.is_empty()).collect::<Vec<_>>().join(" "))
        .filter(|line| !line.is_empty())
        .collect();
    lines.join("; ")
}

const DATES: [Field; 4] = [Field::Created, Field::Due, Field::Closed, Field::AnswerDate];

/// Day or month first: what the file's own dates show, else what its language suggests.
fn date_order(body: &[Vec<String>], columns: &[Option<Field>], names: &[String]) -> Order {
    let english = names
        .iter()
        .any(|n| ["subject", "question", "due", "due by", "due date"].contains(&plain(n).as_str()));
    let german_or_so = names
        .iter()
        .any(|n| ["betreff", "objet", "oggetto", "frage", "domanda"].contains(&plain(n).as_str()));
    let otherwise = if english && !german_or_so { Order::MonthFirst } else { Order::DayFirst };
    let is_date = |index: &usize| columns.get(*index).copied().flatten().is_some_and(|f| DATES.contains(&f));
    let cells = body.iter().flat_map(|row| {
        row.iter().enumerate().filter(move |(index, _)| is_date(index)).map(|(_, cell)| cell.as_str())
    });
    order(cells, otherwise)
}

struct Mapper<'a> {
    columns: Vec<Option<Field>>,
    names: &'a [String],
    order: Order,
}

impl Mapper<'_> {
    fn record(&self, row: &[String], number: u32) -> Result<Record, String> {
        if row == self.names {
            return Err("the header once more".into());
        }
        let mut record = Record { row: Some(number), ..Record::default() };
        let mut answer = AnswerParts::default();
        for (index, cell) in row.iter().enumerate() {
            let text = tidy(cell);
            if text.is_empty() {
                continue;
            }
            let header = self.names.get(index).map(|n| tidy(n)).unwrap_or_default();
            let known = self.columns.get(index).copied().flatten();
            self.put(&mut record, &mut answer, known, &header, index, text);
        }
        if record.subject.is_empty() && record.question.is_empty() {
            return Err("no subject and no question".into());
        }
        if record.number.is_empty() {
            if record.question.is_empty() && record.status.is_empty() {
                return Err("no number and no question".into());
            }
            record.number = format!("row {number}");
        }
        record.answers = answer.into_answers(self.order);
        record.state = self.state_of(&record);
        link_elements(&mut record);
        Ok(record)
    }

    /// Puts a cell where its column says; what has no place of its own is kept under the column's name.
    fn put(
        &self,
        record: &mut Record,
        answer: &mut AnswerParts,
        known: Option<Field>,
        header: &str,
        index: usize,
        text: String,
    ) {
        let date = |text: &str| iso(text, self.order);
        let fields: &mut BTreeMap<String, String> = &mut record.fields;
        let mut keep = |text: String| {
            let name = if header.is_empty() { format!("column {}", index + 1) } else { header.to_string() };
            fields.entry(name).or_insert(text);
        };
        match known {
            Some(Field::Number) if record.number.is_empty() => record.number = text,
            Some(Field::Revision) => append(&mut record.revision, text),
            Some(Field::Subject) if record.subject.is_empty() => record.subject = text.replace('\n', " "),
            Some(Field::Question) if record.question.is_empty() => record.question = text,
            Some(Field::Question) => record.question.push_str(&format!("\n{text}")),
            Some(Field::Answer) => answer.texts.push((text, false)),
            Some(Field::OfficialAnswer) => answer.texts.push((text, true)),
            Some(Field::AnswerAuthor) => append(&mut answer.author, text),
            Some(Field::AnswerDate) => match date(&text) {
                Some(day) if answer.date.is_empty() => answer.date = day,
                _ => keep(text),
            },
            // "State: Closed" beside "Status: Overdue": the one that says more about the state is kept.
            Some(Field::Status) if record.status.is_empty() => record.status = text,
            Some(Field::Status) if state(&record.status).is_empty() && !state(&text).is_empty() => {
                keep(std::mem::replace(&mut record.status, text));
            }
            Some(Field::Priority) => append(&mut record.priority, text),
            Some(Field::Discipline) => append(&mut record.discipline, text),
            Some(slot @ (Field::Created | Field::Due | Field::Closed)) => {
                let target = match slot {
                    Field::Created => &mut record.created,
                    Field::Due => &mut record.due,
                    _ => &mut record.closed,
                };
                match date(&text) {
                    Some(day) if target.is_empty() => *target = day,
                    Some(day) if *target == day => {}
                    _ => keep(text),
                }
            }
            Some(Field::Author) => append(&mut record.author, text),
            Some(Field::Assignee) => append(&mut record.assignee, text),
            Some(Field::Reference) => {
                record.references.extend(listed(&text));
                keep(text);
            }
            Some(Field::Element) => {
                record.elements.extend(text.split_whitespace().filter_map(element_link));
                keep(text);
            }
            _ => keep(text),
        }
    }

    /// From the status, else from what is filled in.
    fn state_of(&self, record: &Record) -> String {
        match state(&record.status) {
            "" if !record.closed.is_empty() => "closed".into(),
            "" if record.status.is_empty() && !record.answers.is_empty() => "answered".into(),
            "" if record.status.is_empty() => "open".into(),
            known => known.into(),
        }
    }
}

#[derive(Default)]
struct AnswerParts {
    /// Text and whether it is the official answer.
    texts: Vec<(String, bool)>,
    author: String,
    date: String,
}

impl AnswerParts {
    /// Several answers in one cell are parted; author and date columns belong to the last one.
    fn into_answers(self, order: Order) -> Vec<Answer> {
        let mut out = Vec::new();
        for (text, official) in self.texts {
            for piece in text.split(" | ").map(str::trim).filter(|p| !p.is_empty()) {
                out.push(Answer { text: piece.to_string(), official, ..Answer::default() });
            }
        }
        if let Some(last) = out.last_mut() {
            last.author = self.author;
            last.date = self.date;
        }
        for answer in &mut out {
            if answer.date.is_empty()
                && let Some((date, author, text)) = signed(&answer.text, order)
            {
                answer.date = date;
                if answer.author.is_empty() {
                    answer.author = author;
                }
                answer.text = text;
            }
        }
        out
    }
}

/// An answer that starts with its date and perhaps its author: `12.03.2026 A. Muster: …`.
fn signed(text: &str, order: Order) -> Option<(String, String, String)> {
    let (head, rest) = text.split_once(": ")?;
    let head = head.trim_matches(['[', ']', '(', ')', ' ']);
    if head.len() > 60 {
        return None;
    }
    let mut words = head.split([' ', ',']).filter(|w| !w.is_empty());
    let date = iso(words.next()?, order)?;
    let author: Vec<&str> = words.collect();
    Some((date, author.join(" "), rest.trim().to_string()))
}

/// Adds what is not there yet, behind a semicolon.
fn append(slot: &mut String, text: String) {
    if slot.is_empty() {
        *slot = text;
    } else if *slot != text {
        slot.push_str(&format!("; {text}"));
    }
}

/// Line ends made plain, spaces at both ends and empty lines gone.
fn tidy(cell: &str) -> String {
    let lines: Vec<&str> = cell.split(['\n', '\r']).map(str::trim).filter(|l| !l.is_empty()).collect();
    lines.join("\n").replace("_x000D_", "").trim().to_string()
}

/// Members of a list in one cell.
fn listed(text: &str) -> Vec<String> {
    let parts = text.split([';', '\n']).flat_map(|p| p.split(", "));
    parts.map(str::trim).filter(|p| !p.is_empty()).map(String::from).collect()
}

/// A GlobalId: 22 characters of its alphabet, the first one small.
pub(super) fn element_link(token: &str) -> Option<ElementLink> {
    let token = token.trim_matches(|c: char| !(c.is_ascii_alphanumeric() || c == '_' || c == '$'));
    let shaped = token.len() == 22
        && token.starts_with(['0', '1', '2', '3'])
        && token.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'_' || b == b'$');
    shaped.then(|| ElementLink { global_id: token.to_string(), ..ElementLink::default() })
}

/// GlobalIds in question and answers become links.
fn link_elements(record: &mut Record) {
    let texts =
        std::iter::once(record.question.as_str()).chain(record.answers.iter().map(|a| a.text.as_str()));
    let mixed = |link: &ElementLink| {
        let id = &link.global_id;
        id.bytes().any(|b| b.is_ascii_uppercase()) && id.bytes().any(|b| b.is_ascii_lowercase())
    };
    let found: Vec<ElementLink> =
        texts.flat_map(str::split_whitespace).filter_map(element_link).filter(mixed).collect();
    record.elements.extend(found);
    let mut seen = std::collections::BTreeSet::new();
    record.elements.retain(|e| seen.insert(e.global_id.clone()));
}
