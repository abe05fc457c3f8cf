//! What an element is made of.

use std::collections::HashMap;
use std::rc::Rc;

use super::step::{Record, StepModel};
use super::values::real;
use crate::text::label;

/// Nesting of material definitions.
const DEEPEST: u32 = 6;
/// Layers or parts of one definition.
const PARTS: usize = 500;

/// Materials of one definition.
#[derive(Debug, Default)]
pub(super) struct Materials {
    /// Names; a layer with its thickness, a part with its own name before.
    pub(super) names: Vec<String>,
    /// Name of the set, with the thickness of all layers.
    pub(super) build_up: String,
}

/// Reads definitions and remembers them.
#[derive(Default)]
pub(super) struct MaterialReader {
    known: HashMap<u32, Rc<Materials>>,
}

impl MaterialReader {
    /// Materials of a definition; lengths are given in metres.
    pub(super) fn read(&mut self, model: &StepModel<'_>, id: u32, length_scale: f64) -> Rc<Materials> {
        if let Some(known) = self.known.get(&id) {
            return Rc::clone(known);
        }
        let mut walk = Walk { model, length_scale, out: Materials::default(), thickness: 0.0 };
        walk.collect(id, 0);
        if walk.thickness > 0.0 {
            let whole = format!("{} {} m", walk.out.build_up, real(walk.thickness));
            walk.out.build_up = whole.trim().to_string();
        }
        walk.out.build_up = label(&walk.out.build_up);
        let found = Rc::new(walk.out);
        self.known.insert(id, Rc::clone(&found));
        found
    }
}

struct Walk<'m, 'a> {
    model: &'m StepModel<'a>,
    length_scale: f64,
    out: Materials,
    thickness: f64,
}

impl Walk<'_, '_> {
    fn collect(&mut self, id: u32, depth: u32) {
        if depth > DEEPEST || self.out.names.len() >= PARTS {
            return;
        }
        let Some(record) = self.model.record(id) else { return };
        let next = match record.class() {
            "IfcMaterial" => return self.push(record.text("Name")),
            "IfcMaterialLayer" | "IfcMaterialLayerWithOffsets" => return self.layer(&record),
            "IfcMaterialProfile" | "IfcMaterialProfileWithOffsets" => return self.profile(&record),
            "IfcMaterialConstituent" => return self.constituent(&record),
            "IfcMaterialLayerSetUsage" => "ForLayerSet",
            "IfcMaterialProfileSetUsage" | "IfcMaterialProfileSetUsageTapering" => "ForProfileSet",
            "IfcMaterialLayerSet" => self.set(record.text("LayerSetName"), "MaterialLayers"),
            "IfcMaterialProfileSet" => self.set(record.text("Name"), "MaterialProfiles"),
            "IfcMaterialConstituentSet" => self.set(record.text("Name"), "MaterialConstituents"),
            "IfcMaterialList" => "Materials",
            _ => return,
        };
        for member in record.references(next) {
            self.collect(member, depth + 1);
        }
    }

    fn set(&mut self, name: String, members: &'static str) -> &'static str {
        if self.out.build_up.is_empty() {
            self.out.build_up = name;
        }
        members
    }

    fn push(&mut self, name: String) {
        if !name.is_empty() {
            self.out.names.push(name);
        }
    }

    /// Name of a part's material, else the part's own.
    fn material(&self, part: &Record<'_>) -> String {
        let material = part.reference("Material").and_then(|id| self.model.record(id));
        material.map(|m| m.text("Name")).filter(|n| !n.is_empty()).unwrap_or_else(|| part.text("Name"))
    }

    fn layer(&mut self, layer: &Record<'_>) {
        let name = self.material(layer);
        match layer.number("LayerThickness").map(|t| t * self.length_scale).filter(|t| *t > 0.0) {
            Some(thickness) => {
                self.thickness += thickness;
                self.push(format!("{name} {} m", real(thickness)).trim().to_string());
            }
            None => self.push(name),
        }
    }

    fn profile(&mut self, part: &Record<'_>) {
        let profile = part.reference("Profile").and_then(|id| self.model.record(id));
        let profile = profile.map(|p| p.text("ProfileName")).unwrap_or_default();
        let name = self.material(part);
        self.push(if profile.is_empty() { name } else { format!("{name} ({profile})").trim().to_string() });
    }

    fn constituent(&mut self, part: &Record<'_>) {
        let (own, material) = (part.text("Name"), self.material(part));
        self.push(if own.is_empty() || own == material { material } else { format!("{own}: {material}") });
    }
}
