use std::collections::{BTreeMap, HashMap};

use serde::{Deserialize, Serialize};

use super::{Element, Named, Property, Quantity};

/// Relative difference below which two quantities are one: programs write the same number differently.
const SAME: f64 = 1e-7;

/// What became of the elements between two versions of a model.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ModelDiff {
    /// Only in the later version, in its order.
    pub added: Vec<ElementRef>,
    /// Only in the earlier version, in its order.
    pub removed: Vec<ElementRef>,
    /// In both, with something changed, in the later version's order.
    pub changed: Vec<ElementChange>,
    /// How many are the same in both.
    pub unchanged: usize,
}

/// An element by what people call it.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct ElementRef {
    /// 22-character GlobalId.
    pub global_id: String,
    /// Entity name as in the standard.
    pub class: String,
    /// Name, may be empty.
    pub name: String,
    /// Name of the storey, may be empty.
    pub storey: String,
}

/// An element that is no longer what it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ElementChange {
    /// The element as the later version has it.
    #[serde(flatten)]
    pub element: ElementRef,
    /// What changed, in the order of the fields.
    pub fields: Vec<FieldChange>,
}

/// A value before and after; empty where there was or is none.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct FieldChange {
    /// `name`, `type`, `storey`, `materials`, …, `Set.Property` or a quantity's name.
    pub field: String,
    /// The earlier version's value.
    pub before: String,
    /// The later version's value.
    pub after: String,
}

/// Compares two versions of a model by GlobalId. Several elements with one GlobalId are compared in their
/// order. Who saved the element and when is no change of it.
pub fn diff_elements(before: &[Element], after: &[Element]) -> ModelDiff {
    let mut earlier: HashMap<&str, Vec<&Element>> = HashMap::new();
    for element in before.iter().rev() {
        earlier.entry(&element.global_id).or_default().push(element);
    }
    let mut diff = ModelDiff::default();
    for element in after {
        match earlier.get_mut(element.global_id.as_str()).and_then(Vec::pop) {
            None => diff.added.push(reference(element)),
            Some(old) => match fields(old, element) {
                fields if fields.is_empty() => diff.unchanged += 1,
                fields => diff.changed.push(ElementChange { element: reference(element), fields }),
            },
        }
    }
    // What was not met stands at the end of each list.
    let left: HashMap<&str, usize> = earlier.iter().map(|(id, rest)| (*id, rest.len())).collect();
    let mut met: HashMap<&str, usize> = HashMap::new();
    for element in before.iter().rev() {
        let met = met.entry(element.global_id.as_str()).or_default();
        if *met < left.get(element.global_id.as_str()).copied().unwrap_or(0) {
            diff.removed.push(reference(element));
        }
        *met += 1;
    }
    diff.removed.reverse();
    diff
}

fn reference(element: &Element) -> ElementRef {
    ElementRef {
        global_id: element.global_id.clone(),
        class: element.class.clone(),
        name: element.name.clone(),
        storey: element.storey.clone(),
    }
}

/// Everything about an element that a change is told of, as text.
fn facts(element: &Element) -> BTreeMap<&'static str, String> {
    let classifications =
        element.classifications.iter().map(|c| format!("{} {} {}", c.system, c.code, c.name));
    let groups = element.groups.iter().map(|g| format!("{} {}", g.class, g.name));
    BTreeMap::from([
        ("class", element.class.clone()),
        ("name", element.name.clone()),
        ("description", element.description.clone()),
        ("note", element.note.clone()),
        ("tag", element.tag.clone()),
        ("type", element.type_name.clone()),
        ("predefined_type", element.predefined_type.clone()),
        ("storey", element.storey.clone()),
        ("parents", element.parents.join(" ")),
        ("materials", element.materials.join("; ")),
        ("build_up", element.build_up.clone()),
        ("host", element.host.clone()),
        ("hosted", element.hosted.join(" ")),
        ("classifications", classifications.collect::<Vec<_>>().join("; ")),
        ("groups", groups.collect::<Vec<_>>().join("; ")),
    ])
}

fn fields(old: &Element, new: &Element) -> Vec<FieldChange> {
    let (before, mut after) = (facts(old), facts(new));
    let mut out = Vec::new();
    for (field, before) in before {
        let after = after.remove(field).unwrap_or_default();
        if before != after {
            out.push(FieldChange { field: field.into(), before, after });
        }
    }
    let none = Named::default();
    let sets = old.properties.keys().chain(new.properties.keys().filter(|s| !old.properties.contains_key(s)));
    for set in sets {
        let (before, after) =
            (old.properties.get(set).unwrap_or(&none), new.properties.get(set).unwrap_or(&none));
        named(before, after, |name| format!("{set}.{name}"), |a, b| a == b, property, &mut out);
    }
    named(&old.quantities, &new.quantities, str::to_string, same, quantity, &mut out);
    named(&old.dimensions, &new.dimensions, str::to_string, same, quantity, &mut out);
    out
}

