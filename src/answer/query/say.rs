//! What a query was understood as, in the reader's language.

use ingest::{Kind, Language};

use super::lexicon::{CLASSES, Form, Key, Thing};
use super::period::Period;
use super::request::By;
use crate::catalog::{DateField, Measure, PersonField, Range};

/// Of four wordings (German, French, Italian, English) the reader's.
pub(super) fn of(language: Language, wordings: [&str; 4]) -> &str {
    let at = Language::ALL.iter().position(|l| *l == language).unwrap_or(0);
    wordings.get(at).copied().unwrap_or_default()
}

/// What is counted.
pub(super) fn thing(thing: Thing, l: Language) -> String {
    let words = match thing {
        Thing::Record => ["RFI", "RFI", "RFI", "RFIs"],
        Thing::Document(None) => ["Dokumente", "Documents", "Documenti", "Documents"],
        Thing::Document(Some(Kind::Pdf)) => {
            ["PDF-Dokumente", "Documents PDF", "Documenti PDF", "PDF documents"]
        }
        Thing::Document(Some(Kind::Ifc)) => ["Modelle", "Modèles", "Modelli", "Models"],
        Thing::Document(Some(Kind::Mail)) => ["E-Mails", "E-mails", "E-mail", "E-mails"],
        Thing::Document(Some(Kind::Sheet)) => ["Tabellen", "Tableurs", "Fogli di calcolo", "Spreadsheets"],
        Thing::Document(Some(Kind::Image)) => ["Bilder", "Images", "Immagini", "Images"],
        Thing::Document(Some(_)) => ["Dokumente", "Documents", "Documenti", "Documents"],
        Thing::Plan => ["Pläne", "Plans", "Tavole", "Plans"],
        Thing::Project => ["Projekte", "Projets", "Progetti", "Projects"],
        Thing::Storey => ["Geschosse", "Étages", "Piani", "Storeys"],
        Thing::Building => ["Gebäude", "Bâtiments", "Edifici", "Buildings"],
        Thing::Material => ["Materialien", "Matériaux", "Materiali", "Materials"],
        Thing::Type => ["Typen", "Types", "Tipi", "Types"],
        Thing::Element(at) => CLASSES.get(at).map_or([""; 4], |(_, _, names)| *names),
    };
    of(l, words).to_owned()
}

/// The revision of a plan.
pub(super) fn revision(l: Language) -> &'static str {
    of(l, ["Revision", "révision", "revisione", "revision"])
}

/// What is measured.
pub(super) fn measure(measure: Measure, l: Language) -> String {
    let words = match measure {
        Measure::Area => ["Fläche", "Surface", "Superficie", "Area"],
        Measure::Volume => ["Volumen", "Volume", "Volume", "Volume"],
        Measure::Height => ["Höhe", "Hauteur", "Altezza", "Height"],
        Measure::Width => ["Breite", "Largeur", "Larghezza", "Width"],
        Measure::Length => ["Länge", "Longueur", "Lunghezza", "Length"],
        Measure::Thickness => ["Dicke", "Épaisseur", "Spessore", "Thickness"],
        Measure::Perimeter => ["Umfang", "Périmètre", "Perimetro", "Perimeter"],
        Measure::UValue => ["U-Wert", "Valeur U", "Valore U", "U-value"],
    };
    of(l, words).to_owned()
}

/// What is made of the measure.
pub(super) fn form(form: Form, l: Language) -> &'static str {
    let words = match form {
        Form::Count => ["Anzahl", "Nombre", "Numero", "Number"],
        Form::List => ["Liste", "Liste", "Elenco", "List"],
        Form::Sum => ["Summe", "Somme", "Somma", "Total"],
        Form::Mean => ["Mittelwert", "Moyenne", "Media", "Average"],
        Form::Max => ["grösster Wert", "plus grande valeur", "valore massimo", "largest value"],
        Form::Min => ["kleinster Wert", "plus petite valeur", "valore minimo", "smallest value"],
    };
    of(l, words)
}

/// A number as people write it here: at most three places, thousands parted.
pub(super) fn number(value: f64) -> String {
    let rounded = format!("{value:.3}");
    let (whole, places) = rounded.split_once('.').unwrap_or((&rounded, ""));
    let (sign, digits) = whole.strip_prefix('-').map_or(("", whole), |d| ("-", d));
    let mut parted = String::new();
    for (i, c) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) && digits.len() > 4 {
            parted.push('’');
        }
        parted.push(c);
    }
    let places = places.trim_end_matches('0');
    if places.is_empty() { format!("{sign}{parted}") } else { format!("{sign}{parted}.{places}") }
}

