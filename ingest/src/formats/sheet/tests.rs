//! Registers and sheets written here as CSV and XLSX.

use std::io::{Cursor, Write};

use zip::write::SimpleFileOptions;

use crate::model::{Document, Kind, Locator};
use crate::{ChunkOptions, Limits, ReadError, chunk, read};

fn csv(text: &str) -> Document {
    read(text.as_bytes(), "RFI-Liste.csv", &Limits::default()).unwrap()
}

pub(crate) const GERMAN: &str = "RFI-Liste;;;;;;;;;\nProjekt: Schulhaus Wiesental;;;;;;;;;\n;;;;;;;;;\n\
    RFI-Nr.;Betreff;Frage;Antwort;Status;Erstellt am;Fällig am;Von;An;Kostenfolge\n\
    RFI-001;Türen Korridor;\"Welcher Feuerwiderstand\ngilt für die Türen?\";EI30 gemäss Konzept.;Erledigt;02.03.2026;12.03.2026;A. Muster;B. Beispiel;keine\n\
    RFI-002;Aussparung;Wo liegt die Aussparung? 2O2Fr$t4X7Zf8NOew3FNr2;;Offen;3.3.26;13.03.2026;A. Muster;B. Beispiel;\n\
    ;;;;;;;;;\n\
    Total;;;;;;;;;2\n\
    ;;;;;;;;;geprüft\n";

#[test]
fn a_german_register_becomes_records() {
    let document = csv(GERMAN);
    assert_eq!(document.kind, Kind::Rfi);
    assert_eq!(document.metadata["register"], "RFI-Liste; Projekt: Schulhaus Wiesental");
    let first = &document.records[0];
    assert_eq!((first.number.as_str(), first.subject.as_str()), ("RFI-001", "Türen Korridor"));
    assert_eq!(first.question, "Welcher Feuerwiderstand\ngilt für die Türen?");
    assert_eq!(first.answers[0].text, "EI30 gemäss Konzept.");
    assert_eq!((first.status.as_str(), first.state.as_str()), ("Erledigt", "closed"));
    assert_eq!((first.created.as_str(), first.due.as_str()), ("2026-03-02", "2026-03-12"));
    assert_eq!((first.author.as_str(), first.assignee.as_str()), ("A. Muster", "B. Beispiel"));
    assert_eq!(first.cost_impact, "keine");
    assert_eq!(first.row, Some(5));
    let second = &document.records[1];
    assert_eq!((second.state.as_str(), second.created.as_str()), ("open", "2026-03-03"));
    assert_eq!(second.elements[0].global_id, "2O2Fr$t4X7Zf8NOew3FNr2");
}

#[test]
fn every_row_is_accounted_for() {
    let document = csv(GERMAN);
    let count = |key: &str| document.metadata[key].parse::<usize>().unwrap();
    // Four rows have content below the header: two records, the total and a lone remark.
    let counts = ["records_found", "records", "records_rejected", "records_merged"].map(count);
    assert_eq!(counts, [4, 2, 2, 0]);
    assert!(document.registers[0].counts.balance());
    let rejected: Vec<&str> = document
        .warnings
        .iter()
        .filter(|w| w.code == "record-rejected")
        .map(|w| w.message.as_str())
        .collect();
    assert_eq!(rejected.len(), 2);
    assert!(rejected[0].contains("row 8") && rejected[1].contains("row 9"), "{rejected:?}");
}

#[test]
fn charsets_and_separators_give_the_same_records() {
    let commas: String = GERMAN.lines().map(|l| l.replace(';', ",")).collect::<Vec<_>>().join("\r\n");
    let cp1252 = encoding_rs::WINDOWS_1252.encode(GERMAN).0.into_owned();
    let utf16: Vec<u8> = [0xff, 0xfe]
        .into_iter()
        .chain(GERMAN.replace(';', "\t").encode_utf16().flat_map(u16::to_le_bytes))
        .collect();
    let wanted = csv(GERMAN).records;
    for bytes in [commas.as_bytes(), &cp1252, &utf16] {
        assert_eq!(read(bytes, "RFI-Liste.csv", &Limits::default()).unwrap().records, wanted);
    }
}

