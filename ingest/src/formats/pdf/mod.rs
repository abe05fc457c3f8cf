//! PDF: pages with words, tables and headings.
//!
//! hayro interprets the pages and has the object model; bookmarks, comments, form fields and embedded files
//! are read from that. Layout is our own and sees the page through [`glyphs::PageGlyphs`] only.

mod actual;
mod annotations;
mod bidi;
pub(crate) mod bombs;
mod device;
mod embedded;
mod forms;
mod furniture;
pub(crate) mod glyphs;
mod headings;
mod info;
mod layout;
mod lines;
mod marked;
mod order;
mod outline;
mod prose;
mod rows;
pub(in crate::formats) mod scans;
mod strips;
mod structure;
mod tables;
#[cfg(test)]
pub(crate) mod tests;
#[cfg(test)]
mod text_tests;
mod unicode;
mod words;

use hayro_syntax::{DecryptionError, LoadPdfError, Pdf};

use crate::error::ReadError;
use crate::limits::Limits;
use crate::model::{Bookmark, Document, Kind, OCR_LANGUAGES, Page, Warning};
use crate::ocr::{self, Recogniser};
use crate::render;
use crate::text::label;
use device::HayroPages;
use glyphs::PageGlyphs;
use layout::LaidPage;
use scans::Scans;

/// Opens the file for reading or rendering.
///
/// # Errors
/// [`ReadError::Password`] where a password is needed, [`ReadError::Damaged`] where no page can be found.
pub(crate) fn open(bytes: &[u8]) -> Result<Pdf, ReadError> {
    Pdf::new(bytes.to_vec()).map_err(|error| match error {
        LoadPdfError::Decryption(DecryptionError::PasswordProtected) => ReadError::Password,
        LoadPdfError::Decryption(other) => {
            ReadError::Damaged { detail: format!("unknown encryption ({other:?})") }
        }
        LoadPdfError::Invalid => ReadError::Damaged { detail: "no readable PDF structure".into() },
    })
}

/// Reads a PDF.
pub(crate) fn read(
    bytes: &[u8],
    name: &str,
    limits: &Limits,
    recogniser: &mut dyn Recogniser,
) -> Result<Document, ReadError> {
    let pdf = open(bytes)?;
    let pages = HayroPages::new(&pdf, limits.max_expanded_bytes);
    let mut scans = Scans::new(limits, recogniser);
    let mut warnings = Vec::new();
    let mut laid = lay_out_all(&pdf, &pages, &mut scans, limits, &mut warnings);
    if laid.is_empty() {
        return Err(ReadError::Damaged { detail: "the file has no pages".into() });
    }
    let metadata = info::metadata(&pdf);
    let outline = outline::outline(&pdf, &mut warnings);
    let title = arrange(&mut laid, &outline, metadata.get("title").map(String::as_str), name);
    interactive(&pdf, &mut laid, limits, &mut warnings);
    laid.iter().for_each(|page| page_warnings(page, &mut warnings));
    let mut document = Document::new(Kind::Pdf, title);
    document.metadata = metadata;
    document.metadata.insert("pages".into(), pages.page_count().to_string());
    document.metadata.extend(scans.languages.map(|l| (OCR_LANGUAGES.to_owned(), l)));
    document.pages = laid.into_iter().map(|l| l.page).collect();
    document.outline = outline;
    document.attachments = embedded::files(&pdf, limits, &mut warnings);
    if !document.attachments.is_empty() {
        let names: Vec<&str> = document.attachments.iter().map(|a| a.name.as_str()).collect();
        document.metadata.insert("attachments".into(), names.join(", "));
    }
    document.warnings = warnings;
    Ok(document)
}

/// What pages say about each other, once all of them are laid out: page headers, headings, captions, tables
/// that go on over the page. Returns the document's title.
pub(in crate::formats) fn arrange(
    laid: &mut [LaidPage],
    outline: &[Bookmark],
    declared: Option<&str>,
    name: &str,
) -> String {
    let title = title(declared, laid, name);
    furniture::mark(laid);
    headings::mark(laid, outline, &title);
    laid.iter_mut().for_each(caption_tables);
    tables::breaks::join(laid);
    continue_captions(laid);
    title
}

/// Comments and form fields of every page. Pages may share them: together they are no longer than a document.
fn interactive(pdf: &Pdf, laid: &mut [LaidPage], limits: &Limits, warnings: &mut Vec<Warning>) {
    let mut forms = forms::Forms::default();
    let mut chars: u64 = 0;
    for LaidPage { page, .. } in laid {
        let index = page.number.saturating_sub(1) as usize;
        let Some(raw) = pdf.pages().get(index) else { continue };
        page.annotations = annotations::read(raw, page);
        page.fields = forms.read(raw);
        let comments = page.annotations.iter().map(|a| a.text.len() + a.marked.len() + a.author.len());
        let fields = page.fields.iter().map(|f| f.name.len() + f.label.len() + f.value.len());
        chars += comments.chain(fields).sum::<usize>() as u64;
        if chars > limits.max_text_chars {
            let number = page.number;
            let message =
                format!("comments and form fields after page {number} were left out: too much text");
            warnings.push(warning("text-limit", message, Some(number)));
            break;
        }
    }
}

