//! Everything that the catalog has of a document, text by text.

use serde_json::Value;

use super::{Catalog, CatalogError, DocumentId};

/// What is looked through: the sort of place, and the columns of a generation's rows. JSON is opened.
const TABLES: [(&str, &str); 5] = [
    ("page", "SELECT text FROM pages WHERE generation = ?1 ORDER BY number"),
    ("element", "SELECT body FROM elements WHERE generation = ?1 ORDER BY ordinal"),
    ("spatial", "SELECT body FROM spatial WHERE generation = ?1 ORDER BY ordinal"),
    ("record", "SELECT body FROM records WHERE generation = ?1 ORDER BY ordinal"),
    (
        "fact",
        "SELECT json_array(subject, element, label, value, cell) FROM facts WHERE generation = ?1 ORDER BY ordinal",
    ),
];

/// Entries of no more texts (a person with a firm) are shown together as well.
const TOGETHER: usize = 6;

impl Catalog {
    /// Shows every text of a document's live version besides its passages: pages line by line, and what elements,
    /// records and facts say. No scope applies: for requests of a person.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn each_text(
        &self,
        id: DocumentId,
        see: &mut dyn FnMut(&'static str, &str),
    ) -> Result<(), CatalogError> {
        self.read(|c| {
            let live: Option<i64> =
                c.query_row("SELECT live FROM documents WHERE id = ?1", [id], |row| row.get(0))?;
            let Some(generation) = live else { return Ok(()) };
            for (place, query) in TABLES {
                let mut statement = c.prepare_cached(query)?;
                let mut rows = statement.query([generation])?;
                while let Some(row) = rows.next()? {
                    let text: String = row.get(0)?;
                    match serde_json::from_str::<Value>(&text) {
                        Ok(value) if place != "page" => each(&value, &mut |text| see(place, text)),
                        _ => see(place, &text),
                    }
                }
            }
            Ok(())
        })
    }
}

/// Shows every text of a value; texts of a list are shown together as well, since a name may reach over them.
fn each(value: &Value, see: &mut dyn FnMut(&str)) {
    match value {
        Value::String(text) => see(text),
        Value::Array(list) => {
            let texts: Vec<&str> = list.iter().filter_map(Value::as_str).collect();
            if texts.len() > 1 {
                see(&texts.join("\n"));
            } else {
                list.iter().for_each(|v| each(v, see));
            }
        }
        Value::Object(fields) => {
            let texts: Option<Vec<&str>> = fields.values().map(Value::as_str).collect();
            if let Some(texts) = texts.filter(|texts| texts.len() <= TOGETHER) {
                see(&texts.join("\n"));
            }
            fields.values().for_each(|v| each(v, see));
        }
        _ => {}
    }
}
