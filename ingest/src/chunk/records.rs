//! Passages of records: one each, more where question and answers are long.

use super::labels::{self, Labels};
use super::{ChunkOptions, Sink, pack};
use crate::model::{Document, Kind, Locator, Record};

/// Elements named in a passage.
const NAMED_ELEMENTS: usize = 10;
/// Further fields that nobody searches for by their text.
const SILENT: [&str; 4] = ["Guid", "ModifiedDate", "ModifiedAuthor", "Files"];

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    for record in &document.records {
        let (whole, mut parts) = lines(record);
        let head = pack::head(&whole, options.max_words / 4).into_owned();
        if head != whole {
            parts.insert(0, whole);
        }
        let mut text = head.clone();
        for part in parts {
            for range in pack::split(&part, options.max_words) {
                let piece = part.get(range).unwrap_or("").trim();
                if pack::words(&text) + pack::words(piece) > options.max_words && text.len() > head.len() {
                    push(record, std::mem::replace(&mut text, head.clone()), sink);
                }
                text.push('\n');
                text.push_str(piece);
            }
        }
        push(record, text, sink);
    }
}

fn push(record: &Record, text: String, sink: &mut Sink) {
    sink.push(Kind::Rfi, Locator::Rfi { record: record.number.clone() }, Vec::new(), text);
}

/// The record's number and subject, and the lines below.
fn lines(record: &Record) -> (String, Vec<String>) {
    let mut prose = format!("{} {}", record.subject, record.question);
    record.answers.iter().for_each(|a| prose.push_str(&format!(" {}", a.text)));
    let labels = labels::of(&prose);
    let mut out = vec![facts(record, &labels)];
    let mut line = |label: &str, text: &str| {
        if !text.is_empty() {
            out.push(format!("{label}: {text}"));
        }
    };
    line(labels.question, &record.question);
    line(labels.suggestion, &record.suggestion);
    for answer in &record.answers {
        let label = if answer.official { labels.official } else { labels.answer };
        let by: Vec<&str> =
            [answer.author.as_str(), answer.date.as_str()].into_iter().filter(|t| !t.is_empty()).collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        line(&format!("{label}{by}"), &answer.text);
    }
    line(labels.others, &others(record));
    line(labels.drawings, &record.drawings.join("; "));
    line(labels.references, &record.references.join("; "));
    line(labels.attachments, &record.attachments.join("; "));
    for (name, value) in record.fields.iter().filter(|(name, _)| !SILENT.contains(&name.as_str())) {
        line(name, value);
    }
    let ids: Vec<&str> = record.elements.iter().take(NAMED_ELEMENTS).map(|e| e.global_id.as_str()).collect();
    line(labels.elements, &ids.join(", "));
    if record.answers.is_empty() && record.state == "open" {
        out.push(labels.unanswered.to_string());
    }
    out.retain(|l| !l.is_empty());
    (head(record), out)
}

/// Who is named beside author and assignee, and their firms.
fn others(record: &Record) -> String {
    let mut names: Vec<&str> = Vec::new();
    for party in &record.parties {
        for name in [party.name.as_str(), party.organisation.as_str()] {
            let known = [&record.author, &record.assignee, &record.ball_in_court];
            if !name.is_empty() && !known.iter().any(|k| k.contains(name)) && !names.contains(&name) {
                names.push(name);
            }
        }
    }
    names.join("; ")
}

/// Number, revision and subject, the number once.
fn head(record: &Record) -> String {
    let named =
        record.number.to_ascii_uppercase().contains("RFI") || record.subject.starts_with(&record.number);
    let number = if named { record.number.clone() } else { format!("RFI {}", record.number) };
    let revision = match record.revision.as_str() {
        "" | "0" | "-" => String::new(),
        revision => format!(" (Rev. {revision})"),
    };
    match record.subject.starts_with(&record.number) {
        true => format!("{}{revision}", record.subject),
        false => format!("{number}{revision}: {}", record.subject),
    }
}

/// Status, dates and parties in one line.
fn facts(record: &Record, labels: &Labels) -> String {
    let pairs = [
        (labels.status, &record.status),
        (labels.kind, &record.kind),
        (labels.project, &record.project),
        (labels.discipline, &record.discipline),
        (labels.spec, &record.spec_section),
        (labels.location, &record.location),
        (labels.priority, &record.priority),
        (labels.created, &record.created),
        (labels.due, &record.due),
        (labels.answered, &record.answered),
        (labels.closed, &record.closed),
        (labels.from, &record.author),
        (labels.to, &record.assignee),
        (labels.ball, &record.ball_in_court),
        (labels.cost, &record.cost_impact),
        (labels.schedule, &record.schedule_impact),
    ];
    let facts: Vec<String> = pairs
        .iter()
        .filter(|(_, v)| !v.is_empty())
        .map(|(label, value)| format!("{label}: {value}"))
        .collect();
    facts.join("; ")
}
