//! Damaged input: every reader, fed with files that were cut, doubled and overwritten at random, gives a
//! document or a typed error, and what it gives holds together.

use proptest::prelude::*;
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};

use crate::formats::image::tests as image_samples;
use crate::formats::pdf::tests as pdf_samples;
use crate::model::{Document, Locator};
use crate::{ChunkOptions, Limits, chunk, read, render, sniff};

/// What happens to a file.
#[derive(Debug, Clone)]
enum Damage {
    Overwrite(usize, u8),
    Cut(usize),
    Remove(usize, usize),
    Double(usize, usize),
    Insert(usize, Vec<u8>),
}

fn damage() -> impl Strategy<Value = Damage> {
    let at = any::<prop::sample::Index>().prop_map(|i| i.index(1 << 20));
    prop_oneof![
        6 => (at.clone(), any::<u8>()).prop_map(|(at, byte)| Damage::Overwrite(at, byte)),
        1 => at.clone().prop_map(Damage::Cut),
        1 => (at.clone(), 1_usize..200).prop_map(|(at, n)| Damage::Remove(at, n)),
        1 => (at.clone(), 1_usize..2_000).prop_map(|(at, n)| Damage::Double(at, n)),
        2 => (at, prop::collection::vec(any::<u8>(), 1..20)).prop_map(|(at, new)| Damage::Insert(at, new)),
    ]
}

fn apply(bytes: &mut Vec<u8>, damage: &Damage) {
    let length = bytes.len();
    if length == 0 {
        return;
    }
    match damage {
        Damage::Overwrite(at, byte) => bytes[at % length] = *byte,
        Damage::Cut(at) => bytes.truncate(at % length),
        Damage::Remove(at, n) => {
            let at = at % length;
            bytes.drain(at..(at + n).min(length));
        }
        Damage::Double(at, n) => {
            let at = at % length;
            let piece = bytes[at..(at + n).min(length)].to_vec();
            bytes.splice(at..at, piece);
        }
        Damage::Insert(at, new) => {
            let at = at % length;
            bytes.splice(at..at, new.iter().copied());
        }
    }
}

fn limits() -> Limits {
    Limits { max_expanded_bytes: 4 << 20, max_pages: 50, max_rows: 5_000, ..Limits::default() }
}

/// Boxes lie on their pages, ordinals count up, sections never hold the title, no passage is endless.
fn check(document: &Document) {
    for page in &document.pages {
        for word in &page.words {
            let [x0, y0, x1, y1] = word.rect;
            assert!(x0 <= x1 && y0 <= y1, "{word:?}");
            assert!(x0 >= 0.0 && x1 <= page.width_pt + 0.01 && y1 <= page.height_pt + 0.01, "{word:?}");
        }
        let pinned = page.annotations.iter().map(|a| a.rect).chain(page.fields.iter().map(|f| f.rect));
        for [x0, y0, x1, y1] in pinned {
            assert!(0.0 <= x0 && x0 <= x1 && x1 <= page.width_pt + 0.01);
            assert!(0.0 <= y0 && y0 <= y1 && y1 <= page.height_pt + 0.01);
        }
        for table in &page.tables {
            assert!(table.rows.iter().all(|r| r.len() == table.rows[0].len()));
            assert_eq!(table.rows.len(), table.row_boxes.len());
        }
    }
    for register in &document.registers {
        assert!(register.counts.balance(), "{:?}", register.counts);
    }
    let stored: u64 = document.registers.iter().map(|r| r.counts.stored).sum();
    assert_eq!(stored, document.records.len() as u64);
    let options = ChunkOptions::default();
    let chunks = chunk(document, &options);
    for (index, chunk) in chunks.iter().enumerate() {
        assert_eq!(chunk.ordinal as usize, index);
        assert!(!chunk.text.trim().is_empty());
        if let Locator::Pdf { page, .. } = chunk.locator {
            assert!(document.pages.iter().any(|p| p.number == page));
        }
    }
    let json = serde_json::to_string(document).unwrap();
    let back: Document = serde_json::from_str(&json).unwrap();
    assert_eq!(chunk(&back, &options).len(), chunks.len(), "the worker's JSON carries everything");
}

