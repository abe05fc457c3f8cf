//! Numbers in text: where they end, how they are written alike, what they are worth.

use super::units::{unit_after, unit_before, word_after};
use super::{Token, ident};

/// Marks between thousands: apostrophes, and the prime that some programs make of them.
fn is_thousands_mark(c: char) -> bool {
    matches!(c, '\'' | '\u{2019}' | '\u{2032}')
}

/// Whether `next`, standing after `last` and before `after`, is part of a number.
pub(super) fn joins(last: char, next: char, after: Option<char>) -> bool {
    last.is_ascii_digit()
        && after.is_some_and(|c| c.is_ascii_digit())
        && (matches!(next, '.' | ',') || is_thousands_mark(next))
}

/// The common form of a number: no thousands marks, a point for the decimals. `None` for words.
pub(super) fn normalise(token: &str) -> Option<String> {
    let mut chars = token.chars();
    if !chars.next()?.is_ascii_digit() || !token.chars().next_back()?.is_ascii_digit() {
        return None;
    }
    if !token.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',') || is_thousands_mark(c)) {
        return None;
    }
    Some(token.chars().filter(|c| !is_thousands_mark(*c)).map(|c| if c == ',' { '.' } else { c }).collect())
}

/// A number of a text.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Figure {
    /// First byte in the text.
    pub start: usize,
    /// Byte after the last one.
    pub end: usize,
    /// Its common form without trailing zeros: `0,180` is `0.18`.
    pub value: String,
    /// The unit behind it, or before it in the head of its column, in plain writing (`mm`, `m2`, `%`, `w/m2k`);
    /// written-out ones by their symbol. Empty where there is none.
    pub unit: String,
    /// Where there is no unit: the word directly behind, which may say what is counted. Empty before a mark.
    pub word: String,
}

impl Figure {
    /// The value in the base unit of its kind, and that unit; `None` where the unit has no other beside it.
    pub(crate) fn in_base_unit(&self) -> Option<(f64, &'static str)> {
        let (factor, base) = super::units::base(&self.unit)?;
        Some((self.value.parse::<f64>().ok()? * factor, base))
    }
}

/// The numbers of a text, with their units. Digits inside identifiers (`EI30`, `T-1.03`) are not numbers; a number
/// in words is one before a unit only (`zwölf Meter`), since `ein` and `due` are mostly something else.
pub(crate) fn figures(text: &str) -> Vec<Figure> {
    let named = ident::identifiers(text);
    let outside = |t: &Token| !named.iter().any(|i| i.start <= t.start && t.end <= i.end);
    super::tokenize(text).iter().filter(|t| outside(t)).filter_map(|t| figure(text, t)).collect()
}

fn figure(text: &str, token: &Token) -> Option<Figure> {
    let raw = text.get(token.start..token.end)?;
    if let Some(value) = in_words(&token.plain) {
        let unit = unit_after(text.get(token.end..)?);
        let (start, end) = (token.start, token.end);
        return (!unit.is_empty()).then(|| Figure {
            start,
            end,
            value: value.to_string(),
            unit,
            word: String::new(),
        });
    }
    let of_number = |c: char| c.is_ascii_digit() || matches!(c, '.' | ',') || is_thousands_mark(c);
    let digits = raw.char_indices().take_while(|(_, c)| of_number(*c));
    let length = digits.last().map(|(at, c)| at + c.len_utf8())?;
    let number = raw.get(..length).and_then(normalise)?;
    let end = token.start + length;
    let rest = text.get(end..)?;
    let mut unit = unit_after(rest);
    if unit.is_empty() {
        unit = unit_before(text.get(..token.start)?);
    }
    let word = if unit.is_empty() { word_after(rest) } else { String::new() };
    Some(Figure { start: token.start, end, value: trim_zeros(&number), unit, word })
}

/// Numbers in words, in plain writing.
const IN_WORDS: [(u32, &str); 22] = [
    (1, "ein eine einen einem einer un une uno una one"),
    (2, "zwei deux due two"),
    (3, "drei trois tre three"),
    (4, "vier quatre quattro four"),
    (5, "funf cinq cinque five"),
    (6, "sechs six sei"),
    (7, "sieben sept sette seven"),
    (8, "acht huit otto eight"),
    (9, "neun neuf nove nine"),
    (10, "zehn dix dieci ten"),
    (11, "elf onze undici eleven"),
    (12, "zwolf douze dodici twelve"),
    (13, "dreizehn treize tredici thirteen"),
    (14, "vierzehn quatorze quattordici fourteen"),
    (15, "funfzehn quinze quindici fifteen"),
    (16, "sechzehn seize sedici sixteen"),
    (18, "achtzehn diciotto eighteen"),
    (20, "zwanzig vingt venti twenty"),
    (30, "dreissig trente trenta thirty"),
    (40, "vierzig quarante quaranta forty"),
    (50, "funfzig cinquante cinquanta fifty"),
    (100, "hundert cent cento hundred"),
];

fn in_words(plain: &str) -> Option<u32> {
    IN_WORDS.iter().find(|(_, words)| words.split(' ').any(|w| w == plain)).map(|(value, _)| *value)
}

/// `0.180` → `0.18`, `4.0` → `4`; dates and version numbers (several points) stay.
fn trim_zeros(number: &str) -> String {
    let stripped = if number.matches('.').count() == 1 {
        number.trim_end_matches('0').trim_end_matches('.')
    } else {
        number
    };
    let whole = stripped.trim_start_matches('0');
    if whole.is_empty() || whole.starts_with('.') { format!("0{whole}") } else { whole.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn values_and_units() {
        let found: Vec<(String, String)> =
            figures("U = 0,180 W/(m²·K), 1’250.50 m², 35 dB, 200 mm dick, 4.0 Stück, 95 %")
                .into_iter()
                .map(|f| (f.value, f.unit))
                .collect();
        let expected =
            [("0.18", "w/m2k"), ("1250.5", "m2"), ("35", "db"), ("200", "mm"), ("4", ""), ("95", "%")];
        assert_eq!(found, expected.map(|(v, u)| (v.to_owned(), u.to_owned())));
    }

    #[test]
    fn written_out_units_and_numbers() {
        let found = |text: &str| -> Vec<(String, String, String)> {
            figures(text).into_iter().map(|f| (f.value, f.unit, f.word)).collect()
        };
        let figure = |v: &str, u: &str, w: &str| (v.to_owned(), u.to_owned(), w.to_owned());
        assert_eq!(found("240 metres of duct"), [figure("240", "m", "")]);
        assert_eq!(found("zwölf Meter tief, zwölf Türen"), [figure("12", "m", "")]);
        assert_eq!(found("una garanzia di dieci anni"), [figure("10", "year", "")]);
        assert_eq!(
            found("34 Zähler, 117 finestre"),
            [figure("34", "", "zahler"), figure("117", "", "finestre")]
        );
        assert_eq!(found("2.09; m²: 74.0; lx: 300").last(), Some(&figure("300", "lx", "")));
    }

    #[test]
    fn identifiers_are_no_numbers() {
        assert_eq!(figures("Tür T-1.03 in EI30, RFI-0042"), []);
    }

    #[test]
    fn whole_numbers_keep_their_zeros() {
        assert_eq!(figures("100 Personen, 0 Türen")[0].value, "100");
        assert_eq!(figures("100 Personen, 0 Türen")[1].value, "0");
    }
}
