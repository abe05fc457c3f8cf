//! Sets into an index of their own, and every question through both sides of the search.

use std::collections::{HashMap, HashSet};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

use ingest::{Chunk, Document, Kind, Language, Locator, TextUnit};
use sha2::{Digest, Sha256};

use super::corpus::{Asked, Paragraph, Set};
use super::plain::Plain;
use crate::answer::AnswerError;
use crate::catalog::{Catalog, FileStamp, NewVersion};
use crate::engine::{EmbedKind, Embedder};
use crate::index::{Index, IndexChunk, Query, Sides};
use crate::scope::Scope;

/// Candidates of each side.
pub(super) const DEPTH: usize = 100;
/// Texts embedded between two reports of progress.
const BATCH: usize = 16;

/// Vectors of texts, kept in a file where one is named, so that a second run need not compute them.
pub(super) struct Vectors<'a> {
    embedder: &'a Embedder,
    file: Option<PathBuf>,
    known: HashMap<[u8; 32], Vec<f32>>,
}

impl<'a> Vectors<'a> {
    /// Takes up what the file holds; it belongs to one model, whoever names it.
    pub(super) fn open(embedder: &'a Embedder, file: Option<&Path>) -> std::io::Result<Self> {
        let mut known = HashMap::new();
        let mut bytes = Vec::new();
        if let Some(path) = file.filter(|p| p.exists()) {
            std::fs::File::open(path)?.read_to_end(&mut bytes)?;
        }
        let record = 32 + 4 * embedder.dim();
        for row in bytes.chunks_exact(record) {
            let (key, numbers) = row.split_at(32);
            let numbers = numbers.chunks_exact(4).filter_map(|b| b.try_into().ok().map(f32::from_le_bytes));
            if let Ok(key) = key.try_into() {
                known.insert(key, numbers.collect());
            }
        }
        Ok(Vectors { embedder, file: file.map(Path::to_owned), known })
    }

    /// Numbers per vector.
    pub(super) fn dim(&self) -> usize {
        self.embedder.dim()
    }

    /// The vectors of some texts, in their order.
    pub(super) fn of(
        &mut self,
        kind: EmbedKind,
        texts: &[&str],
        progress: &dyn Fn(usize, usize),
    ) -> Result<Vec<Vec<f32>>, AnswerError> {
        let key = |text: &str| -> [u8; 32] { Sha256::digest(format!("{kind:?}\n{text}").as_bytes()).into() };
        let mut seen = HashSet::new();
        let mut missing: Vec<&str> =
            texts.iter().copied().filter(|t| !self.known.contains_key(&key(t))).collect();
        missing.retain(|t| seen.insert(*t));
        // Texts of one length are computed together.
        missing.sort_by_key(|t| t.len());
        for (done, batch) in missing.chunks(BATCH).enumerate() {
            let made = self.embedder.embed(kind, batch)?;
            let mut rows = Vec::new();
            for (text, vector) in batch.iter().zip(made) {
                rows.extend(key(text));
                rows.extend(vector.iter().flat_map(|x| x.to_le_bytes()));
                self.known.insert(key(text), vector);
            }
            if let Some(path) = &self.file {
                let file = std::fs::OpenOptions::new().create(true).append(true).open(path);
                file.and_then(|mut f| f.write_all(&rows)).map_err(AnswerError::from)?;
            }
            progress((done + 1) * BATCH, missing.len());
        }
        Ok(texts.iter().map(|t| self.known.get(&key(t)).cloned().unwrap_or_default()).collect())
    }
}

/// A question with what both sides found.
pub(super) struct Outcome {
    pub asked: Asked,
    pub sides: Sides,
    /// What a plain program finds by words: documents, best first.
    pub plain: Vec<String>,
}

/// What a set's index found.
pub(super) struct SetOutcome {
    pub name: String,
    /// The document of each passage.
    pub documents: HashMap<i64, String>,
    /// The language of each passage.
    pub languages: HashMap<i64, Language>,
    pub questions: Vec<Outcome>,
}

