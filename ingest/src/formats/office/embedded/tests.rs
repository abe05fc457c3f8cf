//! Objects and pictures in office files that the tests write.

use std::io::{Cursor, Write};

use cfb::CompoundFile;

use super::ole;
use crate::formats::container::tests::zip;
use crate::{Document, Limits, read};

/// 120 x 80 and 120 x 60 pixels, white, the first with a black corner: Pillow 13.0, `save(…, "PNG", optimize=True)`.
const PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAHgAAABQAQAAAAD64IwkAAAAIElEQVR42mNk+M+ADJgYGOjL/88wsPaP8kf5o/wRywcACSgCnpOqCVIAAAAASUVORK5CYII=";
const SMALL_PNG: &str = "iVBORw0KGgoAAAANSUhEUgAAAHgAAAA8AQAAAACF1kMFAAAAF0lEQVR42mP8z4ACmBhG+aP8Uf5Q4QMAoD0Bd8oI2kEAAAAASUVORK5CYII=";
/// The first one, `save(…, "JPEG", quality=10, optimize=True)`.
const JPEG: &str = "/9j/4AAQSkZJRgABAQAAAQABAAD/2wBDAFA3PEY8MlBGQUZaVVBfeMiCeG5uePWvuZHI////////////////////////////////////////////////////wAALCABQAHgBAREA/8QAFgABAQEAAAAAAAAAAAAAAAAAAAQF/8QAFBABAAAAAAAAAAAAAAAAAAAAAP/aAAgBAQAAPwCJtAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD/2Q==";

fn picture(base64: &str) -> Vec<u8> {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.decode(base64).unwrap()
}

fn hex(bytes: &[u8]) -> String {
    let digits: Vec<String> = bytes.iter().map(|b| format!("{b:02x}")).collect();
    // Word breaks the digits into lines.
    digits.chunks(64).map(|line| line.concat()).collect::<Vec<_>>().join("\r\n")
}

/// Names and bytes of what was taken out.
fn taken(document: &Document) -> Vec<(&str, &[u8])> {
    document.attachments.iter().map(|a| (a.name.as_str(), a.bytes.as_slice())).collect()
}

fn warned<'a>(document: &'a Document, code: &str) -> &'a str {
    document.warnings.iter().find(|w| w.code == code).map_or("", |w| w.message.as_str())
}

/// A compound file of these streams.
fn compound(streams: &[(&str, &[u8])]) -> Vec<u8> {
    let mut file = CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    for (name, bytes) in streams {
        file.create_stream(name).unwrap().write_all(bytes).unwrap();
    }
    file.flush().unwrap();
    file.into_inner().into_inner()
}

/// As the packager of Windows writes it (MS-OLEDS 2.3.6 and what Office adds after it).
fn native(name: &str, wide: Option<&str>, bytes: &[u8]) -> Vec<u8> {
    let path = format!("C:\\Ablage\\{name}");
    let mut body = vec![2, 0];
    for text in [name, &path] {
        body.extend(encoding_rs::WINDOWS_1252.encode(text).0.iter());
        body.push(0);
    }
    body.extend([0, 0, 3, 0]);
    body.extend(5_u32.to_le_bytes());
    body.extend(b"temp\0");
    body.extend((bytes.len() as u32).to_le_bytes());
    body.extend(bytes);
    if let Some(wide) = wide {
        for text in ["temp", wide, wide] {
            let units: Vec<u16> = text.encode_utf16().collect();
            body.extend((units.len() as u32).to_le_bytes());
            body.extend(units.iter().flat_map(|u| u.to_le_bytes()));
        }
    }
    [(body.len() as u32).to_le_bytes().to_vec(), body].concat()
}

fn docx(embedded: &[(&str, &[u8])]) -> Vec<u8> {
    let body =
        "<w:document xmlns:w=\"w\"><w:body><w:p><w:r><w:t>Bericht</w:t></w:r></w:p></w:body></w:document>";
    let members = [("[Content_Types].xml", "<Types/>".as_bytes()), ("word/document.xml", body.as_bytes())];
    zip(&[&members[..], embedded].concat())
}

