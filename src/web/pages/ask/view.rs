use std::collections::BTreeSet;

use ingest::{Element, Locator};

use crate::{
    answer::{Answer, Citation, Mode, Passage, Row},
    app::made_by,
    catalog::DocumentId,
    web::{
        error::WebError,
        extract::Reader,
        format,
        frame::Frame,
        links,
        marks::{self, Piece},
        state::Web,
    },
};

/// An answer as it is shown.
#[derive(Debug, Default)]
pub(in crate::web) struct AnswerView {
    /// The question's identifier; empty where nothing can be done with the answer.
    pub(in crate::web) id: String,
    /// What made the text: `model`, `extractive`, `query` or `none`; also machine-readable in the page.
    pub(in crate::web) marking: &'static str,
    pub(in crate::web) notice: &'static str,
    pub(in crate::web) language: &'static str,
    pub(in crate::web) paragraphs: Vec<Vec<AnswerPiece>>,
    /// The question as it was read, where it was a follow-up.
    pub(in crate::web) standing: Option<String>,
    pub(in crate::web) understood: Vec<String>,
    pub(in crate::web) columns: Vec<String>,
    pub(in crate::web) rows: Vec<RowView>,
    pub(in crate::web) unverified: Vec<String>,
    pub(in crate::web) sources: Vec<SourceView>,
    pub(in crate::web) others: Vec<PassageView>,
    pub(in crate::web) by: String,
    pub(in crate::web) timing: String,
}

/// A row of a counted answer; without an address it opens nothing.
#[derive(Debug, Default)]
pub(in crate::web) struct RowView {
    pub(in crate::web) href: String,
    pub(in crate::web) cells: Vec<String>,
}

/// Text, or a citation.
#[derive(Debug, Default)]
pub(in crate::web) struct AnswerPiece {
    pub(in crate::web) text: String,
    pub(in crate::web) cite: Option<Cite>,
    /// The sentence before it is not verified.
    pub(in crate::web) doubt: bool,
}

#[derive(Debug)]
pub(in crate::web) struct Cite {
    pub(in crate::web) n: u32,
    pub(in crate::web) title: String,
    pub(in crate::web) verified: bool,
}

/// A cited source.
#[derive(Debug)]
pub(in crate::web) struct SourceView {
    pub(in crate::web) n: u32,
    pub(in crate::web) href: String,
    pub(in crate::web) title: String,
    pub(in crate::web) place: String,
    pub(in crate::web) quote: String,
    pub(in crate::web) verified: bool,
}

/// A passage that was found.
#[derive(Debug)]
pub(in crate::web) struct PassageView {
    pub(in crate::web) href: String,
    pub(in crate::web) title: String,
    pub(in crate::web) kind: &'static str,
    pub(in crate::web) kind_label: &'static str,
    pub(in crate::web) place: String,
    /// The part that fits the question.
    pub(in crate::web) text: Vec<Piece>,
}

impl AnswerView {
    /// What the page shows of an answer.
    pub(in crate::web) async fn of(
        web: &Web,
        reader: &Reader,
        f: &Frame,
        question: &str,
        answer: &Answer,
    ) -> Result<Self, WebError> {
        let t = f.t;
        let notice = match (answer.abstained, answer.mode) {
            (true, _) => t.notice_none,
            (false, Mode::Model) => t.notice_model,
            (false, Mode::Extractive) => t.notice_extractive,
            (false, Mode::Query) => t.notice_query,
        };
        let marking = made_by(answer);
        let places = places(web, reader, answer.citations.iter().map(|c| (c.document, &c.locator))).await?;
        let sources: Vec<SourceView> = answer
            .citations
            .iter()
            .zip(&places)
            .map(|(citation, element)| source(f, question, citation, element.as_ref()))
            .collect();
        let uncited: Vec<Passage> = answer
            .passages
            .iter()
            .filter(|p| !answer.citations.iter().any(|c| c.n == p.n))
            .cloned()
            .collect();
        let by = by(t, answer.model.as_deref(), !answer.unverified.is_empty(), &answer.device);
        let milliseconds = |ms: u64| format::whole(ms);
        let first = milliseconds(answer.first_token_ms.unwrap_or(answer.elapsed_ms));
        Ok(AnswerView {
            id: answer.id.clone(),
            marking,
            notice,
            language: answer.language.as_str(),
            paragraphs: paragraphs(&answer.answer, &sources),
            standing: answer.standing.clone(),
            understood: answer.understood.clone(),
            columns: answer.columns.clone(),
            rows: rows(&answer.rows),
            unverified: once_each(&left_out(answer)),
            sources,
            others: passages(web, reader, f, question, &uncited).await?,
            by,
            timing: t.two(t.answer_timing, first, milliseconds(answer.elapsed_ms)),
        })
    }
}

