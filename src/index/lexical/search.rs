//! From a query's terms to scored chunk ids.
//!
//! Every word is a group of its own: the best of its stem in each language and its plain form,
//! compounds below. Groups add up, so a passage with more of the words stands higher; a fixed share
//! per word found makes that stronger than one word often. Rights are part of the query.

use ingest::Kind;
use tantivy::collector::{Count, TopDocs};
use tantivy::query::{
    AllQuery, BooleanQuery, BoostQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, PhraseQuery, Query,
    RegexQuery, TermQuery, TermSetQuery,
};
use tantivy::schema::{Field, IndexRecordOption};
use tantivy::{DocAddress, Searcher, Term};

use super::super::IndexError;
use super::super::analysis::ident::Identifier;
use super::super::analysis::{Analysed, QueryTerm, names_unit};
use super::super::strict::{Wildcard, expression};
use super::Lexical;
use super::vocabulary::Vocabulary;

/// What an identifier weighs against a word of the same rarity in free questions.
const IDENTIFIER: f32 = 2.0;

/// What a date or quantity weighs against a word of the same rarity: things of one size are many.
const MEASURE: f32 = 1.0;
/// Weight of a word inside a date or quantity, which is searched for as a whole: how it is written says little.
const INSIDE_MEASURE: f32 = 0.3;

/// A word that at most so many chunks have, or one in a hundred, is rare.
const FEW_CHUNKS: u64 = 2;
/// A query is about a rare word that is worth this share of the whole query.
const RARE_SHARE: f32 = 0.45;

/// What may be found at all.
#[derive(Debug, Clone, Default)]
pub(in super::super) struct Filter {
    /// Access lists of the reader; empty finds nothing.
    pub acls: Vec<i64>,
    /// Only this sort of source.
    pub kind: Option<Kind>,
    /// Only this project.
    pub project: Option<i64>,
}

/// Chunks found by their words.
#[derive(Debug, Default)]
pub(crate) struct LexicalFound {
    /// Ids with scores, best first.
    pub hits: Vec<(i64, f32)>,
    /// Chunks that hold identifiers of the query, with how much of them; best first.
    pub identified: Vec<(i64, f32)>,
    /// How many chunks match, whatever the limit.
    pub total: usize,
    /// What a chunk with every word and identifier of the query scores, about.
    pub full: f32,
    /// Chunks with the one rare word that the query is about, where it is about one.
    pub rare: Vec<i64>,
    /// For each term of the query how rare it is, in the order of the terms.
    pub rarity: Vec<f32>,
    /// For each term of the query whether the index knows it, be it in a compound or in other words.
    pub known: Vec<bool>,
    /// For each identifier of the query how many chunks of the whole index hold it, by the fullest
    /// of its keys that occurs at all.
    pub identifier_chunks: Vec<u64>,
}

impl Lexical {
    /// The best `limit` chunks for a query.
    pub(in super::super) fn search(
        &self,
        query: &Analysed,
        filter: &Filter,
        limit: usize,
    ) -> Result<LexicalFound, IndexError> {
        let searcher = self.searcher();
        let rarity = query
            .terms
            .iter()
            .map(|t| self.rarity(&searcher, t))
            .collect::<Result<Vec<f32>, _>>()
            .map_err(|e| self.fail(e))?;
        let chunks = |of| self.identifier_chunks(&searcher, of).map_err(|e| self.fail(e));
        let (identifier_chunks, measure_chunks) = (chunks(&query.identifiers)?, chunks(&query.measures)?);
        let worth = |units: bool| -> f32 {
            let terms = query.terms.iter().zip(&rarity);
            terms.filter(|(t, _)| units || !names_unit(&t.plain)).map(|(t, r)| weight(t) * r).sum()
        };
        // No passage is blamed for writing m² where the question says square metres.
        let words = if worth(false) > 0.0 { worth(false) } else { worth(true) };
        let worth_of = |chunks: &[u64], each: f32| -> f32 {
            chunks.iter().map(|n| each * idf(searcher.num_docs(), *n)).sum()
        };
        let full = words + worth_of(&identifier_chunks, IDENTIFIER) + worth_of(&measure_chunks, MEASURE);
        let mut found = LexicalFound { rarity, identifier_chunks, full, ..LexicalFound::default() };
        if filter.acls.is_empty() || limit == 0 || searcher.num_docs() == 0 {
            return Ok(found);
        }
        let words = self.words(&searcher)?;
        found.known = query
            .terms
            .iter()
            .map(|t| self.is_known(&searcher, t, &words))
            .collect::<Result<_, _>>()
            .map_err(|e| self.fail(e))?;
        let main = self.main_query(&searcher, query, &found, &measure_chunks, &words);
        let main = main.map_err(|e| self.fail(e))?;
        if let Some(main) = main {
            let (hits, total) = self.top(&searcher, self.filtered(main, filter), limit)?;
            found.hits = hits;
            found.total = total;
        }
        if let Some(rare) = self.rare_query(&searcher, query, &found) {
            let (hits, _) = self.top(&searcher, self.filtered(rare, filter), limit)?;
            found.rare = hits.into_iter().map(|(id, _)| id).collect();
        }
        if let Some(identified) = self.identifier_query(query) {
            (found.identified, _) = self.top(&searcher, self.filtered(identified, filter), limit)?;
        }
        Ok(found)
    }

