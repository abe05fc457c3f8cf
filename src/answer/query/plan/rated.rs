//! Ratings that models state as texts: fire classes, and numbers with a unit such as `Rw 32 dB`.

use super::named::MAX_PROPERTIES;
use super::{Look, Said};
use crate::answer::query::request::{Fire, Request, Stated};
use crate::answer::query::say;
use crate::catalog::{CatalogError, ElementCondition, ElementField, ElementQuery};
use crate::index::figures;

/// The unit of sound ratings, whose number models often write alone.
const SOUND: &str = "db";

impl Look<'_> {
    /// Fire classes; that there is one, or none.
    pub(super) fn fire(
        &self,
        r: &Request,
        query: &mut ElementQuery,
        said: &mut Said,
    ) -> Result<(), CatalogError> {
        let field = ElementField::FireRating;
        if r.no_fire {
            query.conditions.push(ElementCondition::Without(field));
            let word = [
                "ohne Feuerwiderstand",
                "sans résistance au feu",
                "senza resistenza al fuoco",
                "without fire rating",
            ];
            said.chips.push(say::of(self.language, word).to_owned());
            return Ok(());
        }
        if r.fires.is_empty() && !r.any_fire {
            return Ok(());
        }
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

    /// A number with a unit that no quantity has: among the texts of the sound rating, or of the properties that the
    /// names of the question say. Gives the names that are left.
    pub(super) fn stated(
        &self,
        r: &Request,
        query: &mut ElementQuery,
        said: &mut Said,
    ) -> Result<(), CatalogError> {
        let Some(stated) = &r.stated else { return Ok(()) };
        let mut fields = Vec::new();
        if stated.unit == SOUND {
            fields.push(ElementField::AcousticRating);
        } else {
            let known = self.catalog.element_properties(self.scope, self.project, &query.classes)?;
            fields.extend(known.into_iter().take(MAX_PROPERTIES).map(ElementField::Property));
        }
        let mut any = Vec::new();
        for field in fields {
            let texts = self.texts(query, &field)?;
            let values: Vec<String> = texts.into_iter().filter(|t| stated.holds(t)).collect();
            if !values.is_empty() {
                any.push((field, values));
            }
        }
        said.chips.push(stated.to_string());
        // Nothing meets it where the models have such texts and none fits; where they have none, nobody can tell.
        query.shown = any.first().map(|(f, _)| f.clone()).or(query.shown.take());
        query.conditions.push(ElementCondition::OneOf(match any.is_empty() {
            true => vec![(ElementField::AcousticRating, Vec::new())],
            false => any,
        }));
        Ok(())
    }
}

impl Stated {
    /// Whether a text of a model states a number within the bounds: `Rw 32 dB`, `32`.
    fn holds(&self, text: &str) -> bool {
        let plain = |f: &crate::index::Figure| f.unit.is_empty() && self.unit == SOUND && f.word.is_empty();
        let number = |f: &crate::index::Figure| f.value.parse::<f64>().ok();
        let fits = figures(text).iter().filter(|f| f.unit == self.unit || plain(f)).find_map(number);
        fits.is_some_and(|value| self.range.holds(value))
    }
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
    fn numbers_with_units_in_texts() {
        let at_least = |unit: &'static str, from| Stated {
            unit,
            range: crate::catalog::Range { from: Some(from), to: None, open: false },
        };
        for (text, holds) in [
            ("Rw 32 dB", true),
            ("32", true),
            ("R'w+C >= 37 dB", true),
            ("Rw 27 dB", false),
            ("", false),
            ("Typ A", false),
        ] {
            assert_eq!(at_least("db", 32.0).holds(text), holds, "{text}");
        }
        assert!(at_least("kg", 80.0).holds("90 kg") && !at_least("kg", 80.0).holds("90"));
    }

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
