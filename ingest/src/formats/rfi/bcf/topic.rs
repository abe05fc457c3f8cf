//! A topic as a record.

use std::collections::BTreeSet;

use super::super::cells::parties;
use super::super::dates::{Order, iso, moment, zoned};
use super::super::number::rfi_number;
use super::super::states::state;
use super::{Context, Member, member, views, warn};
use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::xml::Node;
use crate::model::{Answer, Record, Warning};
use crate::text::label;

/// Reads a folder's markup with its views; the inner error says why it is no topic.
pub(super) fn read(
    archive: &mut Archive<'_>,
    markup: usize,
    (folder, files): (&str, &[Member]),
    context: &Context<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Result<Record, String>, ReadError> {
    let Some(root) = member(archive, markup, "markup.bcf", warnings)? else {
        return Ok(Err("its markup.bcf cannot be read".into()));
    };
    let Some(topic) = root.child("Topic") else {
        return Ok(Err("its markup.bcf holds no topic".into()));
    };
    let guid = topic.attribute("Guid").unwrap_or_default().to_string();
    let mut record = facts(&root, topic, &guid);
    if record.number.is_empty() {
        record.number = folder.rsplit('/').next().unwrap_or_default().to_string();
    }
    record.number = label(&record.number);
    if record.subject.is_empty() {
        warn(warnings, "topic", format!("topic {} has no title", record.number));
    }
    extras(&mut record, topic, &guid);
    models(&mut record, &root);
    documents(&mut record, topic, folder, context, warnings);
    record.viewpoints = views::read(archive, &root, topic, (folder, files), warnings)?;
    let mut seen = BTreeSet::new();
    let links =
        record.viewpoints.iter().flat_map(|v| &v.elements).filter(|e| seen.insert(&e.global_id)).cloned();
    record.elements = links.collect();
    Ok(Ok(record))
}

fn facts(root: &Node, topic: &Node, guid: &str) -> Record {
    let title = topic.text_of("Title");
    let mut record = Record {
        number: number(topic, &title).unwrap_or_else(|| guid.to_string()),
        kind: topic.attribute("TopicType").unwrap_or_default().to_string(),
        question: topic.text_of("Description"),
        status: topic.attribute("TopicStatus").unwrap_or_default().to_string(),
        priority: topic.text_of("Priority"),
        created: date(&topic.text_of("CreationDate")),
        due: date(&topic.text_of("DueDate")),
        author: topic.text_of("CreationAuthor"),
        assignee: topic.text_of("AssignedTo"),
        subject: title.split_whitespace().collect::<Vec<_>>().join(" "),
        answers: comments(root, topic),
        ..Record::default()
    };
    if record.status.is_empty() {
        record.status =
            comment_nodes(root, topic).last().map(|c| c.text_of("VerbalStatus")).unwrap_or_default();
    }
    record.state = state(&record.status).to_string();
    if record.state == "closed" {
        record.closed = date(&topic.text_of("ModifiedDate"));
    }
    record.parties = parties("author", &record.author, "");
    record.parties.extend(parties("assignee", &record.assignee, ""));
    record
}

/// Where every title starts with a mark of its own and all marks have one prefix ("K-01 …", "K-02 …"),
/// they are the topics' numbers.
pub(super) fn number_by_titles(records: &mut [Record]) {
    let mark = |title: &str| {
        let token = title.split([' ', ':']).next().unwrap_or("").to_string();
        let prefix = token.trim_end_matches(|c: char| c.is_ascii_digit());
        let letters = prefix.trim_end_matches(['-', '_', '.']);
        let shaped = (1..=6).contains(&letters.len())
            && letters.chars().all(char::is_alphabetic)
            && prefix.len() < token.len();
        shaped.then(|| (prefix.to_string(), token.clone()))
    };
    let marks: Option<Vec<(String, String)>> = records.iter().map(|r| mark(&r.subject)).collect();
    let Some(marks) = marks.filter(|m| m.len() >= 3) else { return };
    let one_prefix = marks.iter().all(|(prefix, _)| Some(prefix) == marks.first().map(|m| &m.0));
    let unique: BTreeSet<&String> = marks.iter().map(|(_, token)| token).collect();
    if one_prefix && unique.len() == marks.len() {
        for (record, (_, token)) in records.iter_mut().zip(marks) {
            record.number = token;
        }
    }
}

/// The number that a server assigned, or that the title starts with.
fn number(topic: &Node, title: &str) -> Option<String> {
    if let Some(id) = topic.attribute("ServerAssignedId").filter(|id| !id.trim().is_empty()) {
        return Some(id.trim().to_string());
    }
    rfi_number(title).filter(|n| title.trim_start().starts_with(n.as_str()))
}

/// BCF dates are ISO 8601 already, most of them with a time zone, which they keep; anything else is tried as a
/// date.
fn date(text: &str) -> String {
    zoned(text).or_else(|| iso(text, Order::DayFirst)).unwrap_or_default()
}

/// Comments stand beside the topic in 2.x, inside it in 3.0.
fn comment_nodes<'a>(root: &'a Node, topic: &'a Node) -> Vec<&'a Node> {
    let inside = topic.child("Comments").into_iter().flat_map(|c| c.children.iter());
    root.all("Comment").chain(inside).filter(|c| c.name.eq_ignore_ascii_case("Comment")).collect()
}

fn comments(root: &Node, topic: &Node) -> Vec<Answer> {
    let mut out: Vec<Answer> = comment_nodes(root, topic)
        .into_iter()
        .map(|c| Answer {
            text: c.text_of("Comment"),
            author: c.text_of("Author"),
            date: date(&c.text_of("Date")),
            official: false,
        })
        .filter(|a| !a.text.is_empty())
        .collect();
    out.sort_by_cached_key(|a| (moment(&a.date), a.date.clone()));
    out
}

fn extras(record: &mut Record, topic: &Node, guid: &str) {
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            record.fields.insert(name.to_string(), value);
        }
    };
    put("Guid", guid.to_string());
    put("Stage", [topic.text_of("Stage"), topic.attribute("Stage").unwrap_or_default().into()].concat());
    put("ModifiedDate", date(&topic.text_of("ModifiedDate")));
    put("ModifiedAuthor", topic.text_of("ModifiedAuthor"));
    let nested = topic.all("Labels").flat_map(|l| l.all("Label").chain(std::iter::once(l)));
    let labels: Vec<&str> = nested.map(|l| l.text.trim()).filter(|t| !t.is_empty()).collect();
    put("Labels", labels.join(", "));
    let related = topic.all("RelatedTopics").flat_map(|r| r.all("RelatedTopic").chain(std::iter::once(r)));
    let related: Vec<&str> =
        related.chain(topic.all("RelatedTopic")).filter_map(|r| r.attribute("Guid")).collect();
    put("RelatedTopics", related.join(", "));
    for links in
        topic.all("ReferenceLink").chain(topic.all("ReferenceLinks").flat_map(|l| l.all("ReferenceLink")))
    {
        record.references.extend(Some(links.text.trim().to_string()).filter(|t| !t.is_empty()));
    }
}

