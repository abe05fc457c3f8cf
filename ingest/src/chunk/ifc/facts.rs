//! Values of one element or of many as lines of text.

use std::collections::BTreeMap;

use super::labels;
use crate::model::{Element, Property, Quantity};
use crate::text::number;

/// Values shown of a property that differs within a group.
const SHOWN_VALUES: usize = 6;

/// A quantity in the unit that people use for it: millimetres become metres.
pub(super) fn quantity(value: &Quantity) -> String {
    let (amount, unit) = match value.unit.as_str() {
        "mm" => (value.value / 1000.0, "m"),
        "cm" => (value.value / 100.0, "m"),
        other => (value.value, other),
    };
    format!("{} {}", number((amount * 1000.0).round() / 1000.0), labels::unit(unit)).trim().to_string()
}

/// A property with its unit.
pub(super) fn property(value: &Property) -> String {
    format!("{} {}", labels::value(&value.value), labels::unit(&value.unit)).trim().to_string()
}

/// `Label (Name): value` for each quantity of one element.
pub(super) fn quantities(element: &Element) -> Vec<String> {
    // A door's quantities repeat its overall height and width.
    let repeated = |name: &str, value: &Quantity| {
        element.dimensions.get(&format!("Overall{name}")).is_some_and(|d| quantity(d) == quantity(value))
    };
    let own = element.quantities.iter().filter(|(name, value)| !repeated(name, value));
    let sizes = element.dimensions.iter().chain(own);
    sizes.map(|(name, value)| format!("{}: {}", labels::labelled(name), quantity(value))).collect()
}

/// One line for each property set of one element.
pub(super) fn property_sets(element: &Element) -> Vec<String> {
    element
        .properties
        .iter()
        .map(|(set, properties)| {
            let parts: Vec<String> =
                properties.iter().map(|(n, p)| format!("{}: {}", labels::labelled(n), property(p))).collect();
            format!("{set}: {}", parts.join("; "))
        })
        .collect()
}

/// Sums of the quantities that all elements of a group have in one unit. Lengths along a face or a
/// thickness say nothing as a sum: equal ones are shown as they are, differing ones left out.
pub(super) fn sums(group: &[&Element]) -> Vec<String> {
    let mut sums: BTreeMap<&str, (f64, &str, usize, bool)> = BTreeMap::new();
    for element in group {
        for (name, value) in element.quantities.iter().chain(&element.dimensions) {
            let entry = sums.entry(name).or_insert((0.0, &value.unit, 0, true));
            if entry.1 == value.unit {
                let mean = if entry.2 == 0 { value.value } else { entry.0 / entry.2 as f64 };
                entry.3 &= (mean - value.value).abs() <= 1e-6 * mean.abs().max(1.0);
                entry.0 += value.value;
                entry.2 += 1;
            }
        }
    }
    sums.into_iter()
        .filter(|(_, (_, _, count, _))| *count == group.len())
        .filter_map(|(name, (sum, unit, count, equal))| {
            let is_size = ["Height", "Width", "Depth", "OverallHeight", "OverallWidth"].contains(&name);
            let unit = unit.to_string();
            let label = labels::labelled(name);
            if is_size {
                let value = Quantity { value: sum / count.max(1) as f64, unit };
                return equal.then(|| format!("{label}: {}", quantity(&value)));
            }
            let total = quantity(&Quantity { value: sum, unit });
            Some(if count > 1 { format!("{label}: Summe {total}") } else { format!("{label}: {total}") })
        })
        .collect()
}

/// How often each value of a property occurs, while there are few of them.
pub(super) struct Tally<'a> {
    values: Vec<(&'a Property, usize)>,
    most: usize,
    /// True where there are more different values than are counted.
    pub(super) many: bool,
}

impl<'a> Tally<'a> {
    /// Counts at most so many different values.
    pub(super) fn new(most: usize) -> Self {
        Tally { values: Vec::new(), most, many: false }
    }

    pub(super) fn add(&mut self, value: &'a Property) {
        let room = self.values.len() < self.most;
        match self.values.iter_mut().find(|(known, _)| *known == value) {
            Some((_, count)) => *count += 1,
            None if room => self.values.push((value, 1)),
            None => self.many = true,
        }
    }

    /// The values as text with their numbers, the commonest first.
    pub(super) fn ranked(&self) -> Vec<(String, usize)> {
        let mut ranked: Vec<(String, usize)> = self.values.iter().map(|(v, n)| (property(v), *n)).collect();
        ranked.sort_by(|a, b| b.1.cmp(&a.1).then_with(|| a.0.cmp(&b.0)));
        ranked
    }
}

/// The property sets of a group: one value where all agree, else the commonest ones with their numbers.
/// `shared_only` leaves out what differs.
pub(super) fn group_sets(group: &[&Element], shared_only: bool) -> Vec<String> {
    let mut sets: BTreeMap<&str, BTreeMap<&str, Tally<'_>>> = BTreeMap::new();
    for element in group {
        for (set, properties) in &element.properties {
            let known = sets.entry(set).or_default();
            for (name, value) in properties {
                known.entry(name).or_insert_with(|| Tally::new(SHOWN_VALUES)).add(value);
            }
        }
    }
    let mut lines = Vec::new();
    for (set, properties) in sets {
        let mut parts = Vec::new();
        // What differs for nearly every element is a number or a mark, not a fact about the group.
        for (name, tally) in properties.into_iter().filter(|(_, tally)| !tally.many) {
            let label = labels::labelled(name);
            match tally.ranked().as_slice() {
                [(value, count)] if *count == group.len() => parts.push(format!("{label}: {value}")),
                _ if shared_only => {}
                ranked => {
                    let shown: Vec<String> = ranked.iter().map(|(v, n)| format!("{v} ({n})")).collect();
                    parts.push(format!("{label}: {}", shown.join(", ")));
                }
            }
        }
        if !parts.is_empty() {
            lines.push(format!("{set}: {}", parts.join("; ")));
        }
    }
    lines
}

/// How often each text occurs, in the order of first occurrence: `a (2), b (1)`.
pub(super) fn counted<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    let mut order: Vec<(&str, usize)> = Vec::new();
    for text in texts.filter(|t| !t.is_empty()) {
        match order.iter_mut().find(|(t, _)| *t == text) {
            Some((_, count)) => *count += 1,
            None => order.push((text, 1)),
        }
    }
    order.into_iter().map(|(text, count)| format!("{text} ({count})")).collect::<Vec<_>>().join(", ")
}

/// `Material: …` and `Klassifikation: …` of an element.
pub(super) fn make_up(element: &Element) -> Vec<String> {
    let mut lines = Vec::new();
    if !element.materials.is_empty() {
        lines.push(format!("Material (Schichten): {}", element.materials.join("; ")));
    }
    if !element.classifications.is_empty() {
        let codes: Vec<String> = element
            .classifications
            .iter()
            .map(|c| {
                [c.system.as_str(), c.code.as_str(), c.name.as_str()]
                    .into_iter()
                    .filter(|t| !t.is_empty())
                    .collect::<Vec<_>>()
                    .join(" ")
            })
            .collect();
        lines.push(format!("Klassifikation: {}", codes.join("; ")));
    }
    lines
}