    fn top(
        &self,
        searcher: &Searcher,
        query: Box<dyn Query>,
        limit: usize,
    ) -> Result<(Vec<(i64, f32)>, usize), IndexError> {
        let collectors = (TopDocs::with_limit(limit).order_by_score(), Count);
        let (top, total) = searcher.search(query.as_ref(), &collectors).map_err(|e| self.fail(e))?;
        let mut hits = Vec::with_capacity(top.len());
        for (score, at) in top {
            if let Some(id) = id_of(searcher, at).map_err(|e| self.fail(e))? {
                hits.push((id, score));
            }
        }
        // Equal scores in a fixed order, whatever the segments.
        hits.sort_by(|a, b| b.1.total_cmp(&a.1).then(a.0.cmp(&b.0)));
        Ok((hits, total))
    }

    /// The scope and the filters as conditions that score nothing.
    fn filtered(&self, query: Box<dyn Query>, filter: &Filter) -> Box<dyn Query> {
        let acls = TermSetQuery::new(filter.acls.iter().map(|a| Term::from_field_i64(self.fields.acl, *a)));
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = vec![(Occur::Must, query), must(Box::new(acls))];
        if let Some(kind) = filter.kind {
            clauses.push(must(term(self.fields.kind, kind.as_str(), IndexRecordOption::Basic)));
        }
        if let Some(project) = filter.project {
            let project = Term::from_field_i64(self.fields.project, project);
            clauses.push(must(Box::new(TermQuery::new(project, IndexRecordOption::Basic))));
        }
        Box::new(BooleanQuery::new(clauses))
    }

    /// Words, identifiers and phrases together; `None` for a query without any.
    fn main_query(
        &self,
        searcher: &Searcher,
        query: &Analysed,
        found: &LexicalFound,
        measure_chunks: &[u64],
        words: &Vocabulary,
    ) -> tantivy::Result<Option<Box<dyn Query>>> {
        let mut clauses: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        for (term, rarity) in query.terms.iter().zip(&found.rarity) {
            clauses.push((Occur::Should, self.term_group(searcher, term, *rarity, words)?));
        }
        let named = query.identifiers.iter().zip(&found.identifier_chunks).map(|of| (of, IDENTIFIER));
        let measured = query.measures.iter().zip(measure_chunks).map(|of| (of, MEASURE));
        for ((identifier, chunks), each) in named.chain(measured) {
            let rarity = idf(searcher.num_docs(), *chunks);
            for key in &identifier.keys {
                let found = term(self.fields.ident, key, IndexRecordOption::Basic);
                let score = each * rarity / identifier.keys.len() as f32;
                clauses.push((Occur::Should, Box::new(ConstScoreQuery::new(found, score))));
            }
        }
        let any_word = !clauses.is_empty();
        if any_word {
            let words: Box<dyn Query> = Box::new(BooleanQuery::new(clauses));
            let demands = query.phrases.len() + query.wildcards.len();
            clauses = vec![(if demands == 0 { Occur::Must } else { Occur::Should }, words)];
        }
        for phrase in &query.phrases {
            clauses.push((Occur::Must, self.phrase(phrase)));
        }
        for wildcard in &query.wildcards {
            clauses.push((Occur::Must, self.wildcard(wildcard)?));
        }
        for term in &query.headings {
            clauses.push((Occur::Must, self.in_heading(term)));
        }
        if query.everything {
            clauses.push((Occur::Must, Box::new(AllQuery)));
        }
        Ok((!clauses.is_empty()).then(|| Box::new(BooleanQuery::new(clauses)) as Box<dyn Query>))
    }

    fn phrase(&self, words: &[(usize, String)]) -> Box<dyn Query> {
        let terms: Vec<(usize, Term)> =
            words.iter().map(|(at, w)| (*at, Term::from_field_text(self.fields.plain, w))).collect();
        match terms.as_slice() {
            [(_, only)] => Box::new(TermQuery::new(only.clone(), IndexRecordOption::WithFreqs)),
            // Words at one place (a hyphenated word and its first part) make no phrase; the parts do.
            _ => {
                let mut places: Vec<(usize, Term)> = Vec::new();
                for (at, term) in terms {
                    match places.last_mut() {
                        Some(last) if last.0 == at => last.1 = term,
                        _ => places.push((at, term)),
                    }
                }
                match places.as_slice() {
                    [(_, only)] => Box::new(TermQuery::new(only.clone(), IndexRecordOption::WithFreqs)),
                    _ => Box::new(PhraseQuery::new_with_offset(places)),
                }
            }
        }
    }

