//! What is joined to a record, looked up instead of searched for: a register may have thousands of rows for one number.

use std::collections::{HashMap, HashSet};

use super::cells::SEPARATOR;
use crate::model::{Answer, Party, Record};

/// The parts of a text to which others were appended.
#[derive(Debug, Default)]
pub(super) struct Parts(Option<HashSet<String>>);

impl Parts {
    /// As [`append`](super::cells::append). Every change of the text goes through here.
    pub(super) fn append(&mut self, slot: &mut String, text: String) {
        if slot.is_empty() {
            self.0 = None;
            *slot = text;
            return;
        }
        let split = |text: &str| text.split(SEPARATOR).map(String::from).collect::<Vec<_>>();
        let parts = self.0.get_or_insert_with(|| split(slot).into_iter().collect());
        if *slot != text && !parts.contains(&text) {
            slot.push_str(SEPARATOR);
            slot.push_str(&text);
            parts.extend(split(&text));
        }
    }
}

/// What a record holds, of those to which another row was merged.
#[derive(Debug)]
pub(super) struct Known {
    parties: HashSet<Party>,
    /// Recipients without a status of their own, by their place among the parties.
    unset: Vec<usize>,
    answers: HashSet<Answer>,
    lists: [HashSet<String>; 3],
    texts: [Parts; 3],
    fields: HashMap<String, Parts>,
    /// Members that were looked up or changed.
    #[cfg(test)]
    pub(super) steps: usize,
}

impl Known {
    pub(super) fn of(record: &Record) -> Self {
        let set = |list: &[String]| list.iter().cloned().collect();
        let waits = |(_, party): &(usize, &Party)| is_recipient(party) && party.status.is_empty();
        Known {
            parties: record.parties.iter().cloned().collect(),
            unset: record.parties.iter().enumerate().filter(waits).map(|(at, _)| at).collect(),
            answers: record.answers.iter().cloned().collect(),
            lists: [set(&record.references), set(&record.drawings), set(&record.attachments)],
            texts: Default::default(),
            fields: HashMap::new(),
            #[cfg(test)]
            steps: 0,
        }
    }

    /// Puts another row of the same request to the first one, to which no other hand adds anything.
    pub(super) fn merge(&mut self, first: &mut Record, other: Record) {
        let other_is_informed = other.assignee.is_empty() && other.parties.iter().any(|p| p.part == "copy");
        self.parties(first, other.parties, &other.status);
        let [assignee, author, ball] = &mut self.texts;
        for (known, mine, theirs) in [
            (assignee, &mut first.assignee, other.assignee),
            (author, &mut first.author, other.author),
            (ball, &mut first.ball_in_court, other.ball_in_court),
        ] {
            if !theirs.is_empty() {
                known.append(mine, theirs);
            }
        }
        for answer in other.answers {
            self.count(1);
            if self.answers.insert(answer.clone()) {
                first.answers.push(answer);
            }
        }
        let [references, drawings, attachments] = &mut self.lists;
        add_new(references, &mut first.references, other.references);
        add_new(drawings, &mut first.drawings, other.drawings);
        add_new(attachments, &mut first.attachments, other.attachments);
        for (name, value) in other.fields {
            let slot = first.fields.entry(name.clone()).or_default();
            self.fields.entry(name).or_default().append(slot, value);
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
        // One open recipient leaves the request open, but not one who is only informed.
        if !other_is_informed && first.state != "open" && other.state == "open" {
            first.status = other.status;
            first.state = other.state;
        }
    }

    fn parties(&mut self, first: &mut Record, others: Vec<Party>, their_status: &str) {
        if !first.status.is_empty() {
            for at in std::mem::take(&mut self.unset) {
                self.count(1);
                if let Some(party) = first.parties.get_mut(at) {
                    self.parties.remove(party);
                    party.status.clone_from(&first.status);
                    self.parties.insert(party.clone());
                }
            }
        }
        self.count(others.len());
        for mut party in others {
            if is_recipient(&party) {
                party.status = their_status.to_string();
            }
            if self.parties.insert(party.clone()) {
                if is_recipient(&party) && party.status.is_empty() {
                    self.unset.push(first.parties.len());
                }
                first.parties.push(party);
            }
        }
    }

    #[cfg(test)]
    fn count(&mut self, steps: usize) {
        self.steps += steps;
    }

    #[cfg(not(test))]
    fn count(&self, _: usize) {}
}

fn is_recipient(party: &Party) -> bool {
    matches!(party.part.as_str(), "assignee" | "copy")
}

/// Adds what was not there before the row; what the row itself names twice is kept twice.
fn add_new(known: &mut HashSet<String>, mine: &mut Vec<String>, theirs: Vec<String>) {
    let new: Vec<String> = theirs.into_iter().filter(|t| !known.contains(t)).collect();
    known.extend(new.iter().cloned());
    mine.extend(new);
}

#[cfg(test)]
#[path = "merge_tests.rs"]
mod tests;
