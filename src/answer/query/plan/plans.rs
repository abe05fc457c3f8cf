//! Plans by their revisions, from the rows of plan lists and the names of files.

use std::collections::BTreeMap;

use ingest::Locator;

use super::{Look, Plan, PlanQuery, Query, Said, no_group, strange};
use crate::answer::query::lexicon::{Form, Thing};
use crate::answer::query::names;
use crate::answer::query::request::Request;
use crate::answer::query::say;
use crate::answer::rows;
use crate::catalog::{CatalogError, DocumentId, DocumentQuery, PlanPassage};
use crate::index::{fold, revision_of};

/// Heads of the column that states a plan's revision, as lists write them.
const REVISIONS: [&str; 14] = [
    "Index",
    "Plan-Index",
    "Planindex",
    "Rev.",
    "Rev",
    "Revision",
    "Rev.-Index",
    "Indice",
    "Indice de révision",
    "Révision",
    "Ind.",
    "Revisione",
    "Indice di revisione",
    "Issue",
];
/// Heads of the number, where it is not the first cell.
const NUMBERS: [&str; 12] = [
    "plannummer",
    "plan-nr.",
    "plannr.",
    "plan nr.",
    "plan",
    "numero de plan",
    "n° de plan",
    "numero",
    "tavola",
    "drawing no.",
    "drawing number",
    "number",
];
const TITLES: [&str; 12] = [
    "titel",
    "plantitel",
    "bezeichnung",
    "inhalt",
    "planinhalt",
    "titre",
    "designation",
    "intitule",
    "titolo",
    "descrizione",
    "title",
    "description",
];
const DATES: [&str; 5] = ["datum", "date", "data", "vom", "du"];
/// Files that are looked at.
const MAX_FILES: u64 = 100_000;

/// A plan in its current revision.
#[derive(Debug, Clone, PartialEq)]
pub(in crate::answer::query) struct PlanRow {
    pub number: String,
    pub title: String,
    /// As it is written; `-` for the first issue.
    pub revision: String,
    /// As it is written in a list, ISO 8601 for a file.
    pub date: String,
    pub document: DocumentId,
    /// Title of the list, path of the file.
    pub source: String,
    pub locator: Option<Locator>,
}

impl Look<'_> {
    /// A query over plans.
    pub(super) fn plans(&self, r: &Request, mut said: Said) -> Result<Plan, CatalogError> {
        let l = self.language;
        said.chips = vec![say::thing(Thing::Plan, l)];
        said.unread.extend(strange(r, Thing::Plan));
        let storeys_meant = |t: &Thing| matches!(t, Thing::Storey | Thing::Document(_));
        said.unread
            .extend(r.other_things().into_iter().filter(|t| !storeys_meant(t)).map(|t| say::thing(t, l)));
        if matches!(r.form(), Form::Max | Form::Min | Form::Mean) {
            said.unread.push(say::form(r.form(), l).to_owned());
        }
        said.unread.extend(r.by.map(|by| no_group(by, self)));
        let mut query = PlanQuery { project: self.project, ..PlanQuery::default() };
        let all = self.current_plans()?;
        for name in &r.names {
            let text = name.words.join(" ");
            let key = names::key(&text);
            let word = fold(&text);
            if name.is_code && all.iter().any(|p| names::key(&p.number) == key) {
                query.numbers.push(key);
                said.chips.push(text);
            } else if !name.is_code && all.iter().any(|p| fold(&p.title).contains(&word)) {
                said.chips.push(format!("«{text}»"));
                query.titled.push(word);
            } else if name.is_code {
                said.absent = Some((text, Vec::new()));
            } else {
                said.unread.push(text);
            }
        }
        if let Some(Some(revision)) = &r.revision {
            said.chips.push(format!("{} {revision}", say::revision(l)));
            query.revision = Some(revision.clone());
        }
        if let Some((_, period)) = &r.dated {
            query.from.clone_from(&period.from);
            query.to.clone_from(&period.to);
            said.chips.push(say::stretch(period, l));
        }
        if all.is_empty() {
            said.absent = Some((say::thing(Thing::Plan, l), Vec::new()));
        }
        Ok(said.plan(Query::Plans(query)))
    }

    /// Every plan that a list or a file name states, each in its newest revision.
    pub(in crate::answer::query) fn current_plans(&self) -> Result<Vec<PlanRow>, CatalogError> {
        let mut newest: BTreeMap<(i64, String), PlanRow> = BTreeMap::new();
        let mut take = |project: i64, row: PlanRow| {
            let key = (project, names::key(&row.number));
            match newest.get(&key) {
                // A list says more of a plan than its file's name.
                Some(old) if order(&old.revision) >= order(&row.revision) => {}
                _ => {
                    newest.insert(key, row);
                }
            }
        };
        for passage in self.catalog.passages_with_cells(self.scope, self.project, &REVISIONS)? {
            rows_of(&passage).for_each(|row| take(passage.project.0, row));
        }
        let files = DocumentQuery { project: self.project, limit: MAX_FILES, ..DocumentQuery::default() };
        let projects = self.catalog.projects(self.scope)?;
        for file in self.catalog.count_documents(self.scope, &files)?.rows {
            let Some((number, revision)) = revision_of(&file.path) else { continue };
            let project = projects.iter().find(|p| p.name == file.project).map_or(0, |p| p.id.0);
            let row = PlanRow {
                number,
                title: file.title,
                revision,
                date: file.changed,
                document: file.document,
                source: file.path,
                locator: None,
            };
            take(project, row);
        }
        Ok(newest.into_values().collect())
    }
}

