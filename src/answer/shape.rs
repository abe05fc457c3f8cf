//! From hits and checked sentences to what a reader is shown.

use super::draft::Draft;
use super::neighbours::{self, Neighbours};
use super::types::{Citation, Mode, Parts, Passage, SearchHit};
use super::verify::{Evidence, one_line};
use super::write::{Composition, Shown, marked};
use crate::engine::Finish;
use crate::index::{Found, Hit};

/// Hits as passages with what belongs to them, numbered from 1 in their order.
pub(super) fn numbered(found: &Found, used: &[usize], joined: &Neighbours) -> Vec<Passage> {
    let hits = used.iter().filter_map(|i| Some((found.hits.get(*i)?, joined.get(i))));
    hits.zip(1..)
        .map(|((h, joined), n)| Passage {
            n,
            chunk: h.chunk.id,
            document: h.chunk.document,
            title: h.chunk.title.clone(),
            project: h.chunk.project_name.clone(),
            kind: h.chunk.kind,
            path: h.chunk.path.clone(),
            locator: h.chunk.locator.clone(),
            section: h.chunk.section.clone(),
            text: joined.map_or(&h.chunk.text, |j| &j.text).clone(),
            parts: joined.map(|j| j.parts.clone()).unwrap_or_default(),
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
        folded: h.folded,
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
            let quote = citing.first().and_then(|s| evidence.quote(&s.text));
            let place = quote.as_ref().and_then(|q| neighbours::place(&p.parts, q.start, q.end));
            let begins = place.map(|(first, _)| first);
            let verified = citing.iter().all(|s| evidence.support(&s.text).holds());
            Citation {
                n: p.n,
                document: p.document,
                title: p.title.clone(),
                kind: p.kind,
                path: p.path.clone(),
                chunk: begins.map_or(p.chunk, |b| b.chunk),
                locator: begins.map_or(&p.locator, |b| &b.locator).clone(),
                until: place.and_then(|(_, last)| last).map(|l| l.locator.clone()),
                quote: quote.map(|q| one_line(p.text.get(q).unwrap_or_default())).unwrap_or_default(),
                verified,
            }
        })
        .collect()
}
