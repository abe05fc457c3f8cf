//! Which registered models are used, what memory they take, and opening them.

use std::fs::File;
use std::path::Path;
use std::sync::Arc;

use ingest::Language;

use super::AppError;
use crate::catalog::{Catalog, ModelRole, ModelRow};
use crate::config::{Config, EngineConfig, KvStorage};
use crate::engine::{
    AnswerModel, Embedder, Engine, Generator, KvKind, MemoryPlan, PreparedModel, Reranker, ServeOptions,
    available_memory, device_report,
};

/// The memory that the models of the configuration take at most.
///
/// # Errors
/// A registered file cannot be read.
pub fn memory_plan(config: &Config, catalog: &Catalog) -> Result<MemoryPlan, AppError> {
    Ok(Prepared::open(&config.engine, &catalog.models()?)?.plan)
}

/// What a configuration names to use no model where the register has one.
const NO_MODEL: &str = "none";

/// The files of the models in use, their tables read, and what they will take.
struct Prepared {
    embed: Option<(ModelRow, PreparedModel)>,
    answer: Option<(ModelRow, PreparedModel)>,
    rerank: Option<(ModelRow, PreparedModel)>,
    plan: MemoryPlan,
}

impl Prepared {
    fn open(engine: &EngineConfig, models: &[ModelRow]) -> Result<Self, AppError> {
        let open = |role, key, wanted: Option<&str>| -> Result<_, AppError> {
            let Some(model) = chosen(models, role, key, wanted)? else { return Ok(None) };
            let file = PreparedModel::open(Path::new(&model.path))?;
            let plan = match role {
                ModelRole::Embed | ModelRole::Rerank => file.plan_vectors()?,
                ModelRole::Answer => file.plan_answers(&serve_options(engine))?,
            };
            Ok(Some((model.clone(), file, plan)))
        };
        let (embed, answer) = std::thread::scope(|scope| {
            let wanted = engine.embed_model.as_deref();
            let embed = scope.spawn(move || open(ModelRole::Embed, "engine.embed_model", wanted));
            let wanted = engine.answer_model.as_deref();
            let answer = open(ModelRole::Answer, "engine.answer_model", wanted);
            (joined(embed.join()), answer)
        });
        let rerank = open(ModelRole::Rerank, "engine.rerank_model", engine.rerank_model.as_deref())?;
        let mut plan = MemoryPlan::default();
        let mut planned = |(model, file, own): (ModelRow, PreparedModel, MemoryPlan)| {
            plan.add(own);
            (model, file)
        };
        let embed = embed?.map(&mut planned);
        let answer = answer?.map(&mut planned);
        let rerank = rerank.map(&mut planned);
        Ok(Self { embed, answer, rerank, plan })
    }
}

/// How the configuration wants answers served.
fn serve_options(engine: &EngineConfig) -> ServeOptions {
    ServeOptions {
        threads: engine.thread_count(),
        context_tokens: engine.context_tokens,
        max_streams: engine.parallel_answers,
        kv_tokens: engine.kv_tokens,
        kv_kind: match engine.kv_kind {
            KvStorage::F16 => KvKind::F16,
            KvStorage::Q8_0 => KvKind::Q8_0,
        },
        prefix_bytes: engine.prefix_cache_mb << 20,
        drafts: engine.drafts,
    }
}

/// The newest model of a role, unless the configuration names one, or none, under this key.
///
/// # Errors
/// The named one is not in the register: whoever named it does not expect to work without.
fn chosen<'m>(
    models: &'m [ModelRow],
    role: ModelRole,
    key: &'static str,
    wanted: Option<&str>,
) -> Result<Option<&'m ModelRow>, AppError> {
    if wanted == Some(NO_MODEL) {
        return Ok(None);
    }
    let of_role = || models.iter().rev().filter(|m| m.role == role);
    let Some(wanted) = wanted else { return Ok(of_role().next()) };
    // As short as the register shows it; "e5" is a name.
    let is_hash = wanted.len() >= 8 && wanted.bytes().all(|b| b.is_ascii_hexdigit());
    let hash = wanted.to_lowercase();
    let is_named =
        |m: &&ModelRow| is_hash && m.sha256.starts_with(&hash) || m.name == wanted || m.path == wanted;
    of_role().find(is_named).map(Some).ok_or_else(|| {
        let known: Vec<&str> = of_role().map(|m| m.name.as_str()).collect();
        AppError::NoSuchModel {
            key,
            wanted: wanted.to_owned(),
            known: if known.is_empty() { "none is".to_owned() } else { format!("{} is", known.join(", ")) },
        }
    })
}

