//! Numeric operations for the language and embedding models, safe from outside.
//!
//! Every public function checks the shapes of its arguments and returns a [`KernelError`] that names them;
//! none panics on bad input. This is the only crate of the project that contains `unsafe` code: vector
//! instructions, the memory map, the thread pool, the calls into a HIP library, the allocator's settings,
//! listening for refused system calls.
//!
//! | module | does |
//! |---|---|
//! | [`cpu`] | block formats, matrix products, norms, RoPE, attention, on threads and vector units |
//! | [`hip`] | finds AMD's run-time library and asks it for its version and devices |
//! | [`MappedFile`] | the one memory map of the product |
//! | [`refusals`] | hears of system calls that a filter refuses |
//!
//! # Order of summation
//! A value never depends on how many rows were computed together, nor on the number of threads, nor on the
//! instruction set: each output element is one fixed sequence of separately rounded products and sums. The
//! tests compare every variant with the scalar one bit for bit.

mod allocator;
pub mod cpu;
mod error;
pub mod hip;
mod mapped;
pub mod refusals;

pub use error::{KernelError, Shape};
pub use mapped::{MapError, MappedFile};