fn lay_out_all(
    pdf: &Pdf,
    pages: &dyn PageGlyphs,
    scans: &mut Scans<'_>,
    limits: &Limits,
    warnings: &mut Vec<Warning>,
) -> Vec<LaidPage> {
    let mut laid: Vec<LaidPage> = Vec::new();
    let mut chars: u64 = 0;
    for index in 0..pages.page_count() {
        let number = u32::try_from(index + 1).unwrap_or(u32::MAX);
        if number > limits.max_pages {
            warnings.push(warning(
                "page-limit",
                format!("only the first {} of {} pages were read", limits.max_pages, pages.page_count()),
                None,
            ));
            break;
        }
        let Some(content) = pages.page(index) else { continue };
        let draw = || pdf.pages().get(index).map(|page| render::page_grey(page, ocr::PIXELS_PER_POINT));
        let page = scans.lay_out(content, number, draw, warnings);
        chars += page.page.text.chars().count() as u64;
        laid.push(page);
        if chars > limits.max_text_chars {
            warnings.push(warning(
                "text-limit",
                format!("reading stopped after page {number}: the file has more text than allowed"),
                Some(number),
            ));
            break;
        }
    }
    laid
}

fn warning(code: &str, message: String, page: Option<u32>) -> Warning {
    Warning { code: code.into(), message, page }
}

fn page_warnings(laid: &LaidPage, warnings: &mut Vec<Warning>) {
    let number = laid.page.number;
    if laid.too_large {
        let message = format!("page {number} expands beyond the limit and was not read");
        warnings.push(warning("page-too-large", message, Some(number)));
    }
    if laid.cut_off {
        let message = format!("page {number} has more characters than can be read; the rest was left out");
        warnings.push(warning("glyph-limit", message, Some(number)));
    }
}

/// Title from the file, else the largest text on the first page, else the file's name.
fn title(declared: Option<&str>, laid: &[LaidPage], name: &str) -> String {
    let stem = crate::formats::stem(name);
    if let Some(title) = declared.map(str::trim).filter(|t| is_title(t)) {
        return title.to_string();
    }
    let first = laid.first().map(|l| l.blocks.as_slice()).unwrap_or_default();
    let largest = first.iter().filter(|b| b.is_text && b.lines <= 3).max_by(|a, b| {
        // The upper one of two equally large blocks.
        a.size.total_cmp(&b.size).then(b.top.total_cmp(&a.top))
    });
    let typical = first.iter().map(|b| b.size).fold(f32::INFINITY, f32::min);
    match largest {
        Some(b) if b.size > 1.25 * typical && (4..=140).contains(&b.text.chars().count()) => b.text.clone(),
        _ => stem,
    }
}

/// Word processors leave their own file's name or a placeholder as title.
fn is_title(text: &str) -> bool {
    let lower = text.to_lowercase();
    let file = [".doc", ".docx", ".dwg", ".xls", ".xlsx", ".pdf", ".indd", ".tex", ".qxd", ".pln"];
    const PLACEHOLDERS: [&str; 8] =
        ["scan", "scanned document", "document", "dokument", "print", "title", "titel", "image"];
    text.chars().filter(|c| c.is_alphabetic()).count() >= 3
        && !PLACEHOLDERS.contains(&lower.as_str())
        && !lower.starts_with("microsoft ")
        && !lower.starts_with("untitled")
        && !lower.starts_with("unbenannt")
        && !file.iter().any(|end| lower.ends_with(end))
}

/// The block right above or below a table is its caption where it says so or is short.
fn caption_tables(laid: &mut LaidPage) {
    let LaidPage { page, blocks, .. } = laid;
    let Page { tables, .. } = page;
    for table in tables {
        let beside = |delta: i64| {
            let index = i64::from(table.block) + delta;
            blocks.iter().find(|b| i64::from(b.block) == index && b.is_text && b.lines <= 3)
        };
        let caption = [-1, 1].into_iter().filter_map(beside).find(|b| names_table(&b.text));
        if let Some(block) = caption {
            table.caption = label(&block.text);
        }
    }
}

/// A table that goes on over the page has its header again, but no caption of its own; or its caption
/// was left alone at the foot of the page before.
fn continue_captions(laid: &mut [LaidPage]) {
    let mut before: Option<(Vec<String>, String)> = None;
    let mut orphan: Option<String> = None;
    for LaidPage { page, blocks, .. } in laid {
        let last = page.tables.last().map(|t| t.block);
        for (index, table) in page.tables.iter_mut().enumerate() {
            let header = table.rows.first().cloned().unwrap_or_default();
            if index == 0 && table.caption.is_empty() && !table.continued {
                table.caption = match (orphan.take(), &before) {
                    (Some(caption), _) => caption,
                    (None, Some((same, caption))) if *same == header => caption.clone(),
                    _ => String::new(),
                };
            }
            before = Some((header, table.caption.clone()));
        }
        let alone = blocks.iter().filter(|b| last.is_none_or(|l| b.block > l + 1));
        orphan =
            alone.filter(|b| b.is_text && b.lines <= 3).map(|b| &b.text).rfind(|t| names_table(t)).cloned();
    }
}

/// `Tabelle 3: …`, `Tab. 4 …`, in four languages.
pub(crate) fn names_table(text: &str) -> bool {
    let lower = text.to_lowercase();
    let word = lower.split([' ', '\u{a0}']).next().unwrap_or("");
    ["tab.", "tabelle", "tableau", "table", "tabella"].contains(&word)
        && lower
            .get(word.len()..)
            .is_some_and(|rest| rest.trim_start().starts_with(|c: char| c.is_ascii_digit()))
}
