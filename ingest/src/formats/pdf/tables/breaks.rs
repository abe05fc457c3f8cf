//! Tables that go on over a page break.

use std::collections::BTreeSet;

use super::super::furniture;
use super::super::layout::LaidPage;
use super::super::names_table;
use crate::model::Table;
use crate::text::label;

/// Words that say that something goes on.
const CONTINUED: [&str; 6] = ["fortsetzung", "forts.", "suite", "continua", "continued", "segue"];

/// Marks the first table of a page as continued where the page before ends with a table of the same
/// columns; a header that the page does not repeat is noted with it.
pub(in super::super) fn join(pages: &mut [LaidPage]) {
    // The header of the table that may go on, and its caption.
    let mut open: Option<Table> = None;
    for page in pages {
        if let Some(before) = open.take()
            && begins_with_table(page)
            && let Some(table) = page.page.tables.first_mut()
        {
            continue_from(&before, table);
        }
        open = ends_with_table(page);
    }
}

/// The last table of the page where nothing but furniture follows it, with its header filled in.
fn ends_with_table(laid: &LaidPage) -> Option<Table> {
    let table = laid.page.tables.last()?;
    let outside = furniture::blocks(&laid.page);
    let mut after = laid.blocks.iter().filter(|b| b.block > table.block && b.is_text);
    if after.any(|b| !outside.contains(&b.block)) {
        return None;
    }
    let mut out = table.clone();
    if out.header.is_empty() {
        let header = out.rows.iter().take(out.header_rows as usize);
        out.header = header.map(|row| row.iter().map(|cell| label(cell)).collect()).collect();
    }
    Some(out)
}

fn begins_with_table(laid: &LaidPage) -> bool {
    let Some(table) = laid.page.tables.first() else { return false };
    let outside = furniture::blocks(&laid.page);
    let mut before =
        laid.blocks.iter().filter(|b| b.block < table.block && b.is_text && !outside.contains(&b.block));
    before.all(|b| {
        let lower = b.text.to_lowercase();
        b.lines <= 2
            && b.text.chars().count() <= 120
            && (names_table(&b.text) || CONTINUED.iter().any(|c| lower.contains(c)))
    })
}

fn continue_from(before: &Table, table: &mut Table) {
    let columns = |t: &Table| t.rows.first().map_or(0, Vec::len);
    let shared = before.rect[2].min(table.rect[2]) - before.rect[0].max(table.rect[0]);
    let wider = (before.rect[2] - before.rect[0]).max(table.rect[2] - table.rect[0]);
    if columns(before) != columns(table) || shared < 0.6 * wider {
        return;
    }
    let header = before.header.len();
    let repeated = header > 0
        && before.header.iter().zip(&table.rows).filter(|(a, b)| same(a, b)).count() == header
        && table.rows.len() > header;
    if repeated {
        table.continued = true;
        table.header_rows = u32::try_from(header).unwrap_or(0);
    } else if table.header_rows == 0 || header > 0 && !is_other_header(before, table) {
        table.continued = true;
        table.header_rows = 0;
        table.header.clone_from(&before.header);
    }
    if table.continued && table.caption.is_empty() {
        table.caption.clone_from(&before.caption);
    }
}

/// Cells that read the same.
fn same(a: &[String], b: &[String]) -> bool {
    let key = |row: &[String]| -> Vec<String> {
        row.iter().map(|c| c.chars().filter(|c| c.is_alphanumeric()).collect()).collect()
    };
    key(a) == key(b)
}

/// The first row names columns that the table before does not have: another table. A row whose texts
/// occur in the columns above is none.
fn is_other_header(before: &Table, table: &Table) -> bool {
    let Some(first) = table.rows.first() else { return false };
    let known = |column: usize| -> BTreeSet<&str> {
        before.rows.iter().filter_map(|r| r.get(column)).map(String::as_str).collect()
    };
    let fresh =
        first.iter().enumerate().filter(|(c, text)| !text.is_empty() && !known(*c).contains(text.as_str()));
    fresh.count() * 2 > first.iter().filter(|t| !t.is_empty()).count()
}
