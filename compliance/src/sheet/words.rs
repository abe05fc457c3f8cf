//! The fixed texts of the sheet. A missing translation does not compile.

use crate::report::Lang;

macro_rules! words {
    ($($name:ident: $de:literal, $fr:literal, $it:literal, $en:literal;)*) => {
        /// The texts of one language. `{}` stands for what is filled in.
        #[derive(Debug)]
        pub(super) struct Words { $(pub(super) $name: &'static str,)* }
        const DE: Words = Words { $($name: $de,)* };
        const FR: Words = Words { $($name: $fr,)* };
        const IT: Words = Words { $($name: $it,)* };
        const EN: Words = Words { $($name: $en,)* };
        /// Every text of every language, for tests.
        #[cfg(test)]
        pub(super) const ALL: &[&str] = &[$($de, $fr, $it, $en,)*];
    };
}

/// The texts in `lang`.
pub(super) fn words(lang: Lang) -> &'static Words {
    match lang {
        Lang::De => &DE,
        Lang::Fr => &FR,
        Lang::It => &IT,
        Lang::En => &EN,
    }
}

words! {
    title: "Nachweisblatt Datenschutz und KI", "Fiche protection des données et IA", "Scheda protezione dei dati e IA", "Data protection and AI record";
    subtitle: "Bundesgesetz über den Datenschutz (DSG) und KI-Verordnung der EU (KI-VO)", "Loi fédérale sur la protection des données (LPD) et règlement de l’UE sur l’IA", "Legge federale sulla protezione dei dati (LPD) e regolamento UE sull’IA", "Swiss Federal Act on Data Protection (FADP) and EU AI Act";
    s1: "Firma und Zeitraum", "Entreprise et période", "Impresa e periodo", "Firm and period";
    firm: "Firma", "Entreprise", "Impresa", "Firm";
    controller: "Verantwortliche Person", "Personne responsable", "Persona responsabile", "Responsible person";
    contact: "Kontakt", "Contact", "Contatto", "Contact";
    period: "Zeitraum", "Période", "Periodo", "Period";
    system: "System", "Système", "Sistema", "System";
    report_id: "Blatt-Nr.", "Fiche nº", "Scheda n.", "Sheet no.";
    counted: "Stand", "État au", "Stato al", "As of";
    s2: "Zweck und Einstufung", "Finalité et classification", "Scopo e classificazione", "Purpose and classification";
    purpose: "Zweck", "Finalité", "Scopo", "Purpose";
    role: "Rolle", "Rôle", "Ruolo", "Role";
    role_value: "Betreiber (KI-VO), Verantwortlicher (DSG)", "Déployeur (règlement IA), responsable du traitement (LPD)", "Deployer (regolamento IA), titolare del trattamento (LPD)", "Deployer (AI Act), controller (FADP)";
    task_answer: "Antworten", "Réponses", "Risposte", "Answers";
    task_embed: "Suche", "Recherche", "Ricerca", "Search";
    annex_iii: "Einstufung", "Classification", "Classificazione", "Classification";
    annex_iii_value: "Nicht Anhang III. Begründung: {}", "Hors annexe III. Motif: {}", "Fuori dall’allegato III. Motivo: {}", "Not Annex III. Reasons: {}";
    excluded: "Ausgeschlossen", "Exclu", "Escluso", "Excluded";
    reviewed: "Geprüft", "Vérifié", "Verificato", "Reviewed";
    s3: "Daten und Empfänger", "Données et destinataires", "Dati e destinatari", "Data and recipients";
    categories: "Daten", "Données", "Dati", "Data";
    persons: "Personen", "Personnes", "Persone", "Persons";
    place: "Ort", "Lieu", "Luogo", "Stored at";
    recipients: "Empfänger", "Destinataires", "Destinatari", "Recipients";
    abroad: "Ausland", "Étranger", "Estero", "Abroad";
    retention: "Aufbewahrung", "Conservation", "Conservazione", "Retention";
    stock: "Bestand", "Fonds", "Consistenza", "Holdings";
    documents_one: "{} Dokument", "{} document", "{} documento", "{} document";
    documents_many: "{} Dokumente", "{} documents", "{} documenti", "{} documents";
    in_projects_one: "{} in {} Projekt", "{} dans {} projet", "{} in {} progetto", "{} in {} project";
    in_projects_many: "{} in {} Projekten", "{} dans {} projets", "{} in {} progetti", "{} in {} projects";
    ingested: "Aufgenommen", "Ajoutés", "Acquisiti", "Ingested";
    removed: "Gelöscht", "Supprimés", "Eliminati", "Deleted";
    s4: "Modelle", "Modèles", "Modelli", "Models";
    model_changes: "Änderungen an Modellen", "Changements de modèles", "Modifiche ai modelli", "Changes to models";
    no_models: "Kein Sprach- oder Vektormodell im Einsatz", "Aucun modèle en service", "Nessun modello in uso", "No language or vector model in use";
    more_models_one: "{} weiteres Modell, siehe Anhang", "{} autre modèle, voir annexe", "{} altro modello, vedi allegato", "{} more model, see annex";
    more_models_many: "{} weitere Modelle, siehe Anhang", "{} autres modèles, voir annexe", "altri {} modelli, vedi allegato", "{} more models, see annex";
    no_licence: "Lizenz nicht angegeben", "licence non indiquée", "licenza non indicata", "licence not stated";
    s5: "Nutzung", "Utilisation", "Utilizzo", "Use";
    users: "Personen mit Aktivität", "Personnes actives", "Persone attive", "Active persons";
    questions: "Fragen", "Questions", "Domande", "Questions";
    searches: "Suchen", "Recherches", "Ricerche", "Searches";
    verified: "Antworten mit geprüften Belegen", "Réponses aux sources vérifiées", "Risposte con fonti verificate", "Answers with verified citations";
    abstained: "Antwort nicht gegeben", "Réponse non donnée", "Risposta non data", "Abstained";
    signed_off: "Von Personen freigegeben", "Approuvées par une personne", "Approvate da una persona", "Signed off by a person";
    negative: "Negative Rückmeldungen", "Retours négatifs", "Riscontri negativi", "Negative feedback";
    s6: "Zugriff", "Accès", "Accesso", "Access";
    logins: "Anmeldungen", "Connexions", "Accessi", "Sign-ins";
    failed_logins: "Abgewiesene Anmeldungen", "Connexions refusées", "Accessi rifiutati", "Refused sign-ins";
    opened: "Geöffnete Dokumente", "Documents ouverts", "Documenti aperti", "Documents opened";
    permissions: "Änderungen an Rechten", "Changements de droits", "Modifiche ai diritti", "Changes to rights";
    exports: "Exporte", "Exportations", "Esportazioni", "Exports";
    log_reads: "Einsichten ins Protokoll", "Consultations du journal", "Consultazioni del registro", "Reads of the log";
    s7: "Netz", "Réseau", "Rete", "Network";
    blocked: "Blockierte Verbindungen", "Connexions bloquées", "Connessioni bloccate", "Blocked connections";
    egress: "Letzter Abflusstest", "Dernier test de fuite", "Ultimo test di uscita", "Last egress test";
    egress_value_one: "{}: {} von {} Versuch abgewiesen; {}; {}", "{}: {} de {} tentative refusée; {}; {}", "{}: {} di {} tentativo respinto; {}; {}", "{}: {} of {} attempt refused; {}; {}";
    egress_value_many: "{}: {} von {} Versuchen abgewiesen; {}; {}", "{}: {} de {} tentatives refusées; {}; {}", "{}: {} di {} tentativi respinti; {}; {}", "{}: {} of {} attempts refused; {}; {}";
    flows: "Erlaubte Verbindungen", "Connexions permises", "Connessioni permesse", "Permitted connections";
    s8: "Rechte und Vorfälle", "Droits et incidents", "Diritti e incidenti", "Rights and incidents";
    requests: "Begehren eingegangen", "Demandes reçues", "Richieste ricevute", "Requests received";
    closed: "Erledigt, Median der Tage", "Traitées, jours (médiane)", "Evase, giorni (mediana)", "Closed, median days";
    overdue: "Überfällig", "En retard", "Scadute", "Overdue";
    erasures: "Löschungen, vernichtete Schlüssel", "Effacements, clés détruites", "Cancellazioni, chiavi distrutte", "Erasures, keys destroyed";
    incidents: "Vorfälle, davon gemeldet", "Incidents, dont annoncés", "Incidenti, di cui notificati", "Incidents, reported";
    dpia: "Datenschutz-Folgenabschätzung", "Analyse d’impact", "Valutazione d’impatto", "Impact assessment";
    s9: "Protokoll-Integrität", "Intégrité du journal", "Integrità del registro", "Log integrity";
    size: "Einträge", "Entrées", "Voci", "Entries";
    size_value_one: "{}; {} Prüfpunkt", "{}; {} point de contrôle", "{}; {} punto di controllo", "{}; {} checkpoint";
    size_value_many: "{}; {} Prüfpunkte", "{}; {} points de contrôle", "{}; {} punti di controllo", "{}; {} checkpoints";
    root: "Wurzel", "Racine", "Radice", "Root";
    check: "Prüfung", "Vérification", "Verifica", "Checked";
    check_good: "{}, keine Abweichung", "{}, aucun écart", "{}, nessuno scostamento", "{}, no deviation";
    check_bad_one: "{}, {} Abweichung", "{}, {} écart", "{}, {} scostamento", "{}, {} deviation";
    check_bad_many: "{}, {} Abweichungen", "{}, {} écarts", "{}, {} scostamenti", "{}, {} deviations";
    gaps: "Lücken", "Lacunes", "Lacune", "Gaps";
    witness: "Gegenzeichnung", "Contreseing", "Controfirma", "Witness";
    timestamp: "Zeitstempel", "Horodatage", "Marca temp.", "Time stamp";
    qr_alt: "QR-Code mit Name, Grösse und Wurzel des Protokolls", "Code QR avec nom, taille et racine du journal", "Codice QR con nome, dimensione e radice del registro", "QR code with name, size and root of the log";
    s10: "Offen", "Points ouverts", "Punti aperti", "Open points";
    none_open: "Keine offenen Punkte festgestellt.", "Aucun point ouvert constaté.", "Nessun punto aperto riscontrato.", "No open points found.";
    more_open_one: "{} weiterer Punkt, siehe Anhang", "{} autre point, voir annexe", "{} altro punto, vedi allegato", "{} more point, see annex";
    more_open_many: "{} weitere Punkte, siehe Anhang", "{} autres points, voir annexe", "altri {} punti, vedi allegato", "{} more points, see annex";
    disclaimer: "Keine Zertifizierung, keine Rechtsberatung. Änderungen vor dem letzten extern aufbewahrten Prüfpunkt sind erkennbar; ein Zugriff danach mit Systemrechten ist nicht ausgeschlossen. Die Kürzel bei den Zahlen (U1, A1 …) nennen die Abfrage: «dossier audit list --query U1 {}» listet dieselben Einträge.", "Pas de certification, pas de conseil juridique. Les modifications antérieures au dernier point de contrôle conservé à l’extérieur sont décelables; un accès ultérieur avec droits système n’est pas exclu. Les sigles (U1, A1 …) désignent la requête: «dossier audit list --query U1 {}» liste les mêmes entrées.", "Nessuna certificazione, nessuna consulenza legale. Le modifiche anteriori all’ultimo punto di controllo conservato all’esterno sono riconoscibili; un accesso successivo con diritti di sistema non è escluso. Le sigle (U1, A1 …) indicano l’interrogazione: «dossier audit list --query U1 {}» elenca le stesse voci.", "No certification, no legal advice. Changes before the last checkpoint kept elsewhere are detectable; later access with system rights is not excluded. The codes beside the figures (U1, A1 …) name the query: “dossier audit list --query U1 {}” lists the same entries.";
    name: "Name", "Nom", "Nome", "Name";
    place_date: "Ort, Datum", "Lieu, date", "Luogo, data", "Place, date";
    signature: "Unterschrift", "Signature", "Firma", "Signature";
    not_measured: "nicht gemessen", "non mesuré", "non misurato", "not measured";
    not_stated: "nicht angegeben", "non indiqué", "non indicato", "not stated";
    none: "keine", "néant", "nessuno", "none";
    absent: "liegt nicht vor", "néant", "assente", "none";
    of: "{} von {}", "{} sur {}", "{} su {}", "{} of {}";
    below: "unter 5", "moins de 5", "meno di 5", "fewer than 5";
    see_annex: "siehe Anhang", "voir annexe", "vedi allegato", "see annex";
    o_missing: "Nicht angegeben: {}.", "Non indiqué: {}.", "Non indicato: {}.", "Not stated: {}.";
    o_problems_one: "Die Prüfung des Protokolls fand {} Abweichung.", "La vérification du journal a révélé {} écart.", "La verifica del registro ha rilevato {} scostamento.", "The check of the log found {} deviation.";
    o_problems_many: "Die Prüfung des Protokolls fand {} Abweichungen.", "La vérification du journal a révélé {} écarts.", "La verifica del registro ha rilevato {} scostamenti.", "The check of the log found {} deviations.";
    o_gaps_one: "Das Protokoll nennt {} Lücke oder Uhrensprung.", "Le journal signale {} lacune ou saut d’horloge.", "Il registro segnala {} lacuna o salto d’orologio.", "The log reports {} gap or clock jump.";
    o_gaps_many: "Das Protokoll nennt {} Lücken oder Uhrensprünge.", "Le journal signale {} lacunes ou sauts d’horloge.", "Il registro segnala {} lacune o salti d’orologio.", "The log reports {} gaps or clock jumps.";
    o_since: "Das Protokoll beginnt erst am {}; davor wurde nichts aufgezeichnet.", "Le journal ne commence que le {}; rien n’a été consigné avant.", "Il registro inizia solo il {}; prima non è stato registrato nulla.", "The log begins only on {}; nothing was recorded before.";
    o_nothing: "Im Zeitraum bestand kein Protokoll.", "Aucun journal n’existait durant la période.", "Nel periodo non esisteva alcun registro.", "There was no log in the period.";
    o_egress: "Kein Abflusstest ausgeführt.", "Aucun test de fuite effectué.", "Nessun test di uscita eseguito.", "No egress test was run.";
    o_egress_failed_one: "Beim Abflusstest kam {} Versuch durch.", "Lors du test de fuite, {} tentative a abouti.", "Nel test di uscita {} tentativo è riuscito.", "In the egress test {} attempt got through.";
    o_egress_failed_many: "Beim Abflusstest kamen {} Versuche durch.", "Lors du test de fuite, {} tentatives ont abouti.", "Nel test di uscita {} tentativi sono riusciti.", "In the egress test {} attempts got through.";
    o_overdue_one: "{} Begehren ist überfällig.", "{} demande est en retard.", "{} richiesta è scaduta.", "{} request is overdue.";
    o_overdue_many: "{} Begehren sind überfällig.", "{} demandes sont en retard.", "{} richieste sono scadute.", "{} requests are overdue.";
    o_witness: "Keine Gegenzeichnung durch eine andere Stelle.", "Aucun contreseing par un tiers.", "Nessuna controfirma di terzi.", "No countersignature by anyone else.";
    o_timestamp: "Kein qualifizierter Zeitstempel.", "Aucun horodatage qualifié.", "Nessuna marca temporale qualificata.", "No qualified time stamp.";
    o_dpia: "Keine Datenschutz-Folgenabschätzung erfasst.", "Aucune analyse d’impact saisie.", "Nessuna valutazione d’impatto registrata.", "No impact assessment on file.";
    o_unmeasured: "Nicht gemessen: {}.", "Non mesuré: {}.", "Non misurato: {}.", "Not measured: {}.";
    o_unverified_one: "{} Antwort ohne vollständig geprüfte Belege.", "{} réponse sans sources entièrement vérifiées.", "{} risposta senza fonti interamente verificate.", "{} answer without fully verified citations.";
    o_unverified_many: "{} Antworten ohne vollständig geprüfte Belege.", "{} réponses sans sources entièrement vérifiées.", "{} risposte senza fonti interamente verificate.", "{} answers without fully verified citations.";
}
