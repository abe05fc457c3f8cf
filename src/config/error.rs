use std::path::PathBuf;

/// Why settings cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum ConfigError {
    /// The file named with `--config` or `DOSSIER_CONFIG` is missing, or a file cannot be read.
    #[error("cannot read the configuration {path}: {source}")]
    Read {
        /// The file.
        path: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// Not TOML, or a value of the wrong sort.
    #[error("{path}: {message}")]
    Syntax {
        /// The file.
        path: PathBuf,
        /// Line, column and what was expected there.
        message: String,
    },
    /// A key that does not exist.
    #[error("{path}: unknown key `{key}`{}", nearest.as_ref().map(|k| format!("; did you mean `{k}`?")).unwrap_or_default())]
    UnknownKey {
        /// The file.
        path: PathBuf,
        /// The key as typed, with its section.
        key: String,
        /// The known key that is spelt most like it.
        nearest: Option<String>,
    },
    /// A value that cannot be.
    #[error("{path}: `{key}` {problem}")]
    Value {
        /// The file.
        path: PathBuf,
        /// The key, with its section.
        key: String,
        /// What is wrong and what is allowed.
        problem: String,
    },
    /// No data folder is named and there is no home folder.
    #[error("no data folder: pass --data DIR, or set DOSSIER_DATA or HOME")]
    NoHome,
}
