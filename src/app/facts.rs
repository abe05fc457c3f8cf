//! What the sheet says besides figures.

use ingest::Language;
use jiff::Timestamp;

use super::{App, AppError, BUILD};
use crate::audit::{CaseRow, CatalogFacts, EgressTest, Lang, ModelFact, Retention};
use crate::catalog::{Counts, ModelRow};
use crate::config::Config;

impl App {
    /// The firm's own statements, the register, what others confirmed, today's counts, and what is open of forms.
    pub(super) fn facts(&self, lang: Lang) -> Result<CatalogFacts, AppError> {
        let mut facts = self.facts_without_forms(lang)?;
        facts.open_points.extend(self.open_forms(lang)?);
        Ok(facts)
    }

    /// Forms that are out of date, an impact assessment that is to be considered, incidents past their day.
    fn open_forms(&self, lang: Lang) -> Result<Vec<String>, AppError> {
        let stale = self.forms(language(lang))?.into_iter().filter(|form| form.stale);
        let mut out: Vec<String> =
            stale.map(|form| format!("{}: {}", form.title, stale_word(lang))).collect();
        if self.config.report.dpia_date.is_empty() && !self.risk_triggers(language(lang)).is_empty() {
            out.push(consider_dpia(lang).to_owned());
        }
        let today = self.today();
        let book = self.audit.book()?;
        let late = |case: &&CaseRow| case.closed.is_none() && case.due.is_some_and(|due| due < today);
        let overdue = book.incidents().filter(late).count();
        if overdue > 0 {
            out.push(overdue_incidents(lang, overdue));
        }
        Ok(out)
    }

    /// As [`App::facts`], without what is open of forms.
    pub(super) fn facts_without_forms(&self, lang: Lang) -> Result<CatalogFacts, AppError> {
        let all = self.catalog.all_scope()?;
        let counts = self.catalog.counts(&all)?;
        let projects = self.catalog.projects(&all)?.len() as u64;
        let accounts = self.users.list()?.len() as u64;
        let mut facts = facts(&self.config, &counts, projects, accounts, &self.catalog.models()?);
        facts.retention.get_or_insert_with(|| periods(self.retention(), lang));
        let zone = self.config.report.zone();
        let day = |t: Timestamp| t.to_zoned_datetime(zone.clone()).date();
        let (witness, stamp) = self.audit.last_confirmed()?;
        facts.last_witness = witness.map(|t| day(t).to_string());
        facts.last_timestamp = stamp.map(|t| day(t).to_string());
        let test = self.audit.egress_test()?.and_then(|bytes| serde_json::from_slice(&bytes).ok());
        facts.egress_test = test.and_then(|kept: KeptTest| kept.test);
        facts.overdue_requests = Some(self.audit.book()?.overdue(day(Timestamp::now())));
        Ok(facts)
    }
}

/// The language of the sheet.
pub(super) fn lang(language: Language) -> Lang {
    match language {
        Language::De => Lang::De,
        Language::Fr => Lang::Fr,
        Language::It => Lang::It,
        Language::En => Lang::En,
    }
}

fn language(lang: Lang) -> Language {
    match lang {
        Lang::De => Language::De,
        Lang::Fr => Language::Fr,
        Lang::It => Language::It,
        Lang::En => Language::En,
    }
}

fn stale_word(lang: Lang) -> &'static str {
    match lang {
        Lang::De => "veraltet, die Konfiguration hat sich seither geändert",
        Lang::Fr => "dépassé, la configuration a changé depuis",
        Lang::It => "superato, la configurazione è cambiata da allora",
        Lang::En => "out of date, the configuration has changed since",
    }
}

fn consider_dpia(lang: Lang) -> &'static str {
    match lang {
        Lang::De => {
            "Die Konfiguration spricht für ein hohes Risiko; eine Folgenabschätzung ist nicht datiert"
        }
        Lang::Fr => "La configuration indique un risque élevé; aucune analyse d’impact n’est datée",
        Lang::It => "La configurazione indica un rischio elevato; nessuna valutazione d’impatto è datata",
        Lang::En => "The configuration points to a high risk; no impact assessment is dated",
    }
}

fn overdue_incidents(lang: Lang, n: usize) -> String {
    match lang {
        Lang::De => format!("Offene Vorfälle nach ihrem Termin: {n}"),
        Lang::Fr => format!("Incidents ouverts après leur échéance: {n}"),
        Lang::It => format!("Incidenti aperti oltre il termine: {n}"),
        Lang::En => format!("Open incidents past their date: {n}"),
    }
}

/// How long the log keeps what, for the sheet.
fn periods(rules: Retention, lang: Lang) -> String {
    let Retention { content_days: texts, trail_days: trail, case_days: cases } = rules;
    match lang {
        Lang::De => format!("Texte {texts}, Protokoll {trail}, Begehren und Vorfälle {cases} Tage"),
        Lang::Fr => format!("textes {texts}, journal {trail}, demandes et incidents {cases} jours"),
        Lang::It => format!("testi {texts}, registro {trail}, richieste e incidenti {cases} giorni"),
        Lang::En => format!("texts {texts}, log {trail}, requests and incidents {cases} days"),
    }
}

/// What `egress-test` keeps, as far as the sheet says it.
#[derive(serde::Deserialize)]
struct KeptTest {
    test: Option<EgressTest>,
}

/// What the sheet says besides figures: the firm's own statements, the register, today's counts.
fn facts(
    config: &Config,
    counts: &Counts,
    projects: u64,
    accounts: u64,
    models: &[ModelRow],
) -> CatalogFacts {
    let said = |text: &str| (!text.is_empty()).then(|| text.to_owned());
    let list = |text: &str| -> Vec<String> {
        text.split([',', ';']).map(str::trim).filter(|t| !t.is_empty()).map(str::to_owned).collect()
    };
    let report = &config.report;
    CatalogFacts {
        firm: said(&report.firm),
        controller: said(&report.controller),
        contact: said(&report.contact),
        system: BUILD.to_owned(),
        purpose: said(&report.purpose),
        classification_reason: said(&report.classification),
        excluded_uses: list(&report.excluded_uses),
        reviewer: said(&report.reviewer),
        reviewed_on: said(&report.reviewed_on),
        data_categories: list(&report.data_categories),
        person_categories: list(&report.persons),
        storage_place: said(&report.storage_place),
        recipients: list(&report.recipients),
        abroad: said(&report.abroad).map(|text| list(&text)),
        retention: said(&report.retention),
        documents: Some(counts.documents),
        projects: Some(projects),
        accounts: Some(accounts),
        models: models.iter().map(model_fact).collect(),
        // There is no setting that lets anything out.
        permitted_flows: Some(Vec::new()),
        dpia_on: said(&report.dpia_date),
        time_zone: said(&report.time_zone),
        ..CatalogFacts::default()
    }
}

pub(super) fn model_fact(model: &ModelRow) -> ModelFact {
    ModelFact {
        id: model.name.clone(),
        task: model.role.as_str().to_owned(),
        quantisation: model.quantisation.clone(),
        licence: model.licence.clone().unwrap_or_default(),
        revision: model.revision.clone(),
        card: model.card.clone(),
        training: model.training.clone(),
        sha256: model.sha256.clone(),
    }
}
