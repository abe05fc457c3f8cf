//! From a query to hits: what is asked for, candidates of both engines, what of them is live, what is shown.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use ingest::{Kind, Language};

use super::analysis::{Analysed, analyse, fold, grammar};
use super::fuse::{Fused, Weights, fuse, in_reading_order};
use super::lexical::{Filter, LexicalFound};
use super::strict::Demands;
use super::{Found, Hit, Index, IndexError, Note, NoteKind, Query, Sides, blocking, same, snippet};
use crate::catalog::{Catalog, ChunkId, ChunkRow, ProjectId};
use crate::scope::Scope;

/// Candidates asked of each engine, at least: fusion needs more than what is shown.
const MIN_CANDIDATES: usize = 100;
/// Candidates asked of each engine, at most: nobody pages further.
const MAX_CANDIDATES: usize = 5_000;

impl Index {
    /// The best passages for a query within a scope.
    ///
    /// Hits that the catalog no longer knows or that lie outside the scope are dropped, and others
    /// from further down take their place.
    ///
    /// # Errors
    /// A store or the catalog cannot be read.
    pub async fn search(&self, scope: &Scope, query: &Query) -> Result<Found, IndexError> {
        let asked = self.understand(scope, query).await?;
        let Asked { analysed, demands, .. } = &asked;
        let least = if demands.any(analysed) { MAX_CANDIDATES } else { MIN_CANDIDATES };
        let mut depth = (query.limit * 2).clamp(least, MAX_CANDIDATES);
        loop {
            let (lexical, near) = self.candidates(&asked, query.vector.as_deref(), depth).await?;
            let exhausted = lexical.hits.len() < depth && near.len() < depth;
            let mut order = fuse(&lexical, &near, analysed.only_identifiers, &Weights::default());
            let live = self.live(scope, &order.hits, &asked).await?;
            if live.count >= query.limit + same::BEYOND || exhausted || depth == MAX_CANDIDATES {
                order.across(analysed.language, &live.languages);
                let rows = match live.rows {
                    Some(rows) => rows,
                    None => self.first(scope, &order.hits, &live.ids, query.limit + same::BEYOND).await?,
                };
                let total = if demands.any(analysed) { live.count } else { lexical.total.max(live.count) };
                return Ok(assemble(rows, order.hits, lexical, asked, (total, query.limit)));
            }
            depth = (depth * 4).min(MAX_CANDIDATES);
        }
    }

    /// The grammar of a query, its project looked up among those that the reader may know of.
    async fn understand(&self, scope: &Scope, query: &Query) -> Result<Asked, IndexError> {
        let parsed = grammar::parse(&query.text);
        let analysed = Analysed::of(&parsed);
        let (mut notes, written) = (parsed.notes, parsed.filters);
        let mut filter = Filter {
            acls: scope.ids().iter().map(|a| a.0).collect(),
            kind: written.kind.or(query.kind),
            project: query.project.map(|p| p.0),
        };
        let mut demands = Demands { language: written.language, records: None };
        if written.project.is_some() || written.state.is_some() {
            let (catalog, reader) = (self.catalog.clone(), scope.clone());
            let (name, state) = (written.project.clone(), written.state);
            let found = blocking(move || {
                let project = name.map(|n| project_named(&catalog, &reader, &n)).transpose()?;
                let records = state.map(|s| catalog.records_in_state(&reader, s)).transpose()?;
                Ok((project.flatten(), records))
            });
            let (project, records) = found.await?;
            match (project, written.project) {
                (Some(id), _) => filter.project = Some(id.0),
                (None, Some(text)) => notes.push(Note { about: NoteKind::UnknownProject, text }),
                (None, None) => {}
            }
            if records.is_some() {
                filter.kind = Some(Kind::Rfi);
                demands.records = records;
            }
        }
        Ok(Asked { analysed, filter, demands, notes })
    }

    /// The nearest chunks to a vector within a scope, by their vectors alone; with `exact` each is compared, index or
    /// not. For measuring how much the index finds. Empty without a vector index.
    ///
    /// # Errors
    /// The store cannot be read.
    pub(crate) async fn nearest(
        &self,
        scope: &Scope,
        vector: &[f32],
        limit: usize,
        exact: bool,
    ) -> Result<Vec<ChunkId>, IndexError> {
        let Some(vectors) = &self.vectors else { return Ok(Vec::new()) };
        let filter = Filter { acls: scope.ids().iter().map(|a| a.0).collect(), kind: None, project: None };
        let hits = vectors.search(vector, &filter, limit, exact).await?;
        Ok(hits.into_iter().map(|(id, _)| ChunkId(id)).collect())
    }

    /// The text of a query as its vector is to be made: words that no passage uses are followed by what the passages
    /// call the same thing, since an embedding model knows words better than trade names.
    ///
    /// # Errors
    /// The full-text index cannot be read.
    pub async fn in_other_words(&self, text: &str) -> Result<String, IndexError> {
        let lexical = Arc::clone(&self.lexical);
        // Filters and stars are no words that a model knows.
        let text = grammar::parse(text).text;
        let terms = analyse(&text).terms;
        let names = blocking(move || lexical.called(&terms)).await?;
        Ok(if names.is_empty() { text } else { format!("{text} ({})", names.join(", ")) })
    }

    /// What each side finds for a query, up to `depth` passages, before anything is fused: for measuring and for
    /// choosing weights.
    ///
    /// # Errors
    /// A store cannot be read.
    pub(crate) async fn sides(
        &self,
        scope: &Scope,
        query: &Query,
        depth: usize,
    ) -> Result<Sides, IndexError> {
        let asked = self.understand(scope, query).await?;
        let (lexical, near) = self.candidates(&asked, query.vector.as_deref(), depth).await?;
        Ok(Sides { analysed: asked.analysed, lexical, near })
    }

