//! What in the configuration points to a high risk for persons (FADP 22): reasons to think of an impact assessment.
//!
//! Words are compared. What the documents themselves hold is for the firm to judge.

use crate::audit::Lang;
use crate::config::Config;

/// Beginnings of words that name sensitive data (FADP 5, letter c), or folders that usually hold some.
const SENSITIVE: &[&str] = &[
    "personalakt",
    "personaldoss",
    "personalwesen",
    "mitarbeiterdoss",
    "bewerb",
    "lohn",
    "gehalt",
    "gesundheit",
    "arztzeugnis",
    "krankheit",
    "unfallakt",
    "strafregister",
    "betreibung",
    "sozialhilfe",
    "religion",
    "gewerkschaft",
    "biometr",
    "genetisch",
    "health",
    "medical",
    "payroll",
    "salary",
    "salaries",
    "criminal",
    "personnel",
    "recruit",
    "santé",
    "médical",
    "salaire",
    "casier",
    "syndicat",
    "salute",
    "sanità",
    "salari",
    "stipend",
    "casellario",
    "sindacat",
    "candidatur",
];

/// Whole words that do.
const SENSITIVE_WORDS: &[&str] = &["hr", "personal", "rh", "suva", "iv"];

/// The reasons, in a language; none where nothing points to it.
pub(super) fn triggers(config: &Config, lang: Lang) -> Vec<String> {
    let mut out = Vec::new();
    if config.retention.article_4 {
        out.push(
            match lang {
                Lang::De => "retention.article_4 ist gesetzt: umfangreiche Bearbeitung besonders schützenswerter Daten",
                Lang::Fr => "retention.article_4 est activé: traitement de données sensibles à grande échelle",
                Lang::It => "retention.article_4 è attivo: trattamento su grande scala di dati degni di particolare protezione",
                Lang::En => "retention.article_4 is set: sensitive data on a large scale",
            }
            .to_owned(),
        );
    }
    if config.retention.high_risk {
        out.push(
            match lang {
                Lang::De => "retention.high_risk ist gesetzt: Nutzung mit hohem Risiko nach Anhang III",
                Lang::Fr => "retention.high_risk est activé: usage à haut risque selon l’annexe III",
                Lang::It => "retention.high_risk è attivo: uso ad alto rischio secondo l’allegato III",
                Lang::En => "retention.high_risk is set: a use of high risk under Annex III",
            }
            .to_owned(),
        );
    }
    for text in [&config.report.data_categories, &config.report.persons] {
        out.extend(sensitive(text).map(|word| named(lang, "report.data_categories, report.persons", word)));
    }
    for source in &config.sources {
        let folder = source.path.file_name().map(|n| n.to_string_lossy().into_owned()).unwrap_or_default();
        let project = source.project.clone();
        let text = format!("{} {folder} {project}", source.name);
        out.extend(sensitive(&text).map(|word| named(lang, &format!("source {}", source.name), word)));
    }
    out
}

fn named(lang: Lang, place: &str, word: String) -> String {
    match lang {
        Lang::De => format!("{place}: «{word}» deutet auf besonders schützenswerte Daten"),
        Lang::Fr => format!("{place}: «{word}» fait penser à des données sensibles"),
        Lang::It => format!("{place}: «{word}» fa pensare a dati degni di particolare protezione"),
        Lang::En => format!("{place}: “{word}” suggests sensitive data"),
    }
}

/// The first word of a text that names sensitive data.
fn sensitive(text: &str) -> Option<String> {
    let lower = text.to_lowercase();
    let words = lower.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
    words
        .into_iter()
        .find(|word| SENSITIVE_WORDS.contains(word) || SENSITIVE.iter().any(|start| word.starts_with(start)))
        .map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_and_categories_of_sensitive_data_are_noticed_and_buildings_are_not() {
        for text in [
            "HR",
            "Personalakten 2026",
            "lohn-buchhaltung",
            "Données de santé",
            "buste_salari",
            "Health records",
        ] {
            assert!(sensitive(text).is_some(), "{text}");
        }
        for text in [
            "Schulhaus Rosenmatt",
            "Spital Gesamtplanung",
            "Namen, Funktionen, Kontaktdaten",
            "Personenaufzug",
            "Chronik",
            "Strafanstalt Neubau",
        ] {
            assert_eq!(sensitive(text), None, "{text}");
        }
    }
}
