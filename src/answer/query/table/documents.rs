//! Documents, plans, storeys and projects as rows.

use ingest::Kind;

use super::grouped;
use crate::answer::query::lexicon::Thing;
use crate::answer::query::plan::{Look, Node, PlanQuery};
use crate::answer::query::say;
use crate::answer::types::{Row, Table};
use crate::catalog::{CatalogError, DocumentQuery};

/// Runs a query over documents.
pub(super) fn documents(look: &Look<'_>, query: &DocumentQuery) -> Result<Table, CatalogError> {
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

/// Storeys, buildings or projects.
pub(super) fn listed(look: &Look<'_>, thing: Thing, nodes: Vec<Node>) -> Table {
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

/// Runs a query over plans: their current revisions.
pub(super) fn plans(look: &Look<'_>, query: &PlanQuery) -> Result<Table, CatalogError> {
    let l = look.language;
    let all: Vec<_> = look.current_plans()?.into_iter().filter(|p| query.holds(p)).collect();
    let mut table = Table { total: all.len() as u64, ..Table::default() };
    if let (false, [only]) = (query.numbers.is_empty(), all.as_slice()) {
        let dated = if only.date.is_empty() { String::new() } else { format!(", {}", say::day(&only.date)) };
        table.text = format!("{}: {} {}{dated}", only.number, say::revision(l), only.revision);
    }
    table.columns = [
        ["Plan", "Plan", "Tavola", "Plan"],
        ["Titel", "Titre", "Titolo", "Title"],
        ["Revision", "Révision", "Revisione", "Revision"],
        ["Datum", "Date", "Data", "Date"],
        ["Quelle", "Source", "Fonte", "Source"],
    ]
    .map(|names| say::of(l, names).to_owned())
    .to_vec();
    let limit = usize::try_from(look.limit).unwrap_or(usize::MAX);
    let row = |p: &crate::answer::query::plan::PlanRow| Row {
        document: Some(p.document),
        locator: p.locator.clone(),
        cells: vec![
            p.number.clone(),
            p.title.clone(),
            p.revision.clone(),
            say::day(&p.date),
            p.source.clone(),
        ],
    };
    table.rows = all.iter().take(limit).map(row).collect();
    Ok(table)
}