/// Who made the answer and on what. A model whose every sentence was withheld did work, too.
fn by(t: &crate::web::i18n::Texts, model: Option<&str>, withheld: bool, device: &str) -> String {
    match (model, withheld) {
        (Some(model), _) => t.two(t.answer_by, model, device),
        (None, true) => t.one(t.answer_model_withheld, device),
        (None, false) => t.one(t.answer_without_model, device),
    }
}

fn source(f: &Frame, question: &str, citation: &Citation, element: Option<&Element>) -> SourceView {
    SourceView {
        n: citation.n,
        href: links::place(citation.document, &citation.locator, Some(citation.chunk), question),
        title: citation.title.clone(),
        place: links::stretch(f.t, f.language, &citation.locator, citation.until.as_ref(), element),
        quote: citation.quote.clone(),
        verified: citation.verified,
    }
}

/// Passages as they are shown.
pub(in crate::web) async fn passages(
    web: &Web,
    reader: &Reader,
    f: &Frame,
    question: &str,
    passages: &[Passage],
) -> Result<Vec<PassageView>, WebError> {
    let places = places(web, reader, passages.iter().map(|p| (p.document, &p.locator))).await?;
    let view = |(p, element): (&Passage, &Option<Element>)| PassageView {
        href: links::place(p.document, &p.locator, Some(p.chunk), question),
        title: p.title.clone(),
        kind: p.kind.as_str(),
        kind_label: f.t.kind(p.kind),
        place: links::words(f.t, f.language, &p.locator, element.as_ref()),
        text: marks::pieces(&p.snippet.text, p.snippet.marks.iter().map(|&(start, end)| start..end)),
    };
    Ok(passages.iter().zip(&places).map(view).collect())
}

/// The places of an answer's citations in words, in their order.
pub(super) async fn place_words(
    web: &Web,
    reader: &Reader,
    f: &Frame,
    answer: &Answer,
) -> Result<Vec<String>, WebError> {
    let elements = places(web, reader, answer.citations.iter().map(|c| (c.document, &c.locator))).await?;
    let words = answer.citations.iter().zip(&elements);
    Ok(words.map(|(c, element)| links::words(f.t, f.language, &c.locator, element.as_ref())).collect())
}

/// The elements behind the places that are in models.
async fn places(
    web: &Web,
    reader: &Reader,
    places: impl Iterator<Item = (DocumentId, &Locator)>,
) -> Result<Vec<Option<Element>>, WebError> {
    let wanted: Vec<(DocumentId, Option<String>)> = places
        .map(|(document, locator)| match locator {
            Locator::Ifc { global_id } => (document, Some(global_id.clone())),
            _ => (document, None),
        })
        .collect();
    let scope = reader.scope.clone();
    web.blocking(move |app| {
        wanted
            .iter()
            .map(|(document, id)| match id {
                Some(id) => app.catalog.element(&scope, *document, id),
                None => Ok(None),
            })
            .collect()
    })
    .await
}

/// Sentences that were left out: all that no passage bears out but those that stand in their place, marked.
fn left_out(answer: &Answer) -> Vec<String> {
    let stands = |text: &String| answer.answer.contains(text.trim_end_matches(['.', '!']));
    answer.unverified.iter().filter(|t| !(answer.answer.contains("[?]") && stands(t))).cloned().collect()
}

