//! What forms, notices and records say, from the configuration in force.

use jiff::Timestamp;

use super::facts::lang;
use super::{App, AppError, HandedOut};
use crate::answer::MAX_ANSWER_TOKENS;
use crate::audit::{
    Actor, Block, CaseRow, CatalogFacts, Form, IncidentReport, Lang, ModelFact, Values, form_blocks,
    form_pdf, sha256_hex,
};
use crate::auth::UserRole;
use crate::config::Config;
use ingest::Language;

/// Hours within which the GDPR wants an incident reported.
const GDPR_HOURS: i64 = 72;

/// Where a form stands.
#[derive(Debug, Clone, serde::Serialize)]
pub struct FormState {
    /// Which one.
    pub form: &'static str,
    /// Its title.
    pub title: &'static str,
    /// What it is based on.
    pub basis: &'static str,
    /// When it was made last.
    pub made: Option<Timestamp>,
    /// True where the configuration has changed since.
    pub stale: bool,
}

impl App {
    /// Every form with where it stands.
    ///
    /// # Errors
    /// When the catalog, the log or the list of forms cannot be read.
    pub fn forms(&self, language: Language) -> Result<Vec<FormState>, AppError> {
        let made = self.audit.forms_made()?;
        let mut out = Vec::new();
        for form in Form::MADE {
            let last = made.get(&form);
            let stale = match last {
                Some(made) => form.state(made.lang, &self.values(made.lang)?) != made.state,
                None => false,
            };
            let (title, basis) = form.head(lang(language));
            out.push(FormState { form: form.code(), title, basis, made: last.map(|m| m.made), stale });
        }
        Ok(out)
    }

    /// Makes a form of this name as a PDF; `None` where there is none.
    ///
    /// # Errors
    /// When something cannot be read, or the log cannot be written.
    pub fn make_form(
        &self,
        actor: &Actor,
        name: &str,
        language: Language,
    ) -> Result<Option<HandedOut>, AppError> {
        let Some(form) = Form::parse(name) else { return Ok(None) };
        let lang = lang(language);
        let bytes = self.audit.make_form(actor, form, lang, &self.values(lang)?, &self.config.report.firm)?;
        Ok(Some(HandedOut { sha256: sha256_hex(&bytes), bytes, rows: 1 }))
    }

    /// A form as a PDF that is handed out as part of something else.
    pub(super) fn form_pdf(&self, form: Form, language: Language) -> Result<Vec<u8>, AppError> {
        let lang = lang(language);
        Ok(form_pdf(form, lang, &self.values(lang)?, &self.config.report.firm, Timestamp::now())?)
    }

    /// A form's parts, to be shown on a page.
    ///
    /// # Errors
    /// When something that it says cannot be read.
    pub fn form_text(&self, form: Form, language: Language) -> Result<Vec<Block>, AppError> {
        let lang = lang(language);
        Ok(form_blocks(form, lang, &self.values(lang)?))
    }

    /// What in the configuration points to a high risk for persons.
    pub fn risk_triggers(&self, language: Language) -> Vec<String> {
        super::triggers::triggers(&self.config, lang(language))
    }

    /// The report of an incident as a PDF.
    ///
    /// # Errors
    /// When something cannot be read, or the log cannot be written.
    pub fn incident_pdf(
        &self,
        actor: &Actor,
        case: &CaseRow,
        language: Language,
    ) -> Result<HandedOut, AppError> {
        let lang = lang(language);
        let mut values = self.values(lang)?;
        let report = case.report.clone().unwrap_or_default();
        incident(&mut values, case, &report, lang);
        let firm = &self.config.report.firm;
        let bytes = self.audit.make_form(actor, Form::Incident, lang, &values, firm)?;
        Ok(HandedOut { sha256: sha256_hex(&bytes), bytes, rows: 1 })
    }

    /// Version of the instruction that everybody acknowledges.
    pub fn instruction_version(&self) -> String {
        Form::Instruction.version()
    }

    /// What forms say.
    fn values(&self, lang: Lang) -> Result<Values, AppError> {
        let mut values = Values::default();
        stated(&mut values, self.facts_without_forms(lang)?, lang);
        settings(&mut values, &self.config, lang);
        let holds = self.audit.book()?.holds.len();
        values.set("holds", if holds == 0 { none(lang).to_owned() } else { holds.to_string() });
        let users = self.users.list()?;
        let counted = |role: UserRole| (role, users.iter().filter(|u| u.role == role && !u.disabled).count());
        let roles = UserRole::ALL.map(counted).into_iter().filter(|(_, n)| *n > 0);
        values.set_all("roles", roles.map(|(role, n)| format!("{role} {n}")));
        Ok(values)
    }
}

