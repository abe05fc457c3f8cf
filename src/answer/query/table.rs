//! Running a query, and what it found as text and rows.

use ingest::{Kind, Locator};

use super::lexicon::{Form, Thing};
use super::plan::{Check, Look, Node, Query};
use super::say;
use crate::answer::types::{Row, Table};
use crate::catalog::{
    CatalogError, Counted, CountedElement, CountedRecord, DocumentQuery, ElementField, ElementQuery, Group,
    Measure, RecordQuery,
};

/// Runs a query.
pub(super) fn run(look: &Look<'_>, query: Query, understood: Vec<String>) -> Result<Table, CatalogError> {
    let mut table = match query {
        Query::Elements(form, query) => elements(look, form, &query)?,
        Query::Records(query, check) => records(look, &query, check)?,
        Query::Documents(query) => documents(look, &query)?,
        Query::Nodes(thing, nodes) => listed(look, thing, nodes),
    };
    let head = understood.first().cloned().unwrap_or_default();
    if table.text.is_empty() {
        table.text = format!("{head}: {}", say::number(table.total as f64));
    }
    let shown = table.rows.len() as u64;
    if shown > 0 && shown < table.total && shown >= look.limit {
        let first = say::of(
            look.language,
            ["Gezeigt sind die ersten", "Affichés : les premiers", "Mostrati i primi", "Shown are the first"],
        );
        table.text.push_str(&format!("\n{first} {shown}."));
    }
    table.understood = understood;
    Ok(without_empty_columns(table))
}

fn elements(look: &Look<'_>, form: Form, query: &ElementQuery) -> Result<Table, CatalogError> {
    let l = look.language;
    let found = look.catalog.count_elements(look.scope, query)?;
    let mut table = Table { total: found.total, ..Table::default() };
    if query.group.is_some() {
        grouped(look, &found.groups, query.measure, &mut table);
    } else {
        let extreme = matches!(form, Form::Max | Form::Min);
        table.columns = element_columns(look, query);
        let kept = found.rows.iter().filter(|e| !extreme || e.value.is_some());
        table.rows = kept.map(element_row).collect();
    }
    if let (Some(measure), true) =
        (query.measure, matches!(form, Form::Sum | Form::Mean | Form::Max | Form::Min))
    {
        table.text = measured(look, form, measure, &found);
    }
    if found.unstated > 0 {
        let note = say::of(
            l,
            [
                "Nicht beurteilt, weil die Angabe im Modell fehlt:",
                "Non évalués, car la donnée manque dans le modèle :",
                "Non valutati, perché il dato manca nel modello:",
                "Not judged, because the model does not state it:",
            ],
        );
        let head = if table.text.is_empty() {
            format!("{}: {}", thing_of(look, query), say::number(found.total as f64))
        } else {
            table.text
        };
        table.text = format!("{head}\n{note} {}.", say::number(found.unstated as f64));
    }
    Ok(table)
}

/// What is counted, by its classes.
fn thing_of(look: &Look<'_>, query: &ElementQuery) -> String {
    let is = |(_, classes, _): &(&str, &[&str], [&str; 4])| {
        classes.first().is_some_and(|c| query.classes.first().is_some_and(|q| q == c))
    };
    let at = super::lexicon::CLASSES.iter().position(is).unwrap_or(super::plan::ANY_ELEMENT);
    say::thing(Thing::Element(at), look.language)
}

fn measured(look: &Look<'_>, form: Form, measure: Measure, found: &Counted<CountedElement>) -> String {
    let l = look.language;
    let Some(m) = found.measured.filter(|m| m.stated > 0) else {
        let none =
            say::of(l, ["nirgends angegeben", "indiqué nulle part", "non indicato", "not stated anywhere"]);
        return format!("{}: {none}.", say::measure(measure, l));
    };
    let value = match form {
        Form::Sum => m.sum,
        Form::Mean => m.mean(),
        Form::Max => m.max,
        _ => m.min,
    };
    let of = say::of(l, ["aus", "sur", "su", "of"]);
    let values = say::of(l, ["Angaben", "valeurs", "valori", "values"]);
    format!(
        "{} ({}): {} {} ({of} {} {values})",
        say::form(form, l),
        say::measure(measure, l),
        say::number(value),
        measure.unit(),
        m.stated
    )
}

fn element_columns(look: &Look<'_>, query: &ElementQuery) -> Vec<String> {
    let l = look.language;
    let mut columns: Vec<String> = [
        ["Name", "Nom", "Nome", "Name"],
        ["Beschreibung", "Description", "Descrizione", "Description"],
        ["Typ", "Type", "Tipo", "Type"],
        ["Geschoss", "Étage", "Piano", "Storey"],
    ]
    .map(|names| say::of(l, names).to_owned())
    .to_vec();
    columns.push(query.measure.map(|m| format!("{} ({})", say::measure(m, l), m.unit())).unwrap_or_default());
    columns.push(match &query.shown {
        Some(ElementField::Property(name)) => name.clone(),
        Some(_) => say::of(l, ["Feuerwiderstand", "Résistance au feu", "Resistenza al fuoco", "Fire rating"])
            .to_owned(),
        None => String::new(),
    });
    columns.push(say::of(l, ["Modell", "Modèle", "Modello", "Model"]).to_owned());
    columns
}

