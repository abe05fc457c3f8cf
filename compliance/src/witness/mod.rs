//! Witnesses: somebody with a key of their own looks on from outside.
//!
//! The log writes a [`Request`]: its newest checkpoint and the proof that the tree only grew since the witness
//! last saw it. The witness ([`Witness`]) checks both against what it remembers and countersigns (C2SP
//! `tlog-cosignature`, Ed25519). The countersigned checkpoint goes back into the log's folder.
//!
//! A log that was rewritten or rolled back to an older copy cannot get past a witness that saw more of it. What
//! the witness remembers is all that this rests on: its folder belongs on another machine or on a stick that
//! lies in a drawer.
//!
//! | file in the witness's folder | holds | who edits it gains |
//! |---|---|---|
//! | `witness.key` | name and secret key | can countersign in the witness's name |
//! | `witness.vkey` | the public key | nothing: it follows from the secret one |
//! | `seen/ID` | the newest checkpoint of a log, and the log's public key | lets an older or another log pass |

mod key;
mod memory;
mod request;
#[cfg(test)]
mod tests;

pub use key::{Countersigned, WitnessKey};
pub use memory::{Witness, WitnessError};
pub use request::Request;
