//! The forms in which a word is searched for, what each counts, and how rare the word is.

use ingest::Language;
use tantivy::query::{BooleanQuery, ConstScoreQuery, DisjunctionMaxQuery, Occur, Query};
use tantivy::schema::IndexRecordOption;
use tantivy::{Searcher, Term};

use super::super::IndexError;
use super::super::analysis::{Form, QueryTerm, compound};
use super::Lexical;
use super::search::{boost, idf, term, weight};
use super::vocabulary::Vocabulary;

/// The plain form is the word exactly as typed: a little better than a shared stem.
const PLAIN: f32 = 1.1;
/// A compound that holds the word, or a part of a compound: below the word itself, above nothing.
const COMPOUND: f32 = 0.3;
/// A part of a queried compound as a part of another compound, against the same part as a word.
const INNER: f32 = 0.8;
/// The same term of building in other words or another language: below a compound with the word itself.
const OTHER_FORM: f32 = 0.25;
/// Words of the title and the section headings; they hold for every passage below them.
const HEADING: f32 = 0.5;
/// Share of a word's rarity that counts once it is found at all.
const COVERAGE: f32 = 0.5;
impl Lexical {
    /// One word: the best of its forms, a fixed share for being there, and headings.
    pub(super) fn term_group(
        &self,
        searcher: &Searcher,
        t: &QueryTerm,
        rarity: f32,
        words: &Vocabulary,
    ) -> tantivy::Result<Box<dyn Query>> {
        let forms = || {
            let stems =
                self.fields.body.iter().zip(&t.stems).map(|(f, s)| term(*f, s, IndexRecordOption::WithFreqs));
            stems.chain([boost(term(self.fields.plain, &t.plain, IndexRecordOption::WithFreqs), PLAIN)])
        };
        let mut best: Vec<Box<dyn Query>> = forms().collect();
        best.extend(self.compounds(t, words));
        // Where nobody writes the word itself, its other forms are all there is to find it by.
        let unused = !t.others.is_empty() && self.is_unused(searcher, t, words)?;
        let others = || {
            let share = if unused { 1.0 } else { OTHER_FORM };
            t.others.iter().flat_map(move |f| self.other_form(f, words, share))
        };
        best.extend(others());
        let present: Vec<Box<dyn Query>> = if unused { others().collect() } else { forms().collect() };
        let present = DisjunctionMaxQuery::new(present);
        let mut heading: Vec<Box<dyn Query>> =
            t.stems.iter().map(|s| term(self.fields.heading, s, IndexRecordOption::WithFreqs)).collect();
        heading.push(term(self.fields.heading, &t.plain, IndexRecordOption::WithFreqs));
        let group = BooleanQuery::new(vec![
            (Occur::Should, Box::new(DisjunctionMaxQuery::new(best)) as Box<dyn Query>),
            (Occur::Should, Box::new(ConstScoreQuery::new(Box::new(present), COVERAGE * rarity))),
            (Occur::Should, boost(Box::new(DisjunctionMaxQuery::new(heading)), HEADING)),
        ]);
        Ok(boost(Box::new(group), weight(t)))
    }

    /// Compounds that the word is a part of, and the parts that it is made of itself.
    fn compounds(&self, t: &QueryTerm, words: &Vocabulary) -> Vec<Box<dyn Query>> {
        let mut queries = self.inside_compounds(&t.plain, t.german(), words, COMPOUND);
        let parts = words.parts(&t.plain);
        if !parts.is_empty() {
            let share = COMPOUND * 2.0 / parts.len() as f32;
            let part = |forms: &Vec<compound::Form>| -> (Occur, Box<dyn Query>) {
                let forms = forms.iter().flat_map(|f| self.part_form(f, words, share)).collect();
                (Occur::Should, Box::new(DisjunctionMaxQuery::new(forms)))
            };
            queries.push(Box::new(BooleanQuery::new(parts.iter().map(part).collect())));
        }
        queries
    }

    /// A part of a queried compound: as a word, and in other compounds.
    fn part_form(&self, form: &compound::Form, words: &Vocabulary, share: f32) -> Vec<Box<dyn Query>> {
        let mut queries = self.inside_compounds(&form.plain, &form.stem, words, share * INNER);
        if let Some(field) = self.fields.body.first() {
            queries.push(boost(term(*field, &form.stem, IndexRecordOption::WithFreqs), share));
        }
        queries.push(boost(term(self.fields.plain, &form.plain, IndexRecordOption::WithFreqs), share));
        queries
    }

    /// A word as a part of compounds: of those that the list of words takes apart, which are indexed with their parts,
    /// and of those that only the words of this corpus do.
    fn inside_compounds(
        &self,
        plain: &str,
        stem: &str,
        words: &Vocabulary,
        share: f32,
    ) -> Vec<Box<dyn Query>> {
        let with = |field, word: &str| boost(term(field, word, IndexRecordOption::WithFreqs), share);
        let own = self.own_compounds(plain, stem, words);
        let own = own.iter().map(|w| with(self.fields.plain, w));
        std::iter::once(with(self.fields.part, stem)).chain(own).collect()
    }

    /// Compounds with a word that the list of words alone does not take apart.
    fn own_compounds(&self, plain: &str, stem: &str, words: &Vocabulary) -> Vec<String> {
        let mut found = words.compounds_with(plain, stem).to_vec();
        found.retain(|w| !self.compounds.stems(w).iter().any(|s| s == stem));
        found
    }

