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

/// So many rules across and down are a table or a drawing; a frame or underlined words have fewer.
const ACROSS: usize = 4;
const DOWN: usize = 3;

/// The ruling lines of an image.
pub(super) struct Rules {
    across: Vec<Band>,
    down: Vec<Band>,
    /// What is darker belongs to a rule.
    threshold: u8,
    /// Most pixels that a rule is thick.
    thickness: u32,
}

impl Rules {
    /// In points.
    pub(super) fn in_points(&self, scale: f32) -> Vec<Rule> {
        let across = self.across.iter().map(|band| band.rule(scale, true));
        across.chain(self.down.iter().map(|band| band.rule(scale, false))).collect()
    }

    /// True where the page is ruled into cells.
    pub(super) fn make_cells(&self) -> bool {
        self.across.len() >= ACROSS && self.down.len() >= DOWN
    }

    /// Takes the rules off the image: a letter that touches one is read as another, and columns of a table are
    /// taken for a picture. Ink that goes on beyond a rule stays, so that letters stay whole.
    pub(super) fn erase_from(&self, image: &mut GreyImage) {
        let paper = paper(image, self.threshold);
        // Where two cross, the first stays whole until the second has no more ink at its sides.
        for (bands, across) in [(&self.across, true), (&self.down, false)] {
            let places = bands.iter().flat_map(|band| (band.from..=band.to).map(move |along| (band, along)));
            let strokes: Vec<Stroke> =
                places.filter_map(|(band, along)| self.stroke(image, band, along, across)).collect();
            strokes.into_iter().for_each(|stroke| stroke.fill(image, paper));
        }
    }

    /// The ink of a rule at a place along it, where it is as thin as a rule.
    fn stroke(&self, image: &GreyImage, band: &Band, along: u32, across: bool) -> Option<Stroke> {
        let dark = |at: i64| {
            let (x, y) = if across { (i64::from(along), at) } else { (at, i64::from(along)) };
            at >= 0 && image.at(x, y) <= self.threshold
        };
        let (first, last) = (i64::from(band.first), i64::from(band.last));
        let ink = (first..=last).find(|at| dark(*at))?;
        let reach = i64::from(self.thickness);
        let start = (ink - reach..=ink).rev().take_while(|at| dark(*at)).last()?;
        let end = (ink..=ink + reach).take_while(|at| dark(*at)).last()?;
        (end - start < reach).then_some(Stroke { along, start, end, across })
    }
}

/// A piece of a rule: one pixel wide, across the rule from start to end.
struct Stroke {
    along: u32,
    start: i64,
    end: i64,
    across: bool,
}

impl Stroke {
    /// Covers it and the grey pixels at its edges.
    fn fill(&self, image: &mut GreyImage, paper: u8) {
        let (width, height) = (image.width, image.height);
        for at in (self.start - 1).max(0)..=self.end + 1 {
            let Ok(at) = u32::try_from(at) else { continue };
            let (x, y) = if self.across { (self.along, at) } else { (at, self.along) };
            if x < width
                && y < height
                && let Some(pixel) = image.pixels.get_mut(y as usize * width as usize + x as usize)
            {
                *pixel = paper;
            }
        }
    }
}

/// The commonest grey of what is no ink.
fn paper(image: &GreyImage, threshold: u8) -> u8 {
    let mut counts = [0_u32; 256];
    for pixel in &image.pixels {
        if let Some(count) = counts.get_mut(usize::from(*pixel)) {
            *count += 1;
        }
    }
    (threshold.saturating_add(1)..=255)
        .max_by_key(|grey| counts.get(usize::from(*grey)).copied().unwrap_or(0))
        .unwrap_or(255)
}

/// The rules of an image.
pub(super) fn rules(image: &GreyImage, scale: f32) -> Rules {
    // Thin lines of a scan are paler than its letters: nearer to the paper than Otsu's threshold.
    let threshold = image.threshold().saturating_add(30).min(210);
    let runs = |length: f32| Bands::new(length * scale, GAP * scale, MAX_THICKNESS * scale);
    let mut across = runs(MIN_WIDTH);
    let mut down = Columns::new(image.width as usize, MIN_HEIGHT * scale, GAP * scale);
    for (y, row) in image.rows().enumerate() {
        across.row(y as u32, row.iter().map(|p| *p <= threshold));
        down.row(y as u32, row, threshold);
    }
    let (mut across, mut down) = (across.finish(), down.finish(MAX_THICKNESS * scale));
    if across.len() + down.len() > MAX_RULES {
        (across, down) = (Vec::new(), Vec::new());
    }
    Rules { across, down, threshold, thickness: (MAX_THICKNESS * scale).ceil() as u32 }
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
