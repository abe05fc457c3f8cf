//! The relations of a model, indexed once.

use std::collections::HashMap;

use super::model::{Relation, StepModel};

/// What hangs on what, by record number.
#[derive(Default)]
pub(super) struct Relations {
    /// Whole or container of a part.
    parent: HashMap<u32, u32>,
    type_of: HashMap<u32, u32>,
    properties: HashMap<u32, Vec<u32>>,
    material: HashMap<u32, Vec<u32>>,
    classification: HashMap<u32, Vec<u32>>,
}

impl Relations {
    pub(super) fn index(model: &mut StepModel<'_>) -> Self {
        let mut out = Relations::default();
        for (relation, id) in model.relations.clone() {
            let Some(record) = model.record(id) else { continue };
            match relation {
                Relation::Aggregates => {
                    let Some(whole) = record.reference("RelatingObject") else { continue };
                    for part in record.references("RelatedObjects") {
                        out.parent.insert(part, whole);
                    }
                }
                Relation::Contained => {
                    let Some(container) = record.reference("RelatingStructure") else { continue };
                    for part in record.references("RelatedElements") {
                        // A part of an assembly stays below the assembly.
                        out.parent.entry(part).or_insert(container);
                    }
                }
                Relation::Type => {
                    let Some(type_object) = record.reference("RelatingType") else { continue };
                    for object in record.references("RelatedObjects") {
                        out.type_of.insert(object, type_object);
                    }
                }
                Relation::Properties => {
                    let sets = record.references("RelatingPropertyDefinition");
                    for object in record.references("RelatedObjects") {
                        out.properties.entry(object).or_default().extend(&sets);
                    }
                }
                Relation::Material => {
                    let Some(material) = record.reference("RelatingMaterial") else { continue };
                    for object in record.references("RelatedObjects") {
                        out.material.entry(object).or_default().push(material);
                    }
                }
                Relation::Classification => {
                    let Some(reference) = record.reference("RelatingClassification") else { continue };
                    for object in record.references("RelatedObjects") {
                        out.classification.entry(object).or_default().push(reference);
                    }
                }
            }
        }
        out
    }

    /// Containers of a record, the direct one first. A cycle ends the walk.
    pub(super) fn parents(&self, id: u32) -> Vec<u32> {
        const DEEPEST: usize = 64;
        let mut out = Vec::new();
        let mut at = id;
        while let Some(&parent) = self.parent.get(&at) {
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
        self.properties.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn materials(&self, id: u32) -> &[u32] {
        self.material.get(&id).map(Vec::as_slice).unwrap_or_default()
    }

    pub(super) fn classifications(&self, id: u32) -> &[u32] {
        self.classification.get(&id).map(Vec::as_slice).unwrap_or_default()
    }
}