#[test]
fn a_row_for_each_recipient_is_one_record() {
    let text = "Number,Subject,Question,Answer,Status,To\n7,Slab,How thick?,,Outstanding,A\n7,Slab,How thick?,240 mm,Responded,B\n7,Roof,Other?,,Open,C\n";
    let document = csv(text);
    assert_eq!(document.records.len(), 2);
    assert_eq!(document.records[0].assignee, "A; B");
    assert_eq!(document.records[0].state, "open");
    assert_eq!(document.records[0].answers[0].text, "240 mm");
    assert!(document.warnings.iter().any(|w| w.message.contains("number 7 stands above")));
}

#[test]
fn answers_are_parted_and_dated() {
    let text = "RFI No,Subject,Question,Responses,Status,Responded On\n\
        1,Slab,How thick?,\"03/14/2026 A. Example: 240 mm | see detail\",Closed,03/15/2026\n";
    let document = csv(text);
    let answers = &document.records[0].answers;
    assert_eq!(answers.len(), 2);
    assert_eq!((answers[0].text.as_str(), answers[0].author.as_str()), ("240 mm", "A. Example"));
    assert_eq!((answers[0].date.as_str(), answers[1].date.as_str()), ("2026-03-14", "2026-03-15"));
}

#[test]
fn other_tables_are_sheets() {
    let text = "Türliste;;\nNummer;Bezeichnung;Breite mm\nT-01;Eingang;1200\nT-02;Lager;900\n";
    let document = read(text.as_bytes(), "tueren.csv", &Limits::default()).unwrap();
    assert_eq!(document.kind, Kind::Sheet);
    assert_eq!(document.sheets.len(), 2, "title block and table");
    assert_eq!((document.sheets[1].first_row, document.sheets[1].header_rows), (2, 1));
    let chunks = chunk(&document, &ChunkOptions::default());
    let table = &chunks[1];
    assert_eq!(table.locator, Locator::Sheet { sheet: "tueren".into(), row: 3 });
    assert!(table.text.contains("T-01; Bezeichnung: Eingang; Breite mm: 1200"), "{}", table.text);
}

#[test]
fn records_chunk_by_number_in_their_language() {
    let document = csv(GERMAN);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks.len(), 2);
    assert_eq!(chunks[0].locator, Locator::Rfi { record: "RFI-001".into() });
    assert!(chunks[0].text.starts_with("RFI-001: Türen Korridor\nStatus: Erledigt; Erstellt: 2026-03-02"));
    assert!(chunks[0].text.contains("Antwort: EI30 gemäss Konzept."), "{}", chunks[0].text);
    assert!(chunks[1].text.contains("Noch ohne Antwort."), "{}", chunks[1].text);
}

fn xlsx(rows: &[&[&str]]) -> Vec<u8> {
    workbook("Register", rows)
}

