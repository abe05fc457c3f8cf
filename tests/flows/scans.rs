//! Pages that are images: read, straightened, searchable, and never passed over in silence.

use std::collections::HashMap;

use ingest::Limits;
use serde_json::Value;

use crate::support::scan::{Scan, pdf};
use crate::support::{Appliance, sample};

/// A page of the sample project as an image-only PDF, and the words that stand on it.
struct Original {
    bytes: Vec<u8>,
    page: u32,
    words: Vec<String>,
}

impl Original {
    fn new(appliance: &Appliance, path: &str, page: u32) -> Self {
        let path = sample().join(path);
        let document = appliance.json(&["extract", path.to_str().unwrap()]);
        let found = document["pages"].as_array().unwrap().iter().find(|p| p["number"] == page).unwrap();
        Original { bytes: std::fs::read(path).unwrap(), page, words: words(found) }
    }

    fn scan(&self, dpi: f32) -> Scan {
        let scale = dpi / 72.0;
        let png = ingest::render::page_png(&self.bytes, self.page, scale, &Limits::default()).unwrap();
        Scan::of(&png, dpi)
    }
}

fn words(page: &Value) -> Vec<String> {
    let words = page["words"].as_array().unwrap().iter();
    words.map(|w| w["text"].as_str().unwrap().to_owned()).collect()
}

/// Harmonic mean of how many of the read words are right and how many of the right ones were read.
fn f1(read: &[String], right: &[String]) -> f64 {
    let mut counts: HashMap<&str, i64> = HashMap::new();
    right.iter().for_each(|w| *counts.entry(w).or_default() += 1);
    let mut shared = 0;
    for word in read {
        let left = counts.entry(word).or_default();
        if *left > 0 {
            *left -= 1;
            shared += 1;
        }
    }
    2.0 * f64::from(shared) / (read.len() + right.len()) as f64
}

/// Reads image-only pages and gives F1 and confidence of each.
fn read(appliance: &Appliance, scans: &[(&Original, Scan)]) -> Vec<(f64, f64)> {
    let file = appliance.data().join("scans.pdf");
    std::fs::write(&file, pdf(scans.iter().map(|(_, scan)| scan))).unwrap();
    let document = appliance.json(&["extract", file.to_str().unwrap()]);
    let pages = document["pages"].as_array().unwrap();
    assert_eq!(pages.len(), scans.len());
    let judged = pages.iter().zip(scans).map(|(page, (original, _))| {
        let confidence =
            page["ocr_confidence"].as_f64().unwrap_or_else(|| panic!("not read: {}", document["warnings"]));
        (f1(&words(page), &original.words), confidence)
    });
    judged.collect()
}

#[test]
fn scans_are_read_upright_skewed_on_their_side_and_upside_down() {
    let a = Appliance::new();
    let page = Original::new(&a, "dokumente/RM-2417-BB-01_Baubeschrieb.pdf", 3);
    assert!(page.words.len() > 100);
    let plain = page.scan(200.0);
    let scans = [
        ("upright", plain.clone().speckled(), 0.93),
        ("skewed by 3°", plain.rotated(3.0).speckled(), 0.93),
        ("skewed by -7°", plain.rotated(-7.0).speckled(), 0.90),
        ("on its side", plain.quarters(1).speckled(), 0.90),
        ("upside down", plain.quarters(2).speckled(), 0.90),
    ];
    let read = read(&a, &scans.iter().map(|(_, scan, _)| (&page, scan.clone())).collect::<Vec<_>>());
    for ((name, _, least), (f1, confidence)) in scans.iter().zip(&read) {
        assert!(f1 >= least, "{name}: F1 {f1:.3} ({read:?})");
        assert!(*confidence > 75.0, "{name}: {confidence}");
    }
}

#[test]
fn scans_are_read_in_four_languages_and_in_tables() {
    let a = Appliance::new();
    let pages = [
        ("dokumente/RM-2417-BB-01_Baubeschrieb.pdf", 3, 0.93),
        ("dokumente/RM-2417-EN-01_Energienachweis.pdf", 2, 0.75),
        ("dokumente/RM-2417-VEN-01_Notice-ventilation.pdf", 1, 0.88),
        ("dokumente/RM-2417-FEN-01_Relazione-serramenti.pdf", 1, 0.89),
        ("dokumente/RM-2417-CX-01_Sustainability-Commissioning.pdf", 1, 0.94),
    ];
    let originals = pages.map(|(path, page, _)| Original::new(&a, path, page));
    let scans: Vec<_> = originals.iter().map(|page| (page, page.scan(200.0).speckled())).collect();
    let read = read(&a, &scans);
    for ((path, _, least), (f1, _)) in pages.iter().zip(&read) {
        assert!(f1 >= least, "{path}: F1 {f1:.3} ({read:?})");
    }
}

#[test]
fn the_samples_scanned_memo_is_found_with_its_place() {
    let a = Appliance::new();
    let memo = std::fs::read(sample().join("dokumente/RM-2417-AN-37_Aktennotiz_Scan.pdf")).unwrap();
    a.write("memo.pdf", memo);
    let summary = a.json(&["ingest"]);
    assert_eq!((&summary["added"], &summary["ocr_pages"]), (&Value::from(1), &Value::from(1)), "{summary}");
    for question in ["Wasserschaden Brettstapeldecke", "Schadennummer BW-2026-0815", "Kondensationstrockner"]
    {
        let found = a.json(&["search", question]);
        let hit = &found["hits"][0];
        assert_eq!(
            (&hit["locator"]["type"], &hit["locator"]["page"]),
            (&"pdf".into(), &1.into()),
            "{question}: {found}"
        );
        let boxes = hit["locator"]["boxes"].as_array().unwrap();
        assert!(!boxes.is_empty(), "{question}: {hit}");
        for rect in boxes {
            let [x0, y0, x1, y1] = [0, 1, 2, 3].map(|i| rect[i].as_f64().unwrap());
            assert!(x0 < x1 && y0 < y1 && x1 <= 596.0 && y1 <= 843.0, "{rect}");
        }
    }
}

