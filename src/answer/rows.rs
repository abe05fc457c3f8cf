//! Rows of tables and lists of properties: `AW-01; Bauteil: Aussenwand; U-Wert W/(m²K): 0.15`.

use super::verify::one_line;

/// A row taken apart.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Row<'a> {
    /// What stands before the first label: the code or the name of the row; may be empty.
    pub lead: &'a str,
    /// Label and value of each cell, in order.
    pub cells: Vec<Cell<'a>>,
}

/// A cell with the head of its column.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Cell<'a> {
    /// The whole of it, `label: value`.
    pub text: &'a str,
    /// The head of its column.
    pub label: &'a str,
}

/// Words of a label, at most: a longer text before a colon is prose.
const MAX_LABEL_WORDS: usize = 7;

/// Takes a line apart; `None` for prose and for a single pair.
pub(super) fn parse(line: &str) -> Option<Row<'_>> {
    let parts: Vec<&str> = line.split("; ").map(str::trim).filter(|p| !p.is_empty()).collect();
    if parts.len() < 2 {
        return None;
    }
    let mut row = Row { lead: "", cells: Vec::new() };
    for (i, part) in parts.iter().enumerate() {
        match label(part) {
            Some(label) => row.cells.push(Cell { text: part, label }),
            None if i == 0 => row.lead = part,
            // A semicolon inside of a value.
            None => {}
        }
    }
    // Prose may have a semicolon and a colon too; a row has one cell for each part, nearly.
    (row.cells.len() + usize::from(!row.lead.is_empty()) >= parts.len().div_ceil(2).max(2)).then_some(row)
}

/// Whether a line names the columns of a row: every label of the row is one of its cells.
pub(super) fn heads(line: &str, row: &Row<'_>) -> bool {
    let names: Vec<&str> = line.split(" | ").map(str::trim).collect();
    names.len() >= 2 && !row.cells.is_empty() && row.cells.iter().all(|c| names.contains(&c.label))
}

/// What stands over the table that has the row at this byte: the line above the names of its columns.
pub(super) fn caption(text: &str, at: usize) -> Option<&str> {
    let row = parse(text.get(at..)?.lines().next()?)?;
    let above: Vec<&str> = text.get(..at)?.lines().collect();
    let head = above.iter().rposition(|l| heads(l, &row))?;
    let caption = above.get(head.checked_sub(1)?)?.trim();
    (!caption.is_empty() && !caption.contains(" | ") && parse(caption).is_none()).then_some(caption)
}

/// A row with the names of all its columns, where some were too long to stand before every value: from the head of
/// its table, if that has as many columns and the same names elsewhere.
pub(super) fn labelled(text: &str, at: usize) -> Option<String> {
    let line = text.get(at..)?.lines().next()?;
    let cells: Vec<&str> = line.split("; ").map(str::trim).collect();
    let fits = |names: &[&str]| {
        let same = |(cell, name): (&&str, &&str)| label(cell).is_none_or(|l| l == *name);
        names.len() == cells.len() && cells.iter().zip(names).skip(1).all(same)
    };
    let above = text.get(..at)?.lines().rev().take_while(|l| l.contains("; ") || l.contains(" | "));
    let mut names =
        above.filter(|l| l.contains(" | ")).map(|l| l.split(" | ").map(str::trim).collect::<Vec<_>>());
    let names = names.next().filter(|n| cells.len() >= 2 && fits(n))?;
    let bare = cells.iter().skip(1).any(|c| label(c).is_none());
    let named = cells.iter().zip(&names).enumerate().map(|(i, (cell, name))| match label(cell) {
        None if i > 0 && !name.is_empty() => format!("{name}: {cell}"),
        _ => (*cell).to_owned(),
    });
    bare.then(|| named.collect::<Vec<_>>().join("; "))
}

/// The label of a cell. The name of a property set in front of the first property is none of its own.
fn label(part: &str) -> Option<&str> {
    let (label, value) = part.split_once(": ")?;
    let fits = label.split_whitespace().count() <= MAX_LABEL_WORDS
        && !label.ends_with('.')
        && !value.trim().is_empty();
    fits.then_some(label)
}

