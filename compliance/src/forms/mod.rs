//! Forms, notices and records that the law asks the firm for, as drafts from the configuration in force.
//!
//! The texts lie in `texts/LANGUAGE/FORM.txt`, so that a lawyer can read and change them. A line is a paragraph, or
//! begins with what it is: `#` the title, `=` what it is based on, `##` a heading, `-` an item, `*` an item for each
//! value of a list, `[]` a box to tick, `__` a line to fill in, `|` a row of label and value. `{name}` stands for a
//! value. Nothing here claims that the law is met: a form is a draft, and says so.

mod block;
mod page;
mod set;
#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::log::sha256;
use crate::report::Lang;

pub use block::Block;
pub use page::{About, pdf};

/// A form.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Form {
    /// Record of processing activities (FADP 12).
    Record,
    /// Data protection impact assessment (FADP 22).
    Dpia,
    /// Processing regulations (DPO 5).
    Regulations,
    /// What staff are told (FADP 19).
    NoticeStaff,
    /// What everybody is told about the AI (AI Act 50).
    NoticeAi,
    /// What those who work with it have to know (AI Act 4).
    Instruction,
    /// Fundamental rights impact assessment (AI Act 27).
    Fria,
    /// What of the output is marked, and what is not (AI Act 50(2)).
    Marking,
    /// Report of a breach of data security (FADP 24). Made for a case, not from the configuration alone.
    Incident,
}

/// Values that change by themselves, or by what is done every day: that they do makes no form out of date.
const PASSING: &[&str] = &["documents", "projects", "accounts", "roles", "egress", "witness", "holds"];

/// Values by name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Values(BTreeMap<&'static str, Vec<String>>);

impl Values {
    /// Sets a value; an empty text is as good as none.
    pub fn set(&mut self, name: &'static str, value: impl Into<String>) {
        self.set_all(name, [value.into()]);
    }

    /// Sets a value that is a list.
    pub fn set_all(&mut self, name: &'static str, values: impl IntoIterator<Item = String>) {
        let stated = values.into_iter().filter(|v| !v.trim().is_empty()).collect();
        self.0.insert(name, stated);
    }

    fn get(&self, name: &str) -> &[String] {
        self.0.get(name).map_or(&[], Vec::as_slice)
    }
}

impl Form {
    /// Those that are made from the configuration.
    pub const MADE: [Self; 8] = [
        Self::Record,
        Self::Dpia,
        Self::Regulations,
        Self::NoticeStaff,
        Self::NoticeAi,
        Self::Instruction,
        Self::Fria,
        Self::Marking,
    ];

    /// The word for it on the command line and in names of files.
    pub fn code(self) -> &'static str {
        match self {
            Self::Record => "record",
            Self::Dpia => "dpia",
            Self::Regulations => "regulations",
            Self::NoticeStaff => "notice-staff",
            Self::NoticeAi => "notice-ai",
            Self::Instruction => "instruction",
            Self::Fria => "fria",
            Self::Marking => "marking",
            Self::Incident => "incident",
        }
    }

    /// The form of that word, of those that are made from the configuration.
    pub fn parse(code: &str) -> Option<Self> {
        Self::MADE.into_iter().find(|form| form.code() == code)
    }

    /// Its text with the names of values.
    fn text(self, lang: Lang) -> &'static str {
        macro_rules! of {
            ($name:literal) => {
                match lang {
                    Lang::De => include_str!(concat!("texts/de/", $name, ".txt")),
                    Lang::Fr => include_str!(concat!("texts/fr/", $name, ".txt")),
                    Lang::It => include_str!(concat!("texts/it/", $name, ".txt")),
                    Lang::En => include_str!(concat!("texts/en/", $name, ".txt")),
                }
            };
        }
        match self {
            Self::Record => of!("record"),
            Self::Dpia => of!("dpia"),
            Self::Regulations => of!("regulations"),
            Self::NoticeStaff => of!("notice_staff"),
            Self::NoticeAi => of!("notice_ai"),
            Self::Instruction => of!("instruction"),
            Self::Fria => of!("fria"),
            Self::Marking => of!("marking"),
            Self::Incident => of!("incident"),
        }
    }

    /// Title and what it is based on.
    pub fn head(self, lang: Lang) -> (&'static str, &'static str) {
        let line =
            |mark: &str| self.text(lang).lines().find_map(|l| l.strip_prefix(mark)).unwrap_or_default();
        (line("# "), line("= "))
    }

    /// The form with its values.
    pub fn fill(self, lang: Lang, values: &Values) -> Vec<Block> {
        block::read(self.text(lang), lang, values)
    }

    /// SHA-256 over the text and the values that it was made from, hexadecimal. Where this differs, a form that was
    /// made is out of date.
    pub fn state(self, lang: Lang, values: &Values) -> String {
        let text = self.text(lang);
        let mut all = text.to_owned();
        for (name, values) in &values.0 {
            if !PASSING.contains(name) && text.contains(&format!("{{{name}}}")) {
                all.push_str(&format!("\n{name}={}", values.join("\u{1f}")));
            }
        }
        hex::encode(sha256(all.as_bytes()))
    }

    /// Which version of its text the program has: 12 digits that change with any word of any language.
    pub fn version(self) -> String {
        let all: String = Lang::ALL.map(|lang| self.text(lang)).concat();
        let mut sum = hex::encode(sha256(all.as_bytes()));
        sum.truncate(12);
        sum
    }
}

/// What stands for a value that the firm has not stated.
pub fn not_stated(lang: Lang) -> &'static str {
    match lang {
        Lang::De => "nicht angegeben",
        Lang::Fr => "non indiqué",
        Lang::It => "non indicato",
        Lang::En => "not stated",
    }
}
