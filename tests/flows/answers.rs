//! What an answer is made from and what it cites.

use dossier::answer::Mode;
use ingest::{Language, Locator};

use crate::retrieval::{Office, ask};

const DE: Option<Language> = Some(Language::De);

fn page(locator: &Locator) -> u32 {
    match locator {
        Locator::Pdf { page, .. } => *page,
        other => panic!("{other:?}"),
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_sentence_over_two_pages_is_answered_whole_and_cites_both() {
    let office = Office::new().await;
    let pages = [
        (DE, "Das Dach ist begrünt. Die Wärmedämmung der Kellerdecke hat nach der Ausschreibung eine Dicke"),
        (DE, "von 160 mm und besteht aus Steinwolle. Die Fugen werden abgeklebt."),
        (DE, "Der Bodenbelag im Korridor ist aus Linoleum."),
    ];
    office.add_with(&office.ours, "bau.pdf", &pages, None).await;
    // The same words in a project that the reader may not see, beside nothing of his.
    let theirs =
        [(DE, "Die Kellerdecke hat eine Wärmedämmung mit der Dicke"), (DE, "von 999 mm, streng geheim.")];
    office.add_with(&office.theirs, "fremd.pdf", &theirs, None).await;
    let (answerer, audit) = office.answerer();
    let answer = ask(&answerer, &office.scope(), "Wie dick ist die Wärmedämmung der Kellerdecke?").await;
    assert_eq!(answer.mode, Mode::Extractive, "{}", answer.answer);
    let whole = "Die Wärmedämmung der Kellerdecke hat nach der Ausschreibung eine Dicke von 160 mm und besteht aus Steinwolle.";
    assert!(answer.answer.starts_with(whole.trim_end_matches('.')), "{}", answer.answer);
    let cited = &answer.citations[0];
    assert_eq!((page(&cited.locator), cited.until.as_ref().map(page)), (1, Some(2)), "{cited:?}");
    assert_eq!(cited.quote, whole);
    assert!(cited.verified);
    assert!(answer.passages.iter().all(|p| !p.text.contains("999")));

    let about = dossier::audit::ListFilter { target: Some(answer.id.clone()), ..Default::default() };
    let looked_at = audit.list(&about).unwrap().into_iter().find(|e| e.envelope.kind == "retrieval").unwrap();
    let body = serde_json::to_value(&looked_at.content).unwrap().to_string();
    assert!(body.contains("\"page\":1") && body.contains("\"page\":2"), "both are in the log: {body}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_citation_opens_the_page_on_which_its_sentence_stands() {
    let office = Office::new().await;
    let pages = [
        (DE, "Die Sitzung der Baukommission behandelt die Lüftung der Aula und ihre Kanäle im Bereich der"),
        (DE, "Bühne. Die Zuluft der Aula beträgt 4200 m³/h."),
    ];
    office.add_with(&office.ours, "protokoll.pdf", &pages, None).await;
    let (answerer, _audit) = office.answerer();
    let answer = ask(&answerer, &office.scope(), "Wie hoch ist die Zuluft der Aula?").await;
    assert!(answer.answer.contains("4200 m³/h"), "{}", answer.answer);
    for cited in answer.citations.iter().filter(|c| c.quote.contains("4200")) {
        assert_eq!((page(&cited.locator), &cited.until), (2, &None), "{cited:?}");
    }
}