/// Builds an index of the set's paragraphs and asks all its questions.
pub(super) async fn run(
    set: Set,
    vectors: &mut Vectors<'_>,
    progress: &dyn Fn(&str, usize, usize),
) -> Result<SetOutcome, AnswerError> {
    let folder = tempfile::tempdir()?;
    let catalog = Catalog::memory()?;
    let index = Index::open(folder.path(), vectors.embedder.dim(), catalog.clone()).await?;
    let texts: Vec<&str> = set.paragraphs.iter().map(|p| p.text.as_str()).collect();
    let name = set.name.clone();
    let passages = vectors.of(EmbedKind::Passage, &texts, &|n, all| progress(&name, n, all))?;
    let plain = Plain::of(&set.paragraphs);
    let ids = store(&catalog, &index, &set.paragraphs, passages).await?;
    let rows = || ids.iter().copied().zip(&set.paragraphs);
    let documents = rows().map(|(id, p)| (id, p.document.clone())).collect();
    let languages = rows().map(|(id, p)| (id, p.language)).collect();
    let asked: Vec<&str> = set.questions.iter().map(|q| q.text.as_str()).collect();
    let asked = vectors.of(EmbedKind::Query, &asked, &|n, all| progress(&name, n, all))?;
    let scope = catalog.all_scope()?;
    let mut questions = Vec::with_capacity(set.questions.len());
    for (question, vector) in set.questions.into_iter().zip(asked) {
        let plain = plain.search(&question.text, question.language, DEPTH);
        questions.push(ask(&index, &scope, question, vector, plain).await?);
    }
    Ok(SetOutcome { name: set.name, documents, languages, questions })
}

async fn ask(
    index: &Index,
    scope: &Scope,
    asked: Asked,
    vector: Vec<f32>,
    plain: Vec<String>,
) -> Result<Outcome, AnswerError> {
    let query = Query { text: asked.text.clone(), vector: Some(vector), limit: DEPTH, ..Query::default() };
    let sides = index.sides(scope, &query, DEPTH).await?;
    Ok(Outcome { asked, sides, plain })
}

/// Puts each paragraph into the index; gives their chunks.
pub(super) async fn store(
    catalog: &Catalog,
    index: &Index,
    paragraphs: &[Paragraph],
    vectors: Vec<Vec<f32>>,
) -> Result<Vec<i64>, AnswerError> {
    let project = catalog.ensure_project("Evaluation")?;
    let mut ids = Vec::with_capacity(paragraphs.len());
    for (n, (paragraph, vector)) in paragraphs.iter().zip(vectors).enumerate() {
        let document = Document::new(Kind::Text, String::new());
        let sha256 = format!("{n:064x}");
        let chunk = Chunk {
            ordinal: 0,
            kind: Kind::Text,
            locator: Locator::Text { section: String::new(), line: 1, unit: TextUnit::Paragraph },
            section: Vec::new(),
            text: paragraph.text.clone(),
            language: Some(paragraph.language),
        };
        let staged = catalog.stage(&NewVersion {
            source: "evaluation",
            path: &format!("{n}.txt"),
            project: project.id,
            acl: project.acl,
            parent: None,
            version: &sha256,
            embedder: None,
            sha256: &sha256,
            stamp: FileStamp::default(),
            document: &document,
            changes: None,
            chunks: std::slice::from_ref(&chunk),
        })?;
        let Some(id) = staged.chunks.first().copied() else { continue };
        ids.push(id.0);
        let rights = (project.id, project.acl);
        let entry = IndexChunk::of(id, staged.document, rights, "", &chunk, vector);
        index.put(vec![entry]).await?;
        catalog.commit_all(std::slice::from_ref(&staged), &[])?;
    }
    index.flush().await?;
    index.compact().await?;
    Ok(ids)
}
