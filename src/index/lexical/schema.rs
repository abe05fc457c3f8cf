//! The fields of the full-text index, and how a chunk becomes a document of it.

use ingest::Language;
use tantivy::TantivyDocument;
use tantivy::schema::{
    FAST, Field, INDEXED, IndexRecordOption, NumericOptions, Schema, TextFieldIndexing, TextOptions,
};
use tantivy::tokenizer::{PreTokenizedString, Token as IndexToken};

use super::super::IndexChunk;
use super::super::analysis::compound::Remembered;
use super::super::analysis::{Token, ident, measures, stem, strip_accents, tokenize};

/// Raised whenever passages become other terms than before.
const WORDS_VERSION: u32 = 2;
/// An identifier this near to the start of a passage is what the passage is about.
const HEAD_BYTES: usize = 64;

/// Handles of the fields.
#[derive(Debug, Clone, Copy)]
pub(super) struct Fields {
    pub id: Field,
    pub document: Field,
    pub acl: Field,
    pub project: Field,
    pub kind: Field,
    /// Stems per language, in the order of [`Language::ALL`].
    pub body: [Field; 4],
    /// Plain forms with positions.
    pub plain: Field,
    /// Stems of the parts of German compounds; no lengths, since most passages have few or none.
    pub part: Field,
    /// Plain forms and stems of title and section.
    pub heading: Field,
    /// Keys of identifiers; `^key` where it stands at the passage's start.
    pub ident: Field,
}

/// The schema and its fields. An index with another schema is not opened but built anew; so that this holds too where
/// only the words are made in another way, a field that stays empty names that way.
pub(super) fn schema() -> (Schema, Fields) {
    let mut b = Schema::builder();
    let number = || NumericOptions::default() | INDEXED | FAST;
    let text = |record: IndexRecordOption, norms: bool| {
        let indexing =
            TextFieldIndexing::default().set_tokenizer("raw").set_index_option(record).set_fieldnorms(norms);
        TextOptions::default().set_indexing_options(indexing)
    };
    let fields = Fields {
        id: b.add_i64_field("id", number()),
        document: b.add_i64_field("document", number()),
        acl: b.add_i64_field("acl", number()),
        project: b.add_i64_field("project", number()),
        kind: b.add_text_field("kind", text(IndexRecordOption::Basic, false)),
        body: Language::ALL.map(|l| {
            b.add_text_field(&format!("body_{}", l.as_str()), text(IndexRecordOption::WithFreqs, true))
        }),
        plain: b.add_text_field("plain", text(IndexRecordOption::WithFreqsAndPositions, true)),
        part: b.add_text_field("part", text(IndexRecordOption::WithFreqs, false)),
        heading: b.add_text_field("heading", text(IndexRecordOption::WithFreqs, false)),
        ident: b.add_text_field("ident", text(IndexRecordOption::Basic, false)),
    };
    b.add_u64_field(&format!("words_{WORDS_VERSION}"), FAST);
    (b.build(), fields)
}

/// The language whose stemmer a passage goes through: German where it is unknown, because codes,
/// tables and labels of a Swiss office are mostly German. The plain field serves the others.
pub(crate) fn stemming_language(language: Option<Language>) -> Language {
    language.unwrap_or(Language::De)
}

/// A chunk as the engine stores it.
pub(super) fn document(fields: &Fields, chunk: &IndexChunk, compounds: &Remembered) -> TantivyDocument {
    let mut d = TantivyDocument::default();
    d.add_i64(fields.id, chunk.id.0);
    d.add_i64(fields.document, chunk.document.0);
    d.add_i64(fields.acl, chunk.acl.0);
    d.add_i64(fields.project, chunk.project.0);
    d.add_text(fields.kind, chunk.kind.as_str());

    let language = stemming_language(chunk.language);
    let tokens = tokenize(&chunk.text);
    d.add_pre_tokenized_text(
        fields.plain,
        pre_tokenized(tokens.iter().map(|t| (t.position, t.plain.clone()))),
    );
    let stems = pre_tokenized(tokens.iter().map(|t| (t.position, stem(t, language))));
    if let Some(field) = Language::ALL.iter().position(|l| *l == language).and_then(|i| fields.body.get(i)) {
        d.add_pre_tokenized_text(*field, stems);
    }

    if language == Language::De {
        let parts = parts(&tokens, compounds);
        d.add_pre_tokenized_text(fields.part, pre_tokenized(parts.into_iter().map(|stem| (0, stem))));
    }

    let heading = format!("{}\n{}", chunk.title, chunk.section.join("\n"));
    d.add_pre_tokenized_text(fields.heading, pre_tokenized(heading_terms(&tokenize(&heading), language)));
    for key in ident_keys(chunk, &tokens) {
        d.add_text(fields.ident, key);
    }
    d
}

/// The stems of the parts of a text's compounds, once for each time they stand there.
fn parts(tokens: &[Token], compounds: &Remembered) -> Vec<String> {
    tokens.iter().flat_map(|t| compounds.stems(&strip_accents(&t.lower)).to_vec()).collect()
}

fn heading_terms(tokens: &[Token], language: Language) -> impl Iterator<Item = (usize, String)> {
    tokens.iter().flat_map(move |t| {
        let stem = stem(t, language);
        let second = (stem != t.plain).then_some((t.position, stem));
        std::iter::once((t.position, t.plain.clone())).chain(second)
    })
}

fn ident_keys(chunk: &IndexChunk, tokens: &[Token]) -> Vec<String> {
    let mut keys = Vec::new();
    let text = &chunk.text;
    for found in ident::identifiers(text).into_iter().chain(ident::room_numbers(text)) {
        for key in found.keys {
            if found.start < HEAD_BYTES {
                keys.push(format!("^{key}"));
            }
            keys.push(key);
        }
        keys.extend(found.within);
    }
    keys.extend(measures(text, tokens).into_iter().flat_map(|m| m.keys.into_iter().chain(m.within)));
    keys.sort_unstable();
    keys.dedup();
    keys
}

fn pre_tokenized(terms: impl Iterator<Item = (usize, String)>) -> PreTokenizedString {
    let tokens = terms
        .map(|(position, text)| IndexToken {
            offset_from: 0,
            offset_to: 0,
            position,
            text,
            position_length: 1,
        })
        .collect();
    PreTokenizedString { text: String::new(), tokens }
}
