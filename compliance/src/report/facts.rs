//! What the report says beside the log's figures.

use serde::{Deserialize, Serialize};

/// Facts from configuration and catalog. An empty field is printed as "not stated" and listed under the open
/// points; nothing is made up.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct CatalogFacts {
    /// The firm that is the controller, with its place.
    pub firm: Option<String>,
    /// Person responsible for data protection.
    pub controller: Option<String>,
    /// How to reach them.
    pub contact: Option<String>,
    /// Product name and version.
    pub system: String,
    /// What the appliance is used for.
    pub purpose: Option<String>,
    /// Why the use is outside Annex III of the AI Act.
    pub classification_reason: Option<String>,
    /// Uses that are excluded.
    pub excluded_uses: Vec<String>,
    /// Who last reviewed purpose and classification.
    pub reviewer: Option<String>,
    /// When, `YYYY-MM-DD`.
    pub reviewed_on: Option<String>,
    /// Categories of data.
    pub data_categories: Vec<String>,
    /// Categories of persons.
    pub person_categories: Vec<String>,
    /// Where the data is stored.
    pub storage_place: Option<String>,
    /// Who receives data.
    pub recipients: Vec<String>,
    /// Countries outside Switzerland that data goes to; `Some(empty)` states that there are none.
    pub abroad: Option<Vec<String>>,
    /// Retention in words.
    pub retention: Option<String>,
    /// Documents in the index.
    pub documents: Option<u64>,
    /// Projects.
    pub projects: Option<u64>,
    /// User accounts.
    pub accounts: Option<u64>,
    /// Models in use.
    pub models: Vec<ModelFact>,
    /// Connections out of the appliance that are permitted; `Some(empty)` states that there are none.
    pub permitted_flows: Option<Vec<String>>,
    /// The last test that nothing leaves.
    pub egress_test: Option<EgressTest>,
    /// Date of the data-protection impact assessment, `YYYY-MM-DD`.
    pub dpia_on: Option<String>,
    /// Requests that are past their date.
    pub overdue_requests: Option<u64>,
    /// When a witness last countersigned the log, `YYYY-MM-DD`.
    pub last_witness: Option<String>,
    /// When a qualified time stamp was last obtained, `YYYY-MM-DD`.
    pub last_timestamp: Option<String>,
    /// Further open points, in the language of the report.
    pub open_points: Vec<String>,
    /// Time zone in which days are written, such as `Europe/Zurich`; that of the machine if empty.
    pub time_zone: Option<String>,
    /// Who signs.
    pub signatory: Option<String>,
}

/// A model as the register knows it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ModelFact {
    /// Name and revision.
    pub id: String,
    /// What it does: `answer` or `embed`, which the sheet says in its own language, or other words.
    pub task: String,
    /// Quantisation, such as `Q4_1`.
    pub quantisation: String,
    /// Licence.
    pub licence: String,
    /// Revision, as its maker counts them.
    pub revision: Option<String>,
    /// Where its maker describes it.
    pub card: Option<String>,
    /// Where its maker sums up what it was trained on.
    pub training: Option<String>,
    /// SHA-256 of the file, hexadecimal; the page shows the first 16 characters.
    pub sha256: String,
}

/// A test that the appliance's processes cannot reach the network.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EgressTest {
    /// When, `YYYY-MM-DD`.
    pub date: String,
    /// Attempts that were refused, as they should be.
    pub refused: u64,
    /// All attempts.
    pub attempts: u64,
    /// Kernel it ran on.
    pub kernel: String,
    /// Layers that were active.
    pub layers: Vec<String>,
}
