//! From what a question asks for to a query of the catalog: names become the texts that the documents have.

mod elements;
mod named;
mod others;
mod plans;
mod rated;
mod records;

use ingest::Language;

pub(super) use self::plans::PlanRow;
use super::lexicon::{Form, Thing};
use super::request::{By, Request};
use super::say;
use crate::catalog::{Catalog, CatalogError, DocumentQuery, ElementQuery, Measure, ProjectId, RecordQuery};
use crate::scope::Scope;

/// What a question turned out to be.
#[derive(Debug)]
pub(super) enum Plan {
    /// A query, with how it was understood.
    Query(Box<Query>, Vec<String>),
    /// These parts were not understood.
    Unread(Vec<String>),
    /// Something that is named does not exist among what the reader may see: what, and what there is instead.
    Absent(String, Vec<String>),
}

/// A query of the catalog.
#[derive(Debug)]
pub(super) enum Query {
    Elements(Form, ElementQuery),
    /// `Some`: whether this holds of the records that are named.
    Records(RecordQuery, Option<Check>),
    Documents(DocumentQuery),
    /// Plans by their revisions.
    Plans(PlanQuery),
    /// Storeys, buildings or projects: rows of their texts, with the document and element that they open.
    Nodes(Thing, Vec<Node>),
}

/// Which plans.
#[derive(Debug, Clone, Default, PartialEq)]
pub(super) struct PlanQuery {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Only these numbers, by their keys.
    pub numbers: Vec<String>,
    /// Only plans whose current revision is this one.
    pub revision: Option<String>,
    /// Only plans whose list, title or path says each of these.
    pub titled: Vec<String>,
    /// Only of this day or later, ISO 8601.
    pub from: Option<String>,
    /// Only of this day or earlier.
    pub to: Option<String>,
}

/// What is asked of a record that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Check {
    Answered(bool),
    Official,
    State(&'static str),
    Overdue,
    /// Its status as it is.
    Status,
}

/// A storey, building or project.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Node {
    pub document: Option<(crate::catalog::DocumentId, String)>,
    pub cells: Vec<String>,
}

/// Where names are looked up.
pub(super) struct Look<'a> {
    /// The whole question.
    pub question: &'a str,
    pub catalog: &'a Catalog,
    pub scope: &'a Scope,
    pub project: Option<ProjectId>,
    pub language: Language,
    /// Today, ISO 8601.
    pub today: String,
    /// Rows at most.
    pub limit: u64,
}

/// What is understood so far.
#[derive(Default)]
struct Said {
    chips: Vec<String>,
    unread: Vec<String>,
    absent: Option<(String, Vec<String>)>,
}

impl Said {
    fn plan(self, query: Query) -> Plan {
        if !self.unread.is_empty() {
            return Plan::Unread(self.unread);
        }
        match self.absent {
            Some((what, there)) => Plan::Absent(what, there),
            None => Plan::Query(Box::new(query), self.chips),
        }
    }
}

