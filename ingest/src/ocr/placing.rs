//! Words that were read become glyphs, one for a word, so that layout treats them as digital text.
//!
//! A reading has boxes around ink; layout wants baselines and sizes. Both follow from the letters of a
//! word: "Wand" reaches from the baseline to the height of capitals, "gerne" goes below it.

use std::collections::BTreeMap;

use super::tsv::ReadWord;
use crate::formats::pdf::glyphs::Glyph;

/// Heights over the baseline and depth below it, in em, as in common text fonts.
const CAPITAL: f32 = 0.72;
const SMALL: f32 = 0.53;
const DEPTH: f32 = 0.21;
/// Sizes within this share of each other are one size.
const SAME_SIZE: f32 = 0.15;

/// The words as glyphs in points; each has a space before it, so that words stay what they are.
pub(crate) fn glyphs(words: &[ReadWord], scale: f32) -> Vec<Glyph> {
    let mut lines: BTreeMap<(u32, u32, u32), Vec<&ReadWord>> = BTreeMap::new();
    for word in words {
        lines.entry(word.line).or_default().push(word);
    }
    let lines: Vec<Vec<&ReadWord>> = lines.into_values().collect();
    let sizes = common_sizes(&lines);
    let mut out = Vec::with_capacity(words.len() * 2);
    for (line, size) in lines.iter().zip(sizes) {
        let base = baseline(line, size);
        for word in line {
            let [x0, _, x1, y1] = word.rect;
            // A word that stands elsewhere (a wrong line, an index) keeps its own foot.
            let own = y1 - if has_depth(&word.text) { DEPTH * size } else { 0.0 };
            let y = if (own - base).abs() < 0.35 * size { base } else { own };
            out.push(glyph(" ", x0, y, 0.0, size, scale));
            out.push(glyph(&word.text, x0, y, x1 - x0, size, scale));
        }
    }
    out
}

fn glyph(text: &str, x: f32, y: f32, advance: f32, size: f32, scale: f32) -> Glyph {
    Glyph {
        text: text.to_owned().into(),
        x: x / scale,
        y: y / scale,
        angle: 0,
        advance: advance / scale,
        size: size / scale,
        bold: false,
        unmapped: false,
        place: None,
    }
}

/// The size of each line, in pixels. Lines of nearly one size get one size: layout parts paragraphs where
/// the size changes.
fn common_sizes(lines: &[Vec<&ReadWord>]) -> Vec<f32> {
    let mut sizes: Vec<f32> = lines.iter().map(|line| line_size(line)).collect();
    // Widest clusters first, each around the size that most letters have.
    let mut weights: Vec<(f32, usize)> =
        sizes.iter().copied().zip(lines.iter().map(|l| letters(l))).collect();
    while !weights.is_empty() {
        let near = |a: f32, b: f32| (a - b).abs() <= SAME_SIZE * a;
        let weight = |size: f32| -> usize {
            weights.iter().filter(|(other, _)| near(size, *other)).map(|(_, letters)| letters).sum()
        };
        let heaviest = weights.iter().map(|(size, _)| *size).max_by_key(|size| weight(*size)).unwrap_or(1.0);
        let mut members: Vec<(f32, usize)> =
            weights.iter().copied().filter(|(s, _)| near(heaviest, *s)).collect();
        let common = weighted_median(&mut members);
        weights.retain(|(size, _)| !near(heaviest, *size));
        sizes.iter_mut().filter(|size| near(heaviest, **size)).for_each(|size| *size = common);
    }
    sizes
}

fn letters(line: &[&ReadWord]) -> usize {
    line.iter().map(|w| w.text.chars().count()).sum()
}

fn line_size(line: &[&ReadWord]) -> f32 {
    let mut sizes: Vec<(f32, usize)> =
        line.iter().filter_map(|w| Some((word_size(w)?, w.text.chars().count()))).collect();
    if sizes.is_empty() {
        // Dashes and points only: as high as they may be.
        let height = line.iter().map(|w| w.rect[3] - w.rect[1]).fold(1.0, f32::max);
        return height / CAPITAL;
    }
    weighted_median(&mut sizes).max(1.0)
}

fn weighted_median(sizes: &mut [(f32, usize)]) -> f32 {
    sizes.sort_by(|a, b| a.0.total_cmp(&b.0));
    let half = sizes.iter().map(|s| s.1).sum::<usize>() / 2;
    let mut seen = 0;
    for (size, weight) in sizes.iter() {
        seen += weight;
        if seen > half {
            return *size;
        }
    }
    sizes.last().map_or(1.0, |s| s.0)
}

/// The em that a word of this height has, if its letters tell.
fn word_size(word: &ReadWord) -> Option<f32> {
    let height = word.rect[3] - word.rect[1];
    let tall = word
        .text
        .chars()
        .any(|c| c.is_uppercase() || c.is_ascii_digit() || "bdfhkltßijäöüàâéèêëîïôùûç()[]/!?%&".contains(c));
    let known = tall || word.text.chars().any(char::is_alphabetic);
    let em = if tall { CAPITAL } else { SMALL } + if has_depth(&word.text) { DEPTH } else { 0.0 };
    known.then(|| height / em)
}

fn has_depth(text: &str) -> bool {
    text.chars().any(|c| "gjpqyçQ,;()[]/".contains(c))
}

/// The baseline of a line: the middle one of its words' own.
fn baseline(line: &[&ReadWord], size: f32) -> f32 {
    let mut feet: Vec<f32> =
        line.iter().map(|w| w.rect[3] - if has_depth(&w.text) { DEPTH * size } else { 0.0 }).collect();
    feet.sort_by(f32::total_cmp);
    feet.get(feet.len() / 2).copied().unwrap_or(0.0)
}
