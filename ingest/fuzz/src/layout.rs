//! Pages written by the fuzzer: a pen that sets glyphs, runs of text, grids and rules, so that lines,
//! columns and tables come about by chance, and odd places with them.

use ingest::fuzzing::{DrawnGlyph, DrawnPage};

/// Glyphs of one page.
const MOST_GLYPHS: usize = 4_000;
const MOST_RULES: usize = 400;
const MOST_PAGES: usize = 6;

/// Texts that layout treats in ways of their own.
const WORDS: [&str; 40] = [
    "Tabelle 1: Werte",
    "•",
    "–",
    "Wärme-",
    "dämmung",
    "\u{fb03}",
    "\u{5d0}\u{5d1}",
    "\u{627}\u{644}",
    "\u{ad}",
    "Seite 1 von 9",
    "- 3 -",
    "2",
    "1.1",
    "1.2 Bau",
    "a)",
    "0.17",
    "2’268",
    "m²",
    "W/(m²K)",
    "SIA 380/1",
    "EBF",
    "U-Wert",
    "AW-01",
    "Bau-/Holz-",
    "und",
    "\u{200b}",
    " ",
    "\u{a0}",
    "....",
    "☐",
    "x",
    "Total",
    "CHF",
    "100.00",
    "Kapitel",
    "ANHANG A",
    "\u{fffd}",
    "\u{e000}",
    "\u{1f600}",
    "of",
];

/// The fuzzer's bytes, one after the other; zeros where they have ended.
struct Bytes<'a>(&'a [u8]);

impl Bytes<'_> {
    fn next(&mut self) -> u8 {
        match self.0.split_first() {
            Some((first, rest)) => {
                self.0 = rest;
                *first
            }
            None => 0,
        }
    }

    fn signed(&mut self) -> f32 {
        f32::from(self.next() as i8)
    }

    fn float(&mut self) -> f32 {
        f32::from_le_bytes([self.next(), self.next(), self.next(), self.next()])
    }
}

struct Pen {
    page: DrawnPage,
    x: f32,
    y: f32,
    left: f32,
    size: f32,
    angle: u16,
    bold: bool,
    place: Option<u32>,
}

impl Pen {
    fn new(width: f32, height: f32) -> Self {
        let page = DrawnPage { width, height, ..DrawnPage::default() };
        Pen { page, x: 40.0, y: 40.0, left: 40.0, size: 10.0, angle: 0, bold: false, place: None }
    }

    /// One glyph, kept where the interpreter would keep it: finite, not tiny, its middle on the page.
    fn glyph(&mut self, text: &str, advance: f32) {
        let (sin, cos) = f32::from(self.angle % 360).to_radians().sin_cos();
        let middle = (
            self.x + cos * advance / 2.0 + sin * self.size * 0.3,
            self.y + sin * advance / 2.0 - cos * self.size * 0.3,
        );
        let shown = self.size >= 0.4
            && [self.x, self.y, advance, self.size].iter().all(|v| v.is_finite())
            && (-1.0..=self.page.width + 1.0).contains(&middle.0)
            && (-1.0..=self.page.height + 1.0).contains(&middle.1);
        if shown && self.page.glyphs.len() < MOST_GLYPHS {
            self.page.glyphs.push(DrawnGlyph {
                text: text.into(),
                x: self.x,
                y: self.y,
                angle: self.angle,
                advance,
                size: self.size,
                bold: self.bold,
                place: self.place,
            });
        }
        self.x += cos * advance;
        self.y += sin * advance;
    }

    fn text(&mut self, text: &str) {
        for c in text.chars() {
            let advance = if c == ' ' { 0.28 } else { 0.5 } * self.size;
            self.glyph(c.encode_utf8(&mut [0; 4]), advance);
        }
    }

    fn line(&mut self, em: f32) {
        self.x = self.left;
        self.y += em * self.size;
    }

    fn rule(&mut self, x0: f32, y0: f32, x1: f32, y1: f32) {
        let inside = |v: f32, most: f32| v.is_finite() && (-1.0..=most + 1.0).contains(&v);
        let (width, height) = (self.page.width, self.page.height);
        let shown = inside(x0, width) && inside(x1, width) && inside(y0, height) && inside(y1, height);
        if shown && x0 <= x1 && y0 <= y1 && (x0 == x1 || y0 == y1) && self.page.rules.len() < MOST_RULES {
            self.page.rules.push([x0, y0, x1, y1]);
        }
    }

