//! Dates and quantities as keys of the index, whatever their way of writing: `3. April 2026` is `2026-04-03`, and
//! `20 cm` is `0.20 m`.

use super::dates::dates;
use super::ident::{self, Identifier};
use super::numbers::Figure;
use super::{Token, figures, units};

/// Words that a unit has at most (`W / (m² K)`, `mètres carrés par an`).
const UNIT_WORDS: usize = 3;

/// The dates of a text and its numbers with a unit. They are not among [`ident::identifiers`]: a number does not name
/// a thing, many things are 200 mm thick.
pub(crate) fn measures(text: &str, tokens: &[Token]) -> Vec<Identifier> {
    let mut found = dates(text);
    let named = ident::identifiers(text);
    found.retain(|d| !named.iter().any(|i| i.start < d.end && d.start < i.end));
    for figure in with_carried_units(text, figures(text)).iter().filter(|f| !f.unit.is_empty()) {
        let taken = found.iter().any(|d| d.start < figure.end && figure.start < d.end);
        let keys = keys(text, figure);
        if !taken && !keys.is_empty() {
            let end = end_of_unit(text, figure, tokens);
            found.push(Identifier { start: figure.start, end, keys, within: Vec::new(), names_one: false });
        }
    }
    found.sort_by_key(|i| i.start);
    found
}

/// `180–200 mm` and `24 x 12 cm` have one unit for both numbers.
fn with_carried_units(text: &str, mut figures: Vec<Figure>) -> Vec<Figure> {
    const BETWEEN: [&str; 12] = ["-", "–", "x", "×", "/", "bis", "und", "à", "et", "a", "e", "to"];
    for i in (1..figures.len()).rev() {
        let [.., before, after] = figures.get(..=i).unwrap_or_default() else { continue };
        let gap = text.get(before.end..after.start).unwrap_or_default().trim();
        if before.unit.is_empty() && !after.unit.is_empty() && BETWEEN.contains(&gap) {
            let unit = after.unit.clone();
            figures.iter_mut().take(i).skip(i - 1).for_each(|f| f.unit.clone_from(&unit));
        }
    }
    figures
}

/// The value in the base unit of its kind. `91,200 m` is read in both ways, the one with decimals first.
fn keys(text: &str, figure: &Figure) -> Vec<String> {
    let (factor, base) = units::base(&figure.unit).unwrap_or((1.0, figure.unit.as_str()));
    let key = |value: &str| -> Option<String> {
        Some(format!("q{base}:{}", rounded(value.parse::<f64>().ok()? * factor)))
    };
    let written = text.get(figure.start..figure.end).unwrap_or_default();
    let thousands = written.split_once(',').filter(|(first, rest)| {
        (1..=3).contains(&first.len()) && !first.starts_with('0') && rest.split(',').all(|g| g.len() == 3)
    });
    let grouped = thousands.and_then(|_| key(&written.replace(',', "")));
    key(&figure.value).into_iter().chain(grouped).collect()
}

/// Nine digits: `20 * 0.01` and `0.2` are one number.
fn rounded(value: f64) -> f64 {
    format!("{value:.8e}").parse().unwrap_or(value)
}

/// The end of the unit behind a number; the number's own where the unit stands before it.
fn end_of_unit(text: &str, figure: &Figure, tokens: &[Token]) -> usize {
    let mut end = figure.end;
    // `200mm` is one token.
    if let Some(token) = tokens.iter().find(|t| t.start == figure.start) {
        end = end.max(token.end);
    }
    if units::unit_after(text.get(figure.end..).unwrap_or_default()).is_empty() {
        return end;
    }
    let behind = end;
    for token in tokens.iter().filter(|t| t.start >= behind).take(UNIT_WORDS) {
        let gap = text.get(end..token.start).unwrap_or_default();
        let near = gap
            .chars()
            .all(|c| c.is_whitespace() && c != '\n' || matches!(c, '/' | '(' | '-' | '·' | '*' | '⋅'));
        if !near || !units::names_unit(&token.plain) {
            break;
        }
        end = token.end;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::super::tokenize;
    use super::*;

    fn keys_of(text: &str) -> Vec<String> {
        measures(text, &tokenize(text)).into_iter().flat_map(|i| i.keys).collect()
    }

    /// Groups of ways of writing one quantity.
    #[test]
    fn quantities_meet_whatever_their_unit() {
        let groups: [&[&str]; 13] = [
            &["200 mm", "20 cm", "0.20 m", "0,2 m", "200mm", "20 Zentimeter", "2 dm"],
            &[
                "12.5 m²",
                "12,50 m2",
                "125'000 cm²",
                "12.5 Quadratmeter",
                "12.5 mètres carrés",
                "12.5 square metres",
            ],
            &["3 m³", "3000 l", "3’000 Liter", "3 cubic metres", "3000 dm³"],
            &["0.15 W/m²K", "0,150 W/(m²·K)", "0.15 W/(m2 K)"],
            &["35 dB", "35 dB(A)", "35.0 dBA", "35 décibels"],
            &["5 kN", "5000 N", "5.0 kN"],
            &["1.5 MWh", "1500 kWh", "5.4 GJ", "1’500 Kilowattstunden"],
            &["10 kW", "10’000 W", "0.01 MW"],
            &["36 MJ/m²", "10 kWh/m²"],
            &["5 kN/m²", "5 kPa", "5000 Pa"],
            &["36 m³/h", "10 l/s"],
            &["2.5 t", "2500 kg", "2,5 Tonnen"],
            &["90 min", "1.5 h", "1,5 Stunden"],
        ];
        for group in groups {
            for text in group {
                assert_eq!(keys_of(text), keys_of(group[0]), "{text} and {}", group[0]);
                assert_eq!(keys_of(text).len(), 1, "{text}");
            }
        }
        let all: std::collections::HashSet<String> = groups.iter().flat_map(|g| keys_of(g[0])).collect();
        assert_eq!(all.len(), groups.len(), "no two of them are one: {all:?}");
    }

    #[test]
    fn a_span_takes_its_unit_in() {
        for text in ["200 mm", "0.15 W/(m²K)", "12 mètres carrés", "200mm", "3. April 2026"] {
            let found = measures(text, &tokenize(text));
            let end = text.trim_end_matches(')').len();
            assert_eq!((found[0].start, found[0].end), (0, end), "{text}");
        }
    }

    #[test]
    fn numbers_before_one_unit_share_it() {
        assert_eq!(keys_of("180–200 mm"), ["qm:0.18", "qm:0.2"]);
        assert_eq!(keys_of("90 x 210 cm"), ["qm:0.9", "qm:2.1"]);
        assert_eq!(keys_of("von 18 bis 20 °C"), ["q°c:18", "q°c:20"]);
    }

    #[test]
    fn what_has_no_unit_is_no_quantity() {
        assert_eq!(keys_of("4 Türen, T-1.03 in EI30, Raum 2.08"), [] as [String; 0]);
    }

    #[test]
    fn thousands_with_a_comma_are_read_in_both_ways() {
        assert_eq!(keys_of("91,200 CHF"), ["qchf:91.2", "qchf:91200"]);
    }
}
