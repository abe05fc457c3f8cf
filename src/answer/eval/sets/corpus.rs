//! Public question sets: paragraphs as documents, questions with the paragraphs that answer them.

use std::collections::HashMap;
use std::path::Path;

use ingest::Language;
use serde::Deserialize;
use sha2::{Digest, Sha256};

/// Questions taken of a set, at most; which ones the SHA-256 of their identifiers decides.
const MAX_QUESTIONS: usize = 600;
/// Letters of a passage of a long document, about.
const PASSAGE_CHARS: usize = 1_200;

/// A paragraph.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Paragraph {
    /// The document that it is, or that it is a passage of.
    pub document: String,
    pub language: Language,
    pub text: String,
}

/// A question with what answers it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Asked {
    pub id: String,
    pub language: Language,
    pub text: String,
    /// Documents that answer it, each alone.
    pub relevant: Vec<String>,
    /// Drawn by the subject, so that one paragraph's questions stay together in all languages.
    pub half_a: bool,
}

/// Documents with questions about them.
#[derive(Debug, Clone, Default)]
pub(super) struct Set {
    pub name: String,
    pub paragraphs: Vec<Paragraph>,
    pub questions: Vec<Asked>,
    /// All questions there are, the drawn ones among them: identifier, document, whether of half a.
    asked: Vec<(String, String, bool)>,
}

#[derive(Deserialize)]
struct Squad {
    data: Vec<Article>,
}

#[derive(Deserialize)]
struct Article {
    paragraphs: Vec<SquadParagraph>,
}

#[derive(Deserialize)]
struct SquadParagraph {
    context: String,
    qas: Vec<SquadQuestion>,
}

#[derive(Deserialize)]
struct SquadQuestion {
    id: String,
    question: String,
}

/// Reads all sets of a folder: each by itself, German questions on English paragraphs, and everything together.
///
/// # Errors
/// A file is missing or is no question set.
pub(super) fn read(folder: &Path) -> Result<Vec<Set>, String> {
    let squad = folder.join("squad");
    let de = squad_set(&squad.join("xquad.de.dev.json"), "xquad-de", Language::De)?;
    let en = squad_set(&squad.join("xquad.en.dev.json"), "xquad-en", Language::En)?;
    let fr = squad_set(&squad.join("piaf.fr.dev.json"), "piaf-fr", Language::Fr)?;
    let it = squad_set(&squad.join("squad_it.it.dev.json"), "squad-it", Language::It)?;
    let law = law_set(&folder.join("recht_de"))?;
    let across = across(&de, &en);
    let mut it = it;
    let twins = twins(&en, &mut it);
    let all = together(&[&de, &en, &fr, &it], &law, &across, &twins);
    let mut sets = vec![de, en, across, fr, it, law];
    sets.extend(all);
    Ok(sets)
}

fn digest(text: &str) -> [u8; 32] {
    Sha256::digest(text.as_bytes()).into()
}

fn squad_set(path: &Path, name: &str, language: Language) -> Result<Set, String> {
    let fail = |e: String| format!("{}: {e}", path.display());
    let text = std::fs::read_to_string(path).map_err(|e| fail(e.to_string()))?;
    let squad: Squad = serde_json::from_str(&text).map_err(|e| fail(e.to_string()))?;
    let mut set = Set { name: name.into(), ..Set::default() };
    let mut known: HashMap<String, String> = HashMap::new();
    for (n, paragraph) in squad.data.into_iter().flat_map(|a| a.paragraphs).enumerate() {
        let new = format!("{name}/{n}");
        // One paragraph occurs twice in SQuAD-it; it is one document.
        let document = known.entry(paragraph.context.clone()).or_insert_with(|| new.clone()).clone();
        // XQuAD's paragraphs are the same in every language, so their number draws the half.
        let half_a = digest(&format!("paragraph {n}")).first().is_some_and(|b| b % 2 == 0);
        let asked = paragraph.qas.into_iter().map(|q| Asked {
            id: q.id,
            language,
            text: q.question,
            relevant: vec![document.clone()],
            half_a,
        });
        set.questions.extend(asked);
        if document == new {
            set.paragraphs.push(Paragraph { document, language, text: paragraph.context });
        }
    }
    let known = |q: &Asked| Some((q.id.clone(), q.relevant.first()?.clone(), q.half_a));
    set.asked = set.questions.iter().filter_map(known).collect();
    set.questions = drawn(set.questions);
    Ok(set)
}

