//! Flows through the whole product. One program, so that the dependencies are linked once.
//!
//! Models come from `$DOSSIER_MODELS` (default `~/.cache/dossier/models`); a flow that needs one and does
//! not find it fails and says so.

mod support;

#[path = "flows/answers.rs"]
mod answers;
#[path = "flows/archives.rs"]
mod archives;
#[path = "flows/commands.rs"]
mod commands;
#[path = "flows/crash.rs"]
mod crash;
#[path = "flows/duties.rs"]
mod duties;
#[path = "flows/engine.rs"]
mod engine;
#[path = "flows/erasure.rs"]
mod erasure;
#[path = "flows/experts.rs"]
mod experts;
#[path = "flows/finding.rs"]
mod finding;
#[path = "flows/forms.rs"]
mod forms;
#[path = "flows/memory.rs"]
mod memory;
#[path = "flows/models.rs"]
mod models;
#[path = "flows/nightly.rs"]
mod nightly;
#[path = "flows/outside.rs"]
mod outside;
#[path = "flows/privacy.rs"]
mod privacy;
#[cfg(target_arch = "x86_64")]
#[path = "flows/processors.rs"]
mod processors;
#[path = "flows/records.rs"]
mod records;
#[path = "flows/retrieval.rs"]
mod retrieval;
#[path = "flows/sandbox.rs"]
mod sandbox;
#[path = "flows/scans.rs"]
mod scans;
#[path = "flows/serving.rs"]
mod serving;
#[path = "flows/shapes.rs"]
mod shapes;
#[path = "flows/structure.rs"]
mod structure;
#[path = "flows/tokenizer.rs"]
mod tokenizer;
#[path = "flows/web/mod.rs"]
mod web;
