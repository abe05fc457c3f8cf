use std::collections::BTreeSet;

use super::{Look, Plan, Query, Said, no_group, strange};
use crate::answer::query::lexicon::{CLASSES, Form, Key, Thing};
use crate::answer::query::request::{By, Request, classes};
use crate::answer::query::say;
use crate::answer::query::storey::{Level, level_in};
use crate::catalog::{
    BuildingNode, CatalogError, ElementCondition, ElementGroup, ElementQuery, Measure, StoreyNode,
};
use crate::index::ident;

impl Look<'_> {
    /// A query over elements of models.
    pub(super) fn elements(&self, r: &Request, thing: Thing, mut said: Said) -> Result<Plan, CatalogError> {
        said.unread.extend(strange(r, thing));
        let mut all: Vec<String> =
            classes(thing).unwrap_or_default().iter().map(|c| (*c).to_owned()).collect();
        for other in r.other_things() {
            match classes(other).filter(|c| !c.is_empty() && !all.is_empty()) {
                Some(more) => {
                    said.chips.push(say::thing(other, self.language));
                    all.extend(more.iter().map(|c| (*c).to_owned()));
                }
                None => said.unread.push(say::thing(other, self.language)),
            }
        }
        let form = r.form();
        let mut query = ElementQuery {
            project: self.project,
            classes: all,
            limit: self.limit,
            ..ElementQuery::default()
        };
        self.place(r, &mut query, &mut said)?;
        self.flags(r, &mut query, &mut said);
        self.fire(r, &mut query, &mut said)?;
        self.stated(r, &mut query, &mut said)?;
        self.names_of_elements(&r.names, &mut query, &mut said)?;
        self.measured(r, form, thing, &mut query, &mut said);
        self.grouped(r, &mut query, &mut said);
        Ok(said.plan(Query::Elements(form, query)))
    }

    fn flags(&self, r: &Request, query: &mut ElementQuery, said: &mut Said) {
        let l = self.language;
        if let Some(yes) = r.bearing {
            query.conditions.push(ElementCondition::LoadBearing(yes));
            let word = say::of(l, ["tragend", "porteur", "portante", "load-bearing"]);
            said.chips.push(if yes { word.to_owned() } else { say::not(word, l) });
        }
        if let Some(yes) = r.external {
            query.conditions.push(ElementCondition::External(yes));
            let (out, within) = (
                ["aussen", "extérieur", "esterno", "external"],
                ["innen", "intérieur", "interno", "internal"],
            );
            said.chips.push(say::of(l, if yes { out } else { within }).to_owned());
        }
    }

    /// Storeys and buildings, by the nodes of the models.
    fn place(&self, r: &Request, query: &mut ElementQuery, said: &mut Said) -> Result<(), CatalogError> {
        let buildings = self.buildings_of(r, said)?;
        if let Some(found) = &buildings {
            let ids: Vec<String> = found.iter().map(|b| b.global_id.clone()).collect();
            query.conditions.push(ElementCondition::Under(ids));
        }
        if r.levels.is_empty() {
            return Ok(());
        }
        let storeys = self.catalog.storeys(self.scope, self.project)?;
        let within = |s: &&StoreyNode| {
            buildings
                .as_ref()
                .is_none_or(|b| b.iter().any(|b| b.document == s.document && b.global_id == s.parent))
        };
        let mut ids = BTreeSet::new();
        for (level, text) in &r.levels {
            let found: Vec<&StoreyNode> =
                storeys.iter().filter(within).filter(|s| is_level(s, *level, text)).collect();
            let names: BTreeSet<&str> = found.iter().map(|s| s.name.as_str()).collect();
            if found.is_empty() {
                let there: BTreeSet<String> = storeys.iter().filter(within).map(|s| s.name.clone()).collect();
                said.absent = Some((text.clone(), there.into_iter().collect()));
            }
            said.chips.push(names.into_iter().collect::<Vec<_>>().join(" / "));
            ids.extend(found.iter().map(|s| s.global_id.clone()));
        }
        query.conditions.push(ElementCondition::Under(ids.into_iter().collect()));
        Ok(())
    }

    /// The buildings that are named; `None` where none is.
    pub(super) fn buildings_of(
        &self,
        r: &Request,
        said: &mut Said,
    ) -> Result<Option<Vec<BuildingNode>>, CatalogError> {
        if r.buildings.is_empty() {
            return Ok(None);
        }
        let all = self.catalog.buildings(self.scope, self.project)?;
        let mut found: Vec<BuildingNode> = Vec::new();
        for (key, text) in &r.buildings {
            let here: Vec<&BuildingNode> = all.iter().filter(|b| is_building(b, key)).collect();
            if here.is_empty() {
                let there: BTreeSet<String> = all.iter().map(|b| b.name.clone()).collect();
                said.absent = Some((text.clone(), there.into_iter().collect()));
            }
            said.chips.extend(here.first().map(|b| b.name.clone()));
            found.extend(here.into_iter().cloned());
        }
        Ok(Some(found))
    }

    fn measured(&self, r: &Request, form: Form, thing: Thing, query: &mut ElementQuery, said: &mut Said) {
        let of_a_measure = matches!(form, Form::Max | Form::Min | Form::Mean | Form::Sum);
        query.measure = r.measure;
        if query.measure.is_none() && of_a_measure {
            // The largest room is the one of the largest floor; of other things nobody knows what is meant.
            let flat = ["space", "slab", "roof", "window", "wall"];
            let name =
                if let Thing::Element(at) = thing { CLASSES.get(at).map(|(name, ..)| *name) } else { None };
            match name.is_some_and(|n| flat.contains(&n)) {
                true => query.measure = Some(Measure::Area),
                false => said.unread.push(say::form(form, self.language).to_owned()),
            }
        }
        query.range = r.range.filter(|_| query.measure.is_some());
        let Some(measure) = query.measure else { return };
        said.chips.push(match &query.range {
            Some(range) => say::range(measure, range, self.language),
            None if of_a_measure => {
                format!("{}: {}", say::form(form, self.language), say::measure(measure, self.language))
            }
            None => say::measure(measure, self.language),
        });
        query.largest_first = match form {
            Form::Max => Some(true),
            Form::Min => Some(false),
            _ => query.range.map(|r| r.from.is_some()),
        };
    }

    fn grouped(&self, r: &Request, query: &mut ElementQuery, said: &mut Said) {
        let by = r.by.or(r.sorts().map(By::Thing));
        let Some(by) = by else { return };
        query.group = Some(match by {
            By::Thing(Thing::Storey) => ElementGroup::Storey,
            By::Thing(Thing::Type) => ElementGroup::Type,
            By::Thing(Thing::Material) => ElementGroup::Material,
            By::Thing(Thing::Project) => ElementGroup::Project,
            By::Thing(Thing::Document(_)) | By::Key(Key::Document) => ElementGroup::Document,
            By::Key(Key::Class | Key::Kind) => ElementGroup::Class,
            By::Fire => ElementGroup::FireRating,
            other => {
                said.unread.push(no_group(other, self));
                return;
            }
        });
        said.chips.push(say::by(by, self.language));
    }
}

/// Whether a storey is the one that is asked for: by its name, else by its place in the building.
pub(super) fn is_level(storey: &StoreyNode, level: Level, text: &str) -> bool {
    let exact = |name: &str| crate::index::fold(name.trim()) == crate::index::fold(text.trim());
    if exact(&storey.name) || exact(&storey.description) {
        return true;
    }
    level_in(&storey.name).or_else(|| level_in(&storey.description)).is_some_and(|other| level.means(other))
}

fn is_building(building: &BuildingNode, key: &str) -> bool {
    let texts = [&building.name, &building.description, &building.title];
    texts.into_iter().any(|t| ident::identifiers(t).iter().any(|i| i.keys.iter().any(|k| k == key)))
}
