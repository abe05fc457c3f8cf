//! Tables without rules: consecutive lines that white space parts at the same places.

use super::super::lines::Segment;
use super::super::order::Item;
use super::columns::{TextLine, columns_of, gutters, text_lines};
use super::{FoundTable, rows};

/// Distance of two lines, in em, from which they belong to different tables.
const FAR: f32 = 3.2;
/// Lines that are not parted, in a row, that a table may have: rests of wrapped cells, a heading.
const PENDING: usize = 3;

/// Distance of baselines, in em, that the cells of a row do not have.
const UNEVEN: f32 = 0.1;

/// Takes tables out of the items of a region and puts them in as tables.
pub(in super::super) fn extract(items: Vec<Item>, tables: &mut Vec<FoundTable>) -> Vec<Item> {
    let (mut segments, mut out, mut blocked) = (Vec::new(), Vec::new(), Vec::new());
    for item in items {
        match item {
            Item::Text(segment) => segments.push(segment),
            Item::Table(_, rect) => {
                blocked.push(rect);
                out.push(item);
            }
        }
    }
    let lines = text_lines(segments);
    let mut at = 0;
    while at < lines.len() {
        let run = run(&lines, at, &blocked);
        let all = lines.get(at..run).unwrap_or_default();
        let skip = strangers(all);
        let found = all.get(skip..).filter(|l| l.len() >= 3).and_then(table);
        if let Some((table, used)) = found {
            let above = all.iter().take(skip);
            out.extend(above.flat_map(|l| l.segments.iter().cloned().map(Item::Text)));
            out.push(Item::Table(tables.len(), table.rect));
            tables.push(table);
            at += skip + used;
            continue;
        }
        let loose = lines.get(at..run.max(at + 1)).unwrap_or_default();
        out.extend(loose.iter().flat_map(|l| l.segments.iter().cloned().map(Item::Text)));
        at = run.max(at + 1);
    }
    out
}

/// End of the run of lines from `at` that may be one table; `at` itself where none begins there.
fn run(lines: &[TextLine], at: usize, blocked: &[[f32; 4]]) -> usize {
    let parted = |i: usize| lines.get(i).is_some_and(TextLine::is_parted);
    if !parted(at) {
        return at;
    }
    let (mut end, mut pending) = (at + 1, 0);
    for index in at + 1..lines.len() {
        let (Some(above), Some(line)) = (lines.get(index - 1), lines.get(index)) else { break };
        let far = line.base - above.base > FAR * line.size.max(above.size);
        let wall = blocked.iter().any(|b| b[1] < line.base && b[3] > above.base);
        if far || wall || is_caption(line) || (line.size - above.size).abs() > 0.45 * above.size {
            break;
        }
        let so_far = lines.get(at..end).unwrap_or_default();
        if line.is_parted() {
            (end, pending) = (index + 1, 0);
        } else if pending < PENDING && !runs_on(line, so_far) {
            pending += 1;
        } else {
            break;
        }
    }
    // The rest of a last cell that wraps.
    while let (Some(above), Some(line)) = (lines.get(end - 1), lines.get(end)) {
        let starts = |s: &Segment| above.segments.iter().any(|a| (a.x0 - s.x0).abs() < 1.5);
        let rest = line.base - above.base <= 1.45 * line.size
            && !line.is_parted()
            && line.right() <= above.right() + 1.0
            && line.segments.iter().all(|s| starts(s) && s.x0 > above.left() + 2.0 * s.size);
        if !rest {
            break;
        }
        end += 1;
    }
    end
}

/// A line of text that begins at the left of these lines and runs over most of their width.
fn runs_on(line: &TextLine, lines: &[TextLine]) -> bool {
    let left = lines.iter().map(TextLine::left).fold(f32::INFINITY, f32::min);
    let right = lines.iter().map(TextLine::right).fold(f32::NEG_INFINITY, f32::max);
    line.left() < left + 2.0 * line.size && line.right() - line.left() > 0.6 * (right - left)
}

/// How many of the first lines only happen to be parted: a page header or a numbered heading above the table.
/// Without them there are more columns, or they stand alone above text of another size.
fn strangers(lines: &[TextLine]) -> usize {
    let mut skip = 0;
    for _ in 0..3 {
        let rest = lines.get(skip..).unwrap_or_default();
        let Some((first, below)) = rest.split_first() else { break };
        let Some(next) = below.iter().position(TextLine::is_parted) else { break };
        let alone = next >= 1
            && below.first().is_some_and(|l| {
                let far = next >= 2 && l.base - first.base > 1.5 * first.size;
                far || (l.size - first.size).abs() > 0.08 * first.size
            });
        let after = below.get(next..).unwrap_or_default();
        let hides = next == 0 && after.len() >= 3 && gutters(after).len() > gutters(rest).len();
        if !alone && !hides && !is_numbered_heading(first, below) {
            break;
        }
        skip += 1 + next;
    }
    skip
}

