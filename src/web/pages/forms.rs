//! Forms and records for those who answer for them.

use askama::Template;
use axum::{
    Form,
    extract::State,
    response::{Html, Response},
};
use ingest::Language;
use serde::Deserialize;

use super::history::download;
use crate::{
    app::FormState,
    web::{error::WebError, extract::Reader, format, frame::Frame, i18n, state::Web},
};

#[derive(Template)]
#[template(path = "pages/forms.html")]
pub(in crate::web) struct FormsPage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) forms: Vec<FormView>,
    pub(in crate::web) triggers: Vec<String>,
    pub(in crate::web) languages: Vec<(&'static str, &'static str, bool)>,
}

/// A form and where it stands.
#[derive(Debug, Default)]
pub(in crate::web) struct FormView {
    pub(in crate::web) name: &'static str,
    pub(in crate::web) title: &'static str,
    pub(in crate::web) basis: &'static str,
    pub(in crate::web) state: String,
    pub(in crate::web) is_stale: bool,
}

/// `GET /forms`
pub(in crate::web) async fn page(
    State(web): State<Web>,
    _: Reader,
    f: Frame,
) -> Result<Html<String>, WebError> {
    let language = f.language;
    let forms = web.blocking(move |app| app.forms(language)).await?;
    let page = FormsPage {
        forms: forms.iter().map(|form| view(&f, form)).collect(),
        triggers: web.app.risk_triggers(language),
        languages: Language::ALL.map(|l| (l.as_str(), i18n::native_name(l), l == language)).to_vec(),
        f,
    };
    Ok(Html(page.render()?))
}

fn view(f: &Frame, form: &FormState) -> FormView {
    let day = |t: jiff::Timestamp| format::date(&t.to_string());
    let state = match (form.made, form.stale) {
        (None, _) => f.d.forms_never.to_owned(),
        (Some(made), true) => f.t.one(f.d.forms_stale, day(made)),
        (Some(made), false) => f.t.one(f.d.forms_current, day(made)),
    };
    FormView { name: form.form, title: form.title, basis: form.basis, state, is_stale: form.stale }
}

#[derive(Debug, Deserialize)]
pub(in crate::web) struct Wish {
    form: String,
    language: Language,
}

/// `POST /forms`: makes a form and hands it out.
pub(in crate::web) async fn make(
    State(web): State<Web>,
    reader: Reader,
    Form(wish): Form<Wish>,
) -> Result<Response, WebError> {
    let (actor, language, name) = (reader.actor(), wish.language, wish.form.clone());
    let made = web.blocking(move |app| app.make_form(&actor, &name, language)).await?;
    let file = made.ok_or(WebError::NotFound)?;
    download("application/pdf", &format!("dossier-{}-{}.pdf", wish.form, language.as_str()), file.bytes)
}
