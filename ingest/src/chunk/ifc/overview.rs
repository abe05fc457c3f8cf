//! Passages across the elements of a model: each property set with the values that occur, each group.

use std::collections::BTreeMap;

use super::super::Sink;
use super::facts::Tally;
use super::{Model, amount, facts, global_ids, labels};
use crate::model::{Element, Group};
use crate::text::counted;

/// Passages of this sort of one model.
const MOST: usize = 2_000;
/// Values shown of one property, the commonest first.
const SHOWN_VALUES: usize = 8;
/// Different values counted of one property; more are numbers or marks of single elements.
const COUNTED_VALUES: usize = 200;
/// Members of a group named one by one.
const NAMED_MEMBERS: usize = 40;

/// A property set over all elements that have it.
#[derive(Default)]
struct Use<'a> {
    elements: Vec<&'a Element>,
    properties: BTreeMap<&'a str, Tally<'a>>,
}

/// Which values the properties of each set have, and how often.
pub(super) fn property_sets(model: &Model<'_>, sink: &mut Sink) {
    let mut sets: BTreeMap<&str, Use<'_>> = BTreeMap::new();
    for element in model.elements() {
        for (set, properties) in &element.properties {
            if sets.len() >= MOST && !sets.contains_key(set) {
                continue;
            }
            let used = sets.entry(set).or_default();
            used.elements.push(element);
            for (name, property) in properties {
                used.properties.entry(name).or_insert_with(|| Tally::new(COUNTED_VALUES)).add(property);
            }
        }
    }
    // A set of one element or of one type says no more than the passage of that element or type.
    for (set, used) in sets {
        let Some(first) = used.elements.first() else { continue };
        if used.elements.iter().all(|e| (&e.class, &e.type_name) == (&first.class, &first.type_name)) {
            continue;
        }
        let classes = super::count_classes(used.elements.iter().copied());
        let mut lines = vec![
            format!("Eigenschaftssatz {set}: {}", counted(used.elements.len(), "Element", "Elemente")),
            classes,
        ];
        lines.extend(used.properties.iter().filter_map(|(name, tally)| values(name, tally)));
        lines.push(global_ids(&used.elements));
        model.push(sink, &first.global_id, Vec::new(), lines);
    }
}

/// The commonest values; nothing where nearly every element has its own.
fn values(name: &str, tally: &Tally<'_>) -> Option<String> {
    let ranked = tally.ranked();
    let all_differ = ranked.len() > SHOWN_VALUES && ranked.first().is_some_and(|(_, count)| *count == 1);
    if tally.many || all_differ {
        return None;
    }
    let shown: Vec<String> =
        ranked.iter().take(SHOWN_VALUES).map(|(value, count)| format!("{value} ({count})")).collect();
    let more = if ranked.len() > SHOWN_VALUES { ", …" } else { "" };
    Some(format!("{}: {}{more}", labels::labelled(name), shown.join(", ")))
}

/// What is in each zone, system and group.
pub(super) fn groups(model: &Model<'_>, sink: &mut Sink) {
    let mut groups: BTreeMap<&str, (&Group, Vec<&Element>)> = BTreeMap::new();
    for element in model.elements() {
        for group in element.groups.iter().filter(|g| !g.name.is_empty()) {
            if groups.len() < MOST || groups.contains_key(group.global_id.as_str()) {
                groups.entry(&group.global_id).or_insert((group, Vec::new())).1.push(element);
            }
        }
    }
    for (group, members) in groups.into_values() {
        let noun = labels::group(&group.class);
        let mut lines = vec![format!("{noun} {} ({})", group.name, group.class)];
        lines.push(super::count_classes(members.iter().copied()));
        let spaces: Vec<&Element> = members.iter().copied().filter(|e| e.class == "IfcSpace").collect();
        if !spaces.is_empty() {
            lines.push(facts::sums(&spaces).join("; "));
        }
        let names: Vec<String> = members
            .iter()
            .take(NAMED_MEMBERS)
            .map(|e| format!("{} {}", e.name, e.description).trim().to_string())
            .filter(|name| !name.is_empty())
            .collect();
        if !names.is_empty() {
            let more = if members.len() > NAMED_MEMBERS { ", …" } else { "" };
            lines.push(format!("{}: {}{more}", amount("", members.len()), names.join(", ")));
        }
        lines.push(format!("GlobalId: {}", group.global_id));
        if let Some(first) = members.first() {
            model.push(sink, &first.global_id, Vec::new(), lines);
        }
    }
}
