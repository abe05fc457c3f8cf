use std::collections::BTreeMap;

use super::format::{fill, number, percent};
use super::*;
use crate::report::{EgressTest, Integrity, ModelFact, QUERIES};

/// Figures with every count at `n`.
fn figures(n: Option<u64>) -> Figures {
    let counts: BTreeMap<String, u64> =
        n.map(|n| QUERIES.iter().map(|q| (q.id.to_owned(), n)).collect()).unwrap_or_default();
    Figures {
        from: "2026-09-30T22:00:00Z".parse().unwrap(),
        to: "2026-12-31T23:00:00Z".parse().unwrap(),
        counted_at: "2027-01-04T08:15:00Z".parse().unwrap(),
        counts,
        users: n,
        request_days: n.map(|_| 12),
        recorded_since: None,
        integrity: Integrity {
            origin: "dossier/0123456789abcdef".into(),
            size: n.unwrap_or(0) * 7,
            root: "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328".into(),
            checkpoints: n.unwrap_or(0),
            gaps: 0,
            problems: 0,
        },
    }
}

fn facts() -> CatalogFacts {
    let s = |t: &str| Some(t.to_owned());
    let l = |t: &[&str]| t.iter().map(|t| (*t).to_owned()).collect::<Vec<_>>();
    CatalogFacts {
        firm: s("Muster Architektur AG, 8400 Musterstadt"),
        controller: s("R. Beispiel, Geschäftsleitung"),
        contact: s("datenschutz@muster.example"),
        system: "Dossier 0.1.0".into(),
        purpose: s("Suche in Projektunterlagen mit Belegstellen"),
        classification_reason: s("Suche in Bauakten, keine Entscheide über Personen"),
        excluded_uses: l(&["Personalauswahl", "Leistungsbewertung"]),
        reviewer: s("R. Beispiel"),
        reviewed_on: s("2026-11-12"),
        data_categories: l(&["Pläne", "Berichte", "Protokolle", "Anfragen"]),
        person_categories: l(&["Mitarbeitende", "Planungspartner"]),
        storage_place: s("Server im Büro"),
        recipients: l(&["keine ausserhalb der Firma"]),
        abroad: Some(Vec::new()),
        retention: s("Fragen und Antworten 90 Tage, Protokoll 12 Monate"),
        documents: Some(1234),
        projects: Some(7),
        models: vec![ModelFact {
            id: "SmolLM2-135M-Instruct".into(),
            task: "answer".into(),
            quantisation: "Q4_1".into(),
            licence: "Apache-2.0".into(),
            sha256: "a5fd3b62230aa5ec60212297dc9d20eaa70578ac519e00d93a17e44c087a6818".into(),
            ..ModelFact::default()
        }],
        permitted_flows: Some(Vec::new()),
        egress_test: Some(EgressTest {
            date: "2026-12-20".into(),
            refused: 42,
            attempts: 42,
            kernel: "Linux 6.12".into(),
            layers: l(&["Landlock 6", "seccomp"]),
        }),
        dpia_on: s("2026-11-12"),
        overdue_requests: Some(0),
        last_witness: s("2026-12-30"),
        last_timestamp: s("2026-12-30"),
        time_zone: s("Europe/Zurich"),
        signatory: s("R. Beispiel"),
        ..CatalogFacts::default()
    }
}

/// Everything as long as it can be, and with characters that no face has.
fn longest() -> (Figures, CatalogFacts) {
    let long =
        "Baubewilligungsverfahrensunterlagen und Brandschutzqualitätssicherungsverantwortliche 漢字 🏗 "
            .repeat(40);
    let s = || Some(long.clone());
    let l = || vec![long.clone(); 30];
    let model = ModelFact {
        id: long.clone(),
        task: long.clone(),
        quantisation: long.clone(),
        licence: long.clone(),
        sha256: "f".repeat(64),
        ..ModelFact::default()
    };
    let facts = CatalogFacts {
        firm: s(),
        controller: s(),
        contact: Some("x".repeat(3000)),
        system: long.clone(),
        purpose: s(),
        classification_reason: s(),
        excluded_uses: l(),
        reviewer: s(),
        reviewed_on: s(),
        data_categories: l(),
        person_categories: l(),
        storage_place: s(),
        recipients: l(),
        abroad: Some(l()),
        retention: s(),
        documents: Some(u64::MAX),
        projects: Some(u64::MAX),
        accounts: Some(u64::MAX),
        models: vec![model; 20],
        permitted_flows: Some(l()),
        egress_test: Some(EgressTest {
            date: long.clone(),
            refused: 0,
            attempts: u64::MAX,
            kernel: long.clone(),
            layers: l(),
        }),
        dpia_on: s(),
        overdue_requests: Some(u64::MAX),
        last_witness: s(),
        last_timestamp: s(),
        open_points: l(),
        time_zone: s(),
        signatory: s(),
    };
    let mut figures = figures(Some(u64::MAX / 8));
    figures.recorded_since = Some("2026-11-30T00:00:00Z".parse().unwrap());
    figures.integrity.problems = u64::MAX;
    figures.integrity.gaps = u64::MAX;
    (figures, facts)
}

