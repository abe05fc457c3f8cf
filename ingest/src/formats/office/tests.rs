//! Office files that the tests write.

use crate::formats::container::tests::zip;
use crate::model::{Document, Locator, TextUnit};
use crate::{ChunkOptions, Limits, ReadError, chunk, read};

const RELS: &str = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";

fn relations(list: &[(&str, &str, &str)]) -> String {
    let rows: String = list
        .iter()
        .map(|(id, sort, target)| format!("<Relationship Id='{id}' Type='{RELS}/{sort}' Target='{target}'/>"))
        .collect();
    format!("<Relationships>{rows}</Relationships>")
}

fn paragraph(style: &str, text: &str) -> String {
    format!("<w:p><w:pPr><w:pStyle w:val='{style}'/></w:pPr><w:r><w:t>{text}</w:t></w:r></w:p>")
}

fn cell(text: &str) -> String {
    format!("<w:tc><w:p><w:r><w:t>{text}</w:t></w:r></w:p></w:tc>")
}

/// A Word document with everything that is read.
pub(crate) fn docx() -> Vec<u8> {
    let styles = "<w:styles><w:style w:type='paragraph' w:styleId='berschrift1'><w:name w:val='heading 1'/><w:pPr>\
        <w:numPr><w:numId w:val='1'/></w:numPr></w:pPr></w:style>\
        <w:style w:type='paragraph' w:styleId='Firma1'><w:name w:val='Firma Titel'/><w:basedOn w:val='berschrift1'/></w:style>\
        <w:style w:type='paragraph' w:styleId='Titel'><w:name w:val='Title'/></w:style></w:styles>";
    let numbering = "<w:numbering><w:abstractNum w:abstractNumId='0'><w:lvl w:ilvl='0'><w:start w:val='1'/>\
        <w:numFmt w:val='decimal'/><w:lvlText w:val='%1.'/></w:lvl></w:abstractNum>\
        <w:num w:numId='1'><w:abstractNumId w:val='0'/></w:num></w:numbering>";
    let footnotes = "<w:footnotes><w:footnote w:type='separator' w:id='-1'><w:p><w:r><w:t>---</w:t></w:r></w:p></w:footnote>\
        <w:footnote w:id='2'><w:p><w:r><w:t>Nach SIA 180, mit der Toleranz der Norm.</w:t></w:r></w:p></w:footnote></w:footnotes>";
    let comments = "<w:comments><w:comment w:id='0' w:author='B. Beispiel' w:date='2026-03-02T08:00:00Z'>\
        <w:p><w:r><w:t>Bitte den Wert prüfen.</w:t></w:r></w:p></w:comment></w:comments>";
    let body = [
        paragraph("Titel", "Baubeschrieb Haus A"),
        paragraph("berschrift1", "Wände"),
        "<w:p><w:r><w:t xml:space='preserve'>Die Aussenwand ist </w:t></w:r><w:ins w:id='1'><w:r><w:t>hinterlüftet</w:t></w:r></w:ins>\
         <w:del w:id='2'><w:r><w:delText>verputzt</w:delText></w:r></w:del><w:r><w:t xml:space='preserve"
            .to_string()
            + "'> und wird mit der Dämmung geliefert.</w:t><w:footnoteReference w:id='2'/><w:commentReference w:id='0'/></w:r></w:p>",
        "<w:p><w:r><mc:AlternateContent><mc:Choice><w:drawing><wps:txbx><w:txbxContent><w:p><w:r><w:t>Text im Feld</w:t></w:r></w:p>\
         </w:txbxContent></wps:txbx></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent><w:p><w:r><w:t>Text im Feld</w:t></w:r></w:p>\
         </w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>"
            .to_string(),
        paragraph("Firma1", "U-Werte"),
        format!(
            "<w:tbl><w:tr><w:trPr><w:tblHeader/></w:trPr>{}{}</w:tr><w:tr>{}{}</w:tr><w:tr><w:trPr><w:del w:id='9'/></w:trPr>{}{}</w:tr></w:tbl>",
            cell("Code"), cell("U-Wert"), cell("AW-01"), cell("0.15"), cell("AW-99"), cell("9.99")
        ),
        "<w:sectPr><w:headerReference r:id='rId9'/></w:sectPr>".to_string(),
    ]
    .concat();
    let document =
        format!("<?xml version='1.0'?><w:document xmlns:w='w'><w:body>{body}</w:body></w:document>");
    let header = "<w:hdr><w:p><w:r><w:t>Musterbüro AG</w:t></w:r></w:p></w:hdr>";
    let core = "<cp:coreProperties><dc:creator>A. Muster</dc:creator><dcterms:created>2026-02-01T10:00:00Z</dcterms:created></cp:coreProperties>";
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", relations(&[("rId1", "officeDocument", "word/document.xml")]).as_bytes()),
        ("word/document.xml", document.as_bytes()),
        (
            "word/_rels/document.xml.rels",
            relations(&[
                ("rId1", "styles", "styles.xml"),
                ("rId2", "numbering", "numbering.xml"),
                ("rId3", "footnotes", "footnotes.xml"),
                ("rId4", "comments", "comments.xml"),
                ("rId9", "header", "header1.xml"),
            ])
            .as_bytes(),
        ),
        ("word/styles.xml", styles.as_bytes()),
        ("word/numbering.xml", numbering.as_bytes()),
        ("word/footnotes.xml", footnotes.as_bytes()),
        ("word/comments.xml", comments.as_bytes()),
        ("word/header1.xml", header.as_bytes()),
        ("docProps/core.xml", core.as_bytes()),
    ])
}