impl Look<'_> {
    /// Makes a query of a request; `None` where it counts nothing that the catalog has.
    pub(super) fn plan(&self, request: &Request) -> Result<Option<Plan>, CatalogError> {
        let (project, mut request) = self.in_project(request)?;
        // A number of a register alone is about its record.
        let is_record = request.thing().is_none()
            && request.names.iter().any(|n| n.is_code)
            && self.names_a_record(&request)?;
        // What is overdue or has been closed is a request.
        let of_requests = !request.states.is_empty() || request.answered.is_some() || request.overdue;
        if is_record || request.thing().is_none() && of_requests && request.names.is_empty() {
            request.things.push(Thing::Record);
        }
        let look = Look { project, today: self.today.clone(), ..*self };
        // `Fläche der Büros`: what has a floor and is called so is a room, if there are any.
        let rooms = request.thing().is_none() && request.measure == Some(Measure::Area) && request.asks();
        if rooms && !request.names.is_empty() && request.names.iter().all(|n| !n.is_code) {
            request.things.push(Thing::Element(SPACE));
            let said = Said { unread: request.unread.clone(), ..Said::default() };
            let plan = look.elements(&request, Thing::Element(SPACE), said)?;
            return Ok(Some(plan).filter(|p| matches!(p, Plan::Query(..))));
        }
        let Some(thing) = request.thing() else { return Ok(None) };
        let mut said = Said { unread: request.unread.clone(), ..Said::default() };
        said.chips.push(say::thing(request.sorts().unwrap_or(thing), self.language));
        let counts = self.catalog.counts(self.scope)?;
        let models = matches!(
            thing,
            Thing::Element(_) | Thing::Material | Thing::Type | Thing::Storey | Thing::Building
        );
        if models && counts.elements == 0 || thing == Thing::Record && counts.records == 0 {
            // Lists of doors or requests may well stand in other documents: none is not the answer.
            return Ok(Some(Plan::Absent(said.chips.concat(), Vec::new())));
        }
        let plan = match thing {
            Thing::Record => look.records(&request, said)?,
            Thing::Element(_) => look.elements(&request, thing, said)?,
            Thing::Material | Thing::Type => look.elements(&request, Thing::Element(ANY_ELEMENT), said)?,
            Thing::Document(kind) => look.documents(&request, kind, said)?,
            Thing::Plan => look.plans(&request, said)?,
            Thing::Storey | Thing::Building | Thing::Project => look.nodes(&request, thing, said)?,
        };
        Ok(Some(match plan {
            Plan::Query(query, mut chips) => {
                chips.extend(look.project_chip()?);
                Plan::Query(query, chips)
            }
            other => other,
        }))
    }

    /// A name that is a project's limits the query to it.
    fn in_project(&self, request: &Request) -> Result<(Option<ProjectId>, Request), CatalogError> {
        let mut request = request.clone();
        let mut project = self.project;
        let projects = self.catalog.projects(self.scope)?;
        let behind = request.things.contains(&Thing::Project) && request.thing() != Some(Thing::Project);
        let mut rest = Vec::new();
        for name in std::mem::take(&mut request.names) {
            let text = name.words.join(" ");
            let is = |p: &&crate::catalog::Project| {
                let folded = crate::index::fold(&p.name);
                let all = name.words.iter().all(|w| {
                    folded.split(|c: char| !c.is_alphanumeric()).any(|part| part == crate::index::fold(w))
                });
                all && !name.is_code
            };
            match projects.iter().find(is) {
                Some(found) if behind || project.is_none() => project = Some(found.id),
                _ => rest.push(super::request::Name { words: vec![text], ..name }),
            }
        }
        request.names = rest;
        Ok((project, request))
    }

    fn project_chip(&self) -> Result<Option<String>, CatalogError> {
        let Some(id) = self.project else { return Ok(None) };
        let projects = self.catalog.projects(self.scope)?;
        let name = projects.into_iter().find(|p| p.id == id).map(|p| p.name);
        Ok(name
            .map(|n| format!("{} {n}", say::of(self.language, ["Projekt", "projet", "progetto", "project"]))))
    }
}

/// Rooms.
const SPACE: usize = 12;

/// Elements of every class.
pub(super) const ANY_ELEMENT: usize = super::lexicon::CLASSES.len() - 1;

/// What of a request a query over these things cannot mean.
fn strange(request: &Request, thing: Thing) -> Vec<String> {
    let l = ingest::Language::De;
    let mut out = Vec::new();
    let element = matches!(thing, Thing::Element(_) | Thing::Storey | Thing::Building);
    if !element {
        out.extend(request.levels.iter().map(|(_, text)| text.clone()));
        out.extend(request.buildings.iter().map(|(_, text)| text.clone()));
    }
    if thing != Thing::Plan {
        out.extend(request.revision.iter().map(|_| say::revision(l).to_owned()));
    }
    if !matches!(thing, Thing::Element(_)) {
        out.extend(request.stated.iter().map(ToString::to_string));
        out.extend(request.no_fire.then(|| "EI".to_owned()));
        out.extend(request.fires.iter().map(|f| format!("{}{}", f.letters, f.minutes)));
        out.extend(request.measure.map(|m| say::measure(m, l)));
    }
    if thing != Thing::Record {
        out.extend(request.states.iter().map(|(s, _)| (*s).to_owned()));
        let said = [
            (request.answered.is_some(), "answered"),
            (request.official.is_some(), "official"),
            (request.overdue, "overdue"),
            (request.person.is_some(), "person"),
            (request.priority.is_some(), "priority"),
        ];
        out.extend(said.iter().filter(|(yes, _)| *yes).map(|(_, name)| (*name).to_owned()));
    }
    if !matches!(thing, Thing::Record | Thing::Document(_) | Thing::Plan) && request.dated.is_some() {
        out.push("date".to_owned());
    }
    out
}

/// Whether the thing can be grouped so, in the catalog's words.
fn no_group(by: By, look: &Look<'_>) -> String {
    say::by(by, look.language)
}
