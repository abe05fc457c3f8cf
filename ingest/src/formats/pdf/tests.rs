//! Small PDFs made here, read back and compared with what was put in.

mod interactive;
mod tables;

use std::fmt::Write as _;

use lopdf::{Dictionary, Document as Pdf, Object, Stream, StringFormat, dictionary};

use crate::model::{Document, Locator, Page};
use crate::{ChunkOptions, Limits, ReadError, chunk, read, render};

/// A page to be made: its content stream and what differs from an upright A4 sheet.
#[derive(Default)]
struct Sheet {
    content: String,
    rotate: i64,
    crop: Option<[f32; 4]>,
}

impl Sheet {
    fn text(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.content += &show(&format!("1 0 0 1 {x} {y} Tm"), "F1", size, text);
        self
    }

    fn bold(mut self, x: f32, y: f32, size: f32, text: &str) -> Self {
        self.content += &show(&format!("1 0 0 1 {x} {y} Tm"), "F2", size, text);
        self
    }

    fn raw(mut self, content: &str) -> Self {
        self.content += content;
        self
    }

    fn rule(mut self, x0: f32, y0: f32, x1: f32, y1: f32) -> Self {
        let _ = writeln!(self.content, "0.5 w {x0} {y0} m {x1} {y1} l S");
        self
    }
}

fn show(matrix: &str, font: &str, size: f32, text: &str) -> String {
    let mut hex = String::new();
    for c in text.chars() {
        // WinAnsiEncoding equals Latin-1 for the letters used here.
        let _ = write!(hex, "{:02x}", u32::from(c));
    }
    format!("BT /{font} {size} Tf {matrix} <{hex}> Tj ET\n")
}

fn pdf(sheets: Vec<Sheet>) -> Pdf {
    let mut pdf = Pdf::with_version("1.7");
    let pages_id = pdf.new_object_id();
    let font = |name: &str| {
        dictionary! {
            "Type" => "Font", "Subtype" => "Type1", "BaseFont" => name, "Encoding" => "WinAnsiEncoding",
        }
    };
    let (plain, bold) = (pdf.add_object(font("Helvetica")), pdf.add_object(font("Helvetica-Bold")));
    let resources = pdf.add_object(dictionary! {
        "Font" => dictionary! { "F1" => plain, "F2" => bold },
    });
    let mut kids = Vec::new();
    for sheet in sheets {
        let content = pdf.add_object(Stream::new(Dictionary::new(), sheet.content.into_bytes()));
        let mut page = dictionary! {
            "Type" => "Page", "Parent" => pages_id, "Contents" => content, "Resources" => resources,
            "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()], "Rotate" => sheet.rotate,
        };
        if let Some(crop) = sheet.crop {
            page.set("CropBox", crop.iter().map(|v| Object::Real(*v)).collect::<Vec<_>>());
        }
        kids.push(pdf.add_object(page).into());
    }
    let count = i64::try_from(kids.len()).unwrap();
    pdf.objects.insert(
        pages_id,
        Object::Dictionary(dictionary! { "Type" => "Pages", "Kids" => kids, "Count" => count }),
    );
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages_id });
    pdf.trailer.set("Root", catalog);
    pdf
}

fn bytes(mut pdf: Pdf) -> Vec<u8> {
    let mut out = Vec::new();
    pdf.save_to(&mut out).unwrap();
    out
}

/// A page of text in two sizes and a ruled table, and a turned page; with a comment, form fields, bookmarks
/// and an embedded file.
pub(crate) fn sample() -> Vec<u8> {
    let mut first =
        Sheet::default().bold(72.0, 760.0, 16.0, "1 Aussenwand").text(72.0, 740.0, 10.0, "Die Wand traegt.");
    for y in [700.0, 680.0, 660.0] {
        first = first.rule(72.0, y, 300.0, y);
    }
    for x in [72.0, 200.0, 300.0] {
        first = first.rule(x, 660.0, x, 700.0);
    }
    first = first.text(76.0, 686.0, 10.0, "Bauteil").text(204.0, 686.0, 10.0, "U-Wert");
    first = first.text(76.0, 666.0, 10.0, "Wand").text(204.0, 666.0, 10.0, "0.17");
    let second = Sheet { rotate: 90, ..Sheet::default() }.text(72.0, 700.0, 10.0, "Zweite Seite mit Text.");
    let mut made = pdf(vec![first, second]);
    interactive::dress(&mut made);
    bytes(made)
}

