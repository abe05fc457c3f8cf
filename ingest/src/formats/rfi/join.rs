//! Rows that are one record: one row for each recipient, and replies to a message above.

use std::collections::HashMap;

use super::mapper::Draft;
use super::merge::Known;
use crate::model::{Answer, Record};

/// Takes the rows of a register one by one and joins what belongs together.
#[derive(Debug, Default)]
pub(super) struct Joiner {
    drafts: Vec<Draft>,
    by_number: HashMap<(String, String), usize>,
    /// What drafts hold to which rows were merged, by their place.
    known: HashMap<usize, Known>,
    merged: u64,
    warnings: Vec<String>,
}

/// What came of the rows.
#[derive(Debug, Default)]
pub(super) struct Joined {
    pub(super) records: Vec<Draft>,
    /// Rows that became part of another record.
    pub(super) merged: u64,
    pub(super) warnings: Vec<String>,
}

impl Joiner {
    /// A row for each recipient is one record; the same number with other contents is a second one.
    pub(super) fn take(&mut self, draft: Draft, place: &str) {
        let record = &draft.record;
        let key = (record.number.clone(), record.revision.clone());
        let above = self.by_number.get(&key).copied();
        let above = above.and_then(|index| Some((index, self.drafts.get_mut(index)?)));
        match above {
            Some((index, first))
                if first.record.subject == record.subject && first.record.question == record.question =>
            {
                let known = self.known.entry(index).or_insert_with(|| Known::of(&first.record));
                known.merge(&mut first.record, draft.record);
                self.merged += 1;
            }
            Some(_) => {
                let number = &record.number;
                self.warnings.push(format!("{place}: number {number} stands above with other contents"));
                // Further rows of this number belong to the later one.
                self.by_number.insert(key, self.drafts.len());
                self.drafts.push(draft);
            }
            None => {
                self.by_number.insert(key, self.drafts.len());
                self.drafts.push(draft);
            }
        }
    }

    /// Replies become answers of the message that they reply to.
    pub(super) fn finish(mut self) -> Joined {
        let ids: HashMap<String, usize> = self
            .drafts
            .iter()
            .enumerate()
            .filter(|(_, d)| !d.id.is_empty())
            .map(|(index, d)| (d.id.clone(), index))
            .collect();
        let roots: Vec<Option<usize>> =
            (0..self.drafts.len()).map(|index| self.root(index, &ids).filter(|r| *r != index)).collect();
        let mut replies: Vec<(usize, Answer)> = Vec::new();
        let mut kept: Vec<Option<Draft>> = self.drafts.drain(..).map(Some).collect();
        for (index, root) in roots.iter().enumerate() {
            let Some((root, slot)) = root.zip(kept.get_mut(index)) else { continue };
            if let Some(draft) =
                slot.take_if(|d| !d.record.question.is_empty() || !d.record.answers.is_empty())
            {
                self.merged += 1;
                replies.extend(as_answers(draft.record).into_iter().map(|answer| (root, answer)));
            }
        }
        for (root, answer) in replies {
            if let Some(Some(draft)) = kept.get_mut(root) {
                draft.record.answers.push(answer);
                if draft.record.state == "open" && draft.record.status.is_empty() {
                    draft.record.state = "answered".into();
                }
            }
        }
        Joined { records: kept.into_iter().flatten().collect(), merged: self.merged, warnings: self.warnings }
    }

    /// The message at the beginning of the thread: one without a parent in the register. `None` in a circle.
    fn root(&self, index: usize, ids: &HashMap<String, usize>) -> Option<usize> {
        let mut at = index;
        for _ in 0..100 {
            let parent = &self.drafts.get(at)?.parent;
            match ids.get(parent).filter(|_| !parent.is_empty()) {
                Some(next) if *next != at => at = *next,
                _ => return Some(at),
            }
        }
        None
    }
}

/// What a reply says, as answers.
fn as_answers(record: Record) -> Vec<Answer> {
    let text = if record.question.is_empty() { String::new() } else { record.question };
    let own = Answer { text, author: record.author, date: record.created, official: false };
    std::iter::once(own).filter(|a| !a.text.is_empty()).chain(record.answers).collect()
}
