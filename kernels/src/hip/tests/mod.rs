//! The library's look-up, and every kernel of `kernels/hip` on the processor.

mod gemv;
mod host;
mod lookup;
mod quantise;

use crate::cpu::Random;