impl Row<'_> {
    /// The row with only the cells that `wanted` takes, behind what names it: short enough to be read as
    /// an answer. The whole row where it takes none.
    pub(super) fn short(&self, wanted: impl Fn(&Cell<'_>) -> bool) -> String {
        let taken: Vec<bool> = self.cells.iter().map(wanted).collect();
        if !taken.contains(&true) {
            return self.join(|_| true);
        }
        // The first cell behind a code says in words what the row is about.
        self.join(|i| taken.get(i).copied().unwrap_or(false) || i == 0 && !self.lead.is_empty())
    }

    /// The row with only the cells that `wanted` takes, behind its name.
    pub(super) fn only(&self, wanted: impl Fn(&Cell<'_>) -> bool) -> String {
        let taken: Vec<bool> = self.cells.iter().map(wanted).collect();
        self.join(|i| taken.get(i).copied().unwrap_or(false))
    }

    fn join(&self, keep: impl Fn(usize) -> bool) -> String {
        let cells = self.cells.iter().enumerate().filter(|(i, _)| keep(*i)).map(|(_, c)| c.text);
        let parts: Vec<&str> = std::iter::once(self.lead).filter(|l| !l.is_empty()).chain(cells).collect();
        one_line(&parts.join("; "))
    }
}

/// Of a title block's line (`Bauherrschaft | Gemeinde | Datum | 18.06.2026`) the one pair of label and value that
/// `wanted` takes; `None` where the line is no such thing or takes more than one.
pub(super) fn only_pair(line: &str, wanted: impl Fn(&str) -> bool) -> Option<String> {
    let parts: Vec<&str> = line.split(" | ").map(str::trim).collect();
    let labelled = parts.len() >= 4 && parts.len().is_multiple_of(2);
    let pairs = parts.chunks_exact(2).map(|pair| pair.join(": "));
    let mut taken = pairs.filter(|p| labelled && wanted(p));
    let first = taken.next()?;
    taken.next().is_none().then(|| one_line(&first))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_row_is_shown_by_its_name_and_the_wanted_cell() {
        let row = parse("AW-01; Bauteil: Aussenwand Holzelement; Dicke: 437 mm; U-Wert W/(m²K): 0.15; Feuerwiderstand: REI60").unwrap();
        assert_eq!(row.lead, "AW-01");
        assert_eq!(
            row.short(|c| c.label.starts_with("U-Wert")),
            "AW-01; Bauteil: Aussenwand Holzelement; U-Wert W/(m²K): 0.15"
        );
        assert!(row.short(|_| false).ends_with("REI60"), "nothing wanted: all of it");
        let row = parse("Heizwärmebedarf QH; Haus A: 22.1 kWh/m²; Haus B: 32.5 kWh/m²").unwrap();
        assert_eq!(row.only(|c| c.label == "Haus B"), "Heizwärmebedarf QH; Haus B: 32.5 kWh/m²");
    }

    #[test]
    fn the_head_of_a_table_names_its_rows() {
        let long = "Wärmedurchgangskoeffizient des Bauteils nach der Berechnung des Büros";
        let table = format!(
            "Tabelle 3: Hülle Haus B\nCode | {long} | Dicke\nAW-01; 0.15; Dicke: 437 mm\nDA-01; 0.14; Dicke: 320 mm"
        );
        let second = table.find("DA-01").unwrap();
        assert_eq!(labelled(&table, second).unwrap(), format!("DA-01; {long}: 0.14; Dicke: 320 mm"));
        assert_eq!(labelled("A | B\nDA-01; 0.14; Dicke: 320 mm", 6), None, "another table's head");
        let table = "Tabelle 3: Hülle Haus B\nCode | U-Wert | Dicke\nAW-01; U-Wert: 0.15; Dicke: 437 mm";
        assert_eq!(caption(table, table.find("AW-01").unwrap()), Some("Tabelle 3: Hülle Haus B"));
        assert_eq!(labelled(table, table.find("AW-01").unwrap()), None, "every cell has its name");
        let other = table.replace("U-Wert |", "Preis |");
        assert_eq!(caption(&other, other.find("AW-01").unwrap()), None);
    }

    #[test]
    fn a_title_block_is_shown_by_its_pair() {
        let block = "Bauherrschaft | Gemeinde Beispikon | Index, Datum | -, 18.06.2026";
        let dated = |p: &str| p.contains("2026");
        assert_eq!(only_pair(block, dated).as_deref(), Some("Index, Datum: -, 18.06.2026"));
        assert_eq!(only_pair(block, |_| true), None, "two pairs");
        assert_eq!(only_pair("A | B | 2026", dated), None);
    }

    #[test]
    fn prose_is_no_row() {
        assert_eq!(parse("Die Halle ist beheizt; der Keller nicht."), None);
        assert_eq!(parse("Status: offen"), None);
    }
}
