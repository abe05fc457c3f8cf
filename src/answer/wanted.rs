//! The kind of value that a question asks for, and whether a text holds one.
//!
//! A number answers nothing by itself: who asks for a price is not served with a date, and who asks
//! for a U-value not with a thickness. What cannot be told from the question is not demanded.

use super::clauses::{GERMAN_MONTHS, MONTHS};
use crate::index::{Figure, figures, fold};

/// What a question asks for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Wanted {
    /// A number with one of these units, by their symbols.
    Measure(&'static [&'static str]),
    /// Any number that is no date.
    Number,
    /// A date, or what it depends on.
    Date,
    /// Whatever says it.
    Anything,
}

/// Units by their symbols, and the words of questions that ask for them. A word ending in `*` is
/// the start of words, one beginning with `*` the end of (German) compounds.
struct Kind {
    units: &'static [&'static str],
    words: &'static str,
}

const KINDS: [Kind; 7] = [
    Kind {
        units: &["chf", "eur"],
        words: "kostet kosten preis preise betrag teuer *kosten *preis *betrag coute coutent cout couts prix montant montent \
                costa costano costo costi prezzo importo ammonta cost costs price",
    },
    Kind {
        units: &["w/m2k"],
        words: "uwert uvalue valeuru valoreu coefficientu coefficienteu uwwert uwvalue valeuruw valoreuw trasmittanza transmittance \
                warmedurchgangskoeffizient",
    },
    Kind {
        units: &["m2", "ha"],
        words: "flache *flache quadratmeter surface superficie area metriquadrati metrescarres squaremetres",
    },
    Kind {
        units: &["mm", "cm", "m", "km"],
        words: "dick dicke *dicke *starke breit breite *breite tief tiefe *tiefe lange *lange epais epaisse epaisseur longueur \
                largeur hauteur profondeur spesso spessa spessore larghezza lunghezza altezza profondita thick thickness length wide \
                width height depth deep",
    },
    Kind { units: &["°c", "k"], words: "temperatur *temperatur temperature temperatura" },
    Kind {
        units: &["kw", "w", "kwp", "mw", "kva", "w/m2"],
        words: "heizleistung kuhlleistung puissance potenza",
    },
    Kind { units: &["kg", "t", "kn"], words: "gewicht schwer traglast poids peso weight weigh" },
];

/// Words that look like one of the above and are none.
const NOT: [&str; 3] = ["oberflache", "gesamtlange", "nachhaltigkeitsflache"];

/// Openings of questions for whom, where and why: what they name is no value.
const OTHER: [&str; 12] =
    ["wer", "wem", "wo", "warum", "qui", "ou", "pourquoi", "chi", "dove", "perche", "who", "where"];

/// Openings of questions for a quantity.
const QUANTITY: [&str; 14] = [
    "wie viel",
    "wie gross",
    "wie hoch",
    "wie lang",
    "wie weit",
    "wie warm",
    "wie laut",
    "combien",
    "quanto",
    "quanta",
    "how much",
    "how high",
    "how large",
    "how big",
];

/// Openings of questions for a date.
const DATE: [&str; 8] =
    ["wann", "bis wann", "ab wann", "a quelle date", "quand", "quando", "when", "what date"];

/// Words that ask for what a test or a measurement gave.
const OUTCOME: [&str; 9] =
    ["ergeben", "ergab", "messwert", "gemessen", "mesure", "mesuree", "misurato", "misurata", "measured"];

impl Wanted {
    /// Reads it off the words of a question.
    pub(super) fn of(question: &str) -> Self {
        let words = words(question);
        let text = words.join(" ");
        let opens = |list: &[&str]| {
            list.iter()
                .any(|p| text.strip_prefix(p).is_some_and(|rest| rest.is_empty() || rest.starts_with(' ')))
        };
        if opens(&DATE) || text.starts_with("da quando") {
            return Wanted::Date;
        }
        if opens(&OTHER) {
            return Wanted::Anything;
        }
        if let Some(kind) = KINDS.iter().find(|k| asked(k, &words)) {
            return Wanted::Measure(kind.units);
        }
        if words.iter().any(|w| OUTCOME.contains(&w.as_str()))
            || opens(&QUANTITY)
            || QUANTITY.iter().any(|p| text.contains(&format!(" {p} ")))
        {
            Wanted::Number
        } else {
            Wanted::Anything
        }
    }

