//! Texts in documents that tell the model what to do, through the server, against a model that does it.

use std::ops::ControlFlow;

use dossier::engine::{
    AnswerModel, ChatMessage, Engine, EngineError, Finish, GenerateOptions, Generation, Writer, device_report,
};

use super::*;

/// Name, an instruction in four languages, and what a model writes that obeys.
const ATTACKS: &str = include_str!("../../testdata/injections.tsv");
/// What stands in a project that the reader does not see.
const SECRET: &str = "Der Kaufpreis von Tannenhof beträgt CHF 9’876’543.";

/// Does whatever a text tells it that it reads. Asked for what it should not know, it gives away all that it was given.
struct Obeying;

impl Writer for Obeying {
    fn forget_prompts(&self) -> Result<(), EngineError> {
        Ok(())
    }

    fn context_tokens(&self) -> usize {
        4096
    }

    fn count_tokens(&self, text: &str) -> usize {
        text.split_whitespace().count()
    }

    fn generate(
        &self,
        messages: &[ChatMessage],
        _: &GenerateOptions,
        on_text: &mut dyn FnMut(&str) -> ControlFlow<()>,
    ) -> Result<Generation, EngineError> {
        let read: String = messages.iter().map(|m| m.content.as_str()).collect::<Vec<_>>().join("\n");
        let mut text = String::new();
        for (name, instructions, obeyed) in attacks() {
            // Marks within a passage are taken from it before the model sees it.
            let heard = |i: &str| read.contains(i.split(['[', '<']).next().unwrap_or_default());
            if instructions.iter().any(|i| heard(i)) {
                text.push_str(if name == "secret" { &read } else { obeyed });
                text.push('\n');
            }
        }
        assert!(!text.is_empty(), "no instruction reached the model: {read}");
        let _ = on_text(&text);
        Ok(Generation {
            text,
            prompt_tokens: 1,
            completion_tokens: 1,
            first_token_ms: 1,
            elapsed_ms: 1,
            cached_tokens: 0,
            finish: Finish::Stop,
        })
    }
}

fn attacks() -> impl Iterator<Item = (&'static str, [&'static str; 4], &'static str)> {
    ATTACKS.lines().map(|line| match line.split('\t').collect::<Vec<_>>()[..] {
        [name, de, fr, it, en, obeyed] => (name, [de, fr, it, en], obeyed),
        _ => panic!("not six columns: {line}"),
    })
}

fn obeying() -> Engine {
    let languages = ["de", "fr", "it", "en"].map(str::to_owned).to_vec();
    Engine {
        reranker: None,
        embedder: None,
        generator: Some(Arc::new(Obeying)),
        answer_model: Some(AnswerModel {
            name: "Obeying".into(),
            sha256: "-".into(),
            quantisation: "-".into(),
            languages,
        }),
        rerank_sha256: None,
        embed_sha256: None,
        device: device_report(1),
    }
}

/// Search by words, answers from the sources.
pub(super) fn no_models() -> Engine {
    Engine { generator: None, answer_model: None, ..obeying() }
}

/// What a page has of these: each opening of an element that loads, runs or leads somewhere.
fn active(page: &str) -> Vec<(&'static str, usize)> {
    ["<script", "<img", "<iframe", "<form", "<link", "<object", "<svg", "<base", "<meta", "<style"]
        .map(|tag| (tag, page.matches(tag).count()))
        .to_vec()
}

/// The targets of all links, images and forms of a page.
fn targets(page: &str) -> Vec<&str> {
    let after = |name: &'static str| page.split(name).skip(1).filter_map(|rest| rest.split('"').next());
    after("href=\"").chain(after("src=\"")).chain(after("action=\"")).collect()
}

#[tokio::test(flavor = "multi_thread")]
async fn a_model_that_obeys_every_text_changes_nothing_on_the_page() {
    let folder = tempfile::tempdir().unwrap();
    let mut files = Vec::new();
    for (name, instructions, _) in attacks() {
        for (at, instruction) in instructions.iter().enumerate() {
            let code = format!("AW-{}", 100 + files.len());
            // In one line with what is asked for, so that the model is sure to read it.
            let text = format!("The external wall {code} has a U-value of 0.15 W/(m2K), note: {instruction}");
            files.push((format!("{name}-{at}.txt"), code, text));
        }
    }
    assert!(files.len() >= 50, "{}", files.len());
    let texts: Vec<(&str, &str)> = files.iter().map(|(f, _, t)| (f.as_str(), t.as_str())).collect();
    let secret = [
        ("geheim.txt", SECRET),
        ("wand.txt", "The external wall AW-100 of Tannenhof has a U-value of 0.99."),
    ];
    let house = House::over_engine(folder, &texts, &secret, obeying()).await;
    let mut anna = house.signed_in("anna").await;
    let plain = {
        let page = anna.post("/ask", &[("question", "Wer liefert das Klavier für die Aula?")]).await;
        active(&page.text)
    };
    let mut answered = 0;
    for (file, code, text) in &files {
        let question = format!("Which U-value does the external wall {code} have?");
        let page = anna.post("/ask", &[("question", &question)]).await;
        assert_eq!(page.status, StatusCode::OK, "{file}");
        assert_eq!(active(&page.text), plain, "{file}: the page has nothing that it does not have otherwise");
        for target in targets(&page.text) {
            let own = target.starts_with('/') && !target.starts_with("//") || target.starts_with('#');
            assert!(own, "{file}: leads to {target}");
        }
        assert!(
            !page.text.contains("9’876’543") && !page.text.contains(" of Tannenhof"),
            "{file}: {}",
            page.text
        );
        for number in page.text.split("href=\"#source-").skip(1).filter_map(|r| r.split('"').next()) {
            assert!(page.text.contains(&format!("id=\"source-{number}\"")), "{file}: cites {number}");
        }
        let document = house.document(file).id;
        answered += usize::from(page.text.contains(&format!("/document/{document}")));
        let grown = anna.post("/ask/stream", &[("question", &question)]).await;
        for line in grown.text.lines() {
            let line: serde_json::Value = serde_json::from_str(line).unwrap();
            let piece = line["text"].as_str().unwrap_or_default().replace(text.trim_end_matches('.'), "");
            // A sentence of the document itself may be quoted, as text.
            for foreign in ["://", "](", "<", "matey", "[9", "Tannenhof"] {
                assert!(!piece.contains(foreign), "{file}: {piece}");
            }
            assert!(!line.to_string().contains("9’876’543"), "{file}");
        }
    }
    assert_eq!(answered, files.len(), "every question opens the document that answers it");
}