impl PlanQuery {
    /// Whether a plan is one of those.
    pub(in crate::answer::query) fn holds(&self, plan: &PlanRow) -> bool {
        let day = iso(&plan.date);
        let numbered = self.numbers.is_empty() || self.numbers.contains(&names::key(&plan.number));
        let dated = self.from.as_ref().is_none_or(|from| day.as_ref().is_some_and(|d| d >= from))
            && self.to.as_ref().is_none_or(|to| day.as_ref().is_some_and(|d| d <= to));
        numbered
            && dated
            && self.revision.as_ref().is_none_or(|r| order(r) == order(&plan.revision))
            && self.titled.iter().all(|t| fold(&plan.title).contains(t))
    }
}

/// The rows of a passage that name a plan and its revision.
fn rows_of(passage: &PlanPassage) -> impl Iterator<Item = PlanRow> {
    passage.text.lines().filter_map(|line| {
        let row = rows::parse(line)?;
        let cell = |heads: &[&str]| {
            let is = |c: &&rows::Cell<'_>| heads.iter().any(|h| fold(h) == fold(c.label));
            row.cells.iter().find(is).and_then(|c| c.text.split_once(": ")).map(|(_, value)| value.trim())
        };
        let revision = cell(&REVISIONS).filter(|r| is_revision(r))?;
        let number =
            Some(row.lead).filter(|n| is_number(n)).or_else(|| cell(&NUMBERS).filter(|n| is_number(n)))?;
        Some(PlanRow {
            number: number.to_owned(),
            title: cell(&TITLES).unwrap_or_default().to_owned(),
            revision: revision.to_owned(),
            date: cell(&DATES).unwrap_or_default().to_owned(),
            document: passage.document,
            source: passage.title.clone(),
            locator: Some(passage.locator.clone()),
        })
    })
}

/// A plan's number: letters and digits, few words.
fn is_number(text: &str) -> bool {
    text.chars().any(|c| c.is_ascii_digit())
        && text.chars().count() <= 40
        && text.split_whitespace().count() <= 3
}

fn is_revision(text: &str) -> bool {
    matches!(text, "-" | "–" | "—") || text.chars().count() <= 3 && text.chars().all(char::is_alphanumeric)
}

/// The order of revisions: none or a stroke, then `a` to `z`, `aa`; numbers by their value.
fn order(revision: &str) -> u32 {
    let plain = revision.trim().to_lowercase();
    match plain.parse::<u32>() {
        Ok(number) => number,
        Err(_) => plain
            .chars()
            .filter(char::is_ascii_lowercase)
            .fold(0, |n, c| n.saturating_mul(26).saturating_add(u32::from(c) - u32::from('a') + 1)),
    }
}

/// A day as lists write it, as ISO 8601.
fn iso(date: &str) -> Option<String> {
    match date.split(['.', '/']).collect::<Vec<_>>().as_slice() {
        [d, m, y] if y.len() == 4 => Some(format!("{y}-{m:0>2}-{d:0>2}")),
        [_] if date.len() >= 10 => date.get(..10).map(str::to_owned),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::ProjectId;

    #[test]
    fn revisions_have_an_order() {
        assert!(order("-") < order("a") && order("a") < order("C") && order("z") < order("aa"));
        assert!(order("2") < order("10") && order("b") == order("B"));
    }

    #[test]
    fn rows_of_a_list_are_read_and_prose_is_not() {
        let passage = PlanPassage {
            document: DocumentId(1),
            title: "Planliste".into(),
            project: ProjectId(1),
            locator: Locator::Pdf { page: 1, boxes: vec![] },
            text: "Tabelle 1: Pläne\nPlannummer | Titel | Index | Datum\n\
                   ARC-101; Titel: Grundriss; Index: b; Datum: 16.01.2026\n\
                   ARC-404; Titel: Detail; Index: -; Datum: 10.10.2025\n\
                   Summe; Index: 1.25; Datum: heute\nDie Pläne gelten; der Index: folgt."
                .into(),
        };
        let found: Vec<(String, String)> = rows_of(&passage).map(|p| (p.number, p.revision)).collect();
        assert_eq!(found, [("ARC-101".into(), "b".into()), ("ARC-404".to_owned(), "-".to_owned())]);
        assert_eq!(iso("16.01.2026").as_deref(), Some("2026-01-16"));
    }
}
