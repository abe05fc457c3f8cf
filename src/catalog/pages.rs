use ingest::Page;
use rusqlite::{OptionalExtension, Transaction, params};

use super::{Catalog, CatalogError, DocumentId, sql, words};
use crate::scope::Scope;

impl Catalog {
    /// A page (from 1) of a document that the scope allows.
    ///
    /// # Errors
    /// The catalog cannot be read.
    pub fn page(&self, scope: &Scope, id: DocumentId, number: u32) -> Result<Option<Page>, CatalogError> {
        let query = format!(
            "SELECT g.number, g.width_pt, g.height_pt, g.text, g.words, g.tables, g.ocr_confidence
             FROM documents d JOIN pages g ON g.generation = d.live
             WHERE {} AND d.id = ?2 AND g.number = ?3",
            sql::IN_SCOPE
        );
        self.read(|c| {
            c.prepare_cached(&query)?
                .query_row(params![sql::scope(scope), id, number], |row| {
                    let packed: Vec<u8> = row.get("words")?;
                    Ok(Page {
                        number: sql::count32(row, "number")?,
                        width_pt: row.get("width_pt")?,
                        height_pt: row.get("height_pt")?,
                        text: row.get("text")?,
                        words: words::unpack(&packed).map_err(|e| sql::unreadable(row, "words", e))?,
                        tables: sql::from_json(row, "tables")?,
                        ocr_confidence: row.get("ocr_confidence")?,
                        // What serves the cutting into chunks only is not kept.
                        ..Page::default()
                    })
                })
                .optional()
        })
    }
}

pub(super) fn insert(t: &Transaction<'_>, generation: i64, pages: &[Page]) -> rusqlite::Result<()> {
    let mut insert = t.prepare_cached(
        "INSERT OR REPLACE INTO pages (generation, number, width_pt, height_pt, text, words, tables, ocr_confidence)
         VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8)",
    )?;
    for page in pages {
        insert.execute(params![
            generation,
            page.number,
            page.width_pt,
            page.height_pt,
            page.text,
            words::pack(&page.words),
            sql::json(&page.tables)?,
            page.ocr_confidence,
        ])?;
    }
    Ok(())
}
