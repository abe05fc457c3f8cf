//! One file per page: its handler, and beside it the struct that its template shows.

pub(super) mod ask;
pub(super) mod document;
pub(super) mod failure;
pub(super) mod forms;
pub(super) mod health;
pub(super) mod history;
pub(super) mod holdings;
pub(super) mod incident;
pub(super) mod instruction;
pub(super) mod language;
pub(super) mod log;
pub(super) mod login;
pub(super) mod notice;
pub(super) mod original;
pub(super) mod page_image;
pub(super) mod projects;
pub(super) mod report;
pub(super) mod run;
pub(super) mod search;
pub(super) mod usage;
