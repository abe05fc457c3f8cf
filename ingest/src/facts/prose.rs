//! Facts outside of tables: `Klimastation Bern, 553 m`, the standard's edition, heat generators.

use super::labels::{self, GENERATORS, fold};
use super::numbers::{first_decimal, unit};
use super::rows::stated;
use crate::model::{Fact, FactKind, Locator};

/// Words of a line that states a value; a longer one is a sentence about something else.
const MAX_WORDS: usize = 14;

fn fact(kind: FactKind, label: &str, value: String, unit: String, place: &Locator) -> Fact {
    Fact {
        kind,
        subject: String::new(),
        element: String::new(),
        label: label.trim().trim_end_matches([':', '=']).trim().to_string(),
        value,
        unit,
        count: 1,
        place: place.clone(),
        cell: String::new(),
    }
}

/// Adds what one line states.
pub(crate) fn line(text: &str, place: &Locator, out: &mut Vec<Fact>) {
    let folded = fold(text);
    out.extend(edition(text).map(|e| fact(FactKind::StandardEdition, "SIA 380/1", e, String::new(), place)));
    if let Some(station) = station(text, &folded) {
        out.push(fact(FactKind::ClimateStation, "", station, String::new(), place));
    }
    out.extend(generator(text).map(|g| fact(FactKind::System, "", g, String::new(), place)));
    if text.split_whitespace().count() > MAX_WORDS {
        return;
    }
    let Some((label, _)) = split(text) else { return };
    let Some(kind) = labels::building(&fold(label)) else { return };
    if matches!(kind, FactKind::ClimateStation | FactKind::System) {
        return;
    }
    let value = text.get(label.len()..).unwrap_or_default().trim_start_matches([':', '=', ' ']);
    if let Some((value, unit)) = stated(kind, value, unit(label), "") {
        out.push(fact(kind, label, value, unit, place));
    }
}

/// Parts a line before its first number.
fn split(text: &str) -> Option<(&str, &str)> {
    let (_, rest) = first_decimal(text)?;
    let until = text.len().checked_sub(rest.len())?;
    let head = text.get(..until)?;
    let number = head
        .char_indices()
        .rev()
        .take_while(|(_, c)| !c.is_alphabetic() && !matches!(c, ')' | ']' | ':' | '='))
        .last()?
        .0;
    Some((text.get(..number)?, text.get(number..)?))
}

/// `SIA 380/1:2016`, `SIA 380/1 (2016)`, `Norme SIA 380/1, édition 2016`.
fn edition(text: &str) -> Option<String> {
    let at = text.find("380/1")?;
    let before = text.get(..at)?.trim_end();
    if !before.ends_with("SIA")
        && !before.ends_with("Norm")
        && !before.ends_with("norme")
        && !before.ends_with("norma")
    {
        return None;
    }
    let after: String = text.get(at + 5..)?.chars().take(24).collect();
    let year = after
        .split(|c: char| !c.is_ascii_digit())
        .find(|n| n.len() == 4 && (n.starts_with("19") || n.starts_with("20")))
        .filter(|_| {
            let folded = fold(&after);
            let lead = folded.trim_start_matches(|c: char| !c.is_alphanumeric());
            lead.starts_with(|c: char| c.is_ascii_digit())
                || ["ausgabe", "edition", "edizione", "version", "ed."].iter().any(|w| lead.starts_with(w))
        });
    Some(match year {
        Some(year) => format!("SIA 380/1:{year}"),
        None => "SIA 380/1".into(),
    })
}

/// What follows the word for the climate station, up to a comma.
fn station(text: &str, folded: &str) -> Option<String> {
    const NAMES: [(&str, usize); 3] =
        [("klimastation", 1), ("station climatique", 2), ("stazione climatica", 2)];
    let (name, words) = NAMES.iter().find(|(n, _)| folded.contains(n))?;
    let first = name.split(' ').next()?;
    let tokens: Vec<&str> = text.split_whitespace().collect();
    let at = tokens
        .iter()
        .position(|t| fold(t).trim_matches(|c: char| !c.is_alphanumeric()).starts_with(first))?;
    let rest = tokens.get(at + words..)?.join(" ");
    let value = rest.trim_start_matches([':', '=', ' ']);
    let value = value.split([',', ';']).next()?.trim().trim_end_matches('.').trim();
    let names = value.chars().next().is_some_and(char::is_uppercase) && value.split_whitespace().count() <= 5;
    names.then(|| value.to_string())
}

