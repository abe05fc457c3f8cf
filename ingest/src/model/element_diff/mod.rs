//! What changed between two versions of a model.

mod comparison;
mod fields;

use std::fmt;

use serde::{Deserialize, Serialize};

pub use comparison::{DiffLimits, ModelComparison, diff_elements};

/// What became of the elements between two versions of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelDiff {
    /// How many there are, listed or not.
    pub counts: ElementCounts,
    /// Only in the later version, in its order.
    pub added: Vec<ElementRef>,
    /// Only in the earlier version, in its order.
    pub removed: Vec<ElementRef>,
    /// In both, with something changed, in the later version's order.
    pub changed: Vec<ElementChange>,
}

/// Elements by what became of them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ElementCounts {
    /// Only in the later version.
    pub added: u64,
    /// Only in the earlier version.
    pub removed: u64,
    /// In both, with something changed.
    pub changed: u64,
    /// The same in both.
    pub unchanged: u64,
}

impl fmt::Display for ElementCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ElementCounts { added, removed, changed, unchanged } = self;
        write!(f, "{added} added, {removed} removed, {changed} changed, {unchanged} unchanged")
    }
}

/// An element by what people call it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ElementRef {
    /// 22-character GlobalId.
    pub global_id: String,
    /// Entity name as in the standard.
    pub class: String,
    /// Name, may be empty.
    pub name: String,
    /// Name of the storey, may be empty.
    pub storey: String,
}

/// An element that is no longer what it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementChange {
    /// The element as the later version has it.
    #[serde(flatten)]
    pub element: ElementRef,
    /// What changed, in the order of the fields.
    pub fields: Vec<FieldChange>,
    /// How many further fields changed that are not listed.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub more: u64,
}

fn is_zero(n: &u64) -> bool {
    *n == 0
}

/// A value before and after; empty where there was or is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// `name`, `type`, `storey`, `materials`, …, `Set.Property` or a quantity's name.
    pub field: String,
    /// The earlier version's value.
    pub before: String,
    /// The later version's value.
    pub after: String,
}

impl ModelDiff {
    /// The same with fewer elements listed.
    pub fn shortened(&self, elements: usize) -> Self {
        let mut diff = self.clone();
        diff.added.truncate(elements);
        diff.removed.truncate(elements);
        diff.changed.truncate(elements);
        diff
    }
}

/// One line for each element and changed field, the counts last.
impl fmt::Display for ModelDiff {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |f: &mut fmt::Formatter<'_>, sign: char, e: &ElementRef| {
            writeln!(f, "{sign} {}  {}  {}  {}", e.global_id, e.class, e.name, e.storey)
        };
        self.added.iter().try_for_each(|e| line(f, '+', e))?;
        self.removed.iter().try_for_each(|e| line(f, '-', e))?;
        for change in &self.changed {
            line(f, '~', &change.element)?;
            for field in &change.fields {
                writeln!(f, "      {}: '{}' -> '{}'", field.field, field.before, field.after)?;
            }
            if change.more > 0 {
                writeln!(f, "      and {} more fields", change.more)?;
            }
        }
        write!(f, "{}", self.counts)
    }
}
