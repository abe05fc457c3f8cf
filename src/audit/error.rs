//! Why the audit log could not do what was asked, and what a reader is told.

use compliance::annex::AnnexError;
use compliance::log::LogError;
use compliance::report::Lang;
use compliance::sheet::SheetError;

/// A failure of the audit log. Whoever wanted to record an event must refuse the work it stands for.
#[derive(Debug, thiserror::Error)]
pub enum AuditError {
    /// The log could not be opened, written or read.
    #[error(transparent)]
    Log(#[from] LogError),
    /// The one-page report could not be made.
    #[error(transparent)]
    Sheet(#[from] SheetError),
    /// The annex of the report could not be made.
    #[error(transparent)]
    Annex(#[from] AnnexError),
    /// The thread that wrote for this one ended without a result.
    #[error("the audit log's writer ended unexpectedly")]
    WriterLost,
}

impl AuditError {
    /// A stable code for pages and exit messages: `log_unavailable` (nothing can be recorded),
    /// `event_too_large`, `no_such_query`, `no_such_kind`, `not_confirmed` or `report_failed`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Log(LogError::TooLarge { .. }) => "event_too_large",
            Self::Log(LogError::NoQuery(_)) => "no_such_query",
            Self::Log(LogError::NoKind(_)) => "no_such_kind",
            Self::Log(LogError::Anchor(_)) => "not_confirmed",
            Self::Sheet(_) | Self::Annex(AnnexError::Pack(_)) => "report_failed",
            Self::Annex(AnnexError::Log(_)) => "log_unavailable",
            Self::Log(_) | Self::WriterLost => "log_unavailable",
        }
    }

    /// What the reader is told. It names no path and no content; the cause belongs in the program's own log.
    pub fn message(&self, lang: Lang) -> &'static str {
        let table = match self.code() {
            "event_too_large" => TOO_LARGE,
            "no_such_query" | "no_such_kind" => NO_QUERY,
            "report_failed" => REPORT,
            _ => UNAVAILABLE,
        };
        let [de, fr, it, en] = table;
        match lang {
            Lang::De => de,
            Lang::Fr => fr,
            Lang::It => it,
            Lang::En => en,
        }
    }
}

const UNAVAILABLE: [&str; 4] = [
    "Das Protokoll kann zurzeit nicht geschrieben werden. Ohne Protokoll gibt Dossier keine Auskunft. Bitte \
     benachrichtigen Sie die Administration.",
    "Le journal ne peut pas être écrit pour le moment. Sans journal, Dossier ne donne aucun renseignement. \
     Veuillez avertir l’administration.",
    "Al momento il registro non può essere scritto. Senza registro Dossier non fornisce informazioni. Avvisate \
     l’amministrazione.",
    "The audit log cannot be written at the moment. Without it Dossier gives no answers. Please tell your \
     administrator.",
];

const TOO_LARGE: [&str; 4] = [
    "Der Text ist zu lang, um protokolliert zu werden.",
    "Le texte est trop long pour être consigné.",
    "Il testo è troppo lungo per essere registrato.",
    "The text is too long to be recorded.",
];

const NO_QUERY: [&str; 4] = [
    "Diese Abfrage gibt es nicht.",
    "Cette requête n’existe pas.",
    "Questa interrogazione non esiste.",
    "There is no such query.",
];

const REPORT: [&str; 4] = [
    "Der Bericht konnte nicht erstellt werden.",
    "Le rapport n’a pas pu être établi.",
    "Non è stato possibile creare il rapporto.",
    "The report could not be made.",
];
