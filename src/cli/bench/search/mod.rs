//! `bench search`: how long a search takes in a large corpus, how much memory it holds, and what it finds.

mod corpus;

use std::path::PathBuf;
use std::time::Instant;

use ingest::{Chunk, Document, Kind, Locator, TextUnit};
use serde::Serialize;

use self::corpus::Maker;
use super::stored::index_chunks;
use crate::answer::eval::sets::{Options, Real, real};
use crate::catalog::{Catalog, FileStamp, NewVersion, Project};
use crate::cli::{Failure, Output};
use crate::config::Config;
use crate::engine::{EmbedKind, proc_field};
use crate::index::{Index, Query};
use crate::scope::Scope;

/// Passages of one document.
const PER_DOCUMENT: usize = 200;
/// Documents between two writes.
const PER_FLUSH: usize = 10;
/// Searches before the measured ones.
const WARM: usize = 20;
/// Hits of a search.
const SHOWN: usize = 10;
/// Candidates of the vector side.
const CANDIDATES: usize = 100;
/// Nights, in each of which one document in a hundred is replaced.
const NIGHTS: usize = 5;

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Folder of public question sets, whose passages the corpus is made of and whose questions are asked
    #[arg(long, value_name = "FOLDER")]
    sets: PathBuf,
    /// Embedding model, GGUF
    #[arg(long, value_name = "FILE")]
    model: PathBuf,
    /// File that keeps the vectors of the sets for the next time
    #[arg(long, value_name = "FILE")]
    vectors: Option<PathBuf>,
    /// Passages
    #[arg(long, default_value_t = 20_000)]
    chunks: usize,
    /// Questions that are asked
    #[arg(long, default_value_t = 300)]
    questions: usize,
    /// Folder for the data, which is deleted at the end [default: the system's temporary folder]
    #[arg(long, value_name = "DIR")]
    dir: Option<PathBuf>,
}

/// What was measured.
#[derive(Debug, Default, Serialize)]
pub(super) struct Figures {
    chunks: usize,
    threads: usize,
    /// Mean cosine to the nearest other passage, of real and of made vectors.
    neighbour_cosine_real: f64,
    neighbour_cosine_made: f64,
    build_seconds: f64,
    /// A whole search, embedding of the question included, in milliseconds.
    search_ms_p50: f64,
    search_ms_p95: f64,
    embed_ms_p50: f64,
    /// Anonymous memory after the searches, less what the process had with the model before the index was opened.
    memory_mib: f64,
    /// Of the ten nearest by vector, the share that the index finds; within the reader's scope.
    recall_at_10: f64,
    vector_search: &'static str,
    index_bytes_per_chunk: f64,
    /// Size of the index after some nights of changes, over its size after one build.
    growth: f64,
}

impl Figures {
    pub(super) fn lines(&self) -> Vec<String> {
        vec![
            format!(
                "{} passages, built in {:.0} s, {} threads",
                self.chunks, self.build_seconds, self.threads
            ),
            format!(
                "nearest neighbour: cosine {:.3} among real passages, {:.3} among these",
                self.neighbour_cosine_real, self.neighbour_cosine_made
            ),
            format!(
                "search, scope filtered: p50 {:.1} ms, p95 {:.1} ms, embedding in it p50 {:.1} ms",
                self.search_ms_p50, self.search_ms_p95, self.embed_ms_p50
            ),
            format!("memory without the model: {:.0} MiB", self.memory_mib),
            format!("vectors: {}, recall@10 {:.3}", self.vector_search, self.recall_at_10),
            format!(
                "index: {:.0} bytes a passage; after {NIGHTS} nights of changes {:.2} times one build",
                self.index_bytes_per_chunk, self.growth
            ),
        ]
    }
}

/// Catalog and index, with one project that the reader sees and one that he does not.
struct Place {
    catalog: Catalog,
    index: Index,
    seen: Project,
    hidden: Project,
}

