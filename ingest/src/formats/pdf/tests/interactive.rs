//! Headers and footers, bookmarks, comments, form fields, embedded files, ActualText.

use lopdf::ObjectId;

use super::*;

fn string(text: &str) -> Object {
    Object::string_literal(text)
}

/// Puts annotations onto page `number`.
fn annotate(pdf: &mut Pdf, number: u32, annotations: Vec<Dictionary>) -> Vec<ObjectId> {
    let page = pdf.get_pages()[&number];
    let ids: Vec<ObjectId> = annotations.into_iter().map(|a| pdf.add_object(a)).collect();
    let list: Vec<Object> = ids.iter().map(|id| Object::Reference(*id)).collect();
    pdf.get_dictionary_mut(page).unwrap().set("Annots", list);
    ids
}

fn catalog(pdf: &mut Pdf) -> &mut Dictionary {
    let root = pdf.trailer.get(b"Root").unwrap().as_reference().unwrap();
    pdf.get_dictionary_mut(root).unwrap()
}

fn read_pdf(pdf: Pdf) -> Document {
    read(&bytes(pdf), "x.pdf", &Limits::default()).unwrap()
}

#[test]
fn comments_have_author_date_place_and_the_words_they_mark() {
    let mut made =
        pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Die Aussenwand hat einen U-Wert von 0.25")]);
    let rect = |x0: i32, x1: i32| vec![x0.into(), 696.into(), x1.into(), 712.into()];
    annotate(
        &mut made,
        1,
        vec![
            dictionary! {
                "Type" => "Annot", "Subtype" => "Highlight", "Rect" => rect(90, 150),
                // "Aussenwand" begins 17.8 points after 72.
                "QuadPoints" => vec![89.into(), 710.into(), 148.into(), 710.into(), 89.into(), 697.into(), 148.into(), 697.into()],
                "Contents" => string("Wert pruefen"), "T" => string("A. Beispiel"), "M" => string("D:20260301093000+01'00'"),
            },
            dictionary! {
                "Type" => "Annot", "Subtype" => "Text", "Rect" => rect(500, 520), "T" => string("B. Muster"),
                "Contents" => string("Bitte mit der Bauphysik klaeren."), "CreationDate" => string("D:20260302"),
            },
            dictionary! { "Type" => "Annot", "Subtype" => "Stamp", "Rect" => rect(400, 480), "Name" => "Approved" },
            dictionary! { "Type" => "Annot", "Subtype" => "Link", "Rect" => rect(72, 90), "Contents" => string("kein Kommentar") },
        ],
    );
    let document = read_pdf(made);
    let all = &document.pages[0].annotations;
    let kinds: Vec<&str> = all.iter().map(|a| a.kind.as_str()).collect();
    assert_eq!(kinds, ["highlight", "text", "stamp"]);
    assert_eq!((all[0].marked.as_str(), all[0].text.as_str()), ("Aussenwand", "Wert pruefen"));
    assert_eq!((all[0].author.as_str(), all[0].date.as_str()), ("A. Beispiel", "2026-03-01T09:30:00"));
    assert_eq!(all[0].rect, [90.0, 130.0, 150.0, 146.0]);
    assert_eq!((all[1].date.as_str(), all[2].text.as_str()), ("2026-03-02", "Approved"));
    let chunks = chunk(&document, &ChunkOptions::default());
    let said = chunks.iter().find(|c| c.text.contains("Wert pruefen")).unwrap();
    assert!(
        said.text.starts_with("Kommentar (A. Beispiel, 2026-03-01): «Aussenwand» – Wert pruefen\n"),
        "{}",
        said.text
    );
    assert!(
        matches!(&said.locator, Locator::Pdf { page: 1, boxes } if boxes[0] == [90.0, 130.0, 150.0, 146.0])
    );
}