fn open(bytes: &[u8], name: &str) -> Document {
    read(bytes, name, &Limits::default()).unwrap()
}

#[test]
fn word_headings_notes_changes_and_tables() {
    let document = open(&docx(), "falsch.pdf");
    assert_eq!(document.title, "Baubeschrieb Haus A");
    assert_eq!(document.metadata["author"], "A. Muster");
    assert_eq!(document.metadata["header"], "Musterbüro AG");
    let s = &document.sections;
    assert_eq!(s[0].text, "Baubeschrieb Haus A");
    assert_eq!((s[1].heading.as_str(), s[1].line), ("1. Wände", 2));
    assert_eq!(
        s[1].text,
        "Die Aussenwand ist hinterlüftet und wird mit der Dämmung geliefert.\n\n\
         Fussnote 1: Nach SIA 180, mit der Toleranz der Norm.\n\n\
         Kommentar (B. Beispiel, 2026-03-02): Bitte den Wert prüfen.\n\nText im Feld"
    );
    assert_eq!((s[2].heading.as_str(), s[2].header_rows), ("2. U-Werte", 1));
    assert_eq!(s[2].rows, [["Code", "U-Wert"], ["AW-01", "0.15"]]);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert!(chunks.iter().all(|c| !c.text.contains("Musterbüro") && !c.text.contains("verputzt")));
    let table = chunks.last().unwrap();
    assert_eq!(table.text, "2. U-Werte\nCode | U-Wert\nAW-01; U-Wert: 0.15");
    assert_eq!(
        table.locator,
        Locator::Text { section: "2. U-Werte".into(), line: 8, unit: TextUnit::Paragraph }
    );
    assert!(document.warnings.iter().any(|w| w.code == "tracked-deletions"));
}

