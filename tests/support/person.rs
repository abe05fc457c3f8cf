//! One fictional person, Hans-Peter Müller-Beispiel, in every format that is read, in each spelled otherwise.

use std::io::{Cursor, Write as _};

use zip::write::SimpleFileOptions;

use super::Appliance;

/// The name as the person writes it.
pub(crate) const NAME: &str = "Hans-Peter Müller-Beispiel";

/// A text that stands in one file only, by which its bytes can be found again.
pub(crate) fn canary(n: u32) -> String {
    format!("Kanarienvogel{n} pfeift am Bauzaun von Rosenmatt")
}

/// Paths and bytes.
type Files = Vec<(&'static str, Vec<u8>)>;

/// Path and bytes of each file; the person is certainly named in the first list, in the second by a family name alone.
pub(crate) fn files() -> (Files, Files) {
    let text = |text: &str| text.as_bytes().to_vec();
    let certain = vec![
        (
            "abnahme.pdf",
            pdf(&["Abgenommen durch Hans-Peter M\u{fc}ller-Bei-", "spiel am Montag.", &canary(1)]),
        ),
        ("vertrag.docx", docx(&["Bauleitung: H.-P. Beispiel", &canary(2)], "Mueller-Beispiel, Hans-Peter")),
        ("kosten.xlsx", xlsx(&[&["Vorname", "Name", "Betrag"], &["Hans-Peter", "Beispiel", &canary(3)]])),
        ("bericht.odt", odt(&["Aufgenommen von HANS-PETER MÜLLER-BEISPIEL.", &canary(4)])),
        ("termin.eml", text(&eml("hans-peter.mueller-beispiel@example.ch", &canary(5)))),
        ("antwort.msg", msg("Beispiel, Hans-Peter", &canary(6))),
        ("modell.ifc", text(&ifc())),
        ("rfi.csv", text(&register())),
        ("themen.bcf", bcf("hp.mueller@example.ch", &canary(8))),
        (
            "liste.csv",
            text(&format!("Firma;Kontakt\nBeispiel AG;Müller-Beispiel H.P.\nRest;{}\n", canary(9))),
        ),
        ("brief.rtf", text(r"{\rtf1\ansi\ansicpg1252 Hans-Peter M\'fcller Beispiel, Bauherr}")),
        ("Offerte_HansPeter-Mueller.txt", text("Offerte ohne Namen.\n")),
        ("getrennt.txt", text("Anwesend war Hans-Peter Müller-Bei-\nspiel, sonst niemand.\n")),
    ];
    let possible = vec![
        ("familie.txt", text("Die Firma Müller-Beispiel liefert.\n")),
        ("gross.txt", text("Besprochen mit MÜLLER am Telefon.\n")),
        ("ohne.txt", text("Mueller Beispiel war dabei.\n")),
    ];
    (certain, possible)
}

/// Puts all of it into the source, with files about nobody and about somebody else.
pub(crate) fn write(a: &Appliance) {
    let (certain, possible) = files();
    for (name, bytes) in certain.into_iter().chain(possible) {
        a.write(name, bytes);
    }
    a.write("niemand.txt", "Die Müllabfuhr kommt am Dienstag, der Beispielplan folgt.\n");
    a.write("andere.txt", "Anna Meier hat den Kran bestellt.\n");
}

fn eml(address: &str, body: &str) -> String {
    format!(
        "From: {address}\r\nTo: planung@example.ch\r\nSubject: Termin am Bauzaun\r\nMessage-ID: <1@example.ch>\r\n\
         Date: Mon, 30 Nov 2026 10:00:00 +0100\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n{body}\r\n"
    )
}

fn register() -> String {
    format!(
        "Nr;Betreff;Frage;Antwort;Status;Von\nRFI-1;Dach;Welche Ziegel?;Rote.;offen;Müller-Beispiel, Hans-Peter\n\
         RFI-2;Kran;{}?;Ja.;offen;Anna Meier\nRFI-3;Zaun;Wie hoch?;Zwei Meter.;offen;Anna Meier\n",
        canary(7)
    )
}

fn ifc() -> String {
    "ISO-10303-21;\nHEADER;\nFILE_DESCRIPTION((''),'2;1');\n\
     FILE_NAME('m.ifc','2026-11-30T10:00:00',(''),(''),'','','');\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n\
     #10=IFCPERSON($,'M\\X2\\00FC\\X0\\ller-Beispiel','Hans-Peter',$,$,$,$,$);\n\
     #11=IFCORGANIZATION($,'Muster AG',$,$,$);\n#12=IFCPERSONANDORGANIZATION(#10,#11,$);\n\
     #13=IFCAPPLICATION(#11,'1','Zeichner','Z');\n#14=IFCOWNERHISTORY(#12,#13,$,.ADDED.,$,$,$,1143659950);\n\
     #1=IFCPROJECT('0YvctVUKr0kugbFTf53O9L',#14,'Projekt',$,$,$,$,$,$);\n\
     #2=IFCWALL('2O2Fr$t4X7Zf8NOew3FNr2',#14,'Wand 1',$,$,$,$,$,$);\n\
     #3=IFCWALL('0O2Fr$t4X7Zf8NOew3FNr2',#14,'Wand 2',$,$,$,$,$,$);\nENDSEC;\nEND-ISO-10303-21;\n"
        .to_owned()
}

fn zip(members: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in members {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn docx(paragraphs: &[&str], author: &str) -> Vec<u8> {
    let body: String = paragraphs.iter().map(|p| format!("<w:p><w:r><w:t>{p}</w:t></w:r></w:p>")).collect();
    let relations = "<Relationships xmlns='http://schemas.openxmlformats.org/package/2006/relationships'>\
        <Relationship Id='rId1' Target='word/document.xml' Type='http://schemas.openxmlformats.org/officeDocument/2006/\
        relationships/officeDocument'/><Relationship Id='rId2' Target='docProps/core.xml' \
        Type='http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties'/></Relationships>";
    zip(&[
        ("[Content_Types].xml", "<Types/>"),
        ("_rels/.rels", relations),
        (
            "word/document.xml",
            &format!("<?xml version='1.0'?><w:document xmlns:w='w'><w:body>{body}</w:body></w:document>"),
        ),
        (
            "docProps/core.xml",
            &format!("<cp:coreProperties><dc:creator>{author}</dc:creator></cp:coreProperties>"),
        ),
    ])
}

fn xlsx(rows: &[&[&str]]) -> Vec<u8> {
    let mut sheet = String::from(
        "<?xml version=\"1.0\"?><worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>",
    );
    for (r, row) in rows.iter().enumerate() {
        sheet += &format!("<row r=\"{}\">", r + 1);
        for (c, cell) in row.iter().enumerate() {
            let name = format!("{}{}", ["A", "B", "C"][c], r + 1);
            sheet += &format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>");
        }
        sheet += "</row>";
    }
    sheet += "</sheetData></worksheet>";
    let office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
    let package = "http://schemas.openxmlformats.org/package/2006/relationships";
    let relation = |kind: &str, target: &str| {
        format!(
            "<?xml version=\"1.0\"?><Relationships xmlns=\"{package}\"><Relationship Id=\"rId1\" Type=\"{office}/{kind}\" Target=\"{target}\"/></Relationships>"
        )
    };
    let book = format!(
        "<?xml version=\"1.0\"?><workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" \
         xmlns:r=\"{office}\"><sheets><sheet name=\"Kosten\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    zip(&[
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("_rels/.rels", &relation("officeDocument", "xl/workbook.xml")),
        ("xl/workbook.xml", &book),
        ("xl/_rels/workbook.xml.rels", &relation("worksheet", "worksheets/sheet1.xml")),
        ("xl/worksheets/sheet1.xml", &sheet),
    ])
}

fn odt(paragraphs: &[&str]) -> Vec<u8> {
    let body: String = paragraphs.iter().map(|p| format!("<text:p>{p}</text:p>")).collect();
    zip(&[
        ("mimetype", "application/vnd.oasis.opendocument.text"),
        (
            "content.xml",
            &format!(
                "<office:document-content><office:body><office:text>{body}</office:text></office:body></office:document-content>"
            ),
        ),
    ])
}

fn bcf(author: &str, text: &str) -> Vec<u8> {
    let markup = format!(
        "<?xml version=\"1.0\"?><Markup><Topic Guid=\"7ddc3ef0-0ab7-43f1-918a-45e38b42369c\" TopicType=\"Anfrage\" \
         TopicStatus=\"Offen\"><Title>RFI-20 Kollision</Title><CreationDate>2026-03-02T10:00:00+01:00</CreationDate>\
         <CreationAuthor>{author}</CreationAuthor><Description>{text}</Description></Topic></Markup>"
    );
    zip(&[("bcf.version", "<Version VersionId=\"2.1\"/>"), ("7ddc/markup.bcf", &markup)])
}

fn msg(sender: &str, body: &str) -> Vec<u8> {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    let mut put = |path: &str, bytes: &[u8]| file.create_stream(path).unwrap().write_all(bytes).unwrap();
    for (property, text) in
        [(0x0037, "Antwort"), (0x0c1a, sender), (0x1000, body), (0x1035, "<m1@example.ch>")]
    {
        let bytes: Vec<u8> = text.encode_utf16().flat_map(u16::to_le_bytes).collect();
        put(&format!("/__substg1.0_{property:04X}001F"), &bytes);
    }
    put("/__properties_version1.0", &[0; 32]);
    file.into_inner().into_inner()
}

/// One page of lines in Helvetica.
fn pdf(lines: &[&str]) -> Vec<u8> {
    let latin = |text: &str| text.chars().map(|c| c as u8).collect::<Vec<u8>>();
    let mut content = b"BT /F1 12 Tf 14 TL 72 720 Td".to_vec();
    for line in lines {
        content.extend(b" (");
        content.extend(latin(line));
        content.extend(b") Tj T*");
    }
    content.extend(b" ET");
    let mut stream = format!("<< /Length {} >>\nstream\n", content.len()).into_bytes();
    stream.extend(content);
    stream.extend(b"\nendstream");
    let objects: [Vec<u8>; 5] = [
        b"<< /Type /Catalog /Pages 2 0 R >>".to_vec(),
        b"<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_vec(),
        b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents 4 0 R /Resources << /Font << /F1 5 0 R >> >> >>".to_vec(),
        stream,
        b"<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>".to_vec(),
    ];
    let mut out = b"%PDF-1.4\n".to_vec();
    let mut places = Vec::new();
    for (n, object) in objects.iter().enumerate() {
        places.push(out.len());
        out.extend(format!("{} 0 obj\n", n + 1).bytes());
        out.extend(object);
        out.extend(b"\nendobj\n");
    }
    let start = out.len();
    out.extend(b"xref\n0 6\n0000000000 65535 f \n");
    for place in places {
        out.extend(format!("{place:010} 00000 n \n").bytes());
    }
    out.extend(format!("trailer << /Size 6 /Root 1 0 R >>\nstartxref\n{start}\n%%EOF\n").bytes());
    out
}
