//! Passages of a model: what a person would ask for. Every space, door and window; every type, as a whole
//! and storey by storey; every storey; the model.

mod facts;
mod labels;
mod overview;

use std::collections::{BTreeMap, HashMap};

use super::{ChunkOptions, Sink, pack};
use crate::model::{Document, Element, Kind, Locator, SpatialNode};
use crate::text::{counted, label};

/// GlobalIds named in a group's passage.
const NAMED_IDS: usize = 5;

pub(super) fn chunk(document: &Document, options: &ChunkOptions, sink: &mut Sink) {
    if document.elements.is_empty() && document.spatial.is_empty() {
        return;
    }
    let model = Model::new(document, options);
    model.summary(sink);
    let on_storey = model.by_storey();
    for storey in document.spatial.iter().filter(|n| n.class == "IfcBuildingStorey") {
        model.storey(storey, on_storey.get(storey.global_id.as_str()).map_or(&[], Vec::as_slice), sink);
    }
    for element in model.elements() {
        if is_single(&element.class) {
            model.single(element, sink);
        }
    }
    for group in model.groups(|e| (e.class.clone(), e.type_name.clone(), String::new())) {
        model.type_of(&group, sink);
    }
    for group in model.groups(|e| (e.class.clone(), e.type_name.clone(), storey_key(e))) {
        model.type_on_storey(&group, sink);
    }
    overview::property_sets(&model, sink);
    overview::groups(&model, sink);
}

/// The first GlobalIds of a group.
fn global_ids(group: &[&Element]) -> String {
    let ids: Vec<&str> = group.iter().take(NAMED_IDS).map(|e| e.global_id.as_str()).collect();
    let more = if group.len() > NAMED_IDS { ", …" } else { "" };
    format!("GlobalId: {}{more}", ids.join(", "))
}

/// Asked for by name or number, one by one.
fn is_single(class: &str) -> bool {
    matches!(class, "IfcSpace" | "IfcSpatialZone" | "IfcDoor" | "IfcDoorStandardCase")
        || matches!(class, "IfcWindow" | "IfcWindowStandardCase")
}

/// Storeys of two buildings may have one name: the direct parents tell them apart.
fn storey_key(element: &Element) -> String {
    format!("{}\u{1f}{}", element.storey, element.parents.get(..4).map(|p| p.concat()).unwrap_or_default())
}

/// `3 Wände`, or the class where there is no word for it.
fn amount(class: &str, count: usize) -> String {
    match labels::class(class) {
        None if class.is_empty() => counted(count, "Element", "Elemente"),
        Some(noun) => format!("{count} {}", if count == 1 { noun.one } else { noun.many }),
        None => format!("{count} {class}"),
    }
}

struct Model<'a> {
    document: &'a Document,
    nodes: HashMap<&'a str, &'a SpatialNode>,
    /// Elements that others are set into.
    hosts: HashMap<&'a str, &'a Element>,
    max_words: usize,
}

impl<'a> Model<'a> {
    fn new(document: &'a Document, options: &ChunkOptions) -> Self {
        let nodes = document.spatial.iter().map(|n| (n.global_id.as_str(), n)).collect();
        let hosts = document.elements.iter().filter(|e| !e.hosted.is_empty());
        let hosts = hosts.map(|e| (e.global_id.as_str(), e)).collect();
        Model { document, nodes, hosts, max_words: options.max_words }
    }

    /// What is built: an opening is told with its host.
    fn elements(&self) -> impl Iterator<Item = &'a Element> + use<'a> {
        self.document.elements.iter().filter(|e| !e.is_feature())
    }

    /// Building and storey of an element.
    fn section(&self, element: &Element) -> Vec<String> {
        let above = element.parents.iter().filter_map(|id| self.nodes.get(id.as_str()));
        above
            .filter(|n| matches!(n.class.as_str(), "IfcBuilding" | "IfcBuildingStorey" | "IfcFacility"))
            .map(|n| n.name.as_str())
            .filter(|n| !n.is_empty() && *n != self.document.title)
            .map(label)
            .collect()
    }

    fn place(&self, element: &Element) -> Vec<String> {
        let mut parts = Vec::new();
        if !element.storey.is_empty() {
            parts.push(format!("Geschoss: {}", element.storey));
        }
        let building = element.parents.iter().filter_map(|id| self.nodes.get(id.as_str()));
        if let Some(building) = building.filter(|n| n.class == "IfcBuilding").find(|n| !n.name.is_empty()) {
            parts.push(format!("Gebäude: {}", building.name));
        }
        parts
    }

