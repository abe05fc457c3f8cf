//! The invisible text over the image of a page: every word where it is printed.

use ingest::{Page, Rect, Word};

/// More words than this are a drawing, whose text nobody selects line by line.
const MAX_WORDS: usize = 6_000;
/// Part of a word's box that lies above its baseline, as layout sets it.
const ASCENT: f32 = 0.8;

/// A line of text, turned as it is printed.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web) struct TextLine {
    /// Degrees clockwise: 0, 90, 180 or 270.
    pub(in crate::web) angle: u16,
    /// Font size in points.
    pub(in crate::web) size: String,
    pub(in crate::web) words: Vec<TextWord>,
}

/// A word: where its baseline begins and how long it is, in points of the turned page.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::web) struct TextWord {
    pub(in crate::web) x: String,
    pub(in crate::web) y: String,
    pub(in crate::web) length: String,
    pub(in crate::web) text: String,
}

impl TextLine {
    /// The lines of a page, in reading order.
    pub(in crate::web) fn of(page: &Page) -> Vec<TextLine> {
        if page.words.len() > MAX_WORDS {
            return Vec::new();
        }
        let lines: Vec<&[Word]> =
            page.words.chunk_by(|a, b| (a.block, a.line) == (b.block, b.line)).collect();
        let angles: Vec<Option<u16>> = lines.iter().map(|line| angle(line)).collect();
        let usual = usual(&angles, &lines);
        lines.iter().zip(angles).map(|(line, angle)| laid(line, angle.unwrap_or(usual))).collect()
    }
}

fn center([x0, y0, x1, y1]: Rect) -> (f32, f32) {
    ((x0 + x1) / 2.0, (y0 + y1) / 2.0)
}

/// Which way a line runs, where it has words enough to tell.
fn angle(line: &[Word]) -> Option<u16> {
    let [first, .., last] = line else { return None };
    let ((x0, y0), (x1, y1)) = (center(first.rect), center(last.rect));
    let (dx, dy) = (x1 - x0, y1 - y0);
    let angle = if dx.abs() >= dy.abs() {
        if dx >= 0.0 { 0 } else { 180 }
    } else if dy > 0.0 {
        90
    } else {
        270
    };
    // Words that are wider than high do not stand on their side: the line is a table's row of several lines.
    let upright = line.iter().filter(|w| w.text.chars().count() > 2).all(|w| {
        let [x0, y0, x1, y1] = w.rect;
        x1 - x0 > y1 - y0
    });
    Some(if upright && (angle == 90 || angle == 270) { 0 } else { angle })
}

/// The direction of most words.
fn usual(angles: &[Option<u16>], lines: &[&[Word]]) -> u16 {
    let words = |angle: u16| -> usize {
        angles.iter().zip(lines).filter(|(a, _)| **a == Some(angle)).map(|(_, line)| line.len()).sum()
    };
    [0, 90, 180, 270].into_iter().rev().max_by_key(|angle| words(*angle)).unwrap_or(0)
}

fn laid(line: &[Word], angle: u16) -> TextLine {
    let turned: Vec<Rect> = line.iter().map(|w| turn(w.rect, angle)).collect();
    // The box of a slanting word is higher than its letters, that of its shortest neighbour hardly.
    let size = turned.iter().map(|[_, y0, _, y1]| y1 - y0).fold(f32::INFINITY, f32::min).clamp(1.0, 400.0);
    let number = |n: f32| format!("{n:.1}");
    let words = line.iter().zip(turned).map(|(word, [x0, y0, x1, y1])| TextWord {
        x: number(x0),
        y: number((y0 + y1) / 2.0 + (ASCENT - 0.5) * size),
        length: number((x1 - x0).max(0.1)),
        text: word.text.clone(),
    });
    TextLine { angle, size: number(size), words: words.collect() }
}

/// The box on the page turned back by the angle, about the top left corner.
fn turn([x0, y0, x1, y1]: Rect, angle: u16) -> Rect {
    match angle {
        90 => [y0, -x1, y1, -x0],
        180 => [-x1, -y1, -x0, -y0],
        270 => [-y1, x0, -y0, x1],
        _ => [x0, y0, x1, y1],
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn page(rects: &[Rect]) -> Page {
        let word = |rect: &Rect| Word { text: "Wand".into(), rect: *rect, block: 0, line: 0 };
        Page { words: rects.iter().map(word).collect(), ..Page::default() }
    }

    fn first(rects: &[Rect]) -> (u16, String, String, String) {
        let line = TextLine::of(&page(rects)).remove(0);
        (line.angle, line.size, line.words[0].x.clone(), line.words[0].y.clone())
    }

    #[test]
    fn a_line_starts_at_its_first_baseline_whichever_way_it_runs() {
        // A word of 40 x 10 points at (100, 200), and the next one in the direction of the line.
        let level = [[100.0, 200.0, 140.0, 210.0], [150.0, 200.0, 190.0, 210.0]];
        assert_eq!(first(&level), (0, "10.0".into(), "100.0".into(), "208.0".into()));
        // `rotate(90)` takes (x, y) to (-y, x): the baseline lies left of the box's middle, at x = 102.
        let down = [[100.0, 200.0, 110.0, 240.0], [100.0, 250.0, 110.0, 290.0]];
        assert_eq!(first(&down), (90, "10.0".into(), "200.0".into(), "-102.0".into()));
        // `rotate(270)` takes (x, y) to (y, -x): it starts at the foot of the box, at y = 240.
        let up = [[100.0, 200.0, 110.0, 240.0], [100.0, 150.0, 110.0, 190.0]];
        assert_eq!(first(&up), (270, "10.0".into(), "-240.0".into(), "108.0".into()));
        let over = [[100.0, 200.0, 140.0, 210.0], [50.0, 200.0, 90.0, 210.0]];
        assert_eq!(first(&over), (180, "10.0".into(), "-140.0".into(), "-202.0".into()));
    }

    #[test]
    fn a_table_row_of_several_lines_stays_level_and_a_drawing_has_no_layer() {
        let row = [[100.0, 200.0, 140.0, 210.0], [100.0, 250.0, 140.0, 260.0]];
        assert_eq!(first(&row).0, 0);
        assert!(TextLine::of(&page(&vec![row[0]; MAX_WORDS + 1])).is_empty());
    }
}
