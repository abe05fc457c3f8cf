//! The record of processing activities (FADP 12, paragraph 2, letters a to g), from what the configuration says.

use crate::report::{CatalogFacts, Lang};

/// One row for each letter: letter, what the law asks for, what the firm states. What it does not state is said to be
/// missing; the firm completes it.
pub(super) fn csv(facts: &CatalogFacts, lang: Lang) -> String {
    let missing = match lang {
        Lang::De => "nicht angegeben",
        Lang::Fr => "non indiqué",
        Lang::It => "non indicato",
        Lang::En => "not stated",
    };
    let joined = |parts: &[Option<String>]| {
        let there: Vec<&str> =
            parts.iter().flatten().map(String::as_str).filter(|t| !t.trim().is_empty()).collect();
        if there.is_empty() { missing.to_owned() } else { there.join("; ") }
    };
    let list = |values: &[String]| (!values.is_empty()).then(|| values.join(", "));
    let abroad = facts.abroad.as_deref().map(|countries| match (countries.is_empty(), lang) {
        (false, _) => countries.join(", "),
        (true, Lang::De) => "keine".to_owned(),
        (true, Lang::Fr) => "aucun".to_owned(),
        (true, Lang::It) => "nessuno".to_owned(),
        (true, Lang::En) => "none".to_owned(),
    });
    let values = [
        joined(&[facts.firm.clone(), facts.controller.clone(), facts.contact.clone()]),
        joined(std::slice::from_ref(&facts.purpose)),
        joined(&[list(&facts.person_categories), list(&facts.data_categories)]),
        joined(&[list(&facts.recipients)]),
        joined(std::slice::from_ref(&facts.retention)),
        measures(lang).to_owned(),
        joined(&[abroad]),
    ];
    let mut out = String::from("\u{feff}");
    for ((letter, label), value) in ('a'..='g').zip(labels(lang)).zip(values) {
        let cell = |text: &str| format!("\"{}\"", text.replace('"', "\"\"").replace(['\r', '\n'], " "));
        out.push_str(&format!("{letter};{};{}\r\n", cell(label), cell(&value)));
    }
    out
}

fn labels(lang: Lang) -> [&'static str; 7] {
    match lang {
        Lang::De => [
            "Identität des Verantwortlichen",
            "Bearbeitungszweck",
            "Kategorien betroffener Personen und bearbeiteter Personendaten",
            "Kategorien der Empfängerinnen und Empfänger",
            "Aufbewahrungsdauer",
            "Massnahmen zur Datensicherheit",
            "Staaten, in die Daten bekanntgegeben werden, und Garantien",
        ],
        Lang::Fr => [
            "Identité du responsable du traitement",
            "Finalité du traitement",
            "Catégories de personnes concernées et de données traitées",
            "Catégories de destinataires",
            "Délai de conservation",
            "Mesures de sécurité des données",
            "États où des données sont communiquées, et garanties",
        ],
        Lang::It => [
            "Identità del titolare del trattamento",
            "Scopo del trattamento",
            "Categorie di persone interessate e di dati trattati",
            "Categorie di destinatari",
            "Durata di conservazione",
            "Misure di sicurezza dei dati",
            "Stati in cui i dati sono comunicati, e garanzie",
        ],
        Lang::En => [
            "Identity of the controller",
            "Purpose of processing",
            "Categories of data subjects and of personal data",
            "Categories of recipients",
            "Retention period",
            "Measures of data security",
            "Countries that data is disclosed to, and guarantees",
        ],
    }
}

/// What the program does by itself for the security of data; parts stand between semicolons.
pub fn measures(lang: Lang) -> &'static str {
    match lang {
        Lang::De => {
            "Zugriffslisten vor jeder Suche; Passwörter mit argon2id; verschlüsselte Protokollinhalte; Protokoll, dessen \
             Änderung auffällt; Lesen fremder Dateien in abgeschotteten Prozessen; keine ausgehenden Verbindungen"
        }
        Lang::Fr => {
            "Listes d’accès avant toute recherche; mots de passe avec argon2id; contenus du journal chiffrés; journal \
             dont toute modification se voit; lecture des fichiers dans des processus isolés; aucune connexion sortante"
        }
        Lang::It => {
            "Liste d’accesso prima di ogni ricerca; password con argon2id; contenuti del registro cifrati; registro le \
             cui modifiche si vedono; lettura dei file in processi isolati; nessuna connessione in uscita"
        }
        Lang::En => {
            "Access lists before every search; passwords with argon2id; encrypted contents of the log; a log whose \
             changes show; files are read in closed processes; no outgoing connections"
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_a_to_g_are_there_and_none_is_empty() {
        let facts = CatalogFacts {
            firm: Some("Muster \"M\" AG".into()),
            abroad: Some(Vec::new()),
            ..CatalogFacts::default()
        };
        for lang in Lang::ALL {
            let text = csv(&facts, lang);
            let lines: Vec<&str> = text.trim_start_matches('\u{feff}').lines().collect();
            assert_eq!(lines.len(), 7);
            for (line, letter) in lines.iter().zip('a'..='g') {
                assert!(line.starts_with(letter) && !line.ends_with(";\"\""), "{line}");
            }
            assert!(lines[0].contains("Muster \"\"M\"\" AG"));
        }
        assert!(csv(&facts, Lang::De).contains("\"keine\""));
        assert!(csv(&CatalogFacts::default(), Lang::En).contains("\"not stated\""));
    }
}
