//! Bills of materials in CycloneDX 1.6, JSON.

use std::collections::HashMap;

use jiff::Timestamp;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::log::sha256;
use crate::report::ModelFact;

#[derive(Deserialize)]
struct Lock {
    #[serde(default)]
    package: Vec<Package>,
}

#[derive(Deserialize)]
struct Package {
    name: String,
    version: String,
    checksum: Option<String>,
    #[serde(default)]
    dependencies: Vec<String>,
}

impl Package {
    fn purl(&self) -> String {
        format!("pkg:cargo/{}@{}", self.name, self.version)
    }
}

/// What the program is built from: every package of `lock`, the text of a `Cargo.lock`, with its SHA-256 and what
/// it depends on. Packages for tests and builds are among them. `licences` has lines of name, version and licence, as
/// the packages' own manifests state it; a package that is not among them is listed without one.
///
/// # Errors
/// When `lock` is not of that form.
pub fn program(
    lock: &str,
    licences: &str,
    name: &str,
    version: &str,
    at: Timestamp,
) -> Result<Value, String> {
    let licences: HashMap<(&str, &str), &str> = licences
        .lines()
        .filter_map(|line| {
            let (name, rest) = line.split_once(' ')?;
            let (version, licence) = rest.split_once(' ')?;
            Some(((name, version), licence))
        })
        .collect();
    let lock: Lock = toml::from_str(lock).map_err(|e| e.to_string())?;
    let reference = |text: &str| resolve(&lock, text).map(Package::purl);
    let components: Vec<Value> = lock
        .package
        .iter()
        .filter(|p| p.name != name)
        .map(|p| {
            let mut component = json!({
                "type": "library",
                "bom-ref": p.purl(),
                "name": p.name,
                "version": p.version,
                "purl": p.purl(),
            });
            if let (Some(sum), Some(fields)) = (&p.checksum, component.as_object_mut()) {
                fields.insert("hashes".into(), json!([{ "alg": "SHA-256", "content": sum }]));
            }
            let licence = licences.get(&(p.name.as_str(), p.version.as_str()));
            if let (Some(licence), Some(fields)) = (licence, component.as_object_mut()) {
                fields.insert("licenses".into(), stated(licence));
            }
            component
        })
        .collect();
    let dependencies: Vec<Value> = lock
        .package
        .iter()
        .map(|p| {
            let on: Vec<String> = p.dependencies.iter().filter_map(|d| reference(d)).collect();
            json!({ "ref": p.purl(), "dependsOn": on })
        })
        .collect();
    let itself = format!("pkg:cargo/{name}@{version}");
    let component =
        json!({ "type": "application", "bom-ref": itself, "name": name, "version": version, "purl": itself });
    Ok(document(component, components, dependencies, at))
}

/// A licence as CycloneDX wants it: an SPDX expression, or words. Older manifests write a slash for "or".
fn stated(licence: &str) -> Value {
    let expression = licence.replace('/', " OR ").split_whitespace().collect::<Vec<_>>().join(" ");
    let is_expression = expression
        .split(' ')
        .all(|word| word.bytes().all(|b| b.is_ascii_alphanumeric() || b"-.+()".contains(&b)))
        && !licence.starts_with("see ");
    if is_expression {
        json!([{ "expression": expression }])
    } else {
        json!([{ "license": { "name": licence } }])
    }
}

/// The package that a line of dependencies names: a name, and a version where there are several.
fn resolve<'a>(lock: &'a Lock, text: &str) -> Option<&'a Package> {
    let mut words = text.split(' ');
    let (name, version) = (words.next()?, words.next());
    lock.package.iter().find(|p| p.name == name && version.is_none_or(|v| v == p.version))
}

/// The models in the register.
pub fn models(models: &[ModelFact], name: &str, version: &str, at: Timestamp) -> Value {
    let components = models
        .iter()
        .map(|m| {
            let reference = format!("model:{}", m.sha256);
            let task = match m.task.as_str() {
                "answer" => "text-generation",
                "embed" => "feature-extraction",
                other => other,
            };
            let mut component = json!({
                "type": "machine-learning-model",
                "bom-ref": reference,
                "name": m.id,
                "hashes": [{ "alg": "SHA-256", "content": m.sha256 }],
                "modelCard": { "modelParameters": { "task": task } },
                "properties": [{ "name": "quantisation", "value": m.quantisation }],
            });
            if let Some(fields) = component.as_object_mut() {
                if !m.licence.is_empty() {
                    fields.insert("licenses".into(), json!([{ "license": { "name": m.licence } }]));
                }
                if let Some(revision) = &m.revision {
                    fields.insert("version".into(), json!(revision));
                }
                let card = m.card.iter().map(|link| json!({ "type": "model-card", "url": link }));
                let training = m.training.iter().map(|link| {
                    json!({ "type": "documentation", "url": link, "comment": "summary of training content" })
                });
                let links: Vec<Value> = card.chain(training).collect();
                if !links.is_empty() {
                    fields.insert("externalReferences".into(), Value::Array(links));
                }
            }
            component
        })
        .collect();
    let itself = format!("pkg:cargo/{name}@{version}");
    let component =
        json!({ "type": "application", "bom-ref": itself, "name": name, "version": version, "purl": itself });
    document(component, components, Vec::new(), at)
}

fn document(component: Value, components: Vec<Value>, dependencies: Vec<Value>, at: Timestamp) -> Value {
    // The same content has the same number: a UUID of version 8, whose bits are ours to choose.
    let mut id = sha256(format!("{component}{components:?}").as_bytes());
    id[6] = id[6] & 0x0f | 0x80;
    id[8] = id[8] & 0x3f | 0x80;
    let hex = hex::encode(id);
    let part = |a: usize, b: usize| hex.get(a..b).unwrap_or_default();
    let uuid = [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-");
    let mut out = json!({
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "serialNumber": format!("urn:uuid:{uuid}"),
        "version": 1,
        "metadata": { "timestamp": format!("{at:.0}"), "component": component },
        "components": components,
    });
    if let (false, Some(fields)) = (dependencies.is_empty(), out.as_object_mut()) {
        fields.insert("dependencies".into(), Value::Array(dependencies));
    }
    out
}
