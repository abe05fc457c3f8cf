//! How text becomes terms: one way for passages and for queries, so that both always agree.
//!
//! A text is cut into [`Token`]s with byte offsets. Each token has a *plain* form (lower case, no
//! accents, ß as ss, ä and ae alike) that needs no language, and a *stem* per language. Nothing in
//! here knows the engines.

pub(crate) mod compound;
mod dates;
mod fold;
mod glossary;
#[cfg(test)]
mod goldens;
pub(crate) mod grammar;
pub(crate) mod ident;
mod language;
mod measures;
mod numbers;
mod query;
mod stem;
mod stop;
mod token;
mod units;

pub(crate) use fold::fold;
pub(crate) use fold::strip_accents;
pub(crate) use glossary::Form;
pub(crate) use language::guess;
pub(crate) use measures::measures;
pub(crate) use numbers::{Figure, figures};
pub(crate) use query::{Analysed, QueryTerm, analyse};
pub(crate) use stem::stem;
pub(crate) use stop::is_stop_word;
pub(crate) use token::{Token, tokenize};
pub(crate) use units::{is_unit, names_unit};
