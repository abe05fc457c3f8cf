//! What goes into a question and what comes out: the shapes of the command line and the pages.

use ingest::{Kind, Language, Locator};
use serde::{Deserialize, Serialize};

use crate::catalog::{ChunkId, DocumentId, ProjectId};
use crate::index::{Folded, Note, Snippet};

/// A question of a reader.
#[derive(Debug, Clone, Default)]
pub struct Question {
    /// As typed.
    pub text: String,
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Language of the reader's page, for questions whose own language cannot be told.
    pub language: Option<Language>,
    /// The question before it in the conversation, as it was read: a follow-up (`And on the first floor?`) is made into
    /// a question that stands alone.
    pub before: Option<String>,
}

/// How an answer came about.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Mode {
    /// Written by the language model, every sentence checked against its passages.
    Model,
    /// Sentences of the sources, word for word.
    Extractive,
    /// Counted or listed from the catalog.
    Query,
}

/// A passage that the server numbered for an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Passage {
    /// Its number in the answer, from 1.
    pub n: u32,
    /// The chunk.
    pub chunk: ChunkId,
    /// The document.
    pub document: DocumentId,
    /// Title of the document.
    pub title: String,
    /// Name of the project.
    pub project: String,
    /// Sort of source.
    pub kind: Kind,
    /// Path of the document, relative to its source.
    pub path: String,
    /// What a citation opens.
    pub locator: Locator,
    /// Headings above the passage, outermost first.
    pub section: Vec<String>,
    /// The whole passage, with what belongs to it from the chunks beside it.
    pub text: String,
    /// Where each stretch of the text stands, in its order; empty where all of it is the chunk's own.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub parts: Vec<Part>,
    /// Its part that fits the question, with the words marked.
    pub snippet: Snippet,
}

/// A stretch of a passage's text.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// First byte behind it.
    pub end: usize,
    /// The chunk that it comes from.
    pub chunk: ChunkId,
    /// What a citation of it opens.
    pub locator: Locator,
}

/// A citation of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Citation {
    /// Number of the passage; `[n]` in the answer's text.
    pub n: u32,
    /// The document.
    pub document: DocumentId,
    /// Title of the document.
    pub title: String,
    /// Sort of source.
    pub kind: Kind,
    /// Path of the document, relative to its source.
    pub path: String,
    /// The chunk in which the quoted sentence begins.
    pub chunk: ChunkId,
    /// The place that it opens: where the quoted sentence begins.
    pub locator: Locator,
    /// Where the quoted sentence ends, if that is another page.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<Locator>,
    /// The sentence of the passage that carries the statement, word for word.
    pub quote: String,
    /// True where every number, unit and identifier of the citing sentences stands in the passage
    /// and enough of their words do.
    pub verified: bool,
}

/// A row of a counted or listed answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Row {
    /// The document that it opens; none for a row that sums up others.
    pub document: Option<DocumentId>,
    /// The place in it; none for the document as a whole.
    pub locator: Option<Locator>,
    /// Its cells, one for each column.
    pub cells: Vec<String>,
}

/// What the catalog counted, listed or compared.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// The answer in a sentence or two.
    pub text: String,
    /// How the question was understood, part by part.
    pub understood: Vec<String>,
    /// Heads of the columns.
    pub columns: Vec<String>,
    /// The rows, or the first of them.
    pub rows: Vec<Row>,
    /// How many were counted.
    pub total: u64,
}

/// An answer, complete.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// Identifier of the question in the audit log.
    pub id: String,
    /// The question as it was read, where it was a follow-up.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub standing: Option<String>,
    /// The text, with `[n]` behind each statement.
    pub answer: String,
    /// Language code of the text's frame (`de`, `fr`, `it`, `en`); quoted sentences keep their own.
    pub language: Language,
    /// True where nothing relevant was found, or the question needs counting, and a fixed text stands.
    pub abstained: bool,
    /// How it came about.
    pub mode: Mode,
    /// The citations, in the order in which the text first uses them.
    pub citations: Vec<Citation>,
    /// Sentences of the model that were withheld because no passage bears them out.
    pub unverified: Vec<String>,
    /// How a counted or listed answer understood the question, part by part; empty elsewhere.
    #[serde(default)]
    pub understood: Vec<String>,
    /// Heads of the columns of its rows.
    #[serde(default)]
    pub columns: Vec<String>,
    /// Its rows, the first of them where there are very many.
    pub rows: Vec<Row>,
    /// How many were counted.
    #[serde(default)]
    pub total: Option<u64>,
    /// All passages that were looked at, by number; also where the answer abstains (nearest hits).
    pub passages: Vec<Passage>,
    /// Name of the language model, where it wrote the text.
    pub model: Option<String>,
    /// SHA-256 of its file.
    pub model_sha256: Option<String>,
    /// The device that computed.
    pub device: String,
    /// Time to the first visible text, in milliseconds.
    pub first_token_ms: Option<u64>,
    /// Time to the end, in milliseconds.
    pub elapsed_ms: u64,
}

/// What a reader gets while an answer is made.
#[derive(Debug, Clone)]
pub enum AnswerEvent {
    /// The numbered passages.
    Passages(Vec<Passage>),
    /// A further piece of text: whole checked sentences.
    Text(String),
    /// The end; the answer is in the log.
    Done(Box<Answer>),
}

/// A search of a reader.
#[derive(Debug, Clone, Default)]
pub struct SearchRequest {
    /// As typed.
    pub text: String,
    /// Only this sort of source.
    pub kind: Option<Kind>,
    /// Only this project.
    pub project: Option<ProjectId>,
    /// How many hits.
    pub limit: usize,
    /// How many hits to pass over.
    pub offset: usize,
    /// Language of the reader's page, for queries whose own language cannot be told.
    pub language: Option<Language>,
}

/// How much each side found in a hit.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
pub struct Parts {
    /// BM25 score, where found by words.
    pub lexical: Option<f32>,
    /// Cosine similarity, where found by vector.
    pub vector: Option<f32>,
}

/// A hit as it is shown.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchHit {
    /// The document.
    pub document: DocumentId,
    /// The chunk.
    pub chunk: ChunkId,
    /// Name of the project.
    pub project: String,
    /// Sort of source.
    pub kind: Kind,
    /// Title of the document.
    pub title: String,
    /// Source of the document.
    pub source: String,
    /// Path of the document, relative to its source.
    pub path: String,
    /// What the hit opens.
    pub locator: Locator,
    /// Headings above the passage, outermost first.
    pub section: Vec<String>,
    /// The fitting part of the passage with marks.
    pub snippet: Snippet,
    /// Fused score: only the order means something.
    pub score: f32,
    /// Its parts.
    pub parts: Parts,
    /// Hits that say the same, or that are of a replaced revision.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub folded: Vec<Folded>,
}

/// A page of hits.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct SearchResult {
    /// The hits, best first.
    pub hits: Vec<SearchHit>,
    /// How many passages match in the reader's scope.
    pub total: usize,
    /// What of the query was not done as it was written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<Note>,
    /// What the catalog says, where the query counts, lists or compares; on the first page only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub table: Option<Table>,
    /// Time inside the server, in milliseconds, the audit log included.
    pub elapsed_ms: u64,
}
