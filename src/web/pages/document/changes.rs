//! What changed in a model since the version before it.

use ingest::{ElementChange, ElementRef};

use crate::{
    catalog::{DocumentId, ModelChanges},
    web::{
        format,
        frame::Frame,
        i18n::{Texts, class_name, fill},
        links,
    },
};

/// The counts, and the elements of each sort as far as they are listed.
#[derive(Debug, Default)]
pub(in crate::web) struct ChangesView {
    pub(in crate::web) summary: String,
    pub(in crate::web) groups: Vec<ChangeGroup>,
}

/// Elements that came, went or changed.
#[derive(Debug, Default)]
pub(in crate::web) struct ChangeGroup {
    pub(in crate::web) title: &'static str,
    pub(in crate::web) rows: Vec<ChangeRow>,
    /// How many are not listed; empty where all are.
    pub(in crate::web) more: String,
}

#[derive(Debug, Default)]
pub(in crate::web) struct ChangeRow {
    /// Address of the element; empty where it is gone.
    pub(in crate::web) href: String,
    pub(in crate::web) name: String,
    pub(in crate::web) global_id: String,
    pub(in crate::web) class: String,
    pub(in crate::web) storey: String,
    pub(in crate::web) fields: Vec<FieldRow>,
    /// How many fields are not listed; empty where all are.
    pub(in crate::web) more: String,
}

/// A value before and after; `–` where there was or is none.
#[derive(Debug, Default)]
pub(in crate::web) struct FieldRow {
    pub(in crate::web) name: String,
    pub(in crate::web) before: String,
    pub(in crate::web) after: String,
}

impl ChangeGroup {
    /// True where the rows say what changed.
    pub(in crate::web) fn has_fields(&self) -> bool {
        self.rows.iter().any(|row| !row.fields.is_empty())
    }
}

impl ChangesView {
    /// `document` is the model.
    pub(in crate::web) fn new(f: &Frame, changes: &ModelChanges, document: DocumentId) -> Self {
        let (t, diff) = (f.t, &changes.diff);
        let c = diff.counts;
        let numbers = [c.added, c.removed, c.changed, c.unchanged].map(format::whole);
        let [added, removed, changed, unchanged] = &numbers;
        let since = format::date(&changes.since);
        let row = |e: &ElementRef, there: bool| row(f, e, there.then_some(document));
        let change = |c: &ElementChange| ChangeRow {
            fields: c.fields.iter().map(|field| field_row(t, field)).collect(),
            more: more(t, c.more),
            ..row(&c.element, true)
        };
        let groups = [
            (t.changes_added, c.added, diff.added.iter().map(|e| row(e, true)).collect::<Vec<_>>()),
            (t.changes_removed, c.removed, diff.removed.iter().map(|e| row(e, false)).collect()),
            (t.changes_changed, c.changed, diff.changed.iter().map(change).collect()),
        ];
        ChangesView {
            summary: fill(t.changes_summary, &[&since, added, removed, changed, unchanged]),
            groups: groups
                .into_iter()
                .filter(|(_, count, _)| *count > 0)
                .map(|(title, count, rows)| ChangeGroup {
                    more: more(t, count.saturating_sub(rows.len() as u64)),
                    title,
                    rows,
                })
                .collect(),
        }
    }
}

fn more(t: &Texts, count: u64) -> String {
    if count == 0 { String::new() } else { t.one(t.changes_more, format::whole(count)) }
}

fn row(f: &Frame, element: &ElementRef, document: Option<DocumentId>) -> ChangeRow {
    let address = |id| links::address(&format!("/document/{id}"), &[("element", &element.global_id)]);
    let class = class_name(&element.class, f.language);
    ChangeRow {
        href: document.map(address).unwrap_or_default(),
        name: if element.name.trim().is_empty() { class.to_owned() } else { element.name.clone() },
        global_id: element.global_id.clone(),
        class: class.to_owned(),
        storey: element.storey.clone(),
        ..ChangeRow::default()
    }
}

fn field_row(t: &Texts, field: &ingest::FieldChange) -> FieldRow {
    let shown = |value: &str| match value {
        "" => "–".to_owned(),
        value => super::element::value_words(t, value),
    };
    let name = match field.field.as_str() {
        "class" => t.ifc_class,
        "name" => t.ifc_name,
        "description" | "note" => t.ifc_description,
        "tag" => t.ifc_tag,
        "type" => t.ifc_type,
        "predefined_type" => t.ifc_predefined,
        "storey" => t.ifc_storey,
        "parents" => t.ifc_where,
        "materials" => t.ifc_materials,
        "build_up" => t.ifc_build_up,
        "host" => t.ifc_host,
        "hosted" => t.ifc_hosted,
        "classifications" => t.ifc_classification,
        "groups" => t.ifc_groups,
        other => other,
    };
    FieldRow { name: name.to_owned(), before: shown(&field.before), after: shown(&field.after) }
}
