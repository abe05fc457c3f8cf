//! Tables drawn onto pages.

use super::super::score::Cell;
use super::contents::Content;
use super::pdf::{Canvas, Sheet, width, write};

/// How a table is ruled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Style {
    /// Every cell has a stroked border.
    Grid,
    /// Borders are thin filled boxes, the header is shaded.
    Filled,
    /// A rule below every row.
    Rows,
    /// Rules above and below the header and at the end.
    Booktabs,
    /// Every other row is shaded; no rules.
    Zebra,
    /// Nothing but white space.
    Plain,
}

impl Style {
    pub(super) const ALL: [Style; 6] =
        [Style::Grid, Style::Filled, Style::Rows, Style::Booktabs, Style::Zebra, Style::Plain];

    pub(super) fn name(self) -> &'static str {
        match self {
            Style::Grid => "grid",
            Style::Filled => "filled",
            Style::Rows => "rows",
            Style::Booktabs => "booktabs",
            Style::Zebra => "zebra",
            Style::Plain => "plain",
        }
    }

    /// True where a reader sees how many rows a cell covers.
    pub(super) fn shows_row_spans(self) -> bool {
        matches!(self, Style::Grid | Style::Filled | Style::Rows)
    }
}

/// Whether the page is read turned.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    /// An upright page.
    None,
    /// The sheet is shown turned by a quarter.
    Page,
    /// The text runs up an upright page.
    Text,
}

impl Turn {
    pub(super) fn name(self) -> &'static str {
        match self {
            Turn::None => "upright",
            Turn::Page => "page",
            Turn::Text => "text",
        }
    }
}

/// How a table looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Design {
    pub(super) style: Style,
    pub(super) turn: Turn,
    /// Cells are centred in their rows' height.
    pub(super) middle: bool,
    /// The header stands on every page.
    pub(super) repeat_header: bool,
}

impl Default for Design {
    fn default() -> Self {
        Design { style: Style::Grid, turn: Turn::None, middle: false, repeat_header: true }
    }
}

const SIZE: f32 = 9.0;
const LEADING: f32 = 11.0;
const LEFT: f32 = 62.0;
const BOTTOM: f32 = 70.0;
/// White space between a cell's border and its text.
const PAD: (f32, f32) = (4.0, 3.5);

/// Pages with prose, the tables and prose again.
pub(super) fn pages(tables: &[(&Content, Design)]) -> Vec<u8> {
    let turn = tables.first().map_or(Turn::None, |t| t.1.turn);
    let mut pen = Pen::new(turn);
    pen.prose("Die folgenden Angaben beruhen auf den Plänen und dem Baubeschrieb; massgebend ist der Stand");
    pen.prose("der Genehmigung. Abweichungen sind der Bauleitung vor der Ausführung schriftlich zu melden.");
    for (number, (content, design)) in tables.iter().enumerate() {
        pen.y -= 14.0;
        pen.prose(&format!("Tabelle {}: {}", number + 1, content.name));
        pen.y -= 4.0;
        pen.table(content, design);
        pen.y -= 14.0;
    }
    pen.prose("Die Werte wurden mit den Herstellern abgestimmt und gelten für alle Geschosse des Gebäudes,");
    pen.prose("soweit in den Detailplänen nichts anderes vermerkt ist.");
    pen.finish()
}

struct Pen {
    turn: Turn,
    done: Vec<Canvas>,
    canvas: Canvas,
    /// Bottom of what has been drawn.
    y: f32,
}

/// A row's texts, wrapped, and its height.
struct Laid<'a> {
    cells: Vec<(&'a Cell, Vec<String>)>,
    height: f32,
}

impl Pen {
    fn new(turn: Turn) -> Self {
        Pen { turn, done: Vec::new(), canvas: Canvas::default(), y: Self::top(turn) }
    }

    fn top(turn: Turn) -> f32 {
        if turn == Turn::None { 640.0 } else { 520.0 }
    }

    fn prose(&mut self, text: &str) {
        self.y -= 12.0;
        self.canvas.text(LEFT, self.y, 10.0, false, text);
    }

    fn turn_page(&mut self) {
        self.done.push(std::mem::take(&mut self.canvas));
        self.y = if self.turn == Turn::None { 770.0 } else { 520.0 };
    }

    fn finish(mut self) -> Vec<u8> {
        self.done.push(self.canvas);
        let sheet =
            |canvas| Sheet { canvas, across: self.turn != Turn::None, shown_turned: self.turn == Turn::Page };
        write(self.done.into_iter().map(sheet).collect())
    }

    fn table(&mut self, content: &Content, design: &Design) {
        let cells = content.cells();
        let rows = lay_rows(content, &cells);
        let mut at = 0;
        while at < rows.len() {
            let mut shown: Vec<usize> = Vec::new();
            if at > 0 && design.repeat_header {
                shown.extend(0..content.header_rows);
            }
            let mut left = self.y - BOTTOM - height(&rows, &shown);
            while let Some(row) = rows.get(at).filter(|r| r.height <= left) {
                left -= row.height;
                shown.push(at);
                at += 1;
            }
            self.part(content, design, &rows, &shown);
            if at < rows.len() {
                self.turn_page();
            }
        }
    }

