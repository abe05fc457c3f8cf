//! How a text model serves readers: opening it, coming back to a conversation, guessing, remembering in fewer bytes.

mod drafts;
mod facts;
mod load;
mod returning;
mod text;

use std::ops::ControlFlow;
use std::path::Path;

use crate::cli::{Exit, Failure, Output};
use crate::engine::{GenerateOptions, Generation, Generator, ServeOptions, device_name};

#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Instead: opening the model beside reading its file, and its memory beside the plan
    #[arg(long, group = "instead")]
    load: bool,
    /// Instead: coming back to a conversation of so many tokens
    #[arg(long, group = "instead", value_name = "TOKENS", num_args = 0..=1, default_missing_value = "4000")]
    returning: Option<usize>,
    /// Instead: answers with and without guessed tokens
    #[arg(long, group = "instead")]
    drafts: bool,
    /// Instead: so many facts asked for in a full context, with keys and values of 16 bits and of 8
    #[arg(long, group = "instead", value_name = "N")]
    facts: Option<usize>,
    /// Tokens of the context, for `--load` and `--facts`
    #[arg(long, value_name = "TOKENS")]
    context: Option<usize>,
}

/// What is measured with.
struct Bench<'a> {
    model: &'a Path,
    threads: usize,
    runs: usize,
    out: &'a Output,
}

/// What came of it: lines for people, the same for programs.
#[derive(serde::Serialize)]
pub(super) struct Report {
    model: String,
    device: String,
    #[serde(skip)]
    lines: Vec<String>,
    #[serde(flatten)]
    figures: serde_json::Value,
}

impl Args {
    /// Whether one of these is asked for.
    pub(super) fn any(&self) -> bool {
        self.load || self.returning.is_some() || self.drafts || self.facts.is_some()
    }
}

/// Measures what is asked for, and prints it.
pub(super) fn run(
    args: &Args,
    model: &Path,
    threads: usize,
    runs: usize,
    out: &Output,
) -> Result<Exit, Failure> {
    let bench = Bench { model, threads, runs: runs.max(1), out };
    let report = match (args.load, args.returning, args.facts) {
        (true, ..) => load::run(&bench, args.context.unwrap_or(4096))?,
        (_, Some(tokens), _) => returning::run(&bench, tokens.max(64))?,
        (_, _, Some(facts)) => facts::run(&bench, facts.max(1), args.context.unwrap_or(8192))?,
        _ => drafts::run(&bench)?,
    };
    if out.wants_json() {
        out.value(&report)?;
    } else {
        report.lines.iter().for_each(|line| out.line(line.clone()));
    }
    Ok(Exit::Done)
}

impl Bench<'_> {
    fn open(&self, options: ServeOptions) -> Result<Generator, Failure> {
        Ok(Generator::open_with(self.model, &ServeOptions { threads: self.threads, ..options })?)
    }

    fn report(
        &self,
        model: &Generator,
        mut lines: Vec<String>,
        figures: &impl serde::Serialize,
    ) -> Result<Report, Failure> {
        let device = device_name(self.threads);
        let name = model.info().name.clone();
        lines.insert(0, format!("{name} ({}) on {device}", model.info().quantisation));
        Ok(Report { model: name, device, lines, figures: serde_json::to_value(figures)? })
    }
}

/// Goes on with a text, greedily, for at most so many tokens.
fn complete(model: &Generator, text: &str, max_tokens: usize) -> Result<Generation, Failure> {
    let options = GenerateOptions { max_tokens, ..GenerateOptions::default() };
    Ok(model.complete(text, &options, &mut |_| ControlFlow::Continue(()))?)
}