#[test]
fn embedded_files_are_taken_out_with_their_names() {
    let inner = docx(&[]);
    let package = compound(&[("/Package", &inner)]);
    let pdf = compound(&[("/CONTENTS", b"%PDF-1.7 rest")]);
    let old = compound(&[("/Workbook", b"biff")]);
    let named = compound(&[("/\u{1}Ole10Native", &native("Pr\u{fc}fung.txt", None, b"Haftzug 1.2"))]);
    let wide = native("????.txt", Some("C:\\x\\План.txt"), b"Mass");
    let wide = compound(&[("/\u{1}Ole10Native", &wide)]);
    let equation = compound(&[("/Equation Native", b"x")]);
    let bytes = docx(&[
        ("word/embeddings/Tabelle.xlsx", b"PK\x03\x04 x"),
        ("word/embeddings/oleObject1.bin", &package),
        ("word/embeddings/oleObject2.bin", &pdf),
        ("word/embeddings/oleObject3.bin", &old),
        ("word/embeddings/oleObject4.bin", &named),
        ("word/embeddings/oleObject5.bin", &wide),
        ("word/embeddings/oleObject6.bin", &equation),
    ]);
    let document = read(&bytes, "bericht.docx", &Limits::default()).unwrap();
    let found: Vec<(&str, usize)> =
        document.attachments.iter().map(|a| (a.name.as_str(), a.bytes.len())).collect();
    assert_eq!(
        found,
        [
            ("oleobject1.docx", inner.len()),
            ("oleobject2.pdf", 13),
            ("oleobject3.xls", old.len()),
            ("Prüfung.txt", 11),
            ("План.txt", 4),
            ("tabelle.xlsx", 6),
        ]
    );
    let warning = document.warnings.iter().find(|w| w.code == "embedded").unwrap();
    assert!(
        warning.message.starts_with("1 embedded object was") && warning.message.contains("oleobject6.bin")
    );
}

#[test]
fn a_cut_package_is_named_and_no_more() {
    let whole = native("a.txt", Some("a.txt"), b"text");
    assert_eq!(ole::packaged("x.bin", &whole[4..]), Some(("a.txt".into(), b"text".to_vec())));
    let data_end = whole.len() - (4 + 8) - (4 + 10) * 2;
    for cut in 4..whole.len() {
        let found = ole::packaged("x.bin", &whole[4..cut]);
        assert_eq!(found.is_some(), cut >= data_end, "cut at {cut}");
    }
}

/// An object of OLE 1 (MS-OLEDS 2.2.4 and 2.2.5): version, format, class, topic, item, data.
fn ole1(format: u32, class: &str, data: &[u8]) -> Vec<u8> {
    let mut out = 0x501_u32.to_le_bytes().to_vec();
    out.extend(format.to_le_bytes());
    out.extend((class.len() as u32 + 1).to_le_bytes());
    out.extend(class.as_bytes());
    out.push(0);
    out.extend([0; 8]);
    out.extend((data.len() as u32).to_le_bytes());
    out.extend(data);
    // No presentation follows.
    out.extend([1, 5, 0, 0, 0, 0, 0, 0]);
    out
}

/// A file with objects and pictures wherever RTF has them.
fn rtf(sheet: &[u8]) -> Vec<u8> {
    let object = |ole: &[u8]| {
        format!(
            "{{\\object\\objemb{{\\*\\objclass X}}\\objw1\\objh1{{\\*\\objdata {}}}{{\\result {{\\pict\\wmetafile8 0102}}}}}}",
            hex(ole)
        )
    };
    let packaged = native("Pr\u{fc}fung.txt", None, b"Haftzug 1.2");
    let objects = [
        object(&ole1(2, "Excel.Sheet.12", &compound(&[("/Package", sheet)]))),
        object(&ole1(2, "Package", &packaged[4..])),
        object(&ole1(2, "Package", &compound(&[("/\u{1}Ole10Native", &native("zwei.txt", None, b"zwei"))]))),
        object(&ole1(2, "Equation.3", &compound(&[("/Equation Native", b"x")]))),
        object(&ole1(1, "Excel.Sheet.12", b"")),
    ];
    let (png, jpeg) = (picture(PNG), picture(JPEG));
    let start = format!(
        "{{\\rtf1\\ansi{{\\header {{\\pict\\jpegblip {}}}}}{{\\*\\listtable{{\\*\\listpicture{{\\*\\shppict{{\\pict\\jpegblip {}}}}}}}}}\
        \\pard Vor {{\\*\\shppict{{\\pict{{\\*\\picprop{{\\sp{{\\sn wzName}}{{\\sv Bild}}}}}}\\picw120\\pich80\\pngblip\n{}}}}}\
        {{\\nonshppict{{\\pict\\wmetafile8 0102}}}} nach.\\par {{\\pict\\emfblip 0102}}{{\\pict\\pngblip {}}}{{\\pict\\pngblip {}}}\
        {{\\shp{{\\*\\shpinst{{\\sp{{\\sn pib}}{{\\sv {{\\pict\\jpegblip\\bin{} ",
        hex(&jpeg),
        hex(&jpeg),
        hex(&png),
        hex(&png),
        hex(&picture(SMALL_PNG)),
        jpeg.len()
    );
    let end = format!("}}}}}}{{\\shptxt Im Feld\\par}}}}}}{}\\pard Schluss.\\par}}", objects.concat());
    [start.as_bytes(), &jpeg, end.as_bytes()].concat()
}