    /// Draws these rows from the current height downwards.
    fn part(&mut self, content: &Content, design: &Design, rows: &[Laid<'_>], shown: &[usize]) {
        let top = self.y;
        let mut y = top;
        for (place, index) in shown.iter().enumerate() {
            let Some(row) = rows.get(*index) else { continue };
            let header = *index < content.header_rows;
            let shaded = match design.style {
                Style::Filled => header,
                Style::Zebra => !header && index % 2 == 0,
                _ => false,
            };
            if shaded {
                let all: f32 = content.widths.iter().sum();
                self.canvas.fill(LEFT, y - row.height, all, row.height, 0.9);
            }
            for (cell, lines) in &row.cells {
                let covered = shown.get(place..place + cell.rows).unwrap_or_default();
                let area = height(rows, covered);
                self.cell(content, design, cell, lines, y, area);
            }
            y -= row.height;
        }
        self.y = y;
        self.rules(content, design.style, rows, shown, top);
    }

    fn cell(
        &mut self,
        content: &Content,
        design: &Design,
        cell: &Cell,
        lines: &[String],
        top: f32,
        area: f32,
    ) {
        let (left, right) = sides(content, cell);
        let bold = cell.row < content.header_rows;
        let spare = area - 2.0 * PAD.1 - LEADING * lines.len() as f32;
        let down = if design.middle || cell.rows > 1 && bold { spare.max(0.0) / 2.0 } else { 0.0 };
        for (n, line) in lines.iter().enumerate() {
            let length = width(line, SIZE, bold);
            let x = if cell.columns > 1 {
                (left + right - length) / 2.0
            } else if content.right.contains(&cell.column) {
                right - PAD.0 - length
            } else {
                left + PAD.0
            };
            let y = top - PAD.1 - down - LEADING * n as f32 - 0.8 * SIZE;
            self.canvas.text(x, y, SIZE, bold, line);
        }
    }

    /// The rules around the cells that are shown.
    fn rules(&mut self, content: &Content, style: Style, rows: &[Laid<'_>], shown: &[usize], top: f32) {
        let all: f32 = content.widths.iter().sum();
        let mut y = top;
        let header_end = shown.iter().rposition(|r| *r < content.header_rows);
        if matches!(style, Style::Booktabs) {
            self.canvas.rule(LEFT, top, LEFT + all, top);
        }
        for (place, index) in shown.iter().enumerate() {
            let Some(row) = rows.get(*index) else { continue };
            let last = place + 1 == shown.len();
            for (cell, _) in &row.cells {
                let covered = shown.get(place..place + cell.rows).unwrap_or_default();
                let (left, right) = sides(content, cell);
                let bottom = y - height(rows, covered);
                match style {
                    Style::Grid => {
                        self.canvas.rule(left, y, right, y);
                        self.canvas.rule(left, bottom, right, bottom);
                        self.canvas.rule(left, y, left, bottom);
                        self.canvas.rule(right, y, right, bottom);
                    }
                    Style::Filled => {
                        self.canvas.fill(left, y, right - left, 0.6, 0.0);
                        self.canvas.fill(left, bottom, right - left, 0.6, 0.0);
                        self.canvas.fill(left, bottom, 0.6, y - bottom, 0.0);
                        self.canvas.fill(right, bottom, 0.6, y - bottom, 0.0);
                    }
                    Style::Rows => self.canvas.rule(left, bottom, right, bottom),
                    // A short rule below a header that spans.
                    Style::Booktabs if cell.columns > 1 => {
                        self.canvas.rule(left + 2.0, bottom, right - 2.0, bottom);
                    }
                    Style::Booktabs | Style::Zebra | Style::Plain => {}
                }
            }
            y -= row.height;
            if style == Style::Booktabs && (last || Some(place) == header_end) {
                self.canvas.rule(LEFT, y, LEFT + all, y);
            }
        }
    }
}

fn height(rows: &[Laid<'_>], shown: &[usize]) -> f32 {
    shown.iter().filter_map(|r| rows.get(*r)).map(|r| r.height).sum()
}

/// Left and right border of a cell.
fn sides(content: &Content, cell: &Cell) -> (f32, f32) {
    let before: f32 = content.widths.iter().take(cell.column).sum();
    let own: f32 = content.widths.iter().skip(cell.column).take(cell.columns).sum();
    (LEFT + before, LEFT + before + own)
}

/// Wraps every cell; a row is as high as the highest of its cells that cover one row.
fn lay_rows<'a>(content: &Content, cells: &'a [Cell]) -> Vec<Laid<'a>> {
    let mut rows: Vec<Laid<'_>> = Vec::new();
    rows.resize_with(content.rows(), || Laid { cells: Vec::new(), height: LEADING + 2.0 * PAD.1 });
    for cell in cells {
        let (left, right) = sides(content, cell);
        let lines = wrap(&cell.text, right - left - 2.0 * PAD.0, cell.row < content.header_rows);
        if let Some(row) = rows.get_mut(cell.row) {
            if cell.rows == 1 {
                row.height = row.height.max(LEADING * lines.len() as f32 + 2.0 * PAD.1);
            }
            row.cells.push((cell, lines));
        }
    }
    rows
}

fn wrap(text: &str, room: f32, bold: bool) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for word in text.split_whitespace() {
        match lines.last_mut() {
            Some(line) if width(&format!("{line} {word}"), SIZE, bold) <= room => {
                line.push(' ');
                line.push_str(word);
            }
            _ => lines.push(word.to_owned()),
        }
    }
    lines
}
