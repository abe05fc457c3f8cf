//! What of an event goes into the envelope: kind, outcome, targets, retention.

use serde_json::Value;

use super::{Event, Finish, Rating};

/// Most target identifiers that one envelope lists; a leaf must stay under 64 KiB.
const MAX_TARGETS: usize = 256;

/// Prefix of the target that names a checkpoint; what follows is its size.
pub(crate) const CHECKPOINT_TARGET: &str = "checkpoint:";
/// Prefix of the target that names a signing key.
pub(crate) const VKEY_TARGET: &str = "vkey:";
/// Prefix of the target that names removed bundles; what follows is `FIRST-LAST`.
pub(crate) const BUNDLES_TARGET: &str = "bundles:";

/// Every kind of event, see [`Event::kind`].
pub const KINDS: [&str; 39] = [
    "server_start",
    "server_stop",
    "login",
    "login_failed",
    "logout",
    "question",
    "retrieval",
    "answer",
    "search",
    "document_access",
    "ingest_run",
    "ingest",
    "change",
    "delete",
    "export",
    "permission_change",
    "config_change",
    "model_change",
    "log_read",
    "feedback",
    "egress_blocked",
    "case",
    "key_shred",
    "erasure",
    "verify",
    "checkpoint",
    "key_rotation",
    "prune",
    "witness",
    "timestamp",
    "egress_test",
    "hold",
    "use_refused",
    "acknowledgement",
    "payload_access",
    "payload_read",
    "incident_report",
    "gap",
    "clock_jump",
];

