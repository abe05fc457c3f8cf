//! Kinds of fonts and scripts, each in a small PDF made here.

use std::fmt::Write as _;

use lopdf::{
    Dictionary, Document as Pdf, EncryptionState, EncryptionVersion, Object, ObjectId, Permissions, Stream,
    StringFormat, dictionary,
};

use crate::{Limits, ReadError, read};

/// A one-page PDF whose content uses one font, `F1`.
fn pdf(font: impl FnOnce(&mut Pdf) -> ObjectId, content: &str) -> Pdf {
    let mut pdf = Pdf::with_version("1.7");
    let font = font(&mut pdf);
    let content = pdf.add_object(Stream::new(Dictionary::new(), content.as_bytes().to_vec()));
    let pages = pdf.new_object_id();
    let page = pdf.add_object(dictionary! {
        "Type" => "Page", "Parent" => pages, "Contents" => content,
        "Resources" => dictionary! { "Font" => dictionary! { "F1" => font } },
        "MediaBox" => vec![0.into(), 0.into(), 595.into(), 842.into()],
    });
    let kids = dictionary! { "Type" => "Pages", "Kids" => vec![page.into()], "Count" => 1 };
    pdf.objects.insert(pages, Object::Dictionary(kids));
    let catalog = pdf.add_object(dictionary! { "Type" => "Catalog", "Pages" => pages });
    pdf.trailer.set("Root", catalog);
    pdf
}

fn words(mut pdf: Pdf) -> Vec<String> {
    let mut bytes = Vec::new();
    pdf.save_to(&mut bytes).unwrap();
    let document = read(&bytes, "plan.pdf", &Limits::default()).unwrap();
    document.pages[0].words.iter().map(|w| w.text.clone()).collect()
}

fn helvetica(pdf: &mut Pdf) -> ObjectId {
    pdf.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "Type1", "BaseFont" => "Helvetica", "Encoding" => "WinAnsiEncoding",
    })
}

/// A font of two-byte codes without a program; code 1 is the first of `letters`, and so on, each 1/2 em wide.
fn coded(letters: &'static str) -> impl FnOnce(&mut Pdf) -> ObjectId {
    move |pdf| {
        let mut map = String::from("begincmap\n1 begincodespacerange <0000> <FFFF> endcodespacerange\n");
        for (code, c) in letters.chars().enumerate() {
            let _ = writeln!(map, "1 beginbfchar <{:04X}> <{:04X}> endbfchar", code + 1, u32::from(c));
        }
        let map = pdf.add_object(Stream::new(Dictionary::new(), (map + "endcmap").into_bytes()));
        composite(pdf, "Identity-H", "Identity", dictionary! { "ToUnicode" => map })
    }
}

fn composite(pdf: &mut Pdf, encoding: &str, ordering: &str, more: Dictionary) -> ObjectId {
    let string = |s: &str| Object::String(s.as_bytes().to_vec(), StringFormat::Literal);
    let descriptor = pdf.add_object(dictionary! {
        "Type" => "FontDescriptor", "FontName" => "Muster", "Flags" => 4, "ItalicAngle" => 0,
        "FontBBox" => vec![0.into(), 0.into(), 1000.into(), 1000.into()], "Ascent" => 880, "Descent" => -120,
    });
    let descendant = pdf.add_object(dictionary! {
        "Type" => "Font", "Subtype" => "CIDFontType2", "BaseFont" => "Muster", "DW" => 500,
        "FontDescriptor" => descriptor,
        "CIDSystemInfo" => dictionary! {
            "Registry" => string("Adobe"), "Ordering" => string(ordering), "Supplement" => 0,
        },
    });
    let mut font = dictionary! {
        "Type" => "Font", "Subtype" => "Type0", "BaseFont" => "Muster", "Encoding" => encoding,
        "DescendantFonts" => vec![descendant.into()],
    };
    font.extend(&more);
    pdf.add_object(font)
}