#[test]
fn form_fields_have_names_values_and_states() {
    let mut made = pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Antrag")]);
    let parent = made.add_object(dictionary! { "T" => string("Bauherr") });
    let group = made.add_object(dictionary! {
        "T" => string("Heizung"), "FT" => "Btn", "Ff" => 1 << 15, "V" => "Fernwaerme",
    });
    let widget = |extra: Dictionary| {
        let mut out = dictionary! {
            "Type" => "Annot", "Subtype" => "Widget", "Rect" => vec![100.into(), 600.into(), 200.into(), 620.into()],
        };
        out.extend(&extra);
        out
    };
    annotate(
        &mut made,
        1,
        vec![
            widget(
                dictionary! { "FT" => "Tx", "T" => string("Name"), "Parent" => parent, "V" => string("Baugenossenschaft Muster") },
            ),
            widget(
                dictionary! { "FT" => "Btn", "T" => string("Minergie"), "TU" => string("Mit Zertifikat"), "AS" => "Ja", "V" => "Ja" },
            ),
            widget(dictionary! { "FT" => "Btn", "T" => string("Provisorisch"), "AS" => "Off" }),
            widget(dictionary! { "Parent" => group, "AS" => "Off" }),
            widget(dictionary! { "Parent" => group, "AS" => "Fernwaerme" }),
            widget(dictionary! {
                "FT" => "Ch", "T" => string("Kanton"), "V" => string("b"),
                "Opt" => vec![Object::Array(vec![string("a"), string("Aargau")]), Object::Array(vec![string("b"), string("Bern")])],
            }),
            widget(dictionary! { "FT" => "Btn", "Ff" => 1 << 16, "T" => string("Senden") }),
            widget(dictionary! { "FT" => "Tx", "T" => string("Leer") }),
        ],
    );
    let document = read_pdf(made);
    let shown: Vec<(&str, &str, &str, Option<bool>)> = document.pages[0]
        .fields
        .iter()
        .map(|f| (f.name.as_str(), f.kind.as_str(), f.value.as_str(), f.checked))
        .collect();
    assert_eq!(
        shown,
        [
            ("Bauherr.Name", "text", "Baugenossenschaft Muster", None),
            ("Minergie", "checkbox", "Ja", Some(true)),
            ("Provisorisch", "checkbox", "", Some(false)),
            ("Heizung", "radio", "Fernwaerme", Some(true)),
            ("Kanton", "choice", "Bern", None),
            ("Leer", "text", "", None),
        ]
    );
    let chunks = chunk(&document, &ChunkOptions::default());
    let form = chunks.iter().find(|c| c.text.contains("Bauherr")).unwrap();
    assert_eq!(
        form.text,
        "Bauherr.Name: Baugenossenschaft Muster\n☒ Mit Zertifikat\nHeizung: Fernwaerme\nKanton: Bern"
    );
}

#[test]
fn a_field_that_is_its_own_parent_ends() {
    let mut made = pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Antrag")]);
    let ids =
        annotate(&mut made, 1, vec![dictionary! { "Subtype" => "Widget", "FT" => "Tx", "T" => string("A") }]);
    made.get_dictionary_mut(ids[0]).unwrap().set("Parent", Object::Reference(ids[0]));
    assert_eq!(read_pdf(made).pages[0].fields.len(), 1);
}

/// Outline entries, linked in a row below `parent`.
fn outline(pdf: &mut Pdf, entries: Vec<(&str, Object)>) -> Vec<ObjectId> {
    let parent = pdf.new_object_id();
    let ids: Vec<ObjectId> = entries.iter().map(|_| pdf.new_object_id()).collect();
    for (index, (title, place)) in entries.into_iter().enumerate() {
        let mut entry = dictionary! { "Title" => string(title), "Parent" => parent, "Dest" => place };
        if let Some(next) = ids.get(index + 1) {
            entry.set("Next", Object::Reference(*next));
        }
        pdf.objects.insert(ids[index], Object::Dictionary(entry));
    }
    let root = dictionary! { "First" => Object::Reference(ids[0]), "Count" => ids.len() as i64 };
    pdf.objects.insert(parent, Object::Dictionary(root));
    catalog(pdf).set("Outlines", parent);
    ids
}