/// `Sole-Wasser-Wärmepumpe WP-01 (68 kW)`: the word, its code, its power.
fn generator(text: &str) -> Option<String> {
    let tokens: Vec<&str> = text.split_whitespace().collect();
    for at in 0..tokens.len() {
        for words in 1..=3 {
            let Some(part) = tokens.get(at..at + words) else { break };
            let part = part.join(" ");
            let folded = fold(&part);
            let plain = folded.trim_matches(|c: char| !c.is_alphanumeric());
            if !GENERATORS.iter().any(|g| {
                plain.ends_with(g) && (words > 1) == g.contains(' ') && g.split(' ').count() == words
            }) {
                continue;
            }
            let mut value = part.trim_matches(|c: char| matches!(c, ',' | ';' | '.' | ':')).to_string();
            let mut next = at + words;
            if part.ends_with([',', ';', '.', ':']) {
                return Some(value);
            }
            while let Some(token) = tokens.get(next).filter(|_| next < at + words + 4) {
                let goes_on = labels::code(token).is_some()
                    || token.starts_with('(')
                    || token.contains("kW")
                    || (value.contains('(') && !value.contains(')'))
                    || (token.contains('-') && token.chars().all(|c| c.is_alphabetic() || c == '-'));
                if !goes_on {
                    break;
                }
                value.push(' ');
                value.push_str(token.trim_end_matches([',', ';', '.']));
                if token.ends_with([',', ';', '.']) {
                    break;
                }
                next += 1;
            }
            return Some(value);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn facts(text: &str) -> Vec<(FactKind, String, String)> {
        let mut out = Vec::new();
        line(text, &Locator::Pdf { page: 1, boxes: Vec::new() }, &mut out);
        out.into_iter().map(|f| (f.kind, f.value, f.unit)).collect()
    }

    #[test]
    fn lines_that_state_something() {
        use FactKind::*;
        let one = |kind, value: &str, unit: &str| vec![(kind, value.to_string(), unit.to_string())];
        let cases = [
            ("Klimastation Beispikon (fiktiv), 512 m ü. M.", one(ClimateStation, "Beispikon (fiktiv)", "")),
            ("Station climatique : Probeville", one(ClimateStation, "Probeville", "")),
            (
                "Die Wärme stammt aus der Sole-Wasser-Wärmepumpe WP-01 (68 kW). Gefordert",
                one(System, "Sole-Wasser-Wärmepumpe WP-01 (68 kW)", ""),
            ),
            (
                "La chaleur vient d'une pompe à chaleur PAC-01 (20 kW).",
                one(System, "pompe à chaleur PAC-01 (20 kW)", ""),
            ),
            ("Energiebezugsfläche AE: 1'250 m²", one(EnergyReferenceArea, "1250", "m2")),
            ("Fabbisogno termico per il riscaldamento Qh 28,4 kWh/m²", one(HeatingDemand, "28.4", "kWh/m2")),
            ("Valeur limite Qh,li = 110 MJ/m²", one(HeatingDemandLimit, "110", "MJ/m2")),
            ("nach Norm SIA 380/1:2016 gerechnet", one(StandardEdition, "SIA 380/1:2016", "")),
            ("norme SIA 380/1, édition 2016", one(StandardEdition, "SIA 380/1:2016", "")),
            ("Systemnachweis nach SIA 380/1 geführt. Beide", one(StandardEdition, "SIA 380/1", "")),
            ("Gefordert ist eine Eigenstromerzeugung von 10 W pro m² EBF, also 33.5 kWp", vec![]),
        ];
        for (text, expected) in cases {
            assert_eq!(facts(text), expected, "{text}");
        }
    }
}
