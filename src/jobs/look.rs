//! Looking into a file: its bytes, and what the reader makes of them.

use std::{
    collections::{HashSet, VecDeque},
    path::PathBuf,
    time::Duration,
};

use tokio::task::JoinHandle;

use super::{
    JobError, blocking,
    load::{self, LoadProblem},
    plan::{Candidate, Rules},
};
use crate::{
    catalog::FileStamp,
    worker::{Reading, Worker, WorkerError},
};

/// What looking into a file needs, wherever it is done.
pub(super) struct Looker {
    pub(super) root: PathBuf,
    pub(super) rules: Rules,
    pub(super) max_bytes: u64,
    /// Hashes of documents whose file is gone: they may only have moved.
    pub(super) gone: HashSet<String>,
    pub(super) worker: Worker,
}

/// What a look into a file brought.
pub(super) enum Look {
    /// Its bytes are those of its known version, or of a document whose file is gone.
    Same(FileStamp, String),
    /// They are new, and this is what the reader made of them.
    Read(FileStamp, String, Result<Box<Reading>, WorkerError>),
    /// They are not to be had.
    Problem(LoadProblem),
}

impl Looker {
    pub(super) async fn look(&self, candidate: &Candidate, may_have_moved: bool) -> Result<Look, JobError> {
        let (path, max_bytes) = (self.root.join(&candidate.path), self.max_bytes);
        let mut loaded = match blocking(move || load::load(&path, max_bytes)).await? {
            Ok(loaded) => loaded,
            Err(problem) => return Ok(Look::Problem(problem)),
        };
        let same = match &candidate.known {
            Some(state) => state.sha256 == loaded.sha256 && self.rules.fits(state, &candidate.path),
            None => may_have_moved && self.gone.contains(&loaded.sha256),
        };
        if same {
            return Ok(Look::Same(loaded.stamp, loaded.sha256));
        }
        if let Some(parts) = self.rules.joined.get(&candidate.path) {
            let (parts, root, main) = (parts.clone(), self.root.clone(), candidate.path.clone());
            let packed = move || {
                let bytes = parts.pack(&root, &main, &loaded, max_bytes)?;
                Ok(load::Loaded { bytes, ..loaded })
            };
            loaded = match blocking(packed).await? {
                Ok(packed) => packed,
                Err(problem) => return Ok(Look::Problem(problem)),
            };
        }
        let name = candidate.path.rsplit('/').next().unwrap_or(&candidate.path);
        let reading = self.worker.read_mapped(&loaded.bytes, name, &self.rules.mapping).await.map(Box::new);
        Ok(Look::Read(loaded.stamp, loaded.sha256, reading))
    }
}

/// With the time that it took.
pub(super) type Looked = Result<(Candidate, Look, Duration), JobError>;

/// Looks that are under way, in the order of the plan; given up when dropped.
#[derive(Default)]
pub(super) struct Ahead(pub(super) VecDeque<JoinHandle<Looked>>);

impl Drop for Ahead {
    fn drop(&mut self) {
        self.0.iter().for_each(JoinHandle::abort);
    }
}
