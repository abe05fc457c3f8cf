//! The file as typed. Names and types only; [`super::keys`] documents them, [`super::check`] judges.

use std::{collections::BTreeMap, path::PathBuf};

use serde::Deserialize;

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct Raw {
    pub(super) models_dir: Option<PathBuf>,
    pub(super) log: Option<String>,
    pub(super) server: RawServer,
    pub(super) ingest: RawIngest,
    pub(super) engine: RawEngine,
    pub(super) answers: RawAnswers,
    pub(super) retention: RawRetention,
    pub(super) report: RawReport,
    pub(super) source: Vec<RawSource>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawServer {
    pub(super) bind: Option<String>,
    pub(super) language: Option<String>,
    pub(super) session_hours: Option<u32>,
    pub(super) session_idle_minutes: Option<u32>,
    pub(super) page_cache_mb: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawIngest {
    pub(super) schedule: Option<String>,
    pub(super) full_hash_days: Option<u32>,
    pub(super) max_file_mb: Option<u64>,
    pub(super) worker_memory_mb: Option<u64>,
    pub(super) worker_seconds: Option<u64>,
    pub(super) worker_program: Option<PathBuf>,
    pub(super) ocr_languages: Option<String>,
    pub(super) ocr_seconds: Option<u64>,
    pub(super) ocr_program: Option<PathBuf>,
    pub(super) workers: Option<usize>,
    pub(super) attempts: Option<u32>,
    pub(super) min_free_mb: Option<u64>,
    pub(super) watch: Option<bool>,
    pub(super) watch_seconds: Option<u32>,
    pub(super) limits: RawLimits,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawLimits {
    pub(super) max_pages: Option<u32>,
    pub(super) max_ocr_pages: Option<u32>,
    pub(super) max_image_pixels: Option<u64>,
    pub(super) max_expanded_mb: Option<u64>,
    pub(super) max_members: Option<u32>,
    pub(super) max_rows: Option<u32>,
    pub(super) max_elements: Option<u32>,
    pub(super) max_text_chars: Option<u64>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawEngine {
    pub(super) threads: Option<usize>,
    pub(super) answer_model: Option<String>,
    pub(super) embed_model: Option<String>,
    pub(super) rerank_model: Option<String>,
    pub(super) context_tokens: Option<usize>,
    pub(super) parallel_answers: Option<usize>,
    pub(super) kv_tokens: Option<usize>,
    pub(super) kv_kind: Option<String>,
    pub(super) prefix_cache_mb: Option<usize>,
    pub(super) drafts: Option<bool>,
    pub(super) require_gpu: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawAnswers {
    pub(super) force_citations: bool,
    pub(super) strict: Option<bool>,
    pub(super) require_instruction: Option<bool>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRetention {
    pub(super) content_days: Option<u32>,
    pub(super) trail_days: Option<u32>,
    pub(super) case_days: Option<u32>,
    pub(super) article_4: bool,
    pub(super) high_risk: bool,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawReport {
    pub(super) firm: String,
    pub(super) controller: String,
    pub(super) contact: String,
    pub(super) purpose: String,
    pub(super) classification: String,
    pub(super) excluded_uses: String,
    pub(super) reviewer: String,
    pub(super) reviewed_on: String,
    pub(super) data_categories: String,
    pub(super) persons: String,
    pub(super) storage_place: String,
    pub(super) recipients: String,
    pub(super) abroad: String,
    pub(super) retention: String,
    pub(super) dpia_date: String,
    pub(super) time_zone: String,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawSource {
    pub(super) name: String,
    pub(super) path: PathBuf,
    pub(super) include: Vec<String>,
    pub(super) exclude: Vec<String>,
    pub(super) project: Option<String>,
    pub(super) acl: Option<String>,
    pub(super) ocr_languages: Option<String>,
    pub(super) rfi_columns: Option<PathBuf>,
    pub(super) rule: Vec<RawRule>,
}

/// The file that `source.rfi_columns` names.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRfiColumns {
    pub(super) columns: BTreeMap<String, String>,
    pub(super) states: BTreeMap<String, String>,
    pub(super) date_order: Option<String>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub(super) struct RawRule {
    pub(super) paths: Vec<String>,
    pub(super) project: Option<String>,
    pub(super) acl: Option<String>,
}
