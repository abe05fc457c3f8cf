//! Dossier: private document search for architecture and engineering firms.
//!
//! Start at [`manual`] for what the parts are and how a document comes in and an answer goes out.
//!
//! | module | does |
//! |---|---|
//! | [`cli`] | one file per subcommand |
//! | [`web`] | the web application |
//! | [`app`] | everything behind one handle |
//! | [`answer`] | question to passages to a cited, checked answer |
//! | [`jobs`] | sources, the nightly run, the schedule |
//! | [`worker`] | sandboxed child processes that read files and draw pages |
//! | [`index`] | tantivy and LanceDB behind one index |
//! | [`engine`] | GGUF, tokenizers, model graphs, embeddings and generation |
//! | [`auth`] | users, groups, sessions; who may see what |
//! | [`audit`] | this process's writer of the audit log |
//! | [`catalog`] | SQLite: what exists and who may see it |
//! | [`erasure`] | what was erased, so that it stays erased |
//! | [`config`] | the configuration, read and checked |
//! | [`scope`] | the access lists that a reader is on |
//! | [`manual`] | the pages for those who run the appliance and those who build it |

pub mod answer;
pub mod app;
pub mod audit;
pub mod auth;
pub mod catalog;
pub mod cli;
pub mod config;
pub mod engine;
pub mod erasure;
pub mod index;
pub mod jobs;
pub mod manual;
pub mod scope;
pub mod web;
pub mod worker;