#[test]
fn right_to_left_text_is_read_as_it_was_written() {
    // Codes 1 to 6 are: shin lamed vav final-mem, bet, final-tav. Drawn from the left: תב, then םולש.
    let content = "BT /F1 20 Tf 1 0 0 1 100 700 Tm <00060005> Tj 1 0 0 1 140 700 Tm <0004000300020001> Tj ET";
    assert_eq!(words(pdf(coded("שלוםבת"), content)), ["שלום", "בת"]);
    // The same words drawn letter by letter from the right.
    let mut content = String::from("BT /F1 20 Tf ");
    for (code, x) in [(1, 170), (2, 160), (3, 150), (4, 140), (5, 110), (6, 100)] {
        let _ = write!(content, "1 0 0 1 {x} 700 Tm <{code:04X}> Tj ");
    }
    assert_eq!(words(pdf(coded("שלוםבת"), &(content + "ET"))), ["שלום", "בת"]);
}

#[test]
fn vertical_writing_is_read_downwards_and_columns_from_the_right() {
    // 縦書 in the right column, 次行 in the left one; codes are UTF-16.
    let content = "BT /F1 20 Tf 1 0 0 1 300 700 Tm <7E2666F8> Tj 1 0 0 1 270 700 Tm <6B21884C> Tj ET";
    let font = |pdf: &mut Pdf| composite(pdf, "UniJIS-UTF16-V", "Japan1", Dictionary::new());
    assert_eq!(words(pdf(font, content)), ["縦書", "次行"]);
}

#[test]
fn a_private_sign_is_kept_as_the_file_has_it() {
    let content = "BT /F1 20 Tf 1 0 0 1 100 700 Tm <0001> Tj 1 0 0 1 140 700 Tm <00020003> Tj ET";
    assert_eq!(words(pdf(coded("\u{f0a7}ab"), content)), ["\u{f0a7}", "ab"]);
}

#[test]
fn a_space_without_width_does_not_part_a_word() {
    let content = "BT /F1 12 Tf 1 0 0 1 100 700 Tm (BUTTO) Tj 0 Tz ( ) Tj 100 Tz (N) Tj ET";
    assert_eq!(words(pdf(helvetica, content)), ["BUTTON"]);
}

#[test]
fn actual_text_stands_for_the_glyphs_that_it_covers() {
    let content = "BT /F1 12 Tf 1 0 0 1 100 700 Tm (Pro) Tj \
        /Span <</ActualText (jekt)>> BDC (xyz) Tj EMC (leiter) Tj \
        1 0 0 1 100 680 Tm /Span <</ActualText <FEFF00660066>>> BDC (q) Tj EMC (a) Tj \
        1 0 0 1 100 660 Tm /Span <</ActualText (zwei Worte)>> BDC (Plan) Tj EMC ET";
    assert_eq!(words(pdf(helvetica, content)), ["Projektleiter", "ffa", "zwei", "Worte"]);
}

#[test]
fn a_file_opens_without_a_password_where_its_readers_need_none() {
    let encrypted = |user: &str| {
        let mut pdf = pdf(helvetica, "BT /F1 12 Tf 1 0 0 1 100 700 Tm (Grundriss) Tj ET");
        let id = Object::String(b"0123456789abcdef".to_vec(), StringFormat::Literal);
        pdf.trailer.set("ID", vec![id.clone(), id]);
        let version = EncryptionVersion::V2 {
            document: &pdf,
            owner_password: "owner",
            user_password: user,
            key_length: 128,
            permissions: Permissions::all(),
        };
        let state = EncryptionState::try_from(version).unwrap();
        pdf.encrypt(&state).unwrap();
        pdf
    };
    assert_eq!(words(encrypted("")), ["Grundriss"]);
    let mut bytes = Vec::new();
    encrypted("secret").save_to(&mut bytes).unwrap();
    let error = read(&bytes, "plan.pdf", &Limits::default()).unwrap_err();
    assert!(matches!(error, ReadError::Password), "{error}");
    assert!(error.to_string().contains("password"));
}

/// A tagged page whose structure names its marked content in the order of `ids`.
fn tagged(content: &str, ids: &[i64]) -> Pdf {
    let mut pdf = pdf(helvetica, content);
    let catalog = pdf.trailer.get(b"Root").unwrap().as_reference().unwrap();
    let page = *pdf.get_pages().get(&1).unwrap();
    let paragraphs: Vec<Object> = ids
        .iter()
        .map(|id| {
            let paragraph = dictionary! { "S" => "P", "Pg" => page, "K" => *id };
            pdf.add_object(paragraph).into()
        })
        .collect();
    let root = pdf.add_object(dictionary! { "Type" => "StructTreeRoot", "K" => paragraphs });
    pdf.get_dictionary_mut(catalog).unwrap().set("StructTreeRoot", root);
    pdf
}

