//! What people read at the top of a file.

use super::{AnswerFile, Origin};
use crate::report::Lang;

/// What stands above an answer.
pub(super) fn label(origin: &Origin) -> String {
    let model = origin.model.as_deref().unwrap_or("?");
    let by = match (origin.made_by.as_str(), origin.language) {
        ("model", Lang::De) => format!("Mit künstlicher Intelligenz erzeugt ({model}); jeder Satz gegen die Quellen geprüft. Massgebend sind die Quellen."),
        ("model", Lang::Fr) => format!("Généré par intelligence artificielle ({model}); chaque phrase comparée aux sources. Seules les sources font foi."),
        ("model", Lang::It) => format!("Generato con intelligenza artificiale ({model}); ogni frase confrontata con le fonti. Fanno stato le fonti."),
        ("model", Lang::En) => format!("Generated with artificial intelligence ({model}); every sentence checked against the sources. The sources are what counts."),
        ("extractive", Lang::De) => "Von einem KI-System ausgewählt: Sätze der Quellen, wörtlich; kein Sprachmodell hat geschrieben.".to_owned(),
        ("extractive", Lang::Fr) => "Choisi par un système d’IA: phrases des sources, mot pour mot; aucun modèle de langage n’a écrit.".to_owned(),
        ("extractive", Lang::It) => "Scelto da un sistema di IA: frasi delle fonti, parola per parola; nessun modello linguistico ha scritto.".to_owned(),
        ("extractive", Lang::En) => "Chosen by an AI system: sentences of the sources, word for word; no language model wrote.".to_owned(),
        ("query", Lang::De) => "Von einem KI-System gezählt oder aufgelistet; kein Sprachmodell hat geschrieben.".to_owned(),
        ("query", Lang::Fr) => "Compté ou listé par un système d’IA; aucun modèle de langage n’a écrit.".to_owned(),
        ("query", Lang::It) => "Contato o elencato da un sistema di IA; nessun modello linguistico ha scritto.".to_owned(),
        ("query", Lang::En) => "Counted or listed by an AI system; no language model wrote.".to_owned(),
        (_, Lang::De) => "Das KI-System hat keine Antwort gefunden.".to_owned(),
        (_, Lang::Fr) => "Le système d’IA n’a pas trouvé de réponse.".to_owned(),
        (_, Lang::It) => "Il sistema di IA non ha trovato alcuna risposta.".to_owned(),
        (_, Lang::En) => "The AI system found no answer.".to_owned(),
    };
    match publication(origin) {
        Some(text) => format!("{by} {text}"),
        None => by,
    }
}

/// What a text for the public says besides (AI Act 50(4)).
fn publication(origin: &Origin) -> Option<String> {
    let reviewer = origin.reviewed_by.as_deref();
    Some(match (origin.publication, reviewer, origin.language) {
        (false, None, _) => return None,
        (_, Some(name), Lang::De) => format!("Redaktionell geprüft und verantwortet: {name}."),
        (_, Some(name), Lang::Fr) => format!("Relu et assumé par: {name}."),
        (_, Some(name), Lang::It) => format!("Riveduto e assunto da: {name}."),
        (_, Some(name), Lang::En) => format!("Reviewed under editorial responsibility by {name}."),
        (true, None, Lang::De) => {
            "Nicht redaktionell geprüft: bei einer Veröffentlichung bleibt diese Kennzeichnung stehen."
                .to_owned()
        }
        (true, None, Lang::Fr) => "Non relu: en cas de publication, cette mention reste en place.".to_owned(),
        (true, None, Lang::It) => {
            "Non riveduto: in caso di pubblicazione questa indicazione resta.".to_owned()
        }
        (true, None, Lang::En) => {
            "Not reviewed editorially: where it is published, this label stays.".to_owned()
        }
    })
}

/// Heading of the sources, and the words for a checked and an unchecked one.
pub(super) fn sources(lang: Lang) -> [&'static str; 3] {
    match lang {
        Lang::De => ["Quellen", "belegt", "nicht belegt"],
        Lang::Fr => ["Sources", "vérifié", "non vérifié"],
        Lang::It => ["Fonti", "verificato", "non verificato"],
        Lang::En => ["Sources", "verified", "not verified"],
    }
}

/// Where the answer came from, in one line for the foot of pages.
pub(super) fn foot(file: &AnswerFile) -> String {
    let origin = &file.origin;
    format!("{} · {} · {}", origin.system, origin.made_by, origin.made.strftime("%Y-%m-%dT%H:%MZ"))
}
