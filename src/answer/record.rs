//! What the audit log is told.

use ingest::Locator;

use super::draft::Draft;
use super::neighbours::Neighbours;
use super::types::{Answer, Mode};
use super::write;
use crate::audit::{AnswerMode, CitationCheck, Event, Finish as Ended, PassageRef, Sampling, sha256_hex};
use crate::engine::{Engine, Finish};
use crate::index::Found;

/// The source that prompts are made by: any change of their words changes its hash.
const TEMPLATE: &str = include_str!("prompt.rs");

/// The passages that were looked up.
pub(super) fn retrieval(
    id: &str,
    found: &Found,
    used: &[usize],
    joined: &Neighbours,
    engine: Option<&Engine>,
) -> Event {
    // A hit, and behind it what was joined to it.
    let hits = used.iter().filter_map(|i| Some((found.hits.get(*i)?, joined.get(i))));
    let chunks = hits.flat_map(|(h, joined)| {
        let beside = joined.into_iter().flat_map(|j| &j.from);
        std::iter::once(&h.chunk).chain(beside).map(|c| (c, h.score))
    });
    let passages = chunks.map(|(c, score)| PassageRef {
        document: c.document.to_string(),
        version: c.version.clone(),
        chunk: c.ordinal,
        page: match c.locator {
            Locator::Pdf { page, .. } => Some(page),
            _ => None,
        },
        score,
    });
    Event::Retrieval {
        question: id.to_owned(),
        embedder_sha256: engine.and_then(|e| e.embed_sha256.clone()),
        reranker_sha256: engine.and_then(|e| e.rerank_sha256.clone()),
        k: super::count(super::HITS),
        passages: passages.collect(),
        // Rights are part of both engines' queries: nothing foreign is ever found and dropped.
        dropped_by_acl: 0,
    }
}

/// The answer as it goes into the log.
pub(super) fn answered(answer: &Answer, draft: &Draft, engine: &Engine) -> Event {
    let options = write::options();
    let by_model = answer.mode == Mode::Model;
    Event::Answer {
        question: answer.id.clone(),
        mode: match answer.mode {
            Mode::Model => AnswerMode::Model,
            Mode::Extractive => AnswerMode::Extractive,
            Mode::Query => AnswerMode::Query,
        },
        model: answer.model.clone(),
        model_sha256: answer.model_sha256.clone(),
        quantisation: engine.answer_model.as_ref().filter(|_| by_model).map(|m| m.quantisation.clone()),
        template_sha256: by_model.then(|| sha256_hex(TEMPLATE.as_bytes())),
        marking: Some("page_metadata".to_owned()),
        device: answer.device.clone(),
        sampling: by_model.then(|| Sampling {
            temperature: options.temperature,
            top_p: options.top_p,
            top_k: super::count(options.top_k),
            min_p: options.min_p,
            repeat_penalty: options.repeat_penalty,
            seed: Some(options.seed),
            max_tokens: super::count(options.max_tokens),
        }),
        prompt_tokens: super::count(draft.prompt_tokens),
        completion_tokens: super::count(draft.completion_tokens),
        finish: match draft.finish {
            None | Some(Finish::Stop) => Ended::Stop,
            Some(Finish::Length) => Ended::Length,
            Some(Finish::Cancelled) => Ended::Cancelled,
        },
        text: answer.answer.clone(),
        citations: answer
            .citations
            .iter()
            .map(|c| CitationCheck { n: c.n, document: c.document.to_string(), verified: c.verified })
            .collect(),
        abstained: answer.abstained,
        first_token_ms: answer.first_token_ms,
        elapsed_ms: answer.elapsed_ms,
    }
}
