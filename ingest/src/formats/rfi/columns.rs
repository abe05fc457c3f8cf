//! Column headers of registers in four languages.

use unicode_normalization::UnicodeNormalization;

/// What a column holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) enum Field {
    Number,
    /// Identifier of the program, told from the number that people use.
    UniqueId,
    /// Identifier of the message that a row replies to.
    ParentId,
    Revision,
    Project,
    Kind,
    Subject,
    Question,
    Suggestion,
    Answer,
    OfficialAnswer,
    AnswerAuthor,
    AnswerDate,
    Status,
    Priority,
    Discipline,
    SpecSection,
    Location,
    Created,
    Due,
    Closed,
    Author,
    AuthorOrganisation,
    Assignee,
    AssigneeOrganisation,
    BallInCourt,
    BallInCourtOrganisation,
    Manager,
    Reviewer,
    Contractor,
    Copy,
    /// Whether a recipient is meant or only informed.
    RecipientKind,
    Cost,
    Schedule,
    Drawing,
    Reference,
    Attachment,
    Element,
}

use Field::*;

/// Fields with the name that mapping files use and the headers that are recognised, as [`plain`] writes
/// them, parted by bars. A header that is not here is kept by its own name.
const FIELDS: &[(Field, &str, &str)] = &[
    (
        Number,
        "number",
        "number|no|nr|nummer|rfi|rfi no|rfi nr|rfi number|rfi nummer|lfd nr|laufnummer|\
         anfrage nr|anfragenummer|frage nr|numero|n|no rfi|numero rfi|n rfi|numero della richiesta|\
         numero richiesta|numero de la demande|no de la demande|no demande|mail number|custom identifier|\
         customidentifier|identifier|pos|pendenz nr|rfi n|no d ordre|n progressivo|mail no",
    ),
    (
        UniqueId,
        "unique-id",
        "id|rfi id|unique id|mail unique id|mail id|uuid|guid|topic guid|record id|mailid",
    ),
    (ParentId, "parent-id", "parent id|parent mail id|in reply to|parent"),
    (Revision, "revision", "rev|revision|revisione|index|indice|version|rev no|rev nr"),
    (
        Project,
        "project",
        "project|project name|projekt|projektname|bauvorhaben|projet|nom du projet|progetto|\
         nome progetto|objekt",
    ),
    (
        Kind,
        "type",
        "type|typ|art|rfi type|mail type|anfrageart|type de demande|tipo|tipo di richiesta|art der anfrage",
    ),
    (
        Subject,
        "subject",
        "subject|title|betreff|titel|thema|gegenstand|objet|sujet|titre|oggetto|titolo|\
         kurzbeschrieb|kurzbeschreibung|rfi subject|rfi title|rfi name",
    ),
    (
        Question,
        "question",
        "question|frage|fragestellung|anfrage|anfragetext|frage text|beschreibung der frage|\
         demande|demande d information|domanda|richiesta|quesito|question text|rfi question|\
         request|problem|information requested|description of rfi|description de la demande|\
         question de l entreprise|pendenz|question body",
    ),
    (
        OfficialAnswer,
        "official-answer",
        "official response|official answer|officialresponse|offizielle antwort|reponse officielle|\
         risposta ufficiale",
    ),
    (
        Answer,
        "answer",
        "answer|answers|response|responses|antwort|antworten|stellungnahme|reponse|reponses|\
         risposta|risposte|reply|rfi response|antwort planer|antwort text|resolution|replies",
    ),
    (
        Suggestion,
        "suggestion",
        "suggestion|suggested answer|suggestedanswer|proposed solution|vorschlag|losungsvorschlag|\
         proposition|proposition de solution|proposta|soluzione proposta|suggestion answer|\
         proposed answer|antwortvorschlag|reponse proposee|risposta proposta",
    ),
    (
        AnswerAuthor,
        "answer-author",
        "answered by|responded by|response by|beantwortet durch|beantwortet von|antwort von|\
         antwort durch|repondu par|reponse de|reponse par|risposto da|risposta di",
    ),
    (
        AnswerDate,
        "answer-date",
        "answered on|answered at|answered|responded on|responded at|response date|date answered|\
         beantwortet am|antwort am|\
         antwortdatum|datum antwort|repondu le|date de reponse|date reponse|risposto il|\
         data risposta|data della risposta|answer marked on|date responded|date returned",
    ),
    (Status, "status", "status|state|stand|zustand|statut|etat|stato|rfi status|mail status|draft status"),
    (
        Priority,
        "priority",
        "priority|prioritat|priorite|priorita|dringlichkeit|urgence|urgenza|prio|urgent|is urgent",
    ),
    (
        Discipline,
        "discipline",
        "discipline|disciplines|disziplin|trade|gewerk|fachbereich|bkp|fach|domaine|corps de metier|lot|\
         disciplina|specialita|category|kategorie|categorie|categoria|cfc|fachrichtung",
    ),
    (
        SpecSection,
        "spec-section",
        "spec section|specsection|specification section|specification|spec|devisposition|npk|npk position|\
         lv position|position du devis|article du devis|capitolato|voce di capitolato|chapitre cfc",
    ),
    (
        Location,
        "location",
        "location|location description|room|ort|raum|ort bauteil|raum bauteil|piece|local|lieu|locale|luogo|\
         geschoss|etage|piano edificio|bauteil|emplacement|standort",
    ),
    (
        Created,
        "created",
        "created|created date|created on|created at|createdat|date created|date initiated|\
         initiated|sent|date sent|sent date|date|datum|erstellt|erstellt am|gestellt am|eingang|\
         eingangsdatum|eingereicht am|datum frage|anfragedatum|date de la demande|date de creation|\
         cree le|pose le|emis le|data|data creazione|data richiesta|creato il|data di creazione|\
         inviato il|received date|date received|date submitted|erfasst am|date d emission|\
         data domanda|ausgestellt am|opened at|initiated at|mail date",
    ),
    (
        Due,
        "due",
        "due|due by|due date|duedate|date due|required by|frist|fallig|fallig am|falligkeit|termin|\
         antwort bis|beantworten bis|zu beantworten bis|zieltermin|antwortfrist|echeance|delai|\
         a repondre jusqu au|date limite|date d echeance|scadenza|termine|entro il|\
         da evadere entro|response due|response required by|reponse jusqu au|reponse attendue le|\
         response due date|expected date",
    ),
    (
        Closed,
        "closed",
        "closed|closed date|closed on|closed at|date closed|geschlossen am|erledigt am|abgeschlossen am|\
         clos le|cloture le|date de cloture|chiuso il|data chiusura|data di chiusura|erledigt",
    ),
    (
        Author,
        "author",
        "from|author|created by|createdby|asked by|raised by|submitted by|received from|\
         gestellt von|gestellt durch|fragesteller|absender|von|ersteller|erstellt von|verfasser|de|\
         auteur|demandeur|pose par|emis par|emetteur|autore|richiedente|da|mittente|from user|\
         anfrage von|demande par|creato da|from name|sender",
    ),
    (
        AuthorOrganisation,
        "author-organisation",
        "from organization|from organisation|from company|firma fragesteller|\
         entreprise|firma|impresa|firma von|my organization|unternehmer|sender organization",
    ),
    (
        Assignee,
        "assignee",
        "to|assignee|assignees|assigned to|assignedto|responsible|zustandig|\
         verantwortlich|zuhanden|empfanger|an|adressat|antwort durch wen|zugewiesen an|responsable|\
         destinataire|attribue a|a|responsabile|destinatario|assegnato a|to user|\
         beantworter|recipient|to name",
    ),
    (
        AssigneeOrganisation,
        "assignee-organisation",
        "to organization|to organisation|to company|firma an|firma empfanger|recipient organization",
    ),
    (
        BallInCourt,
        "ball-in-court",
        "ball in court|ballincourt|bic|am zug|wer ist am zug|a qui de jouer|prossima azione|next action by|\
         aktion bei|balle dans le camp de",
    ),
    (
        BallInCourtOrganisation,
        "ball-in-court-organisation",
        "ball in court organization|ball in court organisation|ball in court company",
    ),
    (Manager, "manager", "rfi manager|manager|bauleitung|direction des travaux|direzione lavori|manager id"),
    (
        Reviewer,
        "reviewer",
        "reviewer|reviewers|reviewed by|reveiwed by|co reviewers|gepruft von|verifie par|verificato da|prufer",
    ),
    (
        Contractor,
        "contractor",
        "responsible contractor|contractor|entreprise responsable|impresa responsabile|zustandige unternehmung",
    ),
    (
        Copy,
        "copy",
        "distribution|distribution list|cc|copy to|verteiler|kopie|kopie an|distribuzione|copie a|copia a",
    ),
    (RecipientKind, "recipient-kind", "recipient type|empfangerart|type de destinataire|tipo destinatario"),
    (
        Cost,
        "cost-impact",
        "cost|cost impact|costimpact|impact cost|kosten|kostenfolge|kostenfolgen|kostenfolge chf|mehrkosten|\
         kostenauswirkung|couts|consequences financieres|impact financier|incidence financiere|costi|\
         impatto sui costi|incidenza costi|conseguenze sui costi|impact sur les couts",
    ),
    (
        Schedule,
        "schedule-impact",
        "schedule|schedule impact|scheduleimpact|impact schedule|time impact|terminfolge|terminfolgen|\
         terminauswirkung|delai supplementaire|impact delai|impact sur les delais|incidence delai|\
         impatto sui tempi|impatto sui termini|incidenza tempi|conseguenze sui termini",
    ),
    (
        Drawing,
        "drawing",
        "drawing ref|drawing reference|drawing number|drawing no|drawings|linked drawings|drawing|\
         plan|plan nr|plannummer|planbezug|plane|plan no|plans|no de plan|numero de plan|piano|tavola|\
         betroffene plane|linked document|zeichnung|zeichnungsnummer|numero tavola|sheet no|drawing refs",
    ),
    (
        Reference,
        "reference",
        "reference|references|bezug|verweis|unterlage|unterlagen|dokument|\
         norm|document|documents|riferimento|riferimenti|documento|grundlage|reference number",
    ),
    (
        Attachment,
        "attachment",
        "attachment|attachments|beilage|beilagen|anhang|anhange|anlage|anlagen|annexe|annexes|\
         piece jointe|pieces jointes|allegato|allegati|files|attached files",
    ),
    (
        Element,
        "element",
        "globalid|global id|ifc guid|ifcguid|ifc globalid|element|elemente|ifc element|\
         elements|elemento|elementi|element id|bauteil guid|bauteil globalid|bauteil id",
    ),
];

