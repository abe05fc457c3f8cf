//! Settings: what an administrator wrote, and what follows from it.
//!
//! Two steps. [`raw`](self) is the file as typed; [`Config`] is checked: paths are absolute, globs and
//! schedules are valid, defaults are filled in. The environment is read here and nowhere else:
//! `DOSSIER_CONFIG`, `DOSSIER_DATA`, `DOSSIER_MODELS`, `DOSSIER_LOG`, `HOME`.
//!
//! [`KEYS`] says of every key which unit, default and effect it has; the example file is printed from
//! it, and a test holds it against the types.

mod check;
mod effective;
mod error;
mod keys;
mod load;
mod raw;

#[cfg(test)]
mod tests;

use std::{net::SocketAddr, path::PathBuf};

use serde::Serialize;

pub use error::ConfigError;
pub use keys::{KEYS, Key};
pub use load::{Environment, Overrides};

/// Checked settings of one data folder.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Config {
    /// The configuration file; it need not exist.
    pub file: PathBuf,
    /// The data folder.
    pub data: PathBuf,
    /// Where model files lie.
    pub models_dir: PathBuf,
    /// What is logged, as `tracing` directives.
    pub log: String,
    /// The web server.
    pub server: ServerConfig,
    /// Folders that are indexed.
    pub sources: Vec<SourceConfig>,
    /// The nightly run.
    pub ingest: IngestConfig,
    /// Models and the device.
    pub engine: EngineConfig,
    /// How answers are written.
    pub answers: AnswersConfig,
    /// How long the audit log keeps what.
    pub retention: RetentionConfig,
    /// What the compliance report says about the firm.
    pub report: ReportConfig,
}

impl Config {
    /// What is logged where nobody says otherwise: our own progress, and only warnings of the libraries.
    pub const DEFAULT_LOG: &str = "warn,dossier=info";
}

/// The web server.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct ServerConfig {
    /// Address and port.
    pub bind: SocketAddr,
    /// ISO 639-1 code of the language for readers whose browser asks for none of ours.
    pub language: String,
    /// Hours after which a session ends in any case.
    pub session_hours: u32,
    /// Minutes without a request after which a session ends.
    pub session_idle_minutes: u32,
    /// MiB that drawn pages may take in the cache.
    pub page_cache_mb: u64,
}

/// A folder that is indexed.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct SourceConfig {
    /// Name, unique; part of every document's identity.
    pub name: String,
    /// The folder, absolute.
    pub path: PathBuf,
    /// Globs of the files to read, relative to the folder; empty means every file.
    pub include: Vec<String>,
    /// Globs of files and folders to leave out.
    pub exclude: Vec<String>,
    /// Project that the documents belong to.
    pub project: String,
    /// Name of the access list they stand under; `None` means the project's own.
    pub acl: Option<String>,
    /// Languages in which images of pages are read, as `deu+fra`; empty where they are not.
    pub ocr_languages: String,
    /// How its registers of requests are read; `None` where columns are recognised by themselves.
    pub rfi_columns: Option<RfiColumns>,
    /// Other rights for some of its files; the first rule that names a file holds.
    #[serde(rename = "rule")]
    pub rules: Vec<PathRule>,
}

/// What a mapping file says, word for word: whoever reads registers checks the names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RfiColumns {
    /// The file, absolute.
    pub path: PathBuf,
    /// Headers and the fields that they fill.
    pub columns: Vec<(String, String)>,
    /// Statuses and the states that they mean.
    pub states: Vec<(String, String)>,
    /// `day-first` or `month-first`.
    pub date_order: Option<String>,
}

/// Files of a source that belong elsewhere than the rest of it.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PathRule {
    /// Globs of the files, relative to the source's folder.
    pub paths: Vec<String>,
    /// Project that they belong to.
    pub project: String,
    /// Name of the access list they stand under; `None` means the project's own.
    pub acl: Option<String>,
}

/// The nightly run.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct IngestConfig {
    /// When `serve` starts a run, as cron, in local time; `None` means never by itself.
    pub schedule: Option<String>,
    /// Days after which every file is hashed again, whatever its times say.
    pub full_hash_days: u32,
    /// Largest file that is read, in MiB.
    pub max_file_mb: u64,
    /// Memory of the worker process, in MiB.
    pub worker_memory_mb: u64,
    /// Seconds that the worker may take for one file.
    pub worker_seconds: u64,
    /// Program to start as worker; `None` means this one.
    pub worker_program: Option<PathBuf>,
    /// Languages in which images of pages are read, as `deu+fra`; empty where they are not.
    pub ocr_languages: String,
    /// Seconds that reading one image may take.
    pub ocr_seconds: u64,
    /// The program that reads images: Tesseract.
    pub ocr_program: PathBuf,
    /// Files that are read at the same time; 0 means one per core.
    pub workers: usize,
    /// Runs that try a file whose reader died or took too long, before it is set aside.
    pub attempts: u32,
    /// MiB that must stay free where the data folder lies; with less, a run stops.
    pub min_free_mb: u64,
    /// Whether `serve` runs again as soon as something changes.
    pub watch: bool,
    /// Seconds between two looks at a watched source.
    pub watch_seconds: u32,
    /// Bounds within which one file is read.
    pub limits: LimitsConfig,
}

