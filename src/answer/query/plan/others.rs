use ingest::Kind;

use super::{Look, Node, Plan, Query, Said, no_group, strange};
use crate::answer::query::lexicon::{Form, Key, Thing};
use crate::answer::query::plan::elements::is_level;
use crate::answer::query::request::{By, Request};
use crate::answer::query::say;
use crate::catalog::{CatalogError, DocumentGroup, DocumentQuery};

impl Look<'_> {
    /// A query over documents.
    pub(super) fn documents(
        &self,
        r: &Request,
        kind: Option<Kind>,
        mut said: Said,
    ) -> Result<Plan, CatalogError> {
        said.unread.extend(strange(r, Thing::Document(kind)));
        let mut kinds: Vec<Kind> = kind.into_iter().collect();
        for other in r.other_things() {
            match other {
                Thing::Document(Some(kind)) => {
                    // `PDF-Dokumente` says it twice; `Mails und PDF` are two sorts.
                    kinds.push(kind);
                    said.chips.push(say::thing(other, self.language));
                }
                Thing::Document(None) => {}
                other => said.unread.push(say::thing(other, self.language)),
            }
        }
        if matches!(r.form(), Form::Max | Form::Min | Form::Mean) {
            said.unread.push(say::form(r.form(), self.language).to_owned());
        }
        let mut query =
            DocumentQuery { project: self.project, kinds, limit: self.limit, ..DocumentQuery::default() };
        for name in &r.names {
            let text = name.words.join(" ");
            let titled = DocumentQuery { titled: vec![text.clone()], ..DocumentQuery::default() };
            if self.catalog.count_documents(self.scope, &titled)?.total == 0 {
                said.unread.push(text);
                continue;
            }
            said.chips.push(format!(
                "{} «{text}»",
                say::of(self.language, ["Titel enthält", "titre contenant", "titolo con", "title has"])
            ));
            query.titled.push(text);
        }
        if let Some((_, period)) = &r.dated {
            query.from.clone_from(&period.from);
            query.to.clone_from(&period.to);
            let changed = say::of(self.language, ["geändert", "modifié", "modificato", "changed"]);
            said.chips.push(format!("{changed} {}", say::stretch(period, self.language)));
        }
        if let Some(by) = r.by {
            query.group = match by {
                By::Key(Key::Kind | Key::Class) | By::Thing(Thing::Type) => Some(DocumentGroup::Kind),
                By::Thing(Thing::Project) => Some(DocumentGroup::Project),
                By::Key(Key::Month) => Some(DocumentGroup::Month),
                _ => None,
            };
            match query.group {
                Some(_) => said.chips.push(say::by(by, self.language)),
                None => said.unread.push(no_group(by, self)),
            }
        }
        Ok(said.plan(Query::Documents(query)))
    }

    /// Storeys, buildings, projects: few enough to be looked at one by one.
    pub(super) fn nodes(&self, r: &Request, thing: Thing, mut said: Said) -> Result<Plan, CatalogError> {
        said.unread.extend(strange(r, thing));
        said.unread.extend(r.names.iter().map(|n| n.words.join(" ")));
        said.unread.extend(r.by.map(|by| no_group(by, self)));
        if matches!(r.form(), Form::Max | Form::Min | Form::Mean) {
            said.unread.push(say::form(r.form(), self.language).to_owned());
        }
        if thing == Thing::Project {
            let projects = self.catalog.projects(self.scope)?;
            let node = |p: crate::catalog::Project| Node { document: None, cells: vec![p.name] };
            return Ok(said.plan(Query::Nodes(thing, projects.into_iter().map(node).collect())));
        }
        let buildings = self.buildings_of(r, &mut said)?;
        let all = self.catalog.buildings(self.scope, self.project)?;
        let within = |document, id: &str| {
            buildings.as_ref().is_none_or(|b| b.iter().any(|b| b.document == document && b.global_id == id))
        };
        if thing == Thing::Building {
            let here = all.iter().filter(|b| within(b.document, &b.global_id));
            let node = |b: &crate::catalog::BuildingNode| Node {
                document: Some((b.document, b.global_id.clone())),
                cells: vec![b.name.clone(), b.description.clone(), b.title.clone()],
            };
            return Ok(said.plan(Query::Nodes(thing, here.map(node).collect())));
        }
        let storeys = self.catalog.storeys(self.scope, self.project)?;
        let wanted = |s: &&crate::catalog::StoreyNode| {
            within(s.document, &s.parent)
                && (r.levels.is_empty() || r.levels.iter().any(|(level, text)| is_level(s, *level, text)))
        };
        let node = |s: &crate::catalog::StoreyNode| {
            let of = all.iter().find(|b| b.document == s.document && b.global_id == s.parent);
            Node {
                document: Some((s.document, s.global_id.clone())),
                cells: vec![
                    s.name.clone(),
                    of.map(|b| b.name.clone()).unwrap_or_default(),
                    of.map(|b| b.title.clone()).unwrap_or_default(),
                ],
            }
        };
        Ok(said.plan(Query::Nodes(thing, storeys.iter().filter(wanted).map(node).collect())))
    }
}
