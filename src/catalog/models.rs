use rusqlite::params;
use serde::{Deserialize, Serialize};

use super::{Catalog, CatalogError, sql};

/// What a model is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ModelRole {
    /// Turns texts into vectors.
    Embed,
    /// Writes answers.
    Answer,
    /// Judges how well passages answer a question.
    Rerank,
}

impl ModelRole {
    /// The word used in the catalog and on the command line.
    pub fn as_str(self) -> &'static str {
        match self {
            ModelRole::Embed => "embed",
            ModelRole::Answer => "answer",
            ModelRole::Rerank => "rerank",
        }
    }

    /// The role with this name.
    pub fn parse(word: &str) -> Option<Self> {
        [ModelRole::Embed, ModelRole::Answer, ModelRole::Rerank]
            .into_iter()
            .find(|role| role.as_str() == word)
    }
}

/// An entry of the model register.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelRow {
    /// SHA-256 of the file, in hex.
    pub sha256: String,
    /// The file.
    pub path: String,
    /// What it is for.
    pub role: ModelRole,
    /// Name from the file.
    pub name: String,
    /// Architecture from the file, for example `llama`.
    pub architecture: String,
    /// Quantisation, for example `Q4_1`.
    pub quantisation: String,
    /// Licence from the file or from the administrator.
    pub licence: Option<String>,
    /// ISO 639-1 codes of the languages that it may be used for; an answer model is asked in no other.
    pub languages: Vec<String>,
    /// Size of the file in bytes.
    pub file_bytes: u64,
    /// Revision of the model, as its maker counts them.
    pub revision: Option<String>,
    /// Where its maker describes it (model card).
    pub card: Option<String>,
    /// Where its maker sums up what it was trained on (AI Act, article 53).
    pub training: Option<String>,
    /// When it was entered, RFC 3339; set by [`Catalog::add_model`].
    pub added_at: String,
}

impl Catalog {
    /// The register, oldest entry first.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn models(&self) -> Result<Vec<ModelRow>, CatalogError> {
        self.read(|c| {
            c.prepare_cached("SELECT * FROM models ORDER BY added_at, sha256")?
                .query_map([], |row| {
                    Ok(ModelRow {
                        sha256: row.get("sha256")?,
                        path: row.get("path")?,
                        role: sql::word(row, "role", ModelRole::parse)?,
                        name: row.get("name")?,
                        architecture: row.get("architecture")?,
                        quantisation: row.get("quantisation")?,
                        licence: row.get("licence")?,
                        languages: sql::from_json(row, "languages")?,
                        file_bytes: sql::count(row, "file_bytes")?,
                        revision: row.get("revision")?,
                        card: row.get("card")?,
                        training: row.get("training")?,
                        added_at: row.get("added_at")?,
                    })
                })?
                .collect()
        })
    }

    /// Enters a model; an entry of the same hash is replaced.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn add_model(&self, model: &ModelRow) -> Result<(), CatalogError> {
        self.write(|t| {
            t.execute(
                "INSERT OR REPLACE INTO models (sha256, path, role, name, architecture, quantisation, licence,
                     languages, file_bytes, added_at, revision, card, training)
                 VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13)",
                params![
                    model.sha256,
                    model.path,
                    model.role.as_str(),
                    model.name,
                    model.architecture,
                    model.quantisation,
                    model.licence,
                    sql::json(&model.languages)?,
                    sql::int(model.file_bytes),
                    sql::now(),
                    model.revision,
                    model.card,
                    model.training,
                ],
            )?;
            Ok(())
        })
    }

    /// Strikes a model off the register; false where there was none of that hash. The file stays.
    ///
    /// # Errors
    /// The catalog cannot be written.
    pub fn remove_model(&self, sha256: &str) -> Result<bool, CatalogError> {
        self.write(|t| Ok(t.execute("DELETE FROM models WHERE sha256 = ?1", [sha256])? > 0))
    }
}
