//! Dossier: private document search for architecture and engineering firms.
//!
//! Start at [`manual`] for what the parts are and how a document comes in and an answer goes out.

/// Question to passages to a cited, checked answer.
pub mod answer;
/// Everything behind one handle.
pub mod app;
/// This process's writer of the audit log.
pub mod audit;
/// Users, groups, sessions; who may see what.
pub mod auth;
/// SQLite: what exists and who may see it.
pub mod catalog;
/// One file per subcommand.
pub mod cli;
/// The configuration, read and checked.
pub mod config;
/// GGUF, tokenizers, model graphs, embeddings and generation.
pub mod engine;
/// tantivy and LanceDB behind one index.
pub mod index;
/// Sources, the nightly run, the schedule.
pub mod jobs;
pub mod manual;
pub mod scope;
/// The web application.
pub mod web;
pub mod worker;
