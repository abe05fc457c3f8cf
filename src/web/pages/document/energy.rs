//! The facts of an energy proof as a table, its U-values beside those of the project's models.

use ingest::{Fact, FactKind, Locator};

use crate::{
    catalog::{DocumentId, ModelFact},
    web::{error::WebError, extract::OpenDocument, format, frame::Frame, i18n::Texts, links, state::Web},
};

/// U-values are stated to two decimals: what is less apart is the same.
const SAME: f64 = 0.005;

/// What a document states for the proof after SIA 380/1.
#[derive(Debug, Default)]
pub(in crate::web) struct EnergyView {
    pub(in crate::web) summary: String,
    /// Shown unfolded.
    pub(in crate::web) open: bool,
    pub(in crate::web) rows: Vec<EnergyRow>,
    pub(in crate::web) elements: Vec<ElementRow>,
    /// Why nothing stands beside the U-values.
    pub(in crate::web) note: Option<&'static str>,
}

/// A statement about a building.
#[derive(Debug, Default)]
pub(in crate::web) struct EnergyRow {
    pub(in crate::web) name: &'static str,
    pub(in crate::web) subject: String,
    pub(in crate::web) value: String,
    pub(in crate::web) place: String,
    pub(in crate::web) href: String,
}

/// An element with its U-value, and what the models say.
#[derive(Debug, Default)]
pub(in crate::web) struct ElementRow {
    pub(in crate::web) name: String,
    pub(in crate::web) value: String,
    pub(in crate::web) limit: String,
    pub(in crate::web) place: String,
    pub(in crate::web) href: String,
    pub(in crate::web) models: Vec<ModelCell>,
    pub(in crate::web) differs: bool,
}

/// A model's value for the element.
#[derive(Debug, Default)]
pub(in crate::web) struct ModelCell {
    pub(in crate::web) value: String,
    /// Model and type, for those who ask where it comes from.
    pub(in crate::web) title: String,
    pub(in crate::web) href: String,
    pub(in crate::web) differs: bool,
}

/// The table of a document; `None` for one that states nothing of the sort.
pub(super) async fn of(
    web: &Web,
    document: &OpenDocument,
    f: &Frame,
) -> Result<Option<EnergyView>, WebError> {
    if document.row.kind == ingest::Kind::Ifc {
        return Ok(None);
    }
    let (scope, id) = (document.reader.scope.clone(), document.row.id);
    let (facts, models) = web
        .blocking(move |app| {
            let facts = app.catalog.facts(&scope, id)?;
            let models = match facts.iter().any(|fact| fact.kind == FactKind::UValue) {
                true => app.catalog.model_u_values(&scope, id)?,
                false => Vec::new(),
            };
            Ok::<_, WebError>((facts, models))
        })
        .await?;
    Ok((!facts.is_empty()).then(|| view(f, id, &facts, &models)))
}

fn view(f: &Frame, id: DocumentId, facts: &[Fact], models: &[ModelFact]) -> EnergyView {
    let t = f.t;
    let is_element = |fact: &&Fact| matches!(fact.kind, FactKind::UValue | FactKind::UValueLimit);
    let rows: Vec<EnergyRow> = facts
        .iter()
        .filter(|fact| !is_element(fact))
        .map(|fact| EnergyRow {
            name: name(t, fact.kind),
            subject: fact.subject.clone(),
            value: value(fact),
            place: place(f, fact),
            href: links::place(id, &fact.place, None, ""),
        })
        .collect();
    let elements: Vec<ElementRow> = facts
        .iter()
        .filter(|fact| fact.kind == FactKind::UValue)
        .map(|fact| element(f, id, fact, facts, models))
        .collect();
    let differences = elements.iter().filter(|e| e.differs).count();
    let summary = match differences {
        0 => t.one(t.energy_summary, format::whole(facts.len() as u64)),
        n => t.two(t.energy_summary_differs, format::whole(facts.len() as u64), format::whole(n as u64)),
    };
    let note = match (elements.is_empty(), models.is_empty()) {
        (true, _) => Some(t.energy_no_elements),
        (false, true) => Some(t.energy_no_model),
        _ => None,
    };
    EnergyView { summary, open: false, rows, elements, note }
}

/// Whether two facts speak of the same element: by code, or by words where one has no code.
fn same_element(a: &Fact, b: &Fact) -> bool {
    match (a.element_key(), b.element_key()) {
        (a_key, b_key) if !a_key.is_empty() && !b_key.is_empty() => a_key == b_key,
        _ => a.label.to_lowercase() == b.label.to_lowercase(),
    }
}

fn element(f: &Frame, id: DocumentId, fact: &Fact, facts: &[Fact], models: &[ModelFact]) -> ElementRow {
    let limit = facts.iter().find(|l| l.kind == FactKind::UValueLimit && same_element(l, fact));
    let own = number(fact);
    let models: Vec<ModelCell> = models
        .iter()
        .filter(|model| same_element(&model.fact, fact))
        .map(|model| {
            let there = number(&model.fact);
            let many =
                if model.fact.count > 1 { format!(" ({} ×)", model.fact.count) } else { String::new() };
            ModelCell {
                value: format!("{}{many}", two_decimals(&model.fact)),
                title: format!("{}: {}", model.title, model.fact.label),
                href: links::place(model.document, &model.fact.place, None, ""),
                differs: own.zip(there).is_none_or(|(a, b)| (a - b).abs() >= SAME),
            }
        })
        .collect();
    ElementRow {
        name: [fact.element.as_str(), fact.label.as_str()].join(" ").trim().to_owned(),
        value: two_decimals(fact),
        limit: limit.map(two_decimals).unwrap_or_default(),
        place: place(f, fact),
        href: links::place(id, &fact.place, None, ""),
        differs: models.iter().any(|m| m.differs),
        models,
    }
}

fn number(fact: &Fact) -> Option<f64> {
    fact.value.parse().ok()
}

/// A U-value with two decimals, or more where it was stated with more.
fn two_decimals(fact: &Fact) -> String {
    let decimals = fact.value.split_once('.').map_or(0, |(_, d)| d.len()).clamp(2, 4);
    number(fact).map_or_else(|| fact.value.clone(), |n| format!("{n:.decimals$}"))
}

fn value(fact: &Fact) -> String {
    let unit = fact.unit.replace("m2", "m²");
    let shown = match fact.unit.as_str() {
        "m2" => number(fact).map_or_else(|| fact.value.clone(), format::measure),
        _ => fact.value.clone(),
    };
    format!("{shown} {unit}").trim().to_owned()
}

fn place(f: &Frame, fact: &Fact) -> String {
    match &fact.place {
        Locator::Sheet { sheet, .. } if !fact.cell.is_empty() => format!("{sheet}, {}", fact.cell),
        place => links::words(f.t, f.language, place, None),
    }
}

fn name(t: &Texts, kind: FactKind) -> &'static str {
    match kind {
        FactKind::StandardEdition => t.fact_standard,
        FactKind::ClimateStation => t.fact_station,
        FactKind::EnergyReferenceArea => t.fact_area,
        FactKind::EnvelopeFactor => t.fact_envelope,
        FactKind::HeatingDemand => t.fact_demand,
        FactKind::HeatingDemandLimit => t.fact_demand_limit,
        FactKind::System => t.fact_system,
        FactKind::UValue => t.fact_u,
        FactKind::UValueLimit => t.fact_u_limit,
    }
}