/// The engine without a model.
pub(super) fn none(config: &Config) -> Engine {
    Engine {
        embedder: None,
        generator: None,
        reranker: None,
        answer_model: None,
        embed_sha256: None,
        rerank_sha256: None,
        device: device_report(config.engine.thread_count()),
    }
}

/// Opens the models in use. The files of `just_hashed` are not hashed again.
pub(super) fn load(config: &Config, catalog: &Catalog, just_hashed: &[ModelRow]) -> Result<Engine, AppError> {
    let check = |model: &ModelRow| {
        let known = just_hashed.iter().any(|m| m.path == model.path && m.sha256 == model.sha256);
        if known { Ok(()) } else { check_hash(model) }
    };
    let threads = config.engine.thread_count();
    let device = device_report(threads);
    if config.engine.require_gpu && device.backend == "cpu" {
        return Err(AppError::NoGpu(device.hip.clone()));
    }
    let models = catalog.models()?;
    let Prepared { embed, answer, rerank, plan } = Prepared::open(&config.engine, &models)?;
    plan.check(available_memory())?;
    let options = serve_options(&config.engine);
    // The files are hashed while they are being opened, and no model is used whose hash is another.
    let (hashes, embedder, reranker, generator) = std::thread::scope(|scope| {
        let all = || [&embed, &answer, &rerank].into_iter().flatten();
        let hashes = scope.spawn(move || all().try_for_each(|(model, _)| check(model)));
        let embedder = scope
            .spawn(|| embed.as_ref().map(|(_, file)| Embedder::open_prepared(file, threads)).transpose());
        let reranker = scope
            .spawn(|| rerank.as_ref().map(|(_, file)| Reranker::open_prepared(file, threads)).transpose());
        let generator = answer.as_ref().map(|(_, file)| Generator::open_prepared(file, &options)).transpose();
        (joined(hashes.join()), joined(embedder.join()), joined(reranker.join()), generator)
    });
    hashes?;
    Ok(Engine {
        embedder: embedder?.map(Arc::new),
        generator: generator?.map(Arc::new),
        reranker: reranker?.map(Arc::new),
        answer_model: answer.as_ref().map(|(model, _)| answer_model(model)),
        embed_sha256: embed.map(|(model, _)| model.sha256),
        rerank_sha256: rerank.map(|(model, _)| model.sha256),
        device,
    })
}

/// What a thread gave; where it panicked, so does this one.
fn joined<T>(result: std::thread::Result<T>) -> T {
    result.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

fn answer_model(model: &ModelRow) -> AnswerModel {
    let languages = model.languages.iter().filter_map(|l| Language::parse(l)).map(|l| l.as_str().to_owned());
    AnswerModel {
        name: model.name.clone(),
        sha256: model.sha256.clone(),
        quantisation: model.quantisation.clone(),
        languages: languages.collect(),
    }
}

fn check_hash(model: &ModelRow) -> Result<(), AppError> {
    let found = hash_file(Path::new(&model.path))?;
    if found == model.sha256 {
        return Ok(());
    }
    Err(AppError::ModelChanged { path: model.path.clone(), expected: model.sha256.clone(), found })
}

/// SHA-256 of a file in lower-case hexadecimal.
///
/// # Errors
/// When the file cannot be read.
pub fn hash_file(path: &Path) -> Result<String, AppError> {
    use sha2::{Digest, Sha256};
    let fail = |source| AppError::Folder { path: path.display().to_string(), source };
    let mut file = File::open(path).map_err(fail)?;
    let mut hasher = Sha256::new();
    let mut buffer = vec![0; 1 << 20];
    loop {
        match std::io::Read::read(&mut file, &mut buffer).map_err(fail)? {
            0 => return Ok(hex::encode(hasher.finalize())),
            n => hasher.update(&buffer[..n]),
        }
    }
}
