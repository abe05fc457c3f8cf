//! What an operation says when its arguments do not fit together.

use std::fmt;

/// A tensor's shape, outermost dimension first. Shown as `(3, 576)`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape(pub Vec<usize>);

impl fmt::Display for Shape {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let dims: Vec<String> = self.0.iter().map(usize::to_string).collect();
        write!(f, "({})", dims.join(", "))
    }
}

/// Every failure of this crate. No operation changes its outputs when it returns one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum KernelError {
    /// An argument's shape does not fit the others.
    #[error("{op}: {what} must be {expected} but is {found}")]
    Shape {
        /// The operation.
        op: &'static str,
        /// The argument at fault.
        what: &'static str,
        /// The shape that would fit.
        expected: Shape,
        /// The shape that was given.
        found: Shape,
    },
    /// A dimension is not a multiple of what the format or the operation works in.
    #[error("{op}: {what} is {found}, which is not a positive multiple of {multiple}")]
    Multiple {
        /// The operation.
        op: &'static str,
        /// The dimension at fault.
        what: &'static str,
        /// Its required divisor.
        multiple: usize,
        /// Its value.
        found: usize,
    },
    /// A plain value is outside of its range.
    #[error("{op}: {what}")]
    Argument {
        /// The operation.
        op: &'static str,
        /// The rule that was broken, with the values.
        what: String,
    },
    /// The system gives no more memory.
    #[error("no memory for {bytes} bytes of weights: free some, or take a smaller model")]
    Memory {
        /// What was asked for.
        bytes: usize,
    },
    /// A weight, or the scale or minimum of a block of weights, is infinite or no number.
    #[error("the number at byte {offset} of the weights is infinite or none")]
    NotFinite {
        /// Where it begins, in bytes from the start of what was given.
        offset: usize,
    },
    /// The activations were not prepared for this kind of matrix.
    #[error("{op}: the activations were not quantised for {kind} weights")]
    Unprepared {
        /// The operation.
        op: &'static str,
        /// The weights' kind.
        kind: &'static str,
    },
    /// The requested instruction set does not exist on this machine.
    #[error("this processor cannot run the {0} kernels")]
    Level(&'static str),
}

/// Checks that a flat buffer holds exactly the product of `dims` values.
pub(crate) fn check_len(
    op: &'static str,
    what: &'static str,
    found: usize,
    dims: &[usize],
) -> Result<(), KernelError> {
    let expected = dims.iter().try_fold(1usize, |n, &d| n.checked_mul(d));
    if expected == Some(found) {
        return Ok(());
    }
    Err(KernelError::Shape { op, what, expected: Shape(dims.to_vec()), found: Shape(vec![found]) })
}

/// Checks that `found` is a positive multiple of `multiple`.
pub(crate) fn check_multiple(
    op: &'static str,
    what: &'static str,
    found: usize,
    multiple: usize,
) -> Result<(), KernelError> {
    if found > 0 && found.is_multiple_of(multiple) {
        return Ok(());
    }
    Err(KernelError::Multiple { op, what, multiple, found })
}
