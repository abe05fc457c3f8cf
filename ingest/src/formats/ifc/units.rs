//! Symbols of units.

use std::collections::HashMap;

use ifc_lite_core::{EntityDecoder, ProjectUnits, resolve_unit_by_ref};

use super::step::StepModel;

/// The units of a model, each resolved once.
pub(super) struct Units<'a> {
    decoder: EntityDecoder<'a>,
    project: ProjectUnits,
    /// Metres per length unit of the model.
    pub(super) length_scale: f64,
    by_measure: HashMap<&'a str, String>,
    by_record: HashMap<u32, String>,
}

impl<'a> Units<'a> {
    pub(super) fn new(model: &StepModel<'a>) -> Self {
        let mut decoder = model.unit_decoder();
        let project = match model.projects.first() {
            Some(project) => ProjectUnits::resolve(&mut decoder, *project),
            None => ProjectUnits::default(),
        };
        let scale = project.scales().length_unit_scale;
        let length_scale = if scale.is_finite() && scale > 0.0 { scale } else { 1.0 };
        Units { decoder, project, length_scale, by_measure: HashMap::new(), by_record: HashMap::new() }
    }

    /// Symbol for values of a measure (`IFCLENGTHMEASURE`); empty where the measure has no unit.
    pub(super) fn of_measure(&mut self, measure: &'a str) -> &str {
        let project = &self.project;
        self.by_measure.entry(measure).or_insert_with(|| {
            project.unit_for_measure(measure).map(|u| symbol(&u.symbol)).unwrap_or_default()
        })
    }

    /// Symbol of the unit that a record describes; a unit without a known symbol gives its name.
    pub(super) fn of_record(&mut self, model: &StepModel<'a>, id: u32) -> &str {
        let decoder = &mut self.decoder;
        self.by_record.entry(id).or_insert_with(|| match resolve_unit_by_ref(decoder, id) {
            Some((_, unit, _)) => symbol(&unit.symbol),
            None => model.record(id).map(|r| r.text("Name")).unwrap_or_default(),
        })
    }
}

/// Plain-text symbol: `m2`, `W/(m2.K)`.
fn symbol(raw: &str) -> String {
    let mut out = String::with_capacity(raw.len());
    for c in raw.chars() {
        match c {
            '²' => out.push('2'),
            '³' => out.push('3'),
            '·' | '⋅' => out.push('.'),
            '⁻' => out.push('-'),
            '¹' => out.push('1'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::symbol;

    #[test]
    fn symbols_are_plain() {
        assert_eq!(symbol("W/(m²·K)"), "W/(m2.K)");
        assert_eq!(symbol("m³"), "m3");
    }
}