fn read_sheets(sheets: Vec<Sheet>) -> Document {
    read(&bytes(pdf(sheets)), "plan.pdf", &Limits::default()).unwrap()
}

fn one_page(sheet: Sheet) -> Page {
    read_sheets(vec![sheet]).pages.remove(0)
}

fn texts(page: &Page) -> Vec<&str> {
    page.words.iter().map(|w| w.text.as_str()).collect()
}

#[test]
fn words_have_boxes_from_the_top_left() {
    let page = one_page(Sheet::default().text(72.0, 700.0, 10.0, "Aussenwand Dämmung"));
    assert_eq!(texts(&page), ["Aussenwand", "Dämmung"]);
    let [x0, y0, x1, y1] = page.words[0].rect;
    // Helvetica widths of A u s s e n w a n d: 667+556+500+500+556+556+722+556+556+556 = 5725 thousandths.
    assert!((x0 - 72.0).abs() < 0.1 && (x1 - (72.0 + 57.25)).abs() < 0.1, "{x0} {x1}");
    // The baseline is 142 points below the top edge of the sheet.
    assert!(y0 < 142.0 && y0 > 130.0 && y1 > 142.0 && y1 < 147.0, "{y0} {y1}");
}

#[test]
fn a_rotated_page_is_read_as_it_is_shown() {
    // Shown after a quarter turn clockwise, text that runs up the sheet is level.
    let mut sheet = Sheet::default().raw(&show("0 1 -1 0 100 200 Tm", "F1", 10.0, "Grundriss EG"));
    sheet.rotate = 90;
    let page = one_page(sheet);
    assert_eq!((page.width_pt, page.height_pt), (842.0, 595.0));
    assert_eq!(texts(&page), ["Grundriss", "EG"]);
    let [x0, y0, _, y1] = page.words[0].rect;
    // The point (100, 200) of the sheet lies 200 from the left and 100 from the top.
    assert!((x0 - 200.0).abs() < 0.1 && y0 < 100.0 && y1 > 100.0, "{x0} {y0} {y1}");
}

#[test]
fn text_outside_the_crop_box_is_left_out() {
    let mut sheet = Sheet::default().text(150.0, 500.0, 10.0, "innen").text(20.0, 800.0, 10.0, "Druckmarke");
    sheet.crop = Some([100.0, 100.0, 500.0, 600.0]);
    let page = one_page(sheet);
    assert_eq!(texts(&page), ["innen"]);
    assert_eq!((page.width_pt, page.height_pt), (400.0, 500.0));
    assert!((page.words[0].rect[0] - 50.0).abs() < 0.1);
}

#[test]
fn overprinted_text_counts_once_and_turned_text_stands_apart() {
    let sheet = Sheet::default()
        .text(72.0, 700.0, 12.0, "Situationsplan")
        .text(72.4, 700.2, 12.0, "Situationsplan")
        .text(72.0, 680.0, 10.0, "Massstab 1:500")
        .raw(&show("0 1 -1 0 60 690 Tm", "F1", 10.0, "Plankopf"));
    let page = one_page(sheet);
    assert_eq!(texts(&page), ["Situationsplan", "Massstab", "1:500", "Plankopf"]);
}

#[test]
fn two_columns_read_one_after_the_other() {
    let mut sheet = Sheet::default().text(72.0, 780.0, 18.0, "Bericht zur Tragstruktur des Gebaeudes");
    for line in 0..8_u8 {
        let y = 740.0 - 12.0 * f32::from(line);
        sheet = sheet.text(72.0, y, 10.0, &format!("links {line} die Decke traegt in beide Achsen")).text(
            310.0,
            y,
            10.0,
            &format!("rechts {line} die Wand steht auf dem Boden"),
        );
    }
    let page = one_page(sheet);
    let order: Vec<&str> = texts(&page).into_iter().filter(|w| ["links", "rechts"].contains(w)).collect();
    assert_eq!(order[..8], ["links"; 8]);
    assert_eq!(order[8..], ["rechts"; 8]);
    assert_eq!(page.words[0].text, "Bericht");
}

