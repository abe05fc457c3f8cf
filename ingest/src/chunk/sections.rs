//! Passages of plain text, mails and sheets.

use super::labels::{self, Labels};
use super::pack::{self, Piece};
use super::{ChunkOptions, Sink, table};
use crate::model::{Document, Kind, Locator, Section};

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    match document.kind {
        Kind::Mail => mail(document, options, sink),
        _ => text(document, options, sink),
    }
    for sheet in &document.sheets {
        let header = sheet.header_rows as usize;
        for group in table::groups(&sheet.rows, header, &sheet.name, options.table_words) {
            let row = sheet.first_row.saturating_add(u32::try_from(group.rows.start).unwrap_or(u32::MAX));
            let locator = Locator::Sheet { sheet: sheet.name.clone(), row };
            let kind = if document.kind == Kind::Rfi { Kind::Rfi } else { Kind::Sheet };
            for range in pack::split(&group.text, options.max_words * 2) {
                let text = group.text.get(range).unwrap_or("").trim().to_string();
                sink.push(kind, locator.clone(), vec![sheet.name.clone()], text);
            }
        }
    }
}

/// Paragraphs of a section, parted at empty lines, with the number of their first line.
fn paragraphs(section: &Section, first_line: u32, options: &ChunkOptions) -> Vec<Piece> {
    let heading: Vec<String> = Some(section.heading.clone()).filter(|h| !h.is_empty()).into_iter().collect();
    let mut out: Vec<Piece> = Vec::new();
    let mut open: Option<Piece> = None;
    let mut flush = |piece: Option<Piece>| {
        let Some(piece) = piece else { return };
        for range in pack::split(&piece.text, options.max_words) {
            let before = piece.text.get(..range.start).unwrap_or("");
            let line = piece.line + u32::try_from(before.matches('\n').count()).unwrap_or(0);
            let text = piece.text.get(range).unwrap_or("").trim().to_string();
            out.push(Piece { text, line, section: heading.clone(), ..Piece::default() });
        }
    };
    for (index, line) in section.text.lines().enumerate() {
        if line.trim().is_empty() {
            flush(open.take());
            continue;
        }
        match &mut open {
            Some(piece) => {
                piece.text.push('\n');
                piece.text.push_str(line.trim_end());
            }
            None => {
                let line_number = first_line.saturating_add(u32::try_from(index).unwrap_or(u32::MAX));
                open =
                    Some(Piece { text: line.trim_end().to_string(), line: line_number, ..Piece::default() });
            }
        }
    }
    flush(open);
    out
}

fn text(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    for section in &document.sections {
        let has_heading = !section.heading.is_empty();
        let mut pieces = paragraphs(section, section.line + u32::from(has_heading), options);
        if has_heading {
            let heading = Piece {
                text: section.heading.clone(),
                section: vec![section.heading.clone()],
                heading: true,
                line: section.line,
                ..Piece::default()
            };
            pieces.insert(0, heading);
        }
        for passage in pack::pack(pieces, options.max_words) {
            let locator = Locator::Text { section: section.heading.clone(), line: passage.line };
            let path = passage.section.into_iter().filter(|h| *h != document.title).collect();
            sink.push(document.kind, locator, path, passage.text);
        }
    }
}

/// Every passage of a mail starts with its subject and who wrote it when. What it repeats of earlier
/// messages stands in passages of its own.
fn mail(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    let all = document.sections.iter().chain(&document.quoted).map(|s| s.text.as_str());
    let labels = labels::of(&all.collect::<Vec<_>>().join("\n"));
    let value = |key: &str| document.metadata.get(key).cloned().unwrap_or_default();
    let head = mail_head(document, &labels);
    let room = options.max_words.saturating_sub(pack::words(&head)).max(options.max_words / 2);
    let inner = ChunkOptions { max_words: room, ..options.clone() };
    let locator = || Locator::Mail { message_id: value("message_id"), part: 0 };
    let mut any = false;
    let mut passages = |section: &Section, note: &str| {
        let pieces =
            paragraphs(section, 1, &inner).into_iter().map(|p| Piece { section: Vec::new(), ..p }).collect();
        for passage in pack::pack(pieces, room) {
            any = true;
            sink.push(Kind::Mail, locator(), Vec::new(), format!("{head}{note}\n{}", passage.text));
        }
    };
    document.sections.iter().for_each(|section| passages(section, ""));
    for section in &document.quoted {
        let by = if section.heading.is_empty() { String::new() } else { format!(" ({})", section.heading) };
        passages(section, &format!("\n{}{by}:", labels.quoted));
    }
    if !any {
        sink.push(Kind::Mail, locator(), Vec::new(), head);
    }
}

/// Subject, people, date and attachments.
fn mail_head(document: &Document, labels: &Labels) -> String {
    let value = |key: &str| document.metadata.get(key).cloned().unwrap_or_default();
    let mut head = vec![document.title.clone()];
    let people: Vec<String> =
        [(labels.from, value("from")), (labels.to, value("to")), (labels.date, value("date"))]
            .into_iter()
            .filter(|(_, v)| !v.is_empty())
            .map(|(label, v)| format!("{label}: {v}"))
            .collect();
    if !people.is_empty() {
        head.push(people.join("; "));
    }
    if !document.attachments.is_empty() {
        let names: Vec<&str> = document.attachments.iter().map(|a| a.name.as_str()).collect();
        head.push(format!("{}: {}", labels.attachments, names.join(", ")));
    }
    head.join("\n")
}