/// `rtfobj` of oletools 0.60.2 finds five objects in this file: a compound file with a stream `Package`, the package
/// `Pr\u{fc}fung.txt` of 11 bytes, a compound file with `Ole10Native`, one with `Equation Native`, and a link.
#[test]
fn objects_and_pictures_of_a_rich_text() {
    let sheet = docx(&[]);
    let document = read(&rtf(&sheet), "bericht.rtf", &Limits::default()).unwrap();
    // SMALL_PNG has 7,200 pixels, fewer than hold text.
    assert_eq!(
        taken(&document),
        [
            ("picture1.png", picture(PNG).as_slice()),
            ("picture5.jpg", &picture(JPEG)),
            ("object1.docx", &sheet),
            ("Pr\u{fc}fung.txt", b"Haftzug 1.2"),
            ("zwei.txt", b"zwei"),
        ]
    );
    assert_eq!(document.attachments.iter().map(|a| a.part).collect::<Vec<_>>(), [1, 2, 3, 4, 5]);
    assert!(warned(&document, "picture").starts_with("1 picture was not read"));
    assert!(warned(&document, "picture").ends_with(": picture2.emf"), "{:?}", document.warnings);
    assert!(warned(&document, "embedded").ends_with(": object4 (Equation.3)"), "{:?}", document.warnings);
    let texts: Vec<&str> = document.sections.iter().map(|s| s.text.as_str()).collect();
    assert_eq!(texts, ["Vor nach.\n\nIm Feld\n\nSchluss."]);
}

#[test]
fn a_rich_text_cut_anywhere_is_read_as_far_as_it_goes() {
    let whole = rtf(&docx(&[]));
    for cut in (0..whole.len()).step_by(13) {
        if let Ok(document) = read(&whole[..cut], "x.rtf", &Limits::default()) {
            assert!(document.attachments.len() <= 5, "cut at {cut}");
        }
    }
    for class in ["Package", "Excel.Sheet.12", ""] {
        let object = ole1(2, class, &compound(&[("/Package", &docx(&[]))]));
        let whole = ole::ole1("o", &object).and_then(|o| o.file);
        assert!(whole.is_some_and(|(name, _)| name == "o.docx"), "{class}");
        for cut in 0..object.len() - 8 {
            let found = ole::ole1("o", &object[..cut]);
            assert!(found.is_none_or(|o| o.file.is_none()), "{class}, cut at {cut}");
        }
    }
}

const FRAMES: &str = "<text:p>Vor<draw:frame><draw:image xlink:href='Pictures/Plan.png'/></draw:frame> nach.</text:p>\
    <text:p><draw:frame><draw:image xlink:href='Pictures/a.svg'/><draw:image xlink:href='Pictures/a.jpg'/></draw:frame>\
    <draw:frame><draw:image xlink:href='Pictures/b.emf'/></draw:frame>\
    <draw:frame><draw:image xlink:href='https://example.ch/c.png'/></draw:frame>\
    <draw:frame><draw:object xlink:href='./Object 1'/><draw:image xlink:href='./ObjectReplacements/Object 1'/></draw:frame>\
    <draw:frame><draw:object-ole xlink:href='./Object 3'/><draw:image xlink:href='Pictures/d.png'/></draw:frame></text:p>";

