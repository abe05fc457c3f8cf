//! Facts in tables: rows that state something of the building, and tables of elements.

use super::labels::{self, Column, fold};
use super::numbers::{decimal, first_decimal, unit};
use crate::model::{Fact, FactKind, Locator};
use crate::text;

/// A table, wherever it comes from.
pub(crate) struct Grid<'a> {
    pub(crate) rows: &'a [Vec<String>],
    pub(crate) header_rows: usize,
    /// Place and cell name of a row's column.
    pub(crate) place: &'a dyn Fn(usize, usize) -> (Locator, String),
}

impl Grid<'_> {
    /// Adds the table's facts.
    pub(crate) fn facts(&self, out: &mut Vec<Fact>) {
        let (header, first) = self.header();
        if let Some((header, first)) = self.element_columns(&header, first) {
            self.elements(&header, first, out);
        }
        for row in first..self.rows.len() {
            self.building(row, &header, out);
            self.total(row, out);
        }
    }

    /// Folded names of the columns, and the first row below them.
    fn header(&self) -> (Vec<String>, usize) {
        let rows = self.rows.get(..self.header_rows).unwrap_or_default();
        let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
        let name = |c: usize| {
            let parts: Vec<&str> = rows.iter().filter_map(|r| r.get(c)).map(String::as_str).collect();
            fold(&parts.join(" "))
        };
        ((0..columns).map(name).collect(), self.header_rows.min(self.rows.len()))
    }

    /// The row that names a column of U-values: the header, or a row further down where a form has its title above.
    fn element_columns(&self, header: &[String], first: usize) -> Option<(Vec<Column>, usize)> {
        let columns = |names: &[String]| -> Vec<Column> { names.iter().map(|n| labels::column(n)).collect() };
        let found = columns(header);
        if found.contains(&Column::Value) {
            return Some((found, first));
        }
        for (at, row) in self.rows.iter().enumerate() {
            let filled = row.iter().filter(|c| !c.trim().is_empty()).count();
            let names: Vec<String> = row.iter().map(|c| fold(c)).collect();
            let found = columns(&names);
            let numeric = row.iter().any(|c| decimal(c).is_some());
            if filled >= 2 && !numeric && found.contains(&Column::Value) {
                return Some((found, at + 1));
            }
        }
        None
    }

    /// Rows of elements with their U-value and its limit.
    fn elements(&self, columns: &[Column], first: usize, out: &mut Vec<Fact>) {
        for (at, row) in self.rows.iter().enumerate().skip(first) {
            let value = |wanted: Column| {
                columns.iter().enumerate().filter(|(_, c)| **c == wanted).find_map(|(c, _)| {
                    let (number, _) = decimal(row.get(c)?)?;
                    plausible(&number).then_some((c, number))
                })
            };
            let Some((column, number)) = value(Column::Value) else { continue };
            let code = row.iter().take(3).find_map(|c| labels::code(c)).unwrap_or_default();
            let label = name(row, columns, &code);
            if code.is_empty() && label.is_empty() {
                continue;
            }
            let mut add = |kind, column: usize, value: String| {
                let (place, cell) = (self.place)(at, column);
                out.push(Fact {
                    kind,
                    subject: String::new(),
                    element: code.clone(),
                    label: label.clone(),
                    value,
                    unit: "W/(m2.K)".into(),
                    count: 1,
                    place,
                    cell,
                });
            };
            add(FactKind::UValue, column, number);
            if let Some((column, limit)) = value(Column::Limit) {
                add(FactKind::UValueLimit, column, limit);
            }
        }
    }

    /// `Total R und U-Wert AW-01 | 0.437 | U = 0.15 W/(m²K)`
    fn total(&self, at: usize, out: &mut Vec<Fact>) {
        let Some(row) = self.rows.get(at) else { return };
        let Some(code) = row.first().and_then(|label| labels::code_in(label)) else { return };
        for (column, cell) in row.iter().enumerate().skip(1) {
            let folded = fold(cell);
            let states_u = folded.starts_with("u =") || folded.starts_with("u=");
            if let (true, Some((number, _))) =
                (states_u && unit(cell) == Some("W/(m2.K)"), first_decimal(cell))
                && plausible(&number)
            {
                let (place, name) = (self.place)(at, column);
                let label = row.first().map(|l| text::label(l)).unwrap_or_default();
                out.push(Fact {
                    kind: FactKind::UValue,
                    subject: String::new(),
                    element: code.clone(),
                    label,
                    value: number,
                    unit: "W/(m2.K)".into(),
                    count: 1,
                    place,
                    cell: name,
                });
            }
        }
    }

    /// A row that states something of the building: a label, then a value for each building.
    fn building(&self, at: usize, header: &[String], out: &mut Vec<Fact>) {
        let Some(row) = self.rows.get(at) else { return };
        let Some((label_at, kind)) =
            row.iter().enumerate().take(4).find_map(|(c, cell)| Some((c, labels::building(&fold(cell))?)))
        else {
            return;
        };
        let label = row.get(label_at).cloned().unwrap_or_default();
        // The unit may stand in a cell of its own, or in the label.
        let shared = row.iter().skip(label_at + 1).filter(|c| decimal(c).is_none()).find_map(|c| unit(c));
        let shared = shared.or_else(|| unit(&label));
        for (column, cell) in row.iter().enumerate().skip(label_at + 1) {
            let cell = cell.trim();
            let named = header.get(column).map(String::as_str).unwrap_or_default();
            let kind = match kind {
                FactKind::HeatingDemand if labels::is_limit(named) => FactKind::HeatingDemandLimit,
                kind => kind,
            };
            let Some((value, unit)) = stated(kind, cell, shared, named) else { continue };
            let subject = self.subject(column, header);
            let (place, name) = (self.place)(at, column);
            let alone = matches!(kind, FactKind::ClimateStation | FactKind::System);
            out.push(Fact {
                kind,
                subject,
                element: String::new(),
                label: text::label(&label),
                value,
                unit,
                count: 1,
                place,
                cell: name,
            });
            if alone {
                break;
            }
        }
    }

    /// The building that a column speaks of.
    fn subject(&self, column: usize, header: &[String]) -> String {
        let folded = header.get(column).map(String::as_str).unwrap_or_default();
        if labels::is_generic_header(folded) || labels::is_limit(folded) || unit(folded).is_some() {
            return String::new();
        }
        let rows = self.rows.get(..self.header_rows).unwrap_or_default();
        let parts: Vec<&str> = rows.iter().filter_map(|r| r.get(column)).map(|c| c.trim()).collect();
        text::label(parts.join(" ").trim())
    }
}