    /// Another way of saying a word, which counts `share` of the word itself: all words of a phrase; a single word also inside compounds.
    fn other_form(&self, form: &Form, words: &Vocabulary, share: f32) -> Vec<Box<dyn Query>> {
        let field = Language::ALL.iter().position(|l| *l == form.language);
        let Some(field) = field.and_then(|i| self.fields.body.get(i)) else { return Vec::new() };
        let one = |(plain, stem): &(String, String)| -> Box<dyn Query> {
            let forms = vec![
                term(*field, stem, IndexRecordOption::WithFreqs),
                term(self.fields.plain, plain, IndexRecordOption::WithFreqs),
                boost(term(self.fields.heading, stem, IndexRecordOption::WithFreqs), HEADING),
            ];
            Box::new(DisjunctionMaxQuery::new(forms))
        };
        match form.words.as_slice() {
            [only] => {
                let german = form.language == Language::De;
                let weak = if german {
                    self.inside_compounds(&only.0, &only.1, words, COMPOUND)
                } else {
                    Vec::new()
                };
                std::iter::once(boost(one(only), share)).chain(weak).collect()
            }
            phrase => {
                let all = phrase.iter().map(|w| (Occur::Must, one(w))).collect();
                vec![boost(Box::new(BooleanQuery::new(all)), share / phrase.len() as f32)]
            }
        }
    }

    /// Whether any chunk has the word, a compound with it, or the same in other words.
    pub(super) fn is_known(
        &self,
        searcher: &Searcher,
        t: &QueryTerm,
        words: &Vocabulary,
    ) -> tantivy::Result<bool> {
        if !self.is_unused(searcher, t, words)? {
            return Ok(true);
        }
        for form in &t.others {
            let mut all = !form.words.is_empty();
            for (plain, stem) in &form.words {
                let stems =
                    Language::ALL.map(|l| if l == form.language { stem.clone() } else { plain.clone() });
                let somewhere = self.chunks_with(searcher, plain, &stems)? > 0
                    || form.language == Language::De && self.is_part(searcher, plain, stem, words)?;
                all = all && somewhere;
            }
            if all {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// Whether no chunk has the word itself, alone or in a compound.
    fn is_unused(&self, searcher: &Searcher, t: &QueryTerm, words: &Vocabulary) -> tantivy::Result<bool> {
        Ok(!self.is_part(searcher, &t.plain, t.german(), words)?
            && self.chunks_with(searcher, &t.plain, &t.stems)? == 0)
    }

    /// Whether any chunk has a compound with the word.
    fn is_part(
        &self,
        searcher: &Searcher,
        plain: &str,
        stem: &str,
        words: &Vocabulary,
    ) -> tantivy::Result<bool> {
        let indexed = searcher.doc_freq(&Term::from_field_text(self.fields.part, stem))? > 0;
        Ok(indexed || !words.compounds_with(plain, stem).is_empty())
    }

    /// What the passages call the terms of a query that none of them uses: for each, its first other form that is used.
    pub(in super::super) fn called(&self, terms: &[QueryTerm]) -> Result<Vec<String>, IndexError> {
        let words = self.words(&self.searcher())?;
        self.names_of(terms, &words).map_err(|e| self.fail(e))
    }

    fn names_of(&self, terms: &[QueryTerm], words: &Vocabulary) -> tantivy::Result<Vec<String>> {
        let searcher = self.searcher();
        let mut names = Vec::new();
        for t in terms.iter().filter(|t| !t.others.is_empty()) {
            if !self.is_unused(&searcher, t, words)? {
                continue;
            }
            for form in &t.others {
                let mut used = !form.words.is_empty();
                for (plain, stem) in &form.words {
                    let stems = Language::ALL.map(|l| if l == form.language { stem } else { plain }.clone());
                    used = used && self.chunks_with(&searcher, plain, &stems)? > 0;
                }
                if used {
                    names.push(
                        form.words.iter().map(|(plain, _)| plain.as_str()).collect::<Vec<_>>().join(" "),
                    );
                    break;
                }
            }
        }
        Ok(names)
    }

    /// In how many chunks a word stands, by the field that knows it best.
    fn chunks_with(&self, searcher: &Searcher, plain: &str, stems: &[String; 4]) -> tantivy::Result<u64> {
        let mut most = searcher.doc_freq(&Term::from_field_text(self.fields.plain, plain))?;
        for (field, stem) in self.fields.body.iter().zip(stems) {
            most = most.max(searcher.doc_freq(&Term::from_field_text(*field, stem))?);
        }
        Ok(most)
    }

    /// Inverse document frequency of a term, by the field that knows it best.
    pub(super) fn rarity(&self, searcher: &Searcher, t: &QueryTerm) -> tantivy::Result<f32> {
        let mut most = self.chunks_with(searcher, &t.plain, &t.stems)?;
        for form in &t.others {
            if let [(plain, stem)] = form.words.as_slice() {
                let stems =
                    Language::ALL.map(|l| if l == form.language { stem.clone() } else { plain.clone() });
                most = most.max(self.chunks_with(searcher, plain, &stems)?);
            }
        }
        Ok(idf(searcher.num_docs(), most))
    }
}
