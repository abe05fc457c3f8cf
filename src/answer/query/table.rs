//! Running a query, and what it found as text and rows.

mod documents;
mod records;

use ingest::{Language, Locator};

use self::documents::{documents, listed, plans};
use self::records::records;
use super::lexicon::{Form, Thing};
use super::plan::{Look, Query};
use super::say;
use crate::answer::types::{Row, Table};
use crate::catalog::{
    CatalogError, Counted, CountedElement, ElementField, ElementGroup, ElementQuery, Group, Measure,
};

/// Different values named in the text of an answer; all are among its rows.
const MAX_VALUES: usize = 6;

/// Runs a query.
pub(super) fn run(look: &Look<'_>, query: Query, understood: Vec<String>) -> Result<Table, CatalogError> {
    let mut table = match query {
        Query::Elements(form, query) => elements(look, form, &query)?,
        Query::Records(query, check) => records(look, &query, check)?,
        Query::Documents(query) => documents(look, &query)?,
        Query::Plans(query) => plans(look, &query)?,
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

/// The values that a measure has, with how many elements have each; `None` where no element states it.
pub(super) fn values(
    look: &Look<'_>,
    query: &ElementQuery,
    measure: Measure,
    understood: Vec<String>,
) -> Result<Option<Table>, CatalogError> {
    let l = look.language;
    let query = ElementQuery { group: Some(ElementGroup::Value), ..query.clone() };
    let found = look.catalog.count_elements(look.scope, &query)?;
    let stated = found.measured.map_or(0, |m| m.stated);
    if stated == 0 {
        return Ok(None);
    }
    let groups = found.groups.iter().filter(|g| !g.key.is_empty());
    let value = |g: &Group| {
        let number = g.key.parse().map_or_else(|_| g.key.clone(), say::number);
        format!("{number} {} ({})", measure.unit(), so_many(g.count, l))
    };
    let shown: Vec<String> = groups.clone().take(MAX_VALUES).map(value).collect();
    let more = if groups.clone().count() > MAX_VALUES { "; …" } else { "" };
    let in_models = say::of(l, ["in den Modellen", "dans les modèles", "nei modelli", "in the models"]);
    let mut table = Table {
        text: format!("{} ({in_models}): {}{more}.", say::measure(measure, l), shown.join("; ")),
        total: stated,
        understood,
        ..Table::default()
    };
    if found.unstated > 0 {
        let note = say::of(l, ["Ohne Angabe:", "Sans indication :", "Senza indicazione:", "Not stated:"]);
        table.text.push_str(&format!(" {note} {}.", so_many(found.unstated, l)));
    }
    let head = format!("{} ({})", say::measure(measure, l), measure.unit());
    table.columns = vec![head, say::of(l, ["Anzahl", "Nombre", "Numero", "Number"]).to_owned()];
    let row = |g: &Group| Row {
        cells: vec![g.key.parse().map_or_else(|_| g.key.clone(), say::number), say::number(g.count as f64)],
        ..Row::default()
    };
    table.rows = groups.map(row).collect();
    Ok(Some(table))
}

/// `12 Elemente`.
fn so_many(count: u64, l: Language) -> String {
    let one = ["Element", "élément", "elemento", "element"];
    let many = ["Elemente", "éléments", "elementi", "elements"];
    format!("{} {}", say::number(count as f64), say::of(l, if count == 1 { one } else { many }))
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
        Some(ElementField::AcousticRating) => {
            say::of(l, ["Schalldämmung", "Affaiblissement acoustique", "Fonoisolamento", "Sound rating"])
                .to_owned()
        }
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

pub(super) fn grouped(look: &Look<'_>, groups: &[Group], measure: Option<Measure>, table: &mut Table) {
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
