//! BCF 2.0, 2.1 and 3.0: topics with comments and the elements that their viewpoints select. Tolerant:
//! field archives lack `bcf.version`, extensions, even titles.

use std::collections::{BTreeMap, BTreeSet};

use super::dates::{Order, iso};
use super::states::state;
use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::xml::{self, Node};
use crate::limits::Limits;
use crate::model::{Answer, Document, ElementLink, Kind, Record, Warning};

/// Reads an archive.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let mut archive = Archive::open(bytes, limits)?;
    let mut document = Document::new(Kind::Rfi, crate::formats::stem(name));
    let names = archive.names();
    let mut by_folder: BTreeMap<String, Vec<(usize, String)>> = BTreeMap::new();
    for (index, path) in &names {
        let (folder, file) = path.rsplit_once('/').unwrap_or(("", path));
        match file.to_ascii_lowercase().as_str() {
            "bcf.version" => version(&mut archive, *index, &mut document)?,
            "project.bcfp" => project(&mut archive, *index, &mut document)?,
            _ => by_folder.entry(folder.to_string()).or_default().push((*index, file.to_string())),
        }
    }
    // In the order of the archive, not of the folders' names, which are random.
    let mut folders: Vec<(usize, &Vec<(usize, String)>)> = by_folder
        .values()
        .filter_map(|files| Some((files.iter().find(|f| f.1.eq_ignore_ascii_case("markup.bcf"))?.0, files)))
        .collect();
    folders.sort_by_key(|(index, _)| *index);
    for (markup, files) in folders {
        let record = topic(&mut archive, markup, files, &mut document.warnings)?;
        document.records.extend(record);
    }
    number_by_titles(&mut document.records);
    document.metadata.insert("records".into(), document.records.len().to_string());
    if document.records.is_empty() {
        warn(&mut document.warnings, "empty", "the archive has no topic".into());
    }
    Ok(document)
}

fn warn(warnings: &mut Vec<Warning>, code: &str, message: String) {
    warnings.push(Warning { code: code.into(), message, page: None });
}

/// Parses a member; what is broken is a warning, what exceeds the limits an error.
fn member(
    archive: &mut Archive<'_>,
    index: usize,
    file: &str,
    warnings: &mut Vec<Warning>,
) -> Result<Option<Node>, ReadError> {
    match archive.read(index) {
        Ok(bytes) => {
            let (root, fault) = xml::parse(&bytes);
            if let Some(fault) = fault {
                warn(warnings, "xml", format!("{file}: {fault}; what came before it was read"));
            }
            Ok(root.children.into_iter().next())
        }
        Err(error @ (ReadError::TooLarge { .. } | ReadError::Password)) => Err(error),
        Err(error) => {
            warn(warnings, "member", format!("{file}: {error}"));
            Ok(None)
        }
    }
}

fn version(archive: &mut Archive<'_>, index: usize, document: &mut Document) -> Result<(), ReadError> {
    let root = member(archive, index, "bcf.version", &mut document.warnings)?;
    if let Some(version) = root.as_ref().and_then(|r| r.attribute("VersionId")) {
        document.metadata.insert("schema".into(), format!("BCF {version}"));
    }
    Ok(())
}

fn project(archive: &mut Archive<'_>, index: usize, document: &mut Document) -> Result<(), ReadError> {
    let root = member(archive, index, "project.bcfp", &mut document.warnings)?;
    let name = root.as_ref().and_then(|r| r.child("Project")).map(|p| p.text_of("Name")).unwrap_or_default();
    if !name.is_empty() {
        document.metadata.insert("project".into(), name);
    }
    Ok(())
}

