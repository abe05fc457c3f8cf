//! Small words that turn what a sentence says: at most and at least, must and may, allowed and forbidden, open and done,
//! all of them. Two texts that agree in their numbers and names still differ where these differ.

use crate::index::{fold, tokenize};

/// What a text says by such words.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(super) struct Cues {
    most: bool,
    least: bool,
    must: bool,
    may: bool,
    forbidden: bool,
    allowed: bool,
    open: bool,
    done: bool,
    all: bool,
    /// `only`, `unless`, `after`: what is allowed is allowed under a condition.
    bound: bool,
    only: bool,
    denied: bool,
}

/// Phrases in plain writing, words parted by one space; `*` ends a beginning.
const MOST: &[&str] = &[
    "hochstens",
    "maximal*",
    "maximum",
    "bis zu",
    "nicht uberschr*",
    "nicht mehr als",
    "au plus",
    "ne doit pas depasser",
    "ne doivent pas depasser",
    "ne depasse",
    "massimo",
    "massima",
    "massimi",
    "non superare",
    "non puo superare",
    "non possono superare",
    "non superiore",
    "at most",
    "up to",
    "no more than",
    "not more than",
    "not exceed",
    "limited to",
    "limite a",
];
const LEAST: &[&str] = &[
    "mindest*",
    "wenigstens",
    "minimal*",
    "minimum",
    "nicht unterschr*",
    "nicht weniger als",
    "au moins",
    "minimale",
    "pas moins de",
    "almeno",
    "minimo",
    "minima",
    "non inferiore",
    "at least",
    "no less than",
    "not less than",
];
const MUST: &[&str] = &[
    "muss",
    "mussen",
    "ist zu",
    "sind zu",
    "hat zu",
    "haben zu",
    "doit",
    "doivent",
    "deve",
    "devono",
    "shall",
    "must",
    "has to",
    "have to",
    "verpflichtet",
    "est tenu",
    "e tenuta",
    "e tenuto",
];
const MAY: &[&str] = &[
    "kann",
    "konnen",
    "darf",
    "durfen",
    "peut",
    "peuvent",
    "puo",
    "possono",
    "may",
    "can",
    "optional",
    "freiwillig",
];
const FORBIDDEN: &[&str] = &[
    "untersagt",
    "verboten",
    "unzulassig",
    "nicht zulassig",
    "nicht erlaubt",
    "nicht gestattet",
    "interdit*",
    "proscrit*",
    "pas autorise*",
    "pas permis*",
    "pas admis*",
    "vietat*",
    "proibit*",
    "non e consentit*",
    "non sono consentit*",
    "non e ammess*",
    "prohibited",
    "forbidden",
    "not permitted",
    "not allowed",
];
const ALLOWED: &[&str] = &[
    "zulassig",
    "erlaubt",
    "gestattet",
    "autorise*",
    "permis",
    "permise",
    "permises",
    "admis",
    "admise",
    "admises",
    "consentit*",
    "ammess*",
    "permitted",
    "allowed",
];
const OPEN: &[&str] = &[
    "offen",
    "pendent",
    "ausstehend",
    "ouvert",
    "ouverte",
    "ouverts",
    "ouvertes",
    "en suspens",
    "aperto",
    "aperta",
    "aperti",
    "aperte",
    "in sospeso",
    "open",
    "outstanding",
    "pending",
];
const DONE: &[&str] = &[
    "erledigt",
    "geschlossen",
    "abgeschlossen",
    "clos",
    "close",
    "closes",
    "cloture*",
    "regle",
    "reglee",
    "liquide",
    "liquidee",
    "chiuso",
    "chiusa",
    "chiusi",
    "chiuse",
    "evas*",
    "closed",
    "completed",
    "resolved",
];
const ALL: &[&str] = &[
    "alle",
    "allen",
    "aller",
    "samtliche*",
    "jede",
    "jeder",
    "jedes",
    "durchwegs",
    "uberall",
    "tous",
    "toutes",
    "tout",
    "partout",
    "chaque",
    "tutti",
    "tutte",
    "tutto",
    "ogni",
    "ovunque",
    "all",
    "every",
    "each",
    "throughout",
];
const BOUND: &[&str] = &[
    "nur",
    "ausser",
    "sofern",
    "falls",
    "wenn",
    "nach",
    "einzig",
    "seulement",
    "uniquement",
    "sauf",
    "apres",
    "si",
    "solo",
    "soltanto",
    "tranne",
    "previa",
    "previo",
    "dopo",
    "se",
    "only",
    "unless",
    "except",
    "after",
    "once",
    "if",
    "provided",
];
const ONLY: &[&str] = &["nur", "erst", "einzig", "seulement", "uniquement", "solo", "soltanto", "only"];
const DENIED: &[&str] = &[
    "nicht", "kein*", "ohne", "pas", "aucun*", "sans", "non", "nessun*", "senza", "not", "no", "without",
    "cannot", "never",
];

