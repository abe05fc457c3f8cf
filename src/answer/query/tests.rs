//! Forms of questions in four languages over a small catalog whose contents are counted by hand.

use ingest::{Answer, Document, Element, ElementLink, Kind, Property, Quantity, Record, SpatialNode};

use super::*;
use crate::catalog::{FileStamp, NewVersion, Project};

/// Two projects; only the first may be seen.
pub(super) struct Firm {
    pub(super) catalog: Catalog,
    pub(super) ours: Project,
}

pub(super) fn add(catalog: &Catalog, project: &Project, path: &str, document: &Document) {
    let stamp = FileStamp { size: 1, mtime_ns: 1_775_000_000_000_000_000, ctime_ns: 1, inode: 1 };
    let new = NewVersion {
        source: "server",
        path,
        project: project.id,
        acl: project.acl,
        parent: None,
        version: "v-r1",
        embedder: None,
        sha256: "v",
        stamp,
        document,
        changes: None,
        chunks: &[],
    };
    let staged = catalog.stage(&new).unwrap();
    catalog.commit(&staged).unwrap();
}

const STOREYS: [&str; 4] = ["Untergeschoss", "Erdgeschoss", "1. Obergeschoss", "2. Obergeschoss"];

pub(super) fn property(value: &str) -> Property {
    Property { value: value.into(), unit: String::new() }
}

pub(super) fn quantity(value: f64, unit: &str) -> Quantity {
    Quantity { value, unit: unit.into() }
}

pub(super) fn element(n: usize, class: &str, name: &str, type_name: &str, storey: usize) -> Element {
    Element {
        global_id: format!("{class:_<18}{n:04}"),
        class: class.into(),
        name: name.into(),
        type_name: type_name.into(),
        storey: STOREYS[storey].into(),
        parents: vec!["haus-a".into(), format!("storey-{storey}")],
        ..Element::default()
    }
}

/// By storey from below: 2, 3, 4, 5 doors, each second one EI30 (the others none, one EI60-RF1 in the basement);
/// 2, 4, 6, 8 windows; 3 rooms each of 20, 60 and 80 m²; 2 walls each, the first load-bearing and external.
pub(super) fn model() -> Document {
    let mut d = Document::new(Kind::Ifc, "Modell Haus A");
    let node = |id: &str, class: &str, name: &str, parent: &str| SpatialNode {
        global_id: id.into(),
        class: class.into(),
        name: name.into(),
        parent: parent.into(),
        ..SpatialNode::default()
    };
    let mut house = node("haus-a", "IfcBuilding", "Haus A", "site");
    house.description = "Schulhaus".into();
    d.spatial.push(house);
    let mut n = 0;
    let mut next = || {
        n += 1;
        n
    };
    for (storey, name) in STOREYS.iter().enumerate() {
        d.spatial.push(node(&format!("storey-{storey}"), "IfcBuildingStorey", name, "haus-a"));
        for i in 0..storey + 2 {
            let name = format!("T-{storey}.{:02}", i + 1);
            let mut door = element(next(), "IfcDoor", &name, "TY-01 Holztür", storey);
            if i % 2 == 1 {
                door.compliance.insert("FireRating".into(), property("EI30"));
                door.type_name = "TY-02 Stahltür".into();
            } else if storey == 0 {
                door.compliance.insert("FireRating".into(), property("EI60-RF1"));
            }
            let set = std::iter::once(("Panikfunktion", property(if i == 0 { "true" } else { "false" })));
            door.properties.insert("Türliste", set.collect());
            d.elements.push(door);
        }
        for i in 0..2 * (storey + 1) {
            let name = format!("F-{storey}.{:02}", i + 1);
            let mut window = element(next(), "IfcWindow", &name, "FE-01 Holz-Metall-Fenster", storey);
            window
                .compliance
                .insert("ThermalTransmittance".into(), property(if i == 0 { "0.8" } else { "1.2" }));
            d.elements.push(window);
        }
        for (i, (area, long)) in
            [(20.0, "Lager"), (60.0, "Klassenzimmer"), (80.0, "Klassenzimmer")].iter().enumerate()
        {
            let mut room =
                element(next(), "IfcSpace", &format!("{storey}.{:02}", i + 1), "Nutzfläche", storey);
            room.description = (*long).into();
            // One model counts in square centimetres.
            let stated = if storey == 1 { quantity(area * 1e4, "cm2") } else { quantity(*area, "m2") };
            room.quantities.insert("NetFloorArea", stated);
            d.elements.push(room);
        }
        for i in 0..2 {
            let mut wall = element(next(), "IfcWallStandardCase", &format!("AW-0{}", i + 1), "Beton", storey);
            wall.compliance.insert("LoadBearing".into(), property(if i == 0 { "true" } else { "false" }));
            wall.compliance.insert("IsExternal".into(), property(if i == 0 { "true" } else { "false" }));
            wall.materials = vec!["Stahlbeton 0.25 m".into()];
            d.elements.push(wall);
        }
    }
    d
}