#[test]
fn bookmarks_give_page_and_height_also_by_name() {
    let sheets = (0..2)
        .map(|n| {
            Sheet::default().text(72.0, 700.0, 10.0, &format!("Der erste Absatz auf Blatt {n}.")).text(
                72.0,
                400.0,
                10.0,
                &format!("Der zweite Absatz auf Blatt {n}."),
            )
        })
        .collect();
    let mut made = pdf(sheets);
    let pages = made.get_pages();
    let at = |page: u32, top: i32| {
        Object::Array(vec![pages[&page].into(), "XYZ".into(), 72.into(), top.into(), Object::Null])
    };
    let named = at(2, 420);
    let tree = made.add_object(dictionary! {
        "Names" => vec![string("ort"), Object::Dictionary(dictionary! { "D" => named })],
    });
    catalog(&mut made).set("Names", dictionary! { "Dests" => tree });
    let entries = vec![
        ("Teil A", at(1, 720)),
        ("Teil B", at(1, 420)),
        ("Teil C", string("ort")),
        ("Nirgends", string("fehlt")),
    ];
    outline(&mut made, entries);
    let document = read_pdf(made);
    let shown: Vec<(&str, u32, Option<f32>)> =
        document.outline.iter().map(|b| (b.title.as_str(), b.page, b.y)).collect();
    assert_eq!(shown, [("Teil A", 1, Some(122.0)), ("Teil B", 1, Some(422.0)), ("Teil C", 2, Some(422.0))]);
    assert!(document.warnings.iter().any(|w| w.code == "outline"), "{:?}", document.warnings);
    let chunks = chunk(&document, &ChunkOptions { max_words: 20, table_words: 20 });
    let section = |text: &str| chunks.iter().find(|c| c.text.contains(text)).unwrap().section.clone();
    assert_eq!(section("erste Absatz auf Blatt 0"), ["Teil A"]);
    assert_eq!(section("zweite Absatz auf Blatt 1"), ["Teil C"]);
}

#[test]
fn bookmarks_in_a_circle_end() {
    let mut made = pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Seite")]);
    let page = made.get_pages()[&1];
    let place = || Object::Array(vec![page.into(), "Fit".into()]);
    let ids = outline(&mut made, vec![("A", place()), ("B", place())]);
    made.get_dictionary_mut(ids[1]).unwrap().set("Next", Object::Reference(ids[0]));
    made.get_dictionary_mut(ids[1]).unwrap().set("First", Object::Reference(ids[1]));
    let document = read_pdf(made);
    assert_eq!(document.outline.len(), 2);
    assert_eq!(document.warnings[0].code, "outline");
}

/// Embeds files under names.
fn embed(pdf: &mut Pdf, files: Vec<(&str, Stream)>) {
    let mut names = Vec::new();
    for (name, stream) in files {
        let stream = pdf.add_object(stream);
        let spec = pdf.add_object(dictionary! {
            "Type" => "Filespec", "F" => string(name), "EF" => dictionary! { "F" => stream },
        });
        names.extend([string(name), Object::Reference(spec)]);
    }
    let tree = pdf.add_object(dictionary! { "Names" => names });
    catalog(pdf).set("Names", dictionary! { "EmbeddedFiles" => tree });
}

#[test]
fn embedded_files_come_out_with_their_names() {
    let mut made = pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Rechnung")]);
    let mut packed = Stream::new(Dictionary::new(), b"Position;Betrag\nFenster;1200\n".repeat(30));
    packed.compress().unwrap();
    embed(&mut made, vec![("Ablage/positionen.csv", packed)]);
    let document = read_pdf(made);
    assert_eq!(document.attachments.len(), 1);
    assert_eq!((document.attachments[0].name.as_str(), document.attachments[0].part), ("positionen.csv", 1));
    assert!(document.attachments[0].bytes.starts_with(b"Position;Betrag\nFenster;1200\n"));
    assert_eq!(document.metadata["attachments"], "positionen.csv");
}

