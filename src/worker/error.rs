use ingest::ReadError;

/// Why a file could not be read or a page not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// The reader looked at the file and refused it.
    #[error(transparent)]
    Rejected(#[from] ReadError),
    /// The reader ran longer than allowed and was killed.
    #[error(
        "reading took longer than {seconds} s and was stopped; split the file or raise ingest.worker_seconds"
    )]
    TimedOut {
        /// The limit.
        seconds: u64,
    },
    /// The reader needed more memory than allowed.
    #[error(
        "reading needed more than {megabytes} MB of memory and was stopped; split the file or raise ingest.worker_memory_mb"
    )]
    OutOfMemory {
        /// The limit.
        megabytes: u64,
    },
    /// The reader ended without an answer.
    #[error("the reader stopped unexpectedly ({how}); keep the file and report it")]
    Died {
        /// Exit code or signal.
        how: String,
    },
    /// The answer was longer than any honest one.
    #[error("the reader's answer exceeds {megabytes} MB; split the file")]
    AnswerTooLarge {
        /// The limit.
        megabytes: u64,
    },
    /// The child process could not be started or spoken to.
    #[error("the reader process {program} could not be used: {source}")]
    Start {
        /// Program that was to be started.
        program: String,
        /// What the system said.
        source: std::io::Error,
    },
    /// The sandbox could not be closed, so nothing was read.
    #[error("the sandbox could not be set up ({detail}); `dossier doctor` says what is missing")]
    Sandbox {
        /// What failed.
        detail: String,
    },
}

impl WorkerError {
    /// True where the file is at fault, false where the machine is: then a later run may succeed.
    pub fn is_the_files_fault(&self) -> bool {
        !matches!(self, WorkerError::Start { .. } | WorkerError::Sandbox { .. })
    }
}
