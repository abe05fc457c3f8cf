use rusqlite::{Connection, Row, params_from_iter};

use super::{Counted, Group, Measure, Measured, Range, Where, of_class};
use crate::catalog::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::Scope;

/// A text that a model states of an element.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub enum ElementField {
    /// Name of the type.
    Type,
    /// Name.
    Name,
    /// Long name of a space, description of others.
    Description,
    /// Tag of the authoring program.
    Tag,
    /// Any of its materials.
    Material,
    /// Code of any of its classifications.
    Classification,
    /// Fire rating.
    FireRating,
    /// Sound rating.
    AcousticRating,
    /// A property by its name, in any set.
    Property(String),
}

/// What an element must meet.
#[derive(Debug, Clone, PartialEq)]
pub enum ElementCondition {
    /// In any of these fields one of the field's texts, exactly as the model writes them.
    OneOf(Vec<(ElementField, Vec<String>)>),
    /// In one of these storeys or buildings, by GlobalId.
    Under(Vec<String>),
    /// In one of these models.
    In(Vec<DocumentId>),
    /// Load-bearing, or not.
    LoadBearing(bool),
    /// External, or not.
    External(bool),
    /// The field states nothing.
    Without(ElementField),
}

/// By what elements are grouped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ElementGroup {
    /// Storey.
    Storey,
    /// Name of the type.
    Type,
    /// Class.
    Class,
    /// Fire rating.
    FireRating,
    /// Material; an element of three materials counts in three groups.
    Material,
    /// Project.
    Project,
    /// Model.
    Document,
    /// The measure, to three places.
    Value,
}

/// Which elements.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct ElementQuery {
    /// Only this project.
    pub project: Option<ProjectId>,
    /// Classes by their full names; none means every element that is a thing of its own.
    pub classes: Vec<String>,
    /// All of these hold.
    pub conditions: Vec<ElementCondition>,
    /// What is measured.
    pub measure: Option<Measure>,
    /// Bounds of the measure.
    pub range: Option<Range>,
    /// By what they are grouped.
    pub group: Option<ElementGroup>,
    /// The largest measure first, or the smallest; else by model and place in it.
    pub largest_first: Option<bool>,
    /// A text that every row shows.
    pub shown: Option<ElementField>,
    /// Rows at most.
    pub limit: u64,
}

/// An element that was counted.
#[derive(Debug, Clone, PartialEq)]
pub struct CountedElement {
    /// Its model; of several that hold it, the first.
    pub document: DocumentId,
    /// Title of the model.
    pub title: String,
    /// Name of the project.
    pub project: String,
    /// GlobalId.
    pub global_id: String,
    /// Entity name.
    pub class: String,
    /// Name.
    pub name: String,
    /// Long name or description.
    pub description: String,
    /// Name of its type.
    pub type_name: String,
    /// Storey.
    pub storey: String,
    /// The measure in SI units.
    pub value: Option<f64>,
    /// The name under which the model states it.
    pub source: Option<String>,
    /// The text asked for.
    pub shown: Option<String>,
}

impl Catalog {
    /// Runs a query over the elements of all models in the scope. An element that several models of a project hold
    /// is counted once.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn count_elements(
        &self,
        scope: &Scope,
        query: &ElementQuery,
    ) -> Result<Counted<CountedElement>, CatalogError> {
        let stated = hits(scope, query, false);
        let flags = query
            .conditions
            .iter()
            .any(|c| matches!(c, ElementCondition::LoadBearing(_) | ElementCondition::External(_)));
        let unstated = flags.then(|| hits(scope, query, true));
        self.read(|c| {
            let mut found = summary(c, &stated, query)?;
            found.rows = rows(c, &stated, query)?;
            found.groups = groups(c, &stated, query)?;
            if let Some(unstated) = unstated {
                let text = format!("{} SELECT count(*) FROM hit", unstated.text);
                found.unstated += c
                    .prepare(&text)?
                    .query_row(params_from_iter(&unstated.values), |r| r.get::<_, i64>(0))
                    .map(|n| u64::try_from(n).unwrap_or(0))?;
            }
            Ok(found)
        })
    }
}

