//! Ruling lines of an upright image: long, thin runs of ink.

use super::image::GreyImage;
use crate::formats::pdf::glyphs::Rule;

/// Shortest horizontal and vertical rule, in points: longer than any stroke of a letter.
const MIN_WIDTH: f32 = 30.0;
const MIN_HEIGHT: f32 = 16.0;
/// Thickest rule, in points.
const MAX_THICKNESS: f32 = 2.6;
/// Gap that is bridged, in points: specks and broken lines.
const GAP: f32 = 0.8;
/// More rules than this are a drawing.
const MAX_RULES: usize = 4_000;

/// The rules, in points.
pub(super) fn rules(image: &GreyImage, scale: f32) -> Vec<Rule> {
    // Thin lines of a scan are paler than its letters: nearer to the paper than Otsu's threshold.
    let threshold = image.threshold().saturating_add(30).min(210);
    let runs = |length: f32| Bands::new(length * scale, GAP * scale, MAX_THICKNESS * scale);
    let mut across = runs(MIN_WIDTH);
    let mut down = Columns::new(image.width as usize, MIN_HEIGHT * scale, GAP * scale);
    for (y, row) in image.rows().enumerate() {
        across.row(y as u32, row.iter().map(|p| *p <= threshold));
        down.row(y as u32, row, threshold);
    }
    let mut out: Vec<Rule> = across.finish().into_iter().map(|band| band.rule(scale, true)).collect();
    out.extend(down.finish(MAX_THICKNESS * scale).into_iter().map(|band| band.rule(scale, false)));
    if out.len() > MAX_RULES { Vec::new() } else { out }
}

/// Runs of neighbouring rows (or columns) that lie on each other.
#[derive(Debug, Clone, Copy)]
struct Band {
    /// First and last pixel along the run.
    from: u32,
    to: u32,
    /// First and last row.
    first: u32,
    last: u32,
}

impl Band {
    fn touches(&self, from: u32, to: u32) -> bool {
        let shared = self.to.min(to).saturating_sub(self.from.max(from));
        2 * shared > (self.to - self.from).min(to - from)
    }

    fn rule(&self, scale: f32, across: bool) -> Rule {
        let at = (self.first + self.last + 1) as f32 / 2.0 / scale;
        let (from, to) = (self.from as f32 / scale, (self.to + 1) as f32 / scale);
        if across {
            Rule { x0: from, y0: at, x1: to, y1: at }
        } else {
            Rule { x0: at, y0: from, x1: at, y1: to }
        }
    }
}

/// Joins the long runs of row after row.
struct Bands {
    length: f32,
    gap: f32,
    thickness: f32,
    open: Vec<Band>,
    done: Vec<Band>,
}

impl Bands {
    fn new(length: f32, gap: f32, thickness: f32) -> Self {
        Bands { length, gap, thickness, open: Vec::new(), done: Vec::new() }
    }

    fn row(&mut self, y: u32, ink: impl Iterator<Item = bool>) {
        let mut run: Option<(u32, u32)> = None;
        for (x, dark) in (0_u32..).zip(ink) {
            if !dark {
                continue;
            }
            match &mut run {
                Some((_, to)) if (x - *to) as f32 <= self.gap + 1.0 => *to = x,
                _ => {
                    self.run(y, run);
                    run = Some((x, x));
                }
            }
        }
        self.run(y, run);
        self.close(y);
    }

    fn run(&mut self, y: u32, run: Option<(u32, u32)>) {
        let Some((from, to)) = run.filter(|(from, to)| (to - from) as f32 >= self.length) else { return };
        match self.open.iter_mut().find(|band| band.touches(from, to)) {
            Some(band) => {
                band.from = band.from.min(from);
                band.to = band.to.max(to);
                band.last = y;
            }
            None => self.open.push(Band { from, to, first: y, last: y }),
        }
    }

    /// Puts away what does not go on in this row.
    fn close(&mut self, y: u32) {
        let thickness = self.thickness;
        let thin = |band: &Band| (band.last - band.first + 1) as f32 <= thickness;
        let (open, ended): (Vec<Band>, Vec<Band>) = self.open.iter().partition(|band| band.last + 1 >= y);
        self.open = open;
        if self.done.len() <= MAX_RULES {
            self.done.extend(ended.into_iter().filter(thin));
        }
    }

    fn finish(mut self) -> Vec<Band> {
        self.close(u32::MAX);
        self.done
    }
}

/// Long runs down the columns, all columns at once.
struct Columns {
    length: f32,
    gap: f32,
    /// Start and end of the run that is open in each column.
    open: Vec<Option<(u32, u32)>>,
    /// Column, start and end.
    runs: Vec<(u32, u32, u32)>,
}

/// More runs than these are a picture.
const MAX_RUNS: usize = 200_000;

impl Columns {
    fn new(width: usize, length: f32, gap: f32) -> Self {
        Columns { length, gap, open: vec![None; width], runs: Vec::new() }
    }

    fn row(&mut self, y: u32, row: &[u8], threshold: u8) {
        for (x, (open, pixel)) in (0_u32..).zip(self.open.iter_mut().zip(row)) {
            if *pixel > threshold {
                continue;
            }
            match open {
                Some((_, to)) if (y - *to) as f32 <= self.gap + 1.0 => *to = y,
                _ => {
                    if let Some((from, to)) = open.replace((y, y))
                        && (to - from) as f32 >= self.length
                        && self.runs.len() < MAX_RUNS
                    {
                        self.runs.push((x, from, to));
                    }
                }
            }
        }
    }

    fn finish(mut self, thickness: f32) -> Vec<Band> {
        for (x, open) in (0_u32..).zip(&self.open) {
            if let Some((from, to)) = *open
                && (to - from) as f32 >= self.length
            {
                self.runs.push((x, from, to));
            }
        }
        self.runs.sort_unstable();
        let mut bands = Bands::new(self.length, self.gap, thickness);
        let mut column = 0;
        for (x, from, to) in self.runs {
            if x != column {
                bands.close(x);
                column = x;
            }
            bands.run(x, Some((from, to)));
        }
        bands.finish()
    }
}