fn named<T>(
    before: &Named<T>,
    after: &Named<T>,
    field: impl Fn(&str) -> String,
    same: impl Fn(&T, &T) -> bool,
    text: impl Fn(&T) -> String,
    out: &mut Vec<FieldChange>,
) {
    let shown = |value: Option<&T>| value.map(&text).unwrap_or_default();
    for name in before.keys().chain(after.keys().filter(|n| !before.contains_key(n))) {
        let (old, new) = (before.get(name), after.get(name));
        if !old.zip(new).is_some_and(|(a, b)| same(a, b)) {
            out.push(FieldChange { field: field(name), before: shown(old), after: shown(new) });
        }
    }
}

fn same(a: &Quantity, b: &Quantity) -> bool {
    a.unit == b.unit && (a.value - b.value).abs() <= SAME * a.value.abs().max(b.value.abs())
}

fn property(property: &Property) -> String {
    format!("{} {}", property.value, property.unit).trim_end().to_string()
}

fn quantity(quantity: &Quantity) -> String {
    format!("{} {}", crate::text::number(quantity.value), quantity.unit).trim_end().to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn element(id: &str, name: &str, rating: &str, area: f64) -> Element {
        let property = Property { value: rating.into(), unit: String::new() };
        let set: Named<Property> = std::iter::once(("FireRating", property)).collect();
        Element {
            global_id: id.into(),
            class: "IfcWall".into(),
            name: name.into(),
            properties: std::iter::once(("Pset_WallCommon", set)).collect(),
            quantities: std::iter::once(("NetSideArea", Quantity { value: area, unit: "m2".into() }))
                .collect(),
            ..Element::default()
        }
    }

    #[test]
    fn added_removed_and_changed_by_global_id() {
        let before = [
            element("a", "W1", "REI60", 12.5),
            element("b", "W2", "REI60", 1.0),
            element("c", "W3", "", 2.0),
        ];
        let after = [
            element("c", "W3", "", 2.000_000_01),
            element("d", "W4", "REI30", 3.0),
            element("a", "W1", "REI90", 12.75),
        ];
        let diff = diff_elements(&before, &after);
        let ids = |refs: &[ElementRef]| refs.iter().map(|r| r.global_id.clone()).collect::<Vec<_>>();
        assert_eq!(
            (ids(&diff.added), ids(&diff.removed), diff.unchanged),
            (vec!["d".into()], vec!["b".into()], 1)
        );
        let fields: Vec<(&str, &str, &str)> = diff.changed[0]
            .fields
            .iter()
            .map(|f| (f.field.as_str(), f.before.as_str(), f.after.as_str()))
            .collect();
        assert_eq!(
            fields,
            [("Pset_WallCommon.FireRating", "REI60", "REI90"), ("NetSideArea", "12.5 m2", "12.75 m2")]
        );
        assert_eq!(diff_elements(&before, &before), ModelDiff { unchanged: 3, ..ModelDiff::default() });
    }

    #[test]
    fn what_comes_or_goes_is_told_with_an_empty_side() {
        let mut after = element("a", "W1", "REI60", 1.0);
        after.properties =
            std::iter::once(("Neu", Named::from_iter([("Kosten", Property::default())]))).collect();
        after.storey = "EG".into();
        let diff = diff_elements(&[element("a", "W1", "REI60", 1.0)], &[after]);
        let fields: Vec<&str> = diff.changed[0].fields.iter().map(|f| f.field.as_str()).collect();
        assert_eq!(fields, ["storey", "Pset_WallCommon.FireRating", "Neu.Kosten"]);
        assert_eq!(diff.changed[0].fields[1].after, "");
    }

    #[test]
    fn one_global_id_twice_is_compared_in_order() {
        let before = [element("a", "W1", "", 1.0), element("a", "W2", "", 1.0)];
        let after = [element("a", "W1", "", 1.0)];
        let diff = diff_elements(&before, &after);
        assert_eq!((diff.unchanged, diff.removed.len(), diff.removed[0].name.as_str()), (1, 1, "W2"));
    }
}