fn cases() -> Vec<(&'static str, Figures, CatalogFacts)> {
    let (long_figures, long_facts) = longest();
    vec![
        ("empty", figures(None), CatalogFacts::default()),
        ("one", figures(Some(1)), facts()),
        ("usual", figures(Some(124)), facts()),
        ("million", figures(Some(1_000_000)), facts()),
        ("longest", long_figures, long_facts),
    ]
}

#[test]
fn one_tagged_page_with_embedded_fonts_in_every_language() {
    for (name, figures, facts) in cases() {
        for lang in Lang::ALL {
            let sheet = render(&figures, &facts, lang).unwrap_or_else(|e| panic!("{name} {lang:?}: {e}"));
            if let Some(folder) = std::env::var_os("SHEET_OUT") {
                let path = std::path::Path::new(&folder).join(format!("{name}-{}.pdf", lang.code()));
                std::fs::write(path, &sheet.pdf).unwrap();
            }
            let pdf = lopdf::Document::load_mem(&sheet.pdf).unwrap();
            let pages = pdf.get_pages();
            assert_eq!(pages.len(), 1, "{name} {lang:?}");
            let page = pdf.get_dictionary(pages[&1]).unwrap();
            let media: Vec<f32> = page
                .get(b"MediaBox")
                .unwrap()
                .as_array()
                .unwrap()
                .iter()
                .map(|v| v.as_float().unwrap())
                .collect();
            assert_eq!(media, [0.0, 0.0, 595.28, 841.89]);
            let catalog = pdf.catalog().unwrap();
            assert!(catalog.has(b"StructTreeRoot") && catalog.has(b"Lang") && catalog.has(b"OutputIntents"));
            let mut fonts = 0;
            for object in pdf.objects.values() {
                let Ok(dict) = object.as_dict() else { continue };
                if dict.has_type(b"FontDescriptor") {
                    fonts += 1;
                    assert!(dict.has(b"FontFile3") || dict.has(b"FontFile2"), "a font is not embedded");
                }
            }
            assert_eq!(fonts, 2, "{name} {lang:?}: faces");
            assert_eq!(sheet.annex.is_empty(), name != "longest", "{name} {lang:?}: {:?}", sheet.annex);
        }
    }
}

/// Sizes and places are read back from the page's own operators.
#[test]
fn no_text_below_eight_points_and_none_outside_the_page() {
    for (name, figures, facts) in cases() {
        let sheet = render(&figures, &facts, Lang::De).unwrap();
        let pdf = lopdf::Document::load_mem(&sheet.pdf).unwrap();
        let page = pdf.get_pages()[&1];
        let content = lopdf::content::Content::decode(&pdf.get_page_content(page)).unwrap();
        let (mut texts, mut lowest) = (0, f32::MAX);
        for operation in &content.operations {
            let number = |i: usize| operation.operands[i].as_float().unwrap();
            match operation.operator.as_str() {
                "Tf" => {
                    texts += 1;
                    assert!(number(1) >= 8.0, "{name}: {} points", number(1));
                }
                "Tm" => {
                    assert_eq!((number(0), number(3).abs()), (1.0, 1.0), "{name}: text is scaled");
                    assert!((40.0..560.0).contains(&number(4)), "{name}: x {}", number(4));
                    lowest = lowest.min(number(5));
                }
                _ => {}
            }
        }
        assert!(texts > 60, "{name}: {texts} pieces of text");
        assert!((0.0..842.0).contains(&lowest), "{name}: y {lowest}");
    }
}

#[test]
fn no_claim_of_conformity() {
    for text in super::words::ALL {
        let text = text.to_lowercase();
        for word in
            ["compliant", "compliance", "konform", "conforme", "certified", "zertifiziert", "rechtskonform"]
        {
            assert!(!text.contains(word), "{word} in {text}");
        }
        assert!(!text.contains('ß'), "{text}");
    }
}

