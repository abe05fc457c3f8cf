//! What each figure on the report counts.

use crate::log::Envelope;

/// A count over envelopes that stands behind a figure. `audit list --query ID` lists the same events.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Query {
    /// Identifier, printed beside the figure.
    pub id: &'static str,
    /// Kinds that count.
    pub kinds: &'static [&'static str],
    /// Outcomes that count, as whole words or, with a `*` at the end, as beginnings; all if empty.
    pub outcomes: &'static [&'static str],
    /// True if the program records these kinds whenever they happen, so that none means zero. Otherwise none
    /// at all in the log means that nobody measured.
    pub always: bool,
}

impl Query {
    /// True if the event counts.
    pub fn takes(&self, e: &Envelope) -> bool {
        let fits = |pattern: &&str| match pattern.strip_suffix('*') {
            Some(start) => e.outcome.starts_with(start),
            None => e.outcome == **pattern,
        };
        self.kinds.contains(&e.kind.as_str()) && (self.outcomes.is_empty() || self.outcomes.iter().any(fits))
    }
}

const fn q(
    always: bool,
    id: &'static str,
    kinds: &'static [&'static str],
    outcomes: &'static [&'static str],
) -> Query {
    Query { id, kinds, outcomes, always }
}

/// Every query, in the order of the report.
pub const QUERIES: &[Query] = &[
    q(true, "U1", &["question"], &[]),
    q(true, "U2", &["answer"], &[]),
    q(true, "U3", &["answer"], &["verified"]),
    q(true, "U4", &["answer"], &["abstained"]),
    q(false, "U5", &["feedback"], &["signed_off"]),
    q(false, "U6", &["feedback"], &["negative"]),
    q(true, "U7", &["search"], &[]),
    q(true, "U8", &["login", "question", "search", "document_access"], &[]),
    q(false, "U9", &["feedback"], &[]),
    q(true, "A1", &["login_failed"], &[]),
    q(true, "A2", &["permission_change"], &[]),
    q(true, "A3", &["export"], &[]),
    q(true, "A4", &["log_read", "payload_read"], &["ok", "audit"]),
    q(true, "A5", &["document_access"], &[]),
    q(true, "A6", &["login"], &[]),
    q(true, "D1", &["ingest"], &[]),
    q(true, "D2", &["delete"], &[]),
    q(false, "N1", &["egress_blocked"], &["refused"]),
    q(false, "R1", &["case"], &["request_opened"]),
    q(false, "R2", &["case"], &["request_closed*"]),
    q(false, "R3", &["case"], &["erasure_closed*"]),
    q(false, "R4", &["case"], &["incident_opened"]),
    q(false, "R5", &["case"], &["notification_closed*"]),
    q(true, "R6", &["key_shred"], &[]),
    q(true, "P1", &["gap", "clock_jump"], &[]),
    q(true, "P2", &["verify"], &[]),
    q(true, "P3", &["verify"], &["failed"]),
    q(true, "M1", &["model_change"], &[]),
];

/// The query with that identifier.
pub fn query(id: &str) -> Option<&'static Query> {
    QUERIES.iter().find(|q| q.id == id)
}
