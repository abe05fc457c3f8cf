//! Whether a passage bears out a sentence that says it in other words.
//!
//! A sentence that copies its source but for a word is judged by that word, strictly. One that is worded freely has words
//! of its own; of it, every number, identifier and proper name must stand in the passage, those of one clause in one
//! sentence; a word that stands in another sentence of the passage must bring that sentence's other words along; and no
//! small word may turn what is said.

use super::cues::Cues;
use super::{Claim, Evidence, Source};
use crate::answer::clauses::{GERMAN_MONTHS, MONTHS, names_others, same};
use crate::answer::polarity::agrees;
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
        whole.words.len() > COPY + 1
            && !self.copies(&whole)
            && whole.named.iter().all(knows)
            && told as f32 >= MIN_SHARE * whole.words.len() as f32
            && self.knows_names(sentence)
            && parts(sentence).iter().all(|part| self.bears(part, &whole))
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

    /// Whether a sentence of the passage has all words of the claim but one, or nearly all.
    fn copies(&self, claim: &Claim<'_>) -> bool {
        self.sources.iter().any(|s| {
            let has = |w: &&QueryTerm| {
                s.tokens.iter().chain(&self.above.tokens).any(|t| w.matches(t, self.language))
            };
            let found = claim.words.iter().filter(has).count();
            claim.words.len() - found <= COPY || found as f32 >= super::MIN_WORDS * claim.words.len() as f32
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
        tokens.windows(2).all(|pair| {
            let [before, t] = pair else { return true };
            let adjacent = sentence.get(before.end..t.start) == Some(" ");
            let named =
                capital(t) && t.plain.chars().count() >= 3 && (!german || adjacent && capital(before));
            !named || known(t)
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
        self.sources.iter().any(|s| {
            let near = if exact { shared(s) > 0 || claim.words.is_empty() } else { shared(s) == most };
            near && !names_others(&keys, &all_keys(&s.text))
                && with_units(part).iter().all(|f| self.has_figure(f, part, whole.text, s))
                && Cues::of(part).or_all(Cues::of(whole.text)).agree(Cues::of(&s.text))
                && agrees((part, &claim.tokens), (&s.text, &s.tokens))
                && self.borrows_nothing(&claim, &keys, s, whole)
        })
    }

    /// Whether what a clause says beyond a sentence stands nowhere else in the passage, or in a sentence that the claim
    /// joins to it; a subject alone is not joined but swapped.
    fn borrows_nothing(&self, claim: &Claim<'_>, keys: &[String], s: &Source, whole: &Claim<'_>) -> bool {
        let here = || s.tokens.iter().chain(&self.above.tokens);
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

    /// Whether a sentence has a number of a clause: the number itself, in words, as a day of a month, or as the sum of
    /// several where the claim says that it is one.
    fn has_figure(&self, figure: &Figure, part: &str, whole: &str, s: &Source) -> bool {
        let there = with_units(&s.text);
        let day = days(part).into_iter().find(|(at, ..)| *at == figure.start);
        there.iter().any(|g| same(figure, g))
            || day.is_some_and(|(_, d, m)| days(&s.text).iter().any(|(_, e, n)| (d, m) == (*e, *n)))
            || figure.unit.is_empty()
                && s.tokens.iter().any(|t| number_word(&t.plain) == figure.value.parse().ok())
            || says_sum(whole) && is_sum(figure, &there)
    }
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
    let month = |plain: &str| {
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
    for f in figures(text) {
        if let Some((day, of)) = f.value.split_once('.')
            && let (Ok(day), Ok(of)) = (day.parse::<u32>(), of.parse::<u32>())
            && (1..=31).contains(&day)
            && (1..=12).contains(&of)
            && f.unit.is_empty()
        {
            found.push((f.start, day, of));
        }
        let next = tokens.iter().find(|t| t.start >= f.end);
        if let (Ok(day), Some(of)) = (f.value.parse::<u32>(), next.and_then(|t| month(&t.plain)))
            && (1..=31).contains(&day)
        {
            found.push((f.start, day, u32::try_from(of + 1).unwrap_or(0)));
        }
    }
    found
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

#[cfg(test)]
mod debug {
    use super::*;
    #[test]
    fn dbg_pairs() {
        let text = std::fs::read_to_string("/work/scratch/ask/pairs100.jsonl").unwrap();
        for pair in crate::answer::pairs::parse(&text).unwrap() {
            let f = pair.verify();
            if (f != crate::answer::pairs::Finding::Holds) == pair.wrong {
                continue;
            }
            println!("== {} {} {f:?}: {}", pair.language, pair.kind, pair.answer);
            let mut a = crate::answer::stream::Assembler::default();
            let mut ss = a.push(&pair.answer);
            ss.extend(a.finish());
            for s in ss {
                for n in &s.cites {
                    let e = crate::answer::pairs::titled(&pair.sources[*n as usize - 1]);
                    let w = Claim::of(&s.text);
                    let tokens = || e.sources.iter().flat_map(|s| &s.tokens).chain(&e.above.tokens);
                    let told = w.words.iter().filter(|w| tokens().any(|t| e.says_word(w, t))).count();
                    let sup = e.support(&s.text);
                    println!("  {:?} told {told}/{} copies {} names {}", sup, w.words.len(), e.copies(&w), e.knows_names(&s.text));
                    for p in parts(&s.text) {
                        let c = Claim::of(&p);
                        let keys = all_keys(&p);
                        let b = e.bears(&p, &w);
                        println!("    {b} {p:?}");
                        if !b {
                            for src in &e.sources {
                                println!("       {:?} others {} figs {} cues {} agrees {} borrows {}", src.text,
                                    names_others(&keys, &all_keys(&src.text)),
                                    with_units(&p).iter().all(|f| e.has_figure(f, &p, w.text, src)),
                                    Cues::of(&p).or_all(Cues::of(w.text)).agree(Cues::of(&src.text)),
                                    agrees((&p, &c.tokens), (&src.text, &src.tokens)),
                                    e.borrows_nothing(&c, &keys, src, &w));
                            }
                        }
                    }
                }
            }
        }
    }
}
