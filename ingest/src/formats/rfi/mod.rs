//! Requests for information: registers in sheets, and BCF topics.

pub(crate) mod bcf;
mod columns;
mod dates;
pub(crate) mod register;
mod states;