    /// A table with rules on the sides that `sides` says, and a word in each cell.
    fn grid(&mut self, rows: u8, columns: u8, sides: u8, bytes: &mut Bytes<'_>) {
        let (rows, columns) = (rows % 9 + 1, columns % 7 + 1);
        let (wide, high) = (30.0 + f32::from(bytes.next() % 60), self.size * 1.6);
        let (x0, y0) = (self.left, self.y);
        let right = x0 + wide * f32::from(columns);
        let bottom = y0 + high * f32::from(rows);
        for row in 0..=rows {
            let y = y0 + high * f32::from(row);
            if sides & 1 != 0 || (sides & 4 != 0 && (row == 0 || row == rows)) {
                self.rule(x0, y, right, y);
            }
        }
        for column in 0..=columns {
            let x = x0 + wide * f32::from(column);
            if sides & 2 != 0 {
                self.rule(x, y0, x, bottom);
            }
        }
        for row in 0..rows {
            for column in 0..columns {
                let pick = bytes.next();
                if pick == 0 {
                    continue;
                }
                (self.x, self.y) = (x0 + wide * f32::from(column) + 2.0, y0 + high * (f32::from(row) + 0.75));
                self.text(word(pick));
            }
        }
        self.y = bottom;
        self.line(1.2);
    }
}

fn word(pick: u8) -> &'static str {
    WORDS.get(usize::from(pick) % WORDS.len()).copied().unwrap_or("x")
}

/// The pages that the bytes write.
pub fn pages(bytes: &[u8]) -> Vec<DrawnPage> {
    let mut bytes = Bytes(bytes);
    let side = |b: u8| 20.0 + 8.0 * f32::from(b);
    let mut done = Vec::new();
    let mut pen = Pen::new(side(bytes.next()), side(bytes.next()));
    while !bytes.0.is_empty() {
        step(&mut pen, &mut bytes, &mut done);
        if done.len() >= MOST_PAGES {
            break;
        }
    }
    done.push(pen.page);
    done
}

fn step(pen: &mut Pen, bytes: &mut Bytes<'_>, done: &mut Vec<DrawnPage>) {
    match bytes.next() % 20 {
        0 => pen.text(word(bytes.next())),
        1 => {
            let length = usize::from(bytes.next() % 40).min(bytes.0.len());
            let (run, rest) = bytes.0.split_at(length);
            bytes.0 = rest;
            pen.text(&String::from_utf8_lossy(run));
        }
        2 => pen.text(" "),
        3 => pen.line(1.2),
        4 => pen.line(f32::from(bytes.next()) / 32.0),
        5 => pen.x += bytes.signed(),
        6 => pen.y += bytes.signed() / 4.0,
        7 => {
            pen.x = pen.page.width * f32::from(bytes.next()) / 255.0;
            pen.left = pen.x;
            pen.y = pen.page.height * f32::from(bytes.next()) / 255.0;
        }
        8 => pen.size = f32::from(bytes.next()) / 6.0,
        9 => pen.bold = !pen.bold,
        10 => {
            let pick = bytes.next();
            pen.angle = match pick % 6 {
                0 | 1 => 0,
                2 => 90,
                3 => 180,
                4 => 270,
                _ => u16::from(bytes.next()) * 2 % 360,
            };
        }
        11 => pen.place = Some(u32::from(bytes.next())).filter(|p| *p < 200),
        12 => {
            let (sides, rows, columns) = (bytes.next(), bytes.next(), bytes.next());
            pen.grid(rows, columns, sides, bytes);
        }
        13 => {
            let length = f32::from(bytes.next()) * 4.0;
            pen.rule(pen.x, pen.y, pen.x + length, pen.y);
        }
        14 => {
            let length = f32::from(bytes.next()) * 4.0;
            pen.rule(pen.x, pen.y, pen.x, pen.y + length);
        }
        15 => {
            let from = pen.page.glyphs.len().saturating_sub(usize::from(bytes.next() % 12));
            if pen.page.actual.len() < 50 {
                pen.page.actual.push((from, word(bytes.next()).into()));
            }
        }
        16 => {
            let size = (pen.page.width, pen.page.height);
            done.push(std::mem::replace(pen, Pen::new(size.0, size.1)).page);
        }
        17 => (pen.x, pen.y) = (bytes.float(), bytes.float()),
        18 => {
            let (advance, text) = (bytes.float(), word(bytes.next()));
            pen.glyph(text, advance);
        }
        _ => pen.size = bytes.float().abs().clamp(0.0, 1e6),
    }
}
