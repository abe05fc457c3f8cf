//! The whole appliance behind one handle: who opens a data folder holds an [`App`].

mod export;
mod facts;
mod forms;
mod gate;
mod models;
mod people;
mod privacy;
mod triggers;

use std::fs::File;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use ingest::{Language, Limits};
use jiff::Timestamp;

use crate::answer::Answerer;
use crate::audit::{Actor, Audit, AuditError, Event, Form, ModelFact, Packed, Retention, Role, Sheet};
use crate::auth::{AuthError, SessionLimits, Users};
use crate::catalog::{Catalog, CatalogError, ModelRow, ProjectId};
use crate::config::{Config, LimitsConfig};
use crate::engine::{Engine, EngineError};
use crate::erasure::ErasureError;
use crate::index::{Index, IndexError};
use crate::jobs::{self, JobError, Jobs};
use crate::scope::Scope;
use crate::worker::{OcrOptions, Worker, WorkerError, WorkerOptions};

pub use crate::erasure::Names;
pub use export::{AnswerExport, made_by};
use facts::{lang, model_fact};
pub use forms::{FormState, hours_left};
pub use models::{hash_file, memory_plan};
pub use people::HandedOut;
pub use privacy::{Erased, Found, FoundDocument, Place, Plan, Proof, Wish};

/// Name of this build, as the log and every page give it.
pub const BUILD: &str = concat!("dossier ", env!("CARGO_PKG_VERSION"));

/// Everything that a request or a subcommand works with.
pub struct App {
    /// The checked configuration.
    pub config: Config,
    /// What exists and who may see it.
    pub catalog: Catalog,
    /// The two search engines.
    pub index: Arc<Index>,
    /// The models and the device that computes.
    pub engine: Arc<Engine>,
    /// The audit log of this process.
    pub audit: Audit,
    /// Users, groups and sessions.
    pub users: Users,
    /// Starts sandboxed readers.
    pub worker: Worker,
    /// The nightly run.
    pub jobs: Arc<Jobs>,
    /// Questions to answers.
    pub answerer: Arc<Answerer>,
    /// Held as long as this process owns the data folder.
    _lock: File,
}

