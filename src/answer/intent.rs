//! Questions that no passage can answer: those for a count or a complete list.

use crate::index::fold;

/// What a question wants.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Intent {
    /// A statement that stands somewhere.
    Fact,
    /// How many of something there are.
    Count,
    /// All of something.
    List,
}

/// Openings of counting questions, folded.
const COUNT: [&str; 22] = [
    "wie viele ",
    "wieviele ",
    "anzahl ",
    "die anzahl",
    "wie gross ist die anzahl",
    "wie oft ",
    "zahle ",
    "zahl der ",
    "combien de ",
    "combien d",
    "le nombre ",
    "nombre de",
    "quel est le nombre",
    "quanti ",
    "quante ",
    "il numero ",
    "numero di ",
    "qual e il numero",
    "how many ",
    "the number of",
    "number of",
    "count ",
];

/// Openings of listing questions, folded.
const LIST: [&str; 34] = [
    "liste ",
    "liste alle",
    "alle ",
    "auflistung",
    "nenne alle",
    "nenne mir alle",
    "zeige alle",
    "zeig alle",
    "zeige mir alle",
    "welche sind alle",
    "gib mir alle",
    "dresse la liste",
    "dressez la liste",
    "enumere",
    "listez ",
    "lister ",
    "toutes les ",
    "tous les ",
    "donne toutes",
    "donne tous",
    "quels sont tous",
    "quelles sont toutes",
    "elenca",
    "elenco ",
    "tutte le ",
    "tutti i ",
    "quali sono tutte",
    "quali sono tutti",
    "mostra tutt",
    "list ",
    "show all",
    "show me all",
    "give me all",
    "what are all",
];

/// Phrases inside a question that make it a count or a list.
const COUNT_INSIDE: [&str; 9] = [
    " wie viele ",
    " wieviele ",
    " combien de ",
    " combien d",
    " quanti ",
    " quante ",
    " how many ",
    " insgesamt gibt es",
    " gibt es insgesamt",
];
const LIST_INSIDE: [&str; 10] = [
    " auflisten",
    " auf liste",
    " alle auf",
    "liste aller",
    " vollstandige liste",
    " liste complete",
    " elenco completo",
    " complete list",
    " list of all",
    " list all ",
];

/// Words that ask for a number of something.
const HOW_MANY: [&str; 6] = ["viele", "wieviele", "combien", "quanti", "quante", "many"];

/// Units, folded: a number of these is a measure that stands somewhere and not a count of things.
const UNITS: [&str; 46] = [
    "quadratmeter",
    "kubikmeter",
    "meter",
    "zentimeter",
    "millimeter",
    "liter",
    "kilowattstunden",
    "kilowatt",
    "watt",
    "stunden",
    "minuten",
    "sekunden",
    "tage",
    "wochen",
    "monate",
    "jahre",
    "grad",
    "prozent",
    "franken",
    "dezibel",
    "metres",
    "litres",
    "kilowattheures",
    "heures",
    "minutes",
    "jours",
    "semaines",
    "mois",
    "degres",
    "francs",
    "decibels",
    "metri",
    "litri",
    "kilowattora",
    "ore",
    "minuti",
    "giorni",
    "settimane",
    "mesi",
    "gradi",
    "franchi",
    "square",
    "cubic",
    "hours",
    "days",
    "degrees",
];

/// Whether the question is for so many metres, hours or francs.
fn asks_for_a_measure(words: &[String]) -> bool {
    words.iter().enumerate().any(|(i, word)| {
        let next = words.get(i + 1).map(String::as_str);
        let next = if matches!(next, Some("de")) { words.get(i + 2).map(String::as_str) } else { next };
        HOW_MANY.contains(&word.as_str()) && next.is_some_and(|n| UNITS.contains(&n))
    })
}