#[test]
fn ruled_tables_give_rows_and_a_header() {
    let (xs, ys) = ([72.0, 200.0, 300.0, 400.0], [700.0, 680.0, 660.0, 640.0]);
    let mut sheet = Sheet::default().text(72.0, 710.0, 10.0, "Tabelle 3: U-Werte der Bauteile");
    for y in ys {
        sheet = sheet.rule(xs[0], y, xs[3], y);
    }
    for x in xs {
        sheet = sheet.rule(x, ys[0], x, ys[3]);
    }
    let cells =
        [["Bauteil", "U-Wert", "Grenzwert"], ["Aussenwand", "0.17", "0.20"], ["Dach", "0.14", "0.17"]];
    for (row, line) in cells.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            sheet = sheet.text(xs[column] + 4.0, ys[row] - 14.0, 10.0, cell);
        }
    }
    let document = read_sheets(vec![sheet]);
    let table = &document.pages[0].tables[0];
    assert_eq!(table.rows, cells.map(|r| r.map(String::from).to_vec()).to_vec());
    assert_eq!((table.header_rows, table.caption.as_str()), (1, "Tabelle 3: U-Werte der Bauteile"));
    assert_eq!(table.rect.map(f32::round), [72.0, 142.0, 400.0, 202.0]);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(
        chunks[0].text,
        "Tabelle 3: U-Werte der Bauteile\nBauteil | U-Wert | Grenzwert\n\
         Aussenwand; U-Wert: 0.17; Grenzwert: 0.20\nDach; U-Wert: 0.14; Grenzwert: 0.17"
    );
    assert!(matches!(&chunks[0].locator, Locator::Pdf { page: 1, boxes } if boxes.len() == 3));
}

#[test]
fn aligned_tables_need_no_rules() {
    let mut sheet = Sheet::default();
    let rows = [
        ["Raum", "Bezeichnung", "Flaeche m2"],
        ["A.01", "Schulzimmer", "72.4"],
        ["A.02", "Gruppenraum", "18.1"],
        ["A.03", "Korridor", "55.0"],
    ];
    for (row, line) in rows.iter().enumerate() {
        for (column, cell) in line.iter().enumerate() {
            sheet = sheet.text([72.0, 140.0, 260.0][column], 700.0 - 14.0 * row as f32, 10.0, cell);
        }
    }
    let page = one_page(sheet);
    assert_eq!(page.tables.len(), 1);
    assert_eq!(page.tables[0].rows, rows.map(|r| r.map(String::from).to_vec()).to_vec());
    assert_eq!(page.tables[0].header_rows, 1);
}

#[test]
fn headings_and_hyphens_reach_the_chunks_and_words_stay_raw() {
    let sheet = Sheet::default()
        .text(72.0, 760.0, 20.0, "Baubeschrieb")
        .bold(72.0, 720.0, 14.0, "2.1 Aussenwand")
        .text(72.0, 700.0, 10.0, "Die Aussenwand erhaelt eine Waerme-")
        .text(72.0, 688.0, 10.0, "daemmung aus Steinwolle, siehe auch Bau-/Holz-")
        .text(72.0, 676.0, 10.0, "arbeiten und die Liste der Lieferanten.");
    let document = read_sheets(vec![sheet]);
    assert_eq!(document.title, "Baubeschrieb");
    assert!(texts(&document.pages[0]).contains(&"Waerme-"));
    let chunks = chunk(&document, &ChunkOptions::default());
    let body = chunks.iter().find(|c| c.text.contains("Steinwolle")).unwrap();
    assert_eq!(body.section, ["2.1 Aussenwand"]);
    assert!(body.text.contains("eine Waermedaemmung aus"), "{}", body.text);
    assert!(body.text.contains("Bau-/Holz-arbeiten"), "{}", body.text);
}

#[test]
fn page_furniture_stays_out_of_the_chunks() {
    let sheets = (1..=4)
        .map(|n| {
            Sheet::default()
                .text(72.0, 810.0, 8.0, "Schulhaus Muster, Energienachweis")
                .text(
                    72.0,
                    600.0,
                    10.0,
                    &format!("Absatz {n} beschreibt die Berechnung des Heizwaermebedarfs."),
                )
                .text(72.0, 30.0, 8.0, &format!("Seite {n} von 4"))
        })
        .collect();
    let document = read_sheets(sheets);
    assert!(document.pages[0].text.contains("Seite 1 von 4"));
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks.len(), 4);
    assert_eq!(chunks[2].text, "Absatz 3 beschreibt die Berechnung des Heizwaermebedarfs.");
    assert_eq!(chunks, chunk(&document, &ChunkOptions::default()));
}

