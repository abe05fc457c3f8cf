use crate::{
    catalog::{Project, ProjectId},
    scope::Scope,
    web::{error::WebError, state::Web},
};

/// A project in a list to choose from.
#[derive(Debug, Clone)]
pub(in crate::web) struct ProjectChoice {
    pub(in crate::web) id: String,
    pub(in crate::web) name: String,
    pub(in crate::web) chosen: bool,
}

/// The projects that a reader may know of.
pub(in crate::web) async fn visible(web: &Web, scope: &Scope) -> Result<Vec<Project>, WebError> {
    let scope = scope.clone();
    web.blocking(move |app| app.catalog.projects(&scope)).await
}

/// The project that a form names, where the reader may know of it; an unknown one is no limit.
pub(in crate::web) fn chosen(projects: &[Project], wanted: &str) -> Option<ProjectId> {
    let id = wanted.trim().parse().ok().map(ProjectId)?;
    projects.iter().any(|p| p.id == id).then_some(id)
}

/// The list for a page.
pub(in crate::web) fn choices(projects: &[Project], chosen: Option<ProjectId>) -> Vec<ProjectChoice> {
    let choice = |p: &Project| ProjectChoice {
        id: p.id.to_string(),
        name: p.name.clone(),
        chosen: Some(p.id) == chosen,
    };
    projects.iter().map(choice).collect()
}