/// `WITH hit AS (…)`: the elements that meet the conditions, each once. `unstated`: those of which the model does not
/// say whether they are load-bearing or external, and which meet the rest.
fn hits(scope: &Scope, query: &ElementQuery, unstated: bool) -> Where {
    let mut w = Where::default();
    let mark = w.value(sql::scope(scope));
    w.and(&sql::IN_SCOPE.replace("?1", &mark));
    if let Some(project) = query.project {
        let mark = w.value(project.0);
        w.and(&format!("d.project = {mark}"));
    }
    of_class(&mut w, &query.classes);
    for condition in &query.conditions {
        meet(&mut w, condition, unstated);
    }
    let value = query.measure.map_or("NULL".to_owned(), Measure::sql);
    let source = query.measure.map_or("NULL".to_owned(), Measure::source_sql);
    let shown = query.shown.as_ref().map_or("NULL".to_owned(), |f| text_of(&mut w, f));
    let key = match &query.group {
        None => "NULL".to_owned(),
        Some(ElementGroup::Value) => format!("printf('%.3f', {value})"),
        Some(group) => key_of(group).to_owned(),
    };
    let more = if query.group == Some(ElementGroup::Material) {
        "LEFT JOIN json_each(e.body, '$.materials') m"
    } else {
        ""
    };
    let once = if more.is_empty() { "" } else { ", m.value" };
    w.text = format!(
        "WITH hit AS (SELECT min(d.id) AS document, g.title, p.name AS project, e.global_id, e.class, e.name, e.type,
             coalesce(json_extract(e.body, '$.description'), '') AS description, e.storey, e.ordinal,
             {value} AS value, {source} AS source, {shown} AS shown, {key} AS key
         FROM elements e JOIN documents d ON d.live = e.generation JOIN generations g ON g.id = d.live
         JOIN projects p ON p.id = d.project {more}
         WHERE {} GROUP BY d.project, e.global_id{once})",
        w.text
    );
    w
}

fn meet(w: &mut Where, condition: &ElementCondition, unstated: bool) {
    match condition {
        ElementCondition::OneOf(fields) => {
            let any: Vec<String> = fields.iter().map(|(field, values)| one_of(w, field, values)).collect();
            w.and(&format!("({})", any.join(" OR ")));
        }
        ElementCondition::Under(parents) => {
            let mark = w.list(parents);
            w.and(&format!(
                "EXISTS (SELECT 1 FROM json_each(e.body, '$.parents') x
                 WHERE x.value IN (SELECT value FROM json_each({mark})))"
            ));
        }
        ElementCondition::In(documents) => {
            let mark = w.value(sql::ids(documents.iter().map(|d| d.0)));
            w.and(&format!("d.id IN (SELECT value FROM json_each({mark}))"));
        }
        ElementCondition::LoadBearing(yes) => flag(w, "LoadBearing", *yes, unstated),
        ElementCondition::External(yes) => flag(w, "IsExternal", *yes, unstated),
        ElementCondition::Without(field) => {
            let text = text_of(w, field);
            w.and(&format!(
                "lower(trim(coalesce({text}, ''))) IN ('', '-', '–', '0', 'none', 'keine', 'ohne')"
            ));
        }
    }
}

fn one_of(w: &mut Where, field: &ElementField, values: &[String]) -> String {
    let mark = w.list(values);
    let among = format!("(SELECT value FROM json_each({mark}))");
    match field {
        ElementField::Material => {
            format!("EXISTS (SELECT 1 FROM json_each(e.body, '$.materials') x WHERE x.value IN {among})")
        }
        ElementField::Classification => format!(
            "EXISTS (SELECT 1 FROM json_each(e.body, '$.classifications') x
             WHERE json_extract(x.value, '$.code') IN {among})"
        ),
        ElementField::Property(name) => {
            let name = w.value(name.clone());
            format!(
                "EXISTS (SELECT 1 FROM json_each(e.body, '$.properties') s, json_each(s.value) x
                 WHERE x.key = {name} AND json_extract(x.value, '$.value') IN {among})"
            )
        }
        single => format!("{} IN {among}", text_of(w, single)),
    }
}

fn flag(w: &mut Where, name: &str, yes: bool, unstated: bool) {
    let stated = format!("json_extract(e.body, '$.compliance.{name}.value')");
    w.and(&match unstated {
        true => format!("coalesce({stated} NOT IN ('true', 'false'), 1)"),
        false => format!("{stated} = '{yes}'"),
    });
}