/// Value and unit of a cell, if they can be what the label says.
pub(crate) fn stated(
    kind: FactKind,
    cell: &str,
    shared: Option<&'static str>,
    header: &str,
) -> Option<(String, String)> {
    match kind {
        FactKind::ClimateStation | FactKind::System | FactKind::StandardEdition => {
            let words = cell.split_whitespace().collect::<Vec<_>>().join(" ");
            let says = words.chars().filter(|c| c.is_alphabetic()).count() >= 3;
            return says.then(|| (text::label(&words), String::new()));
        }
        _ => {}
    }
    let (number, rest) = decimal(cell)?;
    let found = unit(rest).or(shared).or_else(|| unit(header));
    let unit = match (kind, found) {
        (FactKind::EnergyReferenceArea, None | Some("m2")) => "m2",
        (FactKind::EnvelopeFactor, None) => "",
        // The unit in the label of a factor is that of its parts.
        (FactKind::EnvelopeFactor, Some("m2")) => "",
        (FactKind::HeatingDemand | FactKind::HeatingDemandLimit, Some(unit @ ("kWh/m2" | "MJ/m2"))) => unit,
        _ => return None,
    };
    let size: f64 = number.parse().ok()?;
    let fits = match kind {
        FactKind::EnergyReferenceArea => (1.0..10_000_000.0).contains(&size),
        FactKind::EnvelopeFactor => (0.1..20.0).contains(&size),
        _ => (0.0..5_000.0).contains(&size),
    };
    fits.then_some((number, unit.to_string()))
}

/// A U-value of a building element.
fn plausible(number: &str) -> bool {
    number.parse::<f64>().is_ok_and(|u| (0.02..=10.0).contains(&u))
}

/// The element's name: its column, else the longest words of the row.
fn name(row: &[String], columns: &[Column], code: &str) -> String {
    let by_column = columns.iter().enumerate().filter(|(_, c)| **c == Column::Name);
    let by_column = by_column.filter_map(|(c, _)| row.get(c)).find(|c| !c.trim().is_empty() && *c != code);
    let words = |c: &&String| c.chars().filter(|c| c.is_alphabetic()).count();
    let longest =
        row.iter().filter(|c| *c != code && decimal(c).is_none() && words(c) >= 3).max_by_key(words);
    let found = by_column.or(longest).map(|c| c.split_whitespace().collect::<Vec<_>>().join(" "));
    let found = found.map(|name| text::label(&name));
    found.unwrap_or_default()
}
