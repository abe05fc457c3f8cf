//! What the flows share: a data folder of their own, and the program run on it.

pub(crate) mod person;
pub(crate) mod scan;

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

/// The program under test.
pub(crate) const DOSSIER: &str = env!("CARGO_BIN_EXE_dossier");

/// The sample project.
pub(crate) fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/testdata/sample")
}

/// A model file, or a failure that says how to get it.
pub(crate) fn model(name: &str) -> PathBuf {
    let folder = std::env::var_os("DOSSIER_MODELS").map(PathBuf::from).unwrap_or_else(|| {
        PathBuf::from(std::env::var_os("HOME").expect("HOME is set")).join(".cache/dossier/models")
    });
    let path = folder.join(name);
    assert!(path.is_file(), "{} is missing: run `make models`", path.display());
    path
}

/// A data folder with one source folder, deleted at the end.
pub(crate) struct Appliance {
    folder: tempfile::TempDir,
}

impl Appliance {
    /// An initialised data folder whose source `files` is empty. Without models: search is lexical.
    pub(crate) fn new() -> Self {
        let appliance = Appliance { folder: tempfile::tempdir().unwrap() };
        fs::create_dir(appliance.files()).unwrap();
        let output = appliance.command(&["init"]).output().unwrap();
        assert!(output.status.success(), "init: {}", String::from_utf8_lossy(&output.stderr));
        let config = format!(
            "[[source]]\nname = \"files\"\npath = {:?}\nproject = \"Rosenmatt\"\n",
            appliance.files().display().to_string()
        );
        fs::write(appliance.data().join("dossier.toml"), config).unwrap();
        appliance
    }

    /// The data folder.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.path().join("data")
    }

    /// The folder that is ingested.
    pub(crate) fn files(&self) -> PathBuf {
        self.folder.path().join("files")
    }

    /// Puts a file into the source.
    pub(crate) fn write(&self, name: &str, contents: impl AsRef<[u8]>) {
        let path = self.files().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }

    /// The program with `--data` set and nothing on stdin.
    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(DOSSIER);
        command.arg("--data").arg(self.data()).args(arguments);
        command.stdin(Stdio::null()).env_remove("DOSSIER_CONFIG").env_remove("DOSSIER_DATA");
        command
    }

    /// Runs the program and returns its exit code and output.
    pub(crate) fn run(&self, arguments: &[&str]) -> (i32, Output) {
        let output = self.command(arguments).output().unwrap();
        (output.status.code().unwrap_or(-1), output)
    }

    /// Runs the program with `--json`, expects one of the exit codes 0 and 3 and returns its JSON object.
    pub(crate) fn json(&self, arguments: &[&str]) -> serde_json::Value {
        let (code, output) = self.run(&[&["--json"], arguments].concat());
        let text = String::from_utf8_lossy(&output.stdout);
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(code == 0 || code == 3, "{arguments:?}: exit {code}\n{text}\n{errors}");
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{arguments:?}: {e}\n{text}\n{errors}"))
    }
}
