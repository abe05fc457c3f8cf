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
