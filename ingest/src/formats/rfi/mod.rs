//! Requests for information: registers in sheets and JSON, exports of several tables, BCF topics.

mod answers;
pub(crate) mod bcf;
mod cells;
mod columns;
mod dates;
mod join;
pub(crate) mod json;
mod mapper;
pub(crate) mod mapping;
mod merge;
pub(crate) mod number;
pub(crate) mod register;
mod states;
pub(crate) mod tables;
