use std::time::Duration;

use super::*;

fn question(n: usize) -> Event {
    Event::Question {
        id: format!("q{n}"),
        text: "U-Wert?".into(),
        language: "de".into(),
        project: None,
        filter: None,
    }
}

fn anna() -> Actor {
    Actor::user("anna", Role::Reader, None)
}

#[test]
fn threads_share_the_log_and_nothing_is_lost() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let mut seqs: Vec<u64> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..8)
            .map(|t| {
                let audit = audit.clone();
                scope.spawn(move || -> Vec<u64> {
                    (0..40).map(|i| audit.record(&anna(), question(t * 100 + i)).unwrap().seq).collect()
                })
            })
            .collect();
        threads.into_iter().flat_map(|t| t.join().unwrap()).collect()
    });
    seqs.sort_unstable();
    assert_eq!(seqs, (0..320).collect::<Vec<u64>>());
    drop(audit);
    let audit = Audit::open(data.path(), "test").unwrap();
    let found = audit.verify().unwrap();
    assert!(found.ok, "{:?}", found.problems);
    assert_eq!(found.size, 320);
}

/// The disk refuses: no receipt, a clear message, and afterwards a gap that says how many were refused.
#[test]
fn no_log_no_answer_and_a_gap_afterwards() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let obstacle = data.path().join("audit/payload");
    std::fs::write(&obstacle, b"in the way").unwrap();
    for _ in 0..3 {
        let error = audit.record(&anna(), question(1)).unwrap_err();
        assert_eq!(error.code(), "log_unavailable");
        assert!(error.message(Lang::De).contains("Ohne Protokoll"));
        assert!(!error.message(Lang::En).contains(data.path().to_str().unwrap()));
    }
    std::fs::remove_file(&obstacle).unwrap();
    assert!(audit.record(&anna(), question(2)).is_err(), "not opened again at once");
    std::thread::sleep(Duration::from_millis(2100));
    audit.record(&anna(), question(3)).unwrap();
    let gaps = audit.list(&ListFilter { kinds: vec!["gap".into()], ..Default::default() }).unwrap();
    let Content::Clear(payload) = &gaps[0].content else { panic!("{gaps:?}") };
    assert_eq!(payload["event"]["refused"], 4);
    assert!(audit.verify().unwrap().ok);
}

#[test]
fn an_event_too_large_spoils_nothing_else() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let mut large = question(0);
    if let Event::Question { text, .. } = &mut large {
        *text = "x".repeat(5 << 20);
    }
    assert_eq!(audit.record(&anna(), large).unwrap_err().code(), "event_too_large");
    assert_eq!(audit.record(&anna(), question(1)).unwrap().seq, 0);
}

#[test]
fn a_configuration_change_marks_what_follows() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    audit.queue.set_config(&"aa".repeat(32));
    audit.record(&anna(), question(0)).unwrap();
    let after = "bb".repeat(32);
    let change = Event::ConfigChange { before_sha256: None, after_sha256: after.clone(), keys: vec![] };
    audit.record(&Actor::cli(0), change).unwrap();
    audit.record(&anna(), question(1)).unwrap();
    let entries = audit.list(&ListFilter { envelopes_only: true, ..Default::default() }).unwrap();
    let hashes: Vec<_> = entries.iter().map(|e| e.envelope.config_sha256.clone().unwrap()).collect();
    assert_eq!(hashes, ["aa".repeat(32), "aa".repeat(32), after]);
}

#[test]
fn the_report_counts_the_log_and_carries_its_root() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    for i in 0..5 {
        audit.record(&anna(), question(i)).unwrap();
    }
    let from = Timestamp::now() - jiff::SignedDuration::from_hours(1);
    let to = Timestamp::now() + jiff::SignedDuration::from_hours(1);
    let sheet = audit.report(from, to, &CatalogFacts::default(), Lang::En).unwrap();
    assert!(sheet.pdf.starts_with(b"%PDF-1.7"));
    assert_eq!(sheet.figures.count("U1"), Some(5));
    assert_eq!(sheet.figures.integrity.root, audit.verify().unwrap().root);
    assert_eq!(sheet.sha256.len(), 64);
    let listed = audit.list(&ListFilter { query: Some("U1".into()), ..Default::default() }).unwrap();
    assert_eq!(listed.len(), 5);
    assert!(audit.list(&ListFilter { query: Some("Z9".into()), ..Default::default() }).is_err());
}

