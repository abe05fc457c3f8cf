//! Which way lines of text run on an image: the direction in which its ink falls into the sharpest rows.

use super::image::{GreyImage, Upright};

/// Longest side of the image that is looked at, in pixels: a tenth of a degree moves the end of a line
/// by more than one of them.
const SIDE: u32 = 1_200;
/// Largest skew that is looked for, in degrees.
const REACH: i32 = 12;
/// Steps of the first and of the second search, in degrees.
const COARSE: f32 = 0.5;
const FINE: f32 = 0.05;
/// Most points that are looked at.
const MAX_POINTS: usize = 60_000;
/// Fewer edges than this are no text.
const MIN_POINTS: usize = 200;
/// How much sharper than at the other angles the rows have to be.
const DISTINCT: f32 = 1.25;
/// Below this a page counts as straight, in degrees: text is read as well, and no pixel is mixed.
const STRAIGHT: f32 = 0.15;
/// Longer straight edges, in pixels, belong to rules and pictures.
const LETTER: usize = 12;

/// Skew of an image, seen upright and after a quarter turn.
#[derive(Debug, Clone, Copy)]
pub(super) struct Skew {
    /// Clockwise quarter turns after which lines run from left to right, 0 or 1: which end is up is
    /// still to be seen.
    pub(super) quarters: u8,
    level: f32,
    turned: f32,
    width: u32,
    height: u32,
}

impl Skew {
    /// The way to the upright image if so many quarter turns are the right ones.
    pub(super) fn upright(&self, quarters: u8) -> Upright {
        let skew = if quarters.is_multiple_of(2) { self.level } else { self.turned };
        let skew = if skew.abs() < STRAIGHT { 0.0 } else { skew };
        Upright { quarters, skew, width: self.width, height: self.height }
    }
}

pub(super) fn estimate(image: &GreyImage) -> Skew {
    let small = image.reduced(image.width.max(image.height).div_ceil(SIDE));
    let threshold = small.threshold();
    let turn = Upright { quarters: 1, skew: 0.0, width: small.width, height: small.height };
    let level = Direction::of(&small, threshold);
    let turned = Direction::of(&turn.straighten(&small), threshold);
    Skew {
        quarters: u8::from(turned.sharpness > level.sharpness * 1.1),
        level: level.skew,
        turned: turned.skew,
        width: image.width,
        height: image.height,
    }
}

/// Whether text lines run from left to right, and how far they fall.
#[derive(Debug, Clone, Copy, Default)]
struct Direction {
    /// Degrees; 0 where no direction stands out.
    skew: f32,
    /// How much sharper rows of letters are at their best angle than elsewhere.
    sharpness: f32,
}

impl Direction {
    fn of(image: &GreyImage, threshold: u8) -> Self {
        let (letters, all) = edges(image, threshold);
        if all.len() < MIN_POINTS {
            return Direction::default();
        }
        let angles = || (-REACH * 2..=REACH * 2).map(|step| step as f32 * COARSE);
        let scores: Vec<(f32, f32)> = angles().map(|a| (a, sharpness(&all, a))).collect();
        let Some((coarse, peak)) = scores.iter().copied().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            return Direction::default();
        };
        let mut sorted: Vec<f32> = scores.iter().map(|s| s.1).collect();
        sorted.sort_by(f32::total_cmp);
        let usual = sorted.get(sorted.len() / 2).copied().unwrap_or(peak).max(f32::MIN_POSITIVE);
        let fine = (-10..=10).map(|step| coarse + step as f32 * FINE);
        let best = fine.map(|a| (a, sharpness(&all, a))).max_by(|a, b| a.1.total_cmp(&b.1));
        let skew = best.filter(|_| peak > DISTINCT * usual).map_or(0.0, |b| b.0);
        let of_letters = if letters.len() < MIN_POINTS { 0.0 } else { sharpness(&letters, skew) };
        Direction { skew, sharpness: of_letters }
    }
}

/// Places where ink has paper below it: the feet of the letters stand on the lines. Those of letters, and
/// all of them.
fn edges(image: &GreyImage, threshold: u8) -> (Vec<(f32, f32)>, Vec<(f32, f32)>) {
    let (mut letters, mut all) = (Vec::new(), Vec::new());
    let rows: Vec<&[u8]> = image.rows().collect();
    for (y, pair) in rows.windows(2).enumerate() {
        let [upper, lower] = pair else { continue };
        let mut run = 0;
        for (x, (above, below)) in upper.iter().zip(*lower).enumerate() {
            if *above <= threshold && *below > threshold {
                run += 1;
                continue;
            }
            take(&mut letters, &mut all, x, y, run);
            run = 0;
        }
        take(&mut letters, &mut all, upper.len(), y, run);
    }
    (thinned(letters), thinned(all))
}

fn take(letters: &mut Vec<(f32, f32)>, all: &mut Vec<(f32, f32)>, end: usize, y: usize, run: usize) {
    let points = (end - run..end).map(|x| (x as f32, y as f32));
    if run <= LETTER {
        letters.extend(points.clone());
    }
    all.extend(points);
}

fn thinned(points: Vec<(f32, f32)>) -> Vec<(f32, f32)> {
    let step = points.len().div_ceil(MAX_POINTS).max(1);
    points.into_iter().step_by(step).collect()
}

/// How unevenly points fall into rows that run at an angle: 1 where evenly.
fn sharpness(points: &[(f32, f32)], degrees: f32) -> f32 {
    let (sin, cos) = degrees.to_radians().sin_cos();
    let row = |(x, y): &(f32, f32)| (y * cos - x * sin).floor();
    let (low, high) = points
        .iter()
        .map(row)
        .fold((f32::INFINITY, f32::NEG_INFINITY), |(low, high), r| (low.min(r), high.max(r)));
    let count = (high - low) as usize + 1;
    let mut rows = vec![0_u32; count];
    for point in points {
        if let Some(n) = rows.get_mut((row(point) - low) as usize) {
            *n += 1;
        }
    }
    let squares: f64 = rows.iter().map(|n| f64::from(*n) * f64::from(*n)).sum();
    let even = (points.len() as f64).powi(2) / count as f64;
    (squares / even.max(1.0)) as f32
}
