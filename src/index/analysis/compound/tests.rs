use super::*;

fn leaves(word: &str) -> String {
    Splitter::new(None).leaves(&super::super::fold::strip_accents(&word.to_lowercase())).join("|")
}

#[test]
fn compounds_of_building_fall_into_their_parts() {
    for split in [
        "aussen|wand|dammung",
        "warme|dammung",
        "damm|starke",
        "brand|schutz|konzept",
        "luftungs|anlage",
        "tur|zarge",
        "sicker|leitung",
        "fenster|bank",
        "treppen|haus",
        "heizungs|raum",
        "flach|dach|abdichtung",
        "gelander|hohe",
        "beton|decke",
        "bau|grube",
        "stahl|trager",
        "dampf|sperre",
        "holz|fassade",
        "grund|wasser|spiegel",
        "schall|dammung",
        "flucht|weg",
        "ol|heizung",
        "boden|belag|arbeiten",
    ] {
        assert_eq!(leaves(&split.replace('|', "")), split);
    }
}

#[test]
fn simple_words_stay_whole() {
    for word in [
        "Fenster",
        "Fassade",
        "Dämmung",
        "Abdichtung",
        "Geländer",
        "Lüftung",
        "Decke",
        "Estrich",
        "Bewehrung",
        "Kontakt",
        "Isolation",
        "Installation",
        "Gebäude",
        "Baute",
        "Sanierung",
        "Heizung",
        "Leitung",
        "Beispiel",
        "Auswahl",
        "Auftrag",
        "Vorschlag",
        "Konstruktion",
        "Ausführung",
        "Termin",
        "Kanton",
        "Protokoll",
    ] {
        assert_eq!(leaves(word), leaves(word).replace('|', ""), "{word}");
    }
}

#[test]
fn stems_lose_linking_letters_and_endings() {
    let stems = |w: &str| Splitter::new(None).stems(w);
    assert_eq!(stems("luftungsanlagen"), ["anlag", "luftung"]);
    assert!(stems("aussenwanddammungen").contains(&"dammung".to_owned()));
    for part in ["auss", "wand", "aussenwand", "wanddamm"] {
        assert!(stems("aussenwanddammungen").contains(&part.to_owned()), "{part}");
    }
    assert!(stems("dammstarke").contains(&"dammung".to_owned()), "what is done");
    assert_eq!(stems("fenster"), [] as [String; 0]);
}

#[test]
fn the_words_of_an_office_help() {
    let own = |w: &str| w == "brixolit";
    let splitter = Splitter::new(Some(&own));
    assert_eq!(splitter.leaves("brixolitplatte"), ["brixolit", "platte"]);
}

#[test]
fn digraphs_at_a_seam_stay_apart() {
    assert_eq!(leaves("kameraeinstellung"), "kamera|einstellung");
    assert_eq!(leaves("waermedaemmung"), "waerme|daemmung");
}

proptest::proptest! {
    #[test]
    fn any_word_is_the_sum_of_its_leaves(word in "\\PC{0,70}") {
        let word = super::super::fold::strip_accents(&word.to_lowercase());
        proptest::prop_assert_eq!(Splitter::new(None).leaves(&word).concat(), word);
    }
}
