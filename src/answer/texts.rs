//! The fixed sentences of an answer, in four languages.

use ingest::Language;

use super::query::Reply;

/// Nothing relevant was found.
pub(super) fn nothing_found(language: Language) -> &'static str {
    match language {
        Language::De => {
            "In den Unterlagen, die Sie einsehen dürfen, wurde zu dieser Frage nichts Passendes gefunden. \
             Die nächstliegenden Treffer stehen unten."
        }
        Language::Fr => {
            "Aucun passage pertinent n’a été trouvé pour cette question dans les documents que vous pouvez \
             consulter. Les résultats les plus proches figurent ci-dessous."
        }
        Language::It => {
            "Nei documenti che potete consultare non è stato trovato nulla di pertinente a questa domanda. \
             I risultati più vicini figurano qui sotto."
        }
        Language::En => {
            "Nothing relevant to this question was found in the documents that you may see. \
             The nearest hits are listed below."
        }
    }
}

/// The reader is on no access list.
pub(super) fn nothing_permitted(language: Language) -> &'static str {
    match language {
        Language::De => "Ihnen ist noch kein Projekt freigegeben; deshalb wurde nichts durchsucht.",
        Language::Fr => "Aucun projet ne vous est encore ouvert ; rien n’a donc été parcouru.",
        Language::It => "Nessun progetto vi è ancora stato aperto; perciò non è stato cercato nulla.",
        Language::En => "No project has been opened to you yet; therefore nothing was searched.",
    }
}

/// What the reader may see holds no document yet.
pub(super) fn nothing_read(language: Language) -> &'static str {
    match language {
        Language::De => "In den Projekten, die Sie einsehen dürfen, ist noch kein Dokument eingelesen.",
        Language::Fr => "Aucun document n’a encore été lu dans les projets que vous pouvez consulter.",
        Language::It => "Nei progetti che potete consultare non è ancora stato letto alcun documento.",
        Language::En => "No document has been read yet in the projects that you may see.",
    }
}

/// Why a question for a count or a list is not answered; `None` where it is no such question.
pub(super) fn not_counted(reply: &Reply, language: Language) -> Option<String> {
    let (parts, there) = match reply {
        Reply::Unread(parts) => (parts.join("», «"), None),
        Reply::Absent(what, there) => (what.clone(), Some(there.join(", "))),
        Reply::Table(_) | Reply::Values(_) | Reply::No => return None,
    };
    let lead = match (language, there.is_some(), parts.is_empty()) {
        (Language::De, false, false) => format!("Die Frage zählt oder listet etwas, aber «{parts}» ist nicht verstanden. Geraten wird nicht."),
        (Language::De, false, true) => "Die Frage zählt oder listet etwas, aber was, ist nicht verstanden. Geraten wird nicht.".into(),
        (Language::De, true, _) => format!("In den Modellen und Registern, die Sie einsehen dürfen, gibt es «{parts}» nicht."),
        (Language::Fr, false, false) => format!("La question compte ou énumère quelque chose, mais «{parts}» n’a pas été compris. Aucun chiffre n’est deviné."),
        (Language::Fr, false, true) => "La question compte ou énumère quelque chose, mais quoi n’a pas été compris. Aucun chiffre n’est deviné.".into(),
        (Language::Fr, true, _) => format!("Les modèles et registres que vous pouvez consulter ne contiennent pas «{parts}»."),
        (Language::It, false, false) => format!("La domanda conta o elenca qualcosa, ma «{parts}» non è stato capito. Non si indovina alcun numero."),
        (Language::It, false, true) => "La domanda conta o elenca qualcosa, ma non è stato capito che cosa. Non si indovina alcun numero.".into(),
        (Language::It, true, _) => format!("I modelli e i registri che potete consultare non contengono «{parts}»."),
        (Language::En, false, false) => format!("The question counts or lists something, but “{}” was not understood. Nothing is guessed.", parts.replace("», «", "”, “")),
        (Language::En, false, true) => "The question counts or lists something, but what was not understood. Nothing is guessed.".into(),
        (Language::En, true, _) => format!("The models and registers that you may see hold no “{parts}”."),
    };
    let known = there.filter(|t| !t.is_empty()).map(|t| {
        let word = match language {
            Language::De => "Vorhanden",
            Language::Fr => "Disponibles",
            Language::It => "Disponibili",
            Language::En => "Available",
        };
        format!(" {word}: {t}.")
    });
    let nearest = match language {
        Language::De => "Die nächstliegenden Treffer stehen unten.",
        Language::Fr => "Les résultats les plus proches figurent ci-dessous.",
        Language::It => "I risultati più vicini figurano qui sotto.",
        Language::En => "The nearest hits are listed below.",
    };
    Some(format!("{lead}{} {nearest}", known.unwrap_or_default()))
}
