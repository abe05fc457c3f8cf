use std::sync::Arc;

use super::*;
use crate::log::{Log, Provenance, Verifier};
use crate::storage::{MemoryStorage, PowerSwitch};

fn log() -> Log {
    let storage = || Arc::new(MemoryStorage::new(PowerSwitch::default()));
    let (files, keys) = (storage(), storage());
    let provenance = Provenance { build_sha256: "0".repeat(64), config_sha256: None, boot_id: "b".into() };
    Log::open(files, keys, Arc::new(Timestamp::now), provenance, None).unwrap()
}

fn answer(lang: Lang) -> AnswerFile {
    AnswerFile {
        question: "Welcher U-Wert gilt für die <Aussenwand> & das Dach?".into(),
        answer: "Der U-Wert beträgt 0.17 W/m²K [1].\nDas Dach hat 0.15 W/m²K [2].".into(),
        understood: vec!["U-Wert".into()],
        columns: vec!["Bauteil".into(), "Wert".into()],
        rows: vec![vec!["AW1 | Süd".into(), "0.17".into()]],
        sources: vec![Source {
            n: 1,
            title: "Energienachweis".into(),
            place: "Seite 3".into(),
            quote: "AW1: 0.17".into(),
            verified: true,
        }],
        origin: Origin {
            made_by: "model".into(),
            system: "dossier 0.1.0".into(),
            model: Some("Beispielmodell".into()),
            model_sha256: Some("ab".repeat(32)),
            question_id: "q1".into(),
            made: "2026-11-30T10:40:00Z".parse().unwrap(),
            language: lang,
            publication: true,
            reviewed_by: None,
        },
    }
}

#[test]
fn every_file_is_found_and_any_changed_byte_shows() {
    let (log, other) = (log(), log());
    let keys = [log.verifier().clone()];
    for format in Format::ALL {
        for lang in Lang::ALL {
            let bytes = file(&log, &answer(lang), format).unwrap();
            let found = detect(&bytes, &keys);
            let Finding::Answer { metadata, unchanged: true, .. } = &found else {
                panic!("{format:?}: {found:?}")
            };
            assert!(metadata.ai_generated && metadata.origin == answer(lang).origin);
            assert!(found.is_genuine());
        }
        let bytes = file(&log, &answer(Lang::De), format).unwrap();
        let step = (bytes.len() / 400).max(1);
        for at in (0..bytes.len()).step_by(step) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(!detect(&changed, &keys).is_genuine(), "{format:?}: byte {at} of {}", bytes.len());
        }
        let longer = [bytes.as_slice(), b" "].concat();
        assert!(!detect(&longer, &keys).is_genuine());
        assert!(matches!(detect(&bytes, &[]), Finding::NotOurs { .. }));
        assert!(!detect(&bytes, &[other.verifier().clone()]).is_genuine(), "another log's key");
    }
}

#[test]
fn line_ends_of_another_system_change_nothing_in_texts() {
    let log = log();
    let keys = [log.verifier().clone()];
    for format in [Format::Md, Format::Html, Format::Json] {
        let bytes = file(&log, &answer(Lang::En), format).unwrap();
        let text = String::from_utf8(bytes).unwrap().replace('\n', "\r\n");
        assert!(detect(text.as_bytes(), &keys).is_genuine(), "{format:?}");
    }
}

#[test]
fn people_read_what_made_it_and_that_nobody_reviewed_it() {
    let log = log();
    let text = |format| String::from_utf8(file(&log, &answer(Lang::De), format).unwrap()).unwrap();
    for format in [Format::Md, Format::Html, Format::Json] {
        let text = text(format);
        assert!(text.contains("Mit künstlicher Intelligenz erzeugt (Beispielmodell)"), "{text}");
        assert!(text.contains("Nicht redaktionell geprüft"), "{text}");
        assert!(text.contains("0.17 W/m²K [1]") && text.contains("Energienachweis"), "{text}");
    }
    assert!(text(Format::Html).contains("&lt;Aussenwand&gt; &amp; das Dach"));
    assert!(text(Format::Md).contains("| AW1 \\| Süd | 0.17 |"));
    let mut reviewed = answer(Lang::En);
    reviewed.origin.reviewed_by = Some("R. Beispiel".into());
    assert!(
        label::label(&reviewed.origin).contains("Reviewed under editorial responsibility by R. Beispiel")
    );
}

#[test]
fn a_note_moved_to_another_text_and_a_checkpoint_are_no_mark() {
    let log = log();
    let keys: Vec<Verifier> = vec![log.verifier().clone()];
    let genuine = String::from_utf8(file(&log, &answer(Lang::De), Format::Md).unwrap()).unwrap();
    let mark = genuine.split("<!-- ").nth(1).unwrap();
    let moved = format!("Das Dach ist rot.\n\n<!-- {mark}");
    assert!(matches!(detect(moved.as_bytes(), &keys), Finding::Answer { unchanged: false, .. }));
    use base64::Engine as _;
    let encode = |note: Vec<u8>| base64::engine::general_purpose::URL_SAFE_NO_PAD.encode(note);
    let other = format!("{MARK}{}", encode(log.sign_text("dossier annex\nx\n")));
    assert!(matches!(detect(other.as_bytes(), &keys), Finding::NotOurs { .. }));
    assert!(matches!(detect(b"dossier-answer:1:AAAA", &keys), Finding::NotOurs { .. }));
    assert_eq!(detect(b"Welcher U-Wert gilt?", &keys), Finding::Nothing);
    let page = "<head><meta name=\"ai-generated\" content=\"extractive\"></head>";
    assert_eq!(detect(page.as_bytes(), &keys), Finding::Unsigned { made_by: "extractive".into() });
}
