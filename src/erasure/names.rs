//! Finding a person by name, however it is spelled, and taking the name out of a text.
//!
//! Names are compared as folded words: without marks, case, soft hyphens, with `ae`, `oe`, `ue` like `ä`, `ö`, `ü`.
//! Finding errs on the side of too much: a request is answered by a person who looks at what was found. What is taken
//! out is only what is certain.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use super::words::{Word, fold, readings, split};

/// Words between given name and family name that may stand between them ("Meier, Dipl. Arch. ETH, Hans").
const APART: usize = 4;
/// What stands where a name was taken out.
pub const MARK: &str = "[…]";
/// Words that belong to family names and tell nothing by themselves.
const PARTICLES: &[&str] = &[
    "von", "van", "vom", "zu", "zum", "zur", "de", "del", "della", "di", "da", "du", "des", "le", "la",
    "der", "den", "dos", "ten", "ter", "el", "al",
];

/// How sure it is that a text is about the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// A family name, or a part of it, occurs without the given name.
    Possible,
    /// Given name (or its first letter) and family name occur together.
    Certain,
}

/// Turns a folded word into what names are compared by.
pub(super) type Secret = Option<[u8; 32]>;

/// A person's names.
#[derive(Debug, Clone, Default)]
pub struct Names {
    list: Vec<Name>,
    secret: Secret,
}

/// One name. Its words are folded, or, in the list of erasures, sums of them under a secret key.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Name {
    given: Vec<String>,
    /// First letters of the given names, in their order.
    initials: Vec<String>,
    /// All given names or all their first letters as one word.
    together: Vec<String>,
    family: Vec<String>,
    /// Given and family name as one word, as in mail addresses and logins.
    joined: Vec<String>,
}

/// A place of a text that names the person.
struct Hit {
    bytes: Vec<Range<usize>>,
    how: Match,
}

impl Names {
    /// From names as a person writes them: given name first, or `Family, Given`. Of several family names with hyphens
    /// each is looked for. Empty ones are left out.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { list: names.into_iter().filter_map(Name::new).collect(), secret: None }
    }

    /// Names as [`Names::hidden`] gave them.
    pub(super) fn of_hidden(list: Vec<Name>, secret: [u8; 32]) -> Self {
        Self { list, secret: Some(secret) }
    }

    /// The names as sums under a secret key: enough to know them again, not enough to read them.
    pub(super) fn hidden(&self, secret: [u8; 32]) -> Vec<Name> {
        let hide = |words: &[String]| words.iter().map(|w| super::words::sum(&secret, w)).collect();
        let name = |n: &Name| Name {
            given: hide(&n.given),
            initials: hide(&n.initials),
            together: hide(&n.together),
            family: hide(&n.family),
            joined: hide(&n.joined),
        };
        self.list.iter().map(name).collect()
    }

    /// True if there is no name to look for.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How far `text` is about the person; `None` if it does not name them.
    pub fn find(&self, text: &str) -> Option<Match> {
        self.hits(text).into_iter().map(|hit| hit.how).max()
    }

    /// True where the text certainly names the person.
    pub fn certain(&self, text: &str) -> bool {
        self.find(text) == Some(Match::Certain)
    }

    /// The text without the person's names where it certainly has them, else `None`.
    pub fn without(&self, text: &str) -> Option<String> {
        let places = self.places(text)?;
        let out = marked(text, places);
        // What is left must not name them by another reading.
        Some(if self.certain(&out) { MARK.to_owned() } else { out })
    }

    /// As [`Names::without`] for texts that stand one after the other, as the words of a page or the cells of a row: a
    /// name may reach over several. `None` where there is none; else every text, changed or not.
    pub fn without_over(&self, texts: &[&str]) -> Option<Vec<String>> {
        let whole = texts.join("\n");
        let places = self.places(&whole)?;
        let mut at = 0;
        let mut out = Vec::with_capacity(texts.len());
        for text in texts {
            let here = at..at + text.len();
            at = here.end + 1;
            let inside = places.iter().filter(|p| p.start < here.end && p.end > here.start);
            let inside =
                inside.map(|p| p.start.max(here.start) - here.start..p.end.min(here.end) - here.start);
            out.push(marked(text, inside));
        }
        Some(out)
    }

    /// Bytes that certainly name the person, in order; neighbours are one place.
    fn places(&self, text: &str) -> Option<Vec<Range<usize>>> {
        let certain = self.hits(text).into_iter().filter(|hit| hit.how == Match::Certain);
        let mut places: Vec<Range<usize>> = certain.flat_map(|hit| hit.bytes).collect();
        places.sort_by_key(|p| (p.start, p.end));
        let mut out: Vec<Range<usize>> = Vec::new();
        for place in places {
            let between = |last: &Range<usize>| text.get(last.end..place.start).unwrap_or_default();
            match out.last_mut() {
                Some(last) if place.start <= last.end => last.end = last.end.max(place.end),
                Some(last) if between(last).chars().all(|c| " .-,".contains(c)) => last.end = place.end,
                _ => out.push(place),
            }
        }
        (!out.is_empty()).then_some(out)
    }

    fn hits(&self, text: &str) -> Vec<Hit> {
        if self.list.is_empty() {
            return Vec::new();
        }
        let words = split(text);
        let mut hits = Vec::new();
        for reading in readings(text, words) {
            let keys: Vec<Keyed> = reading.iter().map(|word| Keyed::of(word, &self.secret)).collect();
            for name in &self.list {
                name.hits(&keys, &mut hits);
            }
        }
        hits
    }
}

