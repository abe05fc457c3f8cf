//! Forms that were made from the configuration, and whether they are still what it says.

use std::collections::BTreeMap;

use compliance::forms::{About, Block, Form, Values, pdf};
use compliance::log::LogError;
use compliance::report::Lang;
use compliance::storage::{FileStorage, Storage as _};
use jiff::Timestamp;
use serde::{Deserialize, Serialize};

use super::{Actor, Audit, AuditError, Event, sha256_hex};

/// File in the data folder: which forms were made last, from what. Who edits it makes an old form look current; the log
/// has every form that was made, with its hash.
const FILE: &str = "forms.json";

/// A form as it was made last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct MadeForm {
    /// When.
    pub made: Timestamp,
    /// In which language.
    pub lang: Lang,
    /// SHA-256 over what it was made from.
    pub state: String,
    /// SHA-256 of the PDF.
    pub sha256: String,
}

impl Audit {
    /// Forms that were made, as they were last.
    ///
    /// # Errors
    /// When the file cannot be read or is damaged.
    pub fn forms_made(&self) -> Result<BTreeMap<Form, MadeForm>, AuditError> {
        let folder = FileStorage::new(self.queue.data()).map_err(LogError::from)?;
        let Some(bytes) = folder.read(FILE).map_err(LogError::from)? else { return Ok(BTreeMap::new()) };
        let damaged = |e: serde_json::Error| LogError::Damaged { path: FILE.to_owned(), what: e.to_string() };
        Ok(serde_json::from_slice(&bytes).map_err(damaged)?)
    }

    /// Writes a form as a PDF, records that it was handed out, and remembers what it was made from.
    ///
    /// # Errors
    /// When the PDF cannot be made, or the log or the data folder cannot be written.
    pub fn make_form(
        &self,
        actor: &Actor,
        form: Form,
        lang: Lang,
        values: &Values,
        firm: &str,
    ) -> Result<Vec<u8>, AuditError> {
        let (state, made) = (form.state(lang, values), Timestamp::now());
        let bytes = form_pdf(form, lang, values, firm, made)?;
        let sha256 = sha256_hex(&bytes);
        let event = Event::Export {
            what: format!("form_{}", form.code().replace('-', "_")),
            sha256: sha256.clone(),
            rows: 1,
            recipient: None,
            country: None,
        };
        self.record(actor, event)?;
        if form != Form::Incident {
            let _one = self.queue.case_lock();
            let mut all = self.forms_made()?;
            all.insert(form, MadeForm { made, lang, state, sha256 });
            let bytes = serde_json::to_vec_pretty(&all).map_err(|e| LogError::Prepare(e.to_string()))?;
            let folder = FileStorage::new(self.queue.data()).map_err(LogError::from)?;
            folder.replace(FILE, &bytes).map_err(LogError::from)?;
        }
        Ok(bytes)
    }
}

/// A form as a PDF. Whoever hands it out records that.
///
/// # Errors
/// When the PDF cannot be made.
pub fn form_pdf(
    form: Form,
    lang: Lang,
    values: &Values,
    firm: &str,
    made: Timestamp,
) -> Result<Vec<u8>, AuditError> {
    Ok(pdf(&form.fill(lang, values), lang, &about(firm, lang, made, &form.state(lang, values)))?)
}

/// The foot of a form.
fn about(firm: &str, lang: Lang, made: Timestamp, state: &str) -> About {
    let (draft, from) = match lang {
        Lang::De => ("Entwurf", "Stand der Konfiguration"),
        Lang::Fr => ("Projet", "état de la configuration"),
        Lang::It => ("Bozza", "stato della configurazione"),
        Lang::En => ("Draft", "state of the configuration"),
    };
    let day = made.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%d.%m.%Y").to_string();
    let short = state.get(..16).unwrap_or(state);
    About {
        firm: firm.to_owned(),
        made_from: format!("{draft}, {day}, {from} {short}"),
        made,
        keywords: Vec::new(),
    }
}

/// The parts of a form for a page.
pub fn form_blocks(form: Form, lang: Lang, values: &Values) -> Vec<Block> {
    form.fill(lang, values)
}
