use askama::Template;
use axum::{
    extract::{Query, State},
    response::Html,
};
use serde::Deserialize;

use crate::{
    audit::{LEAST_PERSONS, Usage},
    web::{error::WebError, extract::Reader, format, frame::Frame, state::Web},
};

#[derive(Template)]
#[template(path = "pages/usage.html")]
pub(in crate::web) struct UsagePage {
    pub(in crate::web) f: Frame,
    pub(in crate::web) intro: String,
    pub(in crate::web) is_last: bool,
    pub(in crate::web) period: String,
    pub(in crate::web) too_few: String,
    pub(in crate::web) projects: Vec<UsageView>,
}

/// A project; without numbers where too few persons used it.
#[derive(Debug, Default)]
pub(in crate::web) struct UsageView {
    pub(in crate::web) name: String,
    pub(in crate::web) numbers: Option<Vec<String>>,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
pub(in crate::web) struct Wish {
    quarter: String,
}

/// `GET /usage`: how much the projects in the reader's scope are used.
pub(in crate::web) async fn page(
    State(web): State<Web>,
    reader: Reader,
    f: Frame,
    Query(wish): Query<Wish>,
) -> Result<Html<String>, WebError> {
    let is_last = wish.quarter == "last";
    let (actor, scope) = (reader.actor(), reader.scope.clone());
    let ((from, to), usage) = web.blocking(move |app| app.usage(&actor, &scope, is_last)).await?;
    let page = UsagePage {
        intro: f.t.one(f.d.usage_intro, LEAST_PERSONS),
        is_last,
        period: format!("{} – {}", format::date(&from.to_string()), format::date(&to.to_string())),
        too_few: f.t.one(f.d.usage_too_few, LEAST_PERSONS),
        projects: usage.iter().map(view).collect(),
        f,
    };
    Ok(Html(page.render()?))
}

fn view(usage: &Usage) -> UsageView {
    let numbers = usage.figures.map(|n| {
        [n.persons, n.questions, n.searches, n.verified, n.abstained, n.negative].map(format::whole).to_vec()
    });
    UsageView { name: usage.project.clone(), numbers }
}
