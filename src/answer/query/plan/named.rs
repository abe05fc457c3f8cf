//! Types, names, rooms, materials and properties of elements that the list of words does not know.

use std::collections::BTreeSet;

use super::{Look, Said};
use crate::answer::query::names;
use crate::answer::query::request::Name;
use crate::answer::query::say;
use crate::catalog::{BuildingNode, CatalogError, ElementCondition, ElementField, ElementQuery};
use crate::index::{QueryTerm, tokenize};

/// Properties that are looked through for a word of the question, at most.
pub(super) const MAX_PROPERTIES: usize = 300;

impl Look<'_> {
    /// Types, names, rooms, materials and properties that the list of words does not know.
    pub(super) fn names_of_elements(
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

    pub(super) fn texts(
        &self,
        query: &ElementQuery,
        field: &ElementField,
    ) -> Result<Vec<String>, CatalogError> {
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
        // `Büros`, `Labors`: the stemmer leaves a plural of this kind as it is.
        let one = text.strip_suffix('s').filter(|t| t.ends_with(['a', 'i', 'o', 'u', 'r', 'e']));
        let singular = one.map(|t| names::terms(t, t));
        let mut any = Vec::new();
        for field in
            [ElementField::Type, ElementField::Description, ElementField::Name, ElementField::Material]
        {
            let texts = self.texts(query, &field)?;
            let mut values: Vec<String> = names::saying(&texts, &terms).into_iter().cloned().collect();
            if let (true, Some(singular)) = (values.is_empty(), &singular) {
                values = names::saying(&texts, singular).into_iter().cloned().collect();
            }
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
}

/// Whether a building is called by its use: `Turnhalle`, `sports hall`.
fn is_called(building: &BuildingNode, terms: &[QueryTerm]) -> bool {
    let tokens = tokenize(&format!("{}\n{}", building.name, building.description));
    !terms.is_empty() && terms.iter().all(|t| t.stands_in(&tokens, None))
}
