//! What a reader types, and what has to come first.

use dossier::index::{Found, NoteKind, Query, Why};
use ingest::Language;

use crate::retrieval::Office;

const NEAR: [f32; 4] = [1.0, 0.0, 0.0, 0.0];
const NEARLY: [f32; 4] = [0.54, 0.841_665, 0.0, 0.0];

async fn search(office: &Office, text: &str) -> Found {
    let query = Query { text: text.into(), limit: 10, ..Query::default() };
    office.index.search(&office.scope(), &query).await.unwrap()
}

fn texts(found: &Found) -> Vec<&str> {
    found.hits.iter().map(|h| h.chunk.text.as_str()).collect()
}

/// A term in 2 of 45 passages must not lose against one that is only near in meaning.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_rare_word_is_never_beaten_by_a_near_miss() {
    let office = Office::new().await;
    for n in 0..43 {
        let text = format!("Küche {n}: Backofen, Steamer und Kochfeld nach Liste.");
        office
            .add_with(&office.ours, &format!("k{n}.pdf"), &[(Some(Language::De), &text)], Some(NEARLY))
            .await;
    }
    for n in 0..2 {
        let text = format!("Wohnung {n}: ein Herdwächter überwacht das Kochen.");
        let far = Some([0.0, 0.0, 1.0, 0.0]);
        office.add_with(&office.ours, &format!("w{n}.pdf"), &[(Some(Language::De), &text)], far).await;
    }
    for query in ["Herdwächter", "Herdwaechter", "Wo ist ein Herdwächter eingebaut?"] {
        let hits = office.texts(query, Some(NEAR)).await;
        assert!(hits[0].contains("Herdwächter") && hits[1].contains("Herdwächter"), "{query}: {hits:?}");
    }
}

/// Each query finds what only shares a part of a compound with it, and the word itself first.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn parts_of_compounds_meet_in_both_directions() {
    let office = Office::new().await;
    let de = Some(Language::De);
    let passages = [
        (de, "Die Aussenwanddämmung ist 240 mm stark."),
        (de, "Die Dämmstärke der Aussenwand beträgt 240 mm."),
        (de, "Die Wärmedämmung liegt auf dem Dach."),
        (de, "Der Lift ist verwandt mit dem Aufzug von Haus A."),
    ];
    office.add_with(&office.ours, "a.pdf", &passages, None).await;
    let hits = office.texts("Wärmedämmung", None).await;
    assert!(hits[0].starts_with("Die Wärmedämmung") && hits.len() == 3, "{hits:?}");
    for query in ["Aussenwanddämmung", "Dämmstärke der Aussenwand", "Dämmung der Aussenwand"] {
        let hits = office.texts(query, None).await;
        assert!(hits.iter().any(|t| t.contains("Dämmstärke")), "{query}: {hits:?}");
        assert!(hits.iter().any(|t| t.contains("Aussenwanddämmung")), "{query}: {hits:?}");
    }
    let hits = office.texts("Wand", None).await;
    assert!(!hits.iter().any(|t| t.contains("verwandt")), "{hits:?}");
    assert_eq!(hits.len(), 2, "in the middle of a compound and at its end: {hits:?}");
}

