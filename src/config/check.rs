//! From what was typed to what can be used.

use std::{
    fs,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    str::FromStr,
};

use super::{
    AnswersConfig, Config, ConfigError, EngineConfig, Environment, IngestConfig, KvStorage, LimitsConfig,
    PathRule, ReportConfig, RetentionConfig, RfiColumns, ServerConfig, SourceConfig,
    raw::{
        Raw, RawEngine, RawIngest, RawLimits, RawReport, RawRetention, RawRfiColumns, RawRule, RawServer,
        RawSource,
    },
};

const LANGUAGES: [&str; 4] = ["de", "fr", "it", "en"];

pub(super) fn check(
    raw: Raw,
    file: PathBuf,
    data: PathBuf,
    environment: &Environment,
) -> Result<Config, ConfigError> {
    let checker = Checker { file: &file, home: environment.home.as_deref() };
    let models_dir = match (&environment.models, raw.models_dir) {
        (Some(models), _) => models.clone(),
        (None, Some(models)) => checker.path(&models),
        (None, None) => environment
            .home
            .as_ref()
            .map_or_else(|| data.join("models"), |home| home.join(".cache/dossier/models")),
    };
    let ingest = checker.ingest(raw.ingest)?;
    Ok(Config {
        models_dir,
        log: environment.log.clone().or(raw.log).unwrap_or_else(|| Config::DEFAULT_LOG.to_owned()),
        server: checker.server(raw.server)?,
        sources: checker.sources(raw.source, &ingest.ocr_languages)?,
        ingest,
        engine: checker.engine(raw.engine)?,
        answers: AnswersConfig {
            force_citations: raw.answers.force_citations,
            strict: raw.answers.strict.unwrap_or(true),
            require_instruction: raw.answers.require_instruction.unwrap_or(false),
        },
        retention: checker.retention(&raw.retention)?,
        report: checker.report(raw.report)?,
        file: file.clone(),
        data,
    })
}

struct Checker<'a> {
    file: &'a Path,
    home: Option<&'a Path>,
}

