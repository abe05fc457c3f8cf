//! The audit trail of Dossier: what is recorded ([`event`]), how it is kept so that later changes show
//! ([`log`]), where it is kept
//! ([`storage`]), and who looks on from outside ([`witness`], [`timestamp`]).
//!
//! The crate never decides whether work may go on; it reports that an event could not be made durable and
//! leaves the refusal to the caller. It opens no network connection and knows nothing of documents.

pub mod annex;
pub mod event;
pub mod forms;
pub mod log;
pub mod marking;
pub mod report;
pub mod sheet;
pub mod storage;
pub mod timestamp;
pub mod witness;
