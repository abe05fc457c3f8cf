use askama::Template;
use axum::response::Html;
use ingest::{Element, Quantity, Record, SpatialNode};

use super::{Wish, head::DocumentHead};
use crate::{
    catalog::DocumentId,
    web::{
        error::WebError,
        extract::OpenDocument,
        format,
        frame::Frame,
        i18n::{Texts, class_name},
        links,
        marks::Terms,
        state::Web,
    },
};

#[derive(Template)]
#[template(path = "pages/element.html")]
pub(in crate::web) struct ElementPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) d: DocumentHead,
    pub(in crate::web) e: ElementView,
}

/// A building element.
#[derive(Debug, Default)]
pub(in crate::web) struct ElementView {
    pub(in crate::web) title: String,
    pub(in crate::web) class_words: String,
    /// From the project down to the element's place.
    pub(in crate::web) path: Vec<String>,
    pub(in crate::web) facts: Vec<(&'static str, String)>,
    pub(in crate::web) tables: Vec<PropertyTable>,
    /// Addresses and names of the elements that it is in, and of those in it, under their title.
    pub(in crate::web) links: Vec<(&'static str, Vec<(String, String)>)>,
    /// Addresses and titles of the RFIs that name the element.
    pub(in crate::web) records: Vec<(String, String)>,
}

/// A property set, or another group of values.
#[derive(Debug, Default)]
pub(in crate::web) struct PropertyTable {
    pub(in crate::web) title: String,
    pub(in crate::web) rows: Vec<PropertyRow>,
    /// True where the rows' names are only numbers.
    pub(in crate::web) numbered: bool,
}

#[derive(Debug, Default)]
pub(in crate::web) struct PropertyRow {
    pub(in crate::web) name: String,
    pub(in crate::web) value: String,
    pub(in crate::web) unit: String,
    /// True where the query's words stand in it.
    pub(in crate::web) marked: bool,
}

/// Elements in this one, and the one around it, that the page leads to.
const SHOWN_NEIGHBOURS: usize = 60;

pub(super) async fn page(
    web: &Web,
    document: &OpenDocument,
    f: Frame,
    wish: &Wish,
) -> Result<Html<String>, WebError> {
    let (scope, id, global_id) = (document.reader.scope.clone(), document.row.id, wish.element.clone());
    let (element, neighbours, spatial, records) = web
        .blocking(move |app| {
            let element = app.catalog.element(&scope, id, &global_id)?.ok_or(WebError::NotFound)?;
            let mut neighbours = Vec::new();
            for near in std::iter::once(&element.host).chain(&element.hosted).take(SHOWN_NEIGHBOURS) {
                neighbours.extend(app.catalog.element(&scope, id, near)?);
            }
            let spatial = app.catalog.spatial(&scope, id)?;
            let records = app.catalog.records_naming(&scope, &global_id)?;
            Ok::<_, WebError>((element, neighbours, spatial, records))
        })
        .await?;
    let mut e = view(&f, &element, &spatial, &records, &wish.terms());
    e.links = links_to(&f, document.row.id, &element, &neighbours);
    let d = DocumentHead::of(web, document, &f, &wish.q).await?;
    Ok(Html(ElementPage { f, d, e }.render()?))
}

fn view(
    f: &Frame,
    element: &Element,
    spatial: &[SpatialNode],
    records: &[(DocumentId, Record)],
    terms: &Terms,
) -> ElementView {
    let t = f.t;
    let class_words = class_name(&element.class, f.language).to_owned();
    let changed = std::cmp::max(&element.history.modified, &element.history.created);
    let facts = [
        (t.ifc_class, &element.class),
        (t.ifc_predefined, &element.predefined_type),
        (t.ifc_type, &element.type_name),
        (t.ifc_storey, &element.storey),
        (t.ifc_tag, &element.tag),
        (t.ifc_description, &element.description),
        (t.ifc_description, &element.note),
        (t.ifc_build_up, &element.build_up),
        (t.ifc_program, &element.history.application),
        (t.ifc_changed, changed),
        ("GlobalId", &element.global_id),
    ];
    let node = |id: &String| spatial.iter().find(|n| n.global_id == *id).map(|n| node_words(f, n));
    ElementView {
        title: if element.name.trim().is_empty() { class_words.clone() } else { element.name.clone() },
        class_words,
        path: element.parents.iter().filter_map(node).collect(),
        facts: facts.into_iter().filter(|(_, v)| !v.is_empty()).map(|(n, v)| (n, v.clone())).collect(),
        tables: tables(f, element, terms),
        records: records.iter().map(|(document, record)| record_link(*document, record)).collect(),
        links: Vec::new(),
    }
}

/// The element around this one, and the openings, doors and windows in it.
fn links_to(
    f: &Frame,
    document: DocumentId,
    element: &Element,
    neighbours: &[Element],
) -> Vec<(&'static str, Vec<(String, String)>)> {
    let link = |e: &Element| {
        let href = links::address(&format!("/document/{document}"), &[("element", &e.global_id)]);
        let class = class_name(&e.class, f.language);
        (href, if e.name.trim().is_empty() { class.to_owned() } else { format!("{class} {}", e.name) })
    };
    let (around, inside): (Vec<&Element>, Vec<&Element>) =
        neighbours.iter().partition(|e| e.global_id == element.host);
    [(f.t.ifc_host, around), (f.t.ifc_hosted, inside)]
        .into_iter()
        .filter(|(_, elements)| !elements.is_empty())
        .map(|(title, elements)| (title, elements.into_iter().map(link).collect()))
        .collect()
}

fn node_words(f: &Frame, node: &SpatialNode) -> String {
    match (node.name.trim(), node.description.trim()) {
        ("", "") => class_name(&node.class, f.language).to_owned(),
        ("", words) | (words, "") => words.to_owned(),
        (name, description) if description.contains(name) => name.to_owned(),
        (name, description) => format!("{name} ({description})"),
    }
}

/// Address and title of a record.
pub(super) fn record_link(document: DocumentId, record: &Record) -> (String, String) {
    let href = links::address(&format!("/document/{document}"), &[("record", &record.number)]);
    let text = if record.subject.is_empty() {
        record.number.clone()
    } else {
        format!("{} · {}", record.number, record.subject)
    };
    (href, text)
}

fn tables(f: &Frame, element: &Element, terms: &Terms) -> Vec<PropertyTable> {
    let t = f.t;
    let row = |name: &str, value: String, unit: &str| PropertyRow {
        marked: !terms.in_text(name).is_empty() || !terms.in_text(&value).is_empty(),
        name: name.to_owned(),
        value,
        unit: unit_words(unit),
    };
    let quantity = |(name, q): (&str, &Quantity)| row(name, format::measure(q.value), &q.unit);
    let mut tables = vec![
        PropertyTable {
            title: t.ifc_compliance.to_owned(),
            rows: element.compliance.iter().map(|(n, p)| row(n, value_words(t, &p.value), &p.unit)).collect(),
            numbered: false,
        },
        PropertyTable {
            title: t.ifc_dimensions.to_owned(),
            rows: element.dimensions.iter().map(quantity).collect(),
            numbered: false,
        },
        PropertyTable {
            title: t.ifc_quantities.to_owned(),
            rows: element.quantities.iter().map(quantity).collect(),
            numbered: false,
        },
        PropertyTable {
            title: t.ifc_materials.to_owned(),
            rows: (1..)
                .zip(&element.materials)
                .map(|(n, material): (u32, _)| row(&n.to_string(), material.clone(), ""))
                .collect(),
            numbered: true,
        },
        PropertyTable {
            title: t.ifc_classification.to_owned(),
            rows: element
                .classifications
                .iter()
                .map(|c| row(&c.system, format!("{} {}", c.code, c.name).trim().to_owned(), ""))
                .collect(),
            numbered: false,
        },
    ];
    tables.push(PropertyTable {
        title: t.ifc_groups.to_owned(),
        rows: element
            .groups
            .iter()
            .map(|g| row(class_name(&g.class, f.language), g.name.clone(), ""))
            .collect(),
        numbered: false,
    });
    for (name, set) in &element.properties {
        let rows = set.iter().map(|(name, p)| row(name, value_words(t, &p.value), &p.unit)).collect();
        tables.push(PropertyTable { title: name.to_owned(), rows, numbered: false });
    }
    tables.retain(|table| !table.rows.is_empty());
    tables
}

/// A property's value, with yes and no in the reader's language.
pub(super) fn value_words(t: &Texts, value: &str) -> String {
    match value {
        "true" => t.ifc_true,
        "false" => t.ifc_false,
        other => other,
    }
    .to_owned()
}

/// Units as people write them.
fn unit_words(unit: &str) -> String {
    unit.replace("m2", "m²").replace("m3", "m³").replace('.', "·")
}
