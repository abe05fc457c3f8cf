//! What is told of the scans.

use std::collections::{BTreeMap, HashMap};

use serde::Serialize;

use super::page::Known;
use super::spoil::Condition;
use crate::cli::Output;

/// Words that are named for a page, of each sort.
const NAMED: usize = 25;

/// One scan.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Row {
    file: String,
    page: u32,
    group: &'static str,
    condition: Condition,
    dpi: u32,
    words: usize,
    /// Agreement of the bags of words with the known text: see [`super::super::score::token_f1`].
    f1: f64,
    /// Agreement of the order of characters.
    order: f64,
    /// As the reader gives it, 0 to 100; absent where no text was found.
    confidence: Option<f32>,
    /// The same of the other program.
    pub(super) peer_f1: Option<f64>,
    pub(super) peer_order: Option<f64>,
    /// Words that are missing and words that are too many.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) wrong: Option<(Vec<String>, Vec<String>)>,
}

impl Row {
    pub(super) fn new(
        page: &Known,
        condition: Condition,
        dpi: u32,
        (f1, order, confidence): (f64, f64, Option<f32>),
    ) -> Self {
        Row {
            file: String::new(),
            page: page.number,
            group: page.group,
            condition,
            dpi,
            words: page.words,
            f1,
            order,
            confidence,
            peer_f1: None,
            peer_order: None,
            wrong: None,
        }
    }

    pub(super) fn named(mut self, file: &str, with_words: bool) -> Self {
        file.clone_into(&mut self.file);
        self.wrong = self.wrong.filter(|_| with_words);
        self
    }

    /// As progress and for people.
    pub(super) fn line(&self) -> String {
        let peer = self.peer_f1.map(|f1| format!("  tesseract {f1:.3}")).unwrap_or_default();
        let sure = self.confidence.map_or("-".to_owned(), |c| format!("{c:.0}"));
        let mut line = format!(
            "{:.3}{peer}  {:<6} {:<12} {} dpi  {} words, confidence {sure}  {} page {}",
            self.f1, self.group, self.condition, self.dpi, self.words, self.file, self.page
        );
        if let Some((missing, extra)) = &self.wrong {
            line += &format!("\n    missing: {}\n    extra:   {}", missing.join(" "), extra.join(" "));
        }
        line
    }
}

/// Means over the scans of one sort.
#[derive(Debug, Serialize)]
struct Group {
    group: &'static str,
    condition: Condition,
    dpi: u32,
    pages: usize,
    f1: f64,
    order: f64,
    peer_f1: Option<f64>,
    peer_order: Option<f64>,
}

/// All figures.
#[derive(Debug, Default, Serialize)]
pub(in crate::cli::bench) struct Report {
    pub(super) languages: String,
    pub(super) rows: Vec<Row>,
    groups: Vec<Group>,
    /// Processor time of all processes, their start included.
    pub(super) cpu_seconds: f64,
    pub(super) peer_cpu_seconds: f64,
    pages_per_cpu_second: f64,
    peer_pages_per_cpu_second: Option<f64>,
}

impl Report {
    pub(super) fn new(languages: String) -> Self {
        Report { languages, ..Report::default() }
    }

    /// Fills in what follows from the rows.
    pub(super) fn sum_up(&mut self) {
        let mut sorts: BTreeMap<(Condition, u32, &'static str), Vec<&Row>> = BTreeMap::new();
        for row in &self.rows {
            for group in [row.group, "all"] {
                sorts.entry((row.condition, row.dpi, group)).or_default().push(row);
            }
        }
        self.groups = sorts
            .into_iter()
            .map(|((condition, dpi, group), rows)| Group {
                group,
                condition,
                dpi,
                pages: rows.len(),
                f1: mean(rows.iter().map(|r| r.f1)).unwrap_or(0.0),
                order: mean(rows.iter().map(|r| r.order)).unwrap_or(0.0),
                peer_f1: mean(rows.iter().filter_map(|r| r.peer_f1)),
                peer_order: mean(rows.iter().filter_map(|r| r.peer_order)),
            })
            .collect();
        let rate = |seconds: f64| if seconds > 0.0 { self.rows.len() as f64 / seconds } else { 0.0 };
        let own = rate(self.cpu_seconds);
        self.peer_pages_per_cpu_second =
            Some(rate(self.peer_cpu_seconds)).filter(|_| self.peer_cpu_seconds > 0.0);
        self.pages_per_cpu_second = own;
    }

    /// A table for people.
    pub(in crate::cli::bench) fn show(&self, out: &Output) {
        out.line(format!("languages {}; F1 of the bags of words, order of characters", self.languages));
        out.line(format!(
            "{:<12} {:>4} {:<7} {:>5}  {:>6} {:>6}  {:>9} {:>6}",
            "condition", "dpi", "group", "pages", "F1", "order", "tesseract", "order"
        ));
        let figure = |n: Option<f64>| n.map_or("-".to_owned(), |n| format!("{n:.3}"));
        for g in &self.groups {
            out.line(format!(
                "{:<12} {:>4} {:<7} {:>5}  {:>6.3} {:>6.3}  {:>9} {:>6}",
                g.condition.to_string(),
                g.dpi,
                g.group,
                g.pages,
                g.f1,
                g.order,
                figure(g.peer_f1),
                figure(g.peer_order)
            ));
        }
        let peer = self.peer_pages_per_cpu_second.map(|n| format!(", tesseract {n:.2}")).unwrap_or_default();
        out.line(format!("pages per CPU-second {:.2}{peer}", self.pages_per_cpu_second));
    }
}

fn mean(numbers: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = numbers.fold((0.0, 0_usize), |(sum, count), n| (sum + n, count + 1));
    (count > 0).then(|| sum / count as f64)
}

/// Words of the first text that the second lacks, and the other way round.
pub(super) fn differences(right: &str, read: &str) -> Option<(Vec<String>, Vec<String>)> {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    right.split_whitespace().for_each(|w| *counts.entry(w).or_default() += 1);
    read.split_whitespace().for_each(|w| *counts.entry(w).or_default() -= 1);
    let pick = |text: &str, sign: i64| {
        let mut left = counts.clone();
        let mut words = Vec::new();
        for word in text.split_whitespace() {
            if let Some(n) = left.get_mut(word).filter(|n| **n * sign > 0) {
                *n -= sign;
                words.push(word.to_owned());
            }
        }
        words.truncate(NAMED);
        words
    };
    Some((pick(right, 1), pick(read, -1)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn means_are_over_the_scans_of_a_sort_and_over_all() {
        let row = |group, f1| {
            let page = Known { number: 1, text: String::new(), words: 50, group };
            Row::new(&page, Condition::Plain, 200, (f1, 1.0, Some(90.0)))
        };
        let rows = vec![row("de", 0.9), row("de", 1.0), row("tables", 0.5)];
        let mut report = Report { rows, cpu_seconds: 6.0, ..Report::default() };
        report.sum_up();
        let found: Vec<(&str, usize, f64)> =
            report.groups.iter().map(|g| (g.group, g.pages, (g.f1 * 100.0).round())).collect();
        assert_eq!(found, [("all", 3, 80.0), ("de", 2, 95.0), ("tables", 1, 50.0)]);
        assert_eq!((report.pages_per_cpu_second, report.peer_pages_per_cpu_second), (0.5, None));
    }

    #[test]
    fn words_that_differ_are_named_as_often_as_they_differ() {
        let (missing, extra) = differences("die Wand die Decke", "die Wond Decke Decke").unwrap();
        assert_eq!((missing.join(" "), extra.join(" ")), ("die Wand".into(), "Wond Decke".into()));
    }
}