    /// Whether a word of the question (folded) only says which kind of value is asked for.
    pub(super) fn is_kind_word(self, folded: &str) -> bool {
        let Wanted::Measure(units) = self else { return false };
        let kind = KINDS.iter().find(|k| k.units == units);
        kind.is_some_and(|k| {
            k.units.contains(&folded) || k.words.split_ascii_whitespace().any(|w| is_like(w, folded))
        }) || ["metri", "quadrati", "metres", "carres", "square"].contains(&folded)
    }

    /// Whether a text holds such a value outright: a date, not only what it depends on; a number in digits.
    pub(super) fn is_stated(self, text: &str) -> bool {
        match self {
            Wanted::Date => figures(text).iter().any(|f| is_date(&f.value)) || names_a_time(text),
            Wanted::Number => figures(text).iter().any(|f| !is_date(&f.value)),
            _ => self.is_in(text),
        }
    }

    /// The same for a sentence of one's own words, which may leave out the unit: `The U-value is 0.15.`
    pub(super) fn is_told(self, sentence: &str) -> bool {
        let bare = |f: &Figure| f.unit.is_empty() && f.word.is_empty() && !is_date(&f.value);
        self.is_stated(sentence)
            || matches!(self, Wanted::Measure(_)) && figures(sentence).iter().any(bare)
            || self == Wanted::Number && names_a_number(sentence)
    }

    /// Whether a text holds such a value.
    pub(super) fn is_in(self, text: &str) -> bool {
        match self {
            Wanted::Anything => true,
            Wanted::Number => figures(text).iter().any(|f| !is_date(&f.value)) || names_a_number(text),
            Wanted::Date => self.is_stated(text) || names_an_event(text),
            Wanted::Measure(units) => figures(text).iter().any(|f| units.contains(&f.unit.as_str())),
        }
    }
}

/// The words of a text, folded; `U-Wert` and `valeur U` are one word each.
fn words(text: &str) -> Vec<String> {
    let split = text.split(|c: char| !(c.is_alphanumeric() || c == '-'));
    let mut words: Vec<String> = Vec::new();
    for word in split.map(|w| fold(&w.replace('-', ""))).filter(|w| !w.is_empty()) {
        words.push(word);
    }
    words
}

fn asked(kind: &Kind, words: &[String]) -> bool {
    let pairs: Vec<String> = words.windows(2).map(|w| w.concat()).collect();
    kind.words.split_ascii_whitespace().any(|p| {
        words.iter().any(|w| is_like(p, w)) || !p.starts_with('*') && pairs.iter().any(|w| is_like(p, w))
    })
}

fn is_like(pattern: &str, word: &str) -> bool {
    if NOT.contains(&word) {
        return false;
    }
    match pattern.strip_prefix('*') {
        Some(end) => word.len() > end.len() + 2 && word.ends_with(&fold(end)),
        None => fold(pattern) == word,
    }
}

/// Day, month and year, or a year of our time.
pub(super) fn is_date(value: &str) -> bool {
    value.matches('.').count() == 2 || value.len() == 4 && value.starts_with("20")
}

/// A number in words.
fn names_a_number(text: &str) -> bool {
    const NUMBERS: [&str; 34] = [
        "ein", "eine", "zwei", "drei", "vier", "funf", "sechs", "acht", "zehn", "zwolf", "deux", "trois",
        "quatre", "cinq", "six", "huit", "dix", "douze", "due", "tre", "quattro", "cinque", "sei", "otto",
        "dieci", "dodici", "two", "three", "four", "five", "six", "eight", "ten", "twelve",
    ];
    words(text).iter().any(|w| NUMBERS.contains(&w.as_str()))
}

/// A week, a month or a weekday.
fn names_a_time(text: &str) -> bool {
    const TIMES: [&str; 34] = [
        "woche",
        "kalenderwoche",
        "kw",
        "semaine",
        "settimana",
        "week",
        "montag",
        "dienstag",
        "mittwoch",
        "donnerstag",
        "freitag",
        "samstag",
        "sonntag",
        "lundi",
        "mardi",
        "mercredi",
        "jeudi",
        "vendredi",
        "samedi",
        "dimanche",
        "lunedi",
        "martedi",
        "mercoledi",
        "giovedi",
        "venerdi",
        "sabato",
        "domenica",
        "monday",
        "tuesday",
        "wednesday",
        "thursday",
        "friday",
        "saturday",
        "sunday",
    ];
    // `may` and `march` say other things, too.
    let is_month = |w: &str| MONTHS.contains(&w) || GERMAN_MONTHS.contains(&w);
    let names = |w: &str| TIMES.contains(&w) || (is_month(w) && !matches!(w, "may" | "march"));
    words(text).iter().any(|w| names(w))
}