/// A presentation of two slides.
pub(crate) fn pptx() -> Vec<u8> {
    let shape = |holder: &str, text: &str| {
        format!(
            "<p:sp><p:nvSpPr><p:nvPr><p:ph type='{holder}'/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></p:txBody></p:sp>"
        )
    };
    let cell =
        |text: &str| format!("<a:tc><a:txBody><a:p><a:r><a:t>{text}</a:t></a:r></a:p></a:txBody></a:tc>");
    let table = format!(
        "<p:graphicFrame><a:tbl><a:tblPr firstRow='1'/><a:tr>{}{}</a:tr><a:tr>{}{}</a:tr></a:tbl></p:graphicFrame>",
        cell("Phase"),
        cell("Termin"),
        cell("Rohbau"),
        cell("2026-09")
    );
    let one = format!(
        "<p:sld>{}{}{}</p:sld>",
        shape("ctrTitle", "Projektstand"),
        shape("sldNum", "1"),
        shape("body", "Der Rohbau ist fertig.")
    );
    let two = format!("<p:sld show='0'>{}{table}</p:sld>", shape("title", "Termine"));
    let notes = format!(
        "<p:notes>{}{}</p:notes>",
        shape("sldImg", "Bild"),
        shape("body", "Hier die Verzögerung erklären und nicht den Preis.")
    );
    let comments = "<p:cmLst><p:cm authorId='0' dt='2026-04-01T09:00:00'><p:text>Zahl stimmt nicht</p:text></p:cm></p:cmLst>";
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", relations(&[("rId1", "officeDocument", "ppt/presentation.xml")]).as_bytes()),
        (
            "ppt/presentation.xml",
            b"<p:presentation><p:sldIdLst><p:sldId id='256' r:id='rId2'/><p:sldId id='257' r:id='rId1'/></p:sldIdLst></p:presentation>",
        ),
        (
            "ppt/_rels/presentation.xml.rels",
            relations(&[("rId1", "slide", "slides/b.xml"), ("rId2", "slide", "slides/a.xml"), ("rId3", "commentAuthors", "commentAuthors.xml")]).as_bytes(),
        ),
        ("ppt/slides/a.xml", one.as_bytes()),
        ("ppt/slides/b.xml", two.as_bytes()),
        (
            "ppt/slides/_rels/a.xml.rels",
            relations(&[("rId1", "notesSlide", "../notesSlides/n.xml"), ("rId2", "comments", "../comments/c.xml")]).as_bytes(),
        ),
        ("ppt/notesSlides/n.xml", notes.as_bytes()),
        ("ppt/comments/c.xml", comments.as_bytes()),
        ("ppt/commentAuthors.xml", b"<p:cmAuthorLst><p:cmAuthor id='0' name='C. Probe'/></p:cmAuthorLst>"),
    ])
}

#[test]
fn slides_in_their_order_with_notes_and_comments() {
    let document = open(&pptx(), "x.pptx");
    assert_eq!((document.title.as_str(), document.metadata["slides"].as_str()), ("Projektstand", "2"));
    assert_eq!(document.metadata["hidden_slides"], "1");
    let s = &document.sections;
    assert_eq!((s[0].heading.as_str(), s[0].line, s[0].unit), ("Projektstand", 1, TextUnit::Slide));
    assert!(s[0].text.starts_with("Der Rohbau ist fertig."), "{}", s[0].text);
    assert!(
        s[0].text.contains("Hier die Verzögerung erklären") && !s[0].text.contains("Bild"),
        "{}",
        s[0].text
    );
    assert!(s[0].text.contains("(C. Probe, 2026-04-01): Zahl stimmt nicht"), "{}", s[0].text);
    assert_eq!((s[1].heading.as_str(), s[1].line, s[1].header_rows), ("Termine", 2, 1));
    assert_eq!(s[1].rows, [["Phase", "Termin"], ["Rohbau", "2026-09"]]);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert!(chunks.iter().all(|c| matches!(c.locator, Locator::Text { unit: TextUnit::Slide, .. })));
}