impl IngestConfig {
    /// Files that are read at the same time: the configured number, else one per core.
    pub fn worker_count(&self) -> usize {
        match self.workers {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// Bounds within which one file is read; what lies beyond is cut off with a warning.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct LimitsConfig {
    /// Pages of a PDF.
    pub max_pages: u32,
    /// Pages of a PDF that are images and are read.
    pub max_ocr_pages: u32,
    /// Pixels of one picture.
    pub max_image_pixels: u64,
    /// MiB that one compressed stream or archive member may expand to.
    pub max_expanded_mb: u64,
    /// Members of an archive.
    pub max_members: u32,
    /// Rows of a workbook or CSV file.
    pub max_rows: u32,
    /// Elements of a model.
    pub max_elements: u32,
    /// Characters of text of one document.
    pub max_text_chars: u64,
}

/// Models and the device.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct EngineConfig {
    /// Threads; 0 means one per core.
    pub threads: usize,
    /// SHA-256, name or path of the registered model that writes answers; `None` means the register's newest.
    pub answer_model: Option<String>,
    /// SHA-256, name or path of the registered model that makes vectors; `None` means the register's newest.
    pub embed_model: Option<String>,
    /// SHA-256, name or path of the registered model that judges hits; `None` means the register's newest, `none` no
    /// model.
    pub rerank_model: Option<String>,
    /// Tokens that prompt and answer may take together.
    pub context_tokens: usize,
    /// Answers that are written at the same time; more wait.
    pub parallel_answers: usize,
    /// Tokens that all answers being written may take together; 0 means twice the context.
    pub kv_tokens: usize,
    /// How keys and values are stored.
    pub kv_kind: KvStorage,
    /// MiB for keys and values of earlier prompts.
    pub prefix_cache_mb: usize,
    /// Guess next tokens from what was read and written before.
    pub drafts: bool,
    /// Refuse to start where no GPU computes.
    pub require_gpu: bool,
}

/// How a model's keys and values are stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub enum KvStorage {
    /// Half precision.
    #[serde(rename = "f16")]
    F16,
    /// Bytes with a scale for each 32.
    #[serde(rename = "q8_0")]
    Q8_0,
}

impl EngineConfig {
    /// Threads that compute: the configured number, else one per core.
    pub fn thread_count(&self) -> usize {
        match self.threads {
            0 => std::thread::available_parallelism().map_or(1, usize::from),
            n => n,
        }
    }
}

/// How long the audit log keeps what.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct RetentionConfig {
    /// Days after which texts of persons cannot be read any more.
    pub content_days: u32,
    /// Days after which events are removed.
    pub trail_days: u32,
    /// Days after which requests and incidents are removed.
    pub case_days: u32,
    /// Article 4 of the Data Protection Ordinance applies: events are kept a year at least.
    pub article_4: bool,
    /// The use is of high risk by the AI Act: events are kept six months at least.
    pub high_risk: bool,
}

/// How answers are written.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct AnswersConfig {
    /// Let the model write nothing but sentences that end in the number of a passage.
    pub force_citations: bool,
    /// Leave out what no passage bears out, instead of marking it in its place.
    pub strict: bool,
    /// Answers questions only of those who have acknowledged the instruction on using the AI.
    pub require_instruction: bool,
}

impl Default for AnswersConfig {
    fn default() -> Self {
        AnswersConfig { force_citations: false, strict: true, require_instruction: false }
    }
}

/// What the compliance report says about the firm. Empty values are printed as open points.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct ReportConfig {
    /// Name of the firm.
    pub firm: String,
    /// Who is responsible for the processing.
    pub controller: String,
    /// How to reach whoever answers questions about data protection.
    pub contact: String,
    /// What the system is used for.
    pub purpose: String,
    /// Why it is not high-risk under the AI Act, Annex III.
    pub classification: String,
    /// Uses that are forbidden.
    pub excluded_uses: String,
    /// Who reviewed purpose and classification.
    pub reviewer: String,
    /// When, ISO 8601.
    pub reviewed_on: String,
    /// Categories of personal data in the documents.
    pub data_categories: String,
    /// Whose data they are.
    pub persons: String,
    /// Where the appliance stands.
    pub storage_place: String,
    /// Who receives data.
    pub recipients: String,
    /// Countries that data goes to.
    pub abroad: String,
    /// How long what is kept.
    pub retention: String,
    /// Date of the data protection impact assessment, ISO 8601.
    pub dpia_date: String,
    /// IANA name of the time zone of days on the sheet and in `--from` and `--to`; empty means the machine's.
    pub time_zone: String,
}

impl ReportConfig {
    /// The time zone in which days begin and end.
    pub fn zone(&self) -> jiff::tz::TimeZone {
        jiff::tz::TimeZone::get(&self.time_zone).unwrap_or_else(|_| jiff::tz::TimeZone::system())
    }
}
