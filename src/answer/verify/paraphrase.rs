//! Whether a passage bears out a sentence that says it in other words.
//!
//! A sentence that copies its source but for a word is judged by that word, strictly. One that is worded freely has words
//! of its own; of it, every number, identifier and proper name must stand in the passage, those of one clause in one
//! sentence; a word that stands in another sentence of the passage must bring that sentence's other words along; and no
//! small word may turn what is said.

use super::cues::Cues;
use super::{Claim, Evidence, Source, begins_with_pronoun};
use crate::answer::clauses::{GERMAN_MONTHS, MONTHS, counts_alike, names_others, same, thousands};
use crate::answer::polarity::agrees;
use crate::answer::query::levels;
use crate::index::{Figure, QueryTerm, Token, figures, fold, guess, ident, number_word, tokenize};
use ingest::Language;

/// Share of a sentence's words that the passage must have, in any form or as part of a compound.
const MIN_SHARE: f32 = 0.4;
/// A sentence with fewer words of its own that the source lacks copies it.
const COPY: usize = 1;
/// Letters that two words have in common to be of one stem.
const STEM: usize = 5;
/// Words that another sentence must share, for one of its words to be taken over.
const COMPANY: usize = 2;

impl Evidence {
    /// Whether the passage says this in other words.
    pub(super) fn paraphrased(&self, sentence: &str) -> bool {
        let whole = Claim::of(sentence);
        let knows =
            |k: &String| self.above.keys.contains(k) || self.sources.iter().any(|s| s.keys.contains(k));
        let tokens = || self.sources.iter().flat_map(|s| &s.tokens).chain(&self.above.tokens);
        let told = whole.words.iter().filter(|w| tokens().any(|t| self.says_word(w, t))).count();
        let exact = !whole.figures.is_empty() || !whole.named.is_empty();
        let least = if exact { 1 } else { COMPANY + 1 };
        // What leads elsewhere is no wording of one's own.
        let leads = ["://", "](", "www.", "@", "<", ">"].iter().any(|mark| sentence.contains(mark));
        !leads
            && whole.words.len() >= least
            && !self.copies(&whole)
            && whole.named.iter().all(knows)
            && told as f32 >= MIN_SHARE * whole.words.len() as f32
            && self.knows_names(sentence)
            && parts(sentence).iter().all(|part| self.bears(part, &whole))
            && self.same_state(&whole)
    }

    /// Whether what is open or done is so in the sentence that the claim is about.
    fn same_state(&self, whole: &Claim<'_>) -> bool {
        let shared = |s: &&Source| {
            whole.words.iter().filter(|w| s.tokens.iter().any(|t| self.says_word(w, t))).count()
        };
        let about = self.sources.iter().max_by_key(shared);
        about.is_none_or(|s| Cues::of(whole.text).same_state(Cues::of(&s.text)))
    }

    /// Whether a word of a claim stands in a text, in another form or as part of a compound.
    fn says_word(&self, word: &QueryTerm, token: &Token) -> bool {
        let common = word.plain.chars().zip(token.plain.chars()).take_while(|(a, b)| a == b).count();
        let inside = |a: &str, b: &str| a.chars().count() >= STEM && b.contains(a);
        word.matches(token, self.language)
            || common >= STEM
            || inside(&word.plain, &token.plain)
            || inside(&token.plain, &word.plain)
    }

    /// Whether a sentence of the passage has nearly all words of the claim, and what it lacks is a name or noun.
    fn copies(&self, claim: &Claim<'_>) -> bool {
        self.sources.iter().any(|s| {
            let lacks = |w: &&QueryTerm| {
                !s.tokens.iter().chain(&self.above.tokens).any(|t| w.matches(t, self.language))
            };
            let missing: Vec<&QueryTerm> = claim.words.iter().filter(lacks).collect();
            let found = claim.words.len() - missing.len();
            let near = missing.len() <= COPY || found as f32 >= super::MIN_WORDS * claim.words.len() as f32;
            near && missing.iter().any(|w| claim.names.iter().any(|n| n.plain == w.plain))
        })
    }