/// The text with [`MARK`] in these places.
fn marked(text: &str, places: impl IntoIterator<Item = Range<usize>>) -> String {
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    for place in places {
        out.push_str(text.get(at..place.start).unwrap_or_default());
        out.push_str(MARK);
        at = place.end;
    }
    out.push_str(text.get(at..).unwrap_or_default());
    out
}

/// A word as names are compared with it.
struct Keyed {
    bytes: Range<usize>,
    plain: String,
    /// Without the s of a genitive.
    stripped: Option<String>,
    is_letter: bool,
}

impl Keyed {
    fn of(word: &Word, secret: &Secret) -> Self {
        let key = |text: &str| match secret {
            Some(secret) => super::words::sum(secret, text),
            None => text.to_owned(),
        };
        Keyed {
            bytes: word.bytes.clone(),
            plain: key(&word.folded),
            stripped: word.folded.strip_suffix('s').filter(|w| !w.is_empty()).map(key),
            is_letter: word.folded.chars().count() == 1,
        }
    }

    fn is(&self, name: &str) -> bool {
        self.plain == name || self.stripped.as_deref() == Some(name)
    }
}

impl Name {
    fn new(text: &str) -> Option<Self> {
        let words = |text: &str| -> Vec<String> { split(text).into_iter().map(|w| w.folded).collect() };
        let (mut given, family) = match text.split_once(',') {
            Some((family, given)) => (words(given), words(family)),
            None => {
                let (given, family) = text.trim().rsplit_once(char::is_whitespace).unwrap_or(("", text));
                (words(given), words(family))
            }
        };
        given.retain(|word| !PARTICLES.contains(&word.as_str()));
        let family: Vec<String> = match family.iter().any(|word| !PARTICLES.contains(&word.as_str())) {
            true => family.into_iter().filter(|word| !PARTICLES.contains(&word.as_str())).collect(),
            false => family,
        };
        if family.is_empty() {
            return None;
        }
        let initials: Vec<String> = given.iter().map(|g| g.chars().take(1).collect()).collect();
        let mut together = Vec::new();
        if given.len() > 1 {
            together = vec![fold(&given.concat()), fold(&initials.concat())];
        }
        let mut families = family.clone();
        families.extend((family.len() > 1).then(|| fold(&family.concat())));
        let mut joined = Vec::new();
        for first in given.first().into_iter().chain(initials.first()).chain(&together) {
            // One letter and a short name are too many words.
            for name in families.iter().filter(|name| first.len() + name.chars().count() > 3) {
                joined.extend([fold(&format!("{first}{name}")), fold(&format!("{name}{first}"))]);
            }
        }
        Some(Self { given, initials, together, family, joined })
    }

