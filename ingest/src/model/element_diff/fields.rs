use std::collections::BTreeMap;

use super::FieldChange;
use crate::model::{Element, Named, Property, Quantity};

/// Relative difference below which two quantities are one: programs write the same number differently.
const SAME: f64 = 1e-7;

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

/// What is not the same in both, in the order of the fields.
pub(super) fn fields(old: &Element, new: &Element) -> Vec<FieldChange> {
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