    /// Proper names: outside of German every capitalised word that begins no sentence; in German one that stands directly
    /// behind another noun, as names of projects and firms do.
    fn knows_names(&self, sentence: &str) -> bool {
        let tokens = tokenize(sentence);
        let capital = |t: &Token| sentence.get(t.start..).is_some_and(|s| s.starts_with(char::is_uppercase));
        let german = guess(sentence).or(self.language).is_none_or(|l| l == Language::De);
        let known = |t: &Token| {
            let all = self.sources.iter().flat_map(|s| &s.tokens).chain(&self.above.tokens);
            let plain = fold(&t.plain);
            all.into_iter()
                .any(|k| k.plain == t.plain || plain.chars().count() >= STEM && k.plain.contains(&plain))
        };
        let is_time =
            |t: &Token| GERMAN_MONTHS.contains(&t.plain.as_str()) || MONTHS.contains(&t.plain.as_str());
        tokens.windows(2).enumerate().all(|(at, pair)| {
            let [before, t] = pair else { return true };
            let adjacent = at > 0 && sentence.get(before.end..t.start) == Some(" ");
            let named =
                capital(t) && t.plain.chars().count() >= 3 && (!german || adjacent && capital(before));
            !named || is_time(t) || known(t)
        })
    }

    /// Whether a sentence of the passage bears out a clause.
    fn bears(&self, part: &str, whole: &Claim<'_>) -> bool {
        let claim = Claim::of(part);
        let keys = all_keys(part);
        let shared =
            |s: &Source| claim.words.iter().filter(|w| s.tokens.iter().any(|t| self.says_word(w, t))).count();
        let exact = !claim.figures.is_empty() || !keys.is_empty();
        let most = self.sources.iter().map(shared).max().unwrap_or(0);
        if !exact && most == 0 {
            return true;
        }
        let cues = Cues::of(part).or_all(Cues::of(whole.text));
        // What is forbidden in one sentence is not allowed by another.
        let forbidden = |s: &Source| shared(s) >= COMPANY && !cues.agree_on_leave(Cues::of(&s.text));
        if self.sources.iter().any(forbidden) {
            return false;
        }
        let sum = says_sum(whole.text);
        self.sources.iter().enumerate().any(|(at, s)| {
            let lent = self.lent_to(at);
            let dependent = sum || claim.words.len() <= 1;
            let near = if exact { shared(s) > 0 || dependent } else { shared(s) == most };
            let figure = |f: &Figure| {
                let here = std::iter::once(s).chain(lent);
                let all = self.sources.iter().filter(|_| sum);
                here.chain(all).any(|s| has_figure(f, part, whole, s))
            };
            near && !names_others(&keys, &all_keys(&s.text))
                && same_levels(part, &s.text)
                && with_units(part).iter().all(figure)
                && cues.agree(Cues::of(&s.text))
                && agrees((part, &claim.tokens), (&s.text, &s.tokens))
                && self.borrows_nothing(&claim, &keys, (s, lent), whole)
        })
    }