pub(super) async fn run(config: &Config, args: &Args, out: &Output) -> Result<Figures, Failure> {
    let threads = config.engine.thread_count();
    let options = Options {
        folder: args.sets.clone(),
        model: args.model.clone(),
        vectors: args.vectors.clone(),
        sweep: false,
        candidates: None,
    };
    let notes = out.clone();
    let progress = move |what: &str, done: usize, total: usize| {
        notes.progress(&serde_json::json!({ "step": "embed", "set": what, "done": done, "total": total }));
    };
    let real = real(&options, threads, &progress)?;
    let folder = match &args.dir {
        Some(dir) => tempfile::tempdir_in(dir)?,
        None => tempfile::tempdir()?,
    };
    let before = anonymous_kib();
    let catalog = Catalog::open(&folder.path().join("catalog.sqlite"))?;
    let index = Index::open(&folder.path().join("index"), real.embedder.dim(), catalog.clone()).await?;
    let place = Place {
        seen: catalog.ensure_project("Seen")?,
        hidden: catalog.ensure_project("Hidden")?,
        catalog,
        index,
    };
    let mut maker = Maker::new(&real.passages);
    let mut figures = Figures { chunks: args.chunks, threads, ..Figures::default() };
    figures.neighbour_cosine_real = maker.real_neighbours();
    let started = Instant::now();
    let documents = args.chunks.div_ceil(PER_DOCUMENT);
    let mut sample = Vec::new();
    for n in 0..documents {
        let made = place.store(n, &mut maker).await?;
        sample.extend(made.into_iter().filter(|_| sample_wanted(n, documents)));
        if n % PER_FLUSH == PER_FLUSH - 1 || n + 1 == documents {
            place.index.flush().await?;
            out.progress(&serde_json::json!({ "step": "index", "done": n + 1, "total": documents }));
        }
    }
    place.index.compact().await?;
    figures.build_seconds = started.elapsed().as_secs_f64();
    figures.neighbour_cosine_made = corpus::neighbours(&sample.iter().map(Vec::as_slice).collect::<Vec<_>>());
    let health = place.index.health().await?;
    figures.index_bytes_per_chunk = health.bytes as f64 / args.chunks.max(1) as f64;
    figures.vector_search = health.vector_search;
    searches(&place, &real, args.questions, &mut figures).await?;
    figures.memory_mib = (anonymous_kib() - before) / 1024.0;
    for night in 0..NIGHTS {
        place.night(night, documents, &mut maker).await?;
    }
    figures.growth = place.index.health().await?.bytes as f64 / health.bytes.max(1) as f64;
    Ok(figures)
}

/// Neighbours are measured among some 20,000 vectors at most.
fn sample_wanted(document: usize, documents: usize) -> bool {
    let most = 20_000 / PER_DOCUMENT;
    document.is_multiple_of(documents.div_ceil(most).max(1))
}

async fn searches(place: &Place, real: &Real, count: usize, figures: &mut Figures) -> Result<(), Failure> {
    let scope = Scope::of([place.seen.acl]);
    let step = (real.questions.len() / count.max(1)).max(1);
    let (mut whole, mut embedding) = (Vec::new(), Vec::new());
    let (mut found, mut wanted) = (0, 0);
    for (n, question) in real.questions.iter().step_by(step).take(count + WARM).enumerate() {
        let started = Instant::now();
        let text = place.index.in_other_words(question).await?;
        let vector = real.embedder.embed(EmbedKind::Query, &[text.as_str()])?.into_iter().next();
        let embedded = started.elapsed();
        let query =
            Query { text: question.clone(), vector: vector.clone(), limit: SHOWN, ..Query::default() };
        let hits = place.index.search(&scope, &query).await?;
        let took = started.elapsed();
        if hits.hits.iter().any(|h| h.chunk.project != place.seen.id) {
            return Err(Failure::failed("a hit lies outside the reader's scope"));
        }
        if n < WARM {
            continue;
        }
        whole.push(took.as_secs_f64() * 1e3);
        embedding.push(embedded.as_secs_f64() * 1e3);
        let vector = vector.unwrap_or_default();
        let exact = place.index.nearest(&scope, &vector, SHOWN, true).await?;
        let near = place.index.nearest(&scope, &vector, CANDIDATES, false).await?;
        wanted += exact.len();
        found += exact.iter().filter(|id| near.iter().take(SHOWN).any(|n| n == *id)).count();
    }
    whole.sort_by(f64::total_cmp);
    embedding.sort_by(f64::total_cmp);
    figures.search_ms_p50 = percentile(&whole, 0.5);
    figures.search_ms_p95 = percentile(&whole, 0.95);
    figures.embed_ms_p50 = percentile(&embedding, 0.5);
    figures.recall_at_10 = f64::from(found as u32) / f64::from((wanted as u32).max(1));
    Ok(())
}

