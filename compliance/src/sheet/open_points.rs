//! What is open. Found from the figures and from what is missing; nothing is left out.

use super::content::Context;
use super::format::{day, fill};

/// How urgent a point is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Level {
    /// Something is wrong.
    Red,
    /// Something is missing.
    Amber,
}

/// The open points, most urgent first.
pub(super) fn open_points(c: &Context<'_>) -> Vec<(Level, String)> {
    let mut out = wrong(c);
    out.extend(missing(c));
    out.extend(c.facts.open_points.iter().map(|p| (Level::Amber, p.clone())));
    out.sort_by_key(|(level, _)| *level);
    out
}

fn wrong(c: &Context<'_>) -> Vec<(Level, String)> {
    let (w, figures, facts) = (c.words, c.figures, c.facts);
    let mut out = Vec::new();
    let mut red = |n: u64, one: &str, many: &str| {
        if n > 0 {
            out.push((Level::Red, c.counted(n, one, many)));
        }
    };
    red(figures.integrity.problems, w.o_problems_one, w.o_problems_many);
    red(figures.integrity.gaps, w.o_gaps_one, w.o_gaps_many);
    red(facts.overdue_requests.unwrap_or(0), w.o_overdue_one, w.o_overdue_many);
    let through = facts.egress_test.as_ref().map_or(0, |t| t.attempts.saturating_sub(t.refused));
    red(through, w.o_egress_failed_one, w.o_egress_failed_many);
    out
}

fn missing(c: &Context<'_>) -> Vec<(Level, String)> {
    let (w, figures, facts) = (c.words, c.figures, c.facts);
    let mut out = Vec::new();
    if figures.counts.is_empty() {
        out.push(w.o_nothing.to_owned());
    } else if let Some(since) = figures.recorded_since {
        out.push(fill(w.o_since, &[&day(since, &c.zone, c.lang)]));
    }
    if facts.egress_test.is_none() {
        out.push(w.o_egress.to_owned());
    }
    let counted = |q| figures.count(q).unwrap_or(0);
    let unverified = counted("U2").saturating_sub(counted("U3")).saturating_sub(counted("U4"));
    if unverified > 0 {
        out.push(c.counted(unverified, w.o_unverified_one, w.o_unverified_many));
    }
    if facts.dpia_on.is_none() {
        out.push(w.o_dpia.to_owned());
    }
    if facts.last_witness.is_none() {
        out.push(w.o_witness.to_owned());
    }
    if facts.last_timestamp.is_none() {
        out.push(w.o_timestamp.to_owned());
    }
    let list =
        |labels: Vec<&str>, text: &str| (!labels.is_empty()).then(|| fill(text, &[&labels.join(", ")]));
    out.extend(list(unstated(c), w.o_missing));
    out.extend(list(unmeasured(c), w.o_unmeasured));
    out.into_iter().map(|text| (Level::Amber, text)).collect()
}

/// Labels of facts that nobody stated.
fn unstated<'a>(c: &Context<'a>) -> Vec<&'a str> {
    let (w, f) = (c.words, c.facts);
    let fields = [
        (w.firm, f.firm.is_none()),
        (w.controller, f.controller.is_none()),
        (w.contact, f.contact.is_none()),
        (w.purpose, f.purpose.is_none()),
        (w.annex_iii, f.classification_reason.is_none()),
        (w.excluded, f.excluded_uses.is_empty()),
        (w.reviewed, f.reviewer.is_none() || f.reviewed_on.is_none()),
        (w.categories, f.data_categories.is_empty()),
        (w.persons, f.person_categories.is_empty()),
        (w.place, f.storage_place.is_none()),
        (w.recipients, f.recipients.is_empty()),
        (w.abroad, f.abroad.is_none()),
        (w.retention, f.retention.is_none()),
        (w.flows, f.permitted_flows.is_none()),
    ];
    fields.into_iter().filter(|(_, missing)| *missing).map(|(label, _)| label).collect()
}

/// Labels of figures that nobody measured.
fn unmeasured<'a>(c: &Context<'a>) -> Vec<&'a str> {
    let (w, figures) = (c.words, c.figures);
    if figures.counts.is_empty() {
        return Vec::new();
    }
    let fields = [
        (w.signed_off, "U5"),
        (w.negative, "U6"),
        (w.blocked, "N1"),
        (w.requests, "R1"),
        (w.incidents, "R4"),
    ];
    fields.into_iter().filter(|(_, q)| figures.count(q).is_none()).map(|(label, _)| label).collect()
}
