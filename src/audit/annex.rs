//! The annex of the sheet and the bills of materials.

use std::path::Path;

use compliance::annex::{self, Extra, Sources};
use compliance::report::{CatalogFacts, ModelFact};
use jiff::Timestamp;
use serde_json::Value;

use super::{Audit, AuditError, Lang, Sheet, sha256_hex};

/// What this program was built from.
const LOCK: &str = include_str!("../../Cargo.lock");
/// The licences of its libraries, as their manifests stated them when it was built.
const LICENCES: &str = include_str!(concat!(env!("OUT_DIR"), "/licences.txt"));
const NAME: &str = env!("CARGO_PKG_NAME");
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// A packed annex.
#[derive(Debug, Clone)]
pub struct Packed {
    /// The ZIP.
    pub bytes: Vec<u8>,
    /// Its SHA-256, hexadecimal; goes into the `export` event.
    pub sha256: String,
}

/// The program's libraries as CycloneDX.
///
/// # Errors
/// When the list inside the program cannot be read.
pub fn program_sbom() -> Result<Value, String> {
    annex::program_sbom(LOCK, LICENCES, NAME, VERSION, Timestamp::now())
}

/// The registered models as CycloneDX.
pub fn models_sbom(models: &[ModelFact]) -> Value {
    annex::models_sbom(models, NAME, VERSION, Timestamp::now())
}

impl Audit {
    /// Packs the annex of `sheet`. `extra` are further files by name. Where the stand-alone verifier lies beside
    /// this program it is packed, too.
    ///
    /// # Errors
    /// When the log cannot be read.
    pub fn annex(
        &self,
        sheet: &Sheet,
        facts: &CatalogFacts,
        lang: Lang,
        mut extra: Vec<Extra>,
    ) -> Result<Packed, AuditError> {
        let json = |value: &Value| serde_json::to_vec_pretty(value).unwrap_or_default();
        if let Ok(bom) = program_sbom() {
            extra.push(("sbom.cdx.json".to_owned(), json(&bom)));
        }
        extra.push(("models.cdx.json".to_owned(), json(&models_sbom(&facts.models))));
        let beside = std::env::current_exe().ok().and_then(|exe| exe.parent().map(Path::to_owned));
        if let Some(program) = beside.and_then(|folder| std::fs::read(folder.join("dossier-verify")).ok()) {
            extra.push(("verify".to_owned(), program));
        }
        let bytes = self.queue.with(|log| {
            log.checkpoint()?;
            let sources = Sources { pdf: &sheet.pdf, figures: &sheet.figures, facts, lang, extra };
            Ok(annex::pack(log, sources)?)
        })?;
        let sha256 = sha256_hex(&bytes);
        Ok(Packed { bytes, sha256 })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every library that is linked on this platform states its licence; few of the whole lock file may lack theirs.
    #[test]
    fn the_bill_of_materials_names_licences() {
        let bom = program_sbom().unwrap();
        let components = bom["components"].as_array().unwrap();
        let licensed = components.iter().filter(|c| !c["licenses"].is_null()).count();
        assert!(licensed * 100 >= components.len() * 60, "{licensed} of {}", components.len());
        let of = |name: &str| &components.iter().find(|c| c["name"] == name).unwrap()["licenses"];
        assert_eq!(of("axum"), &serde_json::json!([{ "expression": "MIT" }]));
        assert_eq!(of("tantivy"), &serde_json::json!([{ "expression": "MIT" }]));
    }
}
