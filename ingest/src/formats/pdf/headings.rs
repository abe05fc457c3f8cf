//! Headings: from the outline where there is one, else from size, weight and numbering.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::furniture;
use super::layout::{BlockInfo, LaidPage};
use crate::model::{Bookmark, Heading};

/// A heading is at least this much larger than body text.
const LARGER: f32 = 1.12;
/// Longest heading, in characters.
const MAX_CHARS: usize = 140;

/// Puts headings on every page. `title` is the document's title, which is no section.
pub(super) fn mark(pages: &mut [LaidPage], outline: &[Bookmark], title: &str) {
    if outline.len() >= 2 {
        by_outline(pages, outline);
    } else {
        by_looks(pages);
    }
    let title = key(title);
    for page in pages {
        page.page.headings.retain(|h| key(&h.text) != title);
    }
}

/// Letters and digits only, so that spacing, case and leaders do not matter.
fn key(text: &str) -> String {
    text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
}

fn by_outline(pages: &mut [LaidPage], outline: &[Bookmark]) {
    let mut by_page: BTreeMap<u32, Vec<&Bookmark>> = BTreeMap::new();
    for entry in outline {
        by_page.entry(entry.page).or_default().push(entry);
    }
    for page in pages {
        let mut from = 0;
        let outside = furniture::blocks(&page.page);
        for entry in by_page.get(&page.page.number).into_iter().flatten() {
            let wanted = key(&entry.title);
            let is_it = |b: &BlockInfo| b.is_text && matches(&key(&b.text), &wanted);
            let after = page.blocks.iter().skip(from).position(is_it).map(|at| from + at);
            let found = after.or_else(|| page.blocks.iter().position(is_it));
            // A title that is nowhere to be read applies from the height that the bookmark leads to.
            let at_height = || {
                let y = entry.y?;
                page.blocks.iter().position(|b| b.top >= y - 4.0 && !outside.contains(&b.block))
            };
            from = found.or_else(at_height).unwrap_or(from);
            page.page.headings.push(Heading {
                block: page.blocks.get(from).map_or(0, |b| b.block),
                level: entry.level,
                text: entry.title.clone(),
                outline_only: found.is_none(),
            });
        }
        page.page.headings.sort_by_key(|h| h.block);
    }
}

/// The block says the title, perhaps with a number before it that the outline lacks.
fn matches(block: &str, title: &str) -> bool {
    !title.is_empty()
        && (block == title
            || block
                .strip_suffix(title)
                .is_some_and(|n| n.len() <= 8 && n.chars().all(|c| c.is_ascii_digit()))
            || title
                .strip_suffix(block)
                .is_some_and(|n| n.len() <= 8 && n.chars().all(|c| c.is_ascii_digit())))
}

fn by_looks(pages: &mut [LaidPage]) {
    let Some(body) = body_size(pages) else { return };
    let repeated = repeated(pages);
    let is_heading = |b: &BlockInfo| looks_like_heading(b, body) && !repeated.contains(&pattern(&b.text));
    let mut sizes: Vec<i32> = pages
        .iter()
        .flat_map(|p| &p.blocks)
        .filter(|b| is_heading(b) && b.size >= LARGER * body)
        .map(|b| rounded(b.size))
        .collect();
    sizes.sort_unstable_by(|a, b| b.cmp(a));
    sizes.dedup();
    for page in pages.iter_mut() {
        let outside = furniture::blocks(&page.page);
        for block in page.blocks.iter().filter(|b| is_heading(b) && !outside.contains(&b.block)) {
            let rank = sizes.iter().position(|s| *s == rounded(block.size)).unwrap_or(sizes.len()) + 1;
            let level = numbering(&block.text).map_or(rank, |(depth, _)| depth).clamp(1, 6);
            page.page.headings.push(Heading {
                block: block.block,
                level: level as u8,
                text: block.text.clone(),
                outline_only: false,
            });
        }
    }
}

/// Sizes in half points.
fn rounded(size: f32) -> i32 {
    (size * 2.0).round() as i32
}

/// The size in which most characters are set.
fn body_size(pages: &[LaidPage]) -> Option<f32> {
    let mut by_size: BTreeMap<i32, usize> = BTreeMap::new();
    for block in pages.iter().flat_map(|p| &p.blocks).filter(|b| b.is_text) {
        *by_size.entry(rounded(block.size)).or_default() += block.text.chars().count();
    }
    by_size.into_iter().max_by_key(|(_, chars)| *chars).map(|(size, _)| size as f32 / 2.0)
}

/// Text with figures made equal: page headers and footers repeat in it.
pub(crate) fn pattern(text: &str) -> String {
    text.chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// Blocks that stand on many pages.
fn repeated(pages: &[LaidPage]) -> HashSet<String> {
    let mut count: HashMap<String, usize> = HashMap::new();
    for page in pages {
        let on_page: HashSet<String> = page.blocks.iter().map(|b| pattern(&b.text)).collect();
        for text in on_page {
            *count.entry(text).or_default() += 1;
        }
    }
    let many = (pages.len() / 3).max(3);
    count.into_iter().filter(|(_, n)| *n >= many).map(|(text, _)| text).collect()
}

fn looks_like_heading(block: &BlockInfo, body: f32) -> bool {
    let text = block.text.trim();
    let chars = text.chars().count();
    if !block.is_text || block.lines > 3 || !(3..=MAX_CHARS).contains(&chars) {
        return false;
    }
    let letters = text.chars().filter(|c| c.is_alphabetic()).count();
    if letters < 3 || letters * 2 < chars || text.ends_with([',', ';']) {
        return false;
    }
    let larger = block.size >= LARGER * body;
    let sentence = text.ends_with('.') && numbering(text).is_none() && chars > 40;
    let bold = block.bold && block.lines == 1 && block.size >= 0.98 * body && chars <= 90;
    (larger || bold) && !sentence
}

/// Depth of a leading section number ("3.2.1" is 3) and the rest of the text.
pub(super) fn numbering(text: &str) -> Option<(usize, &str)> {
    let (number, rest) = text.split_once(char::is_whitespace)?;
    let parts: Vec<&str> = number.trim_end_matches('.').split('.').collect();
    let good = |p: &&str| (1..=3).contains(&p.len()) && p.bytes().all(|b| b.is_ascii_digit());
    let rest = rest.trim_start();
    let named = rest.chars().next().is_some_and(char::is_alphabetic);
    (parts.iter().all(good) && parts.len() <= 5 && named).then_some((parts.len(), rest))
}