/// The event that something waits for.
fn names_an_event(text: &str) -> bool {
    const EVENTS: [&str; 17] = [
        "nach", "vor", "sobald", "wenn", "bei", "apres", "avant", "des", "lorsque", "dopo", "prima",
        "quando", "after", "before", "when", "once", "if",
    ];
    words(text).iter().any(|w| EVENTS.contains(&w.as_str()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(question: &str) -> &'static [&'static str] {
        match Wanted::of(question) {
            Wanted::Measure(units) => units,
            _ => &[],
        }
    }

    #[test]
    fn what_is_asked_for() {
        for q in [
            "Was kostet der Aushub?",
            "Quel est le prix de la porte ?",
            "Quanto costa la porta?",
            "What does it cost?",
        ] {
            assert!(units(q).contains(&"chf"), "{q}");
        }
        for q in [
            "Welchen U-Wert hat AW-01?",
            "Quelle est la valeur U du toit ?",
            "What is the U-value of the wall?",
        ] {
            assert_eq!(units(q), ["w/m2k"], "{q}");
        }
        assert!(units("Quanti metri quadrati ha l'aula di musica?").contains(&"m2"));
        assert!(units("Wie gross ist die Energiebezugsfläche?").contains(&"m2"));
        assert!(units("Wie dick ist die Dämmung?").contains(&"mm"));
        assert_eq!(Wanted::of("Bis wann muss RFI-012 beantwortet sein?"), Wanted::Date);
        assert_eq!(Wanted::of("Wie hoch ist der Heizwärmebedarf?"), Wanted::Number);
        assert_eq!(Wanted::of("Wer trägt die Kosten?"), Wanted::Anything);
        assert_eq!(Wanted::of("Welche Oberfläche hat der Boden?"), Wanted::Anything);
    }

    #[test]
    fn a_value_of_the_kind_stands_there_or_not() {
        let price = Wanted::of("Was kostet der Aushub?");
        assert!(price.is_in("Die Mehrkosten betragen CHF 46'300.00."));
        assert!(price.is_in("B6; Elementgruppe: Baugrube; Betrag CHF: 350’000.00"));
        assert!(price.is_in("Wärmepumpe; Intervall: jährlich; Kosten CHF pro Jahr: 3’400"));
        assert!(!price.is_in("Baubeginn Aushub Haus A bleibt am 07.04.2026."));
        assert!(!price.is_in("Aushub rund 3’950 m³ fest"));
        let value = Wanted::of("Welchen U-Wert hat die Aussenwand?");
        assert!(value.is_in("AW-01; Dicke: 437 mm; U-Wert W/(m²K): 0.15"));
        assert!(value.is_in("Der U-Wert beträgt 0.15 W/(m²·K)."));
        assert!(!value.is_in("AW-01; Bauteil: Aussenwand; Wert: R'w 48 dB"));
        assert!(!value.is_in("Tabelle 5: U-Werte pro Bauteil, Übersicht"));
        let area = Wanted::of("Welche Fläche hat der Raum?");
        assert!(area.is_in("2.09; Bezeichnung: Musikzimmer; m²: 74.0"));
        assert!(!area.is_in("Heizwärmebedarf kWh/m²: 22.1"), "a unit is a whole word");
        assert!(Wanted::of("Wann ist Bausitzung 14?").is_in("Index, Datum | -, 18.06.2026"));
        assert!(!Wanted::of("Wann ist Bausitzung 14?").is_in("Protokoll Bausitzung 14"));
        for (question, text) in [
            ("Wann wird die Decke betoniert?", "Die Decke wird Anfang März betoniert."),
            ("Quand coule-t-on la dalle ?", "La dalle sera coulée début février."),
            ("Quando si getta la soletta?", "La soletta si getta a metà luglio."),
            ("When is the slab poured?", "The slab is poured in early October, on a Tuesday."),
        ] {
            assert!(Wanted::of(question).is_in(text), "{text}");
            assert!(!Wanted::of(question).is_in("Sie ist 240 mm dick."), "{question}");
        }
    }
}