/// The bounds of a measure: `Fläche > 60 m²`.
pub(super) fn range(m: Measure, range: &Range, l: Language) -> String {
    let (name, unit) = (measure(m, l), m.unit());
    let n = number;
    match (range.from, range.to) {
        (Some(a), Some(b)) if a == b => format!("{name} = {} {unit}", n(a)),
        (Some(a), Some(b)) => format!("{name} {}–{} {unit}", n(a), n(b)),
        (Some(a), None) => format!("{name} {} {} {unit}", if range.open { ">" } else { "≥" }, n(a)),
        (None, Some(b)) => format!("{name} {} {} {unit}", if range.open { "<" } else { "≤" }, n(b)),
        (None, None) => name,
    }
}

/// A state of a request.
pub(super) fn state(state: &str, l: Language) -> String {
    let words = match state {
        "open" => ["offen", "ouvert", "aperta", "open"],
        "answered" => ["beantwortet", "répondu", "risposta data", "answered"],
        "closed" => ["geschlossen", "fermé", "chiusa", "closed"],
        "void" => ["annulliert", "annulé", "annullata", "void"],
        _ => ["ohne Angabe", "non précisé", "non indicato", "not stated"],
    };
    of(l, words).to_owned()
}

/// A condition that was turned round.
pub(super) fn not(text: &str, l: Language) -> String {
    format!("{} {text}", of(l, ["nicht", "non", "non", "not"]))
}

/// A period of a date.
pub(super) fn dated(field: DateField, period: &Period, l: Language) -> String {
    let name = match field {
        DateField::Created => ["erstellt", "créé", "creato", "created"],
        DateField::Due => ["fällig", "à échéance", "in scadenza", "due"],
        DateField::Answered => ["beantwortet", "répondu", "risposto", "answered"],
        DateField::Closed => ["geschlossen", "fermé", "chiuso", "closed"],
    };
    format!("{} {}", of(l, name), stretch(period, l))
}

/// A period: `2026-04-01 bis 2026-04-30`.
pub(super) fn stretch(period: &Period, l: Language) -> String {
    let (from, to, until) = (
        of(l, ["ab", "dès le", "dal", "from"]),
        of(l, ["bis", "jusqu’au", "fino al", "until"]),
        of(l, ["bis", "au", "al", "to"]),
    );
    match (&period.from, &period.to) {
        (Some(a), Some(b)) if a == b => day(a),
        (Some(a), Some(b)) => format!("{} {until} {}", day(a), day(b)),
        (Some(a), None) => format!("{from} {}", day(a)),
        (None, Some(b)) => format!("{to} {}", day(b)),
        (None, None) => String::new(),
    }
}

/// A day as it is written here: `30.04.2026`.
pub(super) fn day(iso: &str) -> String {
    match iso.split('-').collect::<Vec<_>>().as_slice() {
        [y, m, d] => format!("{d}.{m}.{y}"),
        [y, m] => format!("{m}.{y}"),
        _ => iso.to_owned(),
    }
}

/// Somebody's part.
pub(super) fn person(field: PersonField, l: Language) -> &'static str {
    of(
        l,
        match field {
            PersonField::Next => ["am Zug", "à l’action", "tocca a", "next to act"],
            PersonField::Author => ["gefragt von", "posé par", "posta da", "asked by"],
            PersonField::Assignee => ["gerichtet an", "adressé à", "indirizzata a", "addressed to"],
        },
    )
}

/// By what is grouped: `pro Geschoss`.
pub(super) fn by(by: By, l: Language) -> String {
    let words = match by {
        By::Thing(Thing::Storey) => ["Geschoss", "étage", "piano", "storey"],
        By::Thing(Thing::Type) => ["Typ", "type", "tipo", "type"],
        By::Thing(Thing::Material) => ["Material", "matériau", "materiale", "material"],
        By::Thing(Thing::Project) => ["Projekt", "projet", "progetto", "project"],
        By::Thing(Thing::Document(_)) | By::Key(Key::Document) => {
            ["Dokument", "document", "documento", "document"]
        }
        By::Thing(_) | By::Key(Key::Class) => ["Klasse", "classe", "classe", "class"],
        By::Key(Key::State) => ["Status", "statut", "stato", "status"],
        By::Key(Key::Discipline) => ["Fachbereich", "discipline", "disciplina", "discipline"],
        By::Key(Key::Priority) => ["Priorität", "priorité", "priorità", "priority"],
        By::Key(Key::Month) => ["Monat", "mois", "mese", "month"],
        By::Key(Key::Kind) => ["Art", "sorte", "genere", "kind"],
        By::Fire => ["Feuerwiderstand", "résistance au feu", "resistenza al fuoco", "fire rating"],
        By::Person(PersonField::Author) => ["Fragesteller", "auteur", "autore", "author"],
        By::Person(_) => ["Zuständigkeit", "responsable", "responsabile", "next to act"],
    };
    format!("{} {}", of(l, ["pro", "par", "per", "by"]), of(l, words))
}
