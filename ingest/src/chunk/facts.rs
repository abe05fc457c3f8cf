//! Passages that state an energy proof's facts under their names in four languages: a question in one language finds a
//! form in another.

use super::pack;
use super::{ChunkOptions, Sink};
use crate::model::{Document, Fact, FactKind, Kind, Locator};

/// What a fact is called, German, French, Italian, English.
fn names(kind: FactKind) -> &'static str {
    match kind {
        FactKind::StandardEdition => "Norm / norme / norma / standard",
        FactKind::ClimateStation => {
            "Klimastation / station climatique / stazione climatica / climate station"
        }
        FactKind::EnergyReferenceArea => {
            "Energiebezugsfläche EBF / surface de référence énergétique SRE / superficie di riferimento energetico AE / \
             energy reference area"
        }
        FactKind::EnvelopeFactor => {
            "Gebäudehüllzahl / facteur d'enveloppe / fattore d'involucro / envelope factor Ath/AE"
        }
        FactKind::HeatingDemand => {
            "Heizwärmebedarf / besoins de chaleur pour le chauffage / fabbisogno termico per il riscaldamento / \
             heating demand QH"
        }
        FactKind::HeatingDemandLimit => "Grenzwert / valeur limite / valore limite / limit QH,li",
        FactKind::System => "Wärmeerzeuger / générateur de chaleur / generatore di calore / heat generator",
        FactKind::UValue => "U-Wert / valeur U / valore U / U-value",
        FactKind::UValueLimit => "Grenzwert U / valeur limite U / valore limite U / U-value limit",
    }
}

/// One passage for each page, sheet or section that has facts.
pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    if document.kind == Kind::Ifc {
        return;
    }
    let mut groups: Vec<(String, Vec<&Fact>)> = Vec::new();
    for fact in &document.facts {
        let key = place(&fact.place);
        match groups.iter_mut().find(|(k, _)| *k == key) {
            Some((_, group)) => group.push(fact),
            None => groups.push((key, vec![fact])),
        }
    }
    for (_, group) in groups {
        for part in parts(&group, options.max_words) {
            let Some(first) = part.first() else { continue };
            sink.push(document.kind, joined(&first.place, &part), Vec::new(), text(&part));
        }
    }
}

fn place(locator: &Locator) -> String {
    match locator {
        Locator::Pdf { page, .. } => format!("p{page}"),
        Locator::Sheet { sheet, .. } => format!("s{sheet}"),
        Locator::Text { section, .. } => format!("t{section}"),
        _ => String::new(),
    }
}

/// Parts of at most about `max_words`.
fn parts<'a>(group: &[&'a Fact], max_words: usize) -> Vec<Vec<&'a Fact>> {
    let mut out: Vec<Vec<&Fact>> = Vec::new();
    let mut count = 0;
    let mut kind = None;
    for fact in group {
        let named = if kind == Some(fact.kind) { 0 } else { pack::words(names(fact.kind)) };
        let length = named + pack::words(&value(fact));
        match out.last_mut() {
            Some(part) if count + length <= max_words => part.push(fact),
            _ => {
                out.push(vec![fact]);
                count = pack::words(names(fact.kind));
            }
        }
        count += length;
        kind = Some(fact.kind);
    }
    out
}

fn text(facts: &[&Fact]) -> String {
    let mut out = String::from("SIA 380/1");
    let mut kind = None;
    for fact in facts {
        if kind != Some(fact.kind) {
            out.push_str(&format!("\n{}: {}", names(fact.kind), value(fact)));
        } else {
            out.push_str(&format!("; {}", value(fact)));
        }
        kind = Some(fact.kind);
    }
    out
}

/// `AW-01 Aussenwand 0.15 W/(m²K)`, `Haus A 2268 m²`
fn value(fact: &Fact) -> String {
    let label = if fact.kind >= FactKind::UValue { fact.label.as_str() } else { "" };
    let unit = fact.unit.replace("(m2.K)", "(m²K)").replace("m2", "m²");
    let parts = [fact.subject.as_str(), &fact.element, label, &fact.value, &unit];
    parts.into_iter().filter(|p| !p.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The place of all: on a page the boxes together.
fn joined(first: &Locator, facts: &[&Fact]) -> Locator {
    let Locator::Pdf { page, .. } = first else { return first.clone() };
    let boxes = facts.iter().filter_map(|f| match &f.place {
        Locator::Pdf { boxes, .. } => Some(boxes.clone()),
        _ => None,
    });
    Locator::Pdf { page: *page, boxes: boxes.flatten().collect() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{ChunkOptions, chunk};

    #[test]
    fn a_form_is_found_by_its_names_in_every_language() {
        let mut document = Document::new(Kind::Pdf, "Nachweis");
        let fact = |kind, subject: &str, element: &str, value: &str, unit: &str, x: f32| Fact {
            kind,
            subject: subject.into(),
            element: element.into(),
            label: "Aussenwand".into(),
            value: value.into(),
            unit: unit.into(),
            count: 1,
            place: Locator::Pdf { page: 1, boxes: vec![[x, 0.0, x + 5.0, 5.0]] },
            cell: String::new(),
        };
        document.facts = vec![
            fact(FactKind::EnergyReferenceArea, "Haus A", "", "2268", "m2", 1.0),
            fact(FactKind::EnergyReferenceArea, "Haus B", "", "1080", "m2", 2.0),
            fact(FactKind::UValue, "", "AW-01", "0.15", "W/(m2.K)", 3.0),
        ];
        document.pages.push(crate::Page { number: 1, ..Default::default() });
        let chunks = chunk(&document, &ChunkOptions::default());
        assert_eq!(chunks.len(), 1);
        let text = &chunks[0].text;
        assert!(text.contains("superficie di riferimento energetico AE"), "{text}");
        assert!(text.contains("energy reference area: Haus A 2268 m²; Haus B 1080 m²\n"), "{text}");
        assert!(
            text.ends_with("U-Wert / valeur U / valore U / U-value: AW-01 Aussenwand 0.15 W/(m²K)"),
            "{text}"
        );
        assert!(matches!(&chunks[0].locator, Locator::Pdf { page: 1, boxes } if boxes.len() == 3));
    }
}
