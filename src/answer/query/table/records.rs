//! Requests as rows, and what is said of one that is named.

use ingest::Locator;

use super::grouped;
use crate::answer::query::lexicon::Thing;
use crate::answer::query::plan::{Check, Look};
use crate::answer::query::say;
use crate::answer::types::{Row, Table};
use crate::catalog::{CatalogError, CountedRecord, RecordQuery};

/// Runs a query over requests.
pub(super) fn records(
    look: &Look<'_>,
    query: &RecordQuery,
    check: Option<Check>,
) -> Result<Table, CatalogError> {
    let l = look.language;
    let found = look.catalog.count_records(look.scope, query)?;
    let mut table = Table { total: found.total, ..Table::default() };
    if let Some(group) = query.group {
        grouped(look, &found.groups, None, &mut table);
        for row in &mut table.rows {
            if let (crate::catalog::RecordGroup::State, Some(cell)) = (group, row.cells.first_mut()) {
                *cell = say::state(cell, l);
            } else if let (crate::catalog::RecordGroup::Month, Some(cell)) = (group, row.cells.first_mut()) {
                *cell = say::day(cell);
            }
        }
        return Ok(table);
    }
    table.columns = [
        ["Nummer", "Numéro", "Numero", "Number"],
        ["Betreff", "Objet", "Oggetto", "Subject"],
        ["Status", "Statut", "Stato", "Status"],
        ["Am Zug", "À l’action", "Tocca a", "Next to act"],
        ["Fällig", "Échéance", "Scadenza", "Due"],
        ["Beantwortet", "Répondu", "Risposta", "Answered"],
        ["Register", "Registre", "Registro", "Register"],
    ]
    .map(|names| say::of(l, names).to_owned())
    .to_vec();
    table.rows = found.rows.iter().map(record_row).collect();
    if let Some(check) = check {
        table.text = found.rows.iter().map(|r| checked(look, check, r)).collect::<Vec<_>>().join("\n");
    }
    if found.unstated > 0 {
        let note = say::of(
            l,
            [
                "Offen und ohne Frist, deshalb nicht beurteilt:",
                "Ouverts sans délai, donc non évalués :",
                "Aperte senza scadenza, perciò non valutate:",
                "Open without a due date, therefore not judged:",
            ],
        );
        let count = say::number(found.total as f64);
        table.text = format!("{}: {count}\n{note} {}.", say::thing(Thing::Record, l), found.unstated);
    }
    Ok(table)
}

fn record_row(r: &CountedRecord) -> Row {
    Row {
        document: Some(r.document),
        locator: Some(Locator::Rfi { record: r.number.clone() }),
        cells: vec![
            r.number.clone(),
            r.subject.clone(),
            r.status.clone(),
            // Nobody has to act on what is done.
            if r.state == "open" { r.next.clone() } else { String::new() },
            say::day(&r.due),
            say::day(&r.answered),
            r.title.clone(),
        ],
    }
}

/// What is said of a record that was named: whether it holds, and its status in the register's words.
fn checked(look: &Look<'_>, check: Check, r: &CountedRecord) -> String {
    let l = look.language;
    let (yes, no) = (say::of(l, ["Ja", "Oui", "Sì", "Yes"]), say::of(l, ["Nein", "Non", "No", "No"]));
    let holds = match check {
        Check::Answered(yes) => Some((r.answers > 0 || r.state == "answered") == yes),
        Check::Official | Check::Status => None,
        Check::State(state) => Some(r.state == state),
        Check::Overdue => Some(r.state == "open" && !r.due.is_empty() && r.due < look.today),
    };
    let named = r.subject.starts_with(&r.number);
    let mut parts =
        vec![if named { r.subject.clone() } else { format!("{} {}", r.number, r.subject).trim().to_owned() }];
    if let Some(holds) = holds {
        parts = vec![format!("{}: {}", r.number, if holds { yes } else { no })];
    }
    let status = say::of(l, ["Status", "statut", "stato", "status"]);
    let word = if r.status.is_empty() { say::state(&r.state, l) } else { r.status.clone() };
    parts.push(format!("{status} «{word}»"));
    if !r.answered.is_empty() {
        let name = say::of(l, ["beantwortet am", "répondu le", "risposta del", "answered on"]);
        parts.push(format!("{name} {}", say::day(&r.answered)));
    }
    if r.state == "open" && !r.next.is_empty() {
        parts.push(format!("{}: {}", say::person(crate::catalog::PersonField::Next, l), r.next));
    }
    if r.state == "open" && !r.due.is_empty() {
        parts.push(format!("{} {}", say::of(l, ["fällig", "échéance", "scadenza", "due"]), say::day(&r.due)));
    }
    let line = parts.join(", ");
    let quote = |names, text: &str| match text.is_empty() {
        true => String::new(),
        false => format!(" {}: «{}»", say::of(l, names), one_line(text)),
    };
    let asked = if check == Check::Status { r.question.as_str() } else { "" };
    let question = quote(["Frage", "Question", "Domanda", "Question"], asked);
    format!("{line}.{question}{}", quote(["Antwort", "Réponse", "Risposta", "Answer"], &r.answer))
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