fn element_row(e: &CountedElement) -> Row {
    let shown = |text: &Option<String>| text.clone().unwrap_or_default();
    Row {
        document: Some(e.document),
        locator: Some(Locator::Ifc { global_id: e.global_id.clone() }),
        cells: vec![
            if e.name.is_empty() { e.global_id.clone() } else { e.name.clone() },
            e.description.clone(),
            e.type_name.clone(),
            e.storey.clone(),
            e.value.map(say::number).unwrap_or_default(),
            shown(&e.shown),
            e.title.clone(),
        ],
    }
}

fn grouped(look: &Look<'_>, groups: &[Group], measure: Option<Measure>, table: &mut Table) {
    let l = look.language;
    let head = say::of(l, ["Gruppe", "Groupe", "Gruppo", "Group"]);
    let count = say::of(l, ["Anzahl", "Nombre", "Numero", "Number"]);
    let sum = measure.map(|m| format!("{} {} ({})", say::form(Form::Sum, l), say::measure(m, l), m.unit()));
    table.columns = vec![head.to_owned(), count.to_owned(), sum.unwrap_or_default()];
    let none = say::state("", l);
    let row = |g: &Group| Row {
        cells: vec![
            if g.key.is_empty() { none.clone() } else { g.key.clone() },
            say::number(g.count as f64),
            g.sum.filter(|_| measure.is_some()).map(say::number).unwrap_or_default(),
        ],
        ..Row::default()
    };
    table.rows = groups.iter().map(row).collect();
}

fn records(look: &Look<'_>, query: &RecordQuery, check: Option<Check>) -> Result<Table, CatalogError> {
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

fn documents(look: &Look<'_>, query: &DocumentQuery) -> Result<Table, CatalogError> {
    let l = look.language;
    let found = look.catalog.count_documents(look.scope, query)?;
    let mut table = Table { total: found.total, ..Table::default() };
    if query.group.is_some() {
        grouped(look, &found.groups, None, &mut table);
        for cell in table.rows.iter_mut().filter_map(|r| r.cells.first_mut()) {
            *cell =
                Kind::parse(cell).map_or_else(|| say::day(cell), |k| say::thing(Thing::Document(Some(k)), l));
        }
        return Ok(table);
    }
    table.columns = [
        ["Titel", "Titre", "Titolo", "Title"],
        ["Pfad", "Chemin", "Percorso", "Path"],
        ["Seiten", "Pages", "Pagine", "Pages"],
        ["Geändert", "Modifié", "Modificato", "Changed"],
        ["Projekt", "Projet", "Progetto", "Project"],
    ]
    .map(|names| say::of(l, names).to_owned())
    .to_vec();
    let row = |d: &crate::catalog::CountedDocument| Row {
        document: Some(d.document),
        locator: None,
        cells: vec![
            d.title.clone(),
            d.path.clone(),
            if d.pages == 0 { String::new() } else { d.pages.to_string() },
            say::day(&d.changed),
            d.project.clone(),
        ],
    };
    table.rows = found.rows.iter().map(row).collect();
    Ok(table)
}

fn listed(look: &Look<'_>, thing: Thing, nodes: Vec<Node>) -> Table {
    let l = look.language;
    let heads: &[[&str; 4]] = match thing {
        Thing::Storey => &[
            ["Geschoss", "Étage", "Piano", "Storey"],
            ["Gebäude", "Bâtiment", "Edificio", "Building"],
            ["Modell", "Modèle", "Modello", "Model"],
        ],
        Thing::Building => &[
            ["Gebäude", "Bâtiment", "Edificio", "Building"],
            ["Beschreibung", "Description", "Descrizione", "Description"],
            ["Modell", "Modèle", "Modello", "Model"],
        ],
        _ => &[["Projekt", "Projet", "Progetto", "Project"]],
    };
    let row = |node: Node| Row {
        document: node.document.as_ref().map(|(d, _)| *d),
        locator: None,
        cells: node.cells,
    };
    Table {
        total: nodes.len() as u64,
        columns: heads.iter().map(|names| say::of(l, *names).to_owned()).collect(),
        rows: nodes.into_iter().map(row).collect(),
        ..Table::default()
    }
}

/// A column that no row fills says nothing.
fn without_empty_columns(mut table: Table) -> Table {
    let filled: Vec<bool> = (0..table.columns.len())
        .map(|at| table.rows.iter().any(|r| r.cells.get(at).is_some_and(|c| !c.is_empty())))
        .collect();
    let keep = |at: usize| filled.get(at).copied().unwrap_or(false);
    let kept = |all: &[String]| -> Vec<String> {
        all.iter().enumerate().filter(|(at, _)| keep(*at)).map(|(_, c)| c.clone()).collect()
    };
    table.columns = kept(&table.columns);
    for row in &mut table.rows {
        row.cells = kept(&row.cells);
    }
    table
}
