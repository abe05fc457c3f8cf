//! What a status in the source's own words means.

use super::columns::plain;

/// Every state.
pub(super) const STATES: [&str; 4] = ["open", "answered", "closed", "void"];

/// Beginnings of words with what they mean, the most telling first.
const WORDS: &[(&str, &str)] = &[
    (
        "void|storniert|cancel|annul|zuruckgezogen|withdrawn|retire|ritirat|reject|abgelehnt|\
         superseded|ersetzt|ungultig|hinfallig|rejet",
        "void",
    ),
    (
        "reopen|wiedereroffnet|not closed|nicht erledigt|unbeantwortet|unanswered|unresolved|\
         teilweise|partial",
        "open",
    ),
    (
        "closed|geschlossen|erledigt|abgeschlossen|ferme|clos|cloture|regle|chius|complet|\
         conclus|resolved|resolu|risolt|done|gelost|evas|termin",
        "closed",
    ),
    ("answered|beantwortet|respond|repond|repons|rispost|replied|antwort erhalten", "answered"),
    (
        "open|offen|ouvert|apert|pending|pendent|hangig|in bearbeitung|in arbeit|en cours|\
         in corso|in progress|en attente|in attesa|in sospeso|outstanding|overdue|uberfallig|\
         submitted|eingereicht|draft|entwurf|brouillon|bozza|new|neu|nouveau|nuov|active|aktiv|\
         actif|attiv|assigned|zugewiesen|forwarded|weitergeleitet|in review|in prufung|awaiting|\
         wartend|sent|gesendet|gestellt",
        "open",
    ),
];

/// `open`, `answered`, `closed`, `void`, or empty where the words are not known.
pub(super) fn state(status: &str) -> &'static str {
    let text = plain(status);
    let find = |meant: &dyn Fn(&str) -> bool| {
        WORDS.iter().find(|(words, _)| words.split('|').any(meant)).map(|(_, state)| *state)
    };
    let inside = |word: &str| word.len() >= 4 && text.contains(&format!(" {word}"));
    find(&|word| text.starts_with(word)).or_else(|| find(&inside)).unwrap_or("")
}

#[cfg(test)]
mod tests {
    use super::state;

    #[test]
    fn four_languages() {
        let cases = [
            ("Offen", "open"),
            ("In Bearbeitung", "open"),
            ("Überfällig", "open"),
            ("Beantwortet", "answered"),
            ("Erledigt", "closed"),
            ("Fermé", "closed"),
            ("Ouvert", "open"),
            ("Répondu", "answered"),
            ("Chiusa", "closed"),
            ("Aperto", "open"),
            ("Risposto", "answered"),
            ("Closed-Out", "closed"),
            ("Open", "open"),
            ("Responded", "answered"),
            ("Storniert", "void"),
            ("Annulé", "void"),
            ("Unbeantwortet", "open"),
            ("Reopened", "open"),
            ("xyz", ""),
            ("", ""),
        ];
        for (words, expected) in cases {
            assert_eq!(state(words), expected, "{words}");
        }
    }
}
