//! What the words of an energy proof mean, in German, French and Italian.

use crate::model::FactKind;
use unicode_normalization::UnicodeNormalization;

/// Lower case, without accents, every sort of space and dash as a plain one; `m²` reads `m2`.
pub(crate) fn fold(text: &str) -> String {
    let plain: String = text
        .nfkd()
        .filter(|c| !unicode_normalization::char::is_combining_mark(*c))
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            '–' | '—' | '‐' | '‑' | '−' => '-',
            '’' | '‘' | '`' | '´' => '\'',
            c => c,
        })
        .collect();
    plain.split_whitespace().collect::<Vec<_>>().join(" ")
}

const ENVELOPE: [&str; 9] = [
    "gebaudehullzahl",
    "hullflachenzahl",
    "facteur d'enveloppe",
    "facteur de l'enveloppe",
    "fattore d'involucro",
    "fattore dell'involucro",
    "indice d'involucro",
    "indice dell'involucro",
    "cifra dell'involucro",
];
const AREA: [&str; 5] = [
    "energiebezugsflache",
    "surface de reference energetique",
    "superficie di riferimento energetico",
    "superficie di riferimento energetica",
    "energy reference area",
];
const DEMAND: [&str; 11] = [
    "heizwarmebedarf",
    "besoins de chaleur pour le chauffage",
    "besoin de chaleur pour le chauffage",
    "besoins en chaleur pour le chauffage",
    "besoins de chaleur de chauffage",
    "fabbisogno termico per il riscaldamento",
    "fabbisogno termico per riscaldamento",
    "fabbisogno di calore per il riscaldamento",
    "fabbisogno di calore per riscaldamento",
    "fabbisogno termico riscaldamento",
    "heating demand",
];
const LIMIT: [&str; 7] =
    ["grenzwert", "valeur limite", "valore limite", "valori limite", "limite", "limit", "anforderung"];
const STATION: [&str; 5] =
    ["klimastation", "station climatique", "stazione climatica", "station meteo", "climate station"];
const SYSTEM: [&str; 11] = [
    "warmeerzeug",
    "heizsystem",
    "heizungsanlage",
    "generateur de chaleur",
    "production de chaleur",
    "producteur de chaleur",
    "generatore di calore",
    "produzione di calore",
    "generazione di calore",
    "heat generator",
    "heizung:",
];

fn any(text: &str, words: &[&str]) -> bool {
    words.iter().any(|w| text.contains(w))
}

/// What a row states of the whole building, by its label; `text` is folded.
pub(crate) fn building(text: &str) -> Option<FactKind> {
    if text.split_whitespace().count() > 14 || any(text, &["ausnutz", "utilisation", "sfruttamento"]) {
        return None;
    }
    let symbol = symbols(text);
    let has = |wanted: &str| symbol.iter().any(|s| s == wanted);
    if any(text, &ENVELOPE) || any(text, &["ath/ae", "ath/ebf", "ath/sre", "ath / ae", "ath / ebf"]) {
        return Some(FactKind::EnvelopeFactor);
    }
    if has("qhli") || (any(text, &LIMIT) && (any(text, &DEMAND) || has("qh"))) {
        return Some(FactKind::HeatingDemandLimit);
    }
    if any(text, &DEMAND) || (has("qh") && symbol.len() <= 4) {
        return Some(FactKind::HeatingDemand);
    }
    if any(text, &STATION) {
        return Some(FactKind::ClimateStation);
    }
    if any(text, &SYSTEM) {
        return Some(FactKind::System);
    }
    let by_symbol = symbol.len() <= 3 && (has("ebf") || has("sre") || has("ae"));
    (any(text, &AREA) || by_symbol).then_some(FactKind::EnergyReferenceArea)
}

/// The words of a label, `QH,li` and `Q_h,li` as one.
fn symbols(text: &str) -> Vec<String> {
    let joined = text.replace(", li", ",li").replace("q h,li", "qh,li");
    joined
        .split(|c: char| c.is_whitespace() || matches!(c, '(' | ')' | '[' | ']' | ':' | ';' | '='))
        .map(|w| w.chars().filter(|c| c.is_alphanumeric()).collect::<String>())
        .filter(|w| !w.is_empty())
        .collect()
}

/// What a column of a table of elements holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Column {
    /// U-value.
    Value,
    /// Limit of the U-value.
    Limit,
    /// The element's name.
    Name,
    Other,
}

/// A column by its header, folded.
pub(crate) fn column(header: &str) -> Column {
    let words = symbols(header);
    let first = words.first().map(String::as_str).unwrap_or_default();
    let names_u = matches!(first, "u" | "uw" | "uwert" | "uvalue" | "uwerte")
        || any(
            header,
            &[
                "u-wert",
                "u wert",
                "valeur u",
                "valore u",
                "valeurs u",
                "coefficient u",
                "coefficiente u",
                "u-value",
            ],
        );
    let is_limit = any(header, &LIMIT)
        || words.iter().any(|w| matches!(w.as_str(), "uli" | "ulim" | "umax" | "uliw" | "li"));
    if is_limit && !any(header, &["psi", "qh"]) {
        return Column::Limit;
    }
    if names_u {
        return Column::Value;
    }
    let is_name = any(
        header,
        &[
            "bauteil",
            "bezeichnung",
            "element",
            "elemento",
            "construction",
            "costruzione",
            "designation",
            "denominazione",
            "beschrieb",
        ],
    );
    if is_name { Column::Name } else { Column::Other }
}

