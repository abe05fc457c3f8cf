//! One's own history, figures of projects, and the log's texts with a second person's agreement.

use super::*;

impl House {
    fn add(&self, name: &str, role: &str) {
        let boss = Actor::cli(0);
        self.app.users.create(&boss, name, PASSWORD, role, &["planung".to_owned()]).unwrap();
    }
}

const QUESTION: &str = "Wie dick ist die Dämmung der Aussenwand Wolknar?";

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_sees_exports_and_gives_up_his_own_history_and_no_others() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    anna.post("/ask", &[("question", QUESTION)]).await;
    anna.get("/?q=Wolknar").await;
    let page = anna.get("/history").await;
    assert!(page.text.contains(QUESTION) && page.text.contains("22 cm"), "{}", page.text);
    assert_eq!(house.logged("payload_read"), 1);
    house.add("berta", "reader");
    for name in ["berta", "chefin", "otto"] {
        let other = house.signed_in(name).await.get("/history").await;
        assert!(other.text.contains("Noch keine Fragen") && !other.text.contains("Wolknar"), "{name}");
    }

    // Both exports hold the question; what comes out can be read in again.
    let json = anna.post("/history/export", &[("format", "json")]).await;
    let history: dossier::audit::History = serde_json::from_slice(&json.bytes).unwrap();
    assert_eq!(history.asked.len(), 2);
    assert_eq!((history.asked[1].text.as_str(), history.asked[0].text.as_str()), (QUESTION, "Wolknar"));
    assert_eq!(serde_json::to_vec_pretty(&history).unwrap(), json.bytes);
    let csv = anna.post("/history/export", &[("format", "csv")]).await;
    assert!(csv.text.contains(&format!(";\"{QUESTION}\";")), "{}", csv.text);
    assert_eq!(house.logged("export"), 2);

    // A request for deletion is a case with a term; a second one is the same.
    anna.post("/history/delete", &[]).await;
    anna.post("/history/delete", &[]).await;
    let cases = house.app.audit.book().unwrap().cases;
    assert_eq!((cases.len(), cases[0].subject.as_str()), (1, "anna: delete own history"));
    assert!(anna.get("/history").await.text.contains(&cases[0].id));

    // Who comes after somebody of the same name does not inherit his history.
    house.app.users.remove(&Actor::cli(0), "anna").unwrap();
    house.add("anna", "reader");
    let heir = house.signed_in("anna").await.get("/history").await;
    assert!(!heir.text.contains(QUESTION));
}

