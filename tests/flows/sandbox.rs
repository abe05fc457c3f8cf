//! The reader process can do nothing but read what it is given.

use crate::support::Appliance;

#[test]
fn doctor_shows_that_the_sandbox_holds() {
    let appliance = Appliance::new();
    let report = appliance.json(&["doctor"]);
    let check = report["checks"].as_array().unwrap().iter().find(|c| c["name"] == "sandbox").unwrap();
    assert_ne!(check["state"], "fail", "{check}");
    let message = check["message"].as_str().unwrap();
    for attempt in
        ["TCP connection", "UDP socket", "Unix socket", "open a file", "start a program", "write a file"]
    {
        assert!(message.contains(attempt), "{attempt} was not tried: {message}");
    }
}

#[test]
fn the_program_that_reads_images_can_neither_write_nor_connect_nor_start_another() {
    let appliance = Appliance::new();
    let report = appliance.json(&["doctor"]);
    let check = report["checks"].as_array().unwrap().iter().find(|c| c["name"] == "ocr").unwrap();
    assert_eq!(check["state"], "ok", "{check}");
    let message = check["message"].as_str().unwrap();
    assert!(message.contains("deu+fra+ita+eng"), "{message}");
    for attempt in [
        "TCP connection",
        "UDP socket",
        "Unix socket",
        "open a file",
        "write a file",
        "start a program",
        "become a program",
    ] {
        assert!(message.contains(attempt), "{attempt} was not tried: {message}");
    }
}

#[test]
fn a_file_that_is_no_document_is_rejected_with_a_reason_and_costs_nothing_else() {
    let appliance = Appliance::new();
    appliance.write("broken.pdf", b"%PDF-1.7\nnothing of the kind");
    appliance.write("note.txt", "Die Aussenwand ist 36 cm dick.");
    let summary = appliance.json(&["ingest"]);
    assert_eq!(summary["added"], 1);
    let rejected = summary["rejected"].as_array().unwrap();
    assert_eq!(rejected.len(), 1);
    assert_eq!(rejected[0]["path"], "broken.pdf");
    assert!(!rejected[0]["reason"].as_str().unwrap().is_empty());
}

#[test]
fn nothing_gets_out_of_any_process_and_everything_does_outside() {
    let appliance = Appliance::new();
    let report = appliance.json(&["egress-test"]);
    let control = |name: &str| report["control"][name]["outcome"] == "reached";
    for name in ["TCP", "UDP", "name lookup", "abstract socket", "child process"] {
        assert!(control(name), "the same must work outside: {report:#}");
    }
    for process in ["server", "reader"] {
        let outcomes = report["inside"][process].as_object().unwrap();
        assert!(outcomes.len() >= 9, "{outcomes:?}");
        for (name, outcome) in outcomes.iter().filter(|(name, _)| control(name)) {
            // Older kernels have no rule for abstract sockets; the report then lacks that layer.
            let layers = report["test"]["layers"].as_array().unwrap();
            let known = layers.iter().any(|l| l == "Landlock abstract sockets") || process == "reader";
            if name != "abstract socket" || known {
                assert_eq!(outcome["outcome"], "refused", "{process}: {name}");
            }
        }
    }
    assert_eq!(appliance.json(&["audit", "list", "--kind", "egress_test", "--count"])["count"], 1);
}