impl Checker<'_> {
    fn wrong(&self, key: impl Into<String>, problem: impl Into<String>) -> ConfigError {
        ConfigError::Value { path: self.file.to_owned(), key: key.into(), problem: problem.into() }
    }

    /// A number in a range, or its default.
    fn within<N: PartialOrd + Copy + std::fmt::Display>(
        &self,
        key: &str,
        value: Option<N>,
        default: N,
        range: RangeInclusive<N>,
    ) -> Result<N, ConfigError> {
        let value = value.unwrap_or(default);
        if range.contains(&value) {
            return Ok(value);
        }
        Err(self.wrong(key, format!("is {value}; allowed are {} to {}", range.start(), range.end())))
    }

    /// `~/` is the home folder; a relative path counts from the configuration file.
    fn path(&self, path: &Path) -> PathBuf {
        let full = match (path.strip_prefix("~"), self.home) {
            (Ok(rest), Some(home)) => home.join(rest),
            _ => self.file.parent().unwrap_or(Path::new("")).join(path),
        };
        std::path::absolute(&full).unwrap_or(full)
    }

    fn server(&self, raw: RawServer) -> Result<ServerConfig, ConfigError> {
        let bind = raw.bind.as_deref().unwrap_or("127.0.0.1:7420");
        let language = raw.language.unwrap_or_else(|| "de".to_owned());
        if !LANGUAGES.contains(&language.as_str()) {
            return Err(self.wrong("server.language", format!("is `{language}`; allowed are de, fr, it, en")));
        }
        Ok(ServerConfig {
            bind: bind.parse().map_err(|_| {
                self.wrong(
                    "server.bind",
                    format!("is `{bind}`; write address and port, as in 127.0.0.1:7420"),
                )
            })?,
            language,
            page_cache_mb: self.within("server.page_cache_mb", raw.page_cache_mb, 2048, 0..=1_048_576)?,
            session_hours: self.within("server.session_hours", raw.session_hours, 12, 1..=720)?,
            session_idle_minutes: self.within(
                "server.session_idle_minutes",
                raw.session_idle_minutes,
                120,
                5..=10_080,
            )?,
        })
    }

    fn ingest(&self, raw: RawIngest) -> Result<IngestConfig, ConfigError> {
        let schedule = raw.schedule.unwrap_or_else(|| "30 1 * * *".to_owned());
        if !schedule.trim().is_empty() {
            croner::Cron::from_str(&schedule).map_err(|e| {
                self.wrong(
                    "ingest.schedule",
                    format!("is `{schedule}`: {e}; write minute hour day month weekday"),
                )
            })?;
        }
        Ok(IngestConfig {
            schedule: Some(schedule).filter(|schedule| !schedule.trim().is_empty()),
            full_hash_days: self.within("ingest.full_hash_days", raw.full_hash_days, 7, 0..=365)?,
            max_file_mb: self.within("ingest.max_file_mb", raw.max_file_mb, 1024, 1..=1 << 20)?,
            worker_memory_mb: self.within(
                "ingest.worker_memory_mb",
                raw.worker_memory_mb,
                1536,
                128..=1 << 20,
            )?,
            worker_seconds: self.within("ingest.worker_seconds", raw.worker_seconds, 60, 1..=3600)?,
            worker_program: raw.worker_program.map(|program| self.path(&program)),
            ocr_languages: self.languages("ingest.ocr_languages", raw.ocr_languages, "deu+fra+ita+eng")?,
            ocr_seconds: self.within("ingest.ocr_seconds", raw.ocr_seconds, 60, 1..=600)?,
            ocr_program: self.path(&raw.ocr_program.unwrap_or_else(|| PathBuf::from("/usr/bin/tesseract"))),
            workers: self.within("ingest.workers", raw.workers, 0, 0..=256)?,
            attempts: self.within("ingest.attempts", raw.attempts, 3, 1..=100)?,
            watch: raw.watch.unwrap_or(false),
            watch_seconds: self.within("ingest.watch_seconds", raw.watch_seconds, 30, 1..=86_400)?,
            min_free_mb: self.within("ingest.min_free_mb", raw.min_free_mb, 2048, 0..=1 << 30)?,
            limits: self.limits(raw.limits)?,
        })
    }

    /// Languages by Tesseract's names, as `deu+fra`.
    fn languages(&self, key: &str, value: Option<String>, default: &str) -> Result<String, ConfigError> {
        let value = value.unwrap_or_else(|| default.to_owned());
        let named = |l: &str| !l.is_empty() && l.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
        if value.is_empty() || value.split('+').all(named) {
            return Ok(value);
        }
        Err(self.wrong(key, format!("is `{value}`; write Tesseract's names joined with `+`, as deu+fra")))
    }

    fn limits(&self, raw: RawLimits) -> Result<LimitsConfig, ConfigError> {
        let key = |name| format!("ingest.limits.{name}");
        Ok(LimitsConfig {
            max_pages: self.within(&key("max_pages"), raw.max_pages, 20_000, 1..=u32::MAX)?,
            max_ocr_pages: self.within(&key("max_ocr_pages"), raw.max_ocr_pages, 2_000, 0..=u32::MAX)?,
            max_image_pixels: self.within(
                &key("max_image_pixels"),
                raw.max_image_pixels,
                300_000_000,
                1..=i64::MAX as u64,
            )?,
            max_expanded_mb: self.within(&key("max_expanded_mb"), raw.max_expanded_mb, 1024, 1..=1 << 20)?,
            max_members: self.within(&key("max_members"), raw.max_members, 10_000, 1..=u32::MAX)?,
            max_rows: self.within(&key("max_rows"), raw.max_rows, 1_000_000, 1..=u32::MAX)?,
            max_elements: self.within(&key("max_elements"), raw.max_elements, 5_000_000, 1..=u32::MAX)?,
            max_text_chars: self.within(
                &key("max_text_chars"),
                raw.max_text_chars,
                200_000_000,
                1..=i64::MAX as u64,
            )?,
        })
    }

    fn engine(&self, raw: RawEngine) -> Result<EngineConfig, ConfigError> {
        let named = |model: Option<String>| {
            model.filter(|m| !m.is_empty()).map(|model| {
                // A name or a hash is what the register shows; whatever has a folder or an ending is a path.
                let is_path = model.contains('/') || model.starts_with('~') || model.ends_with(".gguf");
                let is_hash = model.len() == 64 && model.bytes().all(|b| b.is_ascii_hexdigit());
                match (is_path, is_hash) {
                    (true, _) => self.path(Path::new(&model)).display().to_string(),
                    (_, true) => model.to_lowercase(),
                    _ => model,
                }
            })
        };
        let context_tokens = self.within("engine.context_tokens", raw.context_tokens, 4096, 512..=131_072)?;
        let kv_tokens = self.within("engine.kv_tokens", raw.kv_tokens, 0, 0..=8_388_608)?;
        if kv_tokens != 0 && kv_tokens < context_tokens {
            let problem =
                format!("is {kv_tokens}; one answer alone may take engine.context_tokens = {context_tokens}");
            return Err(self.wrong("engine.kv_tokens", problem));
        }
        Ok(EngineConfig {
            threads: self.within("engine.threads", raw.threads, 0, 0..=1024)?,
            answer_model: named(raw.answer_model),
            embed_model: named(raw.embed_model),
            rerank_model: named(raw.rerank_model),
            context_tokens,
            kv_tokens,
            parallel_answers: self.within("engine.parallel_answers", raw.parallel_answers, 16, 1..=64)?,
            kv_kind: self.kv_kind(raw.kv_kind.as_deref().unwrap_or("f16"))?,
            prefix_cache_mb: self.within(
                "engine.prefix_cache_mb",
                raw.prefix_cache_mb,
                256,
                0..=1_048_576,
            )?,
            drafts: raw.drafts.unwrap_or(true),
            require_gpu: raw.require_gpu.unwrap_or(false),
        })
    }

    fn kv_kind(&self, word: &str) -> Result<KvStorage, ConfigError> {
        match word {
            "f16" => Ok(KvStorage::F16),
            "q8_0" => Ok(KvStorage::Q8_0),
            _ => Err(self.wrong("engine.kv_kind", format!("is `{word}`; allowed are f16 and q8_0"))),
        }
    }

    fn retention(&self, raw: &RawRetention) -> Result<RetentionConfig, ConfigError> {
        let checked = RetentionConfig {
            content_days: self.within("retention.content_days", raw.content_days, 90, 1..=3650)?,
            trail_days: self.within("retention.trail_days", raw.trail_days, 365, 1..=3650)?,
            case_days: self.within("retention.case_days", raw.case_days, 730, 1..=3650)?,
            article_4: raw.article_4,
            high_risk: raw.high_risk,
        };
        for (asked, least, why) in [
            (checked.article_4, 365, "DPO 4 asks for a year (retention.article_4)"),
            (checked.high_risk, 183, "the AI Act asks for six months (retention.high_risk)"),
        ] {
            if asked && checked.trail_days < least {
                let problem = format!("is {}, but {why}: {least} at least", checked.trail_days);
                return Err(self.wrong("retention.trail_days", problem));
            }
        }
        if checked.content_days > checked.trail_days || checked.trail_days > checked.case_days {
            let problem = "must be between retention.content_days and retention.case_days".to_owned();
            return Err(self.wrong("retention.trail_days", problem));
        }
        Ok(checked)
    }

    fn report(&self, raw: RawReport) -> Result<ReportConfig, ConfigError> {
        for (key, date) in [("report.reviewed_on", &raw.reviewed_on), ("report.dpia_date", &raw.dpia_date)] {
            if !date.is_empty() && date.parse::<jiff::civil::Date>().is_err() {
                return Err(self.wrong(key, format!("is `{date}`; write a date as 2026-11-30")));
            }
        }
        if !raw.time_zone.is_empty() && jiff::tz::TimeZone::get(&raw.time_zone).is_err() {
            let problem = format!("is `{}`; write an IANA name, as in Europe/Zurich", raw.time_zone);
            return Err(self.wrong("report.time_zone", problem));
        }
        Ok(ReportConfig {
            time_zone: raw.time_zone,
            firm: raw.firm,
            controller: raw.controller,
            contact: raw.contact,
            purpose: raw.purpose,
            classification: raw.classification,
            excluded_uses: raw.excluded_uses,
            reviewer: raw.reviewer,
            reviewed_on: raw.reviewed_on,
            data_categories: raw.data_categories,
            persons: raw.persons,
            storage_place: raw.storage_place,
            recipients: raw.recipients,
            abroad: raw.abroad,
            retention: raw.retention,
            dpia_date: raw.dpia_date,
        })
    }

    fn sources(&self, raw: Vec<RawSource>, languages: &str) -> Result<Vec<SourceConfig>, ConfigError> {
        let mut sources: Vec<SourceConfig> = Vec::new();
        for source in raw {
            let source = self.source(source, languages)?;
            if sources.iter().any(|other| other.name == source.name) {
                return Err(self.wrong("source.name", format!("`{}` is used twice", source.name)));
            }
            sources.push(source);
        }
        Ok(sources)
    }

    fn source(&self, raw: RawSource, languages: &str) -> Result<SourceConfig, ConfigError> {
        let plain = |c: char| c.is_alphanumeric() || "-_.".contains(c);
        if raw.name.is_empty() || !raw.name.chars().all(plain) {
            let problem = format!("is `{}`; write letters, digits, `-`, `_` or `.`", raw.name);
            return Err(self.wrong("source.name", problem));
        }
        let key = |name: &str| format!("source.{name} of {}", raw.name);
        if raw.path.as_os_str().is_empty() {
            return Err(self.wrong(key("path"), "is missing; name the folder to read"));
        }
        self.globs(&key("include"), &raw.include)?;
        self.globs(&key("exclude"), &raw.exclude)?;
        self.names(&key, &raw.project, &raw.acl)?;
        let project = raw.project.unwrap_or_else(|| raw.name.clone());
        let rules = raw.rule.into_iter().map(|rule| self.rule(rule, &raw.name, &project));
        Ok(SourceConfig {
            ocr_languages: self.languages(&key("ocr_languages"), raw.ocr_languages, languages)?,
            path: self.path(&raw.path),
            rules: rules.collect::<Result<_, _>>()?,
            project,
            name: raw.name,
            include: raw.include,
            exclude: raw.exclude,
            rfi_columns: raw.rfi_columns.map(|file| self.rfi_columns(&file)).transpose()?,
            acl: raw.acl,
        })
    }

    fn rfi_columns(&self, file: &Path) -> Result<RfiColumns, ConfigError> {
        let path = self.path(file);
        let text =
            fs::read_to_string(&path).map_err(|source| ConfigError::Read { path: path.clone(), source })?;
        let raw: RawRfiColumns = toml::from_str(&text).map_err(|e| ConfigError::Syntax {
            path: path.clone(),
            message: e.to_string().trim().to_owned(),
        })?;
        Ok(RfiColumns {
            path,
            columns: raw.columns.into_iter().collect(),
            states: raw.states.into_iter().collect(),
            date_order: raw.date_order,
        })
    }

    /// A rule that names neither project nor access list would change nothing.
    fn rule(&self, raw: RawRule, source: &str, project: &str) -> Result<PathRule, ConfigError> {
        let key = |name: &str| format!("source.rule.{name} of {source}");
        if raw.paths.is_empty() {
            return Err(self.wrong(key("paths"), "is missing; name the files as globs"));
        }
        if raw.project.is_none() && raw.acl.is_none() {
            return Err(self.wrong(key("project"), "is missing, and acl as well; a rule needs one of them"));
        }
        self.globs(&key("paths"), &raw.paths)?;
        self.names(&key, &raw.project, &raw.acl)?;
        let project = raw.project.unwrap_or_else(|| project.to_owned());
        Ok(PathRule { paths: raw.paths, project, acl: raw.acl })
    }

    fn globs(&self, key: &str, globs: &[String]) -> Result<(), ConfigError> {
        for glob in globs {
            globset::Glob::new(glob).map_err(|e| self.wrong(key, format!("holds no glob: {e}")))?;
        }
        Ok(())
    }

    fn names(
        &self,
        key: &dyn Fn(&str) -> String,
        project: &Option<String>,
        acl: &Option<String>,
    ) -> Result<(), ConfigError> {
        for (name, value) in [("project", project), ("acl", acl)] {
            if value.as_ref().is_some_and(|value| value.trim().is_empty()) {
                return Err(self.wrong(key(name), "is empty; name it or remove the key"));
            }
        }
        Ok(())
    }
}
