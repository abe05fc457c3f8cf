//! Operations on the processor.
//!
//! [`Cpu`] holds the threads and the instruction set; every operation takes it. Buffers are flat slices in row
//! order, shapes are written `(rows, columns)`.

mod activations;
mod attention;
mod blocks;
mod cache;
mod chunk;
mod context;
mod elementwise;
mod matmul;
mod matrix;
mod norm;
mod pages;
mod peak;
mod pool;
#[cfg(test)]
mod random;
mod rope;
mod scores;
mod select;
mod simd;
mod slab;
#[cfg(test)]
mod tests;
mod tile;

pub use activations::{Activations, Precision};
pub use attention::{Attention, Heads, attention};
pub(crate) use blocks::{Block32, Block256, block32, block256, check_finite};
pub use blocks::{BlockKind, dequantise};
pub use cache::{KvCache, KvKind, KvShape, PAGE_TOKENS, Span, store};
pub use context::{Cpu, Level};
pub use elementwise::{Gate, add, add_bias, gated, gelu_erf, gelu_tanh, scale, silu, softmax, tanh};
pub use matmul::{Product, matmul};
pub use matrix::Matrix;
pub use norm::{l2_normalise, layer_norm, mean_rows, rms_norm};
pub use peak::{integer_peak, read_bandwidth};
#[cfg(test)]
pub(crate) use random::Random;
pub use rope::{Pairing, RopeTable, rope};
pub use select::{argmax, top_k};
