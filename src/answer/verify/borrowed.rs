//! Whether a claim takes over a word of its source's neighbours: a subject that another sentence of the passage names.

use super::{Claim, Evidence, Source};
use crate::answer::clauses::{names_others, same};
use crate::index::{Figure, QueryTerm, Token, figures, ident};

/// Letters that two words have in common to be of one stem.
const STEM: usize = 5;
/// Words that another sentence must share, for one of its words to be taken over.
const COMPANY: usize = 2;

impl Evidence {
    /// Whether a word of a claim stands in a text, in another form or as part of a compound.
    fn says_word(&self, word: &QueryTerm, token: &Token) -> bool {
        let common = word.plain.chars().zip(token.plain.chars()).take_while(|(a, b)| a == b).count();
        let inside = |a: &str, b: &str| a.chars().count() >= STEM && b.contains(a);
        word.matches(token, self.language)
            || common >= STEM
            || inside(&word.plain, &token.plain)
            || inside(&token.plain, &word.plain)
    }

    /// Whether what a clause says beyond a sentence stands nowhere else in the passage, or in a sentence that the claim
    /// joins to it; a subject alone is not joined but swapped.
    pub(super) fn borrows_nothing(
        &self,
        claim: &Claim<'_>,
        keys: &[String],
        (s, lent): (&Source, Option<&Source>),
        whole: &Claim<'_>,
    ) -> bool {
        let here =
            || s.tokens.iter().chain(lent.into_iter().flat_map(|l| &l.tokens)).chain(&self.above.tokens);
        let missing = claim.words.iter().filter(|w| !here().any(|t| self.says_word(w, t)));
        missing.into_iter().all(|w| {
            let mut others = self
                .sources
                .iter()
                .filter(|o| !std::ptr::eq(*o, s) && o.tokens.iter().any(|t| w.matches(t, self.language)))
                .peekable();
            others.peek().is_none()
                || others.any(|o| {
                    let company =
                        whole.words.iter().filter(|x| o.tokens.iter().any(|t| self.says_word(x, t))).count();
                    let other_value = claim.figures.iter().any(|f| {
                        let alike = |g: &&Figure| !g.unit.is_empty() && g.unit == f.unit;
                        let values = figures(&o.text);
                        values.iter().any(|g| alike(&g)) && !values.iter().any(|g| same(f, g))
                    });
                    company >= COMPANY && !other_value && !names_others(keys, &all_keys(&o.text))
                })
        })
    }
}

/// Keys of the identifiers and room numbers of a text.
fn all_keys(text: &str) -> Vec<String> {
    ident::identifiers(text).into_iter().chain(ident::room_numbers(text)).flat_map(|i| i.keys).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_subject_of_another_sentence_is_not_taken_over_alone() {
        let minutes = "Le chauffagiste fournit le schéma hydraulique d'ici au 10 juin. Le sanitaire coordonne les percements.";
        let holds = |sentence: &str| Evidence::of(minutes, "", None).support(sentence).holds();
        assert!(holds("Le chauffagiste fournit le schéma hydraulique d'ici au 10 juin."));
        assert!(!holds("Le sanitaire fournit le schéma hydraulique d'ici au 10 juin."));
    }
}