    /// Writes a passage; what is longer than allowed is parted at lines, each part under the first line.
    fn push(&self, sink: &mut Sink, global_id: &str, section: Vec<String>, lines: Vec<String>) {
        let mut lines = lines.into_iter().filter(|l| !l.is_empty());
        let Some(whole) = lines.next() else { return };
        let head = pack::head(&whole, self.max_words / 4).into_owned();
        let again = Some(whole).filter(|whole| *whole != head);
        let mut open = head.clone();
        let mut parts = Vec::new();
        for line in again.into_iter().chain(lines) {
            for range in pack::split(&line, self.max_words) {
                let piece = line.get(range).unwrap_or("").trim();
                if pack::words(&open) + pack::words(piece) > self.max_words && open.len() > head.len() {
                    parts.push(std::mem::replace(&mut open, head.clone()));
                }
                open.push('\n');
                open.push_str(piece);
            }
        }
        parts.push(open);
        for text in parts {
            let locator = Locator::Ifc { global_id: global_id.to_string() };
            sink.push(Kind::Ifc, locator, section.clone(), text);
        }
    }

    fn summary(&self, sink: &mut Sink) {
        let metadata = |key: &str| self.document.metadata.get(key).cloned().unwrap_or_default();
        let mut lines =
            vec![format!("Modellübersicht {} (IFC-Schema {})", self.document.title, metadata("schema"))];
        if !metadata("application").is_empty() {
            lines.push(format!("Erstellt mit: {}", metadata("application")));
        }
        for (class, label) in [("IfcSite", "Grundstück"), ("IfcBuilding", "Gebäude")] {
            let nodes = self.document.spatial.iter().filter(|n| n.class == class);
            let names: Vec<String> = nodes.map(node_name).filter(|n| !n.is_empty()).collect();
            if !names.is_empty() {
                lines.push(format!("{label}: {}", names.join(", ")));
            }
        }
        let storeys = self.document.spatial.iter().filter(|n| n.class == "IfcBuildingStorey");
        let storeys: Vec<String> = storeys.map(storey_name).collect();
        if !storeys.is_empty() {
            lines.push(format!(
                "{}: {}",
                counted(storeys.len(), "Geschoss", "Geschosse"),
                storeys.join(", ")
            ));
        }
        lines.push(format!(
            "{}: {}",
            counted(self.elements().count(), "Element", "Elemente"),
            count_classes(self.elements())
        ));
        let project = self.document.spatial.first().map(|n| n.global_id.clone()).unwrap_or_default();
        self.push(sink, &project, Vec::new(), lines);
    }

    /// The elements of each storey by its GlobalId.
    fn by_storey(&self) -> HashMap<&'a str, Vec<&'a Element>> {
        let mut out: HashMap<&str, Vec<&Element>> = HashMap::new();
        for element in self.elements() {
            let storey = element
                .parents
                .iter()
                .rev()
                .find(|id| self.nodes.get(id.as_str()).is_some_and(|n| n.class == "IfcBuildingStorey"));
            if let Some(storey) = storey {
                out.entry(storey).or_default().push(element);
            }
        }
        out
    }

    fn storey(&self, storey: &SpatialNode, elements: &[&Element], sink: &mut Sink) {
        let building = self.nodes.get(storey.parent.as_str()).map(|n| n.name.clone()).unwrap_or_default();
        let mut lines = vec![format!("Geschoss {}", storey_name(storey))];
        if !building.is_empty() {
            lines.push(format!("Gebäude: {building}"));
        }
        lines.push(format!(
            "{}: {}",
            counted(elements.len(), "Element", "Elemente"),
            count_classes(elements.iter().copied())
        ));
        let spaces: Vec<&Element> = elements.iter().copied().filter(|e| e.class == "IfcSpace").collect();
        if !spaces.is_empty() {
            let names: Vec<String> =
                spaces.iter().map(|s| format!("{} {}", s.name, s.description).trim().to_string()).collect();
            lines.push(facts::sums(&spaces).join("; "));
            lines.push(format!("Räume: {}", names.join(", ")));
        }
        let section = Some(building).filter(|b| !b.is_empty() && *b != self.document.title);
        let section = section.iter().map(|b| label(b)).collect();
        self.push(sink, &storey.global_id, section, lines);
    }