    async fn candidates(
        &self,
        asked: &Asked,
        vector: Option<&[f32]>,
        depth: usize,
    ) -> Result<(LexicalFound, Vec<(i64, f32)>), IndexError> {
        let lexical = Arc::clone(&self.lexical);
        let filter = &asked.filter;
        let (query, by) = (asked.analysed.clone(), filter.clone());
        let words = blocking(move || lexical.search(&query, &by, depth));
        let near = async {
            match (&self.vectors, vector) {
                // Stars and filters alone have no meaning that a vector could be near to.
                (Some(store), Some(vector)) if !asked.analysed.is_wordless() => {
                    store.search(vector, filter, depth, false).await
                }
                _ => Ok(Vec::new()),
            }
        };
        let (words, near) = tokio::join!(words, near);
        Ok((words?, near?))
    }

    /// The candidates that the catalog confirms and that are as demanded. Their texts are read only where a demand has to
    /// look at them: most candidates are never shown.
    async fn live(&self, scope: &Scope, fused: &[Fused], asked: &Asked) -> Result<Live, IndexError> {
        let ids: Vec<ChunkId> = fused.iter().map(|f| ChunkId(f.id)).collect();
        let (catalog, scope, filter) = (self.catalog.clone(), scope.clone(), asked.filter.clone());
        // A project may have changed since the chunk was indexed: the catalog's word counts.
        let fits = move |kind: Kind, project: ProjectId| {
            filter.kind.is_none_or(|k| k == kind) && filter.project.is_none_or(|p| p == project.0)
        };
        if !asked.demands.any(&asked.analysed) {
            let mut heads = blocking(move || Ok(catalog.live_heads(&scope, &ids)?)).await?;
            heads.retain(|h| fits(h.kind, h.project));
            let languages = heads.iter().filter_map(|h| Some((h.id.0, h.language?))).collect();
            let ids: HashSet<i64> = heads.iter().map(|h| h.id.0).collect();
            return Ok(Live { count: ids.len(), ids, languages, rows: None });
        }
        let mut rows = blocking(move || Ok(catalog.live_chunks(&scope, &ids)?)).await?;
        rows.retain(|r| fits(r.kind, r.project) && asked.demands.allow(&asked.analysed, r));
        let languages = rows.iter().filter_map(|r| Some((r.id.0, r.language?))).collect();
        let ids = rows.iter().map(|r| r.id.0).collect();
        Ok(Live { count: rows.len(), ids, languages, rows: Some(rows) })
    }

    /// The best `count` of the live candidates.
    async fn first(
        &self,
        scope: &Scope,
        fused: &[Fused],
        live: &HashSet<i64>,
        count: usize,
    ) -> Result<Vec<ChunkRow>, IndexError> {
        let best = fused.iter().filter(|f| live.contains(&f.id)).take(count);
        let ids: Vec<ChunkId> = best.map(|f| ChunkId(f.id)).collect();
        let (catalog, scope) = (self.catalog.clone(), scope.clone());
        blocking(move || Ok(catalog.live_chunks(&scope, &ids)?)).await
    }
}

/// A query as it is understood.
#[derive(Debug)]
struct Asked {
    analysed: Analysed,
    filter: Filter,
    demands: Demands,
    notes: Vec<Note>,
}

/// Candidates that are live.
struct Live {
    count: usize,
    ids: HashSet<i64>,
    languages: HashMap<i64, Language>,
    /// Their rows in the order asked for, where they had to be read.
    rows: Option<Vec<ChunkRow>>,
}

/// The one project whose name is this, else the one whose name has it in it.
fn project_named(catalog: &Catalog, scope: &Scope, name: &str) -> Result<Option<ProjectId>, IndexError> {
    let wanted = fold(name);
    let all: Vec<(ProjectId, String)> =
        catalog.projects(scope)?.into_iter().map(|p| (p.id, fold(&p.name))).collect();
    let only = |fits: &dyn Fn(&str) -> bool| {
        let mut fitting = all.iter().filter(|(_, n)| fits(n));
        fitting.next().filter(|_| fitting.next().is_none()).map(|(id, _)| *id)
    };
    Ok(only(&|n| n == wanted).or_else(|| only(&|n| n.contains(&wanted))))
}

fn assemble(
    rows: Vec<ChunkRow>,
    mut fused: Vec<Fused>,
    lexical: LexicalFound,
    asked: Asked,
    (total, limit): (usize, usize),
) -> Found {
    let Asked { analysed, notes, .. } = asked;
    let mut by_id: HashMap<i64, ChunkRow> = rows.into_iter().map(|r| (r.id.0, r)).collect();
    fused.retain(|f| by_id.contains_key(&f.id));
    let places = by_id.values().map(|r| (r.id.0, (r.document, r.ordinal))).collect();
    in_reading_order(&mut fused, &places);
    let scores: HashMap<i64, &Fused> = fused.iter().map(|f| (f.id, f)).collect();
    let ordered = fused.iter().filter_map(|f| by_id.remove(&f.id)).collect();
    let hits = same::fold(ordered, limit)
        .into_iter()
        .filter_map(|(chunk, folded)| {
            let f = scores.get(&chunk.id.0)?;
            let found = snippet::found_in(&chunk.text, chunk.language, &analysed, &lexical.rarity);
            let snippet = snippet::snippet(&chunk.text, &found);
            let (score, lexical, vector) = (f.score(), f.lexical, f.vector);
            Some(Hit { chunk, score, lexical, vector, snippet, folded })
        })
        .collect();
    Found {
        hits,
        total,
        notes,
        analysed,
        rarity: lexical.rarity,
        known: lexical.known,
        identifier_chunks: lexical.identifier_chunks,
    }
}
