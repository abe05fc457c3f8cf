use std::sync::Arc;

use super::{JobError, blocking, progress::Step, run::Run};
use crate::engine::EmbedKind;

/// Texts that are embedded together.
const GROUP: usize = 32;

impl Run<'_> {
    /// The model whose vectors go into the index; `None` where search is by words only.
    pub(super) fn embedder(&self) -> Option<&str> {
        let engine = &self.jobs.engine;
        engine.embedder.as_ref().and(engine.embed_sha256.as_deref())
    }

    /// A vector for each text, in their order; empty ones without a model. Texts of like length go
    /// together, so that little is computed for padding.
    pub(super) async fn vectors(
        &self,
        texts: Vec<String>,
        source: Option<&str>,
        path: Option<&str>,
    ) -> Result<Vec<Vec<f32>>, JobError> {
        let mut vectors = vec![Vec::new(); texts.len()];
        let Some(embedder) = &self.jobs.engine.embedder else { return Ok(vectors) };
        let mut order: Vec<(usize, String)> = texts.into_iter().enumerate().collect();
        order.sort_by_key(|(_, text)| text.len());
        self.tracker.embedded(0, vectors.len());
        while !order.is_empty() {
            self.tracker.tell(Step::Embed, source, path);
            let group = order.split_off(order.len().saturating_sub(GROUP));
            let embedder = Arc::clone(embedder);
            let (places, texts): (Vec<usize>, Vec<String>) = group.into_iter().unzip();
            let made = blocking(move || {
                let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
                embedder.embed(EmbedKind::Passage, &texts)
            })
            .await??;
            for (place, vector) in places.into_iter().zip(made) {
                if let Some(slot) = vectors.get_mut(place) {
                    *slot = vector;
                }
            }
            self.tracker.embedded(vectors.len() - order.len(), vectors.len());
        }
        Ok(vectors)
    }
}