    /// Words and identifiers that fit; each counts the same.
    fn wildcard(&self, wildcard: &Wildcard) -> tantivy::Result<Box<dyn Query>> {
        let word = RegexQuery::from_pattern(&expression(&wildcard.word), self.fields.plain)?;
        let key = RegexQuery::from_pattern(&expression(&wildcard.key), self.fields.ident)?;
        Ok(Box::new(DisjunctionMaxQuery::new(vec![Box::new(word), Box::new(key)])))
    }

    fn in_heading(&self, t: &QueryTerm) -> Box<dyn Query> {
        let words = t.stems.iter().chain([&t.plain]);
        let forms = words.map(|w| term(self.fields.heading, w, IndexRecordOption::WithFreqs));
        Box::new(DisjunctionMaxQuery::new(forms.collect()))
    }

    /// The rare word that a query is about: one that few chunks have, and that is worth nearly as much as all the others.
    fn rare_query(
        &self,
        searcher: &Searcher,
        query: &Analysed,
        found: &LexicalFound,
    ) -> Option<Box<dyn Query>> {
        let few = idf(searcher.num_docs(), FEW_CHUNKS.max(searcher.num_docs() / 100));
        let worth = |(t, rarity): &(&QueryTerm, &f32)| weight(t) * **rarity;
        let (rarest, rarity) =
            query.terms.iter().zip(&found.rarity).max_by(|a, b| worth(a).total_cmp(&worth(b)))?;
        let alone = weight(rarest) * rarity >= RARE_SHARE * found.full;
        if !alone || *rarity < few || weight(rarest) < 1.0 {
            return None;
        }
        let stems = self.fields.body.iter().zip(&rarest.stems).map(|(f, s)| (*f, s));
        let forms = stems.chain([(self.fields.plain, &rarest.plain)]);
        let forms = forms.map(|(f, word)| term(f, word, IndexRecordOption::Basic)).collect();
        Some(Box::new(ConstScoreQuery::new(Box::new(DisjunctionMaxQuery::new(forms)), 1.0)))
    }

    fn identifier_query(&self, query: &Analysed) -> Option<Box<dyn Query>> {
        let mut groups: Vec<(Occur, Box<dyn Query>)> = Vec::new();
        // In a query of words, a size or a day is one of them.
        let measures: &[Identifier] = if query.only_identifiers { &query.measures } else { &[] };
        for identifier in query.identifiers.iter().chain(measures) {
            let mut forms: Vec<Box<dyn Query>> = Vec::new();
            for (i, key) in identifier.keys.iter().enumerate() {
                // The full key counts 1, a shorter one (norm without year) half; at the passage's
                // start a quarter more, since the passage is then about it.
                let worth = if i == 0 { 1.0 } else { 0.5 };
                for (key, worth) in [(key.clone(), worth), (format!("^{key}"), worth * 1.25)] {
                    let found = term(self.fields.ident, &key, IndexRecordOption::Basic);
                    forms.push(Box::new(ConstScoreQuery::new(found, worth)));
                }
            }
            groups.push((Occur::Should, Box::new(DisjunctionMaxQuery::new(forms))));
        }
        (!groups.is_empty()).then(|| Box::new(BooleanQuery::new(groups)) as Box<dyn Query>)
    }

    fn identifier_chunks(&self, searcher: &Searcher, of: &[Identifier]) -> tantivy::Result<Vec<u64>> {
        let count = |key: &String| searcher.doc_freq(&Term::from_field_text(self.fields.ident, key));
        let mut all = Vec::with_capacity(of.len());
        for identifier in of {
            let mut chunks = 0;
            for key in &identifier.keys {
                if chunks == 0 {
                    chunks = count(key)?;
                }
            }
            all.push(chunks);
        }
        Ok(all)
    }
}

/// What a word of a query weighs in the search.
pub(super) fn weight(term: &QueryTerm) -> f32 {
    if term.measured { term.weight * INSIDE_MEASURE } else { term.weight }
}

/// Rarity of a term that `having` of `all` chunks hold (the BM25 form, never negative).
pub(super) fn idf(all: u64, having: u64) -> f32 {
    let (all, having) = (all.max(having) as f32, having as f32);
    (1.0 + (all - having + 0.5) / (having + 0.5)).ln()
}

pub(super) fn term(field: Field, text: &str, record: IndexRecordOption) -> Box<dyn Query> {
    Box::new(TermQuery::new(Term::from_field_text(field, text), record))
}

pub(super) fn boost(query: Box<dyn Query>, by: f32) -> Box<dyn Query> {
    Box::new(BoostQuery::new(query, by))
}

fn must(query: Box<dyn Query>) -> (Occur, Box<dyn Query>) {
    (Occur::Must, Box::new(ConstScoreQuery::new(query, 0.0)))
}

fn id_of(searcher: &Searcher, at: DocAddress) -> tantivy::Result<Option<i64>> {
    let segment = searcher.segment_reader(at.segment_ord);
    Ok(segment.fast_fields().i64("id")?.first(at.doc_id))
}
