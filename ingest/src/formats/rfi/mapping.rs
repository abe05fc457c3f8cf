//! What a firm says about its own registers, where headers or words are not recognised.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::columns::{Field, plain};
use super::dates::Order;
use super::states::{STATES, state};

/// Word of a mapping file for a column that stays under its own header.
const KEEP: &str = "keep";

/// How a source's registers are read beyond what is recognised by itself. The empty one changes nothing.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordMapping {
    /// Header, plain, and the field it fills.
    columns: BTreeMap<String, String>,
    /// Status, plain, and the state it means.
    states: BTreeMap<String, String>,
    day_first: Option<bool>,
}

/// What a mapping file says that cannot be.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum MappingError {
    /// There is no such field.
    #[error("column `{header}` is to fill `{field}`, which is no field; fields are {}", fields())]
    Field {
        /// The header.
        header: String,
        /// What stands beside it.
        field: String,
    },
    /// There is no such state.
    #[error("status `{status}` is to mean `{state}`; write one of {}", STATES.join(", "))]
    State {
        /// The status.
        status: String,
        /// What stands beside it.
        state: String,
    },
    /// The date order is none.
    #[error("`date_order` is `{0}`; write day-first or month-first")]
    Order(String),
    /// Two headers differ only in case, accents or punctuation.
    #[error("column `{0}` is named twice; case, accents and punctuation make no difference")]
    Twice(String),
    /// A header without letters.
    #[error("a column has no name; write the header as it stands in the register")]
    NoHeader,
}

fn fields() -> String {
    let names: Vec<&str> = Field::names().chain([KEEP]).collect();
    names.join(", ")
}

impl RecordMapping {
    /// A mapping of headers to fields (or `keep`), of statuses to states, and the order of dates such as
    /// `03/04/2026` (`day-first` or `month-first`).
    ///
    /// # Errors
    /// See [`MappingError`].
    pub fn new<'a>(
        columns: impl IntoIterator<Item = (&'a str, &'a str)>,
        states: impl IntoIterator<Item = (&'a str, &'a str)>,
        date_order: Option<&str>,
    ) -> Result<Self, MappingError> {
        let mut out = RecordMapping::default();
        for (header, field) in columns {
            let key = plain(header);
            if key.is_empty() {
                return Err(MappingError::NoHeader);
            }
            if field != KEEP && Field::parse(field).is_none() {
                return Err(MappingError::Field { header: header.into(), field: field.into() });
            }
            if out.columns.insert(key, field.into()).is_some() {
                return Err(MappingError::Twice(header.into()));
            }
        }
        for (status, meant) in states {
            if !STATES.contains(&meant) {
                return Err(MappingError::State { status: status.into(), state: meant.into() });
            }
            out.states.insert(plain(status), meant.into());
        }
        out.day_first = match date_order {
            None => None,
            Some("day-first") => Some(true),
            Some("month-first") => Some(false),
            Some(other) => return Err(MappingError::Order(other.into())),
        };
        Ok(out)
    }

    /// True where it says nothing.
    pub fn is_empty(&self) -> bool {
        *self == RecordMapping::default()
    }

    /// What the mapping says of a header: `None` where it says nothing, `Some(None)` for `keep`.
    pub(super) fn column(&self, header: &str) -> Option<Option<Field>> {
        let name = self.columns.get(&plain(header))?;
        Some(Field::parse(name))
    }

    pub(super) fn state(&self, status: &str) -> &str {
        match self.states.get(&plain(status)) {
            Some(state) => state,
            None => state(status),
        }
    }

    pub(super) fn order(&self) -> Option<Order> {
        self.day_first.map(|day| if day { Order::DayFirst } else { Order::MonthFirst })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wrong_words_are_named_with_what_is_allowed() {
        let error =
            |columns: &[(&'static str, &'static str)], states: &[(&'static str, &'static str)], order| {
                RecordMapping::new(columns.iter().copied(), states.iter().copied(), order)
                    .unwrap_err()
                    .to_string()
            };
        let wrong = error(&[("Bemerkung BL", "anwser")], &[], None);
        assert!(wrong.contains("`Bemerkung BL`") && wrong.contains("official-answer"), "{wrong}");
        assert!(error(&[], &[("pendent", "offen")], None).contains("open, answered, closed, void"));
        assert!(error(&[], &[], Some("mdy")).contains("day-first or month-first"));
        assert!(error(&[("Frage A", "question"), ("frage-a", "keep")], &[], None).contains("twice"));
        assert!(error(&[(" - ", "question")], &[], None).contains("no name"));
    }
}