/// What the firm states, and what the catalog and the register say.
fn stated(v: &mut Values, facts: CatalogFacts, lang: Lang) {
    let texts = [
        ("firm", facts.firm),
        ("controller", facts.controller),
        ("contact", facts.contact),
        ("purpose", facts.purpose),
        ("classification", facts.classification_reason),
        ("storage_place", facts.storage_place),
        ("retention", facts.retention),
        ("witness", facts.last_witness),
        ("egress", facts.egress_test.map(|test| test.date)),
        ("system", Some(facts.system)),
    ];
    for (name, text) in texts {
        v.set(name, text.unwrap_or_default());
    }
    v.set_all("excluded_uses", facts.excluded_uses);
    v.set_all("data_categories", facts.data_categories);
    v.set_all("persons", facts.person_categories);
    v.set_all("recipients", facts.recipients);
    let abroad = facts.abroad.map(|countries| or_none(countries, lang));
    v.set_all("abroad", abroad.unwrap_or_default());
    let counts = [("documents", facts.documents), ("projects", facts.projects), ("accounts", facts.accounts)];
    for (name, count) in counts {
        v.set(name, count.unwrap_or_default().to_string());
    }
    let model = |m: &ModelFact| format!("{} ({}, {})", m.id, m.quantisation, m.licence);
    v.set_all("models", or_none(facts.models.iter().map(model).collect(), lang));
}

/// What the configuration says.
fn settings(v: &mut Values, config: &Config, lang: Lang) {
    v.set_all("measures", crate::audit::measures(lang).split("; ").map(str::to_owned));
    v.set_all("triggers", or_none(super::triggers::triggers(config, lang), lang));
    v.set_all("sources", config.sources.iter().map(|s| format!("{} ({})", s.name, s.path.display())));
    v.set("schedule", config.ingest.schedule.clone().unwrap_or_else(|| none(lang).to_owned()));
    v.set("article_4", yes_no(config.retention.article_4, lang));
    v.set("high_risk", yes_no(config.retention.high_risk, lang));
    v.set("content_days", config.retention.content_days.to_string());
    v.set("max_tokens", MAX_ANSWER_TOKENS.to_string());
}

/// The list, or the word for none.
fn or_none(list: Vec<String>, lang: Lang) -> Vec<String> {
    if list.is_empty() { vec![none(lang).to_owned()] } else { list }
}

fn incident(v: &mut Values, case: &CaseRow, report: &IncidentReport, lang: Lang) {
    v.set("case", case.id.clone());
    v.set("made", moment(Timestamp::now()));
    let noticed = report.noticed.parse::<Timestamp>().ok();
    v.set("noticed", noticed.map(moment).unwrap_or_default());
    v.set(
        "deadline",
        noticed.map(|t| moment(t + jiff::SignedDuration::from_hours(GDPR_HOURS))).unwrap_or_default(),
    );
    v.set("risk", yes_no(report.high_risk, lang));
    for (name, text) in [
        ("a", &report.nature),
        ("b", &report.time),
        ("c", &report.data),
        ("d", &report.persons),
        ("e", &report.consequences),
        ("f", &report.measures),
        ("g", &report.contact),
    ] {
        v.set(name, text.clone());
    }
}

/// Hours until the GDPR's term ends; negative once it is over.
pub fn hours_left(noticed: Timestamp, now: Timestamp) -> i64 {
    GDPR_HOURS - now.duration_since(noticed).as_hours()
}

fn moment(t: Timestamp) -> String {
    t.to_zoned_datetime(jiff::tz::TimeZone::system()).strftime("%d.%m.%Y %H:%M").to_string()
}

fn none(lang: Lang) -> &'static str {
    match lang {
        Lang::De => "keine",
        Lang::Fr => "aucun",
        Lang::It => "nessuno",
        Lang::En => "none",
    }
}

fn yes_no(yes: bool, lang: Lang) -> &'static str {
    match (lang, yes) {
        (Lang::De, true) => "ja",
        (Lang::De, false) => "nein",
        (Lang::Fr, true) => "oui",
        (Lang::Fr, false) => "non",
        (Lang::It, true) => "sì",
        (Lang::It, false) => "no",
        (Lang::En, true) => "yes",
        (Lang::En, false) => "no",
    }
}
