//! Ways of writing that must meet, language by language: golden tests of folding.

use ingest::Language;

use super::{stem, tokenize};

/// What is searched by: plain forms, and stems in the language.
fn terms(text: &str, language: Language) -> (Vec<String>, Vec<String>) {
    let tokens = tokenize(text);
    (tokens.iter().map(|t| t.plain.clone()).collect(), tokens.iter().map(|t| stem(t, language)).collect())
}

/// Every writing of a group gives the same plain forms and the same stems as the first.
fn meet(language: Language, groups: &[&[&str]]) {
    for group in groups {
        let first = terms(group[0], language);
        assert!(!first.0.is_empty(), "{}", group[0]);
        for other in *group {
            assert_eq!(terms(other, language), first, "{} and {other}", group[0]);
        }
    }
}

#[test]
fn german() {
    meet(
        Language::De,
        &[
            // Umlauts, digraphs, lost dots, capitals, composed and decomposed.
            &["Wärmedämmung", "Waermedaemmung", "Warmedammung", "WÄRMEDÄMMUNG", "Wa\u{308}rmeda\u{308}mmung"],
            &["Öffnung", "Oeffnung", "OFFNUNG"],
            &["Türblätter", "Tuerblaetter", "Turblatter"],
            &["Straße", "Strasse", "STRASSE", "STRAẞE"],
            &["Außenmaß", "Aussenmass"],
            // Soft hyphens, ligatures.
            &["Brand\u{ad}schutz\u{ad}klappe", "Brandschutzklappe"],
            &["Oberﬂäche", "Oberfläche", "Oberflaeche"],
            &["Stoﬀ", "Stoff"],
            // Hyphens of every kind; no-break ones.
            &["U-Wert", "U\u{2010}Wert", "U\u{2011}Wert", "u-wert"],
            &["Lüftungs-Anlage", "Lüftungs\u{2011}Anlage", "Lueftungs-Anlage"],
            // Dashes part words as spaces do.
            &["Wand – Decke", "Wand — Decke", "Wand Decke", "Wand \u{2212} Decke", "Wand ― Decke"],
            // Quotation marks and primes.
            &["«Haus B»", "„Haus B“", "\"Haus B\"", "‚Haus B‘", "›Haus B‹"],
            &["1’250 m²", "1'250 m2", "1\u{2032}250 m²", "1250 m2"],
        ],
    );
}

#[test]
fn french() {
    meet(
        Language::Fr,
        &[
            &["étanchéité", "e\u{301}tanche\u{301}ite\u{301}", "ÉTANCHÉITÉ"],
            &["l’isolation", "l'isolation", "L‘isolation", "l\u{2032}isolation", "l`isolation", "isolation"],
            &["d’un", "d'un", "un"],
            &["qu’elle", "qu'elle", "elle"],
            &["jusqu’au", "jusqu'au", "au"],
            &["lorsqu’on", "on"],
            &["œuvre", "oeuvre", "ŒUVRE"],
            &["coupe-feu", "coupe\u{2011}feu", "coupe\u{2010}feu"],
            &["iso\u{ad}lation", "isolation"],
            &["ﬁnition", "finition"],
            &["mur – dalle", "mur — dalle", "mur dalle"],
            &["« façade »", "“façade”", "\"façade\"", "façade"],
        ],
    );
    // Without accents a word keeps its plain form, whatever its ending is taken for.
    for (with, without) in
        [("façade", "facade"), ("étanchéité", "etancheite"), ("fenêtre", "fenetre"), ("où", "ou")]
    {
        assert_eq!(terms(with, Language::Fr).0, terms(without, Language::Fr).0);
    }
}

#[test]
fn italian() {
    meet(
        Language::It,
        &[
            &["l’isolamento", "l'isolamento", "isolamento"],
            &["dell’edificio", "dell'edificio", "dell\u{2032}edificio", "edificio"],
            &["nell’aula", "nell'aula", "aula"],
            &["all’esterno", "all'esterno", "esterno"],
            &["sull’intonaco", "dall’intonaco", "intonaco"],
            &["un’apertura", "apertura"],
            &["quest’anno", "anno"],
            &["quell’opera", "opera"],
            &["è", "E\u{300}", "È"],
            &["serra\u{ad}mento", "serramento"],
            &["ﬁnestra", "finestra", "FINESTRA"],
            &["taglia-fuoco", "taglia\u{2011}fuoco"],
            &["muro – soletta", "muro — soletta", "muro soletta"],
        ],
    );
    for (with, without) in [("qualità", "qualita"), ("più", "piu"), ("perché", "perche")] {
        assert_eq!(terms(with, Language::It).0, terms(without, Language::It).0);
    }
}

#[test]
fn english() {
    meet(
        Language::En,
        &[
            &["door’s", "door's", "door\u{2032}s"],
            &["façade", "fac\u{327}ade", "FAÇADE"],
            &["fire-rated", "fire\u{2011}rated", "fire\u{2010}rated"],
            &["insu\u{ad}lation", "insulation"],
            &["ﬂoor", "floor", "FLOOR"],
            &["wall – slab", "wall — slab", "wall slab"],
            &["“handover”", "\"handover\"", "‘handover’", "handover"],
            &["m³", "m3"],
        ],
    );
    assert_eq!(terms("façade", Language::En).0, terms("facade", Language::En).0);
}

#[test]
fn invisible_letters_and_wide_spaces_change_nothing() {
    for language in Language::ALL {
        meet(
            language,
            &[
                &["Beton\u{200b}decke", "Beton\u{2060}decke", "Betondecke", "\u{feff}Betondecke"],
                &["Achse\u{a0}B", "Achse\u{202f}B", "Achse\u{2009}B", "Achse B"],
            ],
        );
    }
}
