//! From hits and checked sentences to what a reader is shown.

use super::draft::Draft;
use super::types::{Citation, Mode, Parts, Passage, SearchHit};
use super::verify::Evidence;
use super::write::{Composition, Shown, marked};
use crate::engine::Finish;
use crate::index::{Found, Hit};

/// Hits as passages, numbered from 1 in their order.
pub(super) fn numbered(found: &Found, used: &[usize]) -> Vec<Passage> {
    let hits = used.iter().filter_map(|i| found.hits.get(*i));
    hits.zip(1..)
        .map(|(h, n)| Passage {
            n,
            chunk: h.chunk.id,
            document: h.chunk.document,
            title: h.chunk.title.clone(),
            project: h.chunk.project_name.clone(),
            kind: h.chunk.kind,
            path: h.chunk.path.clone(),
            locator: h.chunk.locator.clone(),
            section: h.chunk.section.clone(),
            text: h.chunk.text.clone(),
            snippet: h.snippet.clone(),
        })
        .collect()
}

/// A hit as the list shows it.
pub(super) fn search_hit(h: Hit) -> SearchHit {
    SearchHit {
        document: h.chunk.document,
        chunk: h.chunk.id,
        project: h.chunk.project_name,
        kind: h.chunk.kind,
        title: h.chunk.title,
        source: h.chunk.source,
        path: h.chunk.path,
        locator: h.chunk.locator,
        section: h.chunk.section,
        snippet: h.snippet,
        score: h.score,
        parts: Parts { lexical: h.lexical, vector: h.vector },
    }
}

/// What the model wrote, as an answer.
pub(super) fn written(made: Composition, passages: &[Passage]) -> Draft {
    let text = made.shown.iter().map(|s| marked(&s.text, &s.cites)).collect::<Vec<_>>().join(" ");
    Draft {
        text,
        abstained: false,
        mode: Some(Mode::Model),
        citations: citations(&made.shown, passages),
        unverified: made.withheld,
        table: None,
        standing: None,
        prompt_tokens: made.generation.prompt_tokens,
        completion_tokens: made.generation.completion_tokens,
        finish: Some(if made.left { Finish::Cancelled } else { made.generation.finish }),
        sent: true,
    }
}

/// One citation per passage, in the order of first use, with the passage's own sentence.
pub(super) fn citations(shown: &[Shown], passages: &[Passage]) -> Vec<Citation> {
    let mut order: Vec<u32> = shown.iter().flat_map(|s| s.cites.iter().copied()).collect();
    let mut seen = Vec::new();
    order.retain(|n| {
        !seen.contains(n) && {
            seen.push(*n);
            true
        }
    });
    let cited = order.into_iter().filter_map(|n| passages.iter().find(|p| p.n == n));
    cited
        .map(|p| {
            let context = format!("{}\n{}", p.title, p.section.join("\n"));
            let evidence = Evidence::of(&p.text, &context, None);
            let citing: Vec<&Shown> = shown.iter().filter(|s| s.cites.contains(&p.n)).collect();
            let quote = citing.first().map(|s| evidence.quote(&s.text)).unwrap_or_default();
            let verified = citing.iter().all(|s| evidence.support(&s.text).holds());
            Citation {
                n: p.n,
                document: p.document,
                title: p.title.clone(),
                kind: p.kind,
                path: p.path.clone(),
                locator: p.locator.clone(),
                quote,
                verified,
            }
        })
        .collect()
}
