//! Why there is no answer: nothing may be seen, nothing was read, nothing fits; told apart, and the same whatever lies
//! outside of the reader's scope.

use super::injections::no_models;
use super::*;

const QUESTION: [(&str, &str); 1] = [("question", "Wie dick ist die Dämmung der Aussenwand Quaxmoor?")];
const NOT_PERMITTED: &str = "Ihnen ist noch kein Projekt freigegeben";
const NOT_READ: &str = "ist noch kein Dokument eingelesen";
const NOT_FOUND: &str = "nichts Passendes gefunden";

/// The page without what differs from call to call: tokens, nonces and times.
fn bare(page: &str) -> String {
    let mut out = String::new();
    for (at, part) in page.split('"').enumerate() {
        let volatile = at % 2 == 1 && part.len() > 20;
        out.push_str(if volatile { "" } else { part });
    }
    out.split_whitespace().filter(|w| !w.chars().any(|c| c.is_ascii_digit())).collect::<Vec<_>>().join(" ")
}

async fn asked(open: &[(&str, &str)], closed: &[(&str, &str)], who: &str) -> String {
    let house = House::over_engine(tempfile::tempdir().unwrap(), open, closed, no_models()).await;
    let mut browser = house.signed_in(who).await;
    let page = browser.post("/ask", &QUESTION).await;
    assert_eq!(page.status, StatusCode::OK);
    page.text
}

const HIDDEN: [(&str, &str); 1] =
    [("geheim.txt", "Die Dämmung der Aussenwand Quaxmoor ist 220 mm dick und streng geheim.")];
const ROOF: [(&str, &str); 1] =
    [("dach.txt", "Das Flachdach ist extensiv begrünt und hat ein Gefälle von 2 %.")];

#[tokio::test(flavor = "multi_thread")]
async fn nothing_permitted_is_said_whatever_there_is() {
    let (with, without) = (asked(&ROOF, &HIDDEN, "otto").await, asked(&[], &[], "otto").await);
    assert!(with.contains(NOT_PERMITTED) && !with.contains("geheim.txt"), "{with}");
    assert_eq!(bare(&with), bare(&without), "hidden documents leave no trace");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_read_is_said_whatever_others_have() {
    let (with, without) = (asked(&[], &HIDDEN, "anna").await, asked(&[], &[], "anna").await);
    assert!(with.contains(NOT_READ) && !with.contains(NOT_PERMITTED), "{with}");
    assert!(!with.contains("220 mm") && !with.contains("streng"), "{with}");
    assert_eq!(bare(&with), bare(&without), "hidden documents leave no trace");
}

#[tokio::test(flavor = "multi_thread")]
async fn nothing_relevant_is_said_with_the_nearest_hits_of_ones_own() {
    let (with, without) = (asked(&ROOF, &HIDDEN, "anna").await, asked(&ROOF, &[], "anna").await);
    assert!(with.contains(NOT_FOUND) && !with.contains(NOT_READ), "{with}");
    assert!(!with.contains("220 mm") && !with.contains("streng"), "{with}");
    assert_eq!(bare(&with), bare(&without), "hidden documents leave no trace");
}