fn drawn(mut questions: Vec<Asked>) -> Vec<Asked> {
    questions.sort_by_key(|q| digest(&q.id));
    questions.truncate(MAX_QUESTIONS);
    questions
}

/// German questions on the English paragraphs that they were translated from.
fn across(de: &Set, en: &Set) -> Set {
    let mut questions = de.questions.clone();
    for q in &mut questions {
        q.relevant = q.relevant.iter().map(|d| d.replace("xquad-de/", "xquad-en/")).collect();
    }
    Set { name: "xquad-de-on-en".into(), paragraphs: en.paragraphs.clone(), questions, asked: Vec::new() }
}

/// Paragraphs of SQuAD-it that are translated from one of XQuAD's, as both keep the identifiers of the questions: by the
/// document here, the one there. Their questions are drawn into the half of the paragraph that they were translated from.
fn twins(en: &Set, it: &mut Set) -> HashMap<String, String> {
    let originals: HashMap<&str, (&String, bool)> =
        en.asked.iter().map(|(id, document, half_a)| (id.as_str(), (document, *half_a))).collect();
    let mut twins = HashMap::new();
    let mut halves = HashMap::new();
    for (id, document, _) in &it.asked {
        if let Some((original, half_a)) = originals.get(id.as_str()) {
            twins.insert(document.clone(), (*original).clone());
            halves.insert(document.clone(), *half_a);
        }
    }
    for question in &mut it.questions {
        let half = question.relevant.first().and_then(|d| halves.get(d));
        question.half_a = half.copied().unwrap_or(question.half_a);
    }
    twins
}

/// Everything in one index, asked by each set's questions. A paragraph of XQuAD and its translations (the German, the
/// English, for some an Italian one in SQuAD-it) say the same: they count as one document, and any of them answers.
/// Beside that, the German questions with each translation as a document of its own, all of them right; and the German
/// questions with nothing but the English paragraphs to answer them.
fn together(squads: &[&Set], law: &Set, across: &Set, twins: &HashMap<String, String>) -> Vec<Set> {
    let original = |d: &str| twins.get(d).map_or(d, String::as_str).to_owned();
    let shared = |d: &str| original(d).replace("xquad-de/", "xquad/").replace("xquad-en/", "xquad/");
    let apart: Vec<Paragraph> =
        squads.iter().chain([&law]).flat_map(|s| s.paragraphs.iter().cloned()).collect();
    let mut paragraphs = apart.clone();
    paragraphs.iter_mut().for_each(|p| p.document = shared(&p.document));
    let asked = |set: &Set, paragraphs: &[Paragraph]| {
        let mut questions = set.questions.clone();
        questions.iter_mut().flat_map(|q| &mut q.relevant).for_each(|d| *d = shared(d));
        Set {
            name: format!("{} in all", set.name),
            paragraphs: paragraphs.to_vec(),
            questions,
            asked: vec![],
        }
    };
    let mut sets: Vec<Set> = squads.iter().chain([&law]).map(|s| asked(s, &paragraphs)).collect();
    sets.push(every_twin(across, apart, twins));
    // The German and Italian translations stay away, else they would answer.
    paragraphs.retain(|p| p.language == Language::En || !p.document.starts_with("xquad/"));
    sets.push(asked(across, &paragraphs));
    sets
}

/// German questions, answered by the German, the English and the Italian paragraph, each for itself.
fn every_twin(across: &Set, paragraphs: Vec<Paragraph>, twins: &HashMap<String, String>) -> Set {
    let mut questions = across.questions.clone();
    for question in &mut questions {
        let english = question.relevant.clone();
        question.relevant.extend(english.iter().map(|d| d.replace("xquad-en/", "xquad-de/")));
        let italian = twins.iter().filter(|(_, original)| english.contains(original));
        question.relevant.extend(italian.map(|(twin, _)| twin.clone()));
    }
    Set { name: "xquad-de, all twins".into(), paragraphs, questions, asked: Vec::new() }
}

