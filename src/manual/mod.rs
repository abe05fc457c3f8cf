//! The manual, for those who run the appliance and those who build it.
//!
//! - [`architecture`]: the parts, what each never does, two walks through them, why these libraries
//! - [`configuration`]: every key with its unit, default and effect
//! - [`security`]: who may see what, the sandbox, each file on disk and what editing it would gain
//! - [`duties`]: who sees what of whom, forms, marks on answers, and the law article by article
//! - [`operations`]: installing, the night, errors and exit codes, what to do when

#[doc = include_str!("architecture.md")]
pub mod architecture {}

#[doc = include_str!("configuration.md")]
pub mod configuration {}

#[doc = include_str!("security.md")]
pub mod security {}

#[doc = include_str!("duties.md")]
pub mod duties {}

#[doc = include_str!("operations.md")]
pub mod operations {}