/// Every start with other settings leaves one event with the keys that differ; no value is in any file.
#[test]
fn a_changed_setting_is_recorded_once_by_its_key() {
    let data = tempfile::tempdir().unwrap();
    let settings = |bind: &str, firm: Option<&str>| -> BTreeMap<String, String> {
        let firm = firm.map(|f| ("report.firm".to_owned(), f.to_owned()));
        std::iter::once(("server.bind".to_owned(), bind.to_owned())).chain(firm).collect()
    };
    let start = |settings: &BTreeMap<String, String>| {
        let audit = Audit::open(data.path(), "test").unwrap();
        audit.note_settings(settings).unwrap();
        audit.record(&anna(), question(0)).unwrap();
        audit
    };
    drop(start(&settings("127.0.0.1:1", None)));
    drop(start(&settings("127.0.0.1:1", None)));
    drop(start(&settings("kanarienvogel:2", Some("Kanarienvogel AG"))));
    let audit = start(&settings("kanarienvogel:2", None));
    let filter = |kind: &str| ListFilter { kinds: vec![kind.into()], ..Default::default() };
    let events = audit.list(&filter("config_change")).unwrap();
    let fields: Vec<serde_json::Value> = events
        .iter()
        .map(|e| match &e.content {
            Content::Clear(value) => value["event"].clone(),
            other => panic!("{other:?}"),
        })
        .collect();
    let keys: Vec<&serde_json::Value> = fields.iter().map(|f| &f["keys"]).collect();
    let expected = [
        serde_json::json!(["server.bind"]),
        serde_json::json!(["report.firm", "server.bind"]),
        serde_json::json!(["report.firm"]),
    ];
    assert_eq!(keys, expected.iter().collect::<Vec<_>>());
    // One leads to the next, and what follows carries the new hash.
    assert!(fields[0]["before_sha256"].is_null());
    assert_eq!(fields[1]["before_sha256"], fields[0]["after_sha256"]);
    assert_eq!(fields[2]["before_sha256"], fields[1]["after_sha256"]);
    let last = audit.list(&filter("question")).unwrap().pop().unwrap();
    assert_eq!(last.envelope.config_sha256.as_deref(), fields[2]["after_sha256"].as_str());
    drop(audit);
    for entry in std::fs::read_dir(data.path()).unwrap().map(|e| e.unwrap().path()).filter(|p| p.is_file()) {
        let text = String::from_utf8_lossy(&std::fs::read(entry).unwrap()).to_lowercase();
        assert!(!text.contains("kanarienvogel"));
    }
}

fn texts_that_can_be_read(audit: &Audit) -> usize {
    let filter = ListFilter { kinds: vec!["question".into()], ..Default::default() };
    audit.list(&filter).unwrap().iter().filter(|e| matches!(e.content, Content::Clear(_))).count()
}

const NOTHING_STAYS: Retention = Retention { content_days: 0, trail_days: 0, case_days: 0 };

#[test]
fn retention_takes_old_texts_and_events_and_stops_at_a_hold() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let today = "2026-11-30".parse().unwrap();
    audit.record_all(&anna(), (0..600).map(question).collect()).unwrap();
    let young = Retention { content_days: 1, trail_days: 1, case_days: 1 };
    assert_eq!(audit.retain(&Actor::system(), young).unwrap(), Retained::default());
    let hold = audit.set_hold(&Actor::system(), Some("anna"), "Streitfall", today).unwrap();
    assert_eq!(audit.retain(&Actor::system(), NOTHING_STAYS).unwrap(), Retained::default());
    assert_eq!(texts_that_can_be_read(&audit), 600);
    assert!(!audit.lift_hold(&Actor::system(), "hold-000000", "").unwrap());
    assert!(audit.lift_hold(&Actor::system(), &hold.id, "beigelegt").unwrap());
    let done = audit.retain(&Actor::system(), NOTHING_STAYS).unwrap();
    // The newest full bundle stays: it tells how many there are.
    assert_eq!(done, Retained { texts: 600, events: 256 });
    assert_eq!(texts_that_can_be_read(&audit), 0);
    assert!(audit.verify().unwrap().ok);
    assert!(
        Audit::open(tempfile::tempdir().unwrap().path(), "test").unwrap().book().unwrap().holds.is_empty()
    );
}

#[test]
fn cases_have_dates_and_the_overdue_are_counted() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let day = |text: &str| text.parse::<jiff::civil::Date>().unwrap();
    let case = audit.open_case(&anna(), CaseKind::Request, "J. Müller", day("2026-11-01")).unwrap();
    assert_eq!(case.due, Some(day("2026-12-01")));
    let incident = audit.open_case(&anna(), CaseKind::Incident, "Laptop", day("2026-11-01")).unwrap();
    assert_ne!(case.id, incident.id);
    let book = audit.book().unwrap();
    assert_eq!((book.overdue(day("2026-12-01")), book.overdue(day("2026-12-02"))), (0, 1));
    assert!(audit.close_case(&anna(), "case-000000", "", day("2026-11-05")).unwrap().is_none());
    let closed = audit.close_case(&anna(), &case.id, "Auskunft erteilt", day("2026-11-05")).unwrap();
    assert_eq!(closed.unwrap().closed, Some(day("2026-11-05")));
    assert!(audit.close_case(&anna(), &case.id, "", day("2026-11-06")).unwrap().is_none());
    assert_eq!(audit.book().unwrap().overdue(day("2027-01-01")), 0);
    let filter = ListFilter { target: Some(case.id), envelopes_only: true, ..Default::default() };
    let outcomes: Vec<String> =
        audit.list(&filter).unwrap().into_iter().map(|e| e.envelope.outcome).collect();
    assert_eq!(outcomes, ["request_opened", "request_closed_4d"]);
    std::fs::write(data.path().join("cases.json"), b"{").unwrap();
    assert!(audit.book().is_err(), "a damaged list is no empty list");
}