/// Headers that say what a value is, not for which building it holds.
pub(crate) fn is_generic_header(header: &str) -> bool {
    header.is_empty()
        || any(
            header,
            &[
                "wert",
                "einheit",
                "grosse",
                "valeur",
                "unite",
                "grandeur",
                "valore",
                "unita",
                "grandezza",
                "value",
                "unit",
                "projekt",
                "projet",
                "progetto",
                "objekt",
                "symbol",
                "simbolo",
                "resultat",
                "risultato",
                "bemerkung",
                "remarque",
                "osservazion",
                "nachweis",
            ],
        )
}

/// True for a header of limits.
pub(crate) fn is_limit(header: &str) -> bool {
    any(header, &LIMIT)
}

/// Heat generators as they are called in running text.
pub(crate) const GENERATORS: [&str; 16] = [
    "warmepumpe",
    "fernwarme",
    "pelletheizung",
    "pelletkessel",
    "holzschnitzelheizung",
    "stuckholzheizung",
    "gasheizung",
    "gaskessel",
    "olheizung",
    "olkessel",
    "pompe a chaleur",
    "chauffage a distance",
    "chaudiere",
    "pompa di calore",
    "teleriscaldamento",
    "caldaia",
];

/// Titles of energy proofs.
pub(crate) fn names_a_proof(folded: &str) -> bool {
    any(
        folded,
        &[
            "energienachweis",
            "energetischer nachweis",
            "warmedammung",
            "nachweis der energetischen",
            "justificatif energetique",
            "justificatif thermique",
            "isolation thermique",
            "dossier energetique",
            "giustificativo energetico",
            "incarto energia",
            "isolamento termico",
            "protezione termica",
            "energy proof",
        ],
    )
}

/// A code of an element: up to four capitals, then figures (`AW-01`, `FE 3`, `W12a`).
pub(crate) fn code(text: &str) -> Option<String> {
    let text = text.trim_matches(|c: char| matches!(c, '(' | ')' | ',' | ';' | ':' | '.'));
    let letters = text.chars().take_while(char::is_ascii_uppercase).count();
    let rest = text.get(letters..)?;
    let digits: String = rest.trim_start_matches(['-', ' ', '_', '.']).to_string();
    let figures = digits.chars().take_while(char::is_ascii_digit).count();
    let tail = digits.get(figures..)?;
    let good = (1..=4).contains(&letters)
        && (1..=3).contains(&figures)
        && tail.len() <= 1
        && tail.chars().all(|c| c.is_ascii_lowercase())
        && rest.len() <= digits.len() + 1;
    good.then(|| text.to_string())
}

/// The first code in a text.
pub(crate) fn code_in(text: &str) -> Option<String> {
    text.split(|c: char| c.is_whitespace() || matches!(c, '/' | '|')).find_map(code)
}

#[cfg(test)]
mod tests {
    use super::*;
    use FactKind::*;

    #[test]
    fn labels_in_three_languages() {
        let cases = [
            ("Energiebezugsfläche EBF", Some(EnergyReferenceArea)),
            ("Surface de référence énergétique SRE [m²]", Some(EnergyReferenceArea)),
            ("Superficie di riferimento energetico AE", Some(EnergyReferenceArea)),
            ("Gebäudehüllzahl Ath/EBF", Some(EnvelopeFactor)),
            ("Facteur d’enveloppe", Some(EnvelopeFactor)),
            ("Fattore dell'involucro Ath/AE", Some(EnvelopeFactor)),
            ("Heizwärmebedarf QH", Some(HeatingDemand)),
            ("Besoins de chaleur pour le chauffage Qh", Some(HeatingDemand)),
            ("Fabbisogno termico per il riscaldamento Qh", Some(HeatingDemand)),
            ("Grenzwert QH,li", Some(HeatingDemandLimit)),
            ("Valeur limite Qh,li", Some(HeatingDemandLimit)),
            ("Valore limite del fabbisogno termico per riscaldamento", Some(HeatingDemandLimit)),
            ("Ausnützung des Grenzwerts", None),
            ("Klimastation", Some(ClimateStation)),
            ("Production de chaleur", Some(System)),
            ("Personenfläche", None),
            ("Monat", None),
        ];
        for (label, expected) in cases {
            assert_eq!(building(&fold(label)), expected, "{label}");
        }
    }

    #[test]
    fn columns_and_codes() {
        let cases = [
            ("U-Wert W/(m²K)", Column::Value),
            ("U W/(m²K)", Column::Value),
            ("Uw", Column::Value),
            ("Ug", Column::Other),
            ("Valeur U", Column::Value),
            ("Valore limite", Column::Limit),
            ("U-Grenzwert", Column::Limit),
            ("Uli", Column::Limit),
            ("R-Wert m²K/W", Column::Other),
            ("Bauteil", Column::Name),
            ("λ W/(m·K)", Column::Other),
        ];
        for (header, expected) in cases {
            assert_eq!(column(&fold(header)), expected, "{header}");
        }
        for (text, expected) in [
            ("AW-01", true),
            ("FE 3", true),
            ("W12a", true),
            ("Haus", false),
            ("C30/37", false),
            ("A", false),
        ] {
            assert_eq!(code(text).is_some(), expected, "{text}");
        }
        assert_eq!(code_in("Total R und U-Wert AW-01"), Some("AW-01".into()));
    }
}