/// Requests 1 to 6: 1 and 2 open (1 overdue, high), 3 answered with an official answer, 4 and 5 closed (4 answered), 6
/// void; 2 was asked in May 2026, the others in April.
pub(super) fn register() -> Document {
    let mut d = Document::new(Kind::Rfi, "RFI-Register Bau");
    let states = [
        ("offen", "open"),
        ("offen", "open"),
        ("beantwortet", "answered"),
        ("geschlossen", "closed"),
        ("geschlossen", "closed"),
        ("annulliert", "void"),
    ];
    for (i, (status, state)) in states.iter().enumerate() {
        let answered = matches!(i, 2 | 3);
        d.records.push(Record {
            number: format!("RFI-{:03}", i + 1),
            subject: if i < 2 { "Sturz über Fenster".into() } else { "Kote Bodenplatte".into() },
            question: format!("Wie ist Punkt {} auszuführen?", i + 1),
            status: (*status).into(),
            state: (*state).into(),
            priority: if i == 0 { "hoch".into() } else { "mittel".into() },
            discipline: if i % 2 == 0 { "Baumeister".into() } else { "Elektro".into() },
            created: if i == 1 { "2026-05-04".into() } else { "2026-04-13".into() },
            due: if i == 0 { "2026-05-01".into() } else { "2026-12-24".into() },
            answered: if answered { "2026-04-20".into() } else { String::new() },
            author: "D. Probe (ING)".into(),
            assignee: "B. Beispiel (ARC)".into(),
            answers: if answered {
                vec![Answer { text: "Nach Plan.".into(), official: i == 2, ..Answer::default() }]
            } else {
                vec![]
            },
            elements: if i == 0 {
                vec![ElementLink { global_id: "x".into(), authoring_id: String::new() }]
            } else {
                vec![]
            },
            ..Record::default()
        });
    }
    d
}

impl Firm {
    fn new() -> Self {
        let catalog = Catalog::memory().unwrap();
        let ours = catalog.ensure_project("Rosenmatt").unwrap();
        let theirs = catalog.ensure_project("Tannenhof").unwrap();
        add(&catalog, &ours, "a.ifc", &model());
        // The same model under another name: what it holds is counted once.
        add(&catalog, &ours, "copy/a.ifc", &model());
        add(&catalog, &ours, "rfi/Register_Bau.csv", &register());
        add(&catalog, &ours, "notiz.pdf", &Document::new(Kind::Pdf, "Aktennotiz"));
        add(&catalog, &theirs, "geheim.ifc", &model());
        add(&catalog, &theirs, "geheim.csv", &register());
        Firm { catalog, ours }
    }

    pub(super) fn reply(&self, question: &str, language: Language) -> Reply {
        let scope = Scope::of([self.ours.acl]);
        let today = jiff::civil::date(2026, 6, 1);
        let asking =
            Asking { catalog: &self.catalog, scope: &scope, project: None, language, today, limit: 500 };
        asking.reply(question).unwrap()
    }
}

/// Question, and what it counts.
fn check(firm: &Firm, language: Language, forms: &[(&str, u64)]) {
    let mut wrong = Vec::new();
    for (question, expected) in forms {
        match firm.reply(question, language) {
            Reply::Table(t) if t.total == *expected => {}
            Reply::Table(t) => {
                wrong.push(format!("{question}: {} instead of {expected}, {:?}", t.total, t.understood))
            }
            other => wrong.push(format!("{question}: {other:?}")),
        }
    }
    assert!(wrong.is_empty(), "{} of {} wrong\n{}", wrong.len(), forms.len(), wrong.join("\n"));
}

