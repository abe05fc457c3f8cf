//! A row of a register as a record.

use super::answers::AnswerParts;
use super::cells::{append, element_link, link_elements, listed, parties, tidy};
use super::columns::{Field, plain};
use super::dates::{Order, iso};
use super::mapping::RecordMapping;
use crate::model::{Answer, Column, Record};
use crate::text::label;

/// A column: what it holds, and who says so.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Slot {
    pub(super) field: Option<Field>,
    pub(super) by_mapping: bool,
}

/// A record with what is needed to join it with others.
#[derive(Debug, Default)]
pub(super) struct Draft {
    pub(super) record: Record,
    pub(super) answers: AnswerParts,
    pub(super) id: String,
    pub(super) parent: String,
    recipient_kind: String,
    firms: Firms,
}

/// Firms of the people in a row.
#[derive(Debug, Default)]
struct Firms {
    author: String,
    assignee: String,
    ball: String,
}

impl Draft {
    /// The record, and the identifier that its program gave it.
    pub(super) fn into_record(self) -> (Record, String) {
        (self.record, self.id)
    }
}

/// Maps rows of one table.
pub(super) struct Mapper<'a> {
    slots: Vec<Slot>,
    names: &'a [String],
    order: Order,
    mapping: &'a RecordMapping,
    filled: Vec<u64>,
    unread: Vec<u64>,
}

impl<'a> Mapper<'a> {
    pub(super) fn new(
        slots: Vec<Slot>,
        names: &'a [String],
        order: Order,
        mapping: &'a RecordMapping,
    ) -> Self {
        let none = vec![0; slots.len()];
        Mapper { slots, names, order, mapping, filled: none.clone(), unread: none }
    }

    /// What became of each column.
    pub(super) fn columns(&self) -> Vec<Column> {
        let counts = self.filled.iter().zip(&self.unread);
        let columns = self.slots.iter().zip(self.names).zip(counts);
        (1..)
            .zip(columns)
            .map(|(number, ((slot, name), (filled, unread)))| Column {
                number,
                header: label(&tidy(name)),
                field: slot.field.map(|f| f.name().to_string()).unwrap_or_default(),
                by_mapping: slot.by_mapping,
                filled: *filled,
                unread: *unread,
            })
            .collect()
    }

    /// The record of a row, or why it is none.
    pub(super) fn draft(
        &mut self,
        row: &[String],
        place: &str,
        answers: Vec<Answer>,
    ) -> Result<Draft, String> {
        if row == self.names {
            return Err("the header once more".into());
        }
        let mut draft = Draft::default();
        draft.answers.whole = answers;
        for (index, cell) in row.iter().enumerate() {
            let text = tidy(cell);
            if text.is_empty() {
                continue;
            }
            if let Some(filled) = self.filled.get_mut(index) {
                *filled += 1;
            }
            self.put(&mut draft, index, text);
        }
        check(&mut draft, place)?;
        self.complete(&mut draft);
        Ok(draft)
    }

    /// What follows from the cells together: answers, state, parties, links.
    fn complete(&self, draft: &mut Draft) {
        let answers = std::mem::take(&mut draft.answers);
        let record = &mut draft.record;
        if record.answered.is_empty() {
            record.answered = answers.date.clone();
        }
        let author = answers.author.clone();
        record.answers = answers.into_answers(self.order);
        if record.answered.is_empty() {
            record.answered = record.answers.iter().map(|a| a.date.clone()).max().unwrap_or_default();
        }
        record.state = self.state_of(record);
        let copied = ["cc", "bcc", "kopie", "copie", "copia"];
        let kind = plain(&draft.recipient_kind);
        let informed = copied.iter().any(|w| kind.starts_with(w));
        let part = if informed { "copy" } else { "assignee" };
        let mut all = parties("author", &record.author, &draft.firms.author);
        all.extend(parties(part, &record.assignee, &draft.firms.assignee));
        all.extend(parties("ball-in-court", &record.ball_in_court, &draft.firms.ball));
        all.extend(parties("answer", &author, ""));
        all.append(&mut record.parties);
        record.parties = all;
        if informed {
            record.assignee.clear();
        }
        link_elements(record);
    }

    /// From the status, else from what is filled in.
    fn state_of(&self, record: &Record) -> String {
        match self.mapping.state(&record.status) {
            "" if !record.closed.is_empty() => "closed".into(),
            "" if record.status.is_empty() && !record.answers.is_empty() => "answered".into(),
            "" if record.status.is_empty() => "open".into(),
            known => known.into(),
        }
    }

    /// Puts a cell where its column says; what has no place of its own is kept under the column's name.
    fn put(&mut self, draft: &mut Draft, index: usize, text: String) {
        let Some(field) = self.slots.get(index).and_then(|s| s.field) else {
            return self.keep(draft, index, text);
        };
        let left = match field {
            Field::Created | Field::Due | Field::Closed | Field::AnswerDate => {
                self.date(draft, field, index, text)
            }
            Field::Status => self.status(draft, text),
            Field::Number if draft.record.number.is_empty() => {
                draft.record.number = text;
                None
            }
            Field::Number => Some(text),
            field => fill(draft, field, text),
        };
        if let Some(text) = left {
            self.keep(draft, index, text);
        }
    }

