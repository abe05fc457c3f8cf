//! What a file says once and everything below it says again (a heading, a column's name, the parties of a
//! mail) must not multiply: a long one over many short items gives a document and passages in proportion.

use crate::formats::container::tests::zip;
use crate::{ChunkOptions, Limits, chunk, read};

/// Bytes of what is said again, and items below it. Said again in full they would be 400 MB.
const LONG: usize = 40_000;
const MANY: usize = 10_000;

fn long() -> String {
    "Bauteil ".repeat(LONG / 8)
}

/// Without a space: no limit on words holds it.
fn unbroken() -> String {
    "x".repeat(LONG)
}

/// Passages, and the document as the worker sends it, stay below fifty times the file, unpacked.
fn in_proportion(bytes: &[u8], unpacked: usize, name: &str, what: &str) {
    let Ok(document) = read(bytes, name, &Limits::default()) else { panic!("{what}: not read") };
    let most = 50 * unpacked;
    let json = serde_json::to_string(&document).unwrap().len();
    assert!(json < most, "{what}: a document of {json} bytes out of {unpacked}");
    let chunks = chunk(&document, &ChunkOptions::default());
    let total: usize = chunks.iter().map(|c| serde_json::to_string(c).unwrap().len()).sum();
    assert!(total < most, "{what}: passages of {total} bytes out of {unpacked}");
    assert!(!chunks.is_empty(), "{what}: nothing was read");
}

fn both(name: &str, what: &str, file: impl Fn(&str) -> String) {
    for context in [long(), unbroken()] {
        let file = file(&context);
        in_proportion(file.as_bytes(), file.len(), name, what);
    }
}

#[test]
fn headings_over_many_sections() {
    both("a.html", "html headings", |h| format!("<h1>{h}</h1>{}", "<h2>ab</h2><p>cd".repeat(MANY)));
    both("a.html", "html tables", |h| {
        format!("<h1>{h}</h1>{}", "<table><tr><td>a<td>b</table>x".repeat(MANY))
    });
    both("a.md", "markdown", |h| format!("# {h}\n\n{}", "## ab\n\ncd\n\n".repeat(MANY)));
    both("a.txt", "text", |h| format!("# {h}\n{}", "ab cd\n\n".repeat(30 * MANY)));
    both("a.rtf", "rtf", |h| {
        format!(
            "{{\\rtf1\\pard\\outlinelevel0 {h}\\par {}}}",
            "\\pard\\outlinelevel1 ab\\par\\pard cd\\par ".repeat(MANY)
        )
    });
    both("a.dxf", "dxf layers", |h| {
        format!(
            "0\nSECTION\n{}",
            format!("0\nTEXT\n8\n{h}\n1\nab\n").repeat(3) + &"0\nTEXT\n8\nb\n1\nab\n".repeat(MANY)
        )
    });
    both("a.fodt", "odf", |h| {
        let below = "<text:h text:outline-level=\"2\">ab</text:h><text:p>cd</text:p>".repeat(MANY);
        format!("<?xml version=\"1.0\"?><office:document><text:h>{h}</text:h>{below}</office:document>")
    });
}

#[test]
fn headers_captions_and_merged_cells_of_tables() {
    let rows = "a b c d e f g h i j k l m n o p q r s t u v w x y z;1\n".repeat(MANY);
    both("a.csv", "csv header", |h| format!("{h};U\n{rows}"));
    both("a.html", "a cell over all rows", |h| {
        format!("<table><tr><td rowspan=9000>{h}<td>1{}</table>", "<tr><td><td>2".repeat(MANY))
    });
    let merged = |h: &str| {
        let row = "<w:tr><w:tc><w:tcPr><w:vMerge/></w:tcPr></w:tc><w:tc><w:p><w:r><w:t>a</w:t></w:r></w:p></w:tc></w:tr>";
        format!(
            "<w:document><w:tbl><w:tr><w:tc><w:p><w:r><w:t>{h}</w:t></w:r></w:p></w:tc><w:tc/></w:tr>{}</w:tbl></w:document>",
            row.repeat(MANY)
        )
    };
    for h in [long(), unbroken()] {
        let parts = [("[Content_Types].xml", &b"<Types/>"[..]), ("word/document.xml", merged(&h).as_bytes())]
            .map(|(name, body)| (name, body.to_vec()));
        let parts: Vec<(&str, &[u8])> = parts.iter().map(|(n, b)| (*n, b.as_slice())).collect();
        let unpacked = parts.iter().map(|(_, b)| b.len()).sum();
        in_proportion(&zip(&parts), unpacked, "a.docx", "docx merged cells");
    }
    // One wide row makes all others wide.
    let wide = format!("<p>Text<table><tr>{}{}</table>", "<td>a".repeat(250), "<tr><td>b".repeat(4 * MANY));
    in_proportion(wide.as_bytes(), wide.len(), "a.html", "wide row");
}

