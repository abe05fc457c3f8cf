use std::collections::BTreeSet;

use super::{Look, Plan, Query, Said, no_group, strange};
use crate::answer::query::lexicon::{CLASSES, Form, Key, Thing};
use crate::answer::query::names;
use crate::answer::query::request::{By, Fire, Name, Request, classes};
use crate::answer::query::say;
use crate::answer::query::storey::{Level, level_in};
use crate::catalog::{
    BuildingNode, CatalogError, ElementCondition, ElementField, ElementGroup, ElementQuery, Measure,
    StoreyNode,
};
use crate::index::{QueryTerm, ident, tokenize};

/// Properties that are looked through for a word of the question, at most.
const MAX_PROPERTIES: usize = 300;

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

    fn fire(&self, r: &Request, query: &mut ElementQuery, said: &mut Said) -> Result<(), CatalogError> {
        if r.fires.is_empty() && !r.any_fire {
            return Ok(());
        }
        let field = ElementField::FireRating;
        let stated = self.catalog.element_texts(self.scope, self.project, &query.classes, &field)?;
        let fits = |text: &&String| r.fires.is_empty() || r.fires.iter().any(|f| has_rating(text, f));
        let values: Vec<String> = stated.iter().filter(fits).cloned().collect();
        for f in &r.fires {
            let sign = if f.at_least { "≥ " } else { "" };
            let name = say::of(
                self.language,
                ["Feuerwiderstand", "résistance au feu", "resistenza al fuoco", "fire rating"],
            );
            said.chips.push(format!("{name} {sign}{}{}", f.letters, f.minutes));
        }
        if r.fires.is_empty() {
            said.chips.push(
                say::of(
                    self.language,
                    [
                        "mit Feuerwiderstand",
                        "avec résistance au feu",
                        "con resistenza al fuoco",
                        "with fire rating",
                    ],
                )
                .to_owned(),
            );
        }
        query.conditions.push(ElementCondition::OneOf(vec![(field.clone(), values)]));
        query.shown = Some(field);
        Ok(())
    }

    /// Types, names, rooms, materials and properties that the list of words does not know.
    fn names_of_elements(
        &self,
        all: &[Name],
        query: &mut ElementQuery,
        said: &mut Said,
    ) -> Result<(), CatalogError> {
        for name in all {
            let text = name.words.join(" ");
            let found = if name.is_code { self.code(&text, query)? } else { self.word(&text, query, said)? };
            if !found {
                said.unread.push(text);
            } else if name.is_code {
                said.chips.push(text);
            }
        }
        Ok(())
    }

    fn texts(&self, query: &ElementQuery, field: &ElementField) -> Result<Vec<String>, CatalogError> {
        self.catalog.element_texts(self.scope, self.project, &query.classes, field)
    }

    /// `FE-01`: a type, name, tag, classification or reference.
    fn code(&self, code: &str, query: &mut ElementQuery) -> Result<bool, CatalogError> {
        let key = names::key(code);
        let fields = [
            ElementField::Type,
            ElementField::Name,
            ElementField::Tag,
            ElementField::Classification,
            ElementField::Property("Reference".into()),
        ];
        let mut any = Vec::new();
        for field in fields {
            let texts = self.texts(query, &field)?;
            let values: Vec<String> = texts.into_iter().filter(|t| names::has_code(t, &key)).collect();
            if !values.is_empty() {
                any.push((field, values));
            }
        }
        let found = !any.is_empty();
        if found {
            query.conditions.push(ElementCondition::OneOf(any));
        }
        Ok(found)
    }

    /// Words: a building by its use, else what elements are called, made of or said to have.
    fn word(&self, text: &str, query: &mut ElementQuery, said: &mut Said) -> Result<bool, CatalogError> {
        let buildings = self.catalog.buildings(self.scope, self.project)?;
        let terms = names::terms(self.question, text);
        let called: Vec<String> =
            buildings.iter().filter(|b| is_called(b, &terms)).map(|b| b.global_id.clone()).collect();
        if !called.is_empty() {
            let names: BTreeSet<&str> =
                buildings.iter().filter(|b| called.contains(&b.global_id)).map(|b| b.name.as_str()).collect();
            said.chips.push(format!("{} ({text})", names.into_iter().collect::<Vec<_>>().join(" / ")));
            query.conditions.push(ElementCondition::Under(called));
            return Ok(true);
        }
        let mut any = Vec::new();
        for field in
            [ElementField::Type, ElementField::Description, ElementField::Name, ElementField::Material]
        {
            let texts = self.texts(query, &field)?;
            let values: Vec<String> = names::saying(&texts, &terms).into_iter().cloned().collect();
            if !values.is_empty() {
                any.push((field, values));
            }
        }
        if !any.is_empty() {
            said.chips.push(format!("«{text}»"));
            query.conditions.push(ElementCondition::OneOf(any));
            return Ok(true);
        }
        self.property(text, query, said)
    }

    /// A property that is true (`Panikfunktion`), or a value of one.
    fn property(&self, text: &str, query: &mut ElementQuery, said: &mut Said) -> Result<bool, CatalogError> {
        let terms = names::terms(self.question, text);
        let known = self.catalog.element_properties(self.scope, self.project, &query.classes)?;
        for name in names::saying(&known, &terms) {
            let field = ElementField::Property(name.clone());
            let values = self.texts(query, &field)?;
            if values.iter().all(|v| matches!(v.as_str(), "true" | "false")) {
                said.chips.push(format!("{name} = {}", say::of(self.language, ["ja", "oui", "sì", "yes"])));
                query.conditions.push(ElementCondition::OneOf(vec![(field.clone(), vec!["true".into()])]));
                query.shown = Some(field);
                return Ok(true);
            }
        }
        let mut any = Vec::new();
        for name in known.into_iter().take(MAX_PROPERTIES) {
            let field = ElementField::Property(name);
            let texts = self.texts(query, &field)?;
            let values: Vec<String> = names::saying(&texts, &terms).into_iter().cloned().collect();
            if !values.is_empty() {
                any.push((field, values));
            }
        }
        let Some((first, _)) = any.first() else { return Ok(false) };
        let of: Vec<&str> = any
            .iter()
            .filter_map(|(f, _)| if let ElementField::Property(n) = f { Some(n.as_str()) } else { None })
            .collect();
        said.chips.push(format!("{}: «{text}»", of.join(" / ")));
        query.shown = Some(first.clone());
        query.conditions.push(ElementCondition::OneOf(any));
        Ok(true)
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

/// Whether a building is called by its use: `Turnhalle`, `sports hall`.
fn is_called(building: &BuildingNode, terms: &[QueryTerm]) -> bool {
    let tokens = tokenize(&format!("{}\n{}", building.name, building.description));
    !terms.is_empty() && terms.iter().all(|t| t.stands_in(&tokens, None))
}

/// Whether a rating as models write it (`EI30-RF1`, `EI 30`, `EI2 30-C`) meets a class.
pub(super) fn has_rating(text: &str, wanted: &Fire) -> bool {
    let plain: String =
        text.chars().filter(|c| !c.is_whitespace() && !matches!(c, '-' | '_' | '₂' | '₁')).collect();
    let letters: String = plain.chars().take_while(|c| c.is_alphabetic()).collect();
    let digits: String =
        plain.chars().skip(letters.chars().count()).take_while(char::is_ascii_digit).collect();
    // `EI2 30` has the number of its criterion before the minutes.
    let digits = match digits.len() {
        3 if digits.starts_with(['1', '2']) && wanted.minutes < 100 && !digits.ends_with("20") => {
            digits.get(1..).unwrap_or_default()
        }
        _ => digits.as_str(),
    };
    let Ok(minutes) = digits.parse::<u32>() else { return false };
    letters.to_uppercase() == wanted.letters
        && if wanted.at_least { minutes >= wanted.minutes } else { minutes == wanted.minutes }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_as_models_write_them() {
        let class = |letters: &str, minutes, at_least| Fire { letters: letters.into(), minutes, at_least };
        let ei30 = class("EI", 30, false);
        for text in ["EI30", "EI 30", "EI30-RF1", "EI 30-C", "EI2 30-C5", "ei30"] {
            assert!(has_rating(text, &ei30), "{text}");
        }
        for text in ["EI60", "REI30", "R30", "30", "", "EI300"] {
            assert!(!has_rating(text, &ei30), "{text}");
        }
        assert!(has_rating("EI90", &class("EI", 60, true)) && !has_rating("EI30", &class("EI", 60, true)));
        assert!(has_rating("EI120", &class("EI", 120, false)));
    }
}