/// The models that the topic is about.
fn models(record: &mut Record, root: &Node) {
    let files = root
        .child("Header")
        .into_iter()
        .flat_map(|h| h.all("File").chain(h.all("Files").flat_map(|f| f.all("File"))));
    let models: Vec<String> = files.map(|f| f.text_of("Filename")).filter(|f| !f.is_empty()).collect();
    if !models.is_empty() {
        record.fields.insert("Files".into(), models.join(", "));
    }
    record.references.extend(models);
}

/// Documents and snippets: those in the archive are attachments, the others references.
fn documents(
    record: &mut Record,
    topic: &Node,
    folder: &str,
    context: &Context<'_>,
    warnings: &mut Vec<Warning>,
) {
    let lists = topic.all("DocumentReferences");
    let inside = lists.flat_map(|d| d.all("DocumentReference").chain(std::iter::once(d)));
    let mut all: Vec<&Node> = inside.chain(topic.all("DocumentReference")).collect();
    all.extend(topic.child("BimSnippet"));
    for reference in all {
        let external = reference.attribute("isExternal").is_some_and(|e| e.eq_ignore_ascii_case("true"));
        let first = |names: [&str; 2]| {
            names.iter().map(|n| reference.text_of(n)).find(|t| !t.is_empty()).unwrap_or_default()
        };
        let described = reference.text_of("Description");
        let (path, url) = (first(["ReferencedDocument", "Reference"]), reference.text_of("Url"));
        let listed = reference.text_of("DocumentGuid").to_ascii_lowercase();
        let target = match context.documents.get(&listed) {
            Some(name) if !name.is_empty() => Some(name.clone()),
            _ if path.is_empty() || external || path.contains("://") => None,
            _ => Some(path.rsplit('/').next().unwrap_or(&path).to_string()),
        };
        if let Some(name) = target {
            let wanted =
                if listed.is_empty() { resolved(folder, &path) } else { format!("documents/{listed}") };
            let there = context.members.iter().any(|(_, m)| m.to_ascii_lowercase().ends_with(&wanted));
            if !there {
                let number = &record.number;
                warn(warnings, "missing-file", format!("topic {number}: '{name}' is not in the archive"));
            }
            record.attachments.push(name);
        }
        record.references.extend([described, path, url].into_iter().filter(|t| !t.is_empty()));
    }
}

/// A path relative to a topic's folder, in lower case.
fn resolved(folder: &str, path: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|p| !p.is_empty()).collect();
    for part in path.split(['/', '\\']) {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            part => parts.push(part),
        }
    }
    parts.join("/").to_ascii_lowercase()
}
