//! Figures for the one-page report: counted from envelopes, each by a query that anybody with the log can
//! repeat; and the facts that the log does not hold.

mod facts;
mod figures;
mod lang;
mod query;
#[cfg(test)]
mod tests;

pub use facts::{CatalogFacts, EgressTest, ModelFact};
pub use figures::{Figures, Integrity, figures};
pub use lang::Lang;
pub use query::{QUERIES, Query, query};
