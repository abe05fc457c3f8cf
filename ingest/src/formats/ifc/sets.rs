//! Property sets, quantities, materials and classifications of one object, each record decoded once.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use ifc_lite_core::ProjectUnits;

use super::model::{Record, StepModel};
use super::values;
use crate::model::{Classification, Property, Quantity};

/// Nesting of complex properties and of materials.
const DEEPEST: u32 = 6;

/// What a property set or an element quantity holds.
#[derive(Debug, Default)]
pub(super) struct SetContents {
    pub(super) name: String,
    pub(super) properties: BTreeMap<String, Property>,
    pub(super) quantities: BTreeMap<String, Quantity>,
}

/// Reads sets, materials and classifications and remembers them: many elements share one.
pub(super) struct SetReader {
    pub(super) units: ProjectUnits,
    /// Metres per length unit of the model.
    pub(super) length_scale: f64,
    sets: HashMap<u32, Rc<SetContents>>,
    materials: HashMap<u32, Rc<Vec<String>>>,
    classifications: HashMap<u32, Option<Classification>>,
}

impl SetReader {
    pub(super) fn new(model: &mut StepModel<'_>) -> Self {
        let units = match model.projects.first().copied() {
            Some(project) => ProjectUnits::resolve(model.decoder(), project),
            None => ProjectUnits::default(),
        };
        let length_scale = units.scales().length_unit_scale;
        SetReader {
            units,
            length_scale: if length_scale > 0.0 { length_scale } else { 1.0 },
            sets: HashMap::new(),
            materials: HashMap::new(),
            classifications: HashMap::new(),
        }
    }

    /// Contents of a property set or element quantity.
    pub(super) fn set(&mut self, model: &mut StepModel<'_>, id: u32) -> Rc<SetContents> {
        if let Some(known) = self.sets.get(&id) {
            return known.clone();
        }
        let mut contents = SetContents::default();
        if let Some(record) = model.record(id) {
            contents.name = record.text("Name");
            if contents.name.is_empty() {
                contents.name = record.class().to_string();
            }
            for member in record.references("HasProperties") {
                self.property(model, member, "", &mut contents, 0);
            }
            for member in record.references("Quantities") {
                self.quantity(model, member, "", &mut contents, 0);
            }
        }
        let contents = Rc::new(contents);
        self.sets.insert(id, contents.clone());
        contents
    }

    fn property(
        &mut self,
        model: &mut StepModel<'_>,
        id: u32,
        prefix: &str,
        out: &mut SetContents,
        depth: u32,
    ) {
        let Some(record) = model.record(id) else { return };
        let name = format!("{prefix}{}", record.text("Name"));
        if record.class() == "IfcComplexProperty" {
            if depth < DEEPEST {
                for member in record.references("HasProperties") {
                    self.property(model, member, &format!("{name}."), out, depth + 1);
                }
            }
        } else if let Some(property) = values::property(model, &self.units, &record)
            && !name.is_empty()
        {
            out.properties.entry(name).or_insert(property);
        }
    }

    fn quantity(
        &mut self,
        model: &mut StepModel<'_>,
        id: u32,
        prefix: &str,
        out: &mut SetContents,
        depth: u32,
    ) {
        let Some(record) = model.record(id) else { return };
        let name = format!("{prefix}{}", record.text("Name"));
        if record.class() == "IfcPhysicalComplexQuantity" {
            if depth < DEEPEST {
                for member in record.references("HasQuantities") {
                    self.quantity(model, member, &format!("{name}."), out, depth + 1);
                }
            }
        } else if let Some(quantity) = values::quantity(model, &self.units, &record)
            && !name.is_empty()
        {
            out.quantities.entry(name).or_insert(quantity);
        }
    }

    /// Names of the materials of a material definition, layers with their thickness in metres.
    pub(super) fn materials(&mut self, model: &mut StepModel<'_>, id: u32) -> Rc<Vec<String>> {
        if let Some(known) = self.materials.get(&id) {
            return known.clone();
        }
        let mut names = Vec::new();
        self.collect_materials(model, id, &mut names, 0);
        let names = Rc::new(names);
        self.materials.insert(id, names.clone());
        names
    }

    fn collect_materials(&self, model: &mut StepModel<'_>, id: u32, out: &mut Vec<String>, depth: u32) {
        if depth > DEEPEST || out.len() > 500 {
            return;
        }
        let Some(record) = model.record(id) else { return };
        // (attribute that leads on, its members are parts)
        let next: &[&str] = match record.class() {
            "IfcMaterial" => {
                out.extend(Some(record.text("Name")).filter(|n| !n.is_empty()));
                return;
            }
            "IfcMaterialLayer" | "IfcMaterialLayerWithOffsets" => {
                out.extend(self.layer(model, &record));
                return;
            }
            "IfcMaterialLayerSetUsage" => &["ForLayerSet"],
            "IfcMaterialLayerSet" => &["MaterialLayers"],
            "IfcMaterialProfileSetUsage" | "IfcMaterialProfileSetUsageTapering" => &["ForProfileSet"],
            "IfcMaterialProfileSet" => &["MaterialProfiles"],
            "IfcMaterialConstituentSet" => &["MaterialConstituents"],
            "IfcMaterialList" => &["Materials"],
            "IfcMaterialProfile" | "IfcMaterialProfileWithOffsets" | "IfcMaterialConstituent" => {
                &["Material"]
            }
            _ => &[],
        };
        for member in next.iter().flat_map(|attribute| record.references(attribute)) {
            self.collect_materials(model, member, out, depth + 1);
        }
    }

    fn layer(&self, model: &mut StepModel<'_>, record: &Record) -> Option<String> {
        let own = record.text("Name");
        let material = record.reference("Material").and_then(|id| model.record(id)).map(|m| m.text("Name"));
        let name = material.filter(|n| !n.is_empty()).unwrap_or(own);
        let thickness = record.number("LayerThickness").map(|t| t * self.length_scale);
        match thickness {
            Some(t) if t > 0.0 => Some(format!("{} {} m", name, crate::text::number(t)).trim().to_string()),
            _ => Some(name).filter(|n| !n.is_empty()),
        }
    }

    /// A classification reference with its system.
    pub(super) fn classification(&mut self, model: &mut StepModel<'_>, id: u32) -> Option<Classification> {
        if let Some(known) = self.classifications.get(&id) {
            return known.clone();
        }
        let found = read_classification(model, id);
        self.classifications.insert(id, found.clone());
        found
    }
}

fn read_classification(model: &mut StepModel<'_>, id: u32) -> Option<Classification> {
    let record = model.record(id)?;
    if record.class() == "IfcClassification" {
        return Some(Classification { system: record.text("Name"), ..Classification::default() });
    }
    let first =
        |names: [&str; 2]| names.iter().map(|n| record.text(n)).find(|t| !t.is_empty()).unwrap_or_default();
    let mut out = Classification {
        code: first(["Identification", "ItemReference"]),
        name: record.text("Name"),
        ..Default::default()
    };
    let mut source = record.reference("ReferencedSource");
    for _ in 0..DEEPEST {
        let Some(above) = source.and_then(|s| model.record(s)) else { break };
        if above.class() == "IfcClassification" {
            out.system = above.text("Name");
            break;
        }
        source = above.reference("ReferencedSource");
    }
    (!out.code.is_empty() || !out.name.is_empty()).then_some(out)
}
