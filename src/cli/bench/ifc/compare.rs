//! What two readers made of one model, value by value.

use std::collections::{BTreeMap, HashMap};

use ingest::{Document, Element, Quantity};
use serde::Deserialize;
use serde_json::Value;

/// Relative difference of two numbers that count as one.
const SAME: f64 = 1e-7;

/// A model as the other program read it.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Theirs {
    elements: Vec<TheirElement>,
    spatial: Vec<TheirNode>,
}

#[derive(Debug, Deserialize)]
struct TheirElement {
    global_id: String,
    class: String,
    name: String,
    parents: Vec<String>,
    properties: BTreeMap<String, BTreeMap<String, Value>>,
    quantities: BTreeMap<String, BTreeMap<String, Value>>,
}

#[derive(Debug, Deserialize)]
struct TheirNode {
    global_id: String,
    class: String,
    parents: Vec<String>,
}

/// How much of each sort there is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, serde::Serialize)]
pub(super) struct Counts {
    /// Elements, openings, spaces and zones.
    pub(super) elements: usize,
    /// Property values of all elements, inherited ones included.
    pub(super) properties: usize,
    /// Quantities of all elements.
    pub(super) quantities: usize,
    /// Projects, sites, buildings, storeys and other spatial nodes.
    pub(super) spatial: usize,
}

/// One thing that the two do not agree on.
#[derive(Debug, Clone, PartialEq, serde::Serialize)]
pub(super) struct Difference {
    /// GlobalId, with the property or quantity where it is about one.
    pub(super) at: String,
    /// `element`, `class`, `name`, `place`, `property`, `quantity` or `node`.
    pub(super) what: &'static str,
    /// What the other program says; empty where it has nothing.
    pub(super) theirs: String,
    /// What this program says; empty where it has nothing.
    pub(super) ours: String,
}

/// Counts of this program's reading.
pub(super) fn counts(document: &Document) -> Counts {
    let sets = document.elements.iter().flat_map(|e| e.properties.values());
    Counts {
        elements: document.elements.len(),
        properties: sets.map(ingest::Named::len).sum(),
        quantities: document.elements.iter().map(|e| e.quantities.len()).sum(),
        spatial: document.spatial.len(),
    }
}

/// Counts of the other program's reading.
pub(super) fn their_counts(theirs: &Theirs) -> Counts {
    let of =
        |sets: &BTreeMap<String, BTreeMap<String, Value>>| sets.values().map(BTreeMap::len).sum::<usize>();
    Counts {
        elements: theirs.elements.len(),
        properties: theirs.elements.iter().map(|e| of(&e.properties)).sum(),
        quantities: theirs.elements.iter().map(|e| of(&e.quantities)).sum(),
        spatial: theirs.spatial.len(),
    }
}

/// Everything that the two do not agree on.
pub(super) fn differences(document: &Document, theirs: &Theirs) -> Vec<Difference> {
    let mut out = Vec::new();
    let ours = numbered(document.elements.iter().map(|e| (e.global_id.as_str(), e)));
    let their = numbered(theirs.elements.iter().map(|e| (e.global_id.as_str(), e)));
    for (key, element) in &ours {
        match their.get(key) {
            Some(other) => element_differences(element, other, &mut out),
            None => push(&mut out, key.0, "element", "", &element.class),
        }
    }
    for (key, other) in their.iter().filter(|(key, _)| !ours.contains_key(*key)) {
        push(&mut out, key.0, "element", &other.class, "");
    }
    tree_differences(document, theirs, &mut out);
    out.sort_by(|a, b| (a.what, &a.at).cmp(&(b.what, &b.at)));
    out
}

/// Several records of one file may have one GlobalId: the first is 0, the second 1.
fn numbered<'a, T>(all: impl Iterator<Item = (&'a str, T)>) -> HashMap<(&'a str, usize), T> {
    let mut next: HashMap<&str, usize> = HashMap::new();
    let mut out = HashMap::new();
    for (id, value) in all {
        let number = next.entry(id).or_default();
        out.insert((id, *number), value);
        *number += 1;
    }
    out
}

