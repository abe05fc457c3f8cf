//! Records become elements and the spatial tree.

use std::collections::HashMap;
use std::rc::Rc;

use super::associations::Associations;
use super::compliance;
use super::materials::MaterialReader;
use super::relations::Relations;
use super::sets::{SETS, SetContents, SetReader, Sets};
use super::step::{Record, StepModel};
use crate::model::{Classification, Element, Named, Quantity, SpatialNode};
use crate::text::label;

/// GlobalId, class and name of a record.
#[derive(Debug, Default)]
struct Identity {
    global_id: String,
    class: Rc<str>,
    name: String,
}

/// What all occurrences of a type share.
#[derive(Default)]
struct TypeFacts {
    name: String,
    predefined_type: String,
    contents: Vec<Rc<SetContents>>,
    sets: Sets,
    quantities: Named<Quantity>,
    /// Characters of its sets.
    chars: u64,
}

/// Builds elements from records.
pub(super) struct Builder<'m, 'a> {
    model: &'m StepModel<'a>,
    relations: Relations,
    sets: SetReader<'a>,
    materials: MaterialReader,
    associations: Associations,
    identities: HashMap<u32, Rc<Identity>>,
    types: HashMap<u32, Rc<TypeFacts>>,
    length_unit: String,
    /// Characters of values that may still be kept.
    left: u64,
}

/// Classifications of one object.
const CLASSIFICATIONS: usize = 100;

impl<'m, 'a> Builder<'m, 'a> {
    /// Reads what the elements have in common. All their values together may take so many characters.
    pub(super) fn new(model: &'m StepModel<'a>, most_chars: u64) -> Self {
        let mut sets = SetReader::new(model);
        let length_unit = sets.units.of_measure("IFCLENGTHMEASURE").to_string();
        Builder {
            model,
            relations: Relations::index(model),
            sets,
            materials: MaterialReader::default(),
            associations: Associations::default(),
            identities: HashMap::new(),
            types: HashMap::new(),
            length_unit,
            left: most_chars,
        }
    }

    /// True where values were left out because the model has too many.
    pub(super) fn is_full(&self) -> bool {
        self.left == 0
    }

    /// Takes from what may be kept; `false` once there is no more.
    fn charge(&mut self, chars: u64) -> bool {
        self.left = self.left.saturating_sub(chars);
        self.left > 0
    }

    /// Metres per length unit of the model.
    pub(super) fn length_scale(&self) -> f64 {
        self.sets.units.length_scale
    }

    fn identity(&mut self, id: u32) -> Rc<Identity> {
        let read = || {
            let identity = self.model.record(id).map(|record| Identity {
                global_id: label(&record.text("GlobalId")),
                class: record.shared_class(),
                name: label(&record.text("Name")),
            });
            Rc::new(identity.unwrap_or_default())
        };
        Rc::clone(self.identities.entry(id).or_insert_with(read))
    }

    fn global_ids(&mut self, ids: &[u32]) -> Vec<String> {
        let ids = ids.iter().map(|id| self.identity(*id).global_id.clone());
        ids.filter(|id| !id.is_empty()).collect()
    }

    /// Project, sites, buildings and storeys, parents before children.
    pub(super) fn spatial(&mut self) -> Vec<SpatialNode> {
        let model = self.model;
        let mut nodes: Vec<(usize, SpatialNode)> = Vec::new();
        for id in model.projects.iter().chain(&model.spatial) {
            let Some(record) = model.record(*id) else { continue };
            let parents = self.relations.parents(*id);
            let elevation = Some("Elevation").filter(|_| record.class() == "IfcBuildingStorey");
            let elevation = elevation.and_then(|name| record.number(name));
            let sets = self.own_sets(*id);
            let sets = if self.charge(sets.chars()) { sets } else { Sets::default() };
            let node = SpatialNode {
                global_id: record.text("GlobalId"),
                class: record.class().to_string(),
                name: record.text("Name"),
                description: either(record.text("LongName"), record.text("Description")),
                parent: parents.first().map(|p| self.identity(*p).global_id.clone()).unwrap_or_default(),
                elevation_m: elevation.map(|e| e * self.length_scale()),
                quantities: sets.flat_quantities(),
                properties: sets.properties,
            };
            nodes.push((parents.len(), node));
        }
        // Stable: nodes of one depth stay in the order of the file.
        nodes.sort_by_key(|(depth, _)| *depth);
        nodes.into_iter().map(|(_, node)| node).collect()
    }

    fn own_sets(&mut self, id: u32) -> Sets {
        Sets::of(&self.own_contents(id))
    }

    fn own_contents(&mut self, id: u32) -> Vec<Rc<SetContents>> {
        let sets = self.relations.properties(id).iter().take(SETS);
        sets.map(|set| self.sets.set(self.model, *set)).collect()
    }

