//! Typed queries over everything that a reader may see: how many, which ones, how much in all.
//!
//! A query is put together from closed sets of fields, measures and groups; texts of a reader only ever go in as
//! values. The scope is part of every statement.

mod documents;
mod elements;
mod measure;
mod plans;
mod records;
#[cfg(test)]
mod tests;
mod vocabulary;

pub use documents::{CountedDocument, DocumentGroup, DocumentQuery};
pub use elements::{CountedElement, ElementCondition, ElementField, ElementGroup, ElementQuery};
pub use measure::{Measure, Range};
pub use plans::PlanPassage;
pub use records::{
    CountedRecord, DateField, PersonField, RecordCondition, RecordField, RecordGroup, RecordPlace,
    RecordQuery,
};
pub use vocabulary::{BuildingNode, StoreyNode};

use rusqlite::types::Value;

/// What a query found: all of it in numbers, the first rows one by one.
#[derive(Debug, Clone, PartialEq)]
pub struct Counted<T> {
    /// How many there are.
    pub total: u64,
    /// The first of them, as many as were asked for.
    pub rows: Vec<T>,
    /// How many there are of each sort, where the query groups; the largest first.
    pub groups: Vec<Group>,
    /// The measure over all of them, where the query has one.
    pub measured: Option<Measured>,
    /// How many more there might be: they meet every other condition, and what a condition asks for is not stated.
    pub unstated: u64,
}

/// One sort of what was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct Group {
    /// What they have in common; empty where it is not stated.
    pub key: String,
    /// How many.
    pub count: u64,
    /// Their measure summed up, in SI units.
    pub sum: Option<f64>,
}

/// A measure over all that was counted, in SI units.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Measured {
    /// How many state it.
    pub stated: u64,
    /// Sum of those.
    pub sum: f64,
    /// Smallest.
    pub min: f64,
    /// Largest.
    pub max: f64,
}

impl Measured {
    /// The mean of those that state it.
    pub fn mean(&self) -> f64 {
        if self.stated == 0 { 0.0 } else { self.sum / self.stated as f64 }
    }
}

/// The condition of a statement with its values, in order.
#[derive(Debug, Default)]
struct Where {
    text: String,
    values: Vec<Value>,
}

impl Where {
    /// Adds a value; gives its mark.
    fn value(&mut self, value: impl Into<Value>) -> String {
        self.values.push(value.into());
        format!("?{}", self.values.len())
    }

    /// Adds several values as one array for `json_each`; gives its mark.
    fn list(&mut self, values: &[String]) -> String {
        let json = serde_json::to_string(values).unwrap_or_else(|_| "[]".to_owned());
        self.value(json)
    }

    fn and(&mut self, condition: &str) {
        if !self.text.is_empty() {
            self.text.push_str(" AND ");
        }
        self.text.push_str(condition);
    }
}

/// Whether an element's class is one of these; any class but openings and other bodies that only shape their host
/// where there are none.
fn of_class(w: &mut Where, classes: &[String]) {
    if classes.is_empty() {
        w.and("e.class NOT LIKE 'IfcOpening%' AND e.class NOT LIKE '%Feature%'");
        w.and("e.class NOT IN ('IfcProjectionElement', 'IfcSpace', 'IfcAnnotation', 'IfcGrid')");
        return;
    }
    let mark = w.list(classes);
    w.and(&format!("e.class IN (SELECT value FROM json_each({mark}))"));
}
