//! The relations of a model, indexed once.

use std::collections::HashMap;

use super::classes::Relation;
use super::step::{Record, StepModel};

/// What hangs on what, by record number.
#[derive(Default)]
pub(super) struct Relations {
    /// Whole or container of a part.
    parent: HashMap<u32, u32>,
    type_of: HashMap<u32, u32>,
    properties: HashMap<u32, Vec<u32>>,
    material: HashMap<u32, Vec<u32>>,
    classification: HashMap<u32, Vec<u32>>,
    groups: HashMap<u32, Vec<u32>>,
    /// Element that an opening is cut out of.
    host: HashMap<u32, u32>,
    /// Openings of an element.
    features: HashMap<u32, Vec<u32>>,
    /// Opening that a door or window fills.
    filled: HashMap<u32, u32>,
    /// What fills an opening.
    fillings: HashMap<u32, Vec<u32>>,
}

impl Relations {
    pub(super) fn index(model: &StepModel<'_>) -> Self {
        let mut out = Relations::default();
        for (relation, id) in &model.relations {
            if let Some(record) = model.record(*id) {
                out.add(*relation, &record);
            }
        }
        out
    }

    fn add(&mut self, relation: Relation, record: &Record<'_>) {
        let spread = |map: &mut HashMap<u32, Vec<u32>>, attribute: &str| {
            let related = record.references(attribute);
            for object in record.references("RelatedObjects") {
                map.entry(object).or_default().extend(&related);
            }
        };
        match relation {
            Relation::Aggregates => {
                let Some(whole) = record.reference("RelatingObject") else { return };
                for part in record.references("RelatedObjects") {
                    self.parent.insert(part, whole);
                }
            }
            Relation::Contained => {
                let Some(container) = record.reference("RelatingStructure") else { return };
                for part in record.references("RelatedElements") {
                    // A part of an assembly stays below the assembly.
                    self.parent.entry(part).or_insert(container);
                }
            }
            Relation::Type => {
                let Some(type_object) = record.reference("RelatingType") else { return };
                for object in record.references("RelatedObjects") {
                    self.type_of.insert(object, type_object);
                }
            }
            Relation::Properties => spread(&mut self.properties, "RelatingPropertyDefinition"),
            Relation::Material => spread(&mut self.material, "RelatingMaterial"),
            Relation::Classification => spread(&mut self.classification, "RelatingClassification"),
            Relation::Group => spread(&mut self.groups, "RelatingGroup"),
            Relation::Feature => self.feature(record),
            Relation::Fills => {
                let opening = record.reference("RelatingOpeningElement");
                let filling = record.reference("RelatedBuildingElement");
                if let (Some(opening), Some(filling)) = (opening, filling) {
                    self.filled.insert(filling, opening);
                    self.fillings.entry(opening).or_default().push(filling);
                }
            }
        }
    }

    fn feature(&mut self, record: &Record<'_>) {
        const HOSTS: [&str; 2] = ["RelatingBuildingElement", "RelatingElement"];
        const FEATURES: [&str; 3] =
            ["RelatedOpeningElement", "RelatedFeatureElement", "RelatedSurfaceFeatures"];
        let Some(host) = HOSTS.iter().find_map(|name| record.reference(name)) else { return };
        for feature in FEATURES.iter().flat_map(|name| record.references(name)) {
            self.host.insert(feature, host);
            self.features.entry(host).or_default().push(feature);
        }
    }

    /// Containers of a record, the direct one first. What has none is below the opening that it fills, an
    /// opening below its host. A cycle ends the walk.
    pub(super) fn parents(&self, id: u32) -> Vec<u32> {
        const DEEPEST: usize = 64;
        let mut out = Vec::new();
        let mut at = id;
        let above =
            |id: &u32| self.parent.get(id).or_else(|| self.filled.get(id)).or_else(|| self.host.get(id));
        while let Some(&parent) = above(&at) {
            if parent == id || out.contains(&parent) || out.len() >= DEEPEST {
                break;
            }
            out.push(parent);
            at = parent;
        }
        out
    }

    pub(super) fn type_of(&self, id: u32) -> Option<u32> {
        self.type_of.get(&id).copied()
    }

    pub(super) fn properties(&self, id: u32) -> &[u32] {
        of(&self.properties, id)
    }

    pub(super) fn materials(&self, id: u32) -> &[u32] {
        of(&self.material, id)
    }

    pub(super) fn classifications(&self, id: u32) -> &[u32] {
        of(&self.classification, id)
    }

    pub(super) fn groups(&self, id: u32) -> &[u32] {
        of(&self.groups, id)
    }

    /// The element that an opening, door or window is in.
    pub(super) fn host(&self, id: u32) -> Option<u32> {
        let opening = self.filled.get(&id).copied();
        let host = self.host.get(&opening.unwrap_or(id)).copied();
        host.or(opening).filter(|host| *host != id)
    }

    /// Openings of an element and what fills them.
    pub(super) fn hosted(&self, id: u32) -> Vec<u32> {
        let mut out = Vec::new();
        for feature in of(&self.features, id) {
            out.push(*feature);
            out.extend(of(&self.fillings, *feature));
        }
        out.extend(of(&self.fillings, id));
        out
    }
}

fn of(map: &HashMap<u32, Vec<u32>>, id: u32) -> &[u32] {
    map.get(&id).map(Vec::as_slice).unwrap_or_default()
}