impl Field {
    /// The name that mapping files use.
    pub(crate) fn name(self) -> &'static str {
        FIELDS.iter().find(|(field, ..)| *field == self).map_or("", |(_, name, _)| name)
    }

    /// The field of this name.
    pub(crate) fn parse(name: &str) -> Option<Field> {
        FIELDS.iter().find(|(_, known, _)| *known == name).map(|(field, ..)| *field)
    }

    /// Names of all fields.
    pub(crate) fn names() -> impl Iterator<Item = &'static str> {
        FIELDS.iter().map(|(_, name, _)| *name)
    }
}

/// Lower case, without accents and punctuation, single spaces.
pub(crate) fn plain(text: &str) -> String {
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
        FIELDS.iter().find(|(.., headers)| headers.split('|').any(|h| h == text)).map(|(field, ..)| *field)
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
            ("Ball In Court", Some(BallInCourt)),
            ("Erstellt am (Datum)", Some(Created)),
            ("IFC-GUID", Some(Element)),
            ("Kostenfolge CHF", Some(Cost)),
            ("Impact sur les délais", Some(Schedule)),
            ("Spec Section", Some(SpecSection)),
            ("Plan-Nr.", Some(Drawing)),
            ("Pièces jointes", Some(Attachment)),
            ("custom_identifier", Some(Number)),
            ("Interne Bemerkung", None),
            ("", None),
        ];
        for (header, expected) in cases {
            assert_eq!(field(header), expected, "{header}");
        }
    }

    #[test]
    fn no_header_stands_for_two_fields_and_all_are_plain() {
        let mut seen = std::collections::BTreeMap::new();
        for (field, name, headers) in FIELDS {
            assert_eq!(Field::parse(name), Some(*field));
            for header in headers.split('|') {
                assert_eq!(plain(header), header, "{name}");
                assert_eq!(seen.insert(header, name), None, "{header} of {name}");
            }
        }
    }
}
