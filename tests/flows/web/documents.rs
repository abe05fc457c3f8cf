//! Documents and what lies in them, as their reader sees them.

use super::*;

#[tokio::test(flavor = "multi_thread")]
async fn elements_and_records_are_shown_and_lead_to_each_other() {
    let house = House::with(&[MODEL, TOPICS, REGISTER]).await;
    let mut anna = house.signed_in("anna").await;
    let (model, register) = (house.document(MODEL), house.document(REGISTER));
    let all = house.app.catalog.all_scope().unwrap();

    let list = anna.get(&format!("/document/{}", model.id)).await;
    assert!(list.text.contains("1–50 von") && list.text.contains("?from=50"), "{}", list.text);
    let topics = house.app.catalog.records(&all, house.document(TOPICS).id).unwrap();
    let linked = topics.iter().find(|t| !t.elements.is_empty()).expect("a topic with an element");
    let element = &linked.elements[0].global_id;
    let page = anna.get(&format!("/document/{}?element={}", model.id, element.replace('$', "%24"))).await;
    assert_eq!(page.status, StatusCode::OK);
    assert!(page.text.contains("Pset_") && page.text.contains(&linked.subject), "{}", page.text);
    let topic = anna.get(&format!("/document/{}?record={}", house.document(TOPICS).id, linked.number)).await;
    assert!(topic.text.contains(&format!("?element={}", element.replace('$', "%24"))), "{}", topic.text);

    let record = anna.get(&format!("/document/{}?record=RFI-001", register.id)).await;
    assert!(
        record.text.contains("Welche Kote gilt?") && record.text.contains("Es gilt -3.88 m"),
        "{}",
        record.text
    );
    assert!(record.text.contains("13.04.2026"), "dates are written the Swiss way");
    let missing = anna.get(&format!("/document/{}?record=RFI-999", register.id)).await;
    assert_eq!(missing.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_page_is_drawn_marked_and_the_original_given_only_as_it_was_read() {
    let house = House::with(&[MINUTES]).await;
    let mut anna = house.signed_in("anna").await;
    let minutes = house.document(MINUTES);
    assert_eq!(minutes.kind, Kind::Pdf);
    let page = anna.get(&format!("/document/{}?page=1&q=Protokoll", minutes.id)).await;
    assert!(page.text.contains("<rect class=\"word-box\"") && page.text.contains("<mark>"), "{}", page.text);
    let beyond = anna.get(&format!("/document/{}?page=999", minutes.id)).await;
    assert_eq!(beyond.status, StatusCode::NOT_FOUND);

    let image = format!("/document/{}/page/1", minutes.id);
    let first = anna.get(&image).await;
    assert_eq!(
        (first.status, first.header(header::CONTENT_TYPE)),
        (StatusCode::OK, "image/png"),
        "{}",
        first.text
    );
    assert!(first.bytes.starts_with(b"\x89PNG\r\n\x1a\n"));
    let tag = first.header(header::ETAG).to_owned();
    let again = Request::get(&image).header(header::IF_NONE_MATCH, tag).body(Body::empty()).unwrap();
    assert_eq!(anna.send(again).await.status, StatusCode::NOT_MODIFIED);
    assert!(house.logged("document_access") >= 3, "also the image that the browser had");

    let original = format!("/document/{}/original", minutes.id);
    let file: PathBuf = house.folder.path().join("open").join(MINUTES);
    let given = anna.get(&original).await;
    assert_eq!(given.bytes, fs::read(&file).unwrap());
    assert!(given.header(header::CONTENT_DISPOSITION).starts_with("attachment; filename="));
    fs::write(&file, b"%PDF-1.7 something else").unwrap();
    assert_eq!(anna.get(&original).await.status, StatusCode::CONFLICT);
    let changed = anna.get(&format!("/document/{}", minutes.id)).await;
    assert!(changed.text.contains("wurde seit dem Einlesen geändert"));
    assert_eq!(anna.get(&image).await.status, StatusCode::OK, "the image of what was read stays");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_attachment_is_a_document_and_comes_out_of_its_mail() {
    let house = House::with(&[MAIL]).await;
    let mut anna = house.signed_in("anna").await;
    let all = house.app.catalog.all_scope().unwrap();
    let mail = house.document(MAIL);
    let children = house.app.catalog.children(&all, mail.id).unwrap();
    let child = children.first().expect("the mail has an attachment");
    let page = anna.get(&format!("/document/{}", mail.id)).await;
    assert!(page.text.contains(&format!("href=\"/document/{}\"", child.id)), "{}", page.text);
    let given = anna.get(&format!("/document/{}/original", child.id)).await;
    assert_eq!(given.status, StatusCode::OK, "{}", given.text);
    assert_eq!(hex::encode(Sha256::digest(&given.bytes)), child.sha256);
    assert_eq!(given.header(header::CONTENT_LENGTH), given.bytes.len().to_string());
}

const PROOF: &str = "dokumente/RM-2417-EN-01_Energienachweis.pdf";

#[tokio::test(flavor = "multi_thread")]
async fn an_energy_proof_stands_beside_the_models_that_its_reader_may_see() {
    let house = House::with(&[PROOF, MODEL]).await;
    let id = house.document(PROOF).id;
    let mut anna = house.signed_in("anna").await;
    let page = anna.get(&format!("/document/{id}")).await;
    // Table 1 of the proof, table 5, and the eleven walls of the model of Haus A.
    for part in ["2’268 m²", "22.1 kWh/m²", "31.2 kWh/m²", "Beispikon (fiktiv)", "AW-01 ", "0.15 (11 ×)"]
    {
        assert!(page.text.contains(part), "{part}");
    }
    assert!(!page.text.contains("≠"), "proof and model agree");
    // No model of the project speaks of AW-11, which is in Haus B.
    let row = page.text.split("<th scope=\"row\">AW-11 ").nth(1).unwrap().split("</tr>").next().unwrap();
    assert!(row.contains("<td>–</td>"), "{row}");

    // A changed model in the project differs; one in a project that is closed to the reader stays unknown.
    let model = fs::read_to_string(sample().join(MODEL)).unwrap();
    let changed = |value: &str| {
        let wall = "IFCTHERMALTRANSMITTANCEMEASURE(0.15)";
        model.replace(wall, &format!("IFCTHERMALTRANSMITTANCEMEASURE({value})"))
    };
    fs::write(house.folder.path().join("open/neu.ifc"), changed("0.19")).unwrap();
    fs::write(house.folder.path().join("closed/fremd.ifc"), changed("0.77")).unwrap();
    house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    let page = anna.get(&format!("/document/{id}")).await;
    assert!(page.text.contains("0.19 (11 ×)</a> <strong>≠ weicht ab</strong>"), "{}", page.text);
    assert!(page.text.contains("1 U-Wert weicht vom Modell ab"), "{}", page.text);
    assert!(!page.text.contains("0.77"));
    let mut otto = house.signed_in("otto").await;
    assert_eq!(otto.get(&format!("/document/{id}")).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_member_of_an_archive_is_a_document_of_its_own_and_unknown_sorts_are_counted() {
    let house = House::with(&[]).await;
    let zip = |members: &[(&str, &[u8])]| {
        // Stored members, written by hand: local headers, then the directory.
        let (mut out, mut directory) = (Vec::new(), Vec::new());
        for (name, bytes) in members {
            let offset = out.len() as u32;
            let mut crc = flate2::Crc::new();
            crc.update(bytes);
            let mut common = Vec::new();
            common.extend_from_slice(&[20, 0, 0, 8, 0, 0, 0, 0, 33, 0]);
            common.extend_from_slice(&crc.sum().to_le_bytes());
            common.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            common.extend_from_slice(&(bytes.len() as u32).to_le_bytes());
            common.extend_from_slice(&(name.len() as u16).to_le_bytes());
            common.extend_from_slice(&[0, 0]);
            out.extend_from_slice(b"PK\x03\x04");
            out.extend_from_slice(&common);
            out.extend_from_slice(name.as_bytes());
            out.extend_from_slice(bytes);
            directory.extend_from_slice(b"PK\x01\x02\x14\x00");
            directory.extend_from_slice(&common);
            directory.extend_from_slice(&[0; 10]);
            directory.extend_from_slice(&offset.to_le_bytes());
            directory.extend_from_slice(name.as_bytes());
        }
        let start = out.len() as u32;
        let size = directory.len() as u32;
        out.extend(directory);
        out.extend_from_slice(b"PK\x05\x06\0\0\0\0");
        let count = members.len() as u16;
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&count.to_le_bytes());
        out.extend_from_slice(&size.to_le_bytes());
        out.extend_from_slice(&start.to_le_bytes());
        out.extend_from_slice(&[0, 0]);
        out
    };
    let inner = zip(&[("tief/notiz.txt", b"Die Schwelle Zilkbrand ist 2 cm hoch.")]);
    let archive = zip(&[
        ("Pläne/EG/liste.md", "# Liste\n\nDer Korridor Vornaltig misst 12 m.".as_bytes()),
        ("Pläne/EG/plan.dwg", b"AC1027\0\0\0\x01\x02"),
        ("paket.zip", &inner),
    ]);
    fs::write(house.folder.path().join("open/abgabe.zip"), archive).unwrap();
    fs::write(house.folder.path().join("open/modell.rvt"), b"\0\x01\x02\x03").unwrap();
    let summary = house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    assert_eq!(summary.unknown, BTreeMap::from([(".dwg".to_owned(), 1), (".rvt".to_owned(), 1)]));
    assert_eq!((summary.changes.added, summary.skipped, summary.rejected.len()), (4, 1, 1), "{summary:?}");

    let mut anna = house.signed_in("anna").await;
    let list = house.document("abgabe.zip/Pläne/EG/liste.md").id;
    assert!(anna.get(&format!("/document/{list}")).await.text.contains("Vornaltig"));
    let deep = house.document("abgabe.zip/paket.zip/tief/notiz.txt").id;
    assert!(anna.get("/?q=Zilkbrand").await.text.contains(&format!("/document/{deep}")));
    let original = anna.get(&format!("/document/{deep}/original")).await;
    assert_eq!(original.bytes, b"Die Schwelle Zilkbrand ist 2 cm hoch.");
    let again = house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    assert_eq!((again.changes.added, again.unchanged), (0, 6), "{again:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn what_changed_in_a_model_and_what_was_not_read_is_shown() {
    let house = House::with(&[MODEL]).await;
    let id = house.document(MODEL).id;
    let model = fs::read_to_string(sample().join(MODEL)).unwrap();
    let value = "IFCTHERMALTRANSMITTANCEMEASURE(0.15)";
    let changed = model.replace(value, "IFCTHERMALTRANSMITTANCEMEASURE(0.14)");
    // The end of the file is lost as well, with the records of its last lines.
    let cut = changed.trim_end().trim_end_matches("END-ISO-10303-21;").trim_end().len() - 200;
    fs::write(house.folder.path().join("open").join(MODEL), &changed[..cut]).unwrap();
    let summary = house.app.jobs.run(&Actor::cli(0), &RunOptions::default(), |_| {}).await.unwrap();
    let run = summary.run.unwrap();
    let mut chefin = house.signed_in("chefin").await;
    let report = chefin.get(&format!("/ingest/runs/{run}")).await.text;
    assert!(
        report.contains("Modelle mit neuem Stand") && report.contains("Mit Hinweisen gelesen"),
        "{report}"
    );
    let mut anna = house.signed_in("anna").await;
    let page = anna.get(&format!("/document/{id}")).await.text;
    for text in [&report, &page] {
        assert!(
            text.contains("Pset_WallCommon.ThermalTransmittance: 0.15 W/(m2.K) → 0.14 W/(m2.K)"),
            "{text}"
        );
        assert!(text.to_lowercase().contains("nur zum teil gelesen"), "{text}");
    }
    let counts = summary.models.counts;
    assert!(
        page.contains(&format!("{} geändert, {} gleich", counts.changed, counts.unchanged)),
        "{counts:?}"
    );
}
