//! Text with separators. Own reader: blank lines count as rows, quotes may be careless.

/// Separators that are tried.
const SEPARATORS: [char; 4] = [';', ',', '\t', '|'];

/// Cells of a row.
pub(crate) type Row = Vec<String>;

/// Finds the separator and splits the text, at most `max_rows` rows; true where rows were left out.
pub(crate) fn parse(text: &str, max_rows: usize) -> (Vec<Row>, bool) {
    // Excel's own hint: "sep=;" in the first line.
    if let Some(rest) = text.strip_prefix("sep=")
        && let Some(separator) = rest.chars().next()
    {
        let (mut rows, cut) = split(text, separator, max_rows);
        if let Some(first) = rows.first_mut() {
            first.clear();
        }
        return (rows, cut);
    }
    split(text, separator(text), max_rows)
}

/// The separator that gives most rows of one same width.
fn separator(text: &str) -> char {
    let head = text.char_indices().nth(100_000).map_or(text, |(at, _)| text.get(..at).unwrap_or(text));
    let score = |separator: char| {
        let (rows, _) = split(head, separator, 200);
        let widths: Vec<usize> = rows.iter().map(Vec::len).filter(|n| *n > 1).collect();
        let common =
            widths.iter().max_by_key(|w| widths.iter().filter(|x| x == w).count()).copied().unwrap_or(0);
        let agreeing = widths.iter().filter(|w| **w == common).count();
        (agreeing, common)
    };
    SEPARATORS.into_iter().max_by_key(|s| (score(*s), *s == ';')).unwrap_or(',')
}

fn split(text: &str, separator: char, max_rows: usize) -> (Vec<Row>, bool) {
    let mut rows: Vec<Row> = Vec::new();
    let (mut row, mut cell) = (Row::new(), String::new());
    let (mut quoted, mut begun) = (false, false);
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        if quoted {
            match c {
                '"' if chars.peek() == Some(&'"') => {
                    chars.next();
                    cell.push('"');
                }
                '"' => quoted = false,
                '\r' if chars.peek() == Some(&'\n') => {}
                c => cell.push(c),
            }
            continue;
        }
        begun = true;
        match c {
            '"' if cell.is_empty() => quoted = true,
            c if c == separator => row.push(std::mem::take(&mut cell)),
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' | '\r' => {
                row.push(std::mem::take(&mut cell));
                rows.push(std::mem::take(&mut row));
                begun = false;
                if rows.len() >= max_rows {
                    return (rows, chars.peek().is_some());
                }
            }
            c => cell.push(c),
        }
    }
    if begun || !cell.is_empty() {
        row.push(cell);
        rows.push(row);
    }
    (rows, false)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rows(text: &str) -> Vec<Row> {
        parse(text, 1000).0
    }

    #[test]
    fn separators_quotes_and_blank_lines() {
        assert_eq!(rows("a;b,c;d\n1;2,5;3\n"), [["a", "b,c", "d"], ["1", "2,5", "3"]]);
        assert_eq!(
            rows("a,b\n\"x, \"\"y\"\"\nz\",2\r\n\r\n3,4"),
            [vec!["a", "b"], vec!["x, \"y\"\nz", "2"], vec![""], vec!["3", "4"]]
        );
        assert_eq!(rows("sep=|\na|b"), [vec![], vec!["a", "b"]]);
        assert_eq!(parse("a\nb\nc", 2), (vec![vec!["a".to_string()], vec!["b".into()]], true));
    }
}