#[test]
fn figures_as_they_are_written() {
    assert_eq!(number(1_234_567, Lang::De), "1’234’567");
    assert_eq!(number(1_234_567, Lang::Fr), "1\u{a0}234\u{a0}567");
    assert_eq!(number(999, Lang::En), "999");
    assert_eq!(number(1000, Lang::En), "1,000");
    assert_eq!(percent(2, 3, Lang::De).as_deref(), Some("67\u{a0}%"));
    assert_eq!(percent(u64::MAX, u64::MAX, Lang::En).as_deref(), Some("100%"));
    assert_eq!(percent(0, 0, Lang::En), None);
    assert_eq!(fill("{} von {}", &["3", "4"]), "3 von 4");
    assert_eq!(fill("{} von {}", &["3"]), "3 von ");
}

/// Rows of a section as text.
fn rows(figures: &Figures, facts: &CatalogFacts, lang: Lang, section: u8) -> Vec<(String, String)> {
    let c = content::Context::new(figures, facts, lang);
    let all = std::iter::once(c.head()).chain(c.left()).chain(c.right());
    let found = all.filter(|s| s.number == section).flat_map(|s| s.rows);
    found.map(|r| (r.label, r.value)).collect()
}

#[test]
fn what_was_not_measured_is_not_zero() {
    let mut some = figures(Some(0));
    some.users = Some(3);
    let use_section = rows(&some, &facts(), Lang::De, 5);
    assert_eq!(use_section[0].1, "unter 5");
    assert_eq!(use_section[1], ("Fragen".into(), "0".into()));
    assert_eq!(use_section[3].1, "0 von 0");
    some.counts.insert("U2".into(), 40);
    some.counts.insert("U3".into(), 31);
    some.counts.remove("U5");
    let use_section = rows(&some, &facts(), Lang::De, 5);
    assert_eq!(use_section[3].1, "31 von 40 (78\u{a0}%)");
    assert_eq!(use_section[5].1, "nicht gemessen");
    for (_, value) in rows(&figures(None), &facts(), Lang::En, 6) {
        assert_eq!(value, "not measured");
    }
}

#[test]
fn open_points_name_what_is_wrong_first_and_what_is_missing() {
    use super::open_points::{Level, open_points};
    let good = figures(Some(0));
    let unstated = CatalogFacts::default();
    let c = content::Context::new(&good, &unstated, Lang::En);
    let all: Vec<String> = open_points(&c).into_iter().map(|(_, t)| t).collect();
    for text in
        ["No egress test was run.", "No impact assessment on file.", "No countersignature by anyone else."]
    {
        assert!(all.iter().any(|t| t == text), "{text} not in {all:?}");
    }
    assert!(all.iter().any(|t| t.starts_with("Not stated: Firm, Responsible person, Contact")));
    let complete = facts();
    let c = content::Context::new(&good, &complete, Lang::En);
    assert_eq!(open_points(&c), []);
    let mut bad = good.clone();
    bad.integrity.problems = 2;
    let mut leaking = complete.clone();
    leaking.egress_test.as_mut().unwrap().refused = 40;
    leaking.open_points = vec!["Backup is missing.".into()];
    let c = content::Context::new(&bad, &leaking, Lang::En);
    let found = open_points(&c);
    assert_eq!(found.iter().map(|(l, _)| *l).collect::<Vec<_>>(), [Level::Red, Level::Red, Level::Amber]);
    assert_eq!(found[1].1, "In the egress test 2 attempts got through.");
}

#[test]
fn days_are_local_and_the_end_is_exclusive() {
    let mut f = figures(Some(1));
    // Midnight in Zurich, winter time.
    f.from = "2026-09-30T22:00:00Z".parse().unwrap();
    f.to = "2026-12-31T23:00:00Z".parse().unwrap();
    let head = rows(&f, &facts(), Lang::De, 1);
    assert!(head.contains(&("Zeitraum".into(), "01.10.2026 – 31.12.2026".into())), "{head:?}");
}

