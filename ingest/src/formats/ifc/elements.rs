//! Records become elements and the spatial tree.

use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;

use super::model::StepModel;
use super::relations::Relations;
use super::sets::{SetContents, SetReader};
use crate::model::{Classification, Element, Property, Quantity, SpatialNode};

/// GlobalId, class and names of a record.
#[derive(Debug, Clone, Default)]
struct Identity {
    global_id: String,
    class: String,
    name: String,
    description: String,
}

/// What all occurrences of a type share.
#[derive(Default)]
struct TypeFacts {
    name: String,
    sets: Vec<Rc<SetContents>>,
}

/// Builds elements from records.
pub(super) struct Builder<'m, 'a> {
    model: &'m mut StepModel<'a>,
    relations: Relations,
    sets: SetReader,
    identities: HashMap<u32, Rc<Identity>>,
    types: HashMap<u32, Rc<TypeFacts>>,
}

impl<'m, 'a> Builder<'m, 'a> {
    pub(super) fn new(model: &'m mut StepModel<'a>) -> Self {
        let relations = Relations::index(model);
        let sets = SetReader::new(model);
        Builder { model, relations, sets, identities: HashMap::new(), types: HashMap::new() }
    }

    fn identity(&mut self, id: u32) -> Rc<Identity> {
        if let Some(known) = self.identities.get(&id) {
            return known.clone();
        }
        let identity = match self.model.record(id) {
            None => Identity::default(),
            Some(record) => {
                let long = record.text("LongName");
                Identity {
                    global_id: record.text("GlobalId"),
                    class: record.class().to_string(),
                    name: record.text("Name"),
                    description: if long.is_empty() { record.text("Description") } else { long },
                }
            }
        };
        let identity = Rc::new(identity);
        self.identities.insert(id, identity.clone());
        identity
    }

    /// Project, sites, buildings and storeys, parents before children.
    pub(super) fn spatial(&mut self) -> Vec<SpatialNode> {
        let ids: Vec<u32> = self.model.projects.iter().chain(&self.model.spatial).copied().collect();
        let mut nodes: Vec<(usize, SpatialNode)> = Vec::new();
        for id in ids {
            let parents = self.relations.parents(id);
            let identity = self.identity(id);
            let elevation = match self.model.record(id) {
                Some(record) if record.class() == "IfcBuildingStorey" => record.number("Elevation"),
                _ => None,
            };
            let parent = parents.first().map(|p| self.identity(*p).global_id.clone()).unwrap_or_default();
            let node = SpatialNode {
                global_id: identity.global_id.clone(),
                class: identity.class.clone(),
                name: identity.name.clone(),
                description: identity.description.clone(),
                parent,
                elevation_m: elevation.map(|e| e * self.sets.length_scale),
            };
            nodes.push((parents.len(), node));
        }
        // Stable: nodes of one depth stay in the order of the file.
        nodes.sort_by_key(|(depth, _)| *depth);
        nodes.into_iter().map(|(_, node)| node).collect()
    }

    /// The element of a record; `None` where it cannot be decoded or has no GlobalId.
    pub(super) fn element(&mut self, id: u32) -> Option<Element> {
        let record = self.model.record(id)?;
        let global_id = record.text("GlobalId");
        if global_id.is_empty() {
            return None;
        }
        let long = record.text("LongName");
        let mut element = Element {
            global_id,
            class: record.class().to_string(),
            name: record.text("Name"),
            description: if long.is_empty() { record.text("Description") } else { long },
            tag: record.text("Tag"),
            type_name: record.text("ObjectType"),
            ..Element::default()
        };
        if let Some(unit) = self.sets.units.unit_for_measure("IFCLENGTHMEASURE") {
            for attribute in ["OverallWidth", "OverallHeight"] {
                if let Some(value) = record.number(attribute) {
                    let unit = super::values::symbol(&unit.symbol);
                    element.dimensions.insert(attribute.to_string(), Quantity { value, unit });
                }
            }
        }
        self.place(id, &mut element);
        let type_id = self.relations.type_of(id);
        let facts = type_id.map(|t| self.type_facts(t));
        if let Some(facts) = &facts
            && !facts.name.is_empty()
        {
            element.type_name.clone_from(&facts.name);
        }
        let own: Vec<u32> = self.relations.properties(id).to_vec();
        for set in own {
            let contents = self.sets.set(self.model, set);
            add_set(&mut element, &contents);
        }
        for contents in facts.iter().flat_map(|f| &f.sets) {
            add_set(&mut element, contents);
        }
        element.materials = self.materials(id, type_id);
        element.classifications = self.classifications(id, type_id);
        Some(element)
    }

    /// Parents and storey.
    fn place(&mut self, id: u32, element: &mut Element) {
        for parent in self.relations.parents(id) {
            let identity = self.identity(parent);
            if identity.class == "IfcBuildingStorey" && element.storey.is_empty() {
                element.storey.clone_from(&identity.name);
            }
            if !identity.global_id.is_empty() {
                element.parents.push(identity.global_id.clone());
            }
        }
        element.parents.reverse();
    }

    fn type_facts(&mut self, id: u32) -> Rc<TypeFacts> {
        if let Some(known) = self.types.get(&id) {
            return known.clone();
        }
        let mut facts = TypeFacts::default();
        if let Some(record) = self.model.record(id) {
            facts.name = record.text("Name");
            let mut sets = record.references("HasPropertySets");
            sets.extend(self.relations.properties(id));
            facts.sets = sets.into_iter().map(|set| self.sets.set(self.model, set)).collect();
        }
        let facts = Rc::new(facts);
        self.types.insert(id, facts.clone());
        facts
    }

    /// The element's own materials, else its type's.
    fn materials(&mut self, id: u32, type_id: Option<u32>) -> Vec<String> {
        for owner in [Some(id), type_id].into_iter().flatten() {
            let definitions: Vec<u32> = self.relations.materials(owner).to_vec();
            let mut names: Vec<String> = Vec::new();
            for definition in definitions {
                names.extend(self.sets.materials(self.model, definition).iter().cloned());
            }
            if !names.is_empty() {
                return names;
            }
        }
        Vec::new()
    }

    fn classifications(&mut self, id: u32, type_id: Option<u32>) -> Vec<Classification> {
        let mut references: Vec<u32> = self.relations.classifications(id).to_vec();
        references.extend(type_id.map(|t| self.relations.classifications(t).to_vec()).unwrap_or_default());
        let mut out: Vec<Classification> = Vec::new();
        for reference in references {
            if let Some(found) = self.sets.classification(self.model, reference)
                && !out.contains(&found)
            {
                out.push(found);
            }
        }
        out
    }
}

/// Adds what a set holds and the element does not have yet: what comes first wins.
fn add_set(element: &mut Element, contents: &SetContents) {
    if !contents.properties.is_empty() {
        let set: &mut BTreeMap<String, Property> =
            element.properties.entry(contents.name.clone()).or_default();
        for (name, property) in &contents.properties {
            set.entry(name.clone()).or_insert_with(|| property.clone());
        }
    }
    for (name, quantity) in &contents.quantities {
        element.quantities.entry(name.clone()).or_insert_with(|| quantity.clone());
    }
}