#[tokio::test(flavor = "multi_thread")]
async fn projects_have_figures_from_five_persons_up_and_never_names() {
    let house = House::with(&[]).await;
    let project = house.app.catalog.ensure_project("Rosenmatt").unwrap().id.to_string();
    house.add("leiter", "lead");
    let names = ["anna", "berta", "carla", "dora", "emil"];
    for (n, name) in names.into_iter().enumerate() {
        if name != "anna" {
            house.add(name, "reader");
        }
        let mut reader = house.signed_in(name).await;
        assert_eq!(reader.get("/usage").await.status, StatusCode::FORBIDDEN);
        reader.get(&format!("/?q=Wolknar&project={project}")).await;
        let page = house.signed_in("leiter").await.get("/usage").await;
        assert!(page.text.contains("Rosenmatt") && !page.text.contains("Werkhof"), "{}", page.text);
        assert_eq!(page.text.contains("weniger als 5 Personen: wird"), n < 4, "{n}: {}", page.text);
        assert!(names.iter().all(|name| !page.text.contains(name)));
        let figures = page.text.matches("<td class=\"n\">5</td>").count();
        assert_eq!(figures, if n == 4 { 2 } else { 0 }, "persons and searches: {}", page.text);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn texts_are_read_by_an_auditor_with_a_custodians_agreement_for_a_time() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    anna.post("/ask", &[("question", QUESTION)]).await;
    for (name, role) in [("rita", "auditor"), ("rolf", "auditor"), ("karl", "custodian")] {
        house.add(name, role);
    }
    let (mut rita, mut karl) = (house.signed_in("rita").await, house.signed_in("karl").await);
    // Nobody else gets near: not the administrator, and the custodian only to decide.
    let mut chefin = house.signed_in("chefin").await;
    assert_eq!(chefin.get("/log").await.status, StatusCode::FORBIDDEN);
    assert_eq!(anna.get("/log").await.status, StatusCode::FORBIDDEN);
    assert_eq!(karl.get("/log/texts?access=x").await.status, StatusCode::FORBIDDEN);
    let log = rita.get("/log").await;
    assert!(log.text.contains("<td>question</td>") && !log.text.contains(QUESTION), "{}", log.text);

    let today = dossier_today(&house);
    let asked = [("from", today.as_str()), ("to", today.as_str()), ("purpose", "Auskunft")];
    assert_eq!(karl.post("/log/request", &asked).await.status, StatusCode::FORBIDDEN);
    rita.post("/log/request", &asked).await;
    let access = house.app.audit.accesses().unwrap()[0].id.clone();
    let texts = format!("/log/texts?access={access}");
    assert_eq!(rita.get(&texts).await.status, StatusCode::FORBIDDEN, "nobody has agreed");
    // The auditor cannot agree herself, nor can another one.
    let agree = [("id", access.as_str()), ("agree", "yes"), ("hours", "2")];
    assert_eq!(rita.post("/log/decide", &agree).await.status, StatusCode::FORBIDDEN);
    let long = karl.post("/log/decide", &[("id", &access), ("agree", "yes"), ("hours", "1000")]).await;
    assert_eq!(long.header(header::LOCATION), "/log?problem=input");
    assert!(karl.get("/log").await.text.contains("Auskunft"));
    karl.post("/log/decide", &agree).await;

    let read = rita.get(&texts).await;
    assert!(read.text.contains(QUESTION) && read.text.contains("<strong>anna</strong>"), "{}", read.text);
    assert_eq!(house.signed_in("rolf").await.get(&texts).await.status, StatusCode::FORBIDDEN);
    let again = karl.post("/log/decide", &[("id", &access), ("agree", "no"), ("reason", "zu spät")]).await;
    assert_eq!(again.header(header::LOCATION), "/log?problem=state");
    karl.post("/log/end", &[("id", &access)]).await;
    assert_eq!(rita.get(&texts).await.status, StatusCode::FORBIDDEN, "it was ended");

    let steps = ListFilter { kinds: vec!["payload_access".into()], ..ListFilter::default() };
    let steps = house.app.audit.list(&steps).unwrap();
    let outcomes: Vec<&str> = steps.iter().map(|e| e.envelope.outcome.as_str()).collect();
    assert_eq!(outcomes, ["requested", "approved", "ended"]);
    assert!(steps.iter().all(|e| e.envelope.target_ids == [access.clone()]));
    let reads = ListFilter { kinds: vec!["payload_read".into()], ..ListFilter::default() };
    assert_eq!(house.app.audit.list(&reads).unwrap()[0].envelope.outcome, "audit");
    assert!(house.app.audit.verify().unwrap().ok);
}

fn dossier_today(house: &House) -> String {
    house.app.today().to_string()
}

#[tokio::test(flavor = "multi_thread")]
async fn the_instruction_is_acknowledged_once_and_notices_are_open_to_all() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    assert!(anna.get("/ask").await.text.contains("bestätigen Sie die Anleitung"));
    let text = anna.get("/instruction").await;
    assert!(text.text.contains("Was verboten ist") && text.text.contains("90 Tage"), "{}", text.text);
    for _ in 0..2 {
        assert_eq!(anna.post("/instruction", &[]).await.header(header::LOCATION), "/ask");
    }
    assert_eq!(house.logged("acknowledgement"), 1);
    assert!(!anna.get("/ask").await.text.contains("bestätigen Sie die Anleitung"));
    assert!(house.signed_in("otto").await.get("/ask").await.text.contains("bestätigen Sie die Anleitung"));
    let filter = ListFilter { kinds: vec!["acknowledgement".into()], ..ListFilter::default() };
    let event = &house.app.audit.list(&filter).unwrap()[0];
    assert_eq!(event.envelope.target_ids, [house.app.instruction_version()]);
    let notice = anna.get("/notice").await;
    assert!(notice.text.contains("Hinweis für Mitarbeitende") && notice.text.contains("KI-System"));
}

#[tokio::test(flavor = "multi_thread")]
async fn an_incident_is_reported_by_anybody_completed_and_closed() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let incomplete = [("nature", "Laptop <verloren>"), ("noticed", "2026-11-30T10:40")];
    let sent = anna.post("/incident", &incomplete).await;
    let case = house.app.audit.book().unwrap().incidents().next().unwrap().clone();
    assert_eq!(sent.header(header::LOCATION), format!("/incident?sent={}", case.id));
    let address = format!("/incident/{}", case.id);
    assert_eq!(anna.get(&address).await.status, StatusCode::FORBIDDEN);
    assert!(!anna.get("/incident").await.text.contains("Laptop"), "readers see no list");
    assert_eq!(
        anna.post("/incident", &[("noticed", "2026-11-30T10:40")]).await.status,
        StatusCode::BAD_REQUEST
    );

    let mut chefin = house.signed_in("chefin").await;
    let page = chefin.get(&address).await;
    assert!(
        page.text.contains("Laptop &#60;verloren&#62;") && page.text.contains("b, c, d, e, f, g"),
        "{}",
        page.text
    );
    let whole = ["nature", "time", "data", "persons", "consequences", "measures", "contact"];
    let mut fields: Vec<(&str, &str)> = whole.iter().map(|name| (*name, "Angabe")).collect();
    fields.push(("noticed", "2026-11-30T10:40"));
    chefin.post(&address, &fields).await;
    assert!(!chefin.get(&address).await.text.contains("Noch leer"));
    let pdf = chefin.post(&format!("{address}/pdf"), &[]).await;
    assert!(pdf.bytes.starts_with(b"%PDF-1.7"));
    chefin.post(&format!("{address}/close"), &[("result", "gefunden")]).await;
    assert_eq!(chefin.post(&address, &fields).await.status, StatusCode::NOT_FOUND, "it is closed");
    assert_eq!((house.logged("case"), house.logged("incident_report"), house.logged("export")), (2, 2, 1));
}

