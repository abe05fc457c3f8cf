//! What each reader may see, and what the server answers to anybody.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn every_route_is_closed_unless_the_table_says_public() {
    let house = House::with(&[]).await;
    let id = house.document("notiz.txt").id.0;
    let mut public = Vec::new();
    for (path, access) in routes() {
        let address = filled(path, id);
        if access == Access::Public {
            public.push(path);
            continue;
        }
        for method in [Method::GET, Method::HEAD, Method::POST, Method::PUT, Method::DELETE, Method::PATCH] {
            let request = Request::builder().method(&method).uri(&address).body(Body::empty()).unwrap();
            let page = house.browser().send(request).await;
            assert_eq!(page.status, StatusCode::UNAUTHORIZED, "{method} {path}");
            assert!(!page.text.contains("Wolknar"), "{method} {path}");
        }
        let page = house.browser().get(&address).await;
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{path}");
        assert!(page.header(header::LOCATION).starts_with("/login?back="), "{path}");
    }
    assert_eq!(public, ["/login", "/language", "/health", "/assets/{name}"]);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_foreign_document_does_not_exist() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let (own, foreign) = (house.document("notiz.txt").id.0, house.document("geheim.txt").id.0);
    let without_reference = |page: &Page| -> String {
        let cut =
            page.text.lines().filter(|l| !l.contains("nonce") && !l.contains("muted") && !l.contains("back"));
        cut.collect::<Vec<_>>().join("\n")
    };
    for (path, _) in routes().into_iter().filter(|(path, _)| path.starts_with("/document/{id}")) {
        let there = anna.get(&filled(path, foreign)).await;
        let nowhere = anna.get(&filled(path, 999_999)).await;
        assert_eq!((there.status, nowhere.status), (StatusCode::NOT_FOUND, StatusCode::NOT_FOUND), "{path}");
        assert_eq!(without_reference(&there), without_reference(&nowhere), "{path}: the two must look alike");
    }
    assert!(anna.get(&format!("/document/{own}")).await.text.contains("Wolknar"));
    let mut chefin = house.signed_in("chefin").await;
    assert!(chefin.get(&format!("/document/{foreign}")).await.text.contains("Quaxmoor"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_search_finds_own_documents_marks_them_and_tells_nothing_of_others() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    let page = anna.get("/?q=Aussenwand").await;
    assert!(page.text.contains("<mark>Aussenwand</mark>"), "{}", page.text);
    assert!(page.text.contains("Wolknar") && !page.text.contains("Quaxmoor"));
    assert!(page.text.contains("1 Treffer"), "the total counts own documents only: {}", page.text);
    assert!(!page.text.contains("Werkhof"), "names of foreign projects stay unknown");
    let odd = anna.get("/?q=Aussenwand&kind=dwg&project=9999").await;
    assert!(odd.text.contains("Die Art «dwg» gibt es nicht") && odd.text.contains("Wolknar"), "{}", odd.text);
    assert!(odd.text.contains("Das gewählte Projekt gibt es nicht"), "{}", odd.text);
    let none = anna.get("/?q=Quaxmoor").await;
    assert!(none.text.contains("Nichts gefunden"), "{}", none.text);

    let mut otto = house.signed_in("otto").await;
    let page = otto.get("/?q=Aussenwand").await;
    assert!(page.text.contains("Noch kein Projekt freigegeben") && !page.text.contains("Wolknar"));
    assert!(otto.get("/").await.text.contains("Noch kein Projekt freigegeben"));
    assert!(house.logged("search") >= 3);
}

#[tokio::test(flavor = "multi_thread")]
async fn roles_open_what_is_theirs() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    assert_eq!(anna.get("/report").await.status, StatusCode::FORBIDDEN);
    assert_eq!(anna.post("/ingest/run", &[]).await.status, StatusCode::FORBIDDEN);
    let holdings = anna.get("/ingest").await;
    assert!(holdings.text.contains("sieht die Administration") && !holdings.text.contains("/ingest/run"));
    let mut chefin = house.signed_in("chefin").await;
    assert_eq!(chefin.get("/report").await.status, StatusCode::OK);
    let run = chefin.post("/ingest/run", &[]).await;
    assert_eq!(run.header(header::LOCATION), "/ingest?started=1");
}

