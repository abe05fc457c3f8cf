//! IFC models in STEP form: the spatial tree and every element with its data. No geometry.
//!
//! ifc-lite scans and decodes records and knows each schema's attributes by name; what the records mean
//! together is put together here, with every relation indexed once.

mod elements;
mod header;
mod model;
mod relations;
mod sets;
mod values;

#[cfg(test)]
pub(crate) mod tests;

use std::borrow::Cow;

use ifc_lite_core::SchemaVersion;

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Document, Kind, Warning};
use elements::Builder;
use model::StepModel;

/// Broken records named one by one in the warnings.
const NAMED_BROKEN: usize = 10;

/// Reads a STEP file.
pub(crate) fn read(bytes: &[u8], name: &str, limits: &Limits) -> Result<Document, ReadError> {
    let text = decoded(bytes);
    let header = header::read(&text);
    let mut warnings = Vec::new();
    let schema = match SchemaVersion::from_file_schema(&header.schema) {
        Some(schema) => schema,
        // IFC 2x and its predecessors are close to 2x3.
        None if header.schema.starts_with("IFC2") => SchemaVersion::Ifc2x3,
        None => {
            let message = format!("the schema '{}' is not known; the file was read as IFC4", header.schema);
            warnings.push(warning("schema", message));
            SchemaVersion::Ifc4
        }
    };
    let mut model = StepModel::scan(text.as_bytes(), schema);
    if model.len() == 0 {
        return Err(ReadError::Damaged { detail: "no STEP record was found in it".into() });
    }
    let ids: Vec<u32> = model.elements.clone();
    let mut builder = Builder::new(&mut model);
    let spatial = builder.spatial();
    let most = limits.max_elements as usize;
    let elements: Vec<_> = ids.iter().take(most).filter_map(|id| builder.element(*id)).collect();
    if ids.len() > most {
        let message = format!("only the first {most} of {} elements were read", ids.len());
        warnings.push(warning("element-limit", message));
    }
    let project = spatial.iter().find(|n| n.class == "IfcProject");
    let title = project
        .map(|p| if p.description.is_empty() { p.name.clone() } else { p.description.clone() })
        .filter(|t| !t.trim().is_empty())
        .unwrap_or_else(|| super::stem(name));
    let mut document = Document::new(Kind::Ifc, title);
    let facts = [
        ("schema", header.schema),
        ("created", header.created),
        ("author", header.author),
        ("organisation", header.organisation),
        ("application", header.application),
        ("project", project.map(|p| p.name.clone()).unwrap_or_default()),
    ];
    for (key, value) in facts {
        if !value.is_empty() {
            document.metadata.insert(key.into(), value);
        }
    }
    document.spatial = spatial;
    document.elements = elements;
    faults(&mut model, &mut warnings);
    document.warnings = warnings;
    Ok(document)
}

/// STEP is ASCII with escapes; programs write UTF-8 or their own code page all the same.
fn decoded(bytes: &[u8]) -> Cow<'_, str> {
    match std::str::from_utf8(bytes) {
        Ok(text) => Cow::Borrowed(text.trim_start_matches('\u{feff}')),
        Err(_) => encoding_rs::WINDOWS_1252.decode_without_bom_handling(bytes).0,
    }
}

fn warning(code: &str, message: String) -> Warning {
    Warning { code: code.into(), message, page: None }
}

fn faults(model: &mut StepModel<'_>, warnings: &mut Vec<Warning>) {
    model.broken.sort_unstable();
    model.broken.dedup();
    if !model.broken.is_empty() {
        let lines: Vec<String> =
            model.broken.iter().take(NAMED_BROKEN).map(|at| model.line_of(*at).to_string()).collect();
        let more = if model.broken.len() > NAMED_BROKEN { ", …" } else { "" };
        let message =
            format!("{} broken records were left out (lines {}{more})", model.broken.len(), lines.join(", "));
        warnings.push(warning("broken-record", message));
    }
    if model.duplicates > 0 {
        let message = format!("{} record numbers are used twice; the last record counts", model.duplicates);
        warnings.push(warning("duplicate-record", message));
    }
    if !model.unknown.is_empty() {
        let names: Vec<String> =
            model.unknown.iter().take(20).map(|(name, count)| format!("{name} ({count})")).collect();
        let message = format!("classes that the schema does not have were left out: {}", names.join(", "));
        warnings.push(warning("unknown-class", message));
    }
}