/// `3   Title` over a row of three or more, its title running over a gutter.
fn is_numbered_heading(line: &TextLine, below: &[TextLine]) -> bool {
    let [number, title] = line.segments.as_slice() else { return false };
    let digits = text_of(number);
    let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
        && digits.chars().all(|c| c.is_ascii_digit() || c == '.');
    let (first, last) = columns_of(title, &gutters(below));
    is_number && last > first && below.first().is_some_and(|l| l.segments.len() > 2)
}

fn text_of(segment: &Segment) -> String {
    segment.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ")
}

/// The table at the beginning of these lines and how many of them it takes.
fn table(lines: &[TextLine]) -> Option<(FoundTable, usize)> {
    let mut lines = lines;
    loop {
        let gutters = gutters(lines);
        // What does not keep to the columns ends the table.
        let breaks = |l: &TextLine| {
            let across = l.segments.iter().filter(|s| columns_of(s, &gutters).0 != columns_of(s, &gutters).1);
            !gutters.is_empty() && l.is_parted() && across.count() * 2 > l.segments.len()
        };
        match lines.iter().skip(2).position(breaks) {
            Some(at) if at + 2 >= 3 => lines = lines.get(..at + 2)?,
            Some(_) => return None,
            None if gutters.is_empty() => return None,
            None => {
                if !is_tabular(lines, &gutters) {
                    return None;
                }
                let table = rows::table(lines, &gutters, &[])?;
                let several = table.rows.iter().filter(|r| r.filled() >= 2).count();
                let good = table.rows.len() >= 3 && several * 10 >= table.rows.len() * 6;
                return good.then_some((table, lines.len()));
            }
        }
    }
}

/// Neither columns of running text, nor a list, nor a table of contents.
fn is_tabular(lines: &[TextLine], gutters: &[(f32, f32)]) -> bool {
    let parted = lines.iter().filter(|l| l.is_parted()).count();
    if parted < 3 || parted * 2 < lines.len() {
        return false;
    }
    // Rows stand level; columns of text side by side need not.
    let uneven = |l: &&TextLine| l.segments.iter().any(|s| (s.base - l.base).abs() > UNEVEN * l.size);
    if lines.iter().filter(uneven).count() * 2 > parted {
        return false;
    }
    let list = gutters.len() == 1 && look(lines, gutters, 0).marks;
    !list && !is_running_text(lines, gutters)
}

/// Columns of running text, or a table of contents with leaders.
pub(super) fn is_running_text(lines: &[TextLine], gutters: &[(f32, f32)]) -> bool {
    let parted = lines.iter().filter(|l| l.is_parted()).count();
    let leaders = lines.iter().filter(|l| l.segments.iter().any(|s| text_of(s).contains("...."))).count();
    let columns: Vec<Look> = (0..=gutters.len()).map(|c| look(lines, gutters, c)).collect();
    let prose = columns.iter().filter(|c| c.prose).count();
    let short = columns.iter().filter(|c| !c.prose && c.lines * 3 >= parted).count();
    // Beside names that are about as many as its lines, a column of long texts is a table's as well.
    let named = match columns.as_slice() {
        [names, texts] => !names.prose && names.short && names.lines * 3 >= texts.lines && names.lines >= 3,
        _ => columns.len() >= 3,
    };
    leaders * 3 >= lines.len() || prose == columns.len() || prose > 0 && (short == 0 || !named)
}

/// `Tabelle 3: …` on a line of its own.
pub(super) fn is_caption(line: &TextLine) -> bool {
    line.segments.first().is_some_and(|s| s.words.len() > 1 && super::super::names_table(&text_of(s)))
}

/// How a column looks.
struct Look {
    lines: usize,
    /// Long, full lines, one close below the other.
    prose: bool,
    /// Bullets or numbers of a list.
    marks: bool,
    /// Words rather than sentences.
    short: bool,
}

fn look(lines: &[TextLine], gutters: &[(f32, f32)], column: usize) -> Look {
    let mine: Vec<&Segment> = lines
        .iter()
        .flat_map(|l| &l.segments)
        .filter(|s| columns_of(s, gutters) == (column, column))
        .collect();
    let left = mine.iter().map(|s| s.x0).fold(f32::INFINITY, f32::min);
    let right = mine.iter().map(|s| s.x1).fold(f32::NEG_INFINITY, f32::max);
    let full = mine.iter().filter(|s| s.x1 - s.x0 > 0.75 * (right - left)).count();
    let chars: usize = mine.iter().map(|s| s.chars()).sum();
    let close = mine.windows(2).filter(|p| matches!(p, [a, b] if b.base - a.base < 1.5 * a.size)).count();
    let marks = mine.iter().filter(|s| is_mark(&text_of(s))).count();
    Look {
        lines: mine.len(),
        prose: mine.len() >= 3
            && chars >= 25 * mine.len()
            && full * 2 >= mine.len()
            && close * 2 >= mine.len(),
        marks: marks * 10 >= mine.len() * 8,
        short: chars <= 24 * mine.len(),
    }
}

fn is_mark(text: &str) -> bool {
    let bare = text.trim_end_matches(['.', ')', ':']);
    let short = bare.chars().count() <= 2;
    short && !bare.chars().any(|c| c.is_uppercase() || c.is_ascii_digit())
        || (text != bare && bare.chars().all(|c| c.is_ascii_digit() || c == '.'))
}
