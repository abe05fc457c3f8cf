//! Reading events back.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::append::{format_time, payload_path};
use super::entry::{Content, Entry};
use super::envelope::Envelope;
use super::payload::{self, Sealed};
use super::shred::Shredded;
use super::tiles::WIDTH;
use super::{Log, LogError};

/// Which events to read. Empty fields do not limit.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ListFilter {
    /// At or after this time.
    pub from: Option<Timestamp>,
    /// Before this time.
    pub to: Option<Timestamp>,
    /// Kinds, see [`Event::kind`](crate::event::Event::kind).
    pub kinds: Vec<String>,
    /// Outcomes, see [`Event::outcome`](crate::event::Event::outcome).
    pub outcomes: Vec<String>,
    /// User name, as in [`Actor::name`](crate::event::Actor).
    pub actor: Option<String>,
    /// Pseudonym of a user.
    pub actor_pid: Option<String>,
    /// Project.
    pub project: Option<String>,
    /// Identifier the event is about: a document, question, run or case.
    pub target: Option<String>,
    /// Identifier of a figure on the report, see [`crate::report::QUERIES`].
    pub query: Option<String>,
    /// At or after this position.
    pub first_seq: u64,
    /// At most so many events.
    pub limit: Option<usize>,
    /// Leave payloads sealed: faster, and no key is touched.
    pub envelopes_only: bool,
}

impl Log {
    /// Calls `each` with the envelopes, as far as they have not been removed, from position `first` on, in order, until it returns false.
    ///
    /// # Errors
    /// When a bundle is missing or cannot be read.
    pub fn envelopes(
        &self,
        first: u64,
        mut each: impl FnMut(Envelope) -> Result<bool, LogError>,
    ) -> Result<(), LogError> {
        for n in (first / WIDTH as u64..self.bundles()).filter(|n| !self.pruned.has(*n)) {
            for envelope in self.bundle_envelopes(n)? {
                if envelope.seq >= first && !each(envelope)? {
                    return Ok(());
                }
            }
        }
        for leaf in &self.tail {
            let envelope = Envelope::read(leaf).map_err(|what| LogError::damaged("tail", what))?;
            if envelope.seq >= first && !each(envelope)? {
                return Ok(());
            }
        }
        Ok(())
    }

    /// The events that `filter` lets through, oldest first, payloads decrypted where their keys still exist.
    ///
    /// # Errors
    /// When the log cannot be read; a payload that cannot be read is not an error but shown as such.
    pub fn list(&mut self, filter: &ListFilter) -> Result<Vec<Entry>, LogError> {
        let wanted = Wanted::new(self, filter)?;
        let limit = filter.limit.unwrap_or(usize::MAX);
        let mut found = Vec::new();
        self.envelopes(filter.first_seq, |envelope| {
            if found.len() < limit && wanted.takes(&envelope) {
                found.push(envelope);
            }
            Ok(found.len() < limit)
        })?;
        if filter.envelopes_only {
            return Ok(found
                .into_iter()
                .map(|envelope| Entry { envelope, content: Content::Sealed })
                .collect());
        }
        let shredded = Shredded::read(self)?;
        let mut out = Vec::with_capacity(found.len());
        let mut file: Option<(u64, HashMap<u64, Sealed>)> = None;
        for envelope in found {
            let n = envelope.seq / WIDTH as u64;
            if file.as_ref().is_none_or(|(m, _)| *m != n) {
                let bytes = self.storage.read(&payload_path(n))?.unwrap_or_default();
                file = Some((n, payload::parse(&bytes).0.into_iter().map(|l| (l.seq, l)).collect()));
            }
            let sealed = file.as_ref().and_then(|(_, lines)| lines.get(&envelope.seq));
            let content = self.content(&envelope, sealed, &shredded)?;
            out.push(Entry { envelope, content });
        }
        Ok(out)
    }

    fn content(
        &mut self,
        envelope: &Envelope,
        sealed: Option<&Sealed>,
        shredded: &Shredded,
    ) -> Result<Content, LogError> {
        let Some(sealed) = sealed else { return Ok(Content::Unreadable) };
        let fits = sealed.commitment().map(hex::encode).as_deref() == Some(&envelope.payload_commit);
        let kek = self.keys.wrapping(&sealed.kek)?.filter(|_| fits);
        let text = kek.and_then(|kek| sealed.open(&envelope.event_id, &kek));
        if let Some(value) = text.and_then(|t| serde_json::from_slice(&t).ok()) {
            return Ok(Content::Clear(value));
        }
        Ok(if shredded.has(envelope, &sealed.kek) { Content::Shredded } else { Content::Unreadable })
    }
}

impl ListFilter {
    /// Refuses names that do not exist: an empty list would look like a finding.
    ///
    /// # Errors
    /// [`LogError::NoKind`] or [`LogError::NoQuery`].
    pub fn check(&self) -> Result<(), LogError> {
        if let Some(kind) = self.kinds.iter().find(|k| !crate::event::KINDS.contains(&k.as_str())) {
            return Err(LogError::NoKind(kind.clone()));
        }
        match &self.query {
            Some(id) if crate::report::query(id).is_none() => Err(LogError::NoQuery(id.clone())),
            _ => Ok(()),
        }
    }
}

/// A filter with names turned into pseudonyms.
struct Wanted<'a> {
    filter: &'a ListFilter,
    actor: Option<String>,
    project: Option<String>,
    /// Times as they stand in envelopes, which sort as text.
    from: Option<String>,
    to: Option<String>,
    query: Option<&'static crate::report::Query>,
}

impl<'a> Wanted<'a> {
    fn new(log: &Log, filter: &'a ListFilter) -> Result<Self, LogError> {
        filter.check()?;
        let query = filter.query.as_deref().and_then(crate::report::query);
        Ok(Self {
            filter,
            actor: filter.actor.as_ref().map(|name| log.actor_pseudonym(name)),
            project: filter.project.as_ref().map(|p| log.project_pseudonym(p)),
            from: filter.from.map(format_time),
            to: filter.to.map(format_time),
            query,
        })
    }

    fn takes(&self, e: &Envelope) -> bool {
        let f = self.filter;
        let any = |list: &[String], value: &str| list.is_empty() || list.iter().any(|v| v == value);
        any(&f.kinds, &e.kind)
            && any(&f.outcomes, &e.outcome)
            && self.actor.as_ref().is_none_or(|a| *a == e.actor_pid)
            && f.actor_pid.as_ref().is_none_or(|a| *a == e.actor_pid)
            && self.project.as_ref().is_none_or(|p| e.project_id.as_ref() == Some(p))
            && f.target.as_ref().is_none_or(|t| e.target_ids.contains(t))
            && self.query.is_none_or(|q| q.takes(e))
            && self.from.as_ref().is_none_or(|from| e.ts_utc >= *from)
            && self.to.as_ref().is_none_or(|to| e.ts_utc < *to)
    }
}
