//! Formulas without a stored value: a program that computes nothing wrote them, and no text of theirs is there to
//! be found.

use super::package::Package;
use super::{warn, workbook};
use crate::error::ReadError;
use crate::formats::walk::{Descend, Tag, Visitor};
use crate::model::Document;
use crate::text::counted;

/// Cells that are named for one sheet.
const NAMED: usize = 10;

/// Warns of the cells of each sheet whose formula has no value.
pub(super) fn check(package: &mut Package<'_>, document: &mut Document) -> Result<(), ReadError> {
    for (sheet, part) in workbook::sheets(package)? {
        let mut cells = Cells::default();
        package.visit(&part, &mut cells)?;
        if cells.without > 0 {
            let message = format!(
                "sheet '{sheet}': {} not read ({}{}); open the \
                 workbook in its program, let it compute and save it",
                counted(
                    cells.without,
                    "cell holds a formula without a value and was",
                    "cells hold a formula without a value and were"
                ),
                cells.named.join(", "),
                if cells.without > NAMED as u64 { ", …" } else { "" }
            );
            warn(document, "formula-without-value", message);
        }
    }
    Ok(())
}

#[derive(Default)]
struct Cells {
    without: u64,
    named: Vec<String>,
    cell: String,
    has_formula: bool,
    has_value: bool,
    /// The cell holds the text of a formula's result, which may be empty.
    is_text: bool,
}

impl Visitor for Cells {
    fn open(&mut self, name: &str, tag: &Tag<'_>) -> Descend {
        match name {
            "c" => {
                (self.has_formula, self.has_value) = (false, false);
                self.is_text = tag.attribute("t").is_some_and(|t| t == "str");
                self.cell = tag.attribute("r").unwrap_or_default().chars().take(12).collect();
            }
            "f" => {
                self.has_formula = true;
                return Descend::Skip;
            }
            // Programs that compute nothing write an empty value for a number.
            "v" => self.has_value |= self.is_text,
            "is" => {
                self.has_value = true;
                return Descend::Skip;
            }
            _ => {}
        }
        Descend::Into
    }

    fn close(&mut self, name: &str) {
        if name == "c" && self.has_formula && !self.has_value {
            self.without += 1;
            if self.named.len() < NAMED {
                self.named.push(std::mem::take(&mut self.cell));
            }
        }
    }

    fn text(&mut self, text: &str) {
        self.has_value |= !text.trim().is_empty();
    }
}
