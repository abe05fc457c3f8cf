//! Flows through the whole product. One program, so that the dependencies are linked once.
//!
//! Models come from `$DOSSIER_MODELS` (default `~/.cache/dossier/models`); a flow that needs one and does
//! not find it fails and says so.

mod support;

#[path = "flows/structure.rs"]
mod structure;
