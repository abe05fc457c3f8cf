//! Parts of sentences that say one thing, and when two numbers are the same.

use crate::index::{Figure, QueryTerm, Token, analyse, figures, ident, is_unit, tokenize};

/// A part of a passage that says one thing, with the numbers that it says it with.
pub(super) struct Clause {
    /// Its text.
    pub text: String,
    /// Its numbers.
    pub figures: Vec<Figure>,
    /// Keys of the identifiers in it.
    pub keys: Vec<String>,
}

/// The content words of a text; numbers, units, the months of dates and parts of identifiers, which are
/// compared for themselves, are none.
pub(super) fn words_of(text: &str) -> Vec<QueryTerm> {
    let named = ident::identifiers(text);
    let inside = |t: &&Token| named.iter().any(|i| i.start <= t.start && t.end <= i.end);
    let tokens = tokenize(text);
    let parts: Vec<&str> = tokens.iter().filter(inside).map(|t| t.plain.as_str()).collect();
    let no_word = |plain: &str| {
        plain.starts_with(|c: char| c.is_ascii_digit())
            || GERMAN_MONTHS.contains(&plain)
            || MONTHS.contains(&plain)
            || is_unit(plain)
            || parts.contains(&plain)
    };
    analyse(text).terms.into_iter().filter(|t| !no_word(&t.plain)).collect()
}

/// Months in plain writing, German; some are the same elsewhere.
pub(super) const GERMAN_MONTHS: [&str; 12] = [
    "januar",
    "februar",
    "marz",
    "april",
    "mai",
    "juni",
    "juli",
    "august",
    "september",
    "oktober",
    "november",
    "dezember",
];

/// The other months in plain writing.
pub(super) const MONTHS: [&str; 31] = [
    "maerz",
    "janvier",
    "fevrier",
    "mars",
    "avril",
    "juin",
    "juillet",
    "aout",
    "septembre",
    "octobre",
    "novembre",
    "decembre",
    "gennaio",
    "febbraio",
    "marzo",
    "aprile",
    "maggio",
    "giugno",
    "luglio",
    "agosto",
    "settembre",
    "ottobre",
    "dicembre",
    "january",
    "february",
    "march",
    "may",
    "june",
    "july",
    "october",
    "december",
];

/// A sentence cut at line ends, semicolons, commas and conjunctions that part clauses: those with a number.
pub(super) fn clauses(sentence: &str) -> Vec<Clause> {
    let parts = sentence.split(['\n', ';']).flat_map(|p| p.split(", ")).flat_map(joined);
    let clause = |part: &str| {
        let figures = figures(part);
        let keys = ident::identifiers(part).into_iter().flat_map(|i| i.keys).collect();
        (!figures.is_empty()).then(|| Clause { text: part.to_owned(), figures, keys })
    };
    parts.filter_map(clause).collect()
}

/// The parts of a clause around an `and` with a number on either side: `A on 26 April and B on 10 May` says two things.
pub(super) fn joined(clause: &str) -> Vec<&str> {
    let ands = [" and ", " und ", " et ", " e ", " sowie ", " ainsi que "];
    let at = ands.iter().find_map(|and| {
        let (left, right) = clause.split_once(and)?;
        (!figures(left).is_empty() && !figures(right).is_empty()).then_some((left, right))
    });
    at.map_or_else(|| vec![clause], |(left, right)| [vec![left], joined(right)].concat())
}

/// Whether two texts name things of one sort (buildings, doors, walls), yet not one in common.
pub(super) fn names_others(sentence: &[String], clause: &[String]) -> bool {
    let sort = |key: &str| -> String { key.chars().take_while(|c| c.is_alphabetic() || *c == ':').collect() };
    // The letter of a building is its number.
    let sort = |key: &str| if key.starts_with("building:") { "building:".to_owned() } else { sort(key) };
    let alike = clause.iter().any(|c| !sort(c).is_empty() && sentence.iter().any(|s| sort(s) == sort(c)));
    alike && !clause.iter().any(|c| sentence.contains(c))
}

/// A number of a sentence read as one with commas between its thousands: a model writes `91,200` for `91’200`.
pub(super) fn thousands(sentence: &str, figure: &Figure) -> Option<Figure> {
    let written = sentence.get(figure.start..figure.end)?;
    let (first, groups) = written.split_once(',')?;
    let three = |g: &str| g.len() == 3 && g.chars().all(|c| c.is_ascii_digit());
    let grouped = (1..=3).contains(&first.len()) && !first.starts_with('0') && groups.split(',').all(three);
    grouped.then(|| Figure { value: written.replace(',', ""), ..figure.clone() })
}

/// Equal value, and equal unit unless one of them names none; `24 cm` is `240 mm`.
pub(super) fn same(a: &Figure, b: &Figure) -> bool {
    if a.value == b.value {
        return a.unit == b.unit || a.unit.is_empty() || b.unit.is_empty();
    }
    match (a.in_base_unit(), b.in_base_unit()) {
        (Some((x, of_x)), Some((y, of_y))) => of_x == of_y && (x - y).abs() <= 1e-9 * x.abs().max(y.abs()),
        _ => false,
    }
}

/// Whether a number that names no unit can be the one with a unit. `20 Türen` is not `20 m²`: a word directly behind
/// the number says what is counted, unless the other text has that word as well.
pub(super) fn counts_alike(
    sentence: &Figure,
    clause: &Figure,
    tokens: &[Token],
    words: &[QueryTerm],
) -> bool {
    let in_clause = tokens.iter().any(|t| t.plain == sentence.word);
    let in_sentence = words.iter().any(|w| w.plain == clause.word);
    (sentence.word.is_empty() || clause.unit.is_empty() || in_clause)
        && (clause.word.is_empty() || sentence.unit.is_empty() || in_sentence)
}