fn survives(seed: &[u8], name: &str, cases: u32) {
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = prop::collection::vec(damage(), 1..12);
    runner
        .run(&strategy, |damages| {
            let mut bytes = seed.to_vec();
            damages.iter().for_each(|d| apply(&mut bytes, d));
            let _ = sniff(&bytes, name);
            if let Ok(document) = read(&bytes, name, &limits()) {
                check(&document);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn damaged_pdf() {
    survives(&pdf_samples::sample(), "a.pdf", 600);
}

#[test]
fn damaged_pictures() {
    for (seed, name) in image_samples::all() {
        survives(&seed, name, 250);
    }
}

#[test]
fn damaged_pdf_renders_or_fails_cleanly() {
    let seed = pdf_samples::sample();
    let config = Config { cases: 60, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&prop::collection::vec(damage(), 1..8), |damages| {
            let mut bytes = seed.clone();
            damages.iter().for_each(|d| apply(&mut bytes, d));
            let _ = render::page_png(&bytes, 1, 0.2, &limits());
            Ok(())
        })
        .unwrap();
}

#[test]
fn damaged_models() {
    survives(crate::formats::ifc::tests::IFC4.as_bytes(), "a.ifc", 600);
}

#[test]
fn damaged_registers_and_workbooks() {
    survives(crate::formats::sheet::tests::GERMAN.as_bytes(), "rfi.csv", 600);
    survives(&crate::formats::sheet::tests::register_xlsx(), "rfi.xlsx", 300);
    survives(crate::formats::rfi::json::tests::EXPORT.as_bytes(), "rfi.json", 600);
    survives(&crate::formats::rfi::tables::tests::export(), "rfi.zip", 300);
}

#[test]
fn damaged_topics_mails_and_texts() {
    survives(&crate::formats::rfi::bcf::tests::sample(), "a.bcf", 300);
    survives(crate::formats::mail::tests::MAIL.as_bytes(), "a.eml", 600);
    survives(&crate::formats::mail::tests::msg(), "a.msg", 600);
    survives("# Titel\n\nText über Wände.\n\n```\n# kein Titel\n```\n".as_bytes(), "a.md", 300);
}

#[test]
fn damaged_office_files() {
    use crate::formats::office::tests as office;
    for (bytes, name) in [
        (office::docx(), "a.docx"),
        (office::pptx(), "a.pptx"),
        (office::odt(), "a.odt"),
        (office::annotated_xlsx(), "a.xlsx"),
    ] {
        survives(&bytes, name, 100);
        survives_inside(&bytes, name, 250);
    }
    let inner = office::docx();
    survives(
        &crate::formats::container::tests::zip(&[("a/b.docx", &inner), ("c.txt", b"Text")]),
        "a.zip",
        200,
    );
}

#[test]
fn damaged_texts_pages_and_drawings() {
    survives(crate::formats::rtf::tests::RTF, "a.rtf", 800);
    survives(crate::formats::html::tests::PAGE.as_bytes(), "a.html", 500);
    survives(crate::formats::dxf::tests::DXF.as_bytes(), "a.dxf", 500);
    let markdown = "# A\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n- x\n  1. y[^1]\n\n<table><tr><td>z</table>\n\n[^1]: Note\n";
    survives(markdown.as_bytes(), "a.md", 500);
}

/// As [`survives`], with the damage inside one part of an archive: its checks do not catch it there.
fn survives_inside(seed: &[u8], name: &str, cases: u32) {
    let mut archive = zip::ZipArchive::new(std::io::Cursor::new(seed)).unwrap();
    let parts: Vec<(String, Vec<u8>)> = (0..archive.len())
        .map(|n| {
            let mut part = archive.by_index(n).unwrap();
            let mut bytes = Vec::new();
            std::io::Read::read_to_end(&mut part, &mut bytes).unwrap();
            (part.name().unwrap().into_owned(), bytes)
        })
        .collect();
    let config = Config { cases, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let strategy = (any::<prop::sample::Index>(), prop::collection::vec(damage(), 1..12));
    runner
        .run(&strategy, |(which, damages)| {
            let mut parts = parts.clone();
            let at = which.index(parts.len());
            damages.iter().for_each(|d| apply(&mut parts[at].1, d));
            let members: Vec<(&str, &[u8])> = parts.iter().map(|(n, b)| (n.as_str(), b.as_slice())).collect();
            if let Ok(document) = read(&crate::formats::container::tests::zip(&members), name, &limits()) {
                check(&document);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn energy_tables_of_every_kind() {
    let cells = prop::sample::select(vec![
        "Energiebezugsfläche EBF",
        "2’268 m²",
        "Grenzwert QH,li",
        "31.2 kWh/m²",
        "U-Wert W/(m²K)",
        "AW-01",
        "0.15",
        "Klimastation",
        "Bern, 553 m",
        "SIA 380/1",
        "U = 0.2 W/(m²K)",
        "é’1",
        "−",
        "1 000 000",
        "Wärmepumpe (",
        "Q",
        "",
        "٣",
        "0,",
        "380/1:2016",
    ]);
    let rows = prop::collection::vec(prop::collection::vec(cells, 0..5), 0..8);
    let config = Config { cases: 600, failure_persistence: None, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    runner
        .run(&(rows, any::<String>()), |(rows, free)| {
            let csv: String = rows.iter().map(|r| r.join(";") + "\n").collect();
            let text = format!("SIA 380/1;{}\n{csv}", free.replace([';', '\n', '"'], " "));
            if let Ok(document) = read(text.as_bytes(), "a.csv", &limits()) {
                check(&document);
            }
            let markdown = format!("# Energienachweis SIA 380/1\n\n{free}\n\n{}", csv.replace(';', " "));
            if let Ok(document) = read(markdown.as_bytes(), "a.md", &limits()) {
                check(&document);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn rubbish_of_every_kind() {
    let mut runner = TestRunner::new_with_rng(
        Config { cases: 400, failure_persistence: None, ..Config::default() },
        TestRng::deterministic_rng(RngAlgorithm::ChaCha),
    );
    let heads = prop::sample::select(vec![
        &b"%PDF-1.7\n"[..],
        b"ISO-10303-21;HEADER;FILE_SCHEMA(('IFC4'));ENDSEC;DATA;#1=",
        b"PK\x03\x04",
        b"From: a@b\nDate: x\n\n",
        b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1",
        b"RFI;Betreff;Frage;Status\n",
        b"{\\rtf1 ",
        b"II*\0\x08\0\0\0",
        b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR",
        b"\xff\xd8\xff\xe0",
        b"RIFF\x20\0\0\0WEBPVP8L",
        b"<!DOCTYPE html><table>",
        b"0\nSECTION\n2\nENTITIES\n0\nTEXT\n1\n",
        b"<?xml version='1.0'?><office:document>",
        b"",
    ]);
    let names = prop::sample::select(vec![
        "x.pdf", "x.ifc", "x.xlsx", "x.xls", "x.bcf", "x.eml", "x.msg", "x.json", "x.csv", "x.txt", "x",
        "x.docx", "x.odt", "x.pptx", "x.md",
    ]);
    runner
        .run(&(heads, names, prop::collection::vec(any::<u8>(), 0..400)), |(head, name, tail)| {
            let bytes: Vec<u8> = head.iter().copied().chain(tail).collect();
            if let Ok(document) = read(&bytes, name, &limits()) {
                check(&document);
            }
            Ok(())
        })
        .unwrap();
}

#[test]
fn deep_and_cyclic_input_ends() {
    let deep = format!(
        "ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n#1=IFCWALL('a',{}$",
        "(".repeat(20_000)
    );
    let _ = read(deep.as_bytes(), "x.ifc", &limits());
    let ring: String = (1..=200)
        .map(|i| format!("#{i}=IFCCOMPLEXPROPERTY('p',$,'u',(#{}));\n", i % 200 + 1))
        .chain(["#900=IFCPROPERTYSET('s',$,'S',(#1));\n#901=IFCWALL('2O2Fr$t4X7Zf8NOew3FNr2',$,'W',$,$,$,$,$,$);\n\
                 #902=IFCRELDEFINESBYPROPERTIES('r',$,$,$,(#901),#900);\n".to_string()])
        .collect();
    let model = format!("ISO-10303-21;\nHEADER;\nFILE_SCHEMA(('IFC4'));\nENDSEC;\nDATA;\n{ring}ENDSEC;\n");
    assert_eq!(read(model.as_bytes(), "x.ifc", &limits()).unwrap().elements.len(), 1);
    let wide = format!("{}\n", "a;".repeat(100_000));
    assert!(read(wide.as_bytes(), "x.csv", &limits()).is_ok());
}
