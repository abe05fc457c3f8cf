use std::sync::Arc;

use super::*;
use crate::event::{Actor, CaseKind, Event, Rating, Role};
use crate::log::{ListFilter, Log, Provenance};
use crate::storage::{MemoryStorage, PowerSwitch};
use jiff::{SignedDuration, Timestamp};
use std::sync::atomic::{AtomicI64, Ordering};

fn log(events: Vec<(Actor, Event)>) -> Log {
    let power = PowerSwitch::default();
    let (storage, keys) = (MemoryStorage::new(power.clone()), MemoryStorage::new(power));
    let ticks = AtomicI64::new(0);
    let start: Timestamp = "2026-11-30T08:00:00Z".parse().unwrap();
    let clock = Arc::new(move || start + SignedDuration::from_mins(ticks.fetch_add(1, Ordering::SeqCst)));
    let mut log = Log::open(Arc::new(storage), Arc::new(keys), clock, Provenance::default(), None).unwrap();
    for (actor, event) in events {
        log.append(&actor, event).unwrap();
    }
    log
}

fn user(name: &str) -> Actor {
    Actor::user(name, Role::Reader, None)
}

fn feedback(rating: Rating, sign_off: bool) -> Event {
    Event::Feedback { question: "q".into(), rating, correction: None, sign_off, verifier: None }
}

fn case(id: &str, days: Option<u32>) -> Event {
    let result = days.map(|_| "done".to_owned());
    Event::Case { id: id.into(), case: CaseKind::Request, due: None, result, days }
}

fn period() -> (Timestamp, Timestamp) {
    ("2026-11-01T00:00:00Z".parse().unwrap(), "2026-12-01T00:00:00Z".parse().unwrap())
}

fn count(log: &Log, from: Timestamp, to: Timestamp) -> Result<Figures, crate::log::LogError> {
    figures(log, log.verify()?, from, to)
}

#[test]
fn every_figure_can_be_recounted() {
    let failed = Event::LoginFailed { attempted: "x".into(), reason: "unknown".into(), ip: None };
    let mut log = log(vec![
        (user("a"), Event::Logout),
        (Actor::anonymous(), failed.clone()),
        (Actor::anonymous(), failed),
        (user("a"), feedback(Rating::Negative, false)),
        (user("b"), feedback(Rating::Positive, true)),
        (user("c"), case("1", None)),
        (user("c"), case("1", Some(4))),
        (user("c"), case("2", Some(30))),
        (user("c"), case("3", Some(9))),
        (Actor::system(), Event::Verify { ok: false, size: 1, problems: 1 }),
    ]);
    let (from, to) = period();
    let f = count(&log, from, to).unwrap();
    let expected =
        [("A1", 2), ("U6", 1), ("U5", 1), ("U9", 2), ("R1", 1), ("R2", 3), ("P2", 1), ("P3", 1), ("U1", 0)];
    for (query, count) in expected {
        assert_eq!(f.count(query), Some(count), "{query}");
    }
    assert_eq!(f.request_days, Some(9));
    assert_eq!(f.integrity.size, 10);
    for query in QUERIES {
        let filter =
            ListFilter { query: Some(query.id.into()), from: Some(from), to: Some(to), ..Default::default() };
        let listed = log.list(&filter).unwrap().len() as u64;
        assert_eq!(f.count(query.id).unwrap_or(0), listed, "{}", query.id);
    }
}

#[test]
fn none_is_not_the_same_as_not_measured() {
    let (from, to) = period();
    let empty = count(&log(Vec::new()), from, to).unwrap();
    assert!(empty.counts.is_empty());
    assert_eq!(empty.users, None);
    let started = count(&log(vec![(user("a"), Event::Logout)]), from, to).unwrap();
    assert_eq!(started.count("A1"), Some(0), "sign-ins are always recorded");
    assert_eq!(started.count("N1"), None, "nobody watches the network yet");
    assert_eq!(started.recorded_since, Some("2026-11-30T08:00:00Z".parse().unwrap()));
}

#[test]
fn the_period_limits_the_count() {
    let log =
        log((0..10).map(|_| (user("a"), Event::LogRead { range: "x".into(), reason: "y".into() })).collect());
    let at = |minute: i64| {
        "2026-11-30T08:00:00Z".parse::<Timestamp>().unwrap() + SignedDuration::from_mins(minute)
    };
    assert_eq!(count(&log, at(2), at(5)).unwrap().count("A4"), Some(3));
    assert_eq!(count(&log, at(2), at(5)).unwrap().recorded_since, None);
    assert!(count(&log, at(-9), at(-5)).unwrap().counts.is_empty());
}

#[test]
fn identifiers_are_unique() {
    let mut ids: Vec<&str> = QUERIES.iter().map(|q| q.id).collect();
    ids.sort_unstable();
    ids.dedup();
    assert_eq!(ids.len(), QUERIES.len());
    assert!(query("U1").is_some() && query("u1").is_none());
}
