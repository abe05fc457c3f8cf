//! Text with separators. Own reader: blank lines count as rows, quotes may be careless.

use crate::text::counted;

/// Separators that are tried.
const SEPARATORS: [char; 4] = [';', ',', '\t', '|'];

/// Cells of a row.
pub(crate) type Row = Vec<String>;

/// What a text holds.
#[derive(Debug, Default, PartialEq)]
pub(crate) struct Parsed {
    pub(crate) rows: Vec<Row>,
    /// Rows were left out.
    pub(crate) cut: bool,
    /// Rows, from 1, in which quotation marks do not pair up: what stands around them may be in the wrong cell.
    pub(crate) odd: Vec<usize>,
}

/// Finds the separator and splits the text, at most `max_rows` rows.
pub(crate) fn parse(text: &str, max_rows: usize) -> Parsed {
    // Excel's own hint: "sep=;" in the first line.
    if let Some(rest) = text.strip_prefix("sep=")
        && let Some(separator) = rest.chars().next()
    {
        let mut parsed = split(text, separator, max_rows);
        if let Some(first) = parsed.rows.first_mut() {
            first.clear();
        }
        return parsed;
    }
    split(text, separator(text), max_rows)
}

/// What is said of [`Parsed::odd`].
pub(crate) fn odd_quotes(rows: &[usize]) -> Option<String> {
    let named: Vec<String> = rows.iter().take(20).map(usize::to_string).collect();
    (!rows.is_empty()).then(|| {
        let count = counted(rows.len(), "row", "rows");
        format!(
            "quotation marks do not pair up in {count} ({}); look at these and the next rows",
            named.join(", ")
        )
    })
}

/// The separator that gives most rows of one same width.
fn separator(text: &str) -> char {
    let head = text.char_indices().nth(100_000).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let score = |separator: char| {
        let parsed = split(head, separator, 200);
        let widths: Vec<usize> = parsed.rows.iter().map(Vec::len).filter(|n| *n > 1).collect();
        let common =
            widths.iter().max_by_key(|w| widths.iter().filter(|x| x == w).count()).copied().unwrap_or(0);
        let agreeing = widths.iter().filter(|w| **w == common).count();
        (agreeing, common)
    };
    SEPARATORS.into_iter().max_by_key(|s| (score(*s), *s == ';')).unwrap_or(',')
}

/// Quotation marks that never close are taken for characters, so many times: each costs reading the rest once more.
const UNCLOSED: usize = 16;

fn split(text: &str, separator: char, max_rows: usize) -> Parsed {
    let mut out = Parsed::default();
    let (mut row, mut cell) = (Row::new(), String::new());
    let (mut quoted, mut begun) = (false, false);
    let mut chars = text.chars().peekable();
    // What followed the last opening mark.
    let mut opened = chars.clone();
    loop {
        let Some(c) = chars.next() else {
            if !quoted {
                break;
            }
            out.odd.push(out.rows.len() + 1);
            if out.odd.len() > UNCLOSED {
                break;
            }
            chars = opened.clone();
            cell = "\"".into();
            quoted = false;
            continue;
        };
        if quoted {
            match c {
                '"' if chars.peek() == Some(&'"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' => {
                    quoted = false;
                    // A cell over several lines that goes on behind its end has swallowed the beginning of another.
                    let goes_on = chars.peek().is_some_and(|&c| c != separator && c != '\n' && c != '\r');
                    if goes_on && cell.contains('\n') {
                        out.odd.push(out.rows.len() + 1);
                    }
                }
                '\r' if chars.peek() == Some(&'\n') => {}
                c => cell.push(c),
            }
            continue;
        }
        begun = true;
        match c {
            '"' if cell.is_empty() => {
                quoted = true;
                opened = chars.clone();
            }
            c if c == separator => row.push(std::mem::take(&mut cell)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                row.push(std::mem::take(&mut cell));
                out.rows.push(std::mem::take(&mut row));
                begun = false;
                if out.rows.len() >= max_rows {
                    out.cut = chars.peek().is_some();
                    return out;
                }
            }
            c => cell.push(c),
        }
    }
    if begun || !cell.is_empty() {
        row.push(cell);
        out.rows.push(row);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        parse(text, 1000).rows
    }

    #[test]
    fn separators_quotes_and_blank_lines() {
        assert_eq!(rows("a;b,c;d\n1;2,5;3\n"), [["a", "b,c", "d"], ["1", "2,5", "3"]]);
        assert_eq!(
            rows("a,b\n\"x, \"\"y\"\"\nz\",2\r\n\r\n3,4"),
            [vec!["a", "b"], vec!["x, \"y\"\nz", "2"], vec![""], vec!["3", "4"]]
        );
        assert_eq!(rows("sep=|\na|b"), [vec![], vec!["a", "b"]]);
        let cut = parse("a\nb\nc", 2);
        assert_eq!((cut.rows, cut.cut), (vec![vec!["a".to_string()], vec!["b".into()]], true));
    }

    #[test]
    fn a_quotation_mark_that_never_closes_swallows_nothing_and_is_told() {
        let parsed = parse("a,b\n1,\"open\n2,\"x\"\n3,\"y\n", 1000);
        assert_eq!(parsed.odd, [2, 3], "the first closes at the next one's beginning, the last never");
        let open = parse("a,b\n1,\"open quote\n2,c\n3,d\n", 1000);
        assert_eq!(open.rows, [["a", "b"], ["1", "\"open quote"], ["2", "c"], ["3", "d"]]);
        assert_eq!(open.odd, [2]);
        assert!(parse("a,b\n\"x\ny\",\"2\" \n", 1000).odd.is_empty(), "a cell over two lines is none");
    }
}
