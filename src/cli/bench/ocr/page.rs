//! Pages whose text is known.

use std::collections::HashMap;

use ingest::{Document, Language, Locator, Page};

use crate::app;
use crate::config::Config;
use crate::worker::{Reading, WorkerError};

/// Pages with fewer words say little.
const MIN_WORDS: usize = 40;
/// Share of a page's words in tables from which on it is a page of tables.
const MOSTLY: f32 = 0.5;

/// A page with its own text.
pub(super) struct Known {
    pub(super) number: u32,
    /// The words as printed, in reading order.
    pub(super) text: String,
    pub(super) words: usize,
    /// `de`, `fr`, `it`, `en`, `other`, or `tables`.
    pub(super) group: &'static str,
}

/// The pages of a digital PDF that have text, `most` of them, evenly spread.
pub(super) async fn known(
    config: &Config,
    bytes: &[u8],
    name: &str,
    most: usize,
) -> Result<Vec<Known>, WorkerError> {
    let mut config = config.clone();
    config.ingest.limits.max_ocr_pages = 0;
    let reading = app::worker(&config)?.read(bytes, name).await?;
    let languages = languages(&reading);
    let mut pages: Vec<Known> = reading
        .document
        .pages
        .iter()
        .filter(|page| page.words.len() >= MIN_WORDS && !has_gaps(&reading.document, page))
        .map(|page| Known {
            number: page.number,
            text: text(page),
            words: page.words.len(),
            group: if in_tables(page) >= MOSTLY {
                "tables"
            } else {
                languages.get(&page.number).map_or("other", |language| language.as_str())
            },
        })
        .collect();
    let step = pages.len().div_ceil(most.max(1)).max(1);
    let mut place = 0;
    pages.retain(|_| {
        place += 1;
        (place - 1) % step == 0
    });
    Ok(pages)
}

/// True where the page's text is not all that is printed on it.
fn has_gaps(document: &Document, page: &Page) -> bool {
    document.warnings.iter().any(|w| w.page == Some(page.number))
        || page.words.iter().any(|w| w.text.contains('\u{fffd}'))
}

fn text(page: &Page) -> String {
    page.words.iter().map(|w| w.text.as_str()).collect::<Vec<_>>().join(" ")
}

fn in_tables(page: &Page) -> f32 {
    let in_table = |block: u32| page.tables.iter().any(|t| t.block == block);
    page.words.iter().filter(|w| in_table(w.block)).count() as f32 / page.words.len().max(1) as f32
}

/// The language that most passages of a page are in.
fn languages(reading: &Reading) -> HashMap<u32, Language> {
    let mut votes: HashMap<u32, [usize; 4]> = HashMap::new();
    for chunk in &reading.chunks {
        let (Locator::Pdf { page, .. }, Some(language)) = (&chunk.locator, chunk.language) else { continue };
        let votes = votes.entry(*page).or_default();
        for (vote, other) in votes.iter_mut().zip(Language::ALL) {
            *vote += if other == language { chunk.text.len() } else { 0 };
        }
    }
    votes.into_iter().filter_map(|(page, votes)| Some((page, most(votes)?))).collect()
}

fn most(votes: [usize; 4]) -> Option<Language> {
    Language::ALL.into_iter().zip(votes).max_by_key(|(_, n)| *n).map(|(language, _)| language)
}

/// What was read on the only page of a scan.
pub(super) fn read(document: &Document) -> (String, Option<f32>) {
    document.pages.first().map_or((String::new(), None), |page| (text(page), page.ocr_confidence))
}