fn topic(
    archive: &mut Archive<'_>,
    markup: usize,
    files: &[(usize, String)],
    warnings: &mut Vec<Warning>,
) -> Result<Option<Record>, ReadError> {
    let Some(root) = member(archive, markup, "markup.bcf", warnings)? else { return Ok(None) };
    let Some(topic) = root.child("Topic") else {
        warn(warnings, "topic", "a markup file has no topic".into());
        return Ok(None);
    };
    let guid = topic.attribute("Guid").unwrap_or_default().to_string();
    let title = topic.text_of("Title");
    let mut record = Record {
        number: number(topic, &title).unwrap_or_else(|| guid.clone()),
        question: topic.text_of("Description"),
        status: topic.attribute("TopicStatus").unwrap_or_default().to_string(),
        priority: topic.text_of("Priority"),
        created: date(&topic.text_of("CreationDate")),
        due: date(&topic.text_of("DueDate")),
        author: topic.text_of("CreationAuthor"),
        assignee: topic.text_of("AssignedTo"),
        subject: title,
        ..Record::default()
    };
    if record.subject.is_empty() {
        warn(warnings, "topic", format!("topic {guid} has no title"));
    }
    record.answers = comments(&root, topic);
    let verbal = comment_nodes(&root, topic).last().map(|c| c.text_of("VerbalStatus")).unwrap_or_default();
    if record.status.is_empty() {
        record.status = verbal;
    }
    record.state = state(&record.status).to_string();
    if record.state == "closed" {
        record.closed = date(&topic.text_of("ModifiedDate"));
    }
    extras(&mut record, topic, &root, &guid);
    record.elements = selected(archive, files, warnings)?;
    Ok(Some(record))
}

