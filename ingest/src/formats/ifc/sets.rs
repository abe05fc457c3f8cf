//! Property sets and quantities, each record read once.

use std::collections::HashMap;
use std::rc::Rc;
use std::sync::Arc;

use super::compliance::Fact;
use super::step::{Record, StepModel, Value};
use super::text::tidy;
use super::units::Units;
use super::values;
use crate::model::{Named, Property, Quantity};

/// Nesting of complex properties and quantities.
const DEEPEST: u32 = 6;
/// Characters that a value takes beside its own.
const ENTRY: usize = 16;
/// Members of one set, nested ones included.
const MEMBERS: usize = 5_000;
/// Sets of one object.
pub(super) const SETS: usize = 300;

/// What a property set or an element quantity holds.
#[derive(Debug, Default)]
pub(super) struct SetContents {
    pub(super) name: Arc<str>,
    pub(super) properties: Named<Property>,
    pub(super) quantities: Named<Quantity>,
    /// Those of the properties that rules ask about.
    pub(super) facts: Vec<(Fact, Property)>,
}

/// The sets of an object, those of one name made one.
#[derive(Debug, Default, Clone)]
pub(super) struct Sets {
    pub(super) properties: Named<Named<Property>>,
    pub(super) quantities: Named<Named<Quantity>>,
}

impl Sets {
    /// Of one property in two sets of one name the later counts.
    pub(super) fn of(contents: &[Rc<SetContents>]) -> Self {
        Sets {
            properties: merged(contents.iter().map(|c| (&c.name, &c.properties))),
            quantities: merged(contents.iter().map(|c| (&c.name, &c.quantities))),
        }
    }

    /// Adds what the type has and the occurrence does not.
    pub(super) fn inherit(&mut self, of_type: &Sets) {
        inherit(&mut self.properties, &of_type.properties);
        inherit(&mut self.quantities, &of_type.quantities);
    }

    /// Characters of all properties and quantities, and what each takes beside.
    pub(super) fn chars(&self) -> u64 {
        let set = |set: &Named<Property>| -> usize {
            set.iter().map(|(name, p)| ENTRY + name.len() + p.value.len() + p.unit.len()).sum()
        };
        let properties: usize = self.properties.iter().map(|(name, values)| name.len() + set(values)).sum();
        let quantities =
            self.quantities.values().map(|q| q.keys().map(|name| ENTRY + name.len()).sum::<usize>());
        (properties + quantities.sum::<usize>()) as u64
    }

    /// Quantities by name; where a second set has one of the same name, that one is `Set.Name`. The
    /// standard's sets come first.
    pub(super) fn flat_quantities(&self) -> Named<Quantity> {
        let standard = |name: &str| name.starts_with("Qto_") || name == "BaseQuantities";
        let (first, rest): (Vec<_>, Vec<_>) = self.quantities.iter().partition(|(name, _)| standard(name));
        let mut out: Named<Quantity> = Named::default();
        for (set, quantities) in first.into_iter().chain(rest) {
            let taken = quantities.keys().any(|name| out.contains_key(name));
            if !taken {
                out.fill(quantities);
                continue;
            }
            let renamed = quantities.iter().map(|(name, quantity)| {
                let name = if out.contains_key(name) { format!("{set}.{name}") } else { name.to_string() };
                (name, quantity.clone())
            });
            let renamed: Named<Quantity> = renamed.collect();
            out.fill(&renamed);
        }
        out
    }
}

fn merged<'s, T: Clone + 's>(sets: impl Iterator<Item = (&'s Arc<str>, &'s Named<T>)>) -> Named<Named<T>> {
    let mut out: Vec<(Arc<str>, Named<T>)> = Vec::new();
    for (name, values) in sets.filter(|(_, values)| !values.is_empty()) {
        match out.iter_mut().find(|(known, _)| known == name) {
            Some((_, known)) => {
                let earlier = std::mem::replace(known, values.clone());
                known.fill(&earlier);
            }
            None => out.push((Arc::clone(name), values.clone())),
        }
    }
    out.into_iter().collect()
}

fn inherit<T: Clone>(own: &mut Named<Named<T>>, of_type: &Named<Named<T>>) {
    for (name, values) in of_type {
        if let Some(known) = own.get(name) {
            let mut known = known.clone();
            known.fill(values);
            own.insert(name, known);
        }
    }
    own.fill(of_type);
}