impl Event {
    /// Name of the kind, as stored in the envelope and used in queries.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::ServerStart { .. } => "server_start",
            Self::ServerStop => "server_stop",
            Self::Login { .. } => "login",
            Self::LoginFailed { .. } => "login_failed",
            Self::Logout => "logout",
            Self::Question { .. } => "question",
            Self::Retrieval { .. } => "retrieval",
            Self::Answer { .. } => "answer",
            Self::Search { .. } => "search",
            Self::DocumentAccess { .. } => "document_access",
            Self::IngestRun { .. } => "ingest_run",
            Self::Ingest { .. } => "ingest",
            Self::Change { .. } => "change",
            Self::Delete { .. } => "delete",
            Self::Export { .. } => "export",
            Self::PermissionChange { .. } => "permission_change",
            Self::ConfigChange { .. } => "config_change",
            Self::ModelChange { .. } => "model_change",
            Self::LogRead { .. } => "log_read",
            Self::Feedback { .. } => "feedback",
            Self::EgressBlocked { .. } => "egress_blocked",
            Self::Case { .. } => "case",
            Self::KeyShred { .. } => "key_shred",
            Self::Erasure { .. } => "erasure",
            Self::Verify { .. } => "verify",
            Self::Checkpoint { .. } => "checkpoint",
            Self::KeyRotation { .. } => "key_rotation",
            Self::Prune { .. } => "prune",
            Self::Witness { .. } => "witness",
            Self::Timestamp { .. } => "timestamp",
            Self::EgressTest { .. } => "egress_test",
            Self::Hold { .. } => "hold",
            Self::UseRefused { .. } => "use_refused",
            Self::Acknowledgement { .. } => "acknowledgement",
            Self::PayloadAccess { .. } => "payload_access",
            Self::PayloadRead { .. } => "payload_read",
            Self::IncidentReport { .. } => "incident_report",
            Self::Gap { .. } => "gap",
            Self::ClockJump { .. } => "clock_jump",
        }
    }

    /// A short code for how it went. The report's figures are counted from kind and outcome alone, so that
    /// they can still be recounted after payloads have been erased.
    pub fn outcome(&self) -> String {
        match self {
            // Without an attempt the event says that counting began.
            Self::EgressBlocked { count: 0, .. } => "counting".into(),
            Self::LoginFailed { .. } | Self::EgressBlocked { .. } | Self::UseRefused { .. } => {
                "refused".into()
            }
            Self::EgressTest { refused, attempts, .. } if refused < attempts => "failed".into(),
            Self::Hold { on, .. } => if *on { "set" } else { "lifted" }.into(),
            Self::Answer { finish: Finish::Failed, .. } => "failed".into(),
            Self::Answer { abstained: true, .. } => "abstained".into(),
            Self::Answer { finish: Finish::Cancelled, .. } => "cancelled".into(),
            Self::Answer { citations, .. } => match citations.iter().filter(|c| c.verified).count() {
                0 => "unverified".into(),
                n if n == citations.len() => "verified".into(),
                _ => "partly_verified".into(),
            },
            Self::IngestRun { rejected, .. } if *rejected > 0 => "with_rejects".into(),
            Self::Feedback { sign_off: true, .. } => "signed_off".into(),
            Self::Feedback { rating: Rating::Negative, .. } => "negative".into(),
            Self::Feedback { rating: Rating::Positive, .. } => "positive".into(),
            Self::Case { case, result, days, .. } => {
                let name = code(case);
                match (result, days) {
                    (None, _) => format!("{name}_opened"),
                    (Some(_), Some(days)) => format!("{name}_closed_{days}d"),
                    (Some(_), None) => format!("{name}_closed"),
                }
            }
            Self::Verify { ok: false, .. } => "failed".into(),
            Self::Erasure { found, .. } if *found > 0 => "failed".into(),
            Self::DocumentAccess { how, .. } => code(how),
            Self::PayloadAccess { step, .. } => code(step),
            Self::PayloadRead { purpose, .. } => code(purpose),
            _ => "ok".into(),
        }
    }

    /// Identifiers the event is about. Only opaque identifiers: no names, titles or paths.
    pub fn targets(&self) -> Vec<String> {
        let mut out: Vec<String> = match self {
            Self::Question { id, .. } | Self::Case { id, .. } | Self::Erasure { id, .. } => vec![id.clone()],
            Self::Retrieval { question, passages, .. } => {
                std::iter::once(question.clone()).chain(passages.iter().map(|p| p.document.clone())).collect()
            }
            Self::Answer { question, citations, .. } => std::iter::once(question.clone())
                .chain(citations.iter().map(|c| c.document.clone()))
                .collect(),
            Self::Feedback { question, .. } => vec![question.clone()],
            Self::DocumentAccess { document, .. }
            | Self::Ingest { document, .. }
            | Self::Change { document, .. }
            | Self::Delete { document, .. } => vec![document.clone()],
            Self::IngestRun { run, .. } => vec![run.clone()],
            Self::Export { sha256, .. } => vec![sha256.clone()],
            Self::ModelChange { after_sha256, before_sha256, .. } => {
                after_sha256.iter().chain(before_sha256).cloned().collect()
            }
            Self::ConfigChange { after_sha256, .. } => vec![after_sha256.clone()],
            Self::KeyShred { keys, .. } => return keys.clone(),
            Self::Prune { bundles, .. } => {
                return bundles.iter().map(|(a, b)| format!("{BUNDLES_TARGET}{a}-{b}")).collect();
            }
            // A public key may be longer than other targets.
            Self::KeyRotation { next_vkey, checkpoint, .. } => {
                let before = checkpoint.iter().map(|size| format!("{CHECKPOINT_TARGET}{size}"));
                return std::iter::once(format!("{VKEY_TARGET}{next_vkey}")).chain(before).collect();
            }
            Self::Witness { vkey, size, .. } => {
                return vec![format!("{CHECKPOINT_TARGET}{size}"), format!("{VKEY_TARGET}{vkey}")];
            }
            Self::Timestamp { size, sha256, .. } => {
                vec![format!("{CHECKPOINT_TARGET}{size}"), sha256.clone()]
            }
            Self::Hold { id, .. } | Self::PayloadAccess { id, .. } | Self::IncidentReport { id, .. } => {
                vec![id.clone()]
            }
            Self::PayloadRead { access, .. } => access.iter().cloned().collect(),
            Self::Acknowledgement { text } => vec![text.clone()],
            Self::Checkpoint { previous } => {
                previous.iter().map(|size| format!("{CHECKPOINT_TARGET}{size}")).collect()
            }
            _ => Vec::new(),
        };
        let mut seen = std::collections::HashSet::new();
        out.retain(|t| seen.insert(t.clone()));
        out.truncate(MAX_TARGETS);
        out.iter_mut().for_each(|t| cut(t, 128));
        out
    }

    /// The project the event belongs to, in clear; the envelope stores a pseudonym of it.
    pub(crate) fn project(&self) -> Option<&str> {
        match self {
            Self::Question { project, .. } | Self::Search { project, .. } => project.as_deref(),
            _ => None,
        }
    }

    /// Why the data is processed, as a short code.
    pub(crate) fn purpose(&self) -> &'static str {
        match self {
            Self::Question { .. }
            | Self::Retrieval { .. }
            | Self::Answer { .. }
            | Self::Search { .. }
            | Self::DocumentAccess { .. }
            | Self::Feedback { .. } => "project_search",
            Self::IngestRun { .. } | Self::Ingest { .. } | Self::Change { .. } | Self::Delete { .. } => {
                "indexing"
            }
            Self::Case { .. }
            | Self::KeyShred { .. }
            | Self::Erasure { .. }
            | Self::Hold { .. }
            | Self::Prune { .. }
            | Self::UseRefused { .. }
            | Self::PayloadAccess { .. }
            | Self::PayloadRead { .. }
            | Self::IncidentReport { .. }
            | Self::Acknowledgement { .. } => "data_protection",
            _ => "operation",
        }
    }

    /// Class that the retention rules name: `content` for texts of persons, `trail` for the rest, `case` for
    /// files that must outlive both, `chain` for what later signatures are checked by.
    pub(crate) fn retention_class(&self) -> &'static str {
        match self {
            Self::Question { .. } | Self::Answer { .. } | Self::Search { .. } | Self::Feedback { .. } => {
                "content"
            }
            Self::Case { .. }
            | Self::KeyShred { .. }
            | Self::Erasure { .. }
            | Self::Gap { .. }
            | Self::Hold { .. }
            | Self::IncidentReport { .. } => "case",
            Self::KeyRotation { .. } => "chain",
            _ => "trail",
        }
    }
}

/// The serialised name of a field-less enum value.
fn code(value: &impl serde::Serialize) -> String {
    match serde_json::to_value(value) {
        Ok(Value::String(s)) => s,
        _ => String::new(),
    }
}

/// Cuts `text` to at most `max` bytes at a character boundary.
fn cut(text: &mut String, max: usize) {
    if text.len() > max {
        let mut end = max;
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        text.truncate(end);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The list must be that of the enum itself, which the deserialiser spells out when it meets another word.
    #[test]
    fn the_kinds_are_those_of_the_events() {
        let error = serde_json::from_str::<Event>(r#"{"kind":"nope"}"#).unwrap_err().to_string();
        let named: Vec<&str> = error.split('`').skip(3).step_by(2).collect();
        assert_eq!(named, KINDS);
        let event: Event = serde_json::from_str(r#"{"kind":"checkpoint","previous":7}"#).unwrap();
        assert_eq!((event.kind(), event.targets()), ("checkpoint", vec!["checkpoint:7".to_owned()]));
    }
}
