//! The joined lists against the plain way of joining them: look through everything, for every row.

use proptest::prelude::*;

use super::*;
use crate::formats::rfi::cells::append;

/// What [`Known::merge`] must do.
fn plainly(first: &mut Record, other: Record) {
    let other_is_informed = other.assignee.is_empty() && other.parties.iter().any(|p| p.part == "copy");
    let own = first.status.clone();
    for party in first.parties.iter_mut().filter(|p| is_recipient(p) && p.status.is_empty()) {
        party.status.clone_from(&own);
    }
    for mut party in other.parties {
        if is_recipient(&party) {
            party.status.clone_from(&other.status);
        }
        if !first.parties.contains(&party) {
            first.parties.push(party);
        }
    }
    for (mine, theirs) in [
        (&mut first.assignee, other.assignee),
        (&mut first.author, other.author),
        (&mut first.ball_in_court, other.ball_in_court),
    ] {
        if !theirs.is_empty() {
            append(mine, theirs);
        }
    }
    for answer in other.answers {
        if !first.answers.contains(&answer) {
            first.answers.push(answer);
        }
    }
    for (mine, theirs) in [
        (&mut first.references, other.references),
        (&mut first.drawings, other.drawings),
        (&mut first.attachments, other.attachments),
    ] {
        let new: Vec<String> = theirs.into_iter().filter(|t| !mine.contains(t)).collect();
        mine.extend(new);
    }
    for (name, value) in other.fields {
        append(first.fields.entry(name).or_default(), value);
    }
    for (mine, theirs) in [
        (&mut first.due, other.due),
        (&mut first.closed, other.closed),
        (&mut first.answered, other.answered),
    ] {
        if mine.is_empty() {
            *mine = theirs;
        }
    }
    if !other_is_informed && first.state != "open" && other.state == "open" {
        first.status = other.status;
        first.state = other.state;
    }
}

fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec!["", "A", "B", "A; B", "A; ", "; A", ";"]).prop_map(String::from)
}

fn list<T: std::fmt::Debug>(of: impl Strategy<Value = T>) -> impl Strategy<Value = Vec<T>> {
    prop::collection::vec(of, 0..3)
}

prop_compose! {
    fn party()(part in prop::sample::select(vec!["assignee", "copy", "author"]), name in word(), status in word()) -> Party {
        Party { part: part.into(), name, organisation: String::new(), status }
    }
}

prop_compose! {
    fn record()(
        texts in [word(), word(), word(), word()],
        state in prop::sample::select(vec!["", "open", "closed"]),
        parties in list(party()),
        answers in list(word()),
        lists in [list(word()), list(word()), list(word())],
        fields in prop::collection::btree_map(word(), word(), 0..3),
    ) -> Record {
        let [assignee, author, status, due] = texts;
        let [references, drawings, attachments] = lists;
        let answers = answers.into_iter().map(|text| Answer { text, ..Answer::default() }).collect();
        Record {
            assignee, author, status, due, parties, answers, references, drawings, attachments, fields,
            state: state.into(),
            ..Record::default()
        }
    }
}

proptest! {
    #[test]
    fn rows_are_joined_as_they_were_by_searching(rows in prop::collection::vec(record(), 1..12)) {
        let mut rows = rows.into_iter();
        let mut first = rows.next().unwrap();
        let mut expected = first.clone();
        let mut known = Known::of(&first);
        for row in rows {
            plainly(&mut expected, row.clone());
            known.merge(&mut first, row);
            prop_assert_eq!(&first, &expected);
        }
    }
}

/// Each row brings one recipient, one answer and one drawing, and none is looked at again for every later row.
#[test]
fn thousands_of_rows_of_one_number_take_as_many_steps() {
    const ROWS: usize = 20_000;
    for status in ["", "offen"] {
        let row = |n: usize| Record {
            status: status.into(),
            assignee: format!("Person {n}"),
            parties: vec![Party { part: "assignee".into(), name: format!("Person {n}"), ..Party::default() }],
            answers: vec![Answer { text: format!("Antwort {n}"), ..Answer::default() }],
            drawings: vec![format!("Plan {n}")],
            ..Record::default()
        };
        let mut first = row(0);
        let mut known = Known::of(&first);
        (1..ROWS).for_each(|n| known.merge(&mut first, row(n)));
        assert_eq!((first.parties.len(), first.answers.len(), first.drawings.len()), (ROWS, ROWS, ROWS));
        assert_eq!(first.assignee.split("; ").count(), ROWS);
        assert!(first.parties.iter().all(|p| p.status == status));
        assert!(known.steps <= 3 * ROWS, "{} steps for {ROWS} rows", known.steps);
    }
}