/// A model that is stuck says the same thing again.
fn once_each(texts: &[String]) -> Vec<String> {
    let mut seen = BTreeSet::new();
    texts.iter().filter(|text| seen.insert(text.trim())).cloned().collect()
}

/// Rows with what they open.
pub(in crate::web) fn rows(rows: &[Row]) -> Vec<RowView> {
    let href = |row: &Row| match (row.document, &row.locator) {
        (Some(document), Some(locator)) => links::place(document, locator, None, ""),
        (Some(document), None) => links::address(&format!("/document/{document}"), &[]),
        _ => String::new(),
    };
    rows.iter().map(|row| RowView { href: href(row), cells: row.cells.clone() }).collect()
}

/// Cuts an answer into paragraphs, and these at citations like `[2]`. A number that cites nothing that
/// is listed stays text.
fn paragraphs(answer: &str, sources: &[SourceView]) -> Vec<Vec<AnswerPiece>> {
    answer.lines().map(str::trim).filter(|line| !line.is_empty()).map(|line| pieces(line, sources)).collect()
}

fn pieces(line: &str, sources: &[SourceView]) -> Vec<AnswerPiece> {
    let mut out: Vec<AnswerPiece> = Vec::new();
    let mut rest = line;
    let mut text = String::new();
    while let Some(open) = rest.find('[') {
        let (before, tail) = rest.split_at(open);
        text.push_str(before);
        let found = tail.find(']').and_then(|close| {
            let n: u32 = tail.get(1..close)?.parse().ok()?;
            sources.iter().find(|s| s.n == n).map(|source| (source, close + 1))
        });
        match found {
            Some((source, length)) => {
                let trimmed = text.trim_end().to_owned();
                text.clear();
                out.push(AnswerPiece { text: trimmed, ..AnswerPiece::default() });
                let title = format!("{}, {}", source.title, source.place);
                let cite = Cite { n: source.n, title, verified: source.verified };
                out.push(AnswerPiece { cite: Some(cite), ..AnswerPiece::default() });
                rest = tail.get(length..).unwrap_or_default();
            }
            None if tail.starts_with("[?]") => {
                out.push(AnswerPiece { text: text.trim_end().to_owned(), ..AnswerPiece::default() });
                out.push(AnswerPiece { doubt: true, ..AnswerPiece::default() });
                text.clear();
                rest = tail.get(3..).unwrap_or_default();
            }
            None => {
                text.push('[');
                rest = tail.get(1..).unwrap_or_default();
            }
        }
    }
    text.push_str(rest);
    out.push(AnswerPiece { text, ..AnswerPiece::default() });
    out.retain(|piece| piece.cite.is_some() || piece.doubt || !piece.text.is_empty());
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn source(n: u32) -> SourceView {
        SourceView {
            n,
            href: String::new(),
            title: "Energienachweis".into(),
            place: "Seite 3".into(),
            quote: String::new(),
            verified: n == 1,
        }
    }

    #[test]
    fn a_model_that_was_asked_in_vain_is_not_denied() {
        let t = crate::web::i18n::texts(ingest::Language::En);
        assert_eq!(by(t, Some("M"), true, "CPU"), t.two(t.answer_by, "M", "CPU"));
        assert_eq!(by(t, None, false, "CPU"), "Without a language model, on CPU");
        assert_eq!(by(t, None, true, "CPU"), "The language model’s own text was left out; computed on CPU");
    }

    #[test]
    fn citations_are_cut_out_and_unknown_numbers_stay_text() {
        let sources = [source(1), source(2)];
        let found = paragraphs("Der U-Wert ist 0.17 [1][2].\n\nSiehe [9] und [x.", &sources);
        let show = |p: &AnswerPiece| match &p.cite {
            Some(cite) => format!("<{}{}>", cite.n, if cite.verified { "" } else { "?" }),
            None => p.text.clone(),
        };
        let lines: Vec<Vec<String>> = found.iter().map(|line| line.iter().map(show).collect()).collect();
        assert_eq!(lines, [vec!["Der U-Wert ist 0.17", "<1>", "<2?>", "."], vec!["Siehe [9] und [x."]]);
    }
}
