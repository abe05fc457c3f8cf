//! IFC models in STEP form: the spatial tree and every element with its data. No geometry.
//!
//! ifc-lite scans and decodes records and knows each schema's attributes by name; what the records mean
//! together is put together here, with every relation indexed once.

mod associations;
mod classes;
mod compliance;
mod elements;
mod georeference;
mod header;
mod materials;
mod relations;
mod sets;
mod step;
mod text;
mod units;
mod values;
mod xml;
mod xml_names;
mod xml_values;

#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod tests_facts;
#[cfg(test)]
mod tests_xml;

use std::collections::BTreeMap;

use ifc_lite_core::SchemaVersion;

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, SpatialNode, Warning};
use crate::text::counted;
use elements::Builder;
use header::Header;
use step::StepModel;
use text::Charset;

/// Broken records named one by one in the warnings.
const NAMED_BROKEN: usize = 10;

/// Reads an ifcXML file.
pub(crate) fn read_xml(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let (text, _) = super::charset::decode(bytes);
    let converted = xml::to_step(&text, limits)?;
    if converted.records == 0 {
        let detail = match &converted.fault {
            Some(fault) => format!("its XML is broken: {fault}"),
            None => "no IFC entity was found in its XML".into(),
        };
        return Err(ReadError::Damaged { detail });
    }
    let mut document = read(&converted.step, name, limits)?;
    if let Some(fault) = &converted.fault {
        let message = format!("the XML is broken: {fault}; what follows was not read");
        document.warnings.push(warning("broken-xml", message));
    }
    Ok(document)
}

/// Reads a STEP file.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let charset = Charset::of(bytes);
    let header = header::read(bytes, charset);
    let mut warnings = Vec::new();
    let model = StepModel::scan(bytes, schema(&header, &mut warnings), charset);
    if model.records == 0 && header.schema.is_empty() {
        return Err(ReadError::Damaged { detail: "no STEP record was found in it".into() });
    }
    let mut builder = Builder::new(&model, limits.max_text_chars);
    let spatial = builder.spatial();
    let most = limits.max_elements as usize;
    let elements: Vec<_> = model.elements.iter().take(most).filter_map(|id| builder.element(*id)).collect();
    if model.elements.len() > most {
        let message = format!("only the first {most} of {} elements were read", model.elements.len());
        warnings.push(warning("element-limit", message));
    }
    if builder.is_full() {
        let message = "the model has too many values; those of its last elements were left out".into();
        warnings.push(warning("value-limit", message));
    }
    let mut document = Document::new(Kind::Ifc, title(&spatial, name));
    let mut facts = header.facts();
    facts.extend(georeference::facts(&model, &spatial));
    facts.extend(georeference::history(&elements));
    facts.extend(spatial.first().filter(|n| n.class == "IfcProject").map(|p| ("project", p.name.clone())));
    facts.retain(|(_, value)| !value.is_empty());
    document.metadata.extend(facts.into_iter().map(|(key, value)| (key.to_string(), value)));
    document.spatial = spatial;
    document.elements = elements;
    warnings.extend(repeated(&document));
    faults(&model, &mut warnings);
    document.warnings = warnings;
    Ok(document)
}

fn schema(header: &Header, warnings: &mut Vec<Warning>) -> SchemaVersion {
    match SchemaVersion::from_file_schema(&header.schema) {
        Some(schema) => schema,
        // IFC 2x and its predecessors are close to 2x3.
        None if header.schema.starts_with("IFC2") => SchemaVersion::Ifc2x3,
        None => {
            let message = format!("the schema '{}' is not known; the file was read as IFC4", header.schema);
            warnings.push(warning("schema", message));
            SchemaVersion::Ifc4
        }
    }
}

/// The project's long name or name, else the file's name.
fn title(spatial: &[SpatialNode], name: &str) -> String {
    let project = spatial.iter().find(|n| n.class == "IfcProject");
    let names = project.into_iter().flat_map(|p| [&p.description, &p.name]);
    names.into_iter().find(|t| !t.trim().is_empty()).cloned().unwrap_or_else(|| super::stem(name))
}

fn warning(code: &str, message: String) -> Warning {
    Warning { code: code.into(), message, page: None }
}

/// Elements and places that have one GlobalId: a program joined models, or copied.
fn repeated(document: &Document) -> Option<Warning> {
    let spatial = document.spatial.iter().map(|n| n.global_id.as_str());
    let elements = document.elements.iter().map(|e| e.global_id.as_str());
    let mut times: BTreeMap<&str, usize> = BTreeMap::new();
    for id in spatial.chain(elements).filter(|id| !id.is_empty()) {
        *times.entry(id).or_default() += 1;
    }
    times.retain(|_, n| *n > 1);
    let named: Vec<&str> = times.keys().take(NAMED_BROKEN).copied().collect();
    let more = if times.len() > NAMED_BROKEN { ", …" } else { "" };
    let ids = counted(times.len(), "GlobalId stands", "GlobalIds stand");
    let message = format!(
        "{ids} for more than one element, so links and comparisons of versions find one of them ({}{more})",
        named.join(", ")
    );
    (!times.is_empty()).then(|| warning("repeated-global-id", message))
}

fn faults(model: &StepModel<'_>, warnings: &mut Vec<Warning>) {
    if model.records == 0 {
        warnings.push(warning("empty-model", "the file has a header and no record".into()));
    } else if model.projects.is_empty() {
        let message = "the model has no project, so its units are not known".into();
        warnings.push(warning("no-project", message));
    }
    let broken = model.broken_lines();
    if !broken.is_empty() {
        let lines: Vec<String> = broken.iter().take(NAMED_BROKEN).map(usize::to_string).collect();
        let more = if broken.len() > NAMED_BROKEN { ", …" } else { "" };
        let message = format!(
            "{} {}{more})",
            counted(broken.len(), "broken record was left out (line", "broken records were left out (lines"),
            lines.join(", ")
        );
        warnings.push(warning("broken-record", message));
    }
    if model.duplicates > 0 {
        let message = format!(
            "{} used twice; the last record counts",
            counted(model.duplicates, "record number is", "record numbers are")
        );
        warnings.push(warning("duplicate-record", message));
    }
    let unknown: Vec<String> =
        model.unknown().take(20).map(|(name, count)| format!("{name} ({count})")).collect();
    if !unknown.is_empty() {
        let message = format!("classes that no schema has were left out: {}", unknown.join(", "));
        warnings.push(warning("unknown-class", message));
    }
}
