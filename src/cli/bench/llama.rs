//! llama.cpp's own bench, run between this program's measurements.

use std::path::{Path, PathBuf};
use std::process::Command;

use serde::Deserialize;

use super::middle;
use crate::cli::Failure;

/// Its tiled matrix product, off and on: which one is quicker depends on the model.
pub(super) const WAYS: [&str; 2] = ["0", "1"];

/// What `llama-bench` prints of one test.
#[derive(Debug, Deserialize)]
pub(super) struct Tested {
    build_commit: String,
    build_number: u64,
    /// Tokens written; 0 where a prompt was read.
    pub(super) n_gen: usize,
    /// Tokens per second.
    pub(super) avg_ts: f64,
}

impl Tested {
    /// The program and its version.
    pub(super) fn program(&self) -> String {
        format!("llama.cpp {} ({})", self.build_number, self.build_commit)
    }
}

/// The folder that holds `llama-bench`, and the model.
#[derive(Debug)]
pub(super) struct Llama<'a> {
    pub(super) folder: &'a Path,
    pub(super) model: &'a Path,
    pub(super) threads: usize,
}

impl Llama<'_> {
    /// One run of `llama-bench` with its tiled product off or on (see [`WAYS`]).
    ///
    /// # Errors
    /// The program is not there or gives no result.
    pub(super) fn bench(&self, tiled: &str, options: &[(&str, usize)]) -> Result<Vec<Tested>, Failure> {
        let program: PathBuf = self.folder.join("llama-bench");
        let mut command = Command::new(&program);
        command.env("GGML_CPU_TILED_MM", tiled).args(["-o", "json", "-r", "1"]);
        command.arg("-m").arg(self.model).args(["-t", &self.threads.to_string()]);
        for (option, value) in options {
            command.args([*option, &value.to_string()]);
        }
        let output = command.output().map_err(|e| Failure::failed(format!("{}: {e}", program.display())))?;
        let unusable = |problem: String| {
            let said = String::from_utf8_lossy(&output.stderr);
            let last = said.lines().last().unwrap_or_default();
            Failure::failed(format!("{} gave no usable result ({problem}): {last}", program.display()))
        };
        if !output.status.success() {
            return Err(unusable(output.status.to_string()));
        }
        serde_json::from_slice(&output.stdout).map_err(|e| unusable(e.to_string()))
    }
}

/// Before anything is measured: that the folder holds the program.
///
/// # Errors
/// It does not.
pub(super) fn check(folder: &Path) -> Result<(), Failure> {
    if folder.join("llama-bench").is_file() {
        return Ok(());
    }
    Err(Failure::usage(format!(
        "{} holds no llama-bench; name the folder of llama.cpp's programs",
        folder.display()
    )))
}

/// Tokens per second of llama.cpp, each way apart.
#[derive(Debug, Default)]
pub(super) struct Samples([Vec<f64>; 2]);

impl Samples {
    /// Keeps a run of the way with this place in [`WAYS`].
    pub(super) fn push(&mut self, way: usize, tokens_per_s: f64) {
        if let Some(samples) = self.0.get_mut(way) {
            samples.push(tokens_per_s);
        }
    }

    /// The median of the better way; nothing without a run.
    pub(super) fn best(&self) -> Option<f64> {
        self.0.iter().filter(|samples| !samples.is_empty()).cloned().map(middle).reduce(f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_better_way_counts_with_its_median() {
        let mut samples = Samples::default();
        assert_eq!(samples.best(), None);
        [30.0, 10.0, 20.0].into_iter().for_each(|s| samples.push(0, s));
        assert_eq!(samples.best(), Some(20.0));
        [25.0, 90.0, 21.0].into_iter().for_each(|s| samples.push(1, s));
        assert_eq!(samples.best(), Some(25.0));
    }
}
