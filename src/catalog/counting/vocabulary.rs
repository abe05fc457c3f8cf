use rusqlite::params_from_iter;

use super::{ElementField, Where, of_class};
use crate::catalog::{Catalog, CatalogError, DocumentId, ProjectId, sql};
use crate::scope::Scope;

/// Different texts that are looked through for the words of a question, at most.
const MAX_TEXTS: usize = 50_000;

/// A storey of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct StoreyNode {
    /// Its model.
    pub document: DocumentId,
    /// GlobalId.
    pub global_id: String,
    /// Name.
    pub name: String,
    /// Long name or description.
    pub description: String,
    /// GlobalId of what it is part of: the building.
    pub parent: String,
}

/// A building of a model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BuildingNode {
    /// Its model.
    pub document: DocumentId,
    /// Title of the model.
    pub title: String,
    /// GlobalId.
    pub global_id: String,
    /// Name.
    pub name: String,
    /// Long name or description.
    pub description: String,
}

impl Catalog {
    /// The storeys of all models in the scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn storeys(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Vec<StoreyNode>, CatalogError> {
        let nodes = self.nodes(scope, project, "IfcBuildingStorey")?;
        let storey = |n: (BuildingNode, String)| StoreyNode {
            document: n.0.document,
            global_id: n.0.global_id,
            name: n.0.name,
            description: n.0.description,
            parent: n.1,
        };
        Ok(nodes.into_iter().map(storey).collect())
    }

    /// The buildings of all models in the scope.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn buildings(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Vec<BuildingNode>, CatalogError> {
        Ok(self.nodes(scope, project, "IfcBuilding")?.into_iter().map(|n| n.0).collect())
    }

    fn nodes(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        class: &str,
    ) -> Result<Vec<(BuildingNode, String)>, CatalogError> {
        let text = format!(
            "SELECT d.id, g.title, json_extract(s.body, '$.global_id') AS global_id,
                 json_extract(s.body, '$.name') AS name,
                 coalesce(json_extract(s.body, '$.description'), '') AS description,
                 json_extract(s.body, '$.parent') AS parent
             FROM spatial s JOIN documents d ON d.live = s.generation JOIN generations g ON g.id = d.live
             WHERE {} AND (?2 IS NULL OR d.project = ?2) AND json_extract(s.body, '$.class') = ?3
             ORDER BY d.id, s.ordinal",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&text)?
                .query_map(rusqlite::params![sql::scope(scope), project, class], |row| {
                    let node = BuildingNode {
                        document: row.get("id")?,
                        title: row.get("title")?,
                        global_id: row.get("global_id")?,
                        name: row.get("name")?,
                        description: row.get("description")?,
                    };
                    Ok((node, row.get("parent")?))
                })?
                .collect()
        })
    }

    /// The classes of elements that the models in the scope hold.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn element_classes(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
    ) -> Result<Vec<String>, CatalogError> {
        self.texts(scope, project, None, "e.class AS text", "")
    }

    /// The different texts that elements of these classes have in a field.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn element_texts(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        classes: &[String],
        field: &ElementField,
    ) -> Result<Vec<String>, CatalogError> {
        let stated = |path: &str| format!("json_extract(e.body, '{path}') AS text");
        let (text, from) = match field {
            ElementField::Type => ("e.type AS text".to_owned(), ""),
            ElementField::Name => ("e.name AS text".to_owned(), ""),
            ElementField::Description => (stated("$.description"), ""),
            ElementField::Tag => (stated("$.tag"), ""),
            ElementField::FireRating => (stated("$.compliance.FireRating.value"), ""),
            ElementField::AcousticRating => (stated("$.compliance.AcousticRating.value"), ""),
            ElementField::Material => ("x.value AS text".to_owned(), ", json_each(e.body, '$.materials') x"),
            ElementField::Classification => (
                "json_extract(x.value, '$.code') AS text".to_owned(),
                ", json_each(e.body, '$.classifications') x",
            ),
            ElementField::Property(name) => {
                return self.property_texts(scope, project, classes, Some(name));
            }
        };
        self.texts(scope, project, Some(classes), &text, from)
    }

    /// The names of all properties that elements of these classes have.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn element_properties(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        classes: &[String],
    ) -> Result<Vec<String>, CatalogError> {
        self.property_texts(scope, project, classes, None)
    }

    /// The values of a property, or the names of all.
    fn property_texts(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        classes: &[String],
        name: Option<&str>,
    ) -> Result<Vec<String>, CatalogError> {
        let from = ", json_each(e.body, '$.properties') s, json_each(s.value) x";
        if name.is_none() {
            return self.texts(scope, project, Some(classes), "x.key AS text", from);
        }
        let (mut w, name) = (Where::default(), name.unwrap_or_default().to_owned());
        start(&mut w, scope, project, Some(classes));
        let mark = w.value(name);
        w.and(&format!("x.key = {mark}"));
        self.distinct(&w, "json_extract(x.value, '$.value') AS text", from)
    }

    fn texts(
        &self,
        scope: &Scope,
        project: Option<ProjectId>,
        classes: Option<&[String]>,
        text: &str,
        from: &str,
    ) -> Result<Vec<String>, CatalogError> {
        let mut w = Where::default();
        start(&mut w, scope, project, classes);
        self.distinct(&w, text, from)
    }

    fn distinct(&self, w: &Where, text: &str, from: &str) -> Result<Vec<String>, CatalogError> {
        let query = format!(
            "SELECT DISTINCT text FROM (SELECT {text} FROM elements e JOIN documents d ON d.live = e.generation{from}
                 WHERE {}) WHERE text IS NOT NULL AND text <> '' ORDER BY text LIMIT {MAX_TEXTS}",
            w.text
        );
        self.read(|c| c.prepare(&query)?.query_map(params_from_iter(&w.values), |row| row.get(0))?.collect())
    }
}

fn start(w: &mut Where, scope: &Scope, project: Option<ProjectId>, classes: Option<&[String]>) {
    let mark = w.value(sql::scope(scope));
    w.and(&sql::IN_SCOPE.replace("?1", &mark));
    if let Some(project) = project {
        let mark = w.value(project.0);
        w.and(&format!("d.project = {mark}"));
    }
    if let Some(classes) = classes {
        of_class(w, classes);
    }
}