/// Why a data folder could not be opened.
#[derive(Debug, thiserror::Error)]
pub enum AppError {
    /// No data folder there.
    #[error("there is no data folder at {0}; make one with `dossier init`")]
    Missing(String),
    /// Somebody else owns it.
    #[error("another dossier process is using {0}; stop it, or wait until it is done")]
    Locked(String),
    /// A file or folder in it cannot be used.
    #[error("{path}: {source}")]
    Folder {
        /// Which one.
        path: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// A registered model file is not what it was.
    #[error(
        "model {path} has SHA-256 {found} instead of {expected}; restore the file or register it again with `dossier model add`"
    )]
    ModelChanged {
        /// The file.
        path: String,
        /// SHA-256 in the register.
        expected: String,
        /// SHA-256 of the file.
        found: String,
    },
    /// The configuration names a model that is not registered.
    #[error(
        "`{key}` names {wanted:?}, which is not registered (for this use, {known} registered); correct the configuration, register the file with `dossier model add`, or set \"none\""
    )]
    NoSuchModel {
        /// The key of the configuration.
        key: &'static str,
        /// What it names.
        wanted: String,
        /// Names of what is registered.
        known: String,
    },
    /// A GPU is demanded and none computes.
    #[error("`engine.require_gpu` is set, but {0}")]
    NoGpu(String),
    /// The stated purpose is excluded.
    #[error(
        "the purpose in `report.purpose` is excluded ({0}); uses that you forbid belong into `report.excluded_uses`, and a use of high risk needs `retention.high_risk`"
    )]
    UseRefused(&'static str),
    /// A hold forbids it.
    #[error("hold {0} forbids erasing ({1}); `dossier privacy hold list` shows the holds")]
    Held(String, String),
    /// The plan has changed, or another one was meant.
    #[error(
        "{0:?} does not stand for what would be erased now; run the command without `--confirm` and look again"
    )]
    OtherPlan(String),
    /// There is no such document.
    #[error(
        "there is no document {0:?}; it is SOURCE/PATH, for a record or element with #NUMBER or #GLOBALID behind it"
    )]
    NoDocument(String),
    /// There is no user of this name.
    #[error("there is no user {0:?}; `dossier user list` shows them")]
    NoUser(String),
    /// There is no such project, or it may not be seen.
    #[error("there is no project {0:?}; `dossier project list` shows them")]
    NoProject(String),
    /// The list of erasures cannot be used.
    #[error(transparent)]
    Erasure(#[from] ErasureError),
    /// The catalog refused.
    #[error(transparent)]
    Catalog(#[from] CatalogError),
    /// The index refused.
    #[error(transparent)]
    Index(#[from] IndexError),
    /// A model could not be loaded.
    #[error(transparent)]
    Engine(#[from] EngineError),
    /// The log could not be opened or written.
    #[error(transparent)]
    Audit(#[from] AuditError),
    /// Users or rights could not be read.
    #[error(transparent)]
    Auth(#[from] AuthError),
    /// The reader process cannot be used.
    #[error(transparent)]
    Worker(#[from] WorkerError),
    /// A run failed.
    #[error(transparent)]
    Jobs(#[from] JobError),
}

impl AppError {
    /// Whether it is about the models in use, so that the folder can be opened without them.
    pub fn is_about_models(&self) -> bool {
        matches!(
            self,
            AppError::ModelChanged { .. }
                | AppError::NoSuchModel { .. }
                | AppError::NoGpu(_)
                | AppError::Engine(_)
        )
    }
}

impl App {
    /// Opens the data folder of the configuration and owns it until dropped.
    ///
    /// # Errors
    /// See [`AppError`]. A missing or unreadable model is an error; a register without models is not:
    /// then search is lexical and answers are taken from the sources.
    pub async fn open(config: Config) -> Result<Self, AppError> {
        Self::open_with(config, &[]).await
    }

    /// As [`App::open`], without the models: nothing is embedded, judged or written by one.
    ///
    /// # Errors
    /// As there, except for what concerns models.
    pub async fn open_plain(config: Config) -> Result<Self, AppError> {
        let engine = models::none(&config);
        Self::open_over(config, |_, _| Ok(engine), 0).await
    }

    /// As [`App::open`] by a process that has just hashed these models to register them: they are not hashed again.
    ///
    /// # Errors
    /// As there.
    pub async fn open_with(config: Config, just_hashed: &[ModelRow]) -> Result<Self, AppError> {
        let load = |config: &Config, catalog: &Catalog| models::load(config, catalog, just_hashed);
        let app = Self::open_over(config, load, DEFAULT_DIM).await?;
        // Nobody sees anything of a restored backup before what was erased since is out of it.
        app.erase_again().await?;
        Ok(app)
    }

    /// `dim` is the width of vectors where no model says one; 0 takes what is there.
    async fn open_over(
        config: Config,
        engine: impl FnOnce(&Config, &Catalog) -> Result<Engine, AppError>,
        dim: usize,
    ) -> Result<Self, AppError> {
        let data = config.data.clone();
        for source in &config.sources {
            jobs::record_mapping(source)?;
        }
        let lock = lock(&data)?;
        let catalog = Catalog::open(&data.join("catalog.sqlite"))?;
        let audit = Audit::open(&data, BUILD)?;
        audit.note_settings(&config.settings())?;
        let purpose = &config.report.purpose;
        if let Some(rule) = gate::excludes(purpose, config.retention.high_risk) {
            audit.record(
                &Actor::system(),
                Event::UseRefused { purpose: purpose.clone(), rule: rule.to_owned() },
            )?;
            return Err(AppError::UseRefused(rule));
        }
        let engine = Arc::new(engine(&config, &catalog)?);
        let dim = engine.embedder.as_ref().map_or(dim, |e| e.dim());
        let index = Arc::new(Index::open(&data.join("index"), dim, catalog.clone()).await?);
        let users = Users::with_limits(catalog.clone(), audit.clone(), sessions(&config));
        let worker = worker(&config)?;
        let jobs = Arc::new(Jobs::new(
            config.clone(),
            catalog.clone(),
            index.clone(),
            engine.clone(),
            worker.clone(),
            audit.clone(),
        ));
        let answerer = Answerer::new(catalog.clone(), index.clone(), engine.clone(), audit.clone());
        let answerer = Arc::new(
            answerer.forcing_citations(config.answers.force_citations).strict(config.answers.strict),
        );
        Ok(App { config, catalog, index, engine, audit, users, worker, jobs, answerer, _lock: lock })
    }

    /// Signs the log's last state. Call before dropping; a process that is killed instead loses nothing.
    pub async fn close(&self) {
        if let Err(error) = self.audit.checkpoint() {
            tracing::warn!(%error, "no checkpoint at shutdown");
        }
    }

    /// Who acts and what he sees: the named user, else the local administrator who sees everything.
    ///
    /// # Errors
    /// When there is no such user.
    pub fn acting(&self, actor: &Actor, user: Option<&str>) -> Result<(Actor, Scope), AppError> {
        match user {
            None => Ok((actor.clone(), self.catalog.all_scope()?)),
            Some(name) => {
                let user = self.users.find(name)?.ok_or_else(|| AppError::NoUser(name.to_owned()))?;
                let scope = self.users.scope_of(&user)?;
                Ok((Actor::user(user.name, Role::Reader, None), scope))
            }
        }
    }

    /// The project with this name, if the scope may see it.
    ///
    /// # Errors
    /// When there is none, or none that may be seen: the message is the same.
    pub fn project(&self, scope: &Scope, name: &str) -> Result<ProjectId, AppError> {
        let projects = self.catalog.projects(scope)?;
        let found = projects.iter().find(|p| p.name.eq_ignore_ascii_case(name));
        found.map(|p| p.id).ok_or_else(|| AppError::NoProject(name.to_owned()))
    }

    /// Makes the one-page sheet over the time from `from` up to `to` and records that it was handed out.
    ///
    /// # Errors
    /// When the log or the catalog cannot be read, or the dates are none.
    pub fn report(
        &self,
        actor: &Actor,
        from: Timestamp,
        to: Timestamp,
        language: Language,
    ) -> Result<Sheet, AppError> {
        let sheet = self.audit.report(from, to, &self.facts(lang(language))?, lang(language))?;
        self.audit.record(
            actor,
            Event::Export {
                what: "report".to_owned(),
                sha256: sheet.sha256.clone(),
                rows: 1,
                recipient: None,
                country: None,
            },
        )?;
        Ok(sheet)
    }

    /// Packs the annex of a sheet and records that it was handed out.
    ///
    /// # Errors
    /// When the log or the catalog cannot be read.
    pub fn annex(&self, actor: &Actor, sheet: &Sheet, language: Language) -> Result<Packed, AppError> {
        let settings = serde_json::to_vec_pretty(&self.config.settings()).unwrap_or_default();
        let mut extra = vec![("config.json".to_owned(), settings)];
        extra.push(("dpia.pdf".to_owned(), self.form_pdf(Form::Dpia, language)?));
        extra.extend(self.audit.egress_test()?.map(|test| ("egress_test.json".to_owned(), test)));
        let packed = self.audit.annex(sheet, &self.facts(lang(language))?, lang(language), extra)?;
        self.audit.record(
            actor,
            Event::Export {
                what: "report_annex".to_owned(),
                sha256: packed.sha256.clone(),
                rows: sheet.figures.integrity.size,
                recipient: None,
                country: None,
            },
        )?;
        Ok(packed)
    }

    /// The registered models as the sheet and the bill of materials name them.
    ///
    /// # Errors
    /// When the catalog cannot be read.
    pub fn model_facts(&self) -> Result<Vec<ModelFact>, AppError> {
        Ok(self.catalog.models()?.iter().map(model_fact).collect())
    }

    /// How long the log keeps what.
    pub fn retention(&self) -> Retention {
        jobs::retention(&self.config.retention)
    }
}

fn sessions(config: &Config) -> SessionLimits {
    SessionLimits {
        idle: Duration::from_secs(u64::from(config.server.session_idle_minutes) * 60),
        absolute: Duration::from_secs(u64::from(config.server.session_hours) * 3600),
    }
}

/// Width of the vectors where no embedding model is registered: that of the default model.
const DEFAULT_DIM: usize = 384;

/// The sandboxed reader as the configuration bounds it.
///
/// # Errors
/// When the running program's own path cannot be found out.
pub fn worker(config: &Config) -> Result<Worker, WorkerError> {
    Worker::new(worker_options(config))
}

fn worker_options(config: &Config) -> WorkerOptions {
    WorkerOptions {
        program: config.ingest.worker_program.clone(),
        memory_bytes: config.ingest.worker_memory_mb << 20,
        seconds: config.ingest.worker_seconds,
        limits: limits(&config.ingest.limits),
        ocr: text_recognition(config),
        // One more than files are read, so that a reader's page is drawn while a run is under way.
        parallel: config.ingest.worker_count() + 1,
    }
}

/// How pages that are images are read.
pub fn text_recognition(config: &Config) -> OcrOptions {
    OcrOptions {
        program: config.ingest.ocr_program.clone(),
        languages: config.ingest.ocr_languages.clone(),
        seconds: config.ingest.ocr_seconds,
    }
}

fn limits(config: &LimitsConfig) -> Limits {
    Limits {
        max_pages: config.max_pages,
        max_ocr_pages: config.max_ocr_pages,
        max_image_pixels: config.max_image_pixels,
        max_expanded_bytes: config.max_expanded_mb << 20,
        max_members: config.max_members,
        max_rows: config.max_rows,
        max_elements: config.max_elements,
        max_text_chars: config.max_text_chars,
    }
}

/// Fails unless nobody owns the data folder at this moment.
///
/// # Errors
/// When another process does, or there is no such folder.
pub fn own(data: &Path) -> Result<(), AppError> {
    lock(data).map(drop)
}

fn lock(data: &Path) -> Result<File, AppError> {
    let shown = || data.display().to_string();
    if !data.is_dir() {
        return Err(AppError::Missing(shown()));
    }
    let path = data.join("lock");
    let file = File::options()
        .create(true)
        .truncate(false)
        .write(true)
        .open(&path)
        .map_err(|source| AppError::Folder { path: path.display().to_string(), source })?;
    // A killed process holds its lock until the system has taken back its memory.
    let patience = Instant::now() + Duration::from_secs(2);
    loop {
        match file.try_lock() {
            Ok(()) => return Ok(file),
            Err(std::fs::TryLockError::WouldBlock) if Instant::now() < patience => {
                std::thread::sleep(Duration::from_millis(50));
            }
            Err(std::fs::TryLockError::WouldBlock) => return Err(AppError::Locked(shown())),
            Err(std::fs::TryLockError::Error(source)) => {
                return Err(AppError::Folder { path: path.display().to_string(), source });
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::Overrides;

    #[test]
    fn as_many_files_are_read_as_the_configuration_says_and_a_page_is_drawn_beside_them() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::write(folder.path().join("dossier.toml"), "[ingest]\nworkers = 7\n").unwrap();
        let overrides = Overrides { data: Some(folder.path().to_owned()), config: None };
        let config = Config::load(&overrides).unwrap();
        assert_eq!(worker_options(&config).parallel, 8);
    }
}
