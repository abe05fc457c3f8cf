use super::*;

fn values() -> Values {
    let mut values = Values::default();
    values.set("firm", "Muster Architekten AG");
    values.set("purpose", "Suche in {firm}");
    values.set_all("measures", ["eins".to_owned(), " ".to_owned(), "zwei".to_owned()]);
    values.set("contact", "");
    values
}

/// All languages have the same parts, so that none says less; no form claims that the law is met.
#[test]
fn the_four_languages_say_the_same_parts_and_claim_nothing() {
    for form in Form::MADE.into_iter().chain([Form::Incident]) {
        let shape = |lang| -> Vec<_> {
            form.fill(lang, &values()).iter().map(std::mem::discriminant).collect::<Vec<_>>()
        };
        for lang in Lang::ALL {
            assert_eq!(shape(lang), shape(Lang::De), "{form:?} {lang:?}");
            let (title, basis) = form.head(lang);
            assert!(!title.is_empty() && basis.chars().any(|c| c.is_ascii_digit()), "{form:?} {lang:?}");
            let text = form.text(lang).to_lowercase();
            for word in ["compliant", "konform", "conforme a", "certifi", "zertifi", "ß"] {
                assert!(!text.contains(word), "{form:?} {lang:?}: {word}");
            }
            let names = |text: &str| -> std::collections::BTreeSet<String> {
                text.split('{').skip(1).filter_map(|t| Some(t.split_once('}')?.0.to_owned())).collect()
            };
            assert_eq!(names(form.text(lang)), names(form.text(Lang::De)), "{form:?} {lang:?}");
        }
    }
}

#[test]
fn values_are_set_once_and_missing_ones_are_said() {
    let blocks = block::read(
        "# A {firm}\n| Z | {purpose}\n| K | {contact}\n* {measures}\n* {nichts}",
        Lang::De,
        &values(),
    );
    let expected = [
        Block::Title("A Muster Architekten AG".into()),
        Block::Row("Z".into(), "Suche in {firm}".into()),
        Block::Row("K".into(), "nicht angegeben".into()),
        Block::Item("eins".into()),
        Block::Item("zwei".into()),
        Block::Item("nicht angegeben".into()),
    ];
    assert_eq!(blocks, expected);
}

#[test]
fn a_form_is_out_of_date_when_what_it_says_changes_and_not_otherwise() {
    let (form, lang) = (Form::Regulations, Lang::De);
    let before = form.state(lang, &values());
    let mut counted = values();
    counted.set("documents", "12");
    counted.set("egress", "2026-11-30");
    counted.set("nowhere_on_it", "x");
    assert_eq!(form.state(lang, &counted), before, "what changes every day does not count");
    let mut moved = values();
    moved.set("schedule", "30 2 * * *");
    assert_ne!(form.state(lang, &moved), before);
    assert_ne!(form.state(Lang::En, &values()), before);
    assert_eq!(Form::parse(form.code()), Some(form));
    assert_eq!(Form::parse("incident"), None);
    assert_eq!(Form::Instruction.version().len(), 12);
}

/// Independent of the writer: pages, box and text as lopdf reads them.
#[test]
fn every_form_is_a_tagged_pdf_with_its_text_in_every_language() {
    let about = About {
        firm: "Muster Architekten AG".into(),
        made_from: "Stand 2026-11-30".into(),
        made: "2026-11-30T10:40:00Z".parse().unwrap(),
        keywords: vec!["draft".into()],
    };
    let mut long = values();
    long.set("purpose", "Projektunterlagen ".repeat(2_000));
    long.set("a", "wort".repeat(3_000));
    for form in Form::MADE.into_iter().chain([Form::Incident]) {
        for lang in Lang::ALL {
            for values in [Values::default(), long.clone()] {
                let bytes = pdf(&form.fill(lang, &values), lang, &about).unwrap();
                let read = lopdf::Document::load_mem(&bytes).unwrap();
                let pages = read.get_pages();
                assert!((1..60).contains(&pages.len()), "{form:?} {lang:?}: {} pages", pages.len());
                let catalog = read.catalog().unwrap();
                assert!(catalog.has(b"StructTreeRoot") && catalog.has(b"MarkInfo") && catalog.has(b"Lang"));
                assert!(bytes.windows(17).any(|w| w == b"pdfaid:conformanc"), "PDF/A is stated");
            }
        }
    }
}
