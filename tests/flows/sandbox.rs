//! The reader process can do nothing but read what it is given.

use std::io::{BufRead as _, BufReader};
use std::process::Stdio;

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
    for name in
        ["TCP", "UDP", "name lookup", "abstract socket", "child process", "foreign file", "foreign folder"]
    {
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
    let layers = report["test"]["layers"].to_string();
    if layers.contains("seccomp counting") {
        assert_eq!(report["counted"], true, "{report:#}");
    }
}

/// A server on a port of its own.
struct Server {
    child: std::process::Child,
    address: String,
}

impl Server {
    fn start(appliance: &Appliance) -> Self {
        let mut child = appliance
            .command(&["--json", "serve", "--bind", "127.0.0.1:0"])
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut line).unwrap();
        let told: serde_json::Value = serde_json::from_str(&line).unwrap();
        Server { child, address: told["address"].as_str().unwrap().to_owned() }
    }

    fn stop(mut self) {
        let pid = self.child.id().to_string();
        assert!(std::process::Command::new("kill").args(["-TERM", &pid]).status().unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

#[test]
fn a_running_server_reaches_its_own_files_and_nothing_else() {
    let a = Appliance::new();
    a.write("note.txt", "Die Aussenwand ist 36 cm dick.");
    a.write("bild.png", page_image());
    let server = Server::start(&a);
    assert!(server.address.starts_with("http://127.0.0.1:"));
    // It reads its sources through its readers, the image by text recognition, and answers.
    let run = a.json(&["ingest"]);
    assert_eq!((&run["added"], &run["rejected"]), (&2.into(), &serde_json::json!([])), "{run:#}");
    assert!(!a.json(&["search", "Aussenwand"])["hits"].as_array().unwrap().is_empty());
    let report = a.json(&["egress-test"]);
    let inside = report["inside"]["running server"].as_object().unwrap();
    let closed = report["test"]["layers"].to_string().contains("Landlock files");
    for (name, outcome) in inside {
        let reached = report["control"][name]["outcome"] == "reached";
        if reached && (closed || !name.starts_with("foreign")) {
            assert_eq!(outcome["outcome"], "refused", "{name}: {report:#}");
        }
    }
    assert!(inside.len() >= 12, "{inside:?}");
    server.stop();
    // That counting began stands in the log; the test's own attempts do not.
    let counting = a.json(&["audit", "list", "--kind", "egress_blocked", "--count"]);
    let counted = report["test"]["layers"].to_string().contains("seccomp counting");
    assert_eq!(counting["count"], u64::from(counted), "{report:#}");
    assert!(a.data().join("tmp").is_dir(), "temporary files lie in the data folder");
}

/// A white page with a black bar: nothing to read, but read.
fn page_image() -> Vec<u8> {
    let (width, height) = (400_u32, 300_u32);
    let dark = |n: usize| (4000..4400).contains(&n);
    let pixels: Vec<u8> = (0..(width * height) as usize).map(|n| if dark(n) { 0 } else { 255 }).collect();
    let mut bytes = Vec::new();
    let mut encoder = png::Encoder::new(&mut bytes, width, height);
    encoder.set_color(png::ColorType::Grayscale);
    encoder.write_header().unwrap().write_image_data(&pixels).unwrap();
    bytes
}