#[test]
fn german_forms() {
    check(
        &Firm::new(),
        Language::De,
        &[
            ("Wie viele Türen gibt es?", 14),
            ("Wie viele Türen hat das Haus A?", 14),
            ("Wieviele Türen hat es im 2. OG?", 5),
            ("Anzahl Türen im Erdgeschoss", 3),
            ("Anzahl der Türen im EG", 3),
            ("Wie viele Türen befinden sich im ersten Obergeschoss von Haus A?", 4),
            ("Im 2. Obergeschoss hat es wie viele Fenster?", 8),
            ("Zähle die Fenster im Untergeschoss", 2),
            ("Liste alle EI30-Türen im 2. OG", 2),
            ("Liste alle Türen mit EI 30 im 2. OG auf", 2),
            ("Welche Türen müssen EI60 erfüllen?", 1),
            ("Welche Türen haben mindestens EI30?", 7),
            ("Welche Türen im 1. OG sind EI30?", 2),
            ("Zeige mir alle Brandschutztüren", 7),
            ("Türen mit Feuerwiderstand EI30", 6),
            ("EI30 Türen 2. OG", 2),
            ("Welche Räume sind grösser als 60 m²?", 4),
            ("Welche Räume haben mehr als 60 Quadratmeter?", 4),
            ("Räume ab 60 m2", 8),
            ("Räume über 60 m²", 4),
            ("Welche Räume haben mindestens 60 m²?", 8),
            ("Räume zwischen 15 und 30 m² auflisten", 4),
            ("Welche Zimmer sind kleiner als 25 m²?", 4),
            ("Räume mit einer Fläche von 60 m² und mehr", 8),
            ("Welche Räume im EG sind Klassenzimmer?", 2),
            ("Wie viele Räume sind Klassenzimmer?", 8),
            ("Wie viele tragende Wände gibt es?", 4),
            ("Welche Wände sind nicht tragend?", 4),
            ("Wie viele nichttragende Wände hat das Gebäude?", 4),
            ("Anzahl Aussenwände", 4),
            ("Wie viele Innenwände gibt es im 1. OG?", 1),
            ("Welche Wände sind aus Stahlbeton?", 8),
            ("Wie viele Wände vom Typ AW-01 gibt es?", 4),
            ("Welche Türen haben eine Panikfunktion?", 4),
            ("Wie viele Türen vom Typ TY-02 gibt es?", 6),
            ("Welche Fenster haben einen U-Wert kleiner als 1.0?", 4),
            ("Fenster mit U-Wert über 1.0 W/(m²K)", 16),
            ("Wie viele Türen und Fenster gibt es im EG?", 7),
            ("Wie viele Geschosse hat Haus A?", 8),
            ("Wie viele RFIs sind offen?", 2),
            ("Wieviele RFI sind noch pendent?", 2),
            ("Welche RFIs sind noch nicht beantwortet?", 4),
            ("Offene RFIs", 2),
            ("Liste der offenen Anfragen", 2),
            ("Welche Anfragen sind überfällig?", 1),
            ("Anzahl geschlossene RFI", 2),
            ("Welche RFI haben eine offizielle Antwort?", 1),
            ("RFIs ohne Antwort", 4),
            ("Welche RFIs wurden im Mai 2026 gestellt?", 1),
            ("Wie viele RFIs wurden seit dem 1. Mai 2026 erstellt?", 1),
            ("Welche RFIs haben hohe Priorität?", 1),
            ("Wie viele RFIs betreffen Fenster?", 2),
            ("Welche RFIs liegen bei B. Beispiel?", 6),
            ("Welche RFIs sind von D. Probe?", 6),
            ("Welche RFI im Bau-Register sind offen?", 2),
            ("Wie viele RFI gibt es pro Status?", 6),
            ("Wie viele Dokumente gibt es?", 4),
            ("Wie viele PDF sind vorhanden?", 1),
            ("Welche Modelle gibt es?", 2),
            ("Ist RFI-003 beantwortet?", 1),
            ("Status von RFI 3", 1),
            ("Wer ist bei RFI-001 am Zug?", 1),
            ("Was steht in RFI-002?", 1),
            ("Worum geht es bei RFI 5?", 1),
        ],
    );
}

