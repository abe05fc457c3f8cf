//! Folding: the plain form of a word, equal for all its ways of writing.

use unicode_normalization::UnicodeNormalization;
use unicode_normalization::char::is_combining_mark;

/// Characters that stand for nothing: soft hyphen, zero-width spaces and joiners, byte-order mark.
pub(super) fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200d}' | '\u{2060}' | '\u{feff}')
}

/// Lower case in compatibility form (ligatures split, superscripts plain); accents stay.
pub(super) fn lower(word: &str) -> String {
    word.chars().filter(|c| !is_invisible(*c)).flat_map(char::to_lowercase).nfkc().collect()
}

/// Removes accents and writes ß, œ and æ with plain letters. The input is in lower case.
pub(crate) fn strip_accents(lower: &str) -> String {
    let mut out = String::with_capacity(lower.len());
    for c in lower.nfd().filter(|c| !is_combining_mark(*c)) {
        match c {
            'ß' => out.push_str("ss"),
            'œ' => out.push_str("oe"),
            'æ' => out.push_str("ae"),
            'ı' => out.push('i'),
            'ł' => out.push('l'),
            'ø' => out.push('o'),
            _ => out.push(c),
        }
    }
    out
}

/// Writes the digraphs ae, oe and ue as a, o and u, as an umlaut that lost its dots would be.
///
/// After a vowel or q the letters belong to different sounds (Mauer, neue, Quelle) and stay.
/// Both sides of a search go through here, so a word folded wrongly still meets itself.
pub(super) fn fold_digraphs(plain: &str) -> String {
    let mut out = String::with_capacity(plain.len());
    let mut before = ' ';
    let mut chars = plain.chars().peekable();
    while let Some(c) = chars.next() {
        out.push(c);
        let open = !matches!(before, 'a' | 'e' | 'i' | 'o' | 'u' | 'y' | 'q');
        if open && matches!(c, 'a' | 'o' | 'u') && chars.peek() == Some(&'e') {
            chars.next();
        }
        before = c;
    }
    out
}

/// The plain form of a word: lower case, no accents, ß as ss, ä like ae like a.
pub(crate) fn fold(word: &str) -> String {
    fold_digraphs(&strip_accents(&lower(word)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ways_of_writing_meet() {
        for (a, b) in [
            ("Dämmung", "Daemmung"),
            ("Dämmung", "DAMMUNG"),
            ("Straße", "Strasse"),
            ("Öffnung", "Oeffnung"),
            ("Tür", "Tuer"),
            ("Gebäude", "Gebaeude"),
            ("étanchéité", "etancheite"),
            ("ﬁnestra", "finestra"),
            ("œuvre", "oeuvre"),
            ("Wärme\u{ad}dämmung", "Wärmedämmung"),
            ("m²", "m2"),
            ("a\u{308}ussere", "äussere"),
        ] {
            assert_eq!(fold(a), fold(b), "{a} and {b}");
        }
    }

    #[test]
    fn vowel_pairs_that_are_no_umlaut_stay() {
        assert_eq!(fold("Mauer"), "mauer");
        assert_eq!(fold("neue"), "neue");
        assert_eq!(fold("Quelle"), "quelle");
        assert_eq!(fold("Feuerwiderstand"), "feuerwiderstand");
    }
}