fn push(out: &mut Vec<Difference>, at: &str, what: &'static str, theirs: &str, ours: &str) {
    out.push(Difference { at: at.to_owned(), what, theirs: theirs.to_owned(), ours: ours.to_owned() });
}

fn element_differences(element: &Element, other: &TheirElement, out: &mut Vec<Difference>) {
    let id = element.global_id.as_str();
    if element.class != other.class {
        push(out, id, "class", &other.class, &element.class);
    }
    if element.name != other.name {
        push(out, id, "name", &other.name, &element.name);
    }
    if element.parents != other.parents {
        push(out, id, "place", &other.parents.join(" › "), &element.parents.join(" › "));
    }
    for (set, values) in &other.properties {
        for (name, value) in values {
            let sets = element.properties.iter().filter(|(known, _)| same_set(known, set));
            let ours: Vec<&str> = sets.filter_map(|(_, s)| s.get(name)).map(|p| p.value.as_str()).collect();
            if !ours.iter().any(|ours| same_value(ours, value)) {
                let ours = ours.first().copied().unwrap_or_default();
                push(out, &format!("{id} {set}.{name}"), "property", &value.to_string(), ours);
            }
        }
    }
    for (set, values) in &element.properties {
        let sets: Vec<_> = other.properties.iter().filter(|(known, _)| same_set(known, set)).collect();
        for (name, value) in values {
            if !sets.iter().any(|(_, s)| s.contains_key(name)) {
                push(out, &format!("{id} {set}.{name}"), "property", "", &value.value);
            }
        }
    }
    quantity_differences(element, other, out);
}

/// Sets without a name go by their class here; the other program makes one of all of them.
fn same_set(a: &str, b: &str) -> bool {
    a == b || (a.starts_with("Ifc") && b.starts_with("Ifc"))
}

fn quantity_differences(element: &Element, other: &TheirElement, out: &mut Vec<Difference>) {
    let id = element.global_id.as_str();
    let mut met = 0;
    for (set, values) in &other.quantities {
        for (name, value) in values {
            let whole = format!("{set}.{name}");
            let candidates = [element.quantities.get(name), element.quantities.get(&whole)];
            let same = |q: &&Quantity| value.as_f64().is_some_and(|v| close(v, q.value));
            if candidates.iter().flatten().any(same) {
                met += 1;
            } else {
                let ours = candidates.iter().flatten().next().map(|q| q.value.to_string());
                push(
                    out,
                    &format!("{id} {whole}"),
                    "quantity",
                    &value.to_string(),
                    &ours.unwrap_or_default(),
                );
            }
        }
    }
    let theirs: usize = other.quantities.values().map(BTreeMap::len).sum();
    if met == theirs && theirs != element.quantities.len() {
        push(out, id, "quantity", &theirs.to_string(), &element.quantities.len().to_string());
    }
}

fn tree_differences(document: &Document, theirs: &Theirs, out: &mut Vec<Difference>) {
    for node in &theirs.spatial {
        let parent = node.parents.last().map(String::as_str).unwrap_or_default();
        let expected = (node.class.as_str(), parent);
        let ours = document.spatial.iter().filter(|n| n.global_id == node.global_id);
        let found: Vec<(&str, &str)> = ours.map(|n| (n.class.as_str(), n.parent.as_str())).collect();
        if !found.contains(&expected) {
            let shown = |(class, parent): (&str, &str)| format!("{class} below {parent}");
            let ours = found.first().copied().map(shown).unwrap_or_default();
            push(out, &node.global_id, "node", &shown(expected), &ours);
        }
    }
}

