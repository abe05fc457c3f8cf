//! How many planted errors the verifier finds, and how many right answers it withholds.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::Serialize;

use crate::answer::pairs::{Finding, Pair, parse};
use crate::cli::{Failure, Output};

#[derive(Debug, clap::Args)]
pub(in crate::cli) struct Args {
    /// Answers with their sources, one JSON object a line: language, sources, answer, wrong, kind, half
    #[arg(long, value_name = "FILE")]
    pairs: PathBuf,
    /// Only this half; rules are adjusted on half a alone
    #[arg(long, value_name = "a|b")]
    half: Option<String>,
    /// Print the answers that were judged wrongly, this many of each kind
    #[arg(long, value_name = "N", default_value_t = 0)]
    failures: usize,
}

/// Wrong answers found of all wrong ones, or right ones withheld of all right ones.
#[derive(Debug, Default, Clone, Copy, Serialize)]
struct Tally {
    pairs: usize,
    caught: usize,
}

impl Tally {
    fn percent(self) -> f64 {
        if self.pairs == 0 { 0.0 } else { 100.0 * self.caught as f64 / self.pairs as f64 }
    }
}

/// What was measured.
#[derive(Debug, Default, Serialize)]
pub(super) struct Report {
    wrong: Tally,
    right: Tally,
    kinds: BTreeMap<String, Tally>,
    languages: BTreeMap<String, [Tally; 2]>,
    #[serde(skip)]
    failures: Vec<String>,
}

/// Reads the pairs and judges each.
///
/// # Errors
/// The file cannot be read, or a line is no pair.
pub(super) fn run(args: &Args) -> Result<Report, Failure> {
    let text = std::fs::read_to_string(&args.pairs)
        .map_err(|e| Failure::failed(format!("the pairs {} cannot be read: {e}", args.pairs.display())))?;
    let mut report = Report::default();
    let mut shown: BTreeMap<String, usize> = BTreeMap::new();
    for pair in parse(&text)?.iter().filter(|p| args.half.as_ref().is_none_or(|h| *h == p.half)) {
        let finding = pair.verify();
        report.take(pair, finding);
        let n = shown.entry(pair.kind.clone()).or_default();
        if (finding != Finding::Holds) != pair.wrong && *n < args.failures {
            *n += 1;
            report.failures.push(format!("{} {} {finding:?}: {}", pair.language, pair.kind, pair.answer));
        }
    }
    Ok(report)
}

impl Report {
    fn take(&mut self, pair: &Pair, finding: Finding) {
        let caught = usize::from(finding != Finding::Holds);
        let of_language = self.languages.entry(pair.language.clone()).or_default();
        let [of_wrong, of_right] = of_language;
        let (all, language) =
            if pair.wrong { (&mut self.wrong, of_wrong) } else { (&mut self.right, of_right) };
        let kind = self.kinds.entry(pair.kind.clone()).or_default();
        for tally in [all, language, kind] {
            tally.pairs += 1;
            tally.caught += caught;
        }
    }

    /// Prints it.
    pub(super) fn show(&self, out: &Output) {
        let line = |name: &str, t: Tally| {
            out.line(format!("{name}: {} of {} ({:.1} %)", t.caught, t.pairs, t.percent()))
        };
        line("wrong answers found", self.wrong);
        line("right answers withheld", self.right);
        for (language, [wrong, right]) in &self.languages {
            line(&format!("  {language}: found"), *wrong);
            line(&format!("  {language}: withheld"), *right);
        }
        for (kind, tally) in &self.kinds {
            line(&format!("  {kind}"), *tally);
        }
        self.failures.iter().for_each(|f| out.line(f));
    }
}
