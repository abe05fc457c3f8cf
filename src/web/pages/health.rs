use axum::{Json, extract::State};
use serde::Serialize;

use crate::web::{error::WebError, state::Web};

/// What everybody who reaches the address may know.
#[derive(Debug, Serialize)]
pub(in crate::web) struct Health {
    status: &'static str,
    version: &'static str,
    /// The device that computes.
    computes_on: String,
    backend: String,
    /// True where a language model writes answers; else they are quoted.
    answer_model: bool,
    embedding_model: bool,
}

/// `GET /health`
pub(in crate::web) async fn health(State(web): State<Web>) -> Result<Json<Health>, WebError> {
    // Fails where the catalog cannot be read: then the appliance serves nobody.
    web.blocking(|app| app.catalog.counts(&crate::scope::Scope::none())).await?;
    let engine = &web.app.engine;
    Ok(Json(Health {
        status: "ok",
        version: env!("CARGO_PKG_VERSION"),
        computes_on: engine.device.name.clone(),
        backend: engine.device.backend.clone(),
        answer_model: engine.generator.is_some(),
        embedding_model: engine.embedder.is_some(),
    }))
}