    /// The sentence before one that leans on it: `Its …`, `Leur …`.
    fn lent_to(&self, at: usize) -> Option<&Source> {
        const OWN: [&str; 12] =
            ["ihr", "ihre", "sein", "seine", "deren", "leur", "leurs", "son", "sa", "suo", "sua", "its"];
        let s = self.sources.get(at)?;
        let first = s.tokens.first()?;
        let leans = begins_with_pronoun(&s.tokens) || OWN.contains(&first.plain.as_str());
        at.checked_sub(1).filter(|_| leans).and_then(|i| self.sources.get(i))
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

/// Whether a sentence has a number of a clause: the number itself, in words, as a day of a month, or as the sum of
/// several where the claim says that it is one.
fn has_figure(figure: &Figure, part: &str, whole: &Claim<'_>, s: &Source) -> bool {
    let whole_number = thousands(part, figure);
    let figure = whole_number.as_ref().unwrap_or(figure);
    let Some(text) = clause_of(figure, part, &s.text, whole) else {
        return says_sum(whole.text) && is_sum(figure, &with_units(&s.text));
    };
    let there = with_units(text);
    let day = days(part).into_iter().find(|(at, ..)| *at == figure.start);
    if let Some((_, day, month)) = day {
        return days(text).iter().any(|(_, d, m)| (day, month) == (*d, *m));
    }
    let year = figure.value.len() == 4 && figure.value.starts_with("20") && figure.unit.is_empty();
    there.iter().any(|g| same(figure, g) && counts_alike(figure, g, &s.tokens, &whole.words))
        || year && text.contains(&figure.value)
        || figure.unit.is_empty()
            && figure
                .value
                .parse()
                .is_ok_and(|n: u32| s.tokens.iter().any(|t| number_word(&t.plain) == Some(n)))
        || says_sum(whole.text) && is_sum(figure, &with_units(&s.text))
}

/// Where a sentence has several things to say (a semicolon, or two days), the one that shares most with a clause: a
/// number cannot change its subject. The whole sentence elsewhere; `None` where nothing of it is shared.
fn clause_of<'a>(figure: &Figure, part: &str, text: &'a str, whole: &Claim<'_>) -> Option<&'a str> {
    let things: Vec<&str> = text
        .split("; ")
        .flat_map(|t| if days(t).len() > 1 { t.split(", ").collect() } else { vec![t] })
        .collect();
    if things.len() < 2 {
        return Some(text);
    }
    let words = super::words_of(part);
    let shared = |t: &str| {
        let tokens = tokenize(t);
        words.iter().filter(|w| tokens.iter().any(|k| w.matches(k, None))).count()
    };
    let holding = things.iter().copied().filter(|t| {
        figures(t).iter().any(|g| same(figure, g))
            || days(t)
                .iter()
                .any(|(_, d, m)| days(part).iter().any(|(at, e, n)| *at == figure.start && (d, m) == (e, n)))
    });
    let best = holding.max_by_key(|t| shared(t)).filter(|t| shared(t) > 0);
    best.or(if says_sum(whole.text) { Some(text) } else { None })
}

/// The numbers of a text; one that shares the unit of the next one (`40 x 60 cm`, `from 120 to 90 cm`) has it too.
fn with_units(text: &str) -> Vec<Figure> {
    const BETWEEN: [&str; 12] = ["x", "×", "a", "à", "auf", "bis", "to", "by", "par", "per", "-", "–"];
    let mut all = figures(text);
    for at in (1..all.len()).rev() {
        let Some((before, next)) = all.get(at - 1).cloned().zip(all.get(at).cloned()) else { continue };
        let gap = text.get(before.end..next.start).unwrap_or_default().trim();
        if let (true, Some(f)) = (before.unit.is_empty() && BETWEEN.contains(&gap), all.get_mut(at - 1)) {
            f.unit = next.unit;
            f.word = String::new();
        }
    }
    all
}

/// The clauses of a sentence.
fn parts(sentence: &str) -> Vec<String> {
    const JOINTS: [&str; 18] = [
        "; ",
        ", ",
        " und ",
        " et ",
        " ed ",
        " e ",
        " and ",
        " aber ",
        " mais ",
        " ma ",
        " but ",
        " sowie ",
        " während ",
        " tandis que ",
        " mentre ",
        " while ",
        " weil ",
        " obwohl ",
    ];
    let mut all = vec![sentence.to_owned()];
    for joint in JOINTS {
        all = all.iter().flat_map(|p| p.split(joint).map(str::to_owned).collect::<Vec<_>>()).collect();
    }
    all.retain(|p| p.chars().any(char::is_alphanumeric));
    all
}

/// Keys of the identifiers and room numbers of a text.
fn all_keys(text: &str) -> Vec<String> {
    ident::identifiers(text).into_iter().chain(ident::room_numbers(text)).flat_map(|i| i.keys).collect()
}

/// Days without a year, with the place of their first number: `17 mai`, `17.05.`, `17 May`.
fn days(text: &str) -> Vec<(usize, u32, u32)> {
    let month = |plain: &str| -> Option<usize> {
        let at = GERMAN_MONTHS.iter().position(|m| *m == plain);
        at.or_else(|| {
            // In the order of the list.
            let number: [usize; 31] = [
                3, 1, 2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 1, 2, 3, 5, 6, 7,
                10, 12,
            ];
            let at = MONTHS.iter().position(|m| *m == plain)?;
            number.get(at).map(|m| m - 1)
        })
    };
    let tokens = tokenize(text);
    let mut found = Vec::new();
    let mut take = |at: usize, day: Option<u32>, month: Option<u32>| {
        if let (Some(day @ 1..=31), Some(month @ 1..=12)) = (day, month) {
            found.push((at, day, month));
        }
    };
    // `17.05.`, `17.5.2026`, `17/05/2026`
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let lead = word.len() - word.trim_start_matches(|c: char| !c.is_ascii_digit()).len();
        let plain = word.trim_matches(|c: char| !c.is_ascii_digit());
        let numbers: Vec<Option<u32>> = plain.split(['.', '/']).map(|p| p.parse().ok()).collect();
        match numbers.as_slice() {
            [d, m, Some(1900..=2100)] => take(at + lead, *d, *m),
            [d, m] if plain.contains('.') && !word.contains("m") => take(at + lead, *d, *m),
            _ => {}
        }
        at += word.len();
    }
    for f in figures(text) {
        let next = tokens.iter().find(|t| t.start >= f.end).and_then(|t| month(&t.plain));
        take(f.start, f.value.parse().ok(), next.and_then(|m| u32::try_from(m + 1).ok()));
    }
    found
}

/// Whether two texts that both name storeys name one in common.
fn same_levels(a: &str, b: &str) -> bool {
    let (a, b) = (levels(a), levels(b));
    a.is_empty() || b.is_empty() || a.iter().any(|l| b.contains(l))
}

fn says_sum(text: &str) -> bool {
    const SUMS: [&str; 18] = [
        "insgesamt",
        "total",
        "totale",
        "zusammen",
        "gesamt",
        "gesamthaft",
        "summe",
        "ensemble",
        "somme",
        "en tout",
        "totali",
        "complessivamente",
        "complessiva",
        "complessivi",
        "in tutto",
        "together",
        "altogether",
        "combined",
    ];
    let words: Vec<String> = tokenize(text).into_iter().map(|t| t.plain).collect();
    let line = format!(" {} ", words.join(" "));
    SUMS.iter().any(|s| line.contains(&format!(" {s} ")))
}

/// Whether neighbouring numbers of one unit add up to a number.
fn is_sum(figure: &Figure, there: &[Figure]) -> bool {
    let Ok(wanted) = figure.value.parse::<f64>() else { return false };
    let values: Vec<f64> =
        there.iter().filter(|g| g.unit == figure.unit).filter_map(|g| g.value.parse().ok()).collect();
    (0..values.len()).any(|from| {
        let mut sum = 0.0;
        values.iter().skip(from).enumerate().any(|(n, v)| {
            sum += v;
            n > 0 && (sum - wanted).abs() < 1e-6
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn holds(passage: &str, sentence: &str) -> bool {
        Evidence::of(passage, "", None).support(sentence).holds()
    }

    #[test]
    fn free_wording_holds_where_its_facts_do() {
        let ceiling = "Die Decke über dem Untergeschoss wird als Flachdecke mit einer Stärke von 280 mm ausgeführt. Im \
                       Bereich der Stützen sind Durchstanzkörbe vorgesehen.";
        assert!(holds(
            ceiling,
            "Über dem Keller ist eine 28 cm dicke Flachdecke mit Körben gegen Durchstanzen geplant."
        ));
        assert!(!holds(
            ceiling,
            "Über dem Keller ist eine 29 cm dicke Flachdecke mit Körben gegen Durchstanzen geplant."
        ));
        let noise = "The chiller on the roof produces 52 dB(A) at the nearest window. The extract fan produces 39 dB(A).";
        assert!(!holds(noise, "At the closest window one measures 52 dB(A) from the extract fan."));
        let pools = "Der Beckenumgang hat 140 m², der Kinderbereich 60 m² und die Dusche 45 m². Es gilt die Klasse C.";
        assert!(holds(pools, "Insgesamt sind 245 m² in der Klasse C zu belegen, samt Dusche und Becken."));
        assert!(!holds(pools, "Insgesamt sind 265 m² in der Klasse C zu belegen, samt Dusche und Becken."));
    }

    #[test]
    fn days_of_months_in_words_and_figures() {
        let of = |text: &str| days(text).into_iter().map(|(_, d, m)| (d, m)).collect::<Vec<_>>();
        for text in ["le 17 mai", "am 17. Mai", "il 17 maggio", "on 17 May", "le 17.05", "am 17.5."] {
            assert_eq!(of(text), [(17, 5)], "{text}");
        }
        assert_eq!(of("le 3 août"), [(3, 8)]);
        assert_eq!(of("am 2. Dezember"), [(2, 12)]);
    }
}
