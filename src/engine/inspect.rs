use std::path::Path;

use super::{
    Embedder, EngineError, Generator, ModelInfo, Purpose, Reranker, graph::purpose, weights::ModelFile,
};

/// Context with which a model is opened only to be looked at.
const SHORT_CONTEXT: usize = 64;

/// Opens a model completely, as for use, and says what it is: what is registered works.
///
/// # Errors
/// Whatever would keep the model from being used; the message names file and tensor.
pub fn inspect(path: &Path) -> Result<ModelInfo, EngineError> {
    let file = ModelFile::open(path)?;
    file.check_rows()?;
    let purpose = purpose(&file)?;
    Ok(match purpose {
        Purpose::Answer => Generator::open(path, 1, SHORT_CONTEXT)?.info().clone(),
        Purpose::Embed => Embedder::open(path, 1)?.info().clone(),
        Purpose::Rerank => Reranker::open(path, 1)?.info().clone(),
    })
}
