//! The fixed sentences of an answer, in four languages.

use ingest::Language;

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

/// The question asks for a count or a list, which passages cannot give exactly.
pub(super) fn not_exact(language: Language) -> &'static str {
    match language {
        Language::De => {
            "Fragen nach einer Anzahl oder nach einer vollständigen Liste kann Dossier noch nicht exakt \
             beantworten und gibt deshalb keine Zahl an. Die nächstliegenden Treffer stehen unten."
        }
        Language::Fr => {
            "Dossier ne peut pas encore répondre exactement aux questions qui demandent un nombre ou une \
             liste complète et ne donne donc pas de chiffre. Les résultats les plus proches figurent ci-dessous."
        }
        Language::It => {
            "Dossier non può ancora rispondere in modo esatto alle domande che chiedono una quantità o un \
             elenco completo e perciò non indica alcun numero. I risultati più vicini figurano qui sotto."
        }
        Language::En => {
            "Dossier cannot yet answer questions for a number of things or a complete list exactly and \
             therefore gives no figure. The nearest hits are listed below."
        }
    }
}
