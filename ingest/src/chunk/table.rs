//! Rows of a table as text that can be read, found and quoted on its own.

use std::ops::Range;

use super::pack::{self, words};

/// Some rows of a table.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct RowGroup {
    /// Caption, header and the rows, one line each.
    pub(crate) text: String,
    /// Indexes of the rows, headers not among them.
    pub(crate) rows: Range<usize>,
}

/// Parts a table into groups of at most about `max_words` words. Every group starts with the caption and
/// the header; with a header of names, a row reads `Name: value; Name: value`.
pub(crate) fn groups(
    rows: &[Vec<String>],
    header_rows: usize,
    caption: &str,
    max_words: usize,
) -> Vec<RowGroup> {
    let header = names(rows.get(..header_rows).unwrap_or_default());
    let mut head = String::new();
    for line in [caption.trim(), &joined(&header)] {
        if !line.is_empty() {
            head.push_str(&pack::head(line, max_words));
            head.push('\n');
        }
    }
    let lines: Vec<(usize, String, usize)> = rows
        .iter()
        .enumerate()
        .skip(header_rows)
        .map(|(index, row)| (index, row_text(&header, row)))
        .filter(|(_, line)| !line.is_empty())
        .map(|(index, line)| {
            let count = words(&line);
            (index, line, count)
        })
        .collect();
    let total: usize = lines.iter().map(|l| l.2).sum();
    let room = max_words.saturating_sub(words(&head)).max(max_words / 2).max(1);
    // Equal groups: a last group of one row would be found for nothing.
    let count = total.div_ceil(room).max(1);
    let target = total.div_ceil(count);
    let mut out: Vec<RowGroup> = Vec::new();
    let mut filled = 0;
    for (index, line, length) in lines {
        match out.last_mut() {
            Some(group) if filled < target && filled + length <= room + room / 4 => {
                group.text.push('\n');
                group.text.push_str(&line);
                group.rows.end = index + 1;
                filled += length;
            }
            _ => {
                out.push(RowGroup { text: format!("{head}{line}"), rows: index..index + 1 });
                filled = length;
            }
        }
    }
    if out.is_empty() && !head.trim().is_empty() {
        out.push(RowGroup { text: head.trim().to_string(), rows: header_rows..header_rows });
    }
    out
}

/// The header of each column; a second header row is put after the first.
fn names(header: &[Vec<String>]) -> Vec<String> {
    let columns = header.iter().map(Vec::len).max().unwrap_or(0);
    (0..columns)
        .map(|c| {
            let parts: Vec<&str> =
                header.iter().filter_map(|r| r.get(c)).map(|s| s.trim()).filter(|s| !s.is_empty()).collect();
            parts.join(" ").split_whitespace().collect::<Vec<_>>().join(" ")
        })
        .collect()
}

/// Short enough to stand before every value of its column.
fn names_a_column(name: &str) -> bool {
    words(name) <= 6 && name.len() <= 100
}

fn joined(cells: &[String]) -> String {
    let filled: Vec<&str> = cells.iter().map(String::as_str).filter(|c| !c.is_empty()).collect();
    filled.join(" | ")
}

fn row_text(header: &[String], row: &[String]) -> String {
    let cells: Vec<String> = row.iter().map(|c| c.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let filled = cells.iter().filter(|c| !c.is_empty()).count();
    let named = header.iter().filter(|h| !h.is_empty()).count() * 2 > header.len();
    if !named || filled < 2 {
        return joined(&cells);
    }
    let parts: Vec<String> = cells
        .iter()
        .enumerate()
        .filter(|(_, c)| !c.is_empty())
        .map(|(i, cell)| match header.get(i) {
            // The first column names the row; a long header would drown the value.
            Some(name) if i > 0 && !name.is_empty() && names_a_column(name) => format!("{name}: {cell}"),
            _ => cell.clone(),
        })
        .collect();
    parts.join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Vec<String>> {
        text.lines().map(|l| l.split('|').map(|c| c.trim().to_string()).collect()).collect()
    }

    #[test]
    fn every_group_carries_caption_and_header() {
        let table = rows("Bauteil|U-Wert|Grenzwert\nAussenwand AW-01|0.17|0.20\nDach DA-01|0.14|0.17");
        let groups = groups(&table, 1, "Tabelle 3: U-Werte", 13);
        assert_eq!(groups.len(), 2);
        assert_eq!(
            groups[0].text,
            "Tabelle 3: U-Werte\nBauteil | U-Wert | Grenzwert\nAussenwand AW-01; U-Wert: 0.17; Grenzwert: 0.20"
        );
        assert_eq!(groups[1].rows, 2..3);
        assert!(groups[1].text.starts_with("Tabelle 3: U-Werte\nBauteil | U-Wert | Grenzwert\nDach DA-01"));
    }

    #[test]
    fn without_a_header_cells_are_joined() {
        let table = rows("Projekt|Schulhaus\nBauherr|Gemeinde");
        assert_eq!(groups(&table, 0, "", 100)[0].text, "Projekt | Schulhaus\nBauherr | Gemeinde");
    }
}