/// Text against a value of JSON: numbers as numbers, lists member by member.
fn same_value(ours: &str, theirs: &Value) -> bool {
    match theirs {
        Value::Bool(value) => ours == if *value { "true" } else { "false" },
        Value::Number(number) => {
            let ours = ours.trim_start_matches(['≥', '≤', ' ']);
            number.as_f64().zip(ours.parse().ok()).is_some_and(|(a, b)| close(a, b))
        }
        Value::String(text) => ours == text || (text == "UNKNOWN" && ours == "unknown"),
        Value::Array(members) => same_list(ours, members),
        Value::Null | Value::Object(_) => false,
    }
}

/// Lists are one text here: `a, b`, `a – b` for bounds, `a: b` for tables. A member may hold a comma itself.
fn same_list(ours: &str, members: &[Value]) -> bool {
    let mut rest = ours;
    for member in members {
        rest = rest.trim_start_matches([',', ' ', '–', ':', '≥', '≤']);
        if let Value::String(text) = member {
            match rest.strip_prefix(text.as_str()) {
                Some(after) => rest = after,
                None => return false,
            }
            continue;
        }
        let end = rest.find([',', ' ', ':']).unwrap_or(rest.len());
        let (head, after) = rest.split_at(end);
        if !same_value(head, member) {
            return false;
        }
        rest = after;
    }
    rest.is_empty()
}

fn close(a: f64, b: f64) -> bool {
    (a - b).abs() <= SAME * a.abs().max(b.abs()).max(1e-9)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn values_agree_whatever_their_form() {
        for (ours, theirs) in [
            ("0.17", json!(0.17)),
            ("true", json!(true)),
            ("unknown", json!("UNKNOWN")),
            ("0.1 – 0.5", json!([0.1, 0.5])),
            ("≤ 0.5", json!([0.5])),
            ("ALT, NEU, 3", json!(["ALT", "NEU", 3])),
            ("a, b, c", json!(["a, b", "c"])),
            ("1: 2, 3: 4", json!([1, 2, 3, 4])),
        ] {
            assert!(same_value(ours, &theirs), "{ours} {theirs}");
        }
        for (ours, theirs) in
            [("0.18", json!(0.17)), ("REI60", json!("REI90")), ("1, 2", json!([1])), ("", json!("x"))]
        {
            assert!(!same_value(ours, &theirs), "{ours} {theirs}");
        }
    }

    #[test]
    fn every_difference_is_listed() {
        let element = |id: &str, rating: &str| {
            let set = std::iter::once((
                "FireRating",
                ingest::Property { value: rating.into(), unit: String::new() },
            ));
            let sets = std::iter::once(("Pset_WallCommon", set.collect::<ingest::Named<_>>()));
            Element {
                global_id: id.into(),
                class: "IfcWall".into(),
                properties: sets.collect(),
                ..Element::default()
            }
        };
        let mut document = Document::new(ingest::Kind::Ifc, "x");
        document.elements = vec![element("a", "REI60"), element("b", "REI60")];
        let theirs: Theirs = serde_json::from_value(json!({
            "elements": [
                {"global_id": "a", "class": "IfcWall", "name": "", "parents": [], "quantities": {},
                 "properties": {"Pset_WallCommon": {"FireRating": "REI60"}}},
                {"global_id": "b", "class": "IfcWall", "name": "", "parents": ["s"],
                 "quantities": {"Qto_WallBaseQuantities": {"Length": 4.5}},
                 "properties": {"Pset_WallCommon": {"FireRating": "REI90"}}},
                {"global_id": "c", "class": "IfcSlab", "name": "", "parents": [], "quantities": {}, "properties": {}}
            ],
            "spatial": [{"global_id": "s", "class": "IfcBuildingStorey", "parents": ["p"]}]
        }))
        .unwrap();
        let found = differences(&document, &theirs);
        let what: Vec<(&str, &str)> = found.iter().map(|d| (d.what, d.at.as_str())).collect();
        assert_eq!(
            what,
            [
                ("element", "c"),
                ("node", "s"),
                ("place", "b"),
                ("property", "b Pset_WallCommon.FireRating"),
                ("quantity", "b Qto_WallBaseQuantities.Length"),
            ]
        );
    }
}
