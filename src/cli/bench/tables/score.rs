//! Scores of table recognition, as pure functions.
//!
//! The measure is the one of the ICDAR 2013 table competition: *adjacency relations*. Every cell with text
//! is related to the next cell with text at its right and to the next one below; empty cells are skipped.
//! Precision and recall count relations of equal texts and direction. It was chosen over the F1 of cell
//! contents because a table whose cells are right but stand in wrong rows or columns must not score well;
//! the F1 of cell contents is given beside it.

use std::collections::BTreeMap;

use unicode_normalization::UnicodeNormalization;

/// A cell of a table: its place, what it covers and its text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Cell {
    pub(super) row: usize,
    pub(super) column: usize,
    /// Rows that it covers, at least 1.
    pub(super) rows: usize,
    /// Columns that it covers, at least 1.
    pub(super) columns: usize,
    pub(super) text: String,
}

impl Cell {
    /// A cell of one row and one column.
    pub(super) fn single(row: usize, column: usize, text: impl Into<String>) -> Self {
        Cell { row, column, rows: 1, columns: 1, text: text.into() }
    }
}

/// Cells of one table.
pub(super) type Grid = Vec<Cell>;

/// Right answers, wrong ones and missing ones.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(super) struct Score {
    /// Items of the reference.
    pub(super) expected: usize,
    /// Items that were found.
    pub(super) found: usize,
    /// Items that are in both.
    pub(super) right: usize,
}

impl Score {
    fn of(expected: &Bag, found: &Bag) -> Score {
        let right = expected.iter().map(|(item, n)| (*n).min(found.get(item).copied().unwrap_or(0))).sum();
        Score { expected: expected.values().sum(), found: found.values().sum(), right }
    }

    /// Share of what was found that is right; 1 where nothing was found and nothing is there.
    pub(super) fn precision(self) -> f64 {
        share(self.right, self.found, self.expected)
    }

    /// Share of what is there that was found; 1 where nothing is there and nothing was found.
    pub(super) fn recall(self) -> f64 {
        share(self.right, self.expected, self.found)
    }

    /// Harmonic mean of the two.
    pub(super) fn f1(self) -> f64 {
        let (p, r) = (self.precision(), self.recall());
        if p + r == 0.0 { 0.0 } else { 2.0 * p * r / (p + r) }
    }
}

fn share(right: usize, of: usize, other: usize) -> f64 {
    match (of, other) {
        (0, 0) => 1.0,
        (0, _) => 0.0,
        _ => right as f64 / of as f64,
    }
}

type Bag = BTreeMap<String, usize>;

/// The score over the adjacency relations of all tables of a file.
pub(super) fn relations(expected: &[Grid], found: &[Grid]) -> Score {
    Score::of(&bag(expected, grid_relations), &bag(found, grid_relations))
}

/// The score over the texts of the cells alone.
pub(super) fn contents(expected: &[Grid], found: &[Grid]) -> Score {
    let texts =
        |grid: &Grid| grid.iter().map(|c| normal(&c.text)).filter(|t| !t.is_empty()).collect::<Vec<_>>();
    Score::of(&bag(expected, texts), &bag(found, texts))
}

fn bag(grids: &[Grid], items: impl Fn(&Grid) -> Vec<String>) -> Bag {
    let mut out = Bag::new();
    for item in grids.iter().flat_map(items) {
        *out.entry(item).or_default() += 1;
    }
    out
}

/// Compatibility forms, case, white space, and the sorts of dashes and quotes do not count.
pub(super) fn normal(text: &str) -> String {
    let same = |c: char| match c {
        '\u{2010}'..='\u{2015}' | '\u{2212}' => '-',
        '\u{2018}'..='\u{201b}' => '\'',
        '\u{201c}'..='\u{201f}' | '«' | '»' => '"',
        c => c,
    };
    text.nfkc()
        .filter(|c| !c.is_whitespace() && *c != '\u{ad}')
        .flat_map(char::to_lowercase)
        .map(same)
        .collect()
}