#[test]
fn a_person_is_forgotten_and_the_log_stays_whole() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    let beat = Actor::user("beat", Role::Reader, None);
    audit.record(&anna(), question(0)).unwrap();
    let named = audit.record(&beat, question(1)).unwrap().seq;
    audit.record(&beat, question(2)).unwrap();
    let pid = audit.pseudonym("anna").unwrap();
    let done = audit.forget(&Actor::system(), Some(&pid), &[named], "case-1").unwrap();
    assert_eq!((done.months.len(), done.events), (1, vec![named]));
    assert_eq!(texts_that_can_be_read(&audit), 1);
    assert!(audit.verify().unwrap().ok);
}

/// What is agreed to holds by the log alone: a file of the data folder, another role, the same person or a lapsed time
/// open nothing.
#[test]
fn an_access_holds_only_as_the_log_has_it() {
    let data = tempfile::tempdir().unwrap();
    let audit = Audit::open(data.path(), "test").unwrap();
    audit.record(&anna(), question(0)).unwrap();
    let auditor = Actor::user("rita", Role::Auditor, None);
    let custodian = |name: &str| Actor::user(name, Role::KeyCustodian, None);
    let range = "2020-01-01..2099-12-31";
    assert!(matches!(audit.request_access(&anna(), range, "x"), Err(CustodyError::NotAuditor)));
    assert!(matches!(audit.request_access(&auditor, range, " "), Err(CustodyError::NoPurpose)));
    assert!(matches!(
        audit.request_access(&auditor, "2026-02-30..2026-03-01", "x"),
        Err(CustodyError::Period)
    ));
    let asked = audit.request_access(&auditor, range, "Prüfung").unwrap();
    let open = |id: &str| audit.read_payloads(&auditor, id, &ListFilter::default());
    assert!(matches!(open(&asked.id), Err(CustodyError::NotOpen)));
    assert!(matches!(
        audit.decide_access(&custodian("rita"), &asked.id, Some(1), ""),
        Err(CustodyError::SamePerson)
    ));
    // Events that somebody with the wrong role, or the same person, wrote past the rules change nothing.
    let step = |step, until: Option<&str>| Event::PayloadAccess {
        id: asked.id.clone(),
        step,
        range: range.into(),
        purpose: String::new(),
        until: until.map(str::to_owned),
    };
    let approved = compliance::event::AccessStep::Approved;
    audit.record(&Actor::cli(0), step(approved, Some("2099-01-01T00:00:00Z"))).unwrap();
    audit.record(&custodian("rita"), step(approved, Some("2099-01-01T00:00:00Z"))).unwrap();
    assert!(matches!(open(&asked.id), Err(CustodyError::NotOpen)));
    audit.decide_access(&custodian("karl"), &asked.id, Some(1), "").unwrap();
    let read = open(&asked.id).unwrap();
    assert!(read.iter().any(|e| matches!(&e.content, Content::Clear(v) if v["event"]["text"] == "U-Wert?")));
    // What came after the reading was recorded is not among it.
    assert!(read.iter().all(|e| e.envelope.kind != "payload_read"));

    let lapsed = audit.request_access(&auditor, range, "Prüfung").unwrap();
    let step = Event::PayloadAccess {
        id: lapsed.id.clone(),
        step: approved,
        range: range.into(),
        purpose: String::new(),
        until: Some("2026-01-01T00:00:00Z".into()),
    };
    audit.record(&custodian("karl"), step).unwrap();
    assert!(matches!(open(&lapsed.id), Err(CustodyError::NotOpen)));
    assert_eq!(audit.accesses().unwrap()[0].state, AccessState::Over);
}

#[test]
fn a_table_of_ones_history_holds_no_formula() {
    let asked = Asked { text: "=1+1 \"x\"".into(), ..Asked::default() };
    let csv = History { asked: vec![asked], unreadable: 0 }.csv();
    assert!(csv.contains(";\"'=1+1 \"\"x\"\"\";"), "{csv}");
}
