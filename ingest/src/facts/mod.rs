//! Facts of energy proofs after SIA 380/1, and the U-values of models beside which they are shown.
//!
//! A proof is known by its words, not by its layout: it names the standard and states at least two of reference area,
//! envelope factor, heating demand and its limit, or calls itself a proof and lists U-values. What is taken is a value
//! with its label, unit and place; what cannot be what its label says (an area in kWh) is left.

mod labels;
mod model;
mod numbers;
mod prose;
mod rows;

#[cfg(test)]
mod tests;

use std::collections::HashSet;

use crate::formats::office::cellnotes::cell_name;
use crate::model::{Document, Fact, FactKind, Locator, Page, Rect};
use labels::fold;
use rows::Grid;

/// Facts of one document.
const MAX_FACTS: usize = 2_000;
/// Pages that are looked at: a proof is shorter.
const MAX_PAGES: usize = 400;

/// The facts of a document; none for one that is neither a proof nor a model.
pub(crate) fn of(document: &Document) -> Vec<Fact> {
    if !document.elements.is_empty() {
        let mut facts = model::u_values(&document.elements);
        facts.truncate(MAX_FACTS);
        return facts;
    }
    if !mentions_standard(document) {
        return Vec::new();
    }
    let mut facts = Vec::new();
    document.pages.iter().take(MAX_PAGES).for_each(|page| page_facts(page, &mut facts));
    sheet_facts(document, &mut facts);
    section_facts(document, &mut facts);
    let facts = distinct(facts);
    if is_proof(document, &facts) { facts } else { Vec::new() }
}

fn mentions_standard(document: &Document) -> bool {
    let pages = document.pages.iter().take(MAX_PAGES).any(|p| p.text.contains("380/1"));
    let cells = || document.sheets.iter().flat_map(|s| &s.rows).flatten().any(|c| c.contains("380/1"));
    let texts = || {
        document.sections.iter().any(|s| {
            s.text.contains("380/1")
                || s.heading.contains("380/1")
                || s.rows.iter().flatten().any(|c| c.contains("380/1"))
        })
    };
    pages || document.title.contains("380/1") || cells() || texts()
}

fn is_proof(document: &Document, facts: &[Fact]) -> bool {
    let building: HashSet<FactKind> = facts
        .iter()
        .map(|f| f.kind)
        .filter(|k| {
            matches!(
                k,
                FactKind::EnergyReferenceArea
                    | FactKind::EnvelopeFactor
                    | FactKind::HeatingDemand
                    | FactKind::HeatingDemandLimit
            )
        })
        .collect();
    let u_values = facts.iter().any(|f| f.kind == FactKind::UValue);
    building.len() >= 2 || (u_values && calls_itself_proof(document))
}

fn calls_itself_proof(document: &Document) -> bool {
    let first_page = document.pages.first().map(|p| p.text.chars().take(600).collect::<String>());
    let cells = document.sheets.iter().flat_map(|s| s.rows.iter().take(12)).flatten().take(200);
    let headings = document.sections.iter().take(5).map(|s| &s.heading);
    [&document.title]
        .into_iter()
        .chain(cells)
        .chain(headings)
        .chain(first_page.as_ref())
        .any(|text| labels::names_a_proof(&fold(text)))
}

/// A PDF page's tables, and the lines outside of them.
fn page_facts(page: &Page, out: &mut Vec<Fact>) {
    for table in &page.tables {
        let place = |row: usize, column: usize| {
            let text =
                table.rows.get(row).and_then(|r| r.get(column)).map(String::as_str).unwrap_or_default();
            let around = table.row_boxes.get(row).copied().unwrap_or(table.rect);
            let boxes = vec![cell_box(page, around, text).unwrap_or(around)];
            (Locator::Pdf { page: page.number, boxes }, String::new())
        };
        let grid = Grid { rows: &table.rows, header_rows: table.header_rows as usize, place: &place };
        grid.facts(out);
    }
    for (text, rect) in lines(page) {
        let place = Locator::Pdf { page: page.number, boxes: vec![rect] };
        prose::line(&text, &place, out);
    }
}