#[test]
fn french_forms() {
    check(
        &Firm::new(),
        Language::Fr,
        &[
            ("Combien de portes y a-t-il ?", 14),
            ("Combien de portes compte le bâtiment A ?", 14),
            ("Combien y a-t-il de portes au rez-de-chaussée ?", 3),
            ("Nombre de portes au 2e étage", 5),
            ("Quel est le nombre de fenêtres au premier étage ?", 6),
            ("Combien de fenêtres se trouvent au 1er étage du bâtiment A ?", 6),
            ("Liste toutes les portes EI30 du 2ème étage", 2),
            ("Listez les portes EI30 au deuxième étage", 2),
            ("Quelles portes doivent être EI60 ?", 1),
            ("Quelles sont les portes avec une résistance au feu EI30 ?", 6),
            ("Quelles portes ont au moins EI30 ?", 7),
            ("Montre-moi les portes coupe-feu", 7),
            ("Portes EI30 au sous-sol", 1),
            ("Quels locaux font plus de 60 m² ?", 4),
            ("Quels locaux ont une surface supérieure à 60 m² ?", 4),
            ("Quelles pièces mesurent au moins 60 m² ?", 8),
            ("Locaux de plus de 60 mètres carrés", 4),
            ("Quels locaux sont plus petits que 25 m² ?", 4),
            ("Locaux entre 15 et 30 m²", 4),
            ("Locaux de 60 m² et plus", 8),
            ("Combien de locaux y a-t-il au rez ?", 3),
            ("Combien de murs porteurs y a-t-il ?", 4),
            ("Quels murs ne sont pas porteurs ?", 4),
            ("Liste des murs non porteurs", 4),
            ("Nombre de murs extérieurs", 4),
            ("Quels murs intérieurs se trouvent au premier étage ?", 1),
            ("Combien de murs du type AW-01 y a-t-il ?", 4),
            ("Combien de portes et fenêtres y a-t-il au rez-de-chaussée ?", 7),
            ("Quelles fenêtres ont une valeur U inférieure à 1,0 ?", 4),
            ("Combien de RFI sont ouverts ?", 2),
            ("Combien de demandes d'information sont encore ouvertes ?", 2),
            ("Quelles RFI sont en suspens ?", 2),
            ("Liste des RFI ouverts", 2),
            ("RFI sans réponse", 4),
            ("Quelles RFI n'ont pas de réponse ?", 4),
            ("Quelles RFI ont une réponse officielle ?", 1),
            ("Quelles demandes sont en retard ?", 1),
            ("Nombre de RFI fermés", 2),
            ("Combien de RFI ont été créées en mai 2026 ?", 1),
            ("RFI posées depuis le 01.05.2026", 1),
            ("Quelles RFI ont une priorité élevée ?", 1),
            ("Combien de RFI concernent les fenêtres ?", 2),
            ("Combien de RFI par statut ?", 6),
            ("Combien de documents y a-t-il ?", 4),
            ("Combien de documents PDF ?", 1),
            ("Quels étages compte le bâtiment A ?", 8),
            ("Est-ce que RFI-003 est répondue ?", 1),
        ],
    );
}

#[test]
fn italian_forms() {
    check(
        &Firm::new(),
        Language::It,
        &[
            ("Quante porte ci sono?", 14),
            ("Quante porte ha l'edificio A?", 14),
            ("Quante porte ci sono al piano terra?", 3),
            ("Numero di porte al secondo piano", 5),
            ("Qual è il numero di finestre al primo piano?", 6),
            ("Quante finestre si trovano al 1° piano dell'edificio A?", 6),
            ("Conta le finestre nel piano interrato", 2),
            ("Elenca tutte le porte EI30 al secondo piano", 2),
            ("Elenco delle porte EI30 del 2° piano", 2),
            ("Quali porte devono essere EI60?", 1),
            ("Quali porte hanno una resistenza al fuoco EI30?", 6),
            ("Quali porte hanno almeno EI30?", 7),
            ("Mostrami le porte tagliafuoco", 7),
            ("Porte EI30 nel seminterrato", 1),
            ("Quali locali sono più grandi di 60 m²?", 4),
            ("Quali locali hanno una superficie superiore a 60 m²?", 4),
            ("Locali di almeno 60 m²", 8),
            ("Locali oltre 60 metri quadrati", 4),
            ("Quali stanze sono più piccole di 25 m²?", 4),
            ("Locali tra 15 e 30 m²", 4),
            ("Locali di 60 m² e più", 8),
            ("Quante pareti portanti ci sono?", 4),
            ("Quali pareti non sono portanti?", 4),
            ("Elenco delle pareti non portanti", 4),
            ("Numero di pareti esterne", 4),
            ("Quali pareti interne si trovano al primo piano?", 1),
            ("Quante pareti del tipo AW-01 ci sono?", 4),
            ("Quante porte e finestre ci sono al piano terra?", 7),
            ("Quali finestre hanno un valore U inferiore a 1,0?", 4),
            ("Quante RFI sono aperte?", 2),
            ("Quante richieste di informazioni sono ancora aperte?", 2),
            ("Quali RFI sono in sospeso?", 2),
            ("Elenco delle RFI aperte", 2),
            ("RFI senza risposta", 4),
            ("Quali RFI hanno una risposta ufficiale?", 1),
            ("Quali richieste sono in ritardo?", 1),
            ("Numero di RFI chiuse", 2),
            ("Quante RFI sono state create nel maggio 2026?", 1),
            ("RFI create dal 01.05.2026", 1),
            ("Quali RFI hanno priorità alta?", 1),
            ("Quante RFI riguardano le finestre?", 2),
            ("Quante RFI per stato?", 6),
            ("Quanti documenti ci sono?", 4),
            ("Quanti PDF ci sono?", 1),
            ("Quali piani ha l'edificio A?", 8),
        ],
    );
}

