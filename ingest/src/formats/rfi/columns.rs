//! Column headers of registers in four languages.

use unicode_normalization::UnicodeNormalization;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(super) enum Field {
    Number,
    Revision,
    Subject,
    Question,
    Answer,
    OfficialAnswer,
    Suggestion,
    AnswerAuthor,
    AnswerDate,
    Status,
    Priority,
    Discipline,
    Created,
    Due,
    Closed,
    Author,
    AuthorOrganisation,
    Assignee,
    AssigneeOrganisation,
    /// Drawings, documents, rooms, specification sections.
    Reference,
    Element,
}

use Field::*;

/// Headers as [`plain`] writes them, parted by bars. A header that is not here is kept by its own name.
const HEADERS: &[(Field, &str)] = &[
    (
        Number,
        "number|no|nr|nummer|rfi|rfi no|rfi nr|rfi number|rfi nummer|rfi id|id|lfd nr|laufnummer|\
         anfrage nr|anfragenummer|frage nr|numero|n|no rfi|numero rfi|n rfi|numero della richiesta|\
         numero richiesta|numero de la demande|no de la demande|mail number|custom identifier|\
         customidentifier|identifier|pos|pendenz nr",
    ),
    (Revision, "rev|revision|revisione|index|indice|version"),
    (
        Subject,
        "subject|title|betreff|titel|thema|gegenstand|objet|sujet|titre|oggetto|titolo|\
         kurzbeschrieb|kurzbeschreibung|rfi subject|rfi title",
    ),
    (
        Question,
        "question|frage|fragestellung|anfrage|anfragetext|frage text|beschreibung der frage|\
         demande|demande d information|domanda|richiesta|quesito|question text|rfi question|\
         request|problem|information requested|description of rfi|description de la demande|\
         question de l entreprise|pendenz",
    ),
    (
        OfficialAnswer,
        "official response|official answer|officialresponse|offizielle antwort|reponse officielle|\
         risposta ufficiale",
    ),
    (
        Answer,
        "answer|answers|response|responses|antwort|antworten|stellungnahme|reponse|reponses|\
         risposta|risposte|reply|rfi response|antwort planer|antwort text|resolution",
    ),
    (
        Suggestion,
        "suggestion|suggested answer|suggestedanswer|proposed solution|vorschlag|losungsvorschlag|\
         proposition|proposition de solution|proposta|soluzione proposta|suggestion answer",
    ),
    (
        AnswerAuthor,
        "answered by|responded by|response by|beantwortet durch|beantwortet von|antwort von|\
         antwort durch|repondu par|reponse de|reponse par|risposto da|risposta di",
    ),
    (
        AnswerDate,
        "answered on|responded on|response date|date answered|beantwortet am|antwort am|\
         antwortdatum|datum antwort|repondu le|date de reponse|date reponse|risposto il|\
         data risposta|data della risposta|answer marked on|date responded",
    ),
    (Status, "status|state|stand|zustand|statut|etat|stato|rfi status|mail status"),
    (Priority, "priority|prioritat|priorite|priorita|dringlichkeit|urgence|urgenza|prio"),
    (
        Discipline,
        "discipline|disziplin|trade|gewerk|fachbereich|bkp|fach|domaine|corps de metier|lot|\
         disciplina|specialita|category|kategorie|categorie|categoria|cfc",
    ),
    (
        Created,
        "created|created date|created on|created at|createdat|date created|date initiated|\
         initiated|sent|date sent|sent date|date|datum|erstellt|erstellt am|gestellt am|eingang|\
         eingangsdatum|eingereicht am|datum frage|anfragedatum|date de la demande|date de creation|\
         cree le|pose le|emis le|data|data creazione|data richiesta|creato il|data di creazione|\
         inviato il|received date|date received|date submitted|erfasst am|date d emission|\
         data domanda|ausgestellt am",
    ),
    (
        Due,
        "due|due by|due date|duedate|date due|required by|frist|fallig|fallig am|falligkeit|termin|\
         antwort bis|beantworten bis|zu beantworten bis|zieltermin|antwortfrist|echeance|delai|\
         a repondre jusqu au|date limite|date d echeance|scadenza|termine|entro il|\
         da evadere entro|response due|response required by|reponse jusqu au|reponse attendue le",
    ),
    (
        Closed,
        "closed|closed date|closed on|date closed|geschlossen am|erledigt am|abgeschlossen am|\
         clos le|cloture le|date de cloture|chiuso il|data chiusura|data di chiusura|erledigt",
    ),
    (
        Author,
        "from|author|created by|createdby|asked by|raised by|submitted by|received from|\
         gestellt von|gestellt durch|fragesteller|absender|von|ersteller|erstellt von|verfasser|de|\
         auteur|demandeur|pose par|emis par|emetteur|autore|richiedente|da|mittente|from user|\
         anfrage von|demande par|creato da|unternehmer",
    ),
    (
        AuthorOrganisation,
        "from organization|from organisation|from company|firma fragesteller|\
         responsible contractor|entreprise|firma|impresa|firma von",
    ),
    (
        Assignee,
        "to|assignee|assignees|assigned to|assignedto|ball in court|responsible|zustandig|\
         verantwortlich|zuhanden|empfanger|an|adressat|antwort durch wen|zugewiesen an|responsable|\
         destinataire|attribue a|a|responsabile|destinatario|assegnato a|to user|rfi manager|\
         beantworter",
    ),
    (
        AssigneeOrganisation,
        "to organization|to organisation|to company|ball in court organization|firma an|\
         firma empfanger",
    ),
    (
        Reference,
        "drawing ref|drawing reference|drawing number|drawing no|drawings|linked drawings|drawing|\
         spec section|specsection|specification|reference|references|location|room|plan|plan nr|\
         plannummer|planbezug|plane|bezug|verweis|unterlage|unterlagen|dokument|ort|raum|bauteil|\
         norm|ort bauteil|raum bauteil|piece|local|lieu|document|documents|plan no|plans|\
         no de plan|numero de plan|riferimento|riferimenti|piano|locale|documento|luogo|tavola|\
         grundlage|betroffene plane",
    ),
    (
        Element,
        "globalid|global id|ifc guid|ifcguid|guid|ifc globalid|element|elemente|ifc element|\
         elements|elemento|elementi|element id|bauteil guid|bauteil globalid|bauteil id",
    ),
];

