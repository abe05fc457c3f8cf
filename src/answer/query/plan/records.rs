use super::{Check, Look, Plan, Query, Said, no_group, strange};
use crate::answer::query::lexicon::{Form, Key, Thing};
use crate::answer::query::names;
use crate::answer::query::request::{By, Name, Request};
use crate::answer::query::say;
use crate::catalog::{CatalogError, PersonField, RecordCondition, RecordField, RecordGroup, RecordQuery};

impl Look<'_> {
    /// A query over requests.
    pub(super) fn records(&self, r: &Request, mut said: Said) -> Result<Plan, CatalogError> {
        said.unread.extend(strange(r, Thing::Record));
        said.unread.extend(r.other_things().into_iter().map(|t| say::thing(t, self.language)));
        let mut query = RecordQuery { project: self.project, limit: self.limit, ..RecordQuery::default() };
        let numbered = self.names_of_records(&r.names, &mut query, &mut said)?;
        let check = numbered.then(|| check(r)).flatten();
        if check.is_none() {
            self.states(r, &mut query, &mut said);
        }
        self.people(r, check, &mut query, &mut said)?;
        self.about(r, &mut query, &mut said)?;
        self.dates_and_more(r, &mut query, &mut said)?;
        if let Some(by) = r.by {
            match group(by) {
                Some(group) => {
                    query.group = Some(group);
                    said.chips.push(say::by(by, self.language));
                }
                None => said.unread.push(no_group(by, self)),
            }
        }
        let measured = matches!(r.form(), Form::Max | Form::Min | Form::Mean);
        if measured {
            said.unread.push(say::form(r.form(), self.language).to_owned());
        }
        Ok(said.plan(Query::Records(query, check)))
    }

    fn states(&self, r: &Request, query: &mut RecordQuery, said: &mut Said) {
        let l = self.language;
        let mut yes: Vec<String> = Vec::new();
        for (state, holds) in &r.states {
            let word = say::state(state, l);
            said.chips.push(if *holds { word } else { say::not(&word, l) });
            if *holds {
                yes.push((*state).to_owned());
            } else {
                let others = ["open", "answered", "closed", "void", ""].into_iter().filter(|s| s != state);
                query.conditions.push(RecordCondition::State(others.map(str::to_owned).collect()));
            }
        }
        if !yes.is_empty() {
            query.conditions.push(RecordCondition::State(yes));
        }
        if let Some(yes) = r.answered {
            query.conditions.push(RecordCondition::Answered(yes));
            said.chips.push(
                say::of(
                    l,
                    if yes {
                        ["beantwortet", "avec réponse", "con risposta", "answered"]
                    } else {
                        ["ohne Antwort", "sans réponse", "senza risposta", "without an answer"]
                    },
                )
                .to_owned(),
            );
        }
        if let Some(yes) = r.official {
            query.conditions.push(RecordCondition::Official(yes));
            let word = if yes {
                [
                    "mit offizieller Antwort",
                    "avec réponse officielle",
                    "con risposta ufficiale",
                    "with an official answer",
                ]
            } else {
                [
                    "ohne offizielle Antwort",
                    "sans réponse officielle",
                    "senza risposta ufficiale",
                    "without an official answer",
                ]
            };
            said.chips.push(say::of(l, word).to_owned());
        }
        if r.overdue {
            query.conditions.push(RecordCondition::OverdueOn(self.today.clone()));
            let day = say::day(&self.today);
            said.chips.push(format!(
                "{} {day}",
                say::of(l, ["überfällig am", "en retard au", "in ritardo al", "overdue on"])
            ));
        }
    }

    /// Numbers, registers, trades; whether records are named by their numbers.
    fn names_of_records(
        &self,
        all: &[Name],
        query: &mut RecordQuery,
        said: &mut Said,
    ) -> Result<bool, CatalogError> {
        let mut numbers = Vec::new();
        for name in all {
            let text = name.words.join(" ");
            if name.is_code {
                let found = self.numbers(&text)?;
                if !found.is_empty() {
                    said.chips.push(found.join(" / "));
                    numbers.extend(found);
                    continue;
                }
            }
            if !self.register(&text, query, said)?
                && !self.trade(&text, query, said)?
                && !self.by_name(name, query, said)?
            {
                said.unread.push(text);
            }
        }
        let named = !numbers.is_empty();
        if named {
            query.conditions.push(RecordCondition::OneOf(RecordField::Number, numbers));
        }
        Ok(named)
    }

    /// Whether one of the names is the number of a record.
    pub(super) fn names_a_record(&self, r: &Request) -> Result<bool, CatalogError> {
        for name in r.names.iter().filter(|n| n.is_code) {
            if !self.numbers(&name.words.join(" "))?.is_empty() {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The numbers that registers have for a number as it is asked for: `RFI 14` is `RFI-014`.
    fn numbers(&self, text: &str) -> Result<Vec<String>, CatalogError> {
        let key = names::key(text);
        let all = self.catalog.record_texts(self.scope, self.project, RecordField::Number)?;
        let is = |n: &String| {
            let of = names::key(n);
            of == key || key.strip_prefix("rfi").is_some_and(|k| of == k)
        };
        Ok(all.into_iter().filter(is).collect())
    }

    fn register(&self, text: &str, query: &mut RecordQuery, said: &mut Said) -> Result<bool, CatalogError> {
        let all = self.catalog.registers(self.scope, self.project)?;
        let is = |title: &str, path: &str| {
            let texts = [title.to_owned(), path.to_owned()];
            !names::with_word(&texts, text).is_empty()
        };
        let found: Vec<_> = all.iter().filter(|(_, title, path)| is(title, path)).collect();
        if found.is_empty() {
            return Ok(false);
        }
        said.chips.push(found.iter().map(|(_, title, _)| title.as_str()).collect::<Vec<_>>().join(" / "));
        query.conditions.push(RecordCondition::In(found.iter().map(|(id, ..)| *id).collect()));
        Ok(true)
    }

    fn trade(&self, text: &str, query: &mut RecordQuery, said: &mut Said) -> Result<bool, CatalogError> {
        let all = self.catalog.record_texts(self.scope, self.project, RecordField::Discipline)?;
        let found: Vec<String> =
            names::saying(&all, &names::terms(self.question, text)).into_iter().cloned().collect();
        // An `Elektroplaner` is who plans that trade.
        let begins = |trade: &&String| {
            let first = crate::index::fold(trade.split_whitespace().next().unwrap_or_default());
            first.chars().count() >= 5 && crate::index::fold(text).starts_with(&first)
        };
        let found = if found.is_empty() { all.iter().filter(begins).cloned().collect() } else { found };
        if found.is_empty() {
            return Ok(false);
        }
        let name = say::of(self.language, ["Fachbereich", "discipline", "disciplina", "discipline"]);
        said.chips.push(format!("{name} {}", found.join(" / ")));
        query.conditions.push(RecordCondition::OneOf(RecordField::Discipline, found));
        Ok(true)
    }

    /// A person whose part the word before says: `von`, `an`, `bei`.
    fn by_name(&self, name: &Name, query: &mut RecordQuery, said: &mut Said) -> Result<bool, CatalogError> {
        let field = match name.before.as_str() {
            "von" | "vom" | "de" | "par" | "di" | "da" | "by" | "from" => PersonField::Author,
            "an" | "a" | "to" => PersonField::Assignee,
            "bei" | "beim" | "chez" | "presso" | "with" => PersonField::Next,
            _ => return Ok(false),
        };
        self.person(field, &name.words.join(" "), query, said)
    }

    fn person(
        &self,
        field: PersonField,
        text: &str,
        query: &mut RecordQuery,
        said: &mut Said,
    ) -> Result<bool, CatalogError> {
        let all = self.catalog.record_texts(self.scope, self.project, RecordField::Person(field))?;
        let words: Vec<&str> = text.split_whitespace().collect();
        let has = |person: &&String| {
            let one = [(*person).clone()];
            words.iter().all(|w| !names::with_word(&one, w.trim_matches(['(', ')', '.'])).is_empty())
        };
        let found: Vec<String> = all.iter().filter(has).cloned().collect();
        if found.is_empty() {
            return Ok(false);
        }
        said.chips.push(format!("{} {}", say::person(field, self.language), found.join(" / ")));
        query.conditions.push(RecordCondition::OneOf(RecordField::Person(field), found));
        Ok(true)
    }

    fn people(
        &self,
        r: &Request,
        check: Option<Check>,
        query: &mut RecordQuery,
        said: &mut Said,
    ) -> Result<(), CatalogError> {
        let Some((field, words)) = &r.person else { return Ok(()) };
        if words.is_empty() {
            // `Wer ist bei RFI-012 am Zug?` is answered by the row of the record.
            if check.is_none() && r.by.is_none() {
                said.unread.push(say::person(*field, self.language).to_owned());
            }
            return Ok(());
        }
        if !self.person(*field, &words.join(" "), query, said)? {
            let there = self.catalog.record_texts(self.scope, self.project, RecordField::Person(*field))?;
            said.absent = Some((words.join(" "), there));
        }
        Ok(())
    }

    /// Requests whose subject or question says all of the words.
    fn about(&self, r: &Request, query: &mut RecordQuery, said: &mut Said) -> Result<(), CatalogError> {
        if r.about.is_empty() {
            return Ok(());
        }
        let subjects = self.catalog.record_subjects(self.scope, self.project)?;
        let (places, texts): (Vec<_>, Vec<String>) = subjects.into_iter().unzip();
        for text in &r.about {
            let said_in = names::saying(&texts, &names::terms(self.question, text));
            let has = |t: &String| said_in.iter().any(|s| std::ptr::eq(*s, t));
            let found = places.iter().zip(&texts).filter(|(_, t)| has(t)).map(|(p, _)| *p).collect();
            query.conditions.push(RecordCondition::Places(found));
            said.chips.push(format!(
                "{} «{text}»",
                say::of(self.language, ["Text nennt", "texte mentionnant", "testo con", "text says"])
            ));
        }
        Ok(())
    }

    fn dates_and_more(
        &self,
        r: &Request,
        query: &mut RecordQuery,
        said: &mut Said,
    ) -> Result<(), CatalogError> {
        if let Some((field, period)) = &r.dated {
            query.conditions.push(RecordCondition::Dated(*field, period.from.clone(), period.to.clone()));
            said.chips.push(say::dated(*field, period, self.language));
        }
        if r.elements {
            query.conditions.push(RecordCondition::NamesElements(true));
            said.chips.push(
                say::of(self.language, ["mit Bauteil", "avec élément", "con elemento", "with element"])
                    .to_owned(),
            );
        }
        if let Some(text) = &r.priority {
            let all = self.catalog.record_texts(self.scope, self.project, RecordField::Priority)?;
            let found: Vec<String> =
                all.iter().filter(|p| names::priority(p) == names::priority(text)).cloned().collect();
            let name = say::of(self.language, ["Priorität", "priorité", "priorità", "priority"]);
            match found.is_empty() {
                true => said.absent = Some((format!("{name} {text}"), all)),
                false => {
                    said.chips.push(format!("{name} {}", found.join(" / ")));
                    query.conditions.push(RecordCondition::OneOf(RecordField::Priority, found));
                }
            }
        }
        Ok(())
    }
}

/// What is asked of records that are named by their numbers.
fn check(r: &Request) -> Option<Check> {
    if let Some(yes) = r.answered {
        return Some(Check::Answered(yes));
    }
    if r.official.is_some() {
        return Some(Check::Official);
    }
    if r.overdue {
        return Some(Check::Overdue);
    }
    if let Some((state, _)) = r.states.first() {
        return Some(Check::State(state));
    }
    // A record that is named and nothing more: what stands in it.
    let only_named = r.forms.is_empty() && r.by.is_none() && r.dated.is_none() && r.about.is_empty();
    let state = r.says.contains(&Key::State) || r.person.as_ref().is_some_and(|(_, w)| w.is_empty());
    (state || only_named).then_some(Check::Status)
}

fn group(by: By) -> Option<RecordGroup> {
    Some(match by {
        By::Key(Key::State) => RecordGroup::State,
        By::Key(Key::Discipline) => RecordGroup::Discipline,
        By::Key(Key::Priority) => RecordGroup::Priority,
        By::Key(Key::Month) => RecordGroup::Month,
        By::Key(Key::Document) | By::Thing(Thing::Document(_)) => RecordGroup::Document,
        By::Thing(Thing::Project) => RecordGroup::Project,
        By::Person(PersonField::Author) => RecordGroup::Author,
        By::Person(_) => RecordGroup::Next,
        _ => return None,
    })
}