/// Where a cell's words stand within their row; `None` where they are not found together.
fn cell_box(page: &Page, row: Rect, text: &str) -> Option<Rect> {
    let wanted: Vec<&str> = text.split_whitespace().collect();
    let inside: Vec<_> = page
        .words
        .iter()
        .filter(|w| {
            let (x, y) = ((w.rect[0] + w.rect[2]) / 2.0, (w.rect[1] + w.rect[3]) / 2.0);
            (row[0] - 1.0..=row[2] + 1.0).contains(&x) && (row[1] - 1.0..=row[3] + 1.0).contains(&y)
        })
        .collect();
    let length = wanted.len().max(1);
    let found =
        inside.windows(length).find(|w| w.iter().map(|w| w.text.as_str()).eq(wanted.iter().copied()))?;
    let mut rects = found.iter().map(|w| w.rect);
    let first = rects.next()?;
    Some(rects.fold(first, join))
}

fn join(a: Rect, b: Rect) -> Rect {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}

/// The lines of a page outside of its tables, each joined with the next: a statement may run over a line's end.
fn lines(page: &Page) -> Vec<(String, Rect)> {
    let in_table = |rect: &Rect| {
        let (x, y) = ((rect[0] + rect[2]) / 2.0, (rect[1] + rect[3]) / 2.0);
        page.tables
            .iter()
            .any(|t| (t.rect[0]..=t.rect[2]).contains(&x) && (t.rect[1]..=t.rect[3]).contains(&y))
    };
    let mut out: Vec<(String, Rect, u32)> = Vec::new();
    for word in page.words.iter().filter(|w| !in_table(&w.rect)) {
        match out.last_mut() {
            Some((text, rect, line)) if *line == word.line => {
                text.push(' ');
                text.push_str(&word.text);
                *rect = join(*rect, word.rect);
            }
            _ => out.push((word.text.clone(), word.rect, word.line)),
        }
    }
    out.into_iter().map(|(text, rect, _)| (text, rect)).collect()
}

fn sheet_facts(document: &Document, out: &mut Vec<Fact>) {
    for sheet in &document.sheets {
        let place = |row: usize, column: usize| {
            let number = sheet.first_row.saturating_add(u32::try_from(row).unwrap_or(u32::MAX));
            let locator = Locator::Sheet { sheet: sheet.name.clone(), row: number };
            (locator, cell_name(column, number))
        };
        let grid = Grid { rows: &sheet.rows, header_rows: sheet.header_rows as usize, place: &place };
        grid.facts(out);
        for (at, row) in sheet.rows.iter().enumerate() {
            for (column, cell) in row.iter().enumerate() {
                if cell.contains("380/1") {
                    let (locator, name) = place(at, column);
                    let before = out.len();
                    prose::line(cell, &locator, out);
                    out.iter_mut().skip(before).for_each(|f| f.cell.clone_from(&name));
                }
            }
        }
    }
}

fn section_facts(document: &Document, out: &mut Vec<Fact>) {
    for section in &document.sections {
        let locator =
            Locator::Text { section: section.heading.clone(), line: section.line, unit: section.unit };
        let place = |_: usize, _: usize| (locator.clone(), String::new());
        let grid = Grid { rows: &section.rows, header_rows: section.header_rows as usize, place: &place };
        grid.facts(out);
        for line in std::iter::once(section.heading.as_str()).chain(section.text.lines()) {
            prose::line(line, &locator, out);
        }
    }
}

/// Every statement once, where it stands first; an edition without its year only where none has one.
fn distinct(facts: Vec<Fact>) -> Vec<Fact> {
    let mut seen = HashSet::new();
    let dated = facts.iter().any(|f| f.kind == FactKind::StandardEdition && f.value.contains("1:"));
    let mut out: Vec<Fact> = facts
        .into_iter()
        .filter(|f| f.kind != FactKind::StandardEdition || !dated || f.value.contains("1:"))
        .filter(|f| {
            // An element is known by its code; its description may differ from table to table.
            let name = if f.element.is_empty() { fold(&f.label) } else { f.element_key() };
            let name =
                if matches!(f.kind, FactKind::UValue | FactKind::UValueLimit) { name } else { String::new() };
            seen.insert((f.kind, fold(&f.subject), name, number_key(&f.value)))
        })
        .collect();
    out.truncate(MAX_FACTS);
    let systems: Vec<String> =
        out.iter().filter(|f| f.kind == FactKind::System).map(|f| fold(&f.value)).collect();
    // "Wärmepumpe" says nothing beside "Sole-Wasser-Wärmepumpe WP-01".
    out.retain(|f| {
        let own = fold(&f.value);
        f.kind != FactKind::System || !systems.iter().any(|s| *s != own && s.contains(&own))
    });
    out.sort_by_key(|f| f.kind);
    out
}

/// `0.20` and `0.2` are one value.
fn number_key(value: &str) -> String {
    value.parse::<f64>().map_or_else(|_| fold(value), |n| format!("{n}"))
}