/// Reads sets and remembers them: many elements share one.
pub(super) struct SetReader<'a> {
    pub(super) units: Units<'a>,
    sets: HashMap<u32, Rc<SetContents>>,
    /// Names by their bytes in the file, with the fact that they stand for: a model has a million properties
    /// under a few hundred names.
    names: HashMap<&'a [u8], (Arc<str>, Option<Fact>)>,
}

impl<'a> SetReader<'a> {
    pub(super) fn new(model: &StepModel<'a>) -> Self {
        SetReader { units: Units::new(model), sets: HashMap::new(), names: HashMap::new() }
    }

    /// Contents of a property set or element quantity.
    pub(super) fn set(&mut self, model: &StepModel<'a>, id: u32) -> Rc<SetContents> {
        if let Some(known) = self.sets.get(&id) {
            return Rc::clone(known);
        }
        let contents = Rc::new(model.record(id).map(|r| self.read(model, &r)).unwrap_or_default());
        self.sets.insert(id, Rc::clone(&contents));
        contents
    }

    fn read(&mut self, model: &StepModel<'a>, record: &Record<'a>) -> SetContents {
        let mut name = self.name(model, record);
        if name.is_empty() {
            name = record.class().into();
        }
        let members = record.references("HasProperties");
        let (mut properties, mut facts) = (Vec::with_capacity(members.len()), Vec::new());
        self.walk(model, members, None, 0, &mut |reader, name, member| {
            if let Some(property) = values::property(model, &mut reader.units, member) {
                facts.extend(reader.fact(member).map(|fact| (fact, property.clone())));
                properties.push((name, property));
            }
            properties.len() < MEMBERS
        });
        if properties.is_empty() {
            properties = predefined(model, record);
        }
        let mut quantities = Vec::new();
        self.walk(model, record.references("Quantities"), None, 0, &mut |reader, name, member| {
            quantities.extend(values::quantity(model, &mut reader.units, member).map(|q| (name, q)));
            quantities.len() < MEMBERS
        });
        SetContents {
            name,
            properties: properties.into_iter().collect(),
            quantities: quantities.into_iter().collect(),
            facts,
        }
    }

    /// Every simple property or quantity of a list with its name; one inside of a complex one is
    /// `Complex.Name`. `leaf` says whether to go on.
    fn walk(
        &mut self,
        model: &StepModel<'a>,
        ids: Vec<u32>,
        prefix: Option<&str>,
        depth: u32,
        leaf: &mut dyn FnMut(&mut Self, Arc<str>, &Record<'a>) -> bool,
    ) -> bool {
        for id in ids {
            let Some(record) = model.record(id) else { continue };
            let mut name = self.name(model, &record);
            if let Some(prefix) = prefix {
                name = format!("{prefix}.{name}").into();
            }
            let inside = match record.class() {
                "IfcComplexProperty" => record.references("HasProperties"),
                "IfcPhysicalComplexQuantity" => record.references("HasQuantities"),
                _ if name.is_empty() => continue,
                _ => {
                    if !leaf(self, name, &record) {
                        return false;
                    }
                    continue;
                }
            };
            if depth < DEEPEST && !self.walk(model, inside, Some(&name), depth + 1, leaf) {
                return false;
            }
        }
        true
    }

    fn name(&mut self, model: &StepModel<'a>, record: &Record<'a>) -> Arc<str> {
        let Some(literal) = record.get("Name").and_then(Value::literal) else { return "".into() };
        let (name, _) = self.names.entry(literal).or_insert_with(|| {
            let name = tidy(model.decoded(literal));
            let fact = Fact::of_name(&name);
            (name.into(), fact)
        });
        Arc::clone(name)
    }

    /// The fact that a property of a name read before stands for.
    fn fact(&self, record: &Record<'a>) -> Option<Fact> {
        self.names.get(record.get("Name")?.literal()?)?.1
    }
}

/// Sets whose properties are attributes of the class: door linings, window panels, reinforcement.
fn predefined<'a>(model: &StepModel<'a>, record: &Record<'a>) -> Vec<(Arc<str>, Property)> {
    if matches!(record.class(), "IfcPropertySet" | "IfcElementQuantity") {
        return Vec::new();
    }
    let own = record.attributes().iter().skip(4);
    own.filter_map(|name| {
        let value = values::text(model, record.get(name)?);
        (!value.is_empty()).then(|| (Arc::from(*name), Property { value, unit: String::new() }))
    })
    .collect()
}
