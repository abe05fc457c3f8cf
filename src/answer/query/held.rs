//! Questions as somebody types them who has not seen the list of words.

use ingest::{Document, Kind, Language};

use super::tests::{Firm, add, element, model, property, quantity, register};
use super::*;

/// The office of the other forms with walls that say what they are worth, slabs, doors that keep sound out, an office
/// room on every storey, plans in revisions and two mails.
fn firm() -> Firm {
    let catalog = Catalog::memory().unwrap();
    let ours = catalog.ensure_project("Rosenmatt").unwrap();
    let theirs = catalog.ensure_project("Tannenhof").unwrap();
    let mut m = model();
    for e in &mut m.elements {
        match e.class.as_str() {
            "IfcWallStandardCase" => {
                let external = e.name == "AW-01";
                e.quantities.insert("Width", quantity(if external { 0.4 } else { 0.15 }, "m"));
                if external {
                    e.compliance.insert("ThermalTransmittance".into(), property("0.17"));
                    e.materials = vec!["Brettsperrholz, Holz".into()];
                }
            }
            "IfcDoor" => {
                let rated = e.compliance.get("FireRating").is_some_and(|p| p.value == "EI30");
                let rw = if rated { "Rw 37 dB" } else { "27" };
                e.compliance.insert("AcousticRating".into(), property(rw));
            }
            "IfcSpace" if e.description == "Lager" => {
                e.description = "Büro".into();
                if e.storey == "Untergeschoss" {
                    e.quantities.insert("NetFloorArea", quantity(9.0, "m2"));
                }
            }
            _ => {}
        }
    }
    for storey in 0..4 {
        let mut slab = element(900 + storey, "IfcSlab", &format!("DE-{storey}"), "Geschossdecke", storey);
        slab.quantities.insert("Width", quantity(if storey == 0 { 0.25 } else { 0.28 }, "m"));
        m.elements.push(slab);
    }
    add(&catalog, &ours, "a.ifc", &m);
    let mut requests = register();
    for (at, day) in [(3, "2026-04-30"), (4, "2025-12-10")] {
        requests.records[at].closed = day.into();
    }
    add(&catalog, &ours, "rfi/Register_Bau.csv", &requests);
    for (path, title) in [
        ("plaene/A-201-B.pdf", "Grundriss EG"),
        ("plaene/A-201-C.pdf", "Grundriss EG"),
        ("plaene/A-202-C.pdf", "Grundriss 1. OG"),
        ("plaene/A-203-B.pdf", "Schnitt"),
    ] {
        add(&catalog, &ours, path, &Document::new(Kind::Pdf, title));
    }
    add(&catalog, &ours, "mail/a.eml", &Document::new(Kind::Mail, "Termin"));
    add(&catalog, &theirs, "plaene/A-201-D.pdf", &Document::new(Kind::Pdf, "Geheim"));
    Firm { catalog, ours }
}

/// Language, question, how many are counted, and what the answer or its reading must say; `-`: refused, naming this.
/// The questions were written down before the list of words was looked at again; 25 of the 60 were answered rightly then
/// (2 wrongly, the others refused or left to the passages). What was missing was added afterwards, so that this is a
/// test of what works and no measure of what would.
const FORMS: &str = include_str!("held-forms.tsv");

#[test]
fn questions_as_people_type_them() {
    let firm = firm();
    let mut wrong = Vec::new();
    for line in FORMS.lines() {
        let [language, question, total, says] = line.split('\t').collect::<Vec<_>>()[..] else {
            panic!("not four columns: {line}")
        };
        let reply = firm.reply(question, Language::parse(language).unwrap());
        let right = match &reply {
            Reply::Table(t) | Reply::Values(t) => {
                let read = format!("{}\n{}", t.text, t.understood.join("\n"));
                t.total.to_string() == total && read.contains(says)
            }
            Reply::Unread(parts) => total == "-" && parts.iter().any(|p| p == says),
            _ => false,
        };
        if !right {
            wrong.push(format!("{question}: {reply:?}"));
        }
    }
    assert!(wrong.is_empty(), "{} wrong\n{}", wrong.len(), wrong.join("\n"));
}

#[test]
fn plans_and_titles_of_another_project_are_neither_counted_nor_named() {
    let firm = firm();
    let Reply::Table(t) = firm.reply("Welche Pläne haben Revision D?", Language::De) else { panic!() };
    assert_eq!((t.total, t.rows.len()), (0, 0));
    match firm.reply("Wie viele Dokumente Geheim gibt es?", Language::De) {
        Reply::Unread(parts) => assert_eq!(parts, ["Geheim"]),
        other => panic!("{other:?}"),
    }
    let Reply::Table(t) = firm.reply("Welche Pläne gibt es?", Language::De) else { panic!() };
    assert_eq!(t.rows.iter().map(|r| r.cells[2].as_str()).collect::<Vec<_>>(), ["C", "C", "B"]);
}