/// Relations as `text → right neighbour` and `text ↓ lower neighbour`. A cell that covers several rows has
/// a right neighbour in each of them, every neighbour once.
fn grid_relations(grid: &Grid) -> Vec<String> {
    let cells: Vec<(&Cell, String)> =
        grid.iter().map(|c| (c, normal(&c.text))).filter(|(_, text)| !text.is_empty()).collect();
    let mut at: BTreeMap<(usize, usize), usize> = BTreeMap::new();
    for (index, (cell, _)) in cells.iter().enumerate() {
        for row in cell.row..cell.row + cell.rows.max(1) {
            for column in cell.column..cell.column + cell.columns.max(1) {
                at.entry((row, column)).or_insert(index);
            }
        }
    }
    let height = cells.iter().map(|(c, _)| c.row + c.rows).max().unwrap_or(0);
    let width = cells.iter().map(|(c, _)| c.column + c.columns).max().unwrap_or(0);
    let mut out = Vec::new();
    for (cell, text) in &cells {
        let right = |row: usize| (cell.column + cell.columns..width).find_map(|c| at.get(&(row, c)));
        let below = |column: usize| (cell.row + cell.rows..height).find_map(|r| at.get(&(r, column)));
        let mut next: Vec<usize> = (cell.row..cell.row + cell.rows).filter_map(right).copied().collect();
        let mut lower: Vec<usize> =
            (cell.column..cell.column + cell.columns).filter_map(below).copied().collect();
        for (arrow, list) in [('→', &mut next), ('↓', &mut lower)] {
            list.sort_unstable();
            list.dedup();
            out.extend(
                list.iter().filter_map(|i| cells.get(*i)).map(|(_, other)| format!("{text}{arrow}{other}")),
            );
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grid(text: &str) -> Grid {
        let rows = text.split('/').enumerate();
        rows.flat_map(|(r, row)| row.split('|').enumerate().map(move |(c, t)| Cell::single(r, c, t.trim())))
            .collect()
    }

    #[test]
    fn relations_are_counted_by_hand() {
        // a b     a→b c→d a↓c b↓d
        // c d
        let mut all = grid_relations(&grid("a|b/c|d"));
        all.sort();
        assert_eq!(all, ["a→b", "a↓c", "b↓d", "c→d"]);
        // An empty cell is skipped: c's right neighbour is e, b has none below.
        let mut all = grid_relations(&grid("a|b|x/c||e"));
        all.sort();
        assert_eq!(all, ["a→b", "a↓c", "b→x", "c→e", "x↓e"]);
    }

    #[test]
    fn spans_relate_to_every_neighbour_once() {
        // A header over two columns, a label over two rows.
        let grid = vec![
            Cell { row: 0, column: 1, rows: 1, columns: 2, text: "h".into() },
            Cell { row: 1, column: 0, rows: 2, columns: 1, text: "l".into() },
            Cell::single(1, 1, "a"),
            Cell::single(1, 2, "b"),
            Cell::single(2, 1, "c"),
            Cell::single(2, 2, "d"),
        ];
        let mut all = grid_relations(&grid);
        all.sort();
        assert_eq!(all, ["a→b", "a↓c", "b↓d", "c→d", "h↓a", "h↓b", "l→a", "l→c"]);
    }

    #[test]
    fn scores_follow_from_counts() {
        // Of 4 relations of the reference, the found table has a→b and a↓c, and with a third row two wrong
        // ones: x→y and c↓x … by hand: found has a→b a↓c b↓q c→q = 4, right are 2.
        let score = relations(&[grid("a|b/c|d")], &[grid("a|b/c|q")]);
        assert_eq!((score.expected, score.found, score.right), (4, 4, 2));
        assert_eq!((score.precision(), score.recall(), score.f1()), (0.5, 0.5, 0.5));
        let cells = contents(&[grid("a|b/c|d")], &[grid("a|b/c|q")]);
        assert_eq!((cells.expected, cells.found, cells.right), (4, 4, 3));
        // The same cells in two tables of one row each lose the relations downwards: 2 of 4.
        let halves = relations(&[grid("a|b/c|d")], &[grid("a|b"), grid("c|d")]);
        assert_eq!((halves.expected, halves.found, halves.right), (4, 2, 2));
        assert!((halves.f1() - 2.0 / 3.0).abs() < 1e-12);
        // Nothing found, nothing to find.
        assert_eq!(relations(&[], &[]).f1(), 1.0);
        assert_eq!(relations(&[grid("a|b")], &[]).f1(), 0.0);
        assert_eq!(relations(&[], &[grid("a|b")]).f1(), 0.0);
    }

    #[test]
    fn equal_relations_count_as_often_as_they_occur() {
        // 1→1 occurs twice in the reference and three times in what was found; 1↓1 2 and 4 times.
        let score = relations(&[grid("1|1/1|1")], &[grid("1|1/1|1/1|1")]);
        assert_eq!((score.expected, score.found, score.right), (4, 7, 4));
    }

    #[test]
    fn white_space_case_and_dashes_do_not_count() {
        assert_eq!(normal("Std.\u{a0}Dev.\n(–3 %)"), "std.dev.(-3%)");
        assert_eq!(normal("Czech Republic"), normal("CzechRepublic"));
        assert_eq!(normal("ﬁnal «x»"), "final\"x\"");
    }
}