/// Gives a file of two pages one of everything.
pub(super) fn dress(made: &mut Pdf) {
    let rect = || vec![72.into(), 738.into(), 120.into(), 750.into()];
    let marks = dictionary! {
        "Subtype" => "Highlight", "Rect" => rect(), "Contents" => string("Bitte pruefen"), "T" => string("A. Beispiel"),
        "QuadPoints" => vec![72.into(), 750.into(), 120.into(), 750.into(), 72.into(), 738.into(), 120.into(), 738.into()],
        "M" => string("D:20260301093000"),
    };
    let field = dictionary! { "Subtype" => "Widget", "Rect" => rect(), "FT" => "Tx", "T" => string("Name"), "V" => string("Muster") };
    annotate(made, 1, vec![marks, field]);
    let pages = made.get_pages();
    let place = |page: u32| {
        Object::Array(vec![pages[&page].into(), "XYZ".into(), 72.into(), 750.into(), Object::Null])
    };
    outline(made, vec![("1 Aussenwand", place(1)), ("Zweite Seite", place(2))]);
    embed(made, vec![("liste.csv", Stream::new(Dictionary::new(), b"Nr;Text\n1;Wand\n".to_vec()))]);
}

#[test]
fn an_embedded_bomb_is_named_and_not_unpacked() {
    let mut made = pdf(vec![Sheet::default().text(72.0, 700.0, 10.0, "Rechnung")]);
    let mut packed = Stream::new(Dictionary::new(), vec![b' '; 4 << 20]);
    packed.compress().unwrap();
    embed(&mut made, vec![("gross.txt", packed)]);
    let limits = Limits { max_expanded_bytes: 1 << 20, ..Limits::default() };
    let document = read(&bytes(made), "x.pdf", &limits).unwrap();
    assert!(document.attachments.is_empty());
    assert_eq!(document.warnings[0].code, "embedded-file");
    assert!(document.warnings[0].message.contains("gross.txt"));
}

#[test]
fn actual_text_replaces_what_is_drawn() {
    let marked = |text: &str, actual: &str, x: f32| {
        format!(
            "/Span <</ActualText ({actual})>> BDC\n{}EMC\n",
            show(&format!("1 0 0 1 {x} 700 Tm"), "F1", 10.0, text)
        )
    };
    let sheet = Sheet::default()
        .raw(&marked("ab", "Durchmesser", 72.0))
        .raw(&marked("....", "", 100.0))
        .text(200.0, 700.0, 10.0, "Rohr")
        .raw(&marked("zwei Worte", "zwei Worte", 300.0));
    let page = one_page(sheet);
    assert_eq!(texts(&page), ["Durchmesser", "Rohr", "zwei", "Worte"]);
    // The place is that of the drawn glyphs: two of 556 thousandths each.
    assert!((page.words[0].rect[2] - (72.0 + 11.12)).abs() < 0.1, "{:?}", page.words[0].rect);
}

#[test]
fn headers_and_footers_are_known_by_place_and_count() {
    // Twelve pages of two chapters, numbers in the outer corner; every page has "Masse in cm" in its text.
    let sheets = (1..=12_u8)
        .map(|n| {
            let chapter = if n <= 6 { "Kapitel Statik" } else { "Kapitel Bauphysik" };
            let left = if n % 2 == 0 { 72.0 } else { 500.0 };
            Sheet::default()
                .text(72.0, 810.0, 8.0, chapter)
                .text(72.0, 600.0 - f32::from(n), 10.0, "Masse in cm")
                .text(72.0, 400.0, 10.0, &format!("Absatz {n} sagt etwas zum Bau."))
                .text(left, 30.0, 8.0, &format!("{n}"))
                .text(250.0, 30.0, 8.0, "2026")
        })
        .collect();
    let document = read_sheets(sheets);
    for page in &document.pages {
        let out: Vec<&str> =
            page.words.iter().filter(|w| page.furniture.contains(&w.line)).map(|w| w.text.as_str()).collect();
        assert!(out.contains(&"Kapitel") && out.contains(&page.number.to_string().as_str()), "{out:?}");
        assert!(!out.contains(&"Masse"), "{out:?}");
    }
    let chunks = chunk(&document, &ChunkOptions::default());
    assert_eq!(chunks[6].text, "Masse in cm\nAbsatz 7 sagt etwas zum Bau.");
}

#[test]
fn figures_that_do_not_count_are_text() {
    let sheets = [12, 7, 31, 4]
        .map(|n| Sheet::default().text(72.0, 400.0, 10.0, "Text").text(300.0, 30.0, 8.0, &n.to_string()))
        .into_iter()
        .collect();
    assert!(read_sheets(sheets).pages.iter().all(|p| p.furniture.is_empty()));
}