const ODT: &str = "<office:document-content><office:automatic-styles><style:style/></office:automatic-styles><office:body><office:text>\
    <text:tracked-changes><text:changed-region><text:deletion><text:p>gestrichen</text:p></text:deletion></text:changed-region></text:tracked-changes>\
    <text:h text:outline-level='1'>Dach</text:h><text:h text:outline-level='2'>Flachdach</text:h>\
    <text:p>Das Dach ist<text:s text:c='2'/>extensiv begrünt<text:note text:note-class='footnote'><text:note-citation>1</text:note-citation>\
    <text:note-body><text:p>Nach dem Konzept.</text:p></text:note-body></text:note> und mit der\n Anlage belegt.\
    <office:annotation><dc:creator>D. Test</dc:creator><dc:date>2026-05-06T00:00:00</dc:date><text:p>Fläche fehlt</text:p></office:annotation></text:p>\
    <table:table><table:table-header-rows><table:table-row><table:table-cell><text:p>Code</text:p></table:table-cell>\
    <table:table-cell><text:p>U</text:p></table:table-cell></table:table-row></table:table-header-rows>\
    <table:table-row><table:table-cell><text:p>DA-01</text:p></table:table-cell><table:table-cell><text:p>0.10</text:p></table:table-cell></table:table-row>\
    </table:table><draw:frame><draw:text-box><text:p>Im Feld</text:p></draw:text-box></draw:frame></office:text></office:body></office:document-content>";

/// An OpenDocument text.
pub(crate) fn odt() -> Vec<u8> {
    zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        ("content.xml", ODT.as_bytes()),
        ("styles.xml", b"<office:document-styles><style:header><text:p>Kopfzeile</text:p></style:header></office:document-styles>"),
        ("meta.xml", b"<office:document-meta><office:meta><dc:title>Dachbericht</dc:title><meta:initial-creator>E. Beispiel</meta:initial-creator></office:meta></office:document-meta>"),
    ])
}

#[test]
fn open_document_text() {
    let document = open(&odt(), "x.docx");
    assert_eq!(
        (document.title.as_str(), document.metadata["author"].as_str()),
        ("Dachbericht", "E. Beispiel")
    );
    let s = &document.sections;
    assert_eq!((s[1].heading.as_str(), &s[1].path), ("Flachdach", &vec!["Dach".to_string()]));
    assert_eq!(
        s[1].text,
        "Das Dach ist extensiv begrünt und mit der Anlage belegt.\n\nFussnote 1: Nach dem Konzept.\n\n\
         Kommentar (D. Test, 2026-05-06): Fläche fehlt"
    );
    assert_eq!((s[2].rows.len(), s[2].header_rows), (2, 1));
    assert_eq!(s[3].text, "Im Feld");
    assert!(!serde_json::to_string(&document).unwrap().contains("gestrichen"));
    let flat = ODT.replace("document-content", "document");
    let flat = open(format!("<?xml version='1.0'?>{flat}").as_bytes(), "x.fodt");
    assert_eq!(flat.sections, document.sections);
}

/// A workbook with a note and a thread.
pub(crate) fn annotated_xlsx() -> Vec<u8> {
    let cell = |name: &str, text: &str| format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{text}</t></is></c>");
    let sheet = format!(
        "<worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData><row r=\"1\">{}{}</row>\
         <row r=\"2\">{}<c r=\"B2\"><f>0.1+0.05</f><v>0.15</v></c></row></sheetData></worksheet>",
        cell("A1", "Code"),
        cell("B1", "U-Wert"),
        cell("A2", "AW-01")
    );
    let comments = "<comments><authors><author>A. Muster</author></authors><commentList><comment ref='B2' authorId='0'><text>\
        <r><t>A. Muster:</t></r><r><t xml:space='preserve'>\nGeschätzter Wert</t></r></text></comment></commentList></comments>";
    let threads = "<ThreadedComments><threadedComment ref='A2' personId='{P}'><text>Code prüfen</text></threadedComment>\
        <threadedComment ref='A2' personId='{P}'><text>Erledigt</text></threadedComment></ThreadedComments>";
    zip(&[
        ("[Content_Types].xml", b"<Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>"),
        ("_rels/.rels", relations(&[("rId1", "officeDocument", "xl/workbook.xml")]).as_bytes()),
        ("xl/workbook.xml", format!("<workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"{RELS}\"><sheets><sheet name=\"Blatt\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>").as_bytes()),
        ("xl/_rels/workbook.xml.rels", relations(&[("rId1", "worksheet", "worksheets/sheet1.xml"), ("rId2", "person", "persons/person.xml")]).as_bytes()),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
        ("xl/worksheets/_rels/sheet1.xml.rels", relations(&[("rId1", "comments", "../comments1.xml"), ("rId2", "threadedComment", "../threadedComments/t.xml")]).as_bytes()),
        ("xl/comments1.xml", comments.as_bytes()),
        ("xl/threadedComments/t.xml", threads.as_bytes()),
        ("xl/persons/person.xml", b"<personList><person displayName='B. Beispiel' id='{P}'/></personList>"),
    ])
}