#[test]
fn information_and_outline() {
    let mut made = pdf(vec![
        Sheet::default().text(72.0, 700.0, 10.0, "1 Grundlagen").text(
            72.0,
            680.0,
            10.0,
            "Text der Grundlagen.",
        ),
        Sheet::default().text(72.0, 700.0, 10.0, "2 Energie").text(72.0, 680.0, 10.0, "Text zur Energie."),
    ]);
    let pages = made.get_pages();
    let outlines = made.new_object_id();
    let entry = |title: &str, page: u32| {
        dictionary! {
            "Title" => Object::String(title.into(), StringFormat::Literal), "Parent" => outlines,
            "Dest" => vec![Object::Reference(pages[&page]), "Fit".into()],
        }
    };
    let second = made.add_object(entry("2 Energie", 2));
    let mut first = entry("1 Grundlagen", 1);
    first.set("Next", second);
    let first = made.add_object(first);
    made.objects.insert(
        outlines,
        Object::Dictionary(
            dictionary! { "Type" => "Outlines", "First" => first, "Last" => second, "Count" => 2 },
        ),
    );
    let root = made.trailer.get(b"Root").unwrap().as_reference().unwrap();
    made.get_dictionary_mut(root).unwrap().set("Outlines", outlines);
    let info = made.add_object(dictionary! {
        "Title" => Object::string_literal("Energienachweis"), "Author" => Object::string_literal("A. Beispiel"),
        "CreationDate" => Object::string_literal("D:20260301093000+01'00'"),
    });
    made.trailer.set("Info", info);
    let document = read(&bytes(made), "en.pdf", &Limits::default()).unwrap();
    assert_eq!(document.title, "Energienachweis");
    assert_eq!(document.metadata["author"], "A. Beispiel");
    assert_eq!(document.metadata["created"], "2026-03-01T09:30:00");
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks[0].section, ["1 Grundlagen"]);
    assert_eq!(chunks[1].section, ["2 Energie"]);
}

/// A page whose only content is an image of one pixel.
fn image_page() -> Vec<Sheet> {
    let image = "q 400 0 0 300 72 300 cm BI /W 1 /H 1 /CS /G /BPC 8 ID \u{7f} EI Q\n";
    vec![Sheet::default().raw(image)]
}

#[test]
fn a_page_that_is_only_an_image_is_reported() {
    let document = read_sheets(image_page());
    assert!(document.pages[0].words.is_empty());
    assert_eq!(document.warnings.len(), 1);
    assert_eq!((document.warnings[0].code.as_str(), document.warnings[0].page), ("ocr-missing", Some(1)));
    assert!(document.warnings[0].is_about_ocr());
    assert_eq!(document.metadata[crate::OCR_LANGUAGES], "none");
}