#[test]
fn records_and_their_columns() {
    let rows = |n: &str| format!("RFI-{n};Was?;offen;x\n").repeat(MANY);
    both("RFI.csv", "column name", |h| format!("RFI Nr.;Frage;Status;{h}\n{}", rows("1")));
    both("RFI.csv", "number", |h| {
        format!(
            "RFI Nr.;Betreff;Frage;Status\n{h};a;{};offen\n{}",
            "ab cd. ".repeat(10 * MANY),
            "1;b;c;d\n".repeat(9)
        )
    });
    both("RFI.csv", "subject", |h| {
        format!(
            "RFI Nr.;Betreff;Frage;Status\n1;{h};{};offen\n{}",
            "ab cd. ".repeat(10 * MANY),
            "1;b;c;d\n".repeat(9)
        )
    });
}

#[test]
fn what_every_passage_of_a_mail_begins_with() {
    let body = "ab cd. ".repeat(20 * MANY);
    for field in ["Subject", "To", "Message-ID", "References"] {
        both("a.eml", field, |h| {
            format!(
                "From: a@example.ch\n{field}: <{h}@example.ch>\nDate: x\n\n{body}\n\nAm 1.1.26 schrieb B:\n> {body}\n"
            )
        });
    }
}

#[test]
fn names_in_models() {
    let step = |data: String| {
        format!(
            "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{data}ENDSEC;\nEND-ISO-10303-21;\n"
        )
    };
    let walls: String =
        (100..100 + MANY).map(|n| format!("#{n}=IFCWALL('w{n}',$,'W',$,$,$,$,$,$);\n")).collect();
    let ids: Vec<String> = (100..100 + MANY).map(|n| format!("#{n}")).collect();
    let ids = ids.join(",");
    let about = |h: &str| {
        format!(
            "#1=IFCBUILDINGSTOREY('s',$,'{h}',$,$,$,$,$,.ELEMENT.,0.);\n\
             #2=IFCRELCONTAINEDINSPATIALSTRUCTURE('r',$,$,$,({ids}),#1);\n\
             #3=IFCWALLTYPE('t',$,'{h}',$,$,(#6),$,$,$,.SOLIDWALL.);\n#4=IFCRELDEFINESBYTYPE('d',$,$,$,({ids}),#3);\n\
             #5=IFCPROPERTYSINGLEVALUE('FireRating',$,IFCLABEL('{h}'),$);\n#6=IFCPROPERTYSET('p',$,'Pset_WallCommon',$,(#5));\n\
             #7=IFCZONE('z',$,'{h}',$,$,$);\n#8=IFCRELASSIGNSTOGROUP('g',$,$,$,({ids}),$,#7);\n\
             #9=IFCMATERIAL('{h}',$,$);\n#10=IFCRELASSOCIATESMATERIAL('m',$,$,$,({ids}),#9);\n\
             #11=IFCCLASSIFICATIONREFERENCE($,'{h}','{h}',$,$,$);\n#12=IFCRELASSOCIATESCLASSIFICATION('c',$,$,$,({ids}),#11);\n"
        )
    };
    // Values are bounded by the limit on text, names by their length.
    let limits = Limits { max_text_chars: 4_000_000, ..Limits::default() };
    for h in [long(), unbroken()] {
        let file = step(about(&h) + &walls);
        let document = read(file.as_bytes(), "a.ifc", &limits).unwrap();
        assert_eq!(document.elements.len(), MANY);
        let json = serde_json::to_string(&document).unwrap().len();
        assert!(json < 60_000_000, "a model of {json} bytes out of {}", file.len());
        let total: usize = chunk(&document, &ChunkOptions::default()).iter().map(|c| c.text.len()).sum();
        assert!(total < 60_000_000, "passages of {total} bytes");
    }
}

#[test]
fn names_of_sheets() {
    let numbers: Vec<String> = (1..=MANY).map(|n| n.to_string()).collect();
    let cells: Vec<[&str; 1]> = numbers.iter().map(|n| [n.as_str()]).collect();
    let rows: Vec<&[&str]> = cells.iter().map(|row| row.as_slice()).collect();
    for name in [long(), unbroken()] {
        let book = crate::formats::sheet::tests::workbook(&name, &rows);
        in_proportion(&book, book.len(), "a.xlsx", "sheet name");
    }
}
