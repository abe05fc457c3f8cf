//! The sandboxed child process that turns untrusted bytes into documents and pages into images.
//!
//! Every file is read by a fresh child: no network, no file access, bounded memory and time. A file
//! that kills its reader costs that file, never the run. The child gets the bytes through a pipe and
//! answers through a pipe; it never sees a path.
//!
//! Pages that are images are read by Tesseract, in a sandbox of its own: see [`OcrOptions`].

mod child;
mod error;
pub mod files;
pub mod network;
mod ocr;
mod parent;
mod protocol;
pub mod sandbox;

pub use child::main as child_main;
pub use error::WorkerError;
pub use ocr::OcrOptions;
pub use parent::{Reading, Worker, WorkerOptions};
pub use sandbox::Probe;
