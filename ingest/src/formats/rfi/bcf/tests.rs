//! BCF archives written here.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

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
    assert_eq!((record.number.as_str(), record.subject.as_str()), ("RFI-014", "RFI-014 Aussparung Lüftung"));
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
    assert_eq!((records[0].answers[0].text.as_str(), records[0].fields["Labels"].as_str()), ("ja", "A, B"));
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
fn views_pictures_and_files() {
    let markup = "<Markup><Topic Guid=\"g\" TopicType=\"Kollision\"><Title>T</Title><BimSnippet><Reference>s.json</Reference>\
        </BimSnippet><DocumentReference><ReferencedDocument>../plan.txt</ReferencedDocument><Description>Plan</Description>\
        </DocumentReference><DocumentReference isExternal=\"true\"><ReferencedDocument>https://example.ch/a</ReferencedDocument>\
        </DocumentReference></Topic><Viewpoints Guid=\"v1\"><Viewpoint>eins.bcfv</Viewpoint><Snapshot>eins.png</Snapshot>\
        </Viewpoints><Viewpoints Guid=\"v2\"><Viewpoint>fehlt.bcfv</Viewpoint></Viewpoints></Markup>";
    let view = |id: &str| {
        format!("<V><Components><Selection><Component IfcGuid=\"{id}\"/></Selection></Components></V>")
    };
    let (one, two) = (view(WALL), view("1O2Fr$t4X7Zf8NOew3FNr2"));
    let picture = "\u{89}PNG";
    let bytes = archive(&[
        ("a/markup.bcf", markup),
        ("a/eins.bcfv", &one),
        ("a/eins.png", picture),
        ("a/weitere.bcfv", &two),
        ("plan.txt", "Grundriss"),
        ("__MACOSX/a/._markup.bcf", "x"),
        ("b/viewpoint.bcfv", &two),
    ]);
    let document = read(&bytes, "x.bcf", &Limits::default()).unwrap();
    let record = &document.records[0];
    assert_eq!((record.kind.as_str(), record.discipline.as_str()), ("Kollision", ""));
    let views: Vec<_> =
        record.viewpoints.iter().map(|v| (v.guid.as_str(), v.snapshot.as_str(), v.elements.len())).collect();
    assert_eq!(views, [("v1", "a/eins.png", 1), ("v2", "", 0), ("", "", 1)]);
    assert_eq!(record.elements.len(), 2);
    assert_eq!(record.attachments, ["plan.txt", "s.json"]);
    assert_eq!(record.references, ["Plan", "../plan.txt", "https://example.ch/a", "s.json"]);
    assert_eq!(document.attachments[0].name, "plan.txt");
    let missing: Vec<&str> =
        document.warnings.iter().filter(|w| w.code == "missing-file").map(|w| w.message.as_str()).collect();
    assert!(
        missing.len() == 2 && missing[0].contains("s.json") && missing[1].contains("fehlt.bcfv"),
        "{missing:?}"
    );
    let counts = document.registers[0].counts;
    assert_eq!((counts.found, counts.stored, counts.rejected), (2, 1, 1), "a folder of views alone is told");
}

#[test]
fn documents_of_version_3_carry_their_names() {
    let markup = "<Markup><Topic Guid=\"g\"><Title>T</Title><DocumentReferences><DocumentReference Guid=\"r\">\
        <DocumentGuid>D1</DocumentGuid></DocumentReference></DocumentReferences></Topic></Markup>";
    let list = "<DocumentInfo><Documents><Document Guid=\"D1\"><Filename>plan.txt</Filename></Document></Documents></DocumentInfo>";
    let bytes = archive(&[("documents.xml", list), ("g/markup.bcf", markup), ("Documents/d1", "Grundriss")]);
    let document = read(&bytes, "x.bcf", &Limits::default()).unwrap();
    assert_eq!(document.records[0].attachments, ["plan.txt"]);
    assert_eq!(document.attachments[0].name, "plan.txt");
    assert!(document.warnings.is_empty(), "{:?}", document.warnings);
}

#[test]
fn only_pictures_come_out_of_an_archive() {
    use crate::render::topic_picture;
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("a/s.png", &b"\x89PNG\r\n\x1a\nrest"[..]), ("a/markup.bcf", b"<Markup/>")] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    let limits = Limits::default();
    assert!(topic_picture(&bytes, "a/s.png", &limits).unwrap().ends_with(b"rest"));
    assert!(matches!(topic_picture(&bytes, "a/markup.bcf", &limits), Err(ReadError::Unsupported { .. })));
    assert!(matches!(topic_picture(&bytes, "../s.png", &limits), Err(ReadError::Damaged { .. })));
    let small = Limits { max_expanded_bytes: 5, ..limits };
    assert!(matches!(topic_picture(&bytes, "a/s.png", &small), Err(ReadError::TooLarge { .. })));
}
