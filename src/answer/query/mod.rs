//! Counting, listing and comparing: questions that the catalog answers exactly.
//!
//! A question is cut into pieces that each say one thing ([`words`], by the list in `lexicon.txt`), the pieces
//! become a request ([`parse`]), and the request a typed query ([`plan`]): what only the documents can explain, such
//! as a type, a room or a person, is looked up among what the reader may see. The query runs as SQL in the catalog,
//! the reader's scope in every statement ([`table`]). What is not understood is said; nothing is guessed.

mod followup;
#[cfg(test)]
mod held;
mod lexicon;
mod names;
mod parse;
mod period;
mod plan;
mod request;
mod say;
mod storey;
mod table;
#[cfg(test)]
mod tests;
mod words;

use ingest::Language;

pub(super) use self::followup::standing;
use self::lexicon::Form;
use self::plan::{Look, Plan};
use self::request::Request;
use super::intent::{Intent, intent};
use super::types::Table;
use crate::catalog::{Catalog, CatalogError, ProjectId};
use crate::scope::Scope;

/// Rows that an answer shows at most; the count is over all.
pub(super) const MAX_ROWS: u64 = 500;

/// Rows that stand above the hits of a search.
pub(super) const BESIDE_HITS: u64 = 8;

/// What became of a question.
#[derive(Debug)]
pub(super) enum Reply {
    /// Counted.
    Table(Table),
    /// A value is asked for, and this is what the models or lists say; passages may say more.
    Values(Table),
    /// It counts or lists, and these parts of it were not understood.
    Unread(Vec<String>),
    /// It names something that is not there, and what there is instead.
    Absent(String, Vec<String>),
    /// It asks for something that stands in a passage.
    No,
}

/// Who asks, and where.
pub(super) struct Asking<'a> {
    pub catalog: &'a Catalog,
    pub scope: &'a Scope,
    pub project: Option<ProjectId>,
    /// Language of the question, which the answer has too.
    pub language: Language,
    /// Today, in the place of the reader.
    pub today: jiff::civil::Date,
    /// Rows at most.
    pub limit: u64,
}

impl Asking<'_> {
    /// Answers a question from the catalog, if it is one for it.
    pub(super) fn reply(&self, question: &str) -> Result<Reply, CatalogError> {
        let items = words::read(question, Some(self.language));
        let request = parse::parse(&items, self.today);
        let strict = matches!(intent(question), Intent::Count | Intent::List);
        let value = request.asks_for_a_value() && request.unread.is_empty() && request.thing().is_some();
        if !strict && !value && !asks_at_all(&request) {
            return Ok(Reply::No);
        }
        let look = Look {
            question,
            catalog: self.catalog,
            scope: self.scope,
            project: self.project,
            language: self.language,
            today: self.today.to_string(),
            limit: self.limit,
        };
        let planned = look.plan(&request)?;
        if value && !strict {
            return Ok(match planned {
                Some(Plan::Query(query, understood)) => values(&look, *query, understood)?,
                _ => Reply::No,
            });
        }
        Ok(match planned {
            Some(Plan::Query(query, understood)) => {
                match *query {
                    // Without a word for counting only a record's status is told.
                    plan::Query::Records(_, None)
                    | plan::Query::Elements(..)
                    | plan::Query::Documents(_)
                    | plan::Query::Plans(_)
                    | plan::Query::Nodes(..)
                        if !request.asks() && !conditioned(&request) && !strict =>
                    {
                        Reply::No
                    }
                    query => Reply::Table(table::run(&look, query, understood)?),
                }
            }
            Some(Plan::Unread(parts)) if strict => Reply::Unread(parts),
            Some(Plan::Absent(what, there)) if strict || request.asks() => Reply::Absent(what, there),
            None if strict => Reply::Unread(unknown(&request)),
            _ => Reply::No,
        })
    }
}

/// What the catalog has for a question for a value.
fn values(look: &Look<'_>, query: plan::Query, understood: Vec<String>) -> Result<Reply, CatalogError> {
    let table = match query {
        plan::Query::Elements(_, query) => match query.measure {
            Some(measure) => table::values(look, &query, measure, understood)?,
            None => None,
        },
        // The current revision of a plan that is named.
        plan::Query::Plans(plans) if !plans.numbers.is_empty() => {
            Some(table::run(look, plan::Query::Plans(plans), understood)?)
        }
        _ => None,
    };
    Ok(table.filter(|t| t.total > 0).map_or(Reply::No, Reply::Values))
}

/// Whether a request could be one for the catalog without any word that says so: `offene RFI`, `EI30-Türen 2. OG`.
fn asks_at_all(r: &Request) -> bool {
    let named = r.names.iter().any(|n| n.is_code);
    let of_requests = !r.states.is_empty() || r.answered.is_some() || r.overdue;
    let meant = r.thing().is_some() || of_requests || r.measure.is_some() && !r.names.is_empty();
    let thing = meant && (r.asks() || conditioned(r));
    r.unread.is_empty() && !r.asks_for_a_value() && (thing || named)
}

/// Whether a request has a condition beside its thing.
fn conditioned(r: &Request) -> bool {
    !r.states.is_empty()
        || r.answered.is_some()
        || r.official.is_some()
        || r.overdue
        || !r.fires.is_empty()
        || r.any_fire
        || r.no_fire
        || r.stated.is_some()
        || r.revision.is_some()
        || r.bearing.is_some()
        || r.range.is_some()
        || !r.says.is_empty()
        || r.person.is_some()
        || r.by.is_some()
        || r.dated.is_some()
        || r.priority.is_some()
        || r.elements
        || !r.about.is_empty()
        || !r.levels.is_empty() && r.measure.is_none()
        || r.forms.iter().any(|f| *f != Form::List)
}

/// What of a question without a thing was not understood.
fn unknown(r: &Request) -> Vec<String> {
    r.names.iter().map(|n| n.words.join(" ")).chain(r.unread.iter().cloned()).collect()
}