fn percentile(sorted: &[f64], share: f64) -> f64 {
    let rank = (sorted.len() as f64 * share).ceil() as usize;
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or(0.0)
}

fn anonymous_kib() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    proc_field(&status, "RssAnon:").unwrap_or(0) as f64
}

impl Place {
    /// One document; written by the next flush. Gives its vectors.
    async fn store(&self, n: usize, maker: &mut Maker<'_>) -> Result<Vec<Vec<f32>>, Failure> {
        let project = if n.is_multiple_of(2) { &self.seen } else { &self.hidden };
        let made: Vec<_> = (0..PER_DOCUMENT).map(|_| maker.next()).collect();
        let locator =
            |row: u32| Locator::Text { section: String::new(), line: row + 1, unit: TextUnit::Paragraph };
        let chunks: Vec<Chunk> = (0..)
            .zip(&made)
            .map(|(ordinal, (language, text, _))| Chunk {
                ordinal,
                kind: Kind::Text,
                locator: locator(ordinal),
                section: Vec::new(),
                text: text.clone(),
                language: Some(*language),
            })
            .collect();
        let sha256 = format!("{n:064x}");
        let staged = self.catalog.stage(&NewVersion {
            source: "bench",
            path: &format!("{n:06}.txt"),
            project: project.id,
            acl: project.acl,
            parent: None,
            version: &sha256,
            embedder: None,
            sha256: &sha256,
            stamp: FileStamp::default(),
            document: &Document::new(Kind::Text, format!("Document {n}")),
            changes: None,
            chunks: &chunks,
        })?;
        let vectors: Vec<Vec<f32>> = made.into_iter().map(|m| m.2).collect();
        let entries = index_chunks(&staged, project, &chunks, vectors.iter().cloned());
        self.index.put(entries).await?;
        self.catalog.commit_all(std::slice::from_ref(&staged), &[])?;
        Ok(vectors)
    }

    /// One document in a hundred is replaced by another one.
    async fn night(&self, night: usize, documents: usize, maker: &mut Maker<'_>) -> Result<(), Failure> {
        let scope = self.catalog.all_scope()?;
        for n in (night..documents).step_by(100) {
            let path = format!("{n:06}.txt");
            let Some(old) = self.catalog.document_by_path(&scope, "bench", &path)? else { continue };
            let gone = self.catalog.remove(old.id)?.into_iter().flat_map(|r| r.chunks).collect::<Vec<_>>();
            self.index.delete(&gone).await?;
            self.catalog.purge(&gone)?;
            self.store(n, maker).await?;
        }
        self.index.flush().await?;
        Ok(self.index.compact().await?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn percentiles_by_hand() {
        assert_eq!(percentile(&[1.0, 2.0, 3.0, 4.0], 0.5), 2.0);
        assert_eq!(percentile(&[1.0, 2.0, 3.0, 4.0], 0.95), 4.0);
        assert_eq!(percentile(&[], 0.95), 0.0);
    }
}
