use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Document, Warning};
use crate::text::counted;

/// Rejected records named one by one; of the others the number is told.
const NAMED: usize = 200;

/// Where records come from: a sheet, a file of topics, a list in JSON. Says what became of each column
/// and of each record.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Register {
    /// Name of the sheet, the file or the list.
    pub name: String,
    /// What is counted: `row`, `topic` or `item`.
    pub unit: String,
    /// Row of the header, from 1, where there is one.
    #[serde(default)]
    pub header_row: Option<u32>,
    /// Its columns, in their order.
    #[serde(default)]
    pub columns: Vec<Column>,
    /// What went in and what came of it.
    pub counts: RecordCounts,
    /// Why records were rejected, by place.
    #[serde(default)]
    pub rejected: Vec<RejectedRecord>,
}

/// A column of a register and the field that it fills.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Column {
    /// Number, from 1.
    pub number: u32,
    /// Header as it stands in the file, may be empty.
    pub header: String,
    /// Name of the field; empty where the column is kept under its own header.
    #[serde(default)]
    pub field: String,
    /// True where the source's mapping file says so.
    #[serde(default)]
    pub by_mapping: bool,
    /// Cells with content.
    pub filled: u64,
    /// Cells that should be dates and are not; their text is kept under the header.
    #[serde(default)]
    pub unread: u64,
}

/// Counts of a register. `found` is `stored + merged + rejected`, whatever the file holds.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RecordCounts {
    /// Records in the file.
    pub found: u64,
    /// Records that came out.
    pub stored: u64,
    /// Rows that are part of a record above: one row for each recipient, replies, tables of answers.
    pub merged: u64,
    /// Records left out, each with its reason.
    pub rejected: u64,
}

impl RecordCounts {
    /// Keys of the document's metadata under which the sums stand.
    pub const KEYS: [&'static str; 4] = ["records_found", "records", "records_merged", "records_rejected"];

    /// True where nothing is unaccounted for.
    pub fn balance(&self) -> bool {
        self.found == self.stored + self.merged + self.rejected
    }

    /// The sums that a document's metadata hold; `None` where it is no register.
    pub fn of(metadata: &BTreeMap<String, String>) -> Option<Self> {
        let number = |key: &str| metadata.get(key)?.parse::<u64>().ok();
        let [found, stored, merged, rejected] = Self::KEYS.map(number);
        Some(RecordCounts { found: found?, stored: stored?, merged: merged?, rejected: rejected? })
    }
}

/// A record that was left out.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct RejectedRecord {
    /// Where it stands: `row 12`, `topic 7ddc…`, `item 3`.
    pub place: String,
    /// Why.
    pub reason: String,
}

impl Document {
    /// Takes a register in: its counts go into the sums of the metadata, its rejected records and dates
    /// that are none become warnings.
    pub(crate) fn take_register(&mut self, register: Register) {
        let counts = &register.counts;
        let new = [counts.found, counts.stored, counts.merged, counts.rejected];
        for (key, count) in RecordCounts::KEYS.into_iter().zip(new) {
            let so_far: u64 = self.metadata.get(key).and_then(|v| v.parse().ok()).unwrap_or(0);
            self.metadata.insert(key.into(), (so_far + count).to_string());
        }
        let name = &register.name;
        let mut warn = |code: &str, message: String| {
            self.warnings.push(Warning { code: code.into(), message, page: None })
        };
        for one in register.rejected.iter().take(NAMED) {
            warn("record-rejected", format!("'{name}', {}: {}", one.place, one.reason));
        }
        if let Some(more) = register.rejected.len().checked_sub(NAMED).filter(|n| *n > 0) {
            warn("record-rejected", format!("'{name}': {more} more rejected"));
        }
        for column in register.columns.iter().filter(|c| c.unread > 0) {
            let (header, unread) = (&column.header, column.unread);
            warn(
                "no-date",
                format!(
                    "'{name}', column '{header}': {}, kept as text",
                    counted(unread, "cell is no date", "cells are no dates")
                ),
            );
        }
        self.registers.push(register);
    }
}
