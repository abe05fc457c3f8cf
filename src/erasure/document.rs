//! Taking what was erased out of a document that was read again.

use ingest::{Chunk, Document, Locator};
use serde_json::{Map, Value};

use super::{Names, Rules};

impl Rules {
    /// Takes names, records and elements that were erased out of a document and its passages. True where there were
    /// any.
    ///
    /// # Errors
    /// What is left makes no document: it must not be taken in.
    pub fn clean(
        &self,
        source: &str,
        path: &str,
        document: &mut Document,
        chunks: &mut Vec<Chunk>,
    ) -> Result<bool, serde_json::Error> {
        let items = self.drop_items(source, path, document, chunks);
        if self.names.is_empty() {
            return Ok(items);
        }
        let mut any = items;
        for chunk in chunks.iter_mut() {
            let texts = std::iter::once(&mut chunk.text).chain(&mut chunk.section);
            any = texts.fold(any, |any, text| take_out_of(&self.names, text) | any);
        }
        // Attachments are documents of their own, looked at one by one.
        let (attachments, rest) = (std::mem::take(&mut document.attachments), document.rest.take());
        let mut value = serde_json::to_value(&*document)?;
        if self.names.take_out(&mut value) {
            *document = serde_json::from_value(value)?;
            any = true;
        }
        (document.attachments, document.rest) = (attachments, rest);
        Ok(any)
    }

    fn drop_items(&self, source: &str, path: &str, document: &mut Document, chunks: &mut Vec<Chunk>) -> bool {
        if self.items.is_empty() {
            return false;
        }
        let before = document.records.len() + document.elements.len() + chunks.len();
        let keep = |item: &str| !self.covers_item(source, path, item);
        document.records.retain(|r| keep(&r.number));
        document.elements.retain(|e| keep(&e.global_id));
        chunks.retain(|c| match &c.locator {
            Locator::Rfi { record } => keep(record),
            Locator::Ifc { global_id } => keep(global_id),
            _ => true,
        });
        before != document.records.len() + document.elements.len() + chunks.len()
    }
}

/// True where there was something to take out.
fn take_out_of(names: &Names, text: &mut String) -> bool {
    names.without(text).map(|without| *text = without).is_some()
}

impl Names {
    /// Takes the names out of every text of a value; true where there were any.
    pub fn take_out(&self, value: &mut Value) -> bool {
        match value {
            Value::String(text) => self.without(text).map(|without| *text = without).is_some(),
            Value::Array(list) => {
                let texts: Option<Vec<&str>> = list.iter().map(text_of).collect();
                // Cells of a row, words of a page: a name may reach over several.
                let over = texts.filter(|t| t.len() > 1).and_then(|texts| self.without_over(&texts));
                let any = over.is_some();
                for (place, text) in list.iter_mut().zip(over.into_iter().flatten()) {
                    match place {
                        Value::Object(fields) => _ = fields.insert("text".to_owned(), Value::String(text)),
                        place => *place = Value::String(text),
                    }
                }
                list.iter_mut().fold(any, |any, v| self.take_out(v) | any)
            }
            Value::Object(fields) => {
                let any = self.take_out_of_person(fields);
                fields.values_mut().fold(any, |any, v| self.take_out(v) | any)
            }
            _ => false,
        }
    }

    /// Of an entry of few texts, such as a person with a firm, a name may reach over two: `Müller, Hans` in a column
    /// is read as name and firm.
    fn take_out_of_person(&self, fields: &mut Map<String, Value>) -> bool {
        let texts: Option<Vec<&str>> = fields.values().map(Value::as_str).collect();
        let texts = texts.filter(|texts| (2..=PERSON_FIELDS).contains(&texts.len()));
        let Some(over) = texts.and_then(|texts| self.without_over(&texts)) else { return false };
        fields.values_mut().zip(over).for_each(|(place, text)| *place = Value::String(text));
        true
    }
}

/// Most texts of an entry that is read as one.
const PERSON_FIELDS: usize = 6;

/// A text of a list, or what a word of a page says.
fn text_of(value: &Value) -> Option<&str> {
    match value {
        Value::String(text) => Some(text),
        Value::Object(fields) => fields.get("text")?.as_str(),
        _ => None,
    }
}