    /// Keeps a cell under its column's header.
    fn keep(&self, draft: &mut Draft, index: usize, text: String) {
        let header = self.names.get(index).map(|n| label(&tidy(n))).unwrap_or_default();
        let name = if header.is_empty() { format!("column {}", index + 1) } else { header };
        append(draft.record.fields.entry(name).or_default(), text);
    }

    /// The date, or the text where it is none or another one stands there.
    fn date(&mut self, draft: &mut Draft, field: Field, index: usize, text: String) -> Option<String> {
        let target = match field {
            Field::Created => &mut draft.record.created,
            Field::Due => &mut draft.record.due,
            Field::Closed => &mut draft.record.closed,
            _ => &mut draft.answers.date,
        };
        match iso(&text, self.order) {
            Some(day) if target.is_empty() => *target = day,
            Some(day) if *target == day => {}
            Some(_) => return Some(text),
            None => {
                if let Some(unread) = self.unread.get_mut(index) {
                    *unread += 1;
                }
                return Some(text);
            }
        }
        None
    }

    /// "State: Closed" beside "Status: Overdue": the one that says more about the state is kept.
    fn status(&self, draft: &mut Draft, text: String) -> Option<String> {
        let status = &mut draft.record.status;
        if status.is_empty() {
            *status = text;
            return None;
        }
        if self.mapping.state(status).is_empty() && !self.mapping.state(&text).is_empty() {
            return Some(std::mem::replace(status, text));
        }
        Some(text)
    }
}

/// A record needs something to say, and a number: its own, its identifier, else its place.
fn check(draft: &mut Draft, place: &str) -> Result<(), String> {
    let record = &mut draft.record;
    if record.subject.is_empty() && record.question.is_empty() {
        return Err("no subject and no question".into());
    }
    if record.number.is_empty() {
        record.number = draft.id.clone();
    }
    if record.number.is_empty() {
        if record.question.is_empty() && record.status.is_empty() {
            return Err("no number and no question".into());
        }
        record.number = place.to_string();
    }
    record.number = label(&record.number);
    Ok(())
}

/// Puts a text into its field; gives back what has no place there.
fn fill(draft: &mut Draft, field: Field, text: String) -> Option<String> {
    let record = &mut draft.record;
    let slot = match field {
        Field::Subject if record.subject.is_empty() => {
            record.subject = text.replace('\n', " ");
            return None;
        }
        Field::Subject => return Some(text),
        Field::Question if !record.question.is_empty() => {
            record.question.push_str(&format!("\n{text}"));
            return None;
        }
        Field::Answer => return hold(&mut draft.answers.texts, (text, false)),
        Field::OfficialAnswer => return hold(&mut draft.answers.texts, (text, true)),
        Field::Drawing => return extend(&mut record.drawings, listed(&text)),
        Field::Reference => return extend(&mut record.references, listed(&text)),
        Field::Attachment => return extend(&mut record.attachments, listed(&text)),
        Field::Element => return elements(record, text),
        Field::UniqueId if element_link(&text).is_some() => return elements(record, text),
        Field::UniqueId if draft.id.is_empty() => {
            draft.id = text.clone();
            return Some(text);
        }
        Field::UniqueId => return Some(text),
        Field::Manager => return extend(&mut record.parties, parties("manager", &text, "")),
        Field::Reviewer => return extend(&mut record.parties, parties("reviewer", &text, "")),
        Field::Contractor => return extend(&mut record.parties, parties("contractor", "", &text)),
        Field::Copy => return extend(&mut record.parties, parties("copy", &text, "")),
        Field::Question => &mut record.question,
        Field::ParentId => {
            draft.parent = text.clone();
            return Some(text);
        }
        Field::RecipientKind => &mut draft.recipient_kind,
        Field::AuthorOrganisation => &mut draft.firms.author,
        Field::AssigneeOrganisation => &mut draft.firms.assignee,
        Field::BallInCourtOrganisation => &mut draft.firms.ball,
        Field::AnswerAuthor => &mut draft.answers.author,
        Field::Revision => &mut record.revision,
        Field::Project => &mut record.project,
        Field::Kind => &mut record.kind,
        Field::Suggestion => &mut record.suggestion,
        Field::Priority => &mut record.priority,
        Field::Discipline => &mut record.discipline,
        Field::SpecSection => &mut record.spec_section,
        Field::Location => &mut record.location,
        Field::Author => &mut record.author,
        Field::Assignee => &mut record.assignee,
        Field::BallInCourt => &mut record.ball_in_court,
        Field::Cost => &mut record.cost_impact,
        Field::Schedule => &mut record.schedule_impact,
        Field::Number | Field::Status | Field::Created | Field::Due | Field::Closed | Field::AnswerDate => {
            return Some(text);
        }
    };
    append(slot, text);
    None
}

fn hold<T>(list: &mut Vec<T>, one: T) -> Option<String> {
    list.push(one);
    None
}

fn extend<T: PartialEq>(list: &mut Vec<T>, more: Vec<T>) -> Option<String> {
    for one in more {
        if !list.contains(&one) {
            list.push(one);
        }
    }
    None
}

/// Takes GlobalIds out of a text; gives it back where it says more than that.
fn elements(record: &mut Record, text: String) -> Option<String> {
    let words = || text.split(|c: char| c.is_whitespace() || c == ',' || c == ';').filter(|w| !w.is_empty());
    record.elements.extend(words().filter_map(element_link));
    let more = words().any(|word| element_link(word).is_none());
    more.then_some(text)
}
