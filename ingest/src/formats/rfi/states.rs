//! What a status in the source's own words means.

use super::columns::plain;

/// Beginnings of words, most telling first.
const WORDS: &[(&str, &str)] = &[
    ("void", "void"),
    ("storniert", "void"),
    ("cancel", "void"),
    ("annul", "void"),
    ("zuruckgezogen", "void"),
    ("withdrawn", "void"),
    ("retire", "void"),
    ("ritirat", "void"),
    ("reject", "void"),
    ("abgelehnt", "void"),
    ("superseded", "void"),
    ("ersetzt", "void"),
    ("ungultig", "void"),
    ("hinfallig", "void"),
    ("rejet", "void"),
    ("reopen", "open"),
    ("wiedereroffnet", "open"),
    ("not closed", "open"),
    ("nicht erledigt", "open"),
    ("unbeantwortet", "open"),
    ("unanswered", "open"),
    ("unresolved", "open"),
    ("teilweise", "open"),
    ("partial", "open"),
    ("closed", "closed"),
    ("geschlossen", "closed"),
    ("erledigt", "closed"),
    ("abgeschlossen", "closed"),
    ("ferme", "closed"),
    ("clos", "closed"),
    ("cloture", "closed"),
    ("regle", "closed"),
    ("chius", "closed"),
    ("complet", "closed"),
    ("conclus", "closed"),
    ("resolved", "closed"),
    ("resolu", "closed"),
    ("risolt", "closed"),
    ("done", "closed"),
    ("gelost", "closed"),
    ("evas", "closed"),
    ("termin", "closed"),
    ("answered", "answered"),
    ("beantwortet", "answered"),
    ("respond", "answered"),
    ("repond", "answered"),
    ("repons", "answered"),
    ("rispost", "answered"),
    ("replied", "answered"),
    ("antwort erhalten", "answered"),
    ("open", "open"),
    ("offen", "open"),
    ("ouvert", "open"),
    ("apert", "open"),
    ("pending", "open"),
    ("pendent", "open"),
    ("hangig", "open"),
    ("in bearbeitung", "open"),
    ("in arbeit", "open"),
    ("en cours", "open"),
    ("in corso", "open"),
    ("in progress", "open"),
    ("en attente", "open"),
    ("in attesa", "open"),
    ("in sospeso", "open"),
    ("outstanding", "open"),
    ("overdue", "open"),
    ("uberfallig", "open"),
    ("submitted", "open"),
    ("eingereicht", "open"),
    ("draft", "open"),
    ("entwurf", "open"),
    ("brouillon", "open"),
    ("bozza", "open"),
    ("new", "open"),
    ("neu", "open"),
    ("nouveau", "open"),
    ("nuov", "open"),
    ("active", "open"),
    ("aktiv", "open"),
    ("actif", "open"),
    ("attiv", "open"),
    ("assigned", "open"),
    ("zugewiesen", "open"),
    ("forwarded", "open"),
    ("weitergeleitet", "open"),
    ("in review", "open"),
    ("in prufung", "open"),
    ("awaiting", "open"),
    ("wartend", "open"),
    ("sent", "open"),
    ("gesendet", "open"),
    ("gestellt", "open"),
];

/// `open`, `answered`, `closed`, `void`, or empty where the words are not known.
pub(super) fn state(status: &str) -> &'static str {
    let text = plain(status);
    let at_start = WORDS.iter().find(|(word, _)| text.starts_with(word));
    let inside = || WORDS.iter().find(|(word, _)| word.len() >= 4 && text.contains(&format!(" {word}")));
    at_start.or_else(inside).map_or("", |(_, state)| state)
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
