//! Views of the model: pictures and selected elements.

use std::collections::BTreeSet;

use super::{Member, member, warn};
use crate::error::ReadError;
use crate::formats::archive::Archive;
use crate::formats::xml::Node;
use crate::model::{ElementLink, Viewpoint, Warning};
use crate::text::counted;

/// The views that a markup lists and those that merely lie in its folder.
pub(super) fn read(
    archive: &mut Archive<'_>,
    root: &Node,
    topic: &Node,
    (folder, files): (&str, &[Member]),
    warnings: &mut Vec<Warning>,
) -> Result<Vec<Viewpoint>, ReadError> {
    let find = |name: &str| {
        let file = name.rsplit(['/', '\\']).next().unwrap_or(name);
        files.iter().find(|f| !file.is_empty() && f.1.eq_ignore_ascii_case(file))
    };
    let mut listed = listed(root, topic);
    let mut used: BTreeSet<usize> = BTreeSet::new();
    let known: BTreeSet<String> = listed.iter().map(|l| l.view.to_ascii_lowercase()).collect();
    let more = files.iter().filter(|f| {
        let file = f.1.to_ascii_lowercase();
        file.ends_with(".bcfv") && !known.contains(&file)
    });
    listed.extend(more.map(|f| Listed { view: f.1.clone(), ..Listed::default() }));
    let mut out = Vec::new();
    for entry in listed {
        let mut viewpoint = Viewpoint { guid: entry.guid, ..Viewpoint::default() };
        match find(&entry.view) {
            Some((index, file)) if used.insert(*index) => {
                if let Some(view) = member(archive, *index, file, warnings)? {
                    if viewpoint.guid.is_empty() {
                        viewpoint.guid = view.attribute("Guid").unwrap_or_default().to_string();
                    }
                    viewpoint.elements = selected(&view, file, warnings);
                }
            }
            Some(_) => continue,
            None if entry.view.is_empty() => {}
            None => warn(warnings, "missing-file", format!("view '{}' is not in the archive", entry.view)),
        }
        // 2.0 knows one picture by its name alone.
        let plain = if entry.snapshot.is_empty() && entry.view.eq_ignore_ascii_case("viewpoint.bcfv") {
            "snapshot.png"
        } else {
            &entry.snapshot
        };
        match find(plain) {
            Some((_, file)) => {
                viewpoint.snapshot = format!("{folder}/{file}").trim_start_matches('/').to_string()
            }
            None if entry.snapshot.is_empty() => {}
            None => {
                warn(warnings, "missing-file", format!("picture '{}' is not in the archive", entry.snapshot))
            }
        }
        out.push(viewpoint);
    }
    Ok(out)
}

/// An entry of a markup's list of views.
#[derive(Debug, Default)]
struct Listed {
    guid: String,
    view: String,
    snapshot: String,
}

/// One `Viewpoints` element for each view in 2.x, a list of `ViewPoint` inside the topic in 3.0.
fn listed(root: &Node, topic: &Node) -> Vec<Listed> {
    let flat = root.all("Viewpoints");
    let nested = topic.all("Viewpoints").flat_map(|v| v.all("ViewPoint"));
    flat.chain(nested)
        .map(|node| Listed {
            guid: node.attribute("Guid").unwrap_or_default().to_string(),
            view: node.text_of("Viewpoint"),
            snapshot: node.text_of("Snapshot"),
        })
        .collect()
}

/// Elements selected in a view, in order, each once.
fn selected(view: &Node, file: &str, warnings: &mut Vec<Warning>) -> Vec<ElementLink> {
    let Some(components) = view.child("Components") else { return Vec::new() };
    // 2.1 and later have a Selection; in 2.0 each component says whether it is selected.
    let in_selection = components.all("Selection").flat_map(|s| s.all("Component"));
    let marked = components.all("Component").filter(|c| c.attribute("Selected").is_none_or(|s| s != "false"));
    let (mut seen, mut out, mut odd) = (BTreeSet::new(), Vec::new(), 0);
    for component in in_selection.chain(marked) {
        let id = component.attribute("IfcGuid").map(str::trim).unwrap_or_default();
        if id.len() != 22 {
            odd += 1;
        } else if seen.insert(id.to_string()) {
            let authoring_id = component.text_of("AuthoringToolId");
            out.push(ElementLink { global_id: id.to_string(), authoring_id });
        }
    }
    if odd > 0 {
        warn(
            warnings,
            "element",
            format!(
                "{file}: {}",
                counted(odd, "selected element has no GlobalId", "selected elements have no GlobalId")
            ),
        );
    }
    out
}