/// Reads the intent off the words of a question.
pub(super) fn intent(question: &str) -> Intent {
    let words: Vec<String> =
        question.split(|c: char| !(c.is_alphanumeric())).filter(|w| !w.is_empty()).map(fold).collect();
    if asks_for_a_measure(&words) {
        return Intent::Fact;
    }
    let text = format!("{} ", words.join(" "));
    let inside = format!(" {text}");
    let starts = |list: &[&str]| list.iter().any(|p| text.starts_with(&fold_phrase(p)));
    let holds = |list: &[&str]| list.iter().any(|p| inside.contains(&fold_phrase(p)));
    if starts(&COUNT) || holds(&COUNT_INSIDE) {
        Intent::Count
    } else if starts(&LIST) || holds(&LIST_INSIDE) || plural_listing(&words) {
        Intent::List
    } else {
        Intent::Fact
    }
}

/// The phrases above are written readably; the question was folded word by word.
fn fold_phrase(phrase: &str) -> String {
    phrase.split(' ').map(fold).collect::<Vec<_>>().join(" ")
}

/// "Welche Räume sind …", "Which doors have …", "Quelles portes …": a plural noun right behind the
/// question word asks for every one of them.
fn plural_listing(words: &[String]) -> bool {
    let first = words.first().map(String::as_str).unwrap_or_default();
    let second = words.get(1).map(String::as_str).unwrap_or_default();
    const NOUNS: [&str; 33] = [
        "raume",
        "zimmer",
        "turen",
        "fenster",
        "wande",
        "bauteile",
        "plane",
        "rfis",
        "rfi",
        "anfragen",
        "pendenzen",
        "locaux",
        "portes",
        "fenetres",
        "pieces",
        "plans",
        "salles",
        "murs",
        "locali",
        "porte",
        "finestre",
        "piani",
        "stanze",
        "pareti",
        "aule",
        "rooms",
        "doors",
        "windows",
        "walls",
        "drawings",
        "spaces",
        "elements",
        "requests",
    ];
    let asks = matches!(first, "welche" | "welchen" | "quelles" | "quels" | "quali" | "which" | "what");
    asks && NOUNS.contains(&second)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn so_many_metres_are_no_count() {
        for question in [
            "Quanti metri quadrati ha l'aula di musica?",
            "Wie viele Quadratmeter hat der Werkraum?",
            "Combien de mètres carrés mesure la salle ?",
            "How many hours of overheating are permitted?",
        ] {
            assert_eq!(intent(question), Intent::Fact, "{question}");
        }
        assert_eq!(intent("Wie viele Meterstäbe liegen im Lager?"), Intent::Count);
    }

    #[test]
    fn counts_and_lists_in_four_languages() {
        for q in [
            "Wie viele Türen hat das 1. Obergeschoss?",
            "Combien de portes y a-t-il au rez-de-chaussée ?",
            "Combien d'éléments EI30 y a-t-il ?",
            "Quante finestre ci sono?",
            "How many RFIs are open?",
            "Anzahl offene RFI",
        ] {
            assert_eq!(intent(q), Intent::Count, "{q}");
        }
        for q in [
            "Liste alle EI30-Türen im 2. OG auf",
            "Welche Räume sind grösser als 60 m²?",
            "Quelles portes sont EI30 ?",
            "Elenca tutte le porte del piano terra",
            "List all open RFIs",
            "Which rooms are larger than 60 m2?",
        ] {
            assert_eq!(intent(q), Intent::List, "{q}");
        }
    }

    #[test]
    fn facts_stay_facts() {
        for q in [
            "Welcher U-Wert gilt für die Aussenwand?",
            "Wie viel Zuluft braucht ein Schulzimmer?",
            "Quelle est l'épaisseur de l'isolation ?",
            "Quanto è spessa la parete?",
            "How thick is the insulation of the flat roof?",
            "Welche Farbe haben die Fensterrahmen?",
        ] {
            assert_eq!(intent(q), Intent::Fact, "{q}");
        }
    }
}
