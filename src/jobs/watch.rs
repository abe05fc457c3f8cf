//! Running again over what changes, as soon as it is quiet.
//!
//! Every source is walked again and again, and the stamps of its files are compared. The system's own
//! notices of changes would come sooner, but of what other machines do on a network share there are none,
//! and that is where a firm's files lie.

use std::{
    collections::BTreeMap,
    sync::Arc,
    time::{Duration, Instant},
};

use super::{
    JobError, Jobs, Progress, RunOptions, RunSummary, blocking,
    scan::{self, Filter},
};
use crate::{audit::Actor, catalog::FileStamp, config::SourceConfig};

/// The pause between two looks is at least so many times what a look takes.
const REST: u32 = 10;

/// The files of a source and their stamps; `None` where the folder cannot be read.
type Seen = Option<BTreeMap<String, FileStamp>>;

/// What is known of a watched source.
#[derive(Default)]
struct Watched {
    /// As the last run found it.
    taken_in: Seen,
    /// As the last look found it.
    last: Seen,
}

impl Watched {
    /// Whether a run is due: something changed since the last one, and nothing since the last look. A file
    /// that is being written has another stamp at every look.
    fn is_due(&mut self, now: Seen) -> bool {
        let is_quiet = now == self.last;
        self.last = now;
        is_quiet && self.last != self.taken_in
    }
}

impl Jobs {
    /// Runs once, then again over every source in which something changed, until dropped. `done` hears of
    /// every run.
    ///
    /// # Errors
    /// The first run fails. Later ones that fail are logged, and tried again at the next look.
    pub async fn watch(
        &self,
        actor: &Actor,
        options: &RunOptions,
        progress: impl Fn(Progress) + Send + Sync,
        done: impl Fn(&RunSummary) + Send + Sync,
    ) -> Result<(), JobError> {
        let sources = self.chosen(options)?;
        let mut watched: Vec<Watched> = Vec::new();
        for source in &sources {
            // Before the run: what changes during it is seen at the next look.
            let seen = look(source).await?;
            watched.push(Watched { taken_in: seen.clone(), last: seen });
        }
        done(&self.run(actor, options, &progress).await?);
        let pause = Duration::from_secs(u64::from(self.config.ingest.watch_seconds));
        let mut took = Duration::ZERO;
        loop {
            tokio::time::sleep(pause.max(took * REST)).await;
            let started = Instant::now();
            for (source, watched) in sources.iter().zip(&mut watched) {
                if !watched.is_due(look(source).await?) {
                    continue;
                }
                let one = RunOptions { source: Some(source.name.clone()), ..RunOptions::default() };
                match self.run(actor, &one, &progress).await {
                    Ok(summary) => {
                        watched.taken_in.clone_from(&watched.last);
                        done(&summary);
                    }
                    Err(JobError::Busy) => {}
                    Err(error) => tracing::error!(source = source.name, %error, "run failed"),
                }
            }
            took = started.elapsed();
        }
    }

    /// For `serve`: watches where `ingest.watch` says so, until dropped.
    pub async fn watch_if_wanted(self: Arc<Self>, actor: Actor) {
        let pause = Duration::from_secs(u64::from(self.config.ingest.watch_seconds));
        while self.config.ingest.watch && !self.config.sources.is_empty() {
            let told = |summary: &RunSummary| {
                tracing::info!(elapsed_ms = summary.elapsed_ms, "run done: {summary}");
            };
            if let Err(error) = self.watch(&actor, &RunOptions::default(), |_| {}, told).await {
                tracing::error!(%error, "watching failed; it begins again in a while");
            }
            tokio::time::sleep(pause).await;
        }
    }
}

async fn look(source: &SourceConfig) -> Result<Seen, JobError> {
    let filter = Filter::new(source)?;
    let root = source.path.clone();
    Ok(blocking(move || scan::scan(&root, &filter)).await?.ok().map(|scan| scan.files))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(files: &[(&str, u64)]) -> Seen {
        let stamp = |size| FileStamp { size, ..FileStamp::default() };
        Some(files.iter().map(|&(path, size)| (path.to_owned(), stamp(size))).collect())
    }

    #[test]
    fn a_run_is_due_once_a_change_has_come_to_rest() {
        let first = seen(&[("a.pdf", 1)]);
        let mut watched = Watched { taken_in: first.clone(), last: first.clone() };
        assert!(!watched.is_due(first.clone()));
        assert!(!watched.is_due(seen(&[("a.pdf", 1), ("b.pdf", 10)])), "it may still be written");
        assert!(!watched.is_due(seen(&[("a.pdf", 1), ("b.pdf", 20)])), "it still is");
        assert!(watched.is_due(seen(&[("a.pdf", 1), ("b.pdf", 20)])));
        watched.taken_in.clone_from(&watched.last);
        assert!(!watched.is_due(seen(&[("a.pdf", 1), ("b.pdf", 20)])), "it was taken in");
        assert!(!watched.is_due(first.clone()) && watched.is_due(first), "a file that goes is a change, too");
    }

    #[test]
    fn a_folder_that_goes_and_comes_back_as_it_was_is_no_change() {
        let first = seen(&[("a.pdf", 1)]);
        let mut watched = Watched { taken_in: first.clone(), last: first.clone() };
        assert!(!watched.is_due(None));
        assert!(!watched.is_due(first.clone()) && !watched.is_due(first));
    }
}