/// A file of this sort with objects and pictures wherever it has them.
fn open_document(sort: &str, body: &str) -> Vec<u8> {
    let mimetype = format!("application/vnd.oasis.opendocument.{sort}");
    let content = |body: &str| {
        format!("<office:document-content><office:body>{body}</office:body></office:document-content>")
    };
    let sheet = content(
        "<office:spreadsheet><table:table table:name='Kosten'><table:table-row><table:table-cell \
         office:value-type='string'><text:p>Aushub</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet>",
    );
    let (png, jpeg) = (picture(PNG), picture(JPEG));
    let package = compound(&[("/Package", &docx(&[]))]);
    zip(&[
        ("mimetype", mimetype.as_bytes()),
        ("content.xml", content(body).as_bytes()),
        (
            "styles.xml",
            b"<office:document-styles><draw:image xlink:href='Pictures/Logo.png'/></office:document-styles>",
        ),
        ("Pictures/Plan.png", &png),
        ("Pictures/a.svg", b"<svg/>"),
        ("Pictures/a.jpg", &jpeg),
        ("Pictures/b.emf", b"\x01\0\0\0"),
        ("Pictures/d.png", &jpeg),
        ("Pictures/Logo.png", &jpeg),
        ("Object 1/content.xml", sheet.as_bytes()),
        ("Object 1/styles.xml", b"<office:document-styles/>"),
        ("Object 2/content.xml", b"<math:math><math:mi>x</math:mi></math:math>"),
        ("Object 3", &package),
        ("ObjectReplacements/Object 1", b"\x01\0\0\0"),
        ("META-INF/manifest.xml", b"<manifest:manifest/>"),
    ])
}

#[test]
fn objects_and_pictures_of_open_documents() {
    let table = format!(
        "<office:spreadsheet><table:table table:name='Blatt'><table:table-row><table:table-cell office:value-type='string'>\
         {FRAMES}</table:table-cell></table:table-row></table:table></office:spreadsheet>"
    );
    for (sort, end, body) in [
        ("text", "odt", format!("<office:text>{FRAMES}</office:text>")),
        (
            "presentation",
            "odp",
            format!("<office:presentation><draw:page>{FRAMES}</draw:page></office:presentation>"),
        ),
        ("spreadsheet", "ods", table),
    ] {
        let document = read(&open_document(sort, &body), &format!("x.{end}"), &Limits::default()).unwrap();
        let found = taken(&document);
        let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["object 1.ods", "object 3.docx", "plan.png", "a.jpg"], "{sort}");
        assert_eq!((found[2].1, found[3].1), (&picture(PNG)[..], &picture(JPEG)[..]), "{sort}");
        assert!(warned(&document, "picture").ends_with(": b.emf"), "{sort}: {:?}", document.warnings);
        assert!(warned(&document, "embedded").ends_with(": object 2"), "{sort}: {:?}", document.warnings);
        let inner = read(found[0].1, found[0].0, &Limits::default()).unwrap();
        assert_eq!(
            (inner.sheets[0].name.as_str(), inner.sheets[0].rows[0][0].as_str()),
            ("Kosten", "Aushub")
        );
        let again = read(&open_document(sort, &body), "x", &Limits::default()).unwrap();
        assert_eq!(taken(&again)[0], found[0], "the same every time");
    }
}

#[test]
fn pictures_and_objects_in_the_text_of_a_flat_file() {
    use base64::Engine as _;
    let package = compound(&[("/Package", &docx(&[]))]);
    let package = base64::engine::general_purpose::STANDARD.encode(package);
    let (head, tail) = PNG.split_at(40);
    let flat = format!(
        "<?xml version='1.0'?><office:document><office:body><office:text><text:p>Vor<draw:frame><draw:image><office:binary-data>\n\
         {head}\n  {tail}</office:binary-data></draw:image></draw:frame> nach.</text:p><text:p><draw:frame><draw:object-ole>\
         <office:binary-data>{package}</office:binary-data></draw:object-ole><draw:image><office:binary-data>AQAAAA==\
         </office:binary-data></draw:image></draw:frame></text:p></office:text></office:body></office:document>"
    );
    let document = read(flat.as_bytes(), "x.fodt", &Limits::default()).unwrap();
    assert_eq!(
        taken(&document),
        [("object 1.docx", docx(&[]).as_slice()), ("picture1.png", picture(PNG).as_slice())]
    );
    assert_eq!(document.sections[0].text, "Vor nach.");
    assert_eq!(document.warnings, []);
}