/// Counters in the singular and the plural, as each language writes them.
#[test]
fn counters_take_the_right_form() {
    let zone = jiff::tz::TimeZone::UTC;
    let text = |n: u64, lang: Lang| -> String {
        let mut figures = figures(Some(n));
        figures.integrity.problems = n;
        figures.integrity.gaps = n;
        let egress = EgressTest { refused: n, attempts: n, ..EgressTest::default() };
        let facts =
            CatalogFacts { documents: Some(n), projects: Some(n), egress_test: Some(egress), ..facts() };
        let context = super::content::Context {
            zone: zone.clone(),
            ..super::content::Context::new(&figures, &facts, lang)
        };
        let rows = context.left().into_iter().chain(context.right()).flat_map(|s| s.rows);
        let values: Vec<String> = rows.map(|r| r.value).collect();
        let open = super::open_points::open_points(&context);
        values.into_iter().chain(open.into_iter().map(|(_, text)| text)).collect::<Vec<_>>().join("\n")
    };
    for (lang, none, one, two) in [
        (
            Lang::De,
            ["0 Dokumente in 0 Projekten\n", "0 von 0 Versuchen abgewiesen", "; 0 Prüfpunkte\n"],
            [
                "1 Dokument in 1 Projekt\n",
                "1 von 1 Versuch abgewiesen",
                "; 1 Prüfpunkt\n",
                "fand 1 Abweichung.",
            ],
            [
                "2 Dokumente in 2 Projekten\n",
                "2 von 2 Versuchen abgewiesen",
                "; 2 Prüfpunkte\n",
                "fand 2 Abweichungen.",
            ],
        ),
        (
            Lang::Fr,
            ["0 document dans 0 projet\n", "0 de 0 tentative refusée", "; 0 point de contrôle\n"],
            [
                "1 document dans 1 projet\n",
                "1 de 1 tentative refusée",
                "; 1 point de contrôle\n",
                "révélé 1 écart.",
            ],
            [
                "2 documents dans 2 projets\n",
                "2 de 2 tentatives refusées",
                "; 2 points de contrôle\n",
                "révélé 2 écarts.",
            ],
        ),
        (
            Lang::It,
            ["0 documenti in 0 progetti\n", "0 di 0 tentativi respinti", "; 0 punti di controllo\n"],
            [
                "1 documento in 1 progetto\n",
                "1 di 1 tentativo respinto",
                "; 1 punto di controllo\n",
                "rilevato 1 scostamento.",
            ],
            [
                "2 documenti in 2 progetti\n",
                "2 di 2 tentativi respinti",
                "; 2 punti di controllo\n",
                "rilevato 2 scostamenti.",
            ],
        ),
        (
            Lang::En,
            ["0 documents in 0 projects\n", "0 of 0 attempts refused", "; 0 checkpoints\n"],
            ["1 document in 1 project\n", "1 of 1 attempt refused", "; 1 checkpoint\n", "found 1 deviation."],
            [
                "2 documents in 2 projects\n",
                "2 of 2 attempts refused",
                "; 2 checkpoints\n",
                "found 2 deviations.",
            ],
        ),
    ] {
        for (n, words) in [(0, none.as_slice()), (1, one.as_slice()), (2, two.as_slice())] {
            for word in words {
                assert!(text(n, lang).contains(word), "{word:?} in\n{}", text(n, lang));
            }
        }
    }
    assert_eq!(super::format::plural(0, Lang::Fr, "one", "many"), "one");
    assert_eq!(super::format::plural(0, Lang::De, "one", "many"), "many");
}

/// A firm's name of two lines stands on the page, and the query that recounts a figure names the period.
#[test]
fn a_long_firm_name_and_the_whole_query_have_room() {
    let firm = "Arbeitsgemeinschaft Muster Architektur und Beispiel Baumanagement AG, Musterstadt";
    let faces = super::draw::Faces::load().unwrap();
    for lang in [Lang::De, Lang::Fr, Lang::It, Lang::En] {
        let (figures, facts) = (figures(Some(3)), CatalogFacts { firm: Some(firm.into()), ..facts() });
        let rendered = render(&figures, &facts, lang).unwrap();
        // What is cut stands in the annex.
        assert!(!rendered.annex.iter().any(|a| a.section == 1), "{:?}", rendered.annex);
        let context = super::content::Context::new(&figures, &facts, lang);
        // Local days: the period begins and ends at midnight in Zurich.
        assert_eq!(context.period_options(), "--from 2026-10-01 --to 2026-12-31");
        let (lines, is_cut) = super::foot::disclaimer(&context, &faces);
        let text: Vec<&str> = lines.iter().map(|line| line.text.as_str()).collect();
        assert!(
            !is_cut && text.join(" ").contains("--query U1 --from 2026-10-01 --to 2026-12-31"),
            "{text:?}"
        );
    }
}

#[test]
fn what_a_model_does_is_said_in_the_language_of_the_sheet() {
    let model = |task: &str| ModelFact { id: "M".into(), task: task.into(), ..ModelFact::default() };
    let facts = CatalogFacts { models: vec![model("answer"), model("embed")], ..facts() };
    for (lang, words) in [
        (Lang::De, ["Antworten", "Suche"]),
        (Lang::Fr, ["Réponses", "Recherche"]),
        (Lang::It, ["Risposte", "Ricerca"]),
        (Lang::En, ["Answers", "Search"]),
    ] {
        let shown = rows(&figures(Some(1)), &facts, lang, 4);
        let shown: Vec<&str> = shown.iter().map(|(label, _)| label.as_str()).take(2).collect();
        assert_eq!(shown, words, "{lang:?}");
    }
}