#[test]
fn workbooks_keep_cached_values_and_notes() {
    let document = open(&annotated_xlsx(), "x.xlsx");
    assert_eq!(document.sheets[0].rows[1], ["AW-01", "0.15"]);
    let notes: Vec<(&str, &str, &str)> =
        document.notes.iter().map(|n| (n.cell.as_str(), n.author.as_str(), n.text.as_str())).collect();
    assert_eq!(
        notes,
        [
            ("A2", "B. Beispiel", "Code prüfen\nB. Beispiel: Erledigt"),
            ("B2", "A. Muster", "Geschätzter Wert")
        ]
    );
    let chunks = chunk(&document, &ChunkOptions::default());
    let note = chunks.last().unwrap();
    assert_eq!(note.text, "AW-01 | 0.15\nB2 (A. Muster): Geschätzter Wert");
    assert_eq!(note.locator, Locator::Sheet { sheet: "Blatt".into(), row: 2 });
}

#[test]
fn formulas_without_a_value_are_told() {
    let sheet = "<worksheet xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main'><sheetData><row r='1'><c r='A1'><f>1+1</f><v>2</v></c><c r='B1'><f>A1*2</f></c>\
        <c r='C1' t='str'><f>IF(A1&gt;5,1,\"\")</f><v></v></c><c r='D1'><v>4</v></c></row>\
        <row r='2'><c r='A2'><f t='shared' si='0'/></c><c r='B2'><f>A1*3</f><v></v></c><c r='C2' t='n'><f>A1*3</f><v/></c></row></sheetData></worksheet>";
    let bytes = workbook_of(sheet);
    let document = open(&bytes, "x.xlsx");
    assert_eq!(document.sheets[0].rows[0], ["2", "", "", "4"]);
    let warnings: Vec<&str> = document
        .warnings
        .iter()
        .filter(|w| w.code == "formula-without-value" && w.is_a_loss())
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(warnings.len(), 1);
    let expected = "sheet 'Blatt': 4 cells hold a formula without a value and were not read (B1, A2, B2, C2)";
    assert!(warnings[0].starts_with(expected), "{}", warnings[0]);
}

/// A workbook of one sheet.
fn workbook_of(sheet: &str) -> Vec<u8> {
    let book = format!(
        "<workbook xmlns='http://schemas.openxmlformats.org/spreadsheetml/2006/main' xmlns:r='{RELS}'><sheets>\
         <sheet name='Blatt' sheetId='1' r:id='rId1'/></sheets></workbook>"
    );
    zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("_rels/.rels", relations(&[("rId1", "officeDocument", "xl/workbook.xml")]).as_bytes()),
        ("xl/workbook.xml", book.as_bytes()),
        (
            "xl/_rels/workbook.xml.rels",
            relations(&[("rId1", "worksheet", "worksheets/sheet1.xml")]).as_bytes(),
        ),
        ("xl/worksheets/sheet1.xml", sheet.as_bytes()),
    ])
}