    /// The element of a record; `None` where it cannot be read or has no GlobalId.
    pub(super) fn element(&mut self, id: u32) -> Option<Element> {
        let model = self.model;
        let record = model.record(id)?;
        let global_id = record.text("GlobalId");
        if global_id.is_empty() {
            return None;
        }
        let (long, description) = (record.text("LongName"), record.text("Description"));
        let mut element = Element {
            global_id,
            class: record.class().to_string(),
            name: record.text("Name"),
            note: if long.is_empty() || long == description { String::new() } else { description.clone() },
            description: either(long, description),
            tag: record.text("Tag"),
            ..Element::default()
        };
        self.sizes(&record, &mut element);
        self.place(id, &mut element);
        let type_id = self.relations.type_of(id);
        let facts = type_id.map(|t| self.type_facts(t)).unwrap_or_default();
        let object_type = record.text("ObjectType");
        element.predefined_type =
            predefined_type(&record, &object_type).unwrap_or_else(|| facts.predefined_type.clone());
        element.type_name = either(facts.name.clone(), object_type);
        self.fill_sets(id, &facts, &mut element);
        self.fill_materials(id, type_id, &mut element);
        element.classifications = self.classifications(id, type_id);
        element.groups = self.associations.groups(model, &self.relations, id);
        element.host =
            self.relations.host(id).map(|h| self.identity(h).global_id.clone()).unwrap_or_default();
        let hosted = self.relations.hosted(id);
        element.hosted = self.global_ids(&hosted);
        if let Some(history) = record.reference("OwnerHistory") {
            element.history = self.associations.history(model, history);
        }
        Some(element)
    }

    /// Height and width of doors and windows.
    fn sizes(&self, record: &Record<'_>, element: &mut Element) {
        for attribute in ["OverallWidth", "OverallHeight"] {
            if let Some(value) = record.number(attribute) {
                let quantity = Quantity { value, unit: self.length_unit.clone() };
                element.dimensions.insert(attribute, quantity);
            }
        }
    }

    /// Parents and storey.
    fn place(&mut self, id: u32, element: &mut Element) {
        for parent in self.relations.parents(id) {
            let identity = self.identity(parent);
            if &*identity.class == "IfcBuildingStorey" && element.storey.is_empty() {
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
            return Rc::clone(known);
        }
        let mut facts = TypeFacts::default();
        if let Some(record) = self.model.record(id) {
            facts.name = label(&record.text("Name"));
            let own_type = either(record.text("ElementType"), record.text("ProcessType"));
            facts.predefined_type = label(&predefined_type(&record, &own_type).unwrap_or_default());
            let mut ids = record.references("HasPropertySets");
            ids.extend(self.relations.properties(id));
            facts.contents = ids.into_iter().take(SETS).map(|set| self.sets.set(self.model, set)).collect();
            facts.sets = Sets::of(&facts.contents);
            facts.quantities = facts.sets.flat_quantities();
            facts.chars = facts.sets.chars();
        }
        let facts = Rc::new(facts);
        self.types.insert(id, Rc::clone(&facts));
        facts
    }

    fn fill_sets(&mut self, id: u32, of_type: &TypeFacts, element: &mut Element) {
        let own = self.own_contents(id);
        if own.is_empty() {
            if self.charge(of_type.chars) {
                element.properties = of_type.sets.properties.clone();
                element.quantities = of_type.quantities.clone();
            }
        } else {
            let mut sets = Sets::of(&own);
            sets.inherit(&of_type.sets);
            if self.charge(sets.chars()) {
                element.quantities = sets.flat_quantities();
                element.properties = sets.properties;
            }
        }
        element.compliance = compliance::facts(&own, &of_type.contents);
    }

    /// The element's own materials, else its type's.
    fn fill_materials(&mut self, id: u32, type_id: Option<u32>, element: &mut Element) {
        let scale = self.length_scale();
        for owner in [Some(id), type_id].into_iter().flatten() {
            for definition in self.relations.materials(owner) {
                let found = self.materials.read(self.model, *definition, scale);
                let chars: usize = found.names.iter().map(String::len).sum();
                self.left = self.left.saturating_sub(chars as u64);
                if self.left == 0 {
                    return;
                }
                element.materials.extend(found.names.iter().cloned());
                if element.build_up.is_empty() {
                    element.build_up.clone_from(&found.build_up);
                }
            }
            if !element.materials.is_empty() {
                return;
            }
        }
    }

    fn classifications(&mut self, id: u32, type_id: Option<u32>) -> Vec<Classification> {
        let mut out: Vec<Classification> = Vec::new();
        for owner in [Some(id), type_id].into_iter().flatten() {
            for reference in self.relations.classifications(owner).iter().take(CLASSIFICATIONS) {
                if let Some(found) = self.associations.classification(self.model, *reference)
                    && !out.contains(&found)
                {
                    out.push(found);
                }
            }
        }
        out
    }
}

fn either(first: String, second: String) -> String {
    if first.is_empty() { second } else { first }
}

/// The predefined type of a record; the user's own where it says so. `None` where there is none.
fn predefined_type(record: &Record<'_>, own: &str) -> Option<String> {
    let name = record.get("PredefinedType").or_else(|| record.get("ShapeType"))?.name()?;
    match name {
        "NOTDEFINED" => None,
        "USERDEFINED" if !own.is_empty() => Some(own.to_string()),
        name => Some(name.to_string()),
    }
}