/// Where every title starts with a mark of its own and all marks have one prefix ("K-01 …", "K-02 …"),
/// they are the topics' numbers.
fn number_by_titles(records: &mut [Record]) {
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

/// The first request number in a text: `RFI-014`, `RFI 14`.
pub(crate) fn rfi_number(text: &str) -> Option<String> {
    let upper = text.to_ascii_uppercase();
    let mut from = 0;
    while let Some(found) = upper.get(from..)?.find("RFI") {
        let start = from + found;
        let rest = upper.get(start + 3..)?;
        let separators = rest.len() - rest.trim_start_matches([' ', '-', '_', '#', ':', '.']).len();
        let digits = rest.get(separators..)?.bytes().take_while(|b| b.is_ascii_digit()).count();
        let fresh = !upper.get(..start)?.ends_with(|c: char| c.is_alphanumeric());
        if fresh && digits > 0 && separators <= 3 {
            return text.get(start..start + 3 + separators + digits).map(String::from);
        }
        from = start + 3;
    }
    None
}

/// BCF dates are ISO 8601 already; anything else is tried as a date.
fn date(text: &str) -> String {
    iso(text, Order::DayFirst).unwrap_or_default()
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
    out.sort_by(|a, b| a.date.cmp(&b.date));
    out
}

fn extras(record: &mut Record, topic: &Node, root: &Node, guid: &str) {
    let mut put = |name: &str, value: String| {
        if !value.is_empty() {
            record.fields.insert(name.to_string(), value);
        }
    };
    put("Guid", guid.to_string());
    put("TopicType", topic.attribute("TopicType").unwrap_or_default().to_string());
    put("Stage", topic.text_of("Stage"));
    put("ModifiedDate", date(&topic.text_of("ModifiedDate")));
    put("ModifiedAuthor", topic.text_of("ModifiedAuthor"));
    let nested = topic.all("Labels").flat_map(|l| l.all("Label").chain(std::iter::once(l)));
    let labels: Vec<&str> = nested.map(|l| l.text.trim()).filter(|t| !t.is_empty()).collect();
    put("Labels", labels.join(", "));
    let header = root.child("Header");
    let files =
        header.into_iter().flat_map(|h| h.all("File").chain(h.all("Files").flat_map(|f| f.all("File"))));
    let models: Vec<String> = files.map(|f| f.text_of("Filename")).filter(|f| !f.is_empty()).collect();
    put("Files", models.join(", "));
    record.references.extend(models);
    for links in
        topic.all("ReferenceLink").chain(topic.all("ReferenceLinks").flat_map(|l| l.all("ReferenceLink")))
    {
        record.references.extend(Some(links.text.trim().to_string()).filter(|t| !t.is_empty()));
    }
    let documents =
        topic.all("DocumentReferences").flat_map(|d| d.all("DocumentReference").chain(std::iter::once(d)));
    for reference in documents.chain(topic.all("DocumentReference")) {
        for part in ["Description", "ReferencedDocument", "Url"] {
            record.references.extend(Some(reference.text_of(part)).filter(|t| !t.is_empty()));
        }
    }
    record.discipline = topic.attribute("TopicType").unwrap_or_default().to_string();
}

/// Elements selected in the topic's viewpoints, in order.
fn selected(
    archive: &mut Archive<'_>,
    files: &[(usize, String)],
    warnings: &mut Vec<Warning>,
) -> Result<Vec<ElementLink>, ReadError> {
    let mut seen = BTreeSet::new();
    let mut out = Vec::new();
    for (index, file) in files.iter().filter(|f| f.1.to_ascii_lowercase().ends_with(".bcfv")) {
        let Some(view) = member(archive, *index, file, warnings)? else { continue };
        let Some(components) = view.child("Components") else { continue };
        // 2.1 and later have a Selection; in 2.0 each component says whether it is selected.
        let in_selection = components.all("Selection").flat_map(|s| s.all("Component"));
        let marked =
            components.all("Component").filter(|c| c.attribute("Selected").is_none_or(|s| s != "false"));
        for component in in_selection.chain(marked) {
            let Some(id) = component.attribute("IfcGuid").map(str::trim).filter(|id| id.len() == 22) else {
                continue;
            };
            if seen.insert(id.to_string()) {
                let authoring_id = component.text_of("AuthoringToolId");
                out.push(ElementLink { global_id: id.to_string(), authoring_id });
            }
        }
    }
    Ok(out)
}

#[cfg(test)]
pub(crate) mod tests {
    use std::io::{Cursor, Write};

    use zip::write::SimpleFileOptions;

    use super::rfi_number;
    use crate::model::Kind;
    use crate::{Limits, ReadError, read};

    fn archive(members: &[(&str, &str)]) -> Vec<u8> {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in members {
            zip.start_file(*name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        zip.finish().unwrap().into_inner()
    }

    /// An archive of one topic with a viewpoint.
    pub(crate) fn sample() -> Vec<u8> {
        let markup = "<Markup><Topic Guid=\"g\"><Title>RFI-1 T\u{fc}r</Title></Topic><Comment Guid=\"c\">\
            <Date>2026-03-03</Date><Comment>ja</Comment></Comment></Markup>";
        let view =
            format!("<V><Components><Selection><Component IfcGuid=\"{WALL}\"/></Selection></Components></V>");
        archive(&[("a/markup.bcf", markup), ("a/viewpoint.bcfv", &view)])
    }

    const WALL: &str = "2O2Fr$t4X7Zf8NOew3FNr2";

    #[test]
    fn version_2_1() {
        let markup = "<?xml version=\"1.0\"?><Markup><Header><File><Filename>a.ifc</Filename></File></Header>\
            <Topic Guid=\"7ddc3ef0-0ab7-43f1-918a-45e38b42369c\" TopicType=\"Anfrage\" TopicStatus=\"Offen\">\
            <Title>RFI-014 Aussparung L\u{fc}ftung</Title><Priority>Hoch</Priority>\
            <CreationDate>2026-03-02T10:00:00+01:00</CreationDate><CreationAuthor>a@example.ch</CreationAuthor>\
            <AssignedTo>b@example.ch</AssignedTo><DueDate>2026-03-12</DueDate><Labels>HLK</Labels>\
            <Description>Wo liegt die Aussparung?</Description></Topic>\
            <Comment Guid=\"2\"><Date>2026-03-04</Date><Author>c</Author><Comment>zweite</Comment></Comment>\
            <Comment Guid=\"1\"><Date>2026-03-03</Date><Author>b</Author><Comment>erste</Comment></Comment></Markup>";
        let view = format!(
            "<VisualizationInfo Guid=\"1\"><Components><Selection><Component IfcGuid=\"{WALL}\">\
             <AuthoringToolId>77</AuthoringToolId></Component></Selection><Visibility DefaultVisibility=\"false\">\
             <Exceptions><Component IfcGuid=\"0O2Fr$t4X7Zf8NOew3FNr2\"/></Exceptions></Visibility></Components>\
             </VisualizationInfo>"
        );
        let bytes = archive(&[
            ("bcf.version", "<Version VersionId=\"2.1\"/>"),
            ("7ddc/markup.bcf", markup),
            ("7ddc/viewpoint.bcfv", &view),
        ]);
        let document = read(&bytes, "topics.bcf", &Limits::default()).unwrap();
        assert_eq!((document.kind, document.metadata["schema"].as_str()), (Kind::Rfi, "BCF 2.1"));
        let record = &document.records[0];
        assert_eq!(
            (record.number.as_str(), record.subject.as_str()),
            ("RFI-014", "RFI-014 Aussparung Lüftung")
        );
        assert_eq!((record.state.as_str(), record.due.as_str()), ("open", "2026-03-12"));
        assert_eq!(record.answers.iter().map(|a| a.text.as_str()).collect::<Vec<_>>(), ["erste", "zweite"]);
        assert_eq!(record.elements.len(), 1);
        assert_eq!(
            (record.elements[0].global_id.as_str(), record.elements[0].authoring_id.as_str()),
            (WALL, "77")
        );
        assert_eq!(record.fields["Labels"], "HLK");
        assert_eq!(record.references, ["a.ifc"]);
    }

    #[test]
    fn version_3_and_2_0_shapes() {
        let three = "<Markup><Topic Guid=\"g3\" ServerAssignedId=\"RFI-7\" TopicStatus=\"Closed\"><Title>T</Title>\
            <Comments><Comment Guid=\"c\"><Date>2026-03-03</Date><Author>b</Author><Comment>ja</Comment></Comment></Comments>\
            <Labels><Label>A</Label><Label>B</Label></Labels></Topic></Markup>";
        let two = "<Markup><Topic Guid=\"g2\"><Title>U</Title></Topic><Comment Guid=\"c\"><VerbalStatus>Open</VerbalStatus>\
            <Date>2026-03-03</Date><Author>b</Author><Comment>nein</Comment></Comment></Markup>";
        let view = format!(
            "<VisualizationInfo><Components><Component IfcGuid=\"{WALL}\" Selected=\"true\"/>\
            <Component IfcGuid=\"1O2Fr$t4X7Zf8NOew3FNr2\" Selected=\"false\"/></Components></VisualizationInfo>"
        );
        let bytes = archive(&[("b/markup.bcf", three), ("a/markup.bcf", two), ("a/viewpoint.bcfv", &view)]);
        let records = read(&bytes, "x.bcfzip", &Limits::default()).unwrap().records;
        assert_eq!((records[0].number.as_str(), records[0].state.as_str()), ("RFI-7", "closed"));
        assert_eq!(
            (records[0].answers[0].text.as_str(), records[0].fields["Labels"].as_str()),
            ("ja", "A, B")
        );
        assert_eq!((records[1].number.as_str(), records[1].state.as_str()), ("g2", "open"));
        assert_eq!(records[1].elements.len(), 1);
    }

    #[test]
    fn marks_in_all_titles_are_numbers() {
        let markup =
            |n: u32| format!("<Markup><Topic Guid=\"g{n}\"><Title>K-0{n} T\u{fc}r</Title></Topic></Markup>");
        let (one, two, three) = (markup(1), markup(2), markup(3));
        let bytes = archive(&[("a/markup.bcf", &one), ("b/markup.bcf", &two), ("c/markup.bcf", &three)]);
        let records = read(&bytes, "x.bcf", &Limits::default()).unwrap().records;
        assert_eq!(records.iter().map(|r| r.number.as_str()).collect::<Vec<_>>(), ["K-01", "K-02", "K-03"]);
        assert_eq!(records[2].fields["Guid"], "g3");
    }

    #[test]
    fn broken_members_are_warnings_and_floods_errors() {
        let bytes = archive(&[
            ("a/markup.bcf", "<Markup><Topic Guid=\"g\"><Title>T</Title></Topic><"),
            ("b/markup.bcf", ""),
        ]);
        let document = read(&bytes, "x.bcf", &Limits::default()).unwrap();
        assert_eq!(document.records.len(), 1);
        assert!(document.warnings.iter().any(|w| w.code == "xml"));
        let limits = Limits { max_members: 1, ..Limits::default() };
        assert!(matches!(read(&bytes, "x.bcf", &limits), Err(ReadError::TooLarge { .. })));
    }

    #[test]
    fn request_numbers() {
        let cases = [
            ("AW: RFI-014 Türen", Some("RFI-014")),
            ("Re: rfi 7", Some("rfi 7")),
            ("RFI", None),
            ("SURFIN 12", None),
        ];
        for (text, expected) in cases {
            assert_eq!(rfi_number(text).as_deref(), expected, "{text}");
        }
    }
}