#[test]
fn english_forms() {
    check(
        &Firm::new(),
        Language::En,
        &[
            ("How many doors are there?", 14),
            ("How many doors does building A have?", 14),
            ("How many doors are on the ground floor?", 3),
            ("Number of doors on the second floor", 5),
            ("What is the number of windows on the first floor?", 6),
            ("How many windows are located on the 1st floor of building A?", 6),
            ("Count the windows in the basement", 2),
            ("List all EI30 doors on the second floor", 2),
            ("Show me the EI30 doors on the 2nd floor", 2),
            ("Which doors must be EI60?", 1),
            ("Which doors have a fire rating of EI30?", 6),
            ("Which doors are rated at least EI30?", 7),
            ("Show all fire doors", 7),
            ("EI30 doors in the basement", 1),
            ("Which rooms are larger than 60 m2?", 4),
            ("Which rooms have an area of more than 60 m²?", 4),
            ("Rooms over 60 square metres", 4),
            ("Rooms of at least 60 m2", 8),
            ("Which rooms are smaller than 25 m2?", 4),
            ("Rooms between 15 and 30 m2", 4),
            ("Rooms of 60 m2 or more", 8),
            ("Rooms > 60 m2", 4),
            ("How many load-bearing walls are there?", 4),
            ("Which walls are not load-bearing?", 4),
            ("List the non-load-bearing walls", 4),
            ("Number of external walls", 4),
            ("Which interior walls are on the first floor?", 1),
            ("How many walls of type AW-01 are there?", 4),
            ("How many doors and windows are on the ground floor?", 7),
            ("Which windows have a U-value below 1.0?", 4),
            ("How many RFIs are open?", 2),
            ("How many requests for information are still open?", 2),
            ("Which RFIs are pending?", 2),
            ("List all open RFIs", 2),
            ("RFIs without an answer", 4),
            ("Which RFIs have an official answer?", 1),
            ("Which RFIs are overdue?", 1),
            ("Number of closed RFIs", 2),
            ("How many RFIs were raised in May 2026?", 1),
            ("RFIs created since 2026-05-01", 1),
            ("Which RFIs have high priority?", 1),
            ("How many RFIs are about windows?", 2),
            ("How many RFIs by status?", 6),
            ("How many documents are there?", 4),
            ("How many PDF files are there?", 1),
            ("Which storeys does building A have?", 8),
            ("Has RFI-003 been answered?", 1),
            ("What is RFI-002 about?", 1),
        ],
    );
}

#[test]
fn measures_are_summed_compared_and_grouped() {
    let firm = Firm::new();
    for (language, question, expected) in [
        (Language::De, "Gesamtfläche der Räume im EG", "Summe (Fläche): 160 m² (aus 3 Angaben)"),
        (
            Language::De,
            "Wie gross ist die Fläche aller Räume zusammen?",
            "Summe (Fläche): 640 m² (aus 12 Angaben)",
        ),
        (
            Language::Fr,
            "Quelle est la surface totale des locaux du rez-de-chaussée ?",
            "Somme (Surface): 160 m² (sur 3 valeurs)",
        ),
        (
            Language::It,
            "Qual è la superficie totale dei locali al piano terra?",
            "Somma (Superficie): 160 m² (su 3 valori)",
        ),
        (
            Language::En,
            "What is the total area of the rooms on the ground floor?",
            "Total (Area): 160 m² (of 3 values)",
        ),
        (Language::En, "Average U-value of the windows", "Average (U-value): 1.12 W/(m²·K) (of 20 values)"),
        (Language::De, "Was ist der grösste Raum im 1. OG?", "grösster Wert (Fläche): 80 m² (aus 3 Angaben)"),
    ] {
        match firm.reply(question, language) {
            Reply::Table(t) => assert_eq!(t.text, expected, "{question} {:?}", t.understood),
            other => panic!("{question}: {other:?}"),
        }
    }
    let Reply::Table(t) = firm.reply("Wie viele Türen gibt es pro Geschoss?", Language::De) else {
        panic!()
    };
    let rows: Vec<&str> = t.rows.iter().map(|r| r.cells[1].as_str()).collect();
    assert_eq!((t.total, rows), (14, vec!["5", "4", "3", "2"]));
}