/// A workbook of one sheet; numbers are written as numbers, `@` before one makes it a date.
pub(crate) fn workbook(name: &str, rows: &[&[&str]]) -> Vec<u8> {
    let book = format!(
        "<?xml version=\"1.0\"?><workbook xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\" xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\"><sheets><sheet name=\"{name}\" sheetId=\"1\" r:id=\"rId1\"/></sheets></workbook>"
    );
    let mut sheet = String::from(
        "<?xml version=\"1.0\"?><worksheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><sheetData>",
    );
    for (r, row) in rows.iter().enumerate() {
        sheet += &format!("<row r=\"{}\">", r + 1);
        for (c, cell) in row.iter().enumerate().filter(|(_, cell)| !cell.is_empty()) {
            let name = format!("{}{}", char::from(b'A' + u8::try_from(c).unwrap()), r + 1);
            sheet += &match (cell.strip_prefix('@'), cell.parse::<f64>()) {
                (Some(serial), _) => format!("<c r=\"{name}\" s=\"1\"><v>{serial}</v></c>"),
                (None, Ok(number)) => format!("<c r=\"{name}\"><f>1+1</f><v>{number}</v></c>"),
                _ => format!("<c r=\"{name}\" t=\"inlineStr\"><is><t>{cell}</t></is></c>"),
            };
        }
        sheet += "</row>";
    }
    sheet += "</sheetData></worksheet>";
    let parts: [(&str, &str); 6] = [
        (
            "_rels/.rels",
            "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument\" Target=\"xl/workbook.xml\"/></Relationships>",
        ),
        (
            "[Content_Types].xml",
            "<?xml version=\"1.0\"?><Types xmlns=\"http://schemas.openxmlformats.org/package/2006/content-types\"/>",
        ),
        ("xl/workbook.xml", &book),
        (
            "xl/_rels/workbook.xml.rels",
            "<?xml version=\"1.0\"?><Relationships xmlns=\"http://schemas.openxmlformats.org/package/2006/relationships\"><Relationship Id=\"rId1\" Type=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet\" Target=\"worksheets/sheet1.xml\"/></Relationships>",
        ),
        (
            "xl/styles.xml",
            "<?xml version=\"1.0\"?><styleSheet xmlns=\"http://schemas.openxmlformats.org/spreadsheetml/2006/main\"><cellXfs count=\"2\"><xf numFmtId=\"0\"/><xf numFmtId=\"14\"/></cellXfs></styleSheet>",
        ),
        ("xl/worksheets/sheet1.xml", &sheet),
    ];
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in parts {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// A French register of one record.
pub(crate) fn register_xlsx() -> Vec<u8> {
    xlsx(&[
        &["Registre RFI"],
        &["N°", "Objet", "Question", "Réponse", "Statut", "Créé le", "Échéance"],
        // 46083 is 2 March 2026 in Excel's count of days.
        &[
            "12",
            "Porte",
            "Quelle est la résistance au feu de la porte ?",
            "EI30",
            "Fermé",
            "@46083",
            "12.03.2026",
        ],
    ])
}

#[test]
fn a_sheet_without_a_name_is_cited_by_its_number() {
    for name in ["", " ", "&#9;"] {
        let document =
            read(&workbook(name, &[&["Wand", "Dicke"], &["W1", "200"]]), "a.xlsx", &Limits::default())
                .unwrap();
        assert_eq!(document.sheets[0].name, "#1", "{name:?}");
    }
}

#[test]
fn workbooks_with_true_dates_and_cached_values() {
    let document = read(&register_xlsx(), "rfi.xlsx", &Limits::default()).unwrap();
    assert_eq!(document.kind, Kind::Rfi);
    let record = &document.records[0];
    assert_eq!((record.number.as_str(), record.state.as_str()), ("12", "closed"));
    assert_eq!((record.created.as_str(), record.due.as_str()), ("2026-03-02", "2026-03-12"));
    assert!(chunk(&document, &ChunkOptions::default())[0].text.contains("Réponse: EI30"));
}

#[test]
fn rows_beyond_the_limit_are_left_out() {
    let limits = Limits { max_rows: 2, ..Limits::default() };
    let document = read(b"a;b\n1;2\n3;4\n", "x.csv", &limits).unwrap();
    assert_eq!(document.sheets[0].rows.len(), 2);
    assert_eq!(document.warnings[0].code, "row-limit");
}

#[test]
fn bombs_and_damage_are_refused() {
    let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let packed = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Deflated);
    zip.start_file("xl/workbook.xml", packed).unwrap();
    zip.write_all(&vec![b' '; 1 << 20]).unwrap();
    let bytes = zip.finish().unwrap().into_inner();
    let limits = Limits { max_expanded_bytes: 1 << 16, ..Limits::default() };
    assert!(matches!(read(&bytes, "x.xlsx", &limits), Err(ReadError::TooLarge { .. })));
    assert!(matches!(read(b"PK\x03\x04rubbish", "x.xlsx", &limits), Err(ReadError::Damaged { .. })));
}

/// The same request as the programs write it: each export names its columns in its own way.
#[test]
fn exports_of_several_programs() {
    let csv = |text: &str, name: &str| read(text.as_bytes(), name, &Limits::default()).unwrap();
    // Procore's list.
    let list = csv(
        "Number,Subject,Status,Responsible Contractor,Received From,Date Initiated,RFI Manager,Assignees,Ball In Court,Due Date,Closed Date,Location,Drawing Number,Spec Section,Cost Impact,Schedule Impact,Question,Official Response\n\
         A-12,Slab,Closed,Muster Bau AG,A. Muster,03/02/2026,C. Probe,B. Beispiel,,03/13/2026,03/20/2026,Level 1,\"S-201, S-202\",034100,Yes,3 days,How thick?,240 mm\n",
        "RFI_List.csv",
    );
    let record = &list.records[0];
    assert_eq!(
        (record.number.as_str(), record.created.as_str(), record.closed.as_str()),
        ("A-12", "2026-03-02", "2026-03-20")
    );
    assert_eq!((record.cost_impact.as_str(), record.schedule_impact.as_str()), ("Yes", "3 days"));
    assert_eq!((record.location.as_str(), record.spec_section.as_str()), ("Level 1", "034100"));
    assert_eq!(record.drawings, ["S-201", "S-202"]);
    assert!(record.answers[0].official && record.answers[0].text == "240 mm");
    let parts: Vec<String> =
        record.parties.iter().map(|p| format!("{}: {}{}", p.part, p.name, p.organisation)).collect();
    assert_eq!(
        parts,
        ["author: A. Muster", "assignee: B. Beispiel", "contractor: Muster Bau AG", "manager: C. Probe"]
    );
    // Aconex: mails, one row for each recipient, the reply a mail of its own.
    let mails = csv(
        "Mail Unique ID,Mail Type,Mail Number,Mail Status,Subject,Question,From User,From Organization,To User,To Organization,Recipient Type,Parent Id,Sent\n\
         1,Request for Information,MB-RFI-7,Responded,Slab,How thick?,A. Muster,Muster Bau AG,B. Beispiel,Beispiel Ing.,To,,02/03/2026\n\
         1,Request for Information,MB-RFI-7,Outstanding,Slab,How thick?,A. Muster,Muster Bau AG,C. Probe,Probe Arch.,Cc,,02/03/2026\n\
         2,Response,BI-RES-3,N/A,Re: Slab,240 mm,B. Beispiel,Beispiel Ing.,A. Muster,Muster Bau AG,To,1,15/03/2026\n",
        "export.csv",
    );
    assert_eq!(mails.records.len(), 1);
    let counts = mails.registers[0].counts;
    assert_eq!((counts.found, counts.stored, counts.merged, counts.rejected), (3, 1, 2, 0));
    let record = &mails.records[0];
    assert_eq!((record.kind.as_str(), record.assignee.as_str()), ("Request for Information", "B. Beispiel"));
    let statuses: Vec<_> =
        record.parties.iter().map(|p| (p.part.as_str(), p.name.as_str(), p.status.as_str())).collect();
    assert_eq!(
        statuses,
        [
            ("author", "A. Muster", ""),
            ("assignee", "B. Beispiel", "Responded"),
            ("copy", "C. Probe", "Outstanding")
        ]
    );
    assert_eq!((record.answers[0].text.as_str(), record.answers[0].date.as_str()), ("240 mm", "2026-03-15"));
    // Home-made, French and Italian.
    let home = csv(
        "Registre des demandes d\u{2019}information;;;;;;;\nProjet : École Exemple;;;;;;;\n\n\
         N\u{b0};Objet;Demande;Réponse;Statut;Posé le;Échéance;Conséquences financières\n7;Dalle;Quelle épaisseur ?;240 mm;Clos;02.03.2026;12 mars 2026;CHF 1'200\n",
        "liste.csv",
    );
    assert_eq!(home.metadata["project"], "École Exemple");
    let record = &home.records[0];
    assert_eq!(
        (record.state.as_str(), record.due.as_str(), record.cost_impact.as_str()),
        ("closed", "2026-03-12", "CHF 1'200")
    );
    let home = csv(
        "N.|Oggetto|Domanda|Risposta|Stato|Data richiesta|Scadenza|Allegati\n7|Soletta|Quale spessore?||Aperto|2/3/2026|presto|a.pdf; b.pdf\n",
        "elenco.csv",
    );
    let record = &home.records[0];
    assert_eq!((record.created.as_str(), record.due.as_str()), ("2026-03-02", ""));
    assert_eq!((record.fields["Scadenza"].as_str(), record.attachments.len()), ("presto", 2));
    assert!(home.warnings.iter().any(|w| w.code == "no-date" && w.message.contains("'Scadenza': 1")));
}

#[test]
fn a_mapping_reads_what_is_not_recognised() {
    let text = "Lauf;Worum gehts;Text BL;Rückmeldung;Lage;Bis\n1;Türen;Welche?;EI30;pendent BH;03/04/2026\n";
    let plain = read(text.as_bytes(), "x.csv", &Limits::default()).unwrap();
    assert_eq!(plain.kind, Kind::Sheet);
    let mapping = crate::RecordMapping::new(
        [
            ("lauf", "number"),
            ("Worum geht's", "subject"),
            ("TEXT BL", "question"),
            ("Rückmeldung", "official-answer"),
            ("Lage", "status"),
            ("Bis", "due"),
        ],
        [("Pendent BH", "open")],
        Some("month-first"),
    );
    let mapping = mapping.unwrap();
    let document = crate::read_mapped(text.as_bytes(), "x.csv", &Limits::default(), &mapping).unwrap();
    let record = &document.records[0];
    assert_eq!(
        (record.number.as_str(), record.question.as_str(), record.state.as_str()),
        ("1", "Welche?", "open")
    );
    assert_eq!((record.due.as_str(), record.answers[0].official), ("2026-03-04", true));
    let columns: Vec<_> = document.registers[0]
        .columns
        .iter()
        .map(|c| (c.header.as_str(), c.field.as_str(), c.by_mapping))
        .collect();
    assert_eq!(columns[1], ("Worum gehts", "", false), "an apostrophe parts two words");
    assert_eq!(columns[3], ("Rückmeldung", "official-answer", true));
    assert_eq!(record.fields["Worum gehts"], "Türen");
}

/// A file within a file whose chain of sectors leads back to where it came from: nothing follows it for ever.
#[test]
fn an_old_workbook_whose_sectors_run_in_a_circle_is_damaged() {
    let mut file = cfb::CompoundFile::create(Cursor::new(Vec::new())).unwrap();
    file.create_stream("/Workbook").unwrap().write_all(&[9; 20_000]).unwrap();
    let whole = file.into_inner().into_inner();
    let number = |bytes: &[u8], at: usize| u32::from_le_bytes(*bytes[at..].first_chunk().unwrap());
    // The format's header: the size of a sector as a power of two, and the first sector of the table.
    let size = 1usize << u16::from_le_bytes([whole[30], whole[31]]);
    let table = (number(&whole, 76) as usize + 1) * size;
    const END: u32 = 0xffff_fffe;
    let ends: Vec<usize> = (0..size / 4).filter(|i| number(&whole, table + 4 * i) == END).collect();
    assert!(!ends.is_empty());
    for end in ends {
        let mut circle = whole.clone();
        circle[table + 4 * end..][..4].copy_from_slice(&(end as u32).to_le_bytes());
        let error = read(&circle, "a.xls", &Limits::default()).unwrap_err();
        assert!(matches!(error, ReadError::Damaged { .. }), "{error}");
    }
}

/// An ODS cut within its table, or whose table is closed by another name: an end that never comes is not waited for.
#[test]
fn an_ods_whose_table_never_ends_is_damaged() {
    let content = "<office:document-content><office:body><office:spreadsheet><table:table table:name='A'>\
                   <table:table-row><table:table-cell office:value-type='string'><text:p>x</text:p></table:table-cell>";
    let ends =
        "</table:table-row></table:table></office:spreadsheet></office:body></office:document-content>";
    let packed = |content: &str| {
        let mut zip = zip::ZipWriter::new(Cursor::new(Vec::new()));
        for (name, text) in [
            ("mimetype", "application/vnd.oasis.opendocument.spreadsheet"),
            ("META-INF/manifest.xml", "<manifest:manifest/>"),
            ("styles.xml", "<office:document-styles/>"),
            ("content.xml", content),
        ] {
            zip.start_file(name, SimpleFileOptions::default()).unwrap();
            zip.write_all(text.as_bytes()).unwrap();
        }
        read(&zip.finish().unwrap().into_inner(), "a.ods", &Limits::default())
    };
    packed(&format!("{content}{ends}")).unwrap();
    for cut in [content.to_owned(), format!("{content}</table:table-row>")] {
        let error = packed(&cut).unwrap_err();
        assert!(error.to_string().contains("content.xml ends within"), "{error}");
    }
    for closed in [ends.replace("/table:table>", "/table:tab>"), ends.replace("</table:table>", "")] {
        let error = packed(&format!("{content}{closed}")).unwrap_err();
        assert!(error.to_string().contains("content.xml is no XML"), "{error}");
    }
}
