//! U-values of a model: per type and value, so that a proof's can be laid beside them.

use std::collections::BTreeMap;

use super::labels::{code_in, fold};
use super::numbers::decimal;
use crate::model::{Element, Fact, FactKind, Locator};

/// Names of the property, folded: the standard's and those of Swiss offices.
const NAMES: [&str; 6] = ["thermaltransmittance", "u-wert", "uwert", "valeur u", "valore u", "u-value"];

/// The facts of a model's elements.
pub(super) fn u_values(elements: &[Element]) -> Vec<Fact> {
    let mut groups: BTreeMap<(String, String), Fact> = BTreeMap::new();
    for element in elements {
        let Some((value, unit)) = u_value(element) else { continue };
        let name =
            [&element.type_name, &element.name, &element.class].into_iter().find(|n| !n.trim().is_empty());
        let label = name.cloned().unwrap_or_default();
        let code = [&element.type_name, &element.name, &element.tag].into_iter().find_map(|t| code_in(t));
        groups
            .entry((label.clone(), value.clone()))
            .and_modify(|f| f.count = f.count.saturating_add(1))
            .or_insert_with(|| Fact {
                kind: FactKind::UValue,
                subject: String::new(),
                element: code.unwrap_or_default(),
                label,
                value,
                unit,
                count: 1,
                place: Locator::Ifc { global_id: element.global_id.clone() },
                cell: String::new(),
            });
    }
    groups.into_values().collect()
}

fn u_value(element: &Element) -> Option<(String, String)> {
    let sets = element.properties.values().flat_map(|set| set.iter());
    let (_, property) = sets.into_iter().find(|(name, p)| {
        let folded = fold(name);
        NAMES.iter().any(|n| folded == *n || folded.starts_with(&format!("{n} ")))
            && !p.value.trim().is_empty()
    })?;
    let (value, _) = decimal(&property.value)?;
    let size: f64 = value.parse().ok()?;
    let unit = if property.unit.is_empty() { "W/(m2.K)".to_string() } else { property.unit.clone() };
    (size > 0.0).then_some((value, unit))
}