#[test]
fn pictures_are_found_by_themselves_in_mails_and_in_texts() {
    use base64::Engine as _;
    let a = Appliance::new();
    let page = Original::new(&a, "dokumente/RM-2417-AK-01_Akustikbericht.pdf", 1);
    // A strip across the page: a few lines, read in a second.
    let strip = page.scan(200.0).rows(260, 260);
    let (upright, turned) = (strip.png(), strip.quarters(1).png());
    let file = a.data().join("strip.bin");
    std::fs::write(&file, &upright).unwrap();
    let document = a.json(&["extract", file.to_str().unwrap()]);
    assert_eq!((&document["kind"], &document["metadata"]["format"]), (&"image".into(), &"PNG".into()));
    let read = words(&document["pages"][0]);
    let right: Vec<String> = page.words.iter().filter(|w| w.len() > 5 && read.contains(w)).cloned().collect();
    assert!(right.len() >= 8, "{read:?}");

    a.write("aushang.png", turned);
    let picture = base64::engine::general_purpose::STANDARD.encode(&upright);
    a.write(
        "mail.eml",
        format!(
            "From: a@example.ch\r\nTo: b@example.ch\r\nSubject: Aushang\r\nMIME-Version: 1.0\r\n\
             Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\nContent-Type: text/plain\r\n\r\nAnbei.\r\n--x\r\n\
             Content-Type: image/png; name=foto.png\r\nContent-Transfer-Encoding: base64\r\n\
             Content-Disposition: attachment; filename=foto.png\r\n\r\n{picture}\r\n--x--\r\n"
        ),
    );
    let digits: String = upright.iter().map(|byte| format!("{byte:02x}")).collect();
    a.write("bericht.rtf", format!("{{\\rtf1 Siehe Bild.\\par{{\\pict\\pngblip {digits}}}}}"));
    let blank = crate::support::scan::Scan::of(&upright, 200.0).rows(0, 30);
    a.write("leer.png", blank.png());
    let summary = a.json(&["ingest"]);
    assert_eq!((&summary["added"], &summary["ocr_pages"]), (&Value::from(6), &Value::from(3)), "{summary}");
    assert_eq!(summary["rejected"], Value::Array(vec![]), "{summary}");
    let found = a.json(&["search", &right[..4].join(" ")]);
    // The three say the same: one is shown, and what it stands for with it.
    let hits: Vec<&Value> =
        found["hits"].as_array().unwrap().iter().filter(|hit| hit["kind"] == "image").collect();
    let below = hits.iter().flat_map(|hit| hit["folded"].as_array().into_iter().flatten());
    let images: Vec<&str> = hits
        .iter()
        .copied()
        .chain(below)
        .filter(|hit| hit["locator"]["page"] == 1)
        .map(|hit| hit["path"].as_str().unwrap())
        .collect();
    assert_eq!(images.len(), 3, "one by itself, one in the mail, one in the text: {found}");
}

#[test]
fn without_the_program_pages_are_reported_and_read_once_it_is_there() {
    let a = Appliance::new();
    let memo = std::fs::read(sample().join("dokumente/RM-2417-AN-37_Aktennotiz_Scan.pdf")).unwrap();
    a.write("memo.pdf", memo);
    a.write("note.txt", "Die Aussenwand Quaxmoor ist 36 cm dick.");
    let file = a.data().join("dossier.toml");
    let config = std::fs::read_to_string(&file).unwrap();
    std::fs::write(&file, format!("ingest.ocr_program = \"/nowhere/tesseract\"\n{config}")).unwrap();

    let summary = a.json(&["ingest"]);
    assert_eq!((&summary["added"], &summary["ocr_pages"]), (&Value::from(2), &Value::from(0)), "{summary}");
    let listed = &summary["low_confidence_pages"][0];
    assert_eq!((&listed["path"], &listed["page"]), (&"memo.pdf".into(), &1.into()), "{summary}");
    assert!(listed["reason"].as_str().unwrap().contains("tesseract-ocr-deu"), "{listed}");
    assert_eq!(a.json(&["search", "Kondensationstrockner"])["hits"].as_array().unwrap().len(), 0);
    let report = a.json(&["doctor"]);
    let check = report["checks"].as_array().unwrap().iter().find(|c| c["name"] == "ocr").unwrap();
    assert_eq!(check["state"], "warn");
    assert!(check["message"].as_str().unwrap().contains("tesseract-ocr tesseract-ocr-deu"), "{check}");
    assert_eq!(a.json(&["ingest"])["unchanged"], 2, "nothing to be gained by reading it again");

    std::fs::write(&file, config).unwrap();
    let summary = a.json(&["ingest"]);
    assert_eq!(
        (&summary["modified"], &summary["unchanged"]),
        (&Value::from(1), &Value::from(1)),
        "{summary}"
    );
    assert_eq!(summary["low_confidence_pages"], Value::Array(vec![]));
    assert_eq!(a.json(&["search", "Kondensationstrockner"])["hits"][0]["locator"]["page"], 1);
}
