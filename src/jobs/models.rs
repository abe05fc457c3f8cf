//! A model that was read again: what came, went and changed in it since the version before.

use ingest::{DiffLimits, ElementCounts, Kind, ModelComparison};
use serde::{Deserialize, Serialize};

use super::{JobError, RunSummary, batch::Prepared, blocking, run::Run};
use crate::catalog::{DocumentId, ModelChanges};

/// What is kept of a comparison beside the model; its counts are always whole.
const KEPT: DiffLimits = DiffLimits { elements: 100, fields: 12, characters: 160 };
/// Elements of each sort that a run's summary lists of one model.
const SUMMARISED: usize = 20;
/// Models that a run's summary lists.
const MAX_MODELS: usize = 50;

/// A model that a run found modified.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ModifiedModel {
    /// Name of the source.
    pub source: String,
    /// Path relative to the source.
    pub path: String,
    /// The document; its page lists more.
    pub document: DocumentId,
    /// What changed, shortened.
    #[serde(flatten)]
    pub changes: ModelChanges,
}

/// The models that a run found modified.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ModifiedModels {
    /// How many there are, listed or not.
    pub models: u64,
    /// Their elements by what became of them.
    pub counts: ElementCounts,
    /// The first of them.
    pub listed: Vec<ModifiedModel>,
}

impl Run<'_> {
    /// Compares a model with its version before, which the catalog still holds. `known` is its document.
    pub(super) async fn compared(
        &self,
        known: Option<DocumentId>,
        mut file: Prepared,
    ) -> Result<Prepared, JobError> {
        let Some(document) = known.filter(|_| file.document.kind == Kind::Ifc) else { return Ok(file) };
        let catalog = self.jobs.catalog.clone();
        blocking(move || {
            let Some(earlier) = catalog.earlier_version(document)? else { return Ok(file) };
            if earlier.sha256 == file.sha256 {
                // The same model read by another reader: what differs is the reader's doing.
                file.changes = earlier.changes;
                return Ok(file);
            }
            let mut comparison = ModelComparison::new(&file.document.elements, KEPT);
            catalog.each_element(document, |element| comparison.earlier(&element))?;
            file.changes = Some(ModelChanges { since: earlier.read_at, diff: comparison.finish() });
            file.is_compared = true;
            Ok(file)
        })
        .await?
    }
}

impl RunSummary {
    /// Notes what changed in a model.
    pub(super) fn count_model(&mut self, source: &str, file: &Prepared, document: DocumentId) {
        let Some(changes) = file.changes.as_ref().filter(|_| file.is_compared) else { return };
        let (all, one) = (&mut self.models, changes.diff.counts);
        all.models += 1;
        all.counts.added += one.added;
        all.counts.removed += one.removed;
        all.counts.changed += one.changed;
        all.counts.unchanged += one.unchanged;
        if all.listed.len() < MAX_MODELS {
            all.listed.push(ModifiedModel {
                source: source.to_owned(),
                path: file.path.clone(),
                document,
                changes: ModelChanges {
                    since: changes.since.clone(),
                    diff: changes.diff.shortened(SUMMARISED),
                },
            });
        }
    }
}