    fn hits(&self, words: &[Keyed], hits: &mut Vec<Hit>) {
        for (at, word) in words.iter().enumerate() {
            if self.joined.iter().any(|j| word.is(j)) {
                hits.push(Hit { bytes: vec![word.bytes.clone()], how: Match::Certain });
                continue;
            }
            let whole = words.get(at..at + self.family.len()).unwrap_or_default();
            let is_whole = !whole.is_empty() && self.family.iter().zip(whole).all(|(f, w)| w.is(f));
            let length = if is_whole { self.family.len() } else { 1 };
            if !is_whole && !self.family.iter().any(|part| word.is(part)) {
                continue;
            }
            // A part within the whole name has been seen with it.
            let inside = (1..self.family.len()).any(|back| {
                let from = at.checked_sub(back).and_then(|from| words.get(from..from + self.family.len()));
                from.is_some_and(|w| self.family.iter().zip(w).all(|(f, w)| w.is(f)))
            });
            if inside {
                continue;
            }
            hits.push(self.judged(words, at..at + length, is_whole));
        }
    }

    /// How sure a family name is, by the given names around it.
    fn judged(&self, words: &[Keyed], family: Range<usize>, is_whole: bool) -> Hit {
        let own = words.get(family.clone()).unwrap_or_default();
        let mut bytes: Vec<Range<usize>> = own.iter().map(|w| w.bytes.clone()).collect();
        let mut said = vec![false; self.given.len()];
        let before = words.get(family.start.saturating_sub(APART)..family.start).unwrap_or_default();
        let after = words.get(family.end..(family.end + APART).min(words.len())).unwrap_or_default();
        let sides: [Vec<&Keyed>; 2] = [before.iter().rev().collect(), after.iter().collect()];
        for side in sides {
            // First letters count only where nothing but given names lies between.
            let mut is_near = true;
            for word in side {
                let full: Vec<usize> = (0..self.given.len()).filter(|&i| word.is(&self.given[i])).collect();
                let letter = |i: &usize| is_near && word.is_letter && self.initials[*i] == word.plain;
                let first: Vec<usize> = (0..self.given.len()).filter(letter).take(1).collect();
                let all = is_near && self.together.iter().any(|t| word.is(t));
                let known = if all {
                    (0..self.given.len()).collect()
                } else if full.is_empty() {
                    first
                } else {
                    full
                };
                if known.is_empty() {
                    is_near = false;
                    continue;
                }
                known.into_iter().for_each(|i| said[i] = true);
                bytes.push(word.bytes.clone());
            }
        }
        let some = said.iter().any(|s| *s);
        let all = some && said.iter().all(|s| *s);
        let certain = if self.given.is_empty() { is_whole } else { all || is_whole && some };
        if !certain {
            bytes.truncate(own.len());
        }
        Hit { bytes, how: if certain { Match::Certain } else { Match::Possible } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str, text: &str) -> Option<Match> {
        let clear = Names::new([name]);
        let found = clear.find(text);
        let secret = [7; 32];
        let hidden = Names::of_hidden(clear.hidden(secret), secret);
        assert_eq!(hidden.find(text), found, "the list of erasures knows {name:?} in {text:?} as well");
        found
    }

    #[test]
    fn every_spelling_of_a_name_is_found() {
        for text in [
            "Bauleitung: Jürg Müller, Tel. 000",
            "JÜRG MÜLLER",
            "Juerg Mueller",
            "Jurg Muller",
            "Müller Jürg",
            "Müller, Dipl. Arch. ETH, Jürg",
            "J. Müller",
            "Müller J.",
            "von: juerg.mueller@example.ch",
            "jmueller@example.ch",
            "Login: muellerj",
            "Mu\u{308}ller, Ju\u{308}rg",
            "Jürg Mül\u{ad}ler",
            "Jürg\u{a0}Müllers Plan",
            "Plan_Juerg-Mueller_v2.pdf",
            "J Ü R G  M Ü L L E R",
            "ＪÜＲＧ ＭÜＬＬＥＲ",
            "Jürg Mül-\nler",
            "Jürg Mül\u{ad}\n  ler",
        ] {
            assert_eq!(find("Jürg Müller", text), Some(Match::Certain), "{text}");
        }
        assert_eq!(find("Müller, Jürg", "Jürg Müller"), Some(Match::Certain));
        assert_eq!(find("Chiara D'Angelo", "Chiara D’Angelo"), Some(Match::Certain));
        assert_eq!(find("Anna-Lena Groß", "Gross A."), Some(Match::Certain));
        assert_eq!(find("Łukasz Ødegård", "lukasz.odegard@example.ch"), Some(Match::Certain));
    }

    #[test]
    fn a_double_name_is_found_by_each_of_its_parts() {
        let name = "Hans-Peter Müller-Beispiel";
        for text in [
            "Hans-Peter Müller-Beispiel",
            "Müller-Beispiel Hans-Peter",
            "H.-P. Beispiel",
            "H.P. Müller-Beispiel",
            "Beispiel, Hans-Peter",
            "hans-peter.mueller-beispiel@example.ch",
            "hp.mueller@example.ch",
            "hpmueller@example.ch",
            "hanspeter.beispiel@example.ch",
            "Hans-Peter Müller-Bei-\nspiel",
            "HANS-PETER MUELLER BEISPIEL",
            "Hans Mueller Beispiel",
        ] {
            assert_eq!(find(name, text), Some(Match::Certain), "{text}");
        }
        for text in [
            "Müller-Beispiel",
            "Mueller Beispiel",
            "MÜLLER",
            "Hans Müller",
            "zum Beispiel",
            "Mül-\nler rief an",
        ] {
            assert_eq!(find(name, text), Some(Match::Possible), "{text}");
        }
    }

    #[test]
    fn the_family_name_alone_is_possible_and_others_are_not_found() {
        assert_eq!(find("Jürg Müller", "Herr Müller rief an"), Some(Match::Possible));
        for text in ["Müllerstrasse 4", "Jürg Meier", "", "Die Mühle", "Abfallmuller"] {
            assert_eq!(find("Jürg Müller", text), None, "{text}");
        }
        assert_eq!(find("Anna Müller", "Jürg Müller"), Some(Match::Possible));
        assert_eq!(
            find("Jürg Müller", "Müller AG, Haus J"),
            Some(Match::Possible),
            "a letter further off is no name"
        );
        assert_eq!(find("Anna von Rotz", "Peter von Rotz"), Some(Match::Possible));
        assert!(Names::new(["", " , "]).is_empty());
    }

    #[test]
    fn a_name_is_taken_out_and_the_rest_stays() {
        let names = Names::new(["Jürg Müller"]);
        let without = |text: &str| names.without(text);
        assert_eq!(
            without("Bauleitung: Jürg Müller, Tel. 000").as_deref(),
            Some("Bauleitung: […], Tel. 000")
        );
        assert_eq!(without("Müller, Dipl. Arch. ETH, Jürg").as_deref(), Some("[…], Dipl. Arch. ETH, […]"));
        assert_eq!(without("von juerg.mueller@example.ch").as_deref(), Some("von […]@example.ch"));
        assert_eq!(without("J Ü R G  M Ü L L E R").as_deref(), Some("[…]"));
        assert_eq!(without("Jürg Mül-\nler kam").as_deref(), Some("[…] kam"));
        assert_eq!(without("Herr Müller rief an"), None);
        let over = names.without_over(&["RFI-1", "Jürg", "Müller", "offen"]).unwrap();
        assert_eq!(over, ["RFI-1", MARK, MARK, "offen"]);
        let cells = names.without_over(&["Frage von J. Müller zum Dach", "Müller"]).unwrap();
        assert_eq!(cells, ["Frage von […] zum Dach", "Müller"]);
    }
}