/// German law: whole documents, cut into passages; a passage of the right document is right.
fn law_set(folder: &Path) -> Result<Set, String> {
    let path = folder.join("questions.tsv");
    let text = std::fs::read_to_string(&path).map_err(|e| format!("{}: {e}", path.display()))?;
    let mut set = Set { name: "recht-de".into(), ..Set::default() };
    let mut names: Vec<String> = Vec::new();
    for line in text.lines().skip(1) {
        let columns: Vec<&str> = line.split('\t').collect();
        let [question, document, ..] = columns.as_slice() else { continue };
        let file = folder.join("docs").join(document);
        if !file.exists() {
            continue;
        }
        if !names.iter().any(|n| n == document) {
            names.push((*document).to_owned());
        }
        set.questions.push(Asked {
            id: format!("{document} {question}"),
            language: Language::De,
            text: (*question).to_owned(),
            relevant: vec![format!("recht-de/{document}")],
            half_a: digest(document).first().is_some_and(|b| b % 2 == 0),
        });
    }
    for name in names {
        let file = folder.join("docs").join(&name);
        let text = std::fs::read_to_string(&file).map_err(|e| format!("{}: {e}", file.display()))?;
        let passage = |text| Paragraph { document: format!("recht-de/{name}"), language: Language::De, text };
        set.paragraphs.extend(passages(&text).into_iter().map(passage));
    }
    set.questions = drawn(set.questions);
    Ok(set)
}

/// Paragraphs joined until they have the length of a passage.
fn passages(text: &str) -> Vec<String> {
    let mut all: Vec<String> = Vec::new();
    let mut open = String::new();
    for paragraph in text.split("\n\n").map(str::trim).filter(|p| !p.is_empty()) {
        if !open.is_empty() && open.len() + paragraph.len() > PASSAGE_CHARS {
            all.push(std::mem::take(&mut open));
        }
        if !open.is_empty() {
            open.push_str("\n\n");
        }
        open.push_str(paragraph);
    }
    if !open.is_empty() {
        all.push(open);
    }
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passages_are_whole_paragraphs() {
        let text = format!("{}\n\n{}\n\nc", "a".repeat(700), "b".repeat(700));
        let lengths: Vec<usize> = passages(&text).iter().map(String::len).collect();
        assert_eq!(lengths, [700, 703]);
    }

    #[test]
    fn translations_answer_each_other() {
        let set = |name: &str, language| Set {
            name: name.into(),
            paragraphs: vec![Paragraph { document: format!("{name}/0"), language, text: "t".into() }],
            questions: vec![Asked {
                id: "1".into(),
                language,
                text: "q".into(),
                relevant: vec![format!("{name}/0")],
                half_a: true,
            }],
            asked: vec![("1".into(), format!("{name}/0"), true)],
        };
        let (de, en) = (set("xquad-de", Language::De), set("xquad-en", Language::En));
        let mut it = set("squad-it", Language::It);
        it.questions[0].half_a = false;
        let across = across(&de, &en);
        assert_eq!(across.questions[0].relevant, ["xquad-en/0"]);
        let twins = twins(&en, &mut it);
        assert_eq!(twins["squad-it/0"], "xquad-en/0");
        assert!(it.questions[0].half_a, "the half of the paragraph that it was translated from");
        let all = together(&[&de, &en, &it], &Set::default(), &across, &twins);
        assert_eq!(all[0].questions[0].relevant, ["xquad/0"]);
        let documents: Vec<&str> = all[0].paragraphs.iter().map(|p| p.document.as_str()).collect();
        assert_eq!(documents, ["xquad/0", "xquad/0", "xquad/0"]);
        assert_eq!(all[4].questions[0].relevant, ["xquad-en/0", "xquad-de/0", "squad-it/0"]);
        let only_english = &all[5];
        assert!(only_english.paragraphs.iter().all(|p| p.language == Language::En));
        assert_eq!(only_english.paragraphs.len(), 1);
    }
}