    /// A space, door or window.
    fn single(&self, element: &Element, sink: &mut Sink) {
        let noun = labels::class(&element.class).map_or(element.class.as_str(), |n| n.one);
        let mut lines = vec![
            format!("{noun} {} {} ({})", element.name, element.description, element.class).replace("  ", " "),
        ];
        let mut place = self.place(element);
        if !element.type_name.is_empty() {
            place.push(format!("Typ: {}", element.type_name));
        }
        if !element.tag.is_empty() {
            place.push(format!("Kennzeichen (Tag): {}", element.tag));
        }
        if let Some(host) = self.hosts.get(element.host.as_str()) {
            let noun = labels::class(&host.class).map_or(host.class.as_str(), |n| n.one);
            place.push(format!("Eingebaut in: {noun} {}", host.name).trim().to_string());
        }
        lines.push(place.join("; "));
        lines.push(facts::quantities(element).join("; "));
        lines.extend(facts::property_sets(element));
        lines.extend(facts::make_up(element));
        let groups: Vec<String> =
            element.groups.iter().map(|g| format!("{} {}", labels::group(&g.class), g.name)).collect();
        lines.push(groups.join("; "));
        lines.push(format!("GlobalId: {}", element.global_id));
        self.push(sink, &element.global_id, self.section(element), lines);
    }

    /// Elements with one key, in the order of the file; spaces are passages of their own.
    fn groups<K: Ord>(&self, key: impl Fn(&Element) -> K) -> Vec<Vec<&'a Element>> {
        let mut groups: BTreeMap<K, Vec<&'a Element>> = BTreeMap::new();
        for element in self.elements() {
            if !matches!(element.class.as_str(), "IfcSpace" | "IfcSpatialZone") {
                groups.entry(key(element)).or_default().push(element);
            }
        }
        groups.into_values().collect()
    }

    /// A type with its property sets.
    fn type_of(&self, group: &[&Element], sink: &mut Sink) {
        let Some(first) = group.first().filter(|e| !e.type_name.is_empty()) else { return };
        let noun = labels::class(&first.class);
        let kind = noun.as_ref().map_or("Typ", |n| n.kind);
        let mut lines = vec![format!("{kind} {} ({})", first.type_name, first.class)];
        if !first.description.is_empty() && group.iter().all(|e| e.description == first.description) {
            lines.push(format!("Beschreibung: {}", first.description));
        }
        let storeys = facts::counted(group.iter().map(|e| e.storey.as_str()));
        let place = if storeys.is_empty() { String::new() } else { format!("; Geschosse: {storeys}") };
        lines.push(format!("Anzahl: {}{place}", amount(&first.class, group.len())));
        lines.extend(facts::group_sets(group, false));
        lines.extend(facts::make_up(first));
        lines.push(facts::sums(group).join("; "));
        lines.push(global_ids(group));
        self.push(sink, &first.global_id, Vec::new(), lines);
    }

    /// All elements of a type on one storey.
    fn type_on_storey(&self, group: &[&Element], sink: &mut Sink) {
        let Some(first) = group.first() else { return };
        if group.len() == 1 && is_single(&first.class) {
            return;
        }
        let what = amount(&first.class, group.len());
        let head = if first.type_name.is_empty() {
            format!("{what} ohne Typ ({})", first.class)
        } else {
            format!("{what} vom Typ {} ({})", first.type_name, first.class)
        };
        let mut lines = vec![head, self.place(first).join("; "), facts::sums(group).join("; ")];
        lines.extend(facts::group_sets(group, true));
        if !is_single(&first.class) {
            let names = facts::counted(group.iter().take(40).map(|e| e.name.as_str()));
            if group.len() <= 12 && !names.is_empty() {
                lines.push(format!("Namen: {names}"));
            }
            lines.push(global_ids(group));
        }
        self.push(sink, &first.global_id, self.section(first), lines);
    }
}

fn node_name(node: &SpatialNode) -> String {
    if node.description.is_empty() || node.description == node.name {
        node.name.clone()
    } else {
        format!("{} {}", node.name, node.description).trim().to_string()
    }
}

fn storey_name(storey: &SpatialNode) -> String {
    match storey.elevation_m {
        Some(elevation) => {
            let rounded = crate::text::number((elevation * 1000.0).round() / 1000.0);
            format!("{} (Kote {rounded} m)", node_name(storey))
        }
        None => node_name(storey),
    }
}

fn count_classes<'e>(elements: impl IntoIterator<Item = &'e Element>) -> String {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for element in elements {
        *counts.entry(&element.class).or_default() += 1;
    }
    let mut ranked: Vec<(&str, usize)> = counts.into_iter().collect();
    ranked.sort_by(|a, b| b.1.cmp(&a.1).then(a.0.cmp(b.0)));
    let texts: Vec<String> =
        ranked.iter().map(|(class, count)| format!("{} ({class})", amount(class, *count))).collect();
    texts.join(", ")
}