#[test]
fn damaged_and_hostile_packages() {
    let broken = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        ("word/document.xml", b"<w:document><w:body><w:p><w:r><w:t>Noch da</w:t></w:r></w:p><w:p></w:tbl>"),
    ]);
    let document = open(&broken, "x.docx");
    assert_eq!(document.sections[0].text, "Noch da");
    assert_eq!(document.warnings[0].code, "part");
    let empty = zip(&[("[Content_Types].xml", b"<Types/>"), ("word/styles.xml", b"<x/>")]);
    assert!(matches!(read(&empty, "x.docx", &Limits::default()), Err(ReadError::Damaged { .. })));
    let laughs = zip(&[
        ("[Content_Types].xml", b"<Types/>"),
        (
            "word/document.xml",
            b"<!DOCTYPE x [<!ENTITY a 'ha'><!ENTITY b '&a;&a;'>]><w:document>&b;</w:document>",
        ),
    ]);
    assert!(matches!(read(&laughs, "x.docx", &Limits::default()), Err(ReadError::Damaged { .. })));
    let deep = format!("<w:document>{}", "<w:tbl><w:tr><w:tc>".repeat(100_000));
    let deep = zip(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", deep.as_bytes())]);
    assert!(matches!(read(&deep, "x.docx", &Limits::default()), Err(ReadError::TooLarge { .. })));
    let attribute = format!(
        "<w:document><w:p><w:pPr><w:pStyle w:val='{}'/></w:pPr><w:r><w:t>a</w:t></w:r></w:p></w:document>",
        "x".repeat(8 << 20)
    );
    let attribute = zip(&[("[Content_Types].xml", b"<Types/>"), ("word/document.xml", attribute.as_bytes())]);
    assert_eq!(open(&attribute, "x.docx").sections[0].text, "a");
    let wide = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            "<o><table:table><table:table-row><table:table-cell table:number-columns-repeated='4000000000'><text:p>a</text:p></table:table-cell>\
             <table:table-cell><text:p>b<text:s text:c='4000000000'/></text:p></table:table-cell></table:table-row></table:table></o>"
                .as_bytes(),
        ),
    ]);
    assert!(open(&wide, "x.odt").sections.iter().flat_map(|s| &s.rows).all(|r| r.len() <= 256));
}

#[test]
fn annotations_of_an_open_document_workbook() {
    let content = "<office:document-content><office:body><office:spreadsheet><table:table table:name='Blatt'>\
        <table:table-row table:number-rows-repeated='3'><table:table-cell/></table:table-row>\
        <table:table-row><table:table-cell table:number-columns-repeated='2'/><table:table-cell office:value-type='string'>\
        <office:annotation><dc:creator>A. Muster</dc:creator><dc:date>2026-01-02</dc:date><text:p>Bitte</text:p><text:p>prüfen</text:p>\
        </office:annotation><text:p>AW-01</text:p></table:table-cell></table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
    let bytes = zip(&[
        ("mimetype", b"application/vnd.oasis.opendocument.spreadsheet"),
        ("content.xml", content.as_bytes()),
        ("META-INF/manifest.xml", b"<manifest:manifest/>"),
    ]);
    let notes = open(&bytes, "x.ods").notes;
    let seen: Vec<(&str, &str, u32, &str, &str)> = notes
        .iter()
        .map(|n| (n.sheet.as_str(), n.cell.as_str(), n.row, n.author.as_str(), n.text.as_str()))
        .collect();
    assert_eq!(seen, [("Blatt", "C4", 4, "A. Muster", "Bitte\nprüfen")]);
    let document = open(&bytes, "x.ods");
    assert!(document.sheets.iter().flat_map(|s| &s.rows).flatten().any(|c| c == "AW-01"));
    assert_eq!(super::cellnotes::cell_name(27, 9), "AB9");
}
