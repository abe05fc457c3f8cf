//! Finding a person by name, however it is spelled.
//!
//! Names are compared as folded words: without marks, case, soft hyphens, with `ae`, `oe`, `ue` like `ä`, `ö`, `ü`.
//! It errs on the side of finding too much: a request is answered by a person who looks at what was found.

use unicode_normalization::UnicodeNormalization;

/// Words between given name and family name that may stand between them ("Meier, Dipl. Arch. ETH, Hans").
const APART: usize = 4;

/// How sure it is that a text is about the person.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Match {
    /// Only the family name occurs.
    Possible,
    /// Given name (or its first letter) and family name occur together.
    Certain,
}

/// A person's names.
#[derive(Debug, Clone)]
pub struct Names {
    list: Vec<Name>,
}

#[derive(Debug, Clone)]
struct Name {
    given: Vec<String>,
    family: Vec<String>,
    /// Given and family name as one word, as in mail addresses and logins.
    joined: Vec<String>,
}

impl Names {
    /// From names as a person writes them: given name first, or `Family, Given`. Empty ones are left out.
    pub fn new<'a>(names: impl IntoIterator<Item = &'a str>) -> Self {
        Self { list: names.into_iter().filter_map(Name::new).collect() }
    }

    /// True if there is no name to look for.
    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// How far `text` is about the person; `None` if it does not name them.
    pub fn find(&self, text: &str) -> Option<Match> {
        let words = words(text);
        self.list.iter().filter_map(|name| name.find(&words)).max()
    }
}

impl Name {
    fn new(text: &str) -> Option<Self> {
        let (given, family) = match text.split_once(',') {
            Some((family, given)) => (words(given), words(family)),
            None => {
                let mut all = words(text);
                let family = all.pop()?;
                (all, vec![family])
            }
        };
        if family.is_empty() {
            return None;
        }
        let name = family.concat();
        let mut joined = Vec::new();
        for first in given.first().into_iter().flat_map(|g| [g.clone(), g.chars().take(1).collect()]) {
            joined.extend([format!("{first}{name}"), format!("{name}{first}")]);
        }
        joined.extend((given.len() > 1).then(|| format!("{}{name}", given.concat())));
        Some(Self { given, family, joined })
    }

    fn find(&self, words: &[String]) -> Option<Match> {
        let mut found = None;
        for (at, word) in words.iter().enumerate() {
            if self.joined.iter().any(|j| same(word, j)) {
                return Some(Match::Certain);
            }
            let long = self.family.len();
            let here = words.get(at..at + long).unwrap_or_default();
            if here.len() != long || !self.family.iter().zip(here).all(|(f, w)| same(w, f)) {
                continue;
            }
            let before = words.get(at.saturating_sub(APART)..at).unwrap_or_default();
            let after = words.get(at + long..(at + long + APART).min(words.len())).unwrap_or_default();
            let given = |w: &String| self.given.iter().any(|g| w == g || is_initial(w, g));
            if self.given.is_empty() || before.iter().chain(after).any(given) {
                return Some(Match::Certain);
            }
            found = Some(Match::Possible);
        }
        found
    }
}

/// The word itself, or with the s of a genitive.
fn same(word: &str, name: &str) -> bool {
    word == name || word.strip_suffix('s') == Some(name)
}

fn is_initial(word: &str, name: &str) -> bool {
    word.chars().count() == 1 && name.starts_with(word)
}

/// Folded words of a text. Letters that stand apart (`M ü l l e r`) are one word.
fn words(text: &str) -> Vec<String> {
    let folded = fold(text);
    let plain = folded.split(|c: char| !c.is_alphanumeric()).filter(|w| !w.is_empty());
    let mut out: Vec<String> = Vec::new();
    let mut spaced = String::new();
    let end = |spaced: &mut String, out: &mut Vec<String>| {
        if spaced.chars().count() >= 3 {
            out.push(joined_digraphs(spaced));
        }
        spaced.clear();
    };
    for word in plain {
        if word.chars().count() == 1 {
            spaced.push_str(word);
        } else {
            end(&mut spaced, &mut out);
        }
        out.push(joined_digraphs(word));
    }
    end(&mut spaced, &mut out);
    out
}

fn joined_digraphs(word: &str) -> String {
    word.replace("ae", "a").replace("oe", "o").replace("ue", "u")
}

fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let invisible = |c: &char| !matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{2060}' | '\u{feff}');
    for c in text.nfkd().filter(invisible).filter(|c| !unicode_normalization::char::is_combining_mark(*c)) {
        match c {
            'ß' | 'ẞ' => out.push_str("ss"),
            'æ' | 'Æ' => out.push('a'),
            'œ' | 'Œ' | 'ø' | 'Ø' => out.push('o'),
            'ł' | 'Ł' => out.push('l'),
            'đ' | 'Đ' | 'ð' | 'Ð' => out.push('d'),
            // An apostrophe belongs to the name (D'Angelo), a typographic one too.
            '\'' | '’' => {}
            c => out.extend(c.to_lowercase()),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn find(name: &str, text: &str) -> Option<Match> {
        Names::new([name]).find(text)
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
        ] {
            assert_eq!(find("Jürg Müller", text), Some(Match::Certain), "{text}");
        }
        assert_eq!(find("Müller, Jürg", "Jürg Müller"), Some(Match::Certain));
        assert_eq!(find("Chiara D'Angelo", "Chiara D’Angelo"), Some(Match::Certain));
        assert_eq!(find("Anna-Lena Groß", "Gross A."), Some(Match::Certain));
        assert_eq!(find("Łukasz Ødegård", "lukasz.odegard@example.ch"), Some(Match::Certain));
    }

    #[test]
    fn the_family_name_alone_is_possible_and_others_are_not_found() {
        assert_eq!(find("Jürg Müller", "Herr Müller rief an"), Some(Match::Possible));
        for text in ["Müllerstrasse 4", "Jürg Meier", "", "Die Mühle", "Abfallmuller"] {
            assert_eq!(find("Jürg Müller", text), None, "{text}");
        }
        assert_eq!(find("Anna Müller", "Jürg Müller"), Some(Match::Possible));
        assert!(Names::new(["", " , "]).is_empty());
    }
}
