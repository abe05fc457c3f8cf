use std::path::Path;

use super::{Embedder, EngineError, Generator, ModelInfo, weights::ModelFile};

/// Context with which a model is opened only to be looked at.
const SHORT_CONTEXT: usize = 64;

/// Opens a model completely, as for use, and says what it is: what is registered works.
///
/// # Errors
/// Whatever would keep the model from being used; the message names file and tensor.
pub fn inspect(path: &Path) -> Result<ModelInfo, EngineError> {
    let file = ModelFile::open(path)?;
    let encoder = is_encoder(file.named(file.gguf.architecture())?);
    drop(file);
    Ok(if encoder {
        Embedder::open(path, 1)?.info().clone()
    } else {
        Generator::open(path, 1, SHORT_CONTEXT)?.info().clone()
    })
}

fn is_encoder(architecture: &str) -> bool {
    architecture == "bert"
}

impl ModelInfo {
    /// True for a model that makes vectors, false for one that writes.
    pub fn is_encoder(&self) -> bool {
        is_encoder(&self.architecture)
    }
}
