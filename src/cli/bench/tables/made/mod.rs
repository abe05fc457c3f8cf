//! PDFs with tables whose cells are known, made the same way every time.

mod contents;
mod draw;
mod pdf;

use super::score::{Cell, Grid};
use contents::Content;
use draw::{Design, Style, Turn};

/// A made file and the tables in it.
pub(super) struct Case {
    /// What is special about it.
    pub(super) name: String,
    pub(super) tables: Vec<Grid>,
    pub(super) bytes: Vec<u8>,
}

/// Every case. Kinds of content times styles of ruling; then page breaks, turned pages, several tables.
pub(super) fn cases() -> Vec<Case> {
    let mut out = Vec::new();
    for content in contents::ALL {
        for style in Style::ALL {
            let design = Design { style, ..Design::default() };
            out.push(case(format!("{}-{}", content.name, style.name()), &[(content, design)]));
        }
    }
    for style in [Style::Grid, Style::Rows, Style::Zebra, Style::Plain] {
        for repeat in [true, false] {
            let design = Design { style, repeat_header: repeat, ..Design::default() };
            let how = if repeat { "repeated-header" } else { "no-header" };
            out.push(case(format!("break-{}-{how}", style.name()), &[(&contents::LONG, design)]));
        }
    }
    for style in [Style::Grid, Style::Booktabs, Style::Plain] {
        for turn in [Turn::Page, Turn::Text] {
            let design = Design { style, turn, ..Design::default() };
            out.push(case(
                format!("turned-{}-{}", turn.name(), style.name()),
                &[(&contents::BUILD_UPS, design)],
            ));
        }
    }
    for style in [Style::Grid, Style::Filled, Style::Plain] {
        let design = Design { style, ..Design::default() };
        let both = [(&contents::ROOMS, design), (&contents::MATRIX, design)];
        out.push(case(format!("two-{}", style.name()), &both));
    }
    let middle = Design { middle: true, ..Design::default() };
    for (content, style) in [
        (&contents::DOORS, Style::Grid),
        (&contents::DOORS, Style::Rows),
        (&contents::COSTS, Style::Grid),
        (&contents::BUILD_UPS, Style::Grid),
    ] {
        let design = Design { style, ..middle };
        out.push(case(format!("middle-{}-{}", content.name, style.name()), &[(content, design)]));
    }
    out
}

fn case(name: String, tables: &[(&Content, Design)]) -> Case {
    let grids = tables.iter().map(|(content, design)| grid(content, design.style)).collect();
    Case { name, tables: grids, bytes: draw::pages(tables) }
}

/// The cells as a reader of the drawn table would name them. Without rules between rows nothing says
/// how many rows a label covers: there it belongs to its first row.
fn grid(content: &Content, style: Style) -> Grid {
    content
        .cells()
        .into_iter()
        .map(|cell| if style.shows_row_spans() { cell } else { Cell { rows: 1, ..cell } })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cases_are_many_and_always_the_same() {
        let (first, second) = (cases(), cases());
        assert!(first.len() >= 30);
        for (a, b) in first.iter().zip(&second) {
            assert_eq!((&a.name, &a.tables, &a.bytes), (&b.name, &b.tables, &b.bytes));
        }
        let names: std::collections::BTreeSet<&str> = first.iter().map(|c| c.name.as_str()).collect();
        assert_eq!(names.len(), first.len());
    }

    #[test]
    fn every_text_of_the_reference_is_on_a_page() {
        for case in cases() {
            let read = ingest::read(&case.bytes, "made.pdf", &ingest::Limits::default()).unwrap();
            let words: std::collections::BTreeSet<&str> =
                read.pages.iter().flat_map(|p| &p.words).map(|w| w.text.as_str()).collect();
            for cell in case.tables.iter().flatten() {
                for word in cell.text.split_whitespace() {
                    assert!(words.contains(word), "{}: {word:?} is not on the page", case.name);
                }
            }
        }
    }
}
