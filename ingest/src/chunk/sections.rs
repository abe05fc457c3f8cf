//! Passages of plain text, mails and sheets.

use super::labels::{self, Labels};
use super::pack::{self, Piece};
use super::{ChunkOptions, Sink, table};
use crate::model::{Document, Kind, Locator, Section, TextUnit};

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
    notes(document, options, sink);
}

/// Paragraphs of a section, parted at empty lines, with the number of their first line, paragraph or slide.
fn paragraphs(section: &Section, first: u32, options: &ChunkOptions) -> Vec<Piece> {
    let heading: Vec<String> = Some(section.heading.clone()).filter(|h| !h.is_empty()).into_iter().collect();
    let mut out: Vec<Piece> = Vec::new();
    let mut open: Option<Piece> = None;
    let by_line = section.unit == TextUnit::Line;
    let mut flush = |piece: Option<Piece>| {
        let Some(piece) = piece else { return };
        for range in pack::split(&piece.text, options.max_words) {
            let before = piece.text.get(..range.start).unwrap_or("");
            let lines = if by_line { u32::try_from(before.matches('\n').count()).unwrap_or(0) } else { 0 };
            let line = piece.line.saturating_add(lines);
            let text = piece.text.get(range).unwrap_or("").trim().to_string();
            out.push(Piece { text, line, section: heading.clone(), ..Piece::default() });
        }
    };
    let mut count = 0_u32;
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
                let after = match section.unit {
                    TextUnit::Line => u32::try_from(index).unwrap_or(u32::MAX),
                    TextUnit::Paragraph => count,
                    TextUnit::Slide => 0,
                };
                count += 1;
                let number = first.saturating_add(after);
                open = Some(Piece { text: line.trim_end().to_string(), line: number, ..Piece::default() });
            }
        }
    }
    flush(open);
    out
}

fn text(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    for section in &document.sections {
        if section.rows.is_empty() {
            paragraphs_of(document, section, options, sink);
        } else {
            table_of(document, section, options, sink);
        }
    }
}

/// Headings above a section and its own, without the document's title.
fn path(document: &Document, section: &Section) -> Vec<String> {
    let all = section.path.iter().chain([&section.heading]);
    all.filter(|h| !h.is_empty() && **h != document.title).cloned().collect()
}

fn paragraphs_of(document: &Document, section: &Section, options: &ChunkOptions, sink: &mut Sink) {
    let has_heading = !section.heading.is_empty();
    let own_line = u32::from(has_heading && section.unit != TextUnit::Slide);
    let mut pieces = paragraphs(section, section.line.saturating_add(own_line), options);
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
        let locator =
            Locator::Text { section: section.heading.clone(), line: passage.line, unit: section.unit };
        sink.push(document.kind, locator, path(document, section), passage.text);
    }
}

fn table_of(document: &Document, section: &Section, options: &ChunkOptions, sink: &mut Sink) {
    let header = section.header_rows as usize;
    for group in table::groups(&section.rows, header, &section.heading, options.table_words) {
        for range in pack::split(&group.text, options.max_words * 2) {
            let text = group.text.get(range).unwrap_or("").trim().to_string();
            let locator =
                Locator::Text { section: section.heading.clone(), line: section.line, unit: section.unit };
            sink.push(document.kind, locator, path(document, section), text);
        }
    }
}

/// Notes on cells, each with the row that it stands in.
fn notes(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    let kind = if document.kind == Kind::Rfi { Kind::Rfi } else { Kind::Sheet };
    for note in &document.notes {
        let sheet = document.sheets.iter().find(|s| {
            let rows = u32::try_from(s.rows.len()).unwrap_or(u32::MAX);
            s.name == note.sheet && (s.first_row..s.first_row.saturating_add(rows)).contains(&note.row)
        });
        let row = sheet.and_then(|s| s.rows.get((note.row - s.first_row) as usize));
        let row: Vec<&str> = row.into_iter().flatten().map(|c| c.trim()).filter(|c| !c.is_empty()).collect();
        let who = if note.author.is_empty() { String::new() } else { format!(" ({})", note.author) };
        let row = row.join(" | ");
        let row = pack::head(&row, options.max_words / 2);
        let text = format!("{row}\n{}{who}: {}", note.cell, note.text);
        for range in pack::split(text.trim(), options.max_words) {
            let part = text.trim().get(range).unwrap_or("").trim().to_string();
            let locator = Locator::Sheet { sheet: note.sheet.clone(), row: note.row };
            sink.push(kind, locator, vec![note.sheet.clone()], part);
        }
    }
}

/// Every passage of a mail starts with its subject and who wrote it when. What it repeats of earlier
/// messages stands in passages of its own.
fn mail(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    let all = document.sections.iter().chain(&document.quoted).map(|s| s.text.as_str());
    let labels = labels::of(&all.collect::<Vec<_>>().join("\n"));
    let value = |key: &str| document.metadata.get(key).cloned().unwrap_or_default();
    let whole = mail_head(document, &labels);
    let head = pack::head(&whole, options.max_words / 2);
    let room = options.max_words.saturating_sub(pack::words(&head)).max(options.max_words / 2);
    let inner = ChunkOptions { max_words: room, ..options.clone() };
    let locator = || Locator::Mail { message_id: value("message_id"), part: 0 };
    let mut any = false;
    if head != whole {
        for range in pack::split(&whole, options.max_words) {
            sink.push(Kind::Mail, locator(), Vec::new(), whole.get(range).unwrap_or("").trim().to_string());
        }
    }
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
        let by = pack::head(&section.heading, options.max_words / 4);
        let by = if by.is_empty() { String::new() } else { format!(" ({by})") };
        passages(section, &format!("\n{}{by}:", labels.quoted));
    }
    if !any {
        sink.push(Kind::Mail, locator(), Vec::new(), head.into_owned());
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