impl Cues {
    /// Reads a text.
    pub(super) fn of(text: &str) -> Self {
        let mut words: Vec<String> = tokenize(text).iter().map(|t| fold(&t.plain)).collect();
        // The month of May.
        let number = |w: &String| w.starts_with(|c: char| c.is_ascii_digit());
        let months: Vec<bool> = (0..words.len())
            .map(|i| {
                let beside = [i.checked_sub(1), Some(i + 1)].into_iter().flatten();
                words.get(i).is_some_and(|w| w == "may") && beside.filter_map(|j| words.get(j)).any(number)
            })
            .collect();
        let mut is_month = months.iter();
        words.retain(|_| !is_month.next().copied().unwrap_or(false));
        let line = format!(" {} ", words.join(" "));
        let has = |list: &[&str]| {
            list.iter().any(|cue| match cue.strip_suffix('*') {
                Some(start) => line.contains(&format!(" {start}")),
                None => line.contains(&format!(" {cue} ")),
            })
        };
        let forbidden = has(FORBIDDEN);
        Cues {
            most: has(MOST),
            least: has(LEAST),
            must: has(MUST),
            may: has(MAY),
            forbidden,
            allowed: !forbidden && has(ALLOWED),
            open: has(OPEN),
            done: has(DONE),
            all: has(ALL),
            bound: has(BOUND),
            only: has(ONLY),
            denied: has(DENIED),
        }
    }

    /// Whether a source that forbids something is not read as one that allows it.
    fn agree_on_leave(self, source: Cues) -> bool {
        let turned = source.forbidden && !self.forbidden && (self.may || self.allowed);
        !turned || self.denied || self.bound
    }

    /// Whether one is not open and the other done.
    fn same_state(self, source: Cues) -> bool {
        let turned = |a: bool, b: bool, of_a: bool, of_b: bool| a && !b && of_b && !of_a;
        !turned(self.open, self.done, source.open, source.done)
            && !turned(self.done, self.open, source.done, source.open)
    }

    /// Whether a source does not say the opposite of a claim by these words.
    pub(super) fn agree(self, source: Cues) -> bool {
        let turned = |a: bool, b: bool, of_a: bool, of_b: bool| a && !b && of_b && !of_a;
        let bounds = turned(self.most, self.least, source.most, source.least)
            || turned(self.least, self.most, source.least, source.most);
        let plain = !self.denied && !source.denied;
        let duty = plain && self.may && !self.must && !self.only && source.must && !source.may;
        let choice = plain && self.must && !self.may && source.may && !source.must;
        let allowed = !self.agree_on_leave(source);
        let forbidden = self.forbidden && source.allowed && !source.denied && !source.forbidden;
        let state = !self.same_state(source);
        !(bounds || duty || choice || allowed || forbidden || state || self.all && !source.all)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn small_words_turn_a_sentence() {
        for (claim, source, agree) in [
            ("Der Abstand beträgt mindestens 120 mm.", "Der Abstand darf 120 mm nicht überschreiten.", false),
            ("Der Abstand beträgt höchstens 120 mm.", "Der Abstand darf 120 mm nicht überschreiten.", true),
            (
                "L'entrepreneur peut réaliser un échantillon.",
                "L'entrepreneur doit réaliser un échantillon.",
                false,
            ),
            ("The contractor has to submit a mock-up.", "The contractor shall submit a mock-up.", true),
            ("Drilling is permitted.", "Drilling is prohibited.", false),
            ("Drilling is permitted only after scanning.", "Drilling is prohibited without scanning.", true),
            ("Il punto 22 è stato chiuso.", "Punto 22, piastrellista, aperto.", false),
            ("Alle Fenster haben Rw 40 dB.", "Die Fenster der Nordfassade haben Rw 40 dB.", false),
            ("Alle Rahmen sind aus Holz.", "Rahmen durchwegs aus Holz.", true),
        ] {
            assert_eq!(Cues::of(claim).agree(Cues::of(source)), agree, "{claim} / {source}");
        }
    }
}
