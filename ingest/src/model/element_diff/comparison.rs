use std::collections::HashMap;

use super::fields::fields;
use super::{ElementChange, ElementRef, ModelDiff};
use crate::model::Element;

/// How much of a comparison is listed. What lies beyond is counted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DiffLimits {
    /// Elements that came, elements that went, elements that changed, so many of each.
    pub elements: usize,
    /// Fields of one element.
    pub fields: usize,
    /// Characters of a value.
    pub characters: usize,
}

impl DiffLimits {
    /// Everything is listed whole.
    pub const NONE: DiffLimits =
        DiffLimits { elements: usize::MAX, fields: usize::MAX, characters: usize::MAX };
}

/// Compares two versions of a model by GlobalId. Several elements with one GlobalId are compared in their
/// order. Who saved the element and when is no change of it.
pub fn diff_elements(before: &[Element], after: &[Element]) -> ModelDiff {
    let mut comparison = ModelComparison::new(after, DiffLimits::NONE);
    before.iter().for_each(|element| comparison.earlier(element));
    comparison.finish()
}

/// A comparison that meets the earlier version's elements one at a time, so that they need not be held.
#[derive(Debug)]
pub struct ModelComparison<'a> {
    after: &'a [Element],
    /// By GlobalId, the elements of the later version that were not met yet, the first one at the end.
    waiting: HashMap<&'a str, Vec<usize>>,
    /// Changed elements, with their place in the later version.
    changed: Vec<(usize, ElementChange)>,
    diff: ModelDiff,
    limits: DiffLimits,
}

impl<'a> ModelComparison<'a> {
    /// A comparison with this later version.
    pub fn new(after: &'a [Element], limits: DiffLimits) -> Self {
        let mut waiting: HashMap<&str, Vec<usize>> = HashMap::new();
        for (index, element) in after.iter().enumerate().rev() {
            waiting.entry(&element.global_id).or_default().push(index);
        }
        ModelComparison { after, waiting, changed: Vec::new(), diff: ModelDiff::default(), limits }
    }

    /// Takes the next element of the earlier version.
    pub fn earlier(&mut self, old: &Element) {
        let met = self.waiting.get_mut(old.global_id.as_str()).and_then(Vec::pop);
        let Some((index, new)) = met.and_then(|index| Some((index, self.after.get(index)?))) else {
            self.diff.counts.removed += 1;
            if self.diff.removed.len() < self.limits.elements {
                self.diff.removed.push(reference(old));
            }
            return;
        };
        let mut fields = fields(old, new);
        if fields.is_empty() {
            self.diff.counts.unchanged += 1;
            return;
        }
        self.diff.counts.changed += 1;
        if self.changed.len() < self.limits.elements {
            let more = fields.len().saturating_sub(self.limits.fields) as u64;
            fields.truncate(self.limits.fields);
            for field in &mut fields {
                shorten(&mut field.before, self.limits.characters);
                shorten(&mut field.after, self.limits.characters);
            }
            self.changed.push((index, ElementChange { element: reference(new), fields, more }));
        }
    }

    /// The comparison, once every element of the earlier version was taken.
    pub fn finish(mut self) -> ModelDiff {
        let mut added: Vec<usize> = self.waiting.into_values().flatten().collect();
        added.sort_unstable();
        self.diff.counts.added = added.len() as u64;
        let listed = added.into_iter().take(self.limits.elements);
        self.diff.added = listed.filter_map(|index| self.after.get(index)).map(reference).collect();
        self.changed.sort_by_key(|(index, _)| *index);
        self.diff.changed = self.changed.into_iter().map(|(_, change)| change).collect();
        self.diff
    }
}

/// Cuts a text that is longer, and says so by three dots.
fn shorten(text: &mut String, characters: usize) {
    if let Some((at, _)) = text.char_indices().nth(characters) {
        text.truncate(at);
        text.push('…');
    }
}

fn reference(element: &Element) -> ElementRef {
    ElementRef {
        global_id: element.global_id.clone(),
        class: element.class.clone(),
        name: element.name.clone(),
        storey: element.storey.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::ElementCounts;
    use super::*;
    use crate::model::{Named, Property, Quantity};

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
            (ids(&diff.added), ids(&diff.removed), diff.counts.unchanged),
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
        let same = ElementCounts { unchanged: 3, ..ElementCounts::default() };
        let same = ModelDiff { counts: same, ..ModelDiff::default() };
        assert_eq!(diff_elements(&before, &before), same);
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
        assert_eq!((diff.counts.unchanged, diff.removed.len(), diff.removed[0].name.as_str()), (1, 1, "W2"));
    }

    #[test]
    fn a_limited_comparison_counts_all_and_lists_the_first() {
        let many = |name: &str, rating: &str, ids: std::ops::Range<u32>| -> Vec<Element> {
            ids.map(|n| element(&format!("{n:04}"), name, rating, 1.0)).collect()
        };
        let before = many("W", "REI60", 0..30);
        let after = many("Wand mit langem Namen", "REI90", 10..50);
        let limits = DiffLimits { elements: 3, fields: 1, characters: 4 };
        let mut comparison = ModelComparison::new(&after, limits);
        before.iter().for_each(|e| comparison.earlier(e));
        let diff = comparison.finish();
        let counts = ElementCounts { added: 20, removed: 10, changed: 20, unchanged: 0 };
        assert_eq!((diff.counts, diff.added.len(), diff.removed.len()), (counts, 3, 3));
        let ids: Vec<&str> = diff.changed.iter().map(|c| c.element.global_id.as_str()).collect();
        assert_eq!(ids, ["0010", "0011", "0012"]);
        let first = &diff.changed[0];
        assert_eq!((first.fields[0].after.as_str(), first.fields.len(), first.more), ("Wand…", 1, 1));
        let text = diff.shortened(1).to_string();
        assert_eq!(text.lines().count(), 1 + 1 + 3 + 1, "{text}");
        assert!(text.ends_with("20 added, 10 removed, 20 changed, 0 unchanged"), "{text}");
    }
}