/// Sees the same table of words on every image.
struct Seen(&'static str);

impl crate::Recogniser for Seen {
    fn languages(&self) -> Result<&str, crate::OcrProblem> {
        Ok("deu")
    }

    fn ask(&mut self, wish: crate::OcrWish, _: &crate::GreyImage) -> Result<Vec<u8>, crate::OcrProblem> {
        let words = wish != crate::OcrWish::Orientation;
        Ok(if words { self.0.as_bytes().to_vec() } else { Vec::new() })
    }
}

fn read_seen(sheets: Vec<Sheet>, seen: &'static str, limits: &Limits) -> Document {
    let mapping = crate::RecordMapping::default();
    crate::read_with(&bytes(pdf(sheets)), "scan.pdf", limits, &mapping, &mut Seen(seen)).unwrap()
}

#[test]
fn words_read_on_an_image_stand_where_they_are_printed() {
    // At 300 dpi, 300 pixels are 72 points.
    let seen =
        "5\t1\t1\t1\t1\t1\t300\t600\t300\t50\t96\tWand\n5\t1\t1\t1\t1\t2\t630\t600\t150\t50\t84\tB12\n";
    let document = read_seen(image_page(), seen, &Limits::default());
    let page = &document.pages[0];
    assert_eq!(texts(page), ["Wand", "B12"]);
    let [x0, y0, x1, y1] = page.words[0].rect;
    assert!((x0 - 72.0).abs() < 0.1 && (x1 - 144.0).abs() < 0.1, "{:?}", page.words);
    assert!((140.0..145.0).contains(&y0) && (156.0..161.0).contains(&y1), "{:?}", page.words);
    // Four letters of 96 and three of 84.
    assert_eq!(page.ocr_confidence, Some(90.9));
    assert_eq!(document.metadata[crate::OCR_LANGUAGES], "deu");
    assert_eq!(document.warnings, []);
    let chunks = chunk(&document, &ChunkOptions::default());
    assert!(matches!(&chunks[0].locator, Locator::Pdf { page: 1, boxes } if !boxes.is_empty()));
}

#[test]
fn an_image_on_a_turned_page_is_read_as_it_is_shown() {
    let seen = "5\t1\t1\t1\t1\t1\t3000\t600\t300\t50\t96\tWand\n";
    let sheets = image_page().into_iter().map(|s| Sheet { rotate: 90, ..s }).collect();
    let page = &read_seen(sheets, seen, &Limits::default()).pages[0];
    assert_eq!((page.width_pt, page.height_pt), (842.0, 595.0));
    assert!((page.words[0].rect[0] - 720.0).abs() < 0.1, "{:?}", page.words);
}

#[test]
fn what_is_read_badly_or_not_at_all_is_said() {
    let badly = "5\t1\t1\t1\t1\t1\t300\t600\t300\t50\t41\tWend\n";
    let codes = |document: &Document| -> Vec<String> {
        document.warnings.iter().map(|w| format!("{}:{}", w.code, w.page.unwrap_or(0))).collect()
    };
    assert_eq!(codes(&read_seen(image_page(), badly, &Limits::default())), ["low-confidence:1"]);
    assert_eq!(codes(&read_seen(image_page(), "", &Limits::default())), ["no-text:1"]);
    let two = image_page().into_iter().chain(image_page()).collect();
    let one = Limits { max_ocr_pages: 1, ..Limits::default() };
    assert_eq!(codes(&read_seen(two, badly, &one)), ["low-confidence:1", "ocr-limit:2"]);
    let text = vec![Sheet::default().text(72.0, 700.0, 10.0, "Aussenwand Haus B")];
    let digital = read_seen(text, badly, &Limits::default());
    assert_eq!((digital.pages[0].ocr_confidence, codes(&digital).len()), (None, 0));
}

#[test]
fn limits_and_damage_are_typed() {
    let sheets = |n: usize| (0..n).map(|_| Sheet::default().text(72.0, 700.0, 10.0, "Seite")).collect();
    let limits = Limits { max_pages: 2, ..Limits::default() };
    let document = read(&bytes(pdf(sheets(3))), "x.pdf", &limits).unwrap();
    assert_eq!(document.pages.len(), 2);
    assert_eq!(document.warnings[0].code, "page-limit");
    let damaged = read(b"%PDF-1.7\nnothing here", "x.pdf", &Limits::default());
    assert!(matches!(damaged, Err(ReadError::Damaged { .. })), "{damaged:?}");
}

#[test]
fn a_bomb_is_not_expanded() {
    use std::io::Write as _;
    let pack = |data: &[u8]| {
        let mut packer = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        packer.write_all(data).unwrap();
        packer.finish().unwrap()
    };
    let mut made = pdf(vec![Sheet::default(), Sheet::default().text(72.0, 700.0, 10.0, "Seite zwei")]);
    let content = made.get_page_contents(made.get_pages()[&1])[0];
    let twice = pack(&pack(&vec![b' '; 8 << 20]));
    assert!(twice.len() < 1_000);
    let filters = dictionary! { "Filter" => vec!["FlateDecode".into(), "FlateDecode".into()] };
    made.objects.insert(content, Object::Stream(Stream::new(filters, twice)));
    let limits = Limits { max_expanded_bytes: 1 << 20, ..Limits::default() };
    let made = bytes(made);
    let document = read(&made, "x.pdf", &limits).unwrap();
    assert_eq!((document.warnings[0].code.as_str(), document.warnings[0].page), ("page-too-large", Some(1)));
    assert_eq!(texts(&document.pages[1]), ["Seite", "zwei"]);
    assert!(matches!(render::page_png(&made, 1, 1.0, &limits), Err(ReadError::TooLarge { .. })));
}

#[test]
fn pages_render_to_png() {
    let made = bytes(pdf(vec![Sheet::default().raw("1 0 0 rg 0 421 298 421 re f\n")]));
    let png = render::page_png(&made, 1, 0.5, &Limits::default()).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(png)).read_info().unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!((info.width, info.height), (297, 421));
    let channels = info.line_size / info.width as usize;
    let at = |x: usize, y: usize| &pixels[y * info.line_size + x * channels..][..3];
    assert_eq!(at(20, 20), [255, 0, 0], "the upper left quarter is red");
    assert_eq!(at(280, 400), [255, 255, 255]);
    for page in [0, 2] {
        let beyond = render::page_png(&made, page, 1.0, &Limits::default());
        assert!(matches!(beyond, Err(ReadError::TooLarge { .. })));
    }
}