#[test]
fn a_tagged_page_is_read_in_the_order_of_its_tags() {
    let content = "BT /F1 12 Tf /P <</MCID 0>> BDC 1 0 0 1 100 700 Tm (Anhang) Tj EMC \
        /P <</MCID 1>> BDC 1 0 0 1 100 600 Tm (Einleitung) Tj EMC \
        /P <</MCID 2>> BDC 1 0 0 1 100 500 Tm (Hauptteil) Tj EMC ET";
    assert_eq!(words(tagged(content, &[1, 2, 0])), ["Einleitung", "Hauptteil", "Anhang"]);
    // Tags that leave out most of the page say nothing of its order.
    assert_eq!(words(tagged(content, &[2])), ["Anhang", "Einleitung", "Hauptteil"]);
}

#[test]
fn cells_that_go_on_below_are_read_cell_by_cell() {
    // Two rows only, so that they are no table; the header's cells have up to three lines.
    let lines: [(f32, f32, &str); 9] = [
        (72.0, 700.0, "Gebucht und"),
        (72.0, 688.0, "verzinst"),
        (72.0, 676.0, "am"),
        (200.0, 700.0, "Text"),
        (300.0, 700.0, "Betrag"),
        (420.0, 700.0, "Saldo in"),
        (420.0, 688.0, "Franken"),
        (72.0, 650.0, "14.01.2016"),
        (200.0, 650.0, "Zahlung"),
    ];
    let mut content = String::from("BT /F1 10 Tf ");
    for (x, y, text) in lines {
        let _ = write!(content, "1 0 0 1 {x} {y} Tm ({text}) Tj ");
    }
    content += "1 0 0 1 300 650 Tm (100.00) Tj 1 0 0 1 420 650 Tm (200.00) Tj ET";
    assert_eq!(
        words(pdf(helvetica, &content)).join(" "),
        "Gebucht und verzinst am Text Betrag Saldo in Franken 14.01.2016 Zahlung 100.00 200.00"
    );
}

#[test]
fn columns_of_lines_on_different_heights_are_read_one_after_the_other() {
    let mut content = String::from("BT /F1 10 Tf ");
    for (i, (left, right)) in
        [("Bau AG", "Muster GmbH"), ("Ring 1", "Gasse 22"), ("8000 Ort", "3000 Stadt"), ("Schweiz", "Bern")]
            .iter()
            .enumerate()
    {
        let y = 700.0 - 13.0 * i as f32;
        let _ = write!(content, "1 0 0 1 72 {y} Tm ({left}) Tj 1 0 0 1 300 {} Tm ({right}) Tj ", y - 6.0);
    }
    assert_eq!(
        words(pdf(helvetica, &(content + "ET"))).join(" "),
        "Bau AG Ring 1 8000 Ort Schweiz Muster GmbH Gasse 22 3000 Stadt Bern"
    );
}

#[test]
fn lists_side_by_side_on_uneven_heights_are_no_table() {
    let mut content = String::from("BT /F1 10 Tf ");
    for line in 0..6_u8 {
        let y = 700.0 - 14.0 * f32::from(line);
        let _ = write!(content, "1 0 0 1 72 {y} Tm (links {line} Fenster und Tore) Tj ");
        let _ = write!(content, "1 0 0 1 300 {} Tm (rechts {line} Dach) Tj ", y - 3.0);
    }
    let words = words(pdf(helvetica, &(content + "ET")));
    let sides: Vec<&str> =
        words.iter().map(String::as_str).filter(|w| ["links", "rechts"].contains(w)).collect();
    assert_eq!((&sides[..6], &sides[6..]), (&["links"; 6][..], &["rechts"; 6][..]));
}

#[test]
fn right_to_left_cells_are_read_as_they_were_written() {
    // Three level rows of two words: a table found by alignment.
    let mut content = String::from("BT /F1 20 Tf ");
    for y in [700, 670, 640] {
        let _ = write!(content, "1 0 0 1 100 {y} Tm <00060005> Tj 1 0 0 1 300 {y} Tm <0004000300020001> Tj ");
    }
    let words = words(pdf(coded("שלוםבת"), &(content + "ET")));
    assert_eq!(words.len(), 6);
    assert!(words.iter().all(|w| w == "שלום" || w == "בת"), "{words:?}");
}