/// Lower case, without accents and punctuation, single spaces.
pub(super) fn plain(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.nfd().filter(|c| !('\u{300}'..='\u{36f}').contains(c)) {
        match c {
            'ß' => out.push_str("ss"),
            'º' | '°' => {}
            c if c.is_alphanumeric() => out.extend(c.to_lowercase()),
            _ if !out.ends_with(' ') => out.push(' '),
            _ => {}
        }
    }
    out.trim().to_string()
}

/// What a header names; without a match, the part before a bracket or a slash is tried.
pub(super) fn field(header: &str) -> Option<Field> {
    let find = |text: &str| {
        let text = plain(text);
        HEADERS.iter().find(|(_, names)| names.split('|').any(|n| n == text)).map(|(field, _)| *field)
    };
    find(header).or_else(|| {
        let short = header.split(['(', '/', '\n', '[']).next().unwrap_or(header);
        if short.len() < header.len() { find(short) } else { None }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headers_in_four_languages() {
        let cases = [
            ("RFI-Nr.", Some(Number)),
            ("N°", Some(Number)),
            ("Betreff", Some(Subject)),
            ("Objet", Some(Subject)),
            ("Frage / Sachverhalt", Some(Question)),
            ("Réponse", Some(Answer)),
            ("Risposta", Some(Answer)),
            ("Fällig am", Some(Due)),
            ("Échéance", Some(Due)),
            ("Scadenza", Some(Due)),
            ("Stato", Some(Status)),
            ("Ball In Court", Some(Assignee)),
            ("Erstellt am (Datum)", Some(Created)),
            ("IFC-GUID", Some(Element)),
            ("Kostenfolge CHF", None),
            ("", None),
        ];
        for (header, expected) in cases {
            assert_eq!(field(header), expected, "{header}");
        }
    }
}