const RELATIONS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn relations(list: &[(&str, &str, &str)]) -> String {
    let one = |(id, sort, target): &(&str, &str, &str)| {
        format!("<Relationship Id='{id}' Type='{RELATIONS}/{sort}' Target='{target}'/>")
    };
    format!("<Relationships>{}</Relationships>", list.iter().map(one).collect::<String>())
}

#[test]
fn pictures_of_word_slides_and_sheets() {
    let (png, jpeg, small) = (picture(PNG), picture(JPEG), picture(SMALL_PNG));
    let both = relations(&[
        ("r1", "image", "media/Plan.png"),
        ("r2", "image", "media/b.emf"),
        ("r3", "image", "media/c.svg"),
        ("r4", "image", "media/d.jpeg"),
        ("r5", "oleObject", "embeddings/o.bin"),
        ("r6", "image", "media/small.png"),
        ("r7", "image", "media/again.png"),
    ]);
    let text = "<w:document><w:body><w:p><w:r><w:t>Bericht</w:t></w:r></w:p><w:p><w:object><v:shape><v:imagedata r:id='r4'/>\
        </v:shape><o:OLEObject r:id='r5'/></w:object></w:p></w:body></w:document>";
    let header = relations(&[("r1", "image", "media/Logo.jpeg")]);
    let word = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", text.as_bytes()),
        ("word/_rels/document.xml.rels", both.as_bytes()),
        ("word/_rels/header1.xml.rels", header.as_bytes()),
        ("word/media/Plan.png", &png),
        ("word/media/again.png", &png),
        ("word/media/b.emf", b"\x01\0\0\0"),
        ("word/media/c.svg", b"<svg/>"),
        ("word/media/d.jpeg", &jpeg),
        ("word/media/small.png", &small),
        ("word/media/Logo.jpeg", &jpeg),
        ("word/embeddings/o.bin", b"PK\x03\x04 x"),
    ]);
    let document = read(&word, "x.docx", &Limits::default()).unwrap();
    assert_eq!(taken(&document), [("o.bin", b"PK\x03\x04 x".as_slice()), ("plan.png", &png)]);
    assert!(warned(&document, "picture").ends_with(": b.emf"), "{:?}", document.warnings);

    let slide = relations(&[("r1", "image", "../media/Plan.png")]);
    let root = relations(&[("r1", "officeDocument", "ppt/presentation.xml")]);
    let slides = relations(&[("r1", "slide", "slides/slide1.xml")]);
    let layout = relations(&[("r1", "image", "../media/Logo.jpeg")]);
    let point = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", root.as_bytes()),
        ("ppt/presentation.xml", b"<p:presentation><p:sldId r:id='r1'/></p:presentation>"),
        ("ppt/_rels/presentation.xml.rels", slides.as_bytes()),
        ("ppt/slides/slide1.xml", b"<p:sld><a:p><a:t>Folie</a:t></a:p></p:sld>"),
        ("ppt/slides/_rels/slide1.xml.rels", slide.as_bytes()),
        ("ppt/slideLayouts/_rels/slideLayout1.xml.rels", layout.as_bytes()),
        ("ppt/media/Plan.png", &png),
        ("ppt/media/Logo.jpeg", &jpeg),
    ]);
    let document = read(&point, "x.pptx", &Limits::default()).unwrap();
    assert_eq!(taken(&document), [("plan.png", png.as_slice())]);

    let mut book = crate::formats::sheet::tests::workbook("Blatt", &[&["Aushub"]]);
    let drawing = relations(&[("r1", "image", "../media/Plan.png")]);
    let mut archive = zip::ZipWriter::new_append(Cursor::new(&mut book)).unwrap();
    for (name, bytes) in
        [("xl/drawings/_rels/drawing1.xml.rels", drawing.as_bytes()), ("xl/media/Plan.png", &png)]
    {
        archive.start_file(name, zip::write::SimpleFileOptions::default()).unwrap();
        archive.write_all(bytes).unwrap();
    }
    archive.finish().unwrap();
    let document = read(&book, "x.xlsx", &Limits::default()).unwrap();
    assert_eq!(taken(&document), [("plan.png", png.as_slice())]);
}