/// Each query finds the one passage, first, however it is written.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn dates_quantities_axes_and_codes_are_found_in_every_writing() {
    let office = Office::new().await;
    let passages = [
        (Some(Language::De), "Die Abnahme ist am 3. April 2026 auf der Baustelle."),
        (Some(Language::Fr), "La réception a lieu le 04.05.2026 sur le chantier."),
        (Some(Language::De), "Die Perimeterdämmung ist 200 mm stark."),
        (Some(Language::En), "The roof insulation is 0.24 m thick."),
        (Some(Language::It), "La superficie utile è di 1’250 m² per piano."),
        (Some(Language::De), "Die Stütze steht auf Achse B/4 neben der Treppe."),
        (Some(Language::De), "Die Nutzlast beträgt 5 kN/m² in den Korridoren."),
        (Some(Language::De), "Fenster nach BKP 221.1 und eBKP-H E 3.1 ausgeschrieben."),
        (Some(Language::De), "Der Nachweis erfolgt nach SN EN ISO 10140-2:2021."),
        (Some(Language::De), "Es gilt Plan A-201 Index C vom Architekten."),
        (Some(Language::De), "Der Schallschutz verlangt 35 dB(A) im Schlafzimmer."),
    ];
    office.add(&office.ours, "a.pdf", &passages).await;
    let near = Some(NEAR);
    for (queries, expected) in [
        (
            &[
                "3.4.2026",
                "03/04/26",
                "2026-04-03",
                "3. April 2026",
                "3 avril 2026",
                "3 aprile 2026",
                "April 3, 2026",
            ][..],
            0,
        ),
        (&["4 mai 2026", "4.5.2026", "2026-05-04", "4. Mai 2026", "maggio 2026"], 1),
        (&["200 mm", "20 cm", "0.20 m", "0,2 m", "200mm"], 2),
        (&["24 cm", "240 mm", "0,24 m"], 3),
        (&["1250 m2", "1’250 m²", "1250 Quadratmeter", "1250 mètres carrés"], 4),
        (&["Achse B/4", "Axe B-4", "asse B4", "grid line B/4", "Achse 4/B", "Achse B", "B-4"], 5),
        (&["5 kN/m²", "5 kPa", "5000 Pa"], 6),
        (&["BKP 221.1", "CFC 221.1", "eBKP-H E03.01", "E3.1"], 7),
        (&["EN ISO 10140-2", "ISO 10140-2:2021", "SN EN ISO 10140-2 (2021)"], 8),
        (&["A-201-C", "A-201 Rev. C", "A201C", "A-201"], 9),
        (&["35 dB", "35.0 dBA"], 10),
    ] {
        for query in queries {
            let hits = office.texts(query, near).await;
            assert_eq!(hits[0], passages[expected].1, "{query}: {hits:?}");
        }
    }
    // Among words a size is one of them: another size is found, below.
    let hits = office.texts("Perimeterdämmung 18 cm", None).await;
    assert_eq!(hits[0], passages[2].1, "{hits:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn marks_stand_on_what_was_meant_in_another_writing() {
    let office = Office::new().await;
    let text = "Die Perimeterdämmung ist 0.20 m stark, geliefert am 03.04.2026.";
    office.add(&office.ours, "a.pdf", &[(Some(Language::De), text)]).await;
    for (query, marked) in [("20 cm", "0.20 m"), ("3. April 2026", "03.04.2026")] {
        let found = search(&office, query).await;
        let snippet = &found.hits[0].snippet;
        let marks: Vec<&str> = snippet.marks.iter().map(|(a, b)| &snippet.text[*a..*b]).collect();
        assert_eq!(marks, [marked], "{query}");
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn filters_wildcards_and_exclusions_hold_for_every_hit() {
    let office = Office::new().await;
    let passages = [
        (Some(Language::De), "Die Türe T-1.03 der Turnhalle ist rot."),
        (Some(Language::De), "Die Türe T-1.04 im Foyer ist blau."),
        (Some(Language::Fr), "La porte T-2.01 du foyer est bleue."),
    ];
    office.add(&office.ours, "Türliste.pdf", &passages).await;
    office.add(&office.theirs, "Fremd.pdf", &[(None, "Die Türe T-1.05 ist fremd.")]).await;

    let found = search(&office, "T-1.*").await;
    assert_eq!((found.hits.len(), found.notes.len()), (2, 0), "{:?}", texts(&found));
    let doors = search(&office, "Türe -Turnhalle").await;
    assert_eq!(texts(&doors), [passages[1].1, passages[2].1], "a door is found in French, too");
    assert_eq!(texts(&search(&office, "foyer sprache:fr").await), [passages[2].1]);
    assert_eq!(search(&office, "typ:pdf").await.hits.len(), 3, "filters alone list");
    assert_eq!(search(&office, "typ:ifc Türe").await.hits.len(), 0);
    assert_eq!(search(&office, "titel:Türliste foyer").await.hits.len(), 2);
    assert_eq!(search(&office, "projekt:rosenmatt Türe").await.hits.len(), 3);

    // A project that the reader may not see is no project, and the answer does not tell which.
    for name in ["tannenhof", "gibtesnicht"] {
        let found = search(&office, &format!("projekt:{name} Türe")).await;
        assert_eq!(found.notes[0].about, NoteKind::UnknownProject);
        assert_eq!(found.hits.len(), 3);
    }
    assert_eq!(search(&office, "farbe:rot Türe").await.notes[0].about, NoteKind::UnknownFilter);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn copies_and_replaced_revisions_stand_below_what_is_shown() {
    let office = Office::new().await;
    let text = "Die Aussenwand AW-01 besteht aus 240 mm Mineralwolle, einer Hinterlüftung und einer Fassade aus Holz, \
                die auf der Baustelle montiert wird.";
    let newer = text.replace("240", "260");
    office.add(&office.ours, "plan/A-201-B.pdf", &[(Some(Language::De), text)]).await;
    office.add(&office.ours, "plan/A-201-C.pdf", &[(Some(Language::De), &newer)]).await;
    office.add(&office.ours, "kopie/Wand.pdf", &[(Some(Language::De), &newer)]).await;
    let found = search(&office, "Mineralwolle Aussenwand").await;
    assert_eq!(found.hits.len(), 1, "{:?}", texts(&found));
    assert!(found.hits[0].chunk.text.contains("260"));
    let mut below: Vec<(&str, Why)> = found.hits[0].folded.iter().map(|f| (f.path.as_str(), f.why)).collect();
    below.sort_by_key(|(path, _)| *path);
    assert_eq!(below.len(), 2, "{below:?}");
    assert!(below.contains(&("plan/A-201-B.pdf", Why::Superseded)), "{below:?}");
}