#[tokio::test(flavor = "multi_thread")]
async fn forms_are_made_for_those_who_answer_for_them() {
    let house = House::with(&[]).await;
    house.add("rita", "auditor");
    let mut rita = house.signed_in("rita").await;
    assert!(rita.get("/forms").await.text.contains("noch nicht erstellt"));
    let made = rita.post("/forms", &[("form", "regulations"), ("language", "de")]).await;
    assert!(made.bytes.starts_with(b"%PDF-1.7"), "{}", made.text);
    assert_eq!(
        rita.post("/forms", &[("form", "nope"), ("language", "de")]).await.status,
        StatusCode::NOT_FOUND
    );
    let forms = house.app.forms(ingest::Language::De).unwrap();
    let made: Vec<&str> = forms.iter().filter(|f| f.made.is_some()).map(|f| f.form).collect();
    assert_eq!(made, ["regulations"]);
    assert_eq!(house.logged("export"), 1);
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_are_judged_and_taken_along_marked_and_signed() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let page = anna.post("/ask", &[("question", QUESTION)]).await;
    let id =
        page.text.split("name=\"answer\" value=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let wrong = [("answer", id.as_str()), ("judged", "wrong"), ("correction", "Es sind 24 cm.")];
    anna.post("/ask/feedback", &wrong).await;
    anna.post("/ask/feedback", &[("answer", &id), ("judged", "sign")]).await;
    let history = anna.get("/history").await;
    assert!(history.text.contains("Als falsch bewertet") && history.text.contains("Es sind 24 cm."));
    let mut chefin = house.signed_in("chefin").await;
    assert_eq!(chefin.post("/ask/feedback", &wrong).await.status, StatusCode::NOT_FOUND, "not hers");
    let filter = ListFilter { kinds: vec!["feedback".into()], envelopes_only: true, ..ListFilter::default() };
    let outcomes: Vec<String> =
        house.app.audit.list(&filter).unwrap().into_iter().map(|e| e.envelope.outcome).collect();
    assert_eq!(outcomes, ["negative", "signed_off"]);

    for (format, kind) in [
        ("pdf", "application/pdf"),
        ("html", "text/html"),
        ("md", "text/markdown"),
        ("json", "application/json"),
    ] {
        let wish = [("answer", id.as_str()), ("format", format), ("publication", "yes"), ("reviewer", "")];
        let file = anna.post("/ask/export", &wish).await;
        assert!(file.header(header::CONTENT_TYPE).starts_with(kind), "{format}: {}", file.text);
        assert!(file.header(header::CONTENT_DISPOSITION).starts_with("attachment"));
        assert!(house.app.detect(&file.bytes).unwrap().is_genuine(), "{format}");
        assert_eq!(chefin.post("/ask/export", &wish).await.status, StatusCode::NOT_FOUND, "not hers");
    }
    assert_eq!(house.logged("export"), 4);
    let grown = anna.post("/ask/stream", &[("question", QUESTION)]).await;
    assert_eq!(grown.header("ai-generated"), "stream");
    let last: serde_json::Value = serde_json::from_str(grown.text.lines().last().unwrap()).unwrap();
    assert_eq!(last["ai_generated"], "extractive");
    // A page that was saved from the browser says what made it, unsigned.
    assert!(matches!(
        house.app.detect(page.text.as_bytes()).unwrap(),
        dossier::audit::Finding::Unsigned { .. }
    ));
}

#[tokio::test(flavor = "multi_thread")]
async fn where_the_firm_wants_it_nobody_asks_before_having_read_the_instruction() {
    let house = House::with_settings(&[], "[answers]\nrequire_instruction = true\n").await;
    let mut anna = house.signed_in("anna").await;
    assert!(anna.get("/ask").await.text.contains("Fragen gibt es erst"));
    for path in ["/ask", "/ask/stream"] {
        assert_eq!(anna.post(path, &[("question", QUESTION)]).await.status, StatusCode::FORBIDDEN, "{path}");
    }
    assert_eq!(house.logged("question"), 0);
    anna.post("/instruction", &[]).await;
    assert_eq!(anna.post("/ask", &[("question", QUESTION)]).await.status, StatusCode::OK);
    assert_eq!(house.logged("question"), 1);
}
