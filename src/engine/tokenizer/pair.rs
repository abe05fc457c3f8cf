//! The tokens of a query together with a passage, for models that judge both.

use std::borrow::Cow;

use super::{Model, Segment, Tokenizer};

/// Tokens of a pair.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) struct Pair {
    pub(in crate::engine) tokens: Vec<u32>,
    /// Where the second text begins.
    pub(in crate::engine) second: usize,
}

/// A prompt with places for a query and a document.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::engine) struct Prompt {
    parts: Vec<Part>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Part {
    Text(String),
    Query,
    Document,
}

impl Prompt {
    /// Reads a text with one `{query}` and one `{document}`; `None` where either is missing or there twice.
    pub(in crate::engine) fn parse(text: &str) -> Option<Self> {
        let marks = [("{query}", Part::Query), ("{document}", Part::Document)];
        let mut parts = vec![Part::Text(text.to_owned())];
        for (mark, place) in marks {
            let cut = |part: &Part| match part {
                Part::Text(text) => text.split_once(mark).map(|(a, b)| (a.to_owned(), b.to_owned())),
                _ => None,
            };
            let (at, (before, after)) = parts.iter().enumerate().find_map(|(i, p)| Some((i, cut(p)?)))?;
            if after.contains(mark) {
                return None;
            }
            parts.splice(at..=at, [Part::Text(before), place, Part::Text(after)]);
        }
        Some(Self { parts })
    }

    fn segments<'t>(&'t self, query: &'t str, document: &'t str) -> Vec<Segment<'t>> {
        let segment = |part: &'t Part| {
            let (text, trusted) = match part {
                Part::Text(text) => (text.as_str(), true),
                Part::Query => (query, false),
                Part::Document => (document, false),
            };
            Segment { text: Cow::Borrowed(text), trusted }
        };
        self.parts.iter().map(segment).collect()
    }
}

impl Tokenizer {
    /// The tokens of a query and a passage with the model's marks around and between them. A passage that does not
    /// fit into `max` tokens is cut at its end.
    ///
    /// # Errors
    /// The number of tokens without any passage, where already those do not fit.
    pub(in crate::engine) fn encode_pair(
        &self,
        query: &str,
        passage: &str,
        max: usize,
    ) -> Result<Pair, usize> {
        let end = self.vocab.eos.or(self.vocab.sep);
        let mut tokens: Vec<u32> = self.vocab.bos.filter(|_| self.add_bos).into_iter().collect();
        tokens.extend(self.encode(query, false, false));
        tokens.extend(end.iter().chain(self.vocab.sep.or(end).iter().filter(|_| self.add_sep)));
        let second = tokens.len();
        let room = max.saturating_sub(second + usize::from(end.is_some()));
        if room == 0 {
            return Err(second + 1);
        }
        tokens.extend(self.encode(passage, false, false).into_iter().take(room));
        tokens.extend(end);
        Ok(Pair { tokens, second })
    }

    /// The tokens of a prompt with a query and a passage in their places, in which they never become control tokens. A
    /// passage that does not fit into `max` tokens is cut at its end.
    ///
    /// # Errors
    /// The number of tokens without any passage, where already those do not fit.
    pub(in crate::engine) fn encode_prompt(
        &self,
        prompt: &Prompt,
        query: &str,
        passage: &str,
        max: usize,
    ) -> Result<Pair, usize> {
        let mut passage = Cow::Borrowed(passage);
        loop {
            let segments: Vec<Segment<'_>> = prompt.segments(query, &passage);
            let tokens = self.encode_chat(&segments);
            if tokens.len() <= max {
                return Ok(Pair { second: tokens.len(), tokens });
            }
            let own = self.encode(&passage, false, false);
            if own.is_empty() {
                return Err(tokens.len());
            }
            // What is left may join into other tokens than before: so it is counted again.
            let kept = own.len().saturating_sub(tokens.len() - max).min(own.len() - 1);
            let shorter = self.decode(own.get(..kept).unwrap_or_default());
            passage = Cow::Owned(if shorter.len() < passage.len() { shorter } else { String::new() });
        }
    }

    /// Whether two end marks stand between the texts of a pair where the file does not say, as RoBERTa's kin want it.
    pub(super) fn pairs_have_two_marks(model: &Model, pre: Option<&str>) -> bool {
        match model {
            Model::Unigram(_) => true,
            Model::Bpe(_) => pre == Some("roberta-bpe"),
            Model::Spm { .. } | Model::WordPiece(_) => false,
        }
    }
}
