//! Passages of records: one each, more where question and answers are long.

use super::{ChunkOptions, Sink, language, pack};
use crate::model::{Document, Kind, Language, Locator, Record};

/// Field labels in one language.
struct Labels {
    status: &'static str,
    discipline: &'static str,
    priority: &'static str,
    created: &'static str,
    due: &'static str,
    closed: &'static str,
    from: &'static str,
    to: &'static str,
    question: &'static str,
    answer: &'static str,
    official: &'static str,
    references: &'static str,
    elements: &'static str,
    unanswered: &'static str,
}

const DE: Labels = Labels {
    status: "Status",
    discipline: "Fachbereich",
    priority: "Priorität",
    created: "Erstellt",
    due: "Fällig",
    closed: "Geschlossen",
    from: "Von",
    to: "An",
    question: "Frage",
    answer: "Antwort",
    official: "Offizielle Antwort",
    references: "Bezug",
    elements: "IFC-Elemente (GlobalId)",
    unanswered: "Noch ohne Antwort.",
};
const FR: Labels = Labels {
    status: "Statut",
    discipline: "Domaine",
    priority: "Priorité",
    created: "Créé",
    due: "Échéance",
    closed: "Clos",
    from: "De",
    to: "À",
    question: "Question",
    answer: "Réponse",
    official: "Réponse officielle",
    references: "Référence",
    elements: "Éléments IFC (GlobalId)",
    unanswered: "Encore sans réponse.",
};
const IT: Labels = Labels {
    status: "Stato",
    discipline: "Disciplina",
    priority: "Priorità",
    created: "Creato",
    due: "Scadenza",
    closed: "Chiuso",
    from: "Da",
    to: "A",
    question: "Domanda",
    answer: "Risposta",
    official: "Risposta ufficiale",
    references: "Riferimento",
    elements: "Elementi IFC (GlobalId)",
    unanswered: "Ancora senza risposta.",
};
const EN: Labels = Labels {
    status: "Status",
    discipline: "Discipline",
    priority: "Priority",
    created: "Created",
    due: "Due",
    closed: "Closed",
    from: "From",
    to: "To",
    question: "Question",
    answer: "Answer",
    official: "Official answer",
    references: "Reference",
    elements: "IFC elements (GlobalId)",
    unanswered: "No answer yet.",
};

/// Elements named in a passage.
const NAMED_ELEMENTS: usize = 10;

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    for record in &document.records {
        let (head, parts) = lines(record);
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
    let labels = match language::vote(&prose) {
        Some(Language::Fr) => FR,
        Some(Language::It) => IT,
        Some(Language::En) => EN,
        Some(Language::De) | None => DE,
    };
    let mut out = vec![facts(record, &labels)];
    if !record.question.is_empty() {
        out.push(format!("{}: {}", labels.question, record.question));
    }
    for answer in &record.answers {
        let label = if answer.official { labels.official } else { labels.answer };
        let by: Vec<&str> =
            [answer.author.as_str(), answer.date.as_str()].into_iter().filter(|t| !t.is_empty()).collect();
        let by = if by.is_empty() { String::new() } else { format!(" ({})", by.join(", ")) };
        out.push(format!("{label}{by}: {}", answer.text));
    }
    if record.answers.is_empty() && record.state == "open" {
        out.push(labels.unanswered.to_string());
    }
    if !record.references.is_empty() {
        out.push(format!("{}: {}", labels.references, record.references.join("; ")));
    }
    if !record.elements.is_empty() {
        let ids: Vec<&str> =
            record.elements.iter().take(NAMED_ELEMENTS).map(|e| e.global_id.as_str()).collect();
        out.push(format!("{}: {}", labels.elements, ids.join(", ")));
    }
    out.retain(|l| !l.is_empty());
    (head(record), out)
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
        (labels.discipline, &record.discipline),
        (labels.priority, &record.priority),
        (labels.created, &record.created),
        (labels.due, &record.due),
        (labels.closed, &record.closed),
        (labels.from, &record.author),
        (labels.to, &record.assignee),
    ];
    let facts: Vec<String> = pairs
        .iter()
        .filter(|(_, v)| !v.is_empty())
        .map(|(label, value)| format!("{label}: {value}"))
        .collect();
    facts.join("; ")
}