/// An SQL expression for a text of the element `e`.
fn text_of(w: &mut Where, field: &ElementField) -> String {
    match field {
        ElementField::Type => "e.type".into(),
        ElementField::Name => "e.name".into(),
        ElementField::Description => "json_extract(e.body, '$.description')".into(),
        ElementField::Tag => "json_extract(e.body, '$.tag')".into(),
        ElementField::FireRating => "json_extract(e.body, '$.compliance.FireRating.value')".into(),
        ElementField::AcousticRating => "json_extract(e.body, '$.compliance.AcousticRating.value')".into(),
        ElementField::Material => {
            "(SELECT group_concat(x.value, ', ') FROM json_each(e.body, '$.materials') x)".into()
        }
        ElementField::Classification => "(SELECT group_concat(json_extract(x.value, '$.code'), ', ')
             FROM json_each(e.body, '$.classifications') x)"
            .into(),
        ElementField::Property(name) => {
            let name = w.value(name.clone());
            format!(
                "(SELECT json_extract(x.value, '$.value') FROM json_each(e.body, '$.properties') s, json_each(s.value) x
                 WHERE x.key = {name} LIMIT 1)"
            )
        }
    }
}

fn key_of(group: &ElementGroup) -> &'static str {
    match group {
        ElementGroup::Storey => "e.storey",
        ElementGroup::Type => "e.type",
        ElementGroup::Class => "e.class",
        ElementGroup::FireRating => "coalesce(json_extract(e.body, '$.compliance.FireRating.value'), '')",
        ElementGroup::Material => "coalesce(m.value, '')",
        ElementGroup::Project => "p.name",
        ElementGroup::Document => "g.title",
        ElementGroup::Value => "NULL",
    }
}

/// The condition on the measure, behind `FROM hit`.
fn within(query: &ElementQuery) -> String {
    query.range.map_or(String::new(), |r| format!("WHERE {}", r.sql("value")))
}

fn summary(c: &Connection, hits: &Where, query: &ElementQuery) -> rusqlite::Result<Counted<CountedElement>> {
    let text = format!(
        "{} SELECT count(DISTINCT project || global_id), count(value), coalesce(sum(value), 0.0), coalesce(min(value), 0.0),
             coalesce(max(value), 0.0), (SELECT count(*) FROM hit WHERE value IS NULL)
         FROM hit {}",
        hits.text,
        within(query)
    );
    c.prepare(&text)?.query_row(params_from_iter(&hits.values), |row| {
        let count = |i: usize| row.get::<_, i64>(i).map(|n| u64::try_from(n).unwrap_or(0));
        let measured = Measured { stated: count(1)?, sum: row.get(2)?, min: row.get(3)?, max: row.get(4)? };
        Ok(Counted {
            total: count(0)?,
            rows: Vec::new(),
            groups: Vec::new(),
            measured: query.measure.map(|_| measured),
            unstated: if query.measure.is_some() { count(5)? } else { 0 },
        })
    })
}

fn rows(c: &Connection, hits: &Where, query: &ElementQuery) -> rusqlite::Result<Vec<CountedElement>> {
    let order = match query.largest_first {
        Some(true) => "value DESC NULLS LAST, document, ordinal",
        Some(false) => "value ASC NULLS LAST, document, ordinal",
        None => "project, document, ordinal",
    };
    let text =
        format!("{} SELECT * FROM hit {} ORDER BY {order} LIMIT {}", hits.text, within(query), query.limit);
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), element)?.collect()
}

fn element(row: &Row<'_>) -> rusqlite::Result<CountedElement> {
    Ok(CountedElement {
        document: row.get("document")?,
        title: row.get("title")?,
        project: row.get("project")?,
        global_id: row.get("global_id")?,
        class: row.get("class")?,
        name: row.get("name")?,
        description: row.get("description")?,
        type_name: row.get("type")?,
        storey: row.get("storey")?,
        value: row.get("value")?,
        source: row.get("source")?,
        shown: row.get("shown")?,
    })
}

fn groups(c: &Connection, hits: &Where, query: &ElementQuery) -> rusqlite::Result<Vec<Group>> {
    if query.group.is_none() {
        return Ok(Vec::new());
    }
    let text = format!(
        "{} SELECT key, count(*) AS n, sum(value) AS sum FROM hit {} GROUP BY key ORDER BY n DESC, key LIMIT {}",
        hits.text,
        within(query),
        query.limit
    );
    c.prepare(&text)?.query_map(params_from_iter(&hits.values), group)?.collect()
}

/// A row of `key`, `n` and `sum`.
pub(super) fn group(row: &Row<'_>) -> rusqlite::Result<Group> {
    Ok(Group {
        key: row.get::<_, Option<String>>("key")?.unwrap_or_default(),
        count: sql::count(row, "n")?,
        sum: row.get("sum")?,
    })
}