#[test]
fn what_is_not_understood_is_named_and_nothing_guessed() {
    let firm = Firm::new();
    for (language, question, part) in [
        (Language::De, "Wie viele Schwimmbäder gibt es?", "Schwimmbäder"),
        (Language::De, "Wie viele Türen sind quietschend?", "quietschend"),
        (Language::De, "Welche Türen haben Priorität?", "Priorität"),
        (Language::Fr, "Combien de piscines y a-t-il ?", "piscines"),
        (Language::It, "Quante piscine ci sono?", "piscine"),
        (Language::En, "How many doors are squeaky?", "squeaky"),
        (Language::En, "Which doors are wider than 90?", "wider than"),
        (Language::En, "How many rooms are longer than 5 m2?", "longer than"),
        (Language::De, "Wie viele Türen wurden im Mai 2026 gestellt?", "date"),
    ] {
        match firm.reply(question, language) {
            Reply::Unread(parts) => {
                assert!(parts.iter().any(|p| p.contains(part)), "{question}: {parts:?}");
            }
            other => panic!("{question}: {other:?}"),
        }
    }
    match firm.reply("Wie viele Türen hat das 7. OG?", Language::De) {
        Reply::Absent(what, there) => assert_eq!((what.as_str(), there.len()), ("7. OG", 4)),
        other => panic!("{other:?}"),
    }
    match firm.reply("Wie viele Türen hat Haus F?", Language::De) {
        Reply::Absent(what, there) => {
            assert_eq!((what.as_str(), there), ("Haus F", vec!["Haus A".to_owned()]))
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn questions_for_a_statement_are_left_to_the_passages() {
    let firm = Firm::new();
    for (language, question) in [
        (Language::De, "Welchen U-Wert hat die Aussenwand?"),
        (Language::De, "Wie dick ist die Dämmung?"),
        (Language::De, "Wann ist RFI-002 fällig?"),
        (Language::De, "Wie viele Quadratmeter hat der Werkraum?"),
        (Language::De, "Türen"),
        (Language::De, "Welche Feuerwiderstandsklasse hat die Tür T-1.02?"),
        (Language::De, "Feuerwiderstand der Tür T-1.02"),
        (Language::Fr, "Quel niveau sonore la ventilation peut-elle atteindre ?"),
        (Language::It, "Quale resistenza al fuoco ha la parete AW-01 del primo piano?"),
        (Language::En, "Which fire class does the door to the archive in the basement need?"),
        (Language::Fr, "Quelle est l'épaisseur de l'isolation ?"),
        (Language::It, "Quanto è spessa la parete?"),
        (Language::En, "What is the U-value of the external wall?"),
        (Language::En, "Who signed the contract?"),
    ] {
        assert!(
            matches!(firm.reply(question, language), Reply::No),
            "{question}: {:?}",
            firm.reply(question, language)
        );
    }
}

#[test]
fn nothing_outside_the_scope_is_counted_or_named() {
    let firm = Firm::new();
    let today = jiff::civil::date(2026, 6, 1);
    let nobody = Scope::none();
    let asking = Asking {
        catalog: &firm.catalog,
        scope: &nobody,
        project: None,
        language: Language::De,
        today,
        limit: 10,
    };
    match asking.reply("Wie viele Türen gibt es?").unwrap() {
        Reply::Absent(what, there) => assert_eq!((what.as_str(), there.len()), ("Türen", 0)),
        other => panic!("{other:?}"),
    }
    match asking.reply("Wie viele Türen hat das 1. OG?").unwrap() {
        Reply::Absent(_, there) => assert!(there.is_empty(), "no storey of theirs is named"),
        other => panic!("{other:?}"),
    }
    let Reply::Table(t) = firm.reply("Welche Projekte gibt es?", Language::De) else { panic!() };
    assert_eq!(t.rows.iter().map(|r| r.cells[0].as_str()).collect::<Vec<_>>(), ["Rosenmatt"]);
}