#[tokio::test(flavor = "multi_thread")]
async fn health_is_public_and_names_the_device() {
    let house = House::with(&[]).await;
    let page = house.browser().get("/health").await;
    let health: serde_json::Value = serde_json::from_str(&page.text).unwrap();
    assert_eq!(health["status"], "ok");
    assert_eq!(health["computes_on"], house.app.engine.device.name.as_str());
    assert!(!page.text.contains("Rosenmatt") && !page.text.contains(house.folder.path().to_str().unwrap()));
}

#[tokio::test(flavor = "multi_thread")]
async fn answers_come_whole_or_growing_with_their_sources() {
    let house = House::with(&[REGISTER]).await;
    let mut anna = house.signed_in("anna").await;
    let question =
        [("question", "Reicht für die Tür zur Sammlung 2.08 und zum Archiv U.05 der Typ TY-02 mit EI30?")];
    let page = anna.post("/ask", &question).await;
    assert!(page.text.contains("Prüfzeugnis EI60"), "{}", page.text);
    assert!(page.text.contains("<meta name=\"ai-generated\" content=\"extractive\">"));
    assert!(page.text.contains(&format!("/document/{}", house.document(REGISTER).id)));

    let grown = anna.post("/ask/stream", &question).await;
    assert_eq!(grown.header(header::CONTENT_TYPE), "application/x-ndjson");
    let lines: Vec<serde_json::Value> =
        grown.text.lines().map(|l| serde_json::from_str(l).unwrap()).collect();
    assert!(lines[0]["passages"].as_str().unwrap().contains("TY-02"), "{}", grown.text);
    assert!(lines.last().unwrap()["done"].as_str().unwrap().contains("Prüfzeugnis EI60"), "{}", grown.text);
    assert_eq!((house.logged("question"), house.logged("answer")), (2, 2));

    let none = anna.post("/ask", &[("question", "Wer ist für Quaxmoor zuständig?")]).await;
    assert_eq!(none.status, StatusCode::OK);
    assert!(!none.text.contains("bleibt geheim"), "{}", none.text);
}

#[tokio::test(flavor = "multi_thread")]
async fn the_report_comes_as_pdf_and_its_export_is_logged() {
    let house = House::with(&[]).await;
    let mut chefin = house.signed_in("chefin").await;
    let wrong = [("from", "2026-12-01"), ("to", "2026-11-01"), ("language", "de")];
    let refused = chefin.post("/report", &wrong).await;
    assert!(
        refused.status == StatusCode::BAD_REQUEST && refused.text.contains("Zeitraum"),
        "{}",
        refused.text
    );
    let report =
        chefin.post("/report", &[("from", "2026-01-01"), ("to", "2099-12-31"), ("language", "de")]).await;
    assert_eq!(report.status, StatusCode::OK, "{}", report.text);
    assert!(report.bytes.starts_with(b"%PDF-"));
    assert_eq!(house.logged("export"), 1);
}

/// How much was read tells of projects that a reader may not see.
#[tokio::test(flavor = "multi_thread")]
async fn the_numbers_of_runs_are_hidden_from_whoever_sees_no_project() {
    let house = House::with(&[]).await;
    let row = |page: &Page| -> Vec<String> {
        let body = page.text.split("<tbody>").nth(1).unwrap().split("</tbody>").next().unwrap().to_owned();
        body.split("<td class=\"n\">").skip(1).map(|c| c.split('<').next().unwrap().to_owned()).collect()
    };
    let seen = row(&house.signed_in("anna").await.get("/ingest").await);
    assert_eq!(seen, ["2", "0", "0", "0", "0", "0"]);
    let hidden = row(&house.signed_in("otto").await.get("/ingest").await);
    assert_eq!(hidden, ["–"; 6]);
    assert_eq!(row(&house.signed_in("chefin").await.get("/ingest").await), seen);
}

/// One limit for questions and queries, on the server and in the forms.
#[tokio::test(flavor = "multi_thread")]
async fn a_query_is_as_long_as_a_question_may_be() {
    let house = House::with(&[]).await;
    let mut anna = house.signed_in("anna").await;
    for (length, status) in [(2000, StatusCode::OK), (2001, StatusCode::PAYLOAD_TOO_LARGE)] {
        assert_eq!(anna.get(&format!("/?q={}", "a".repeat(length))).await.status, status, "{length}");
        anna.get("/ask").await;
        let asked = anna.post("/ask", &[("question", &"a".repeat(length))]).await;
        assert_eq!(asked.status, status, "{length}");
    }
    for page in ["/", "/ask"] {
        assert!(anna.get(page).await.text.contains("maxlength=\"2000\""), "{page}");
    }
}
