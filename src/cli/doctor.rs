//! What computes, and whether everything that the appliance needs is in order.

mod memory;

use serde::Serialize;
use serde_json::{Value, json};
use tokio::sync::mpsc;

use super::{Call, Exit, Failure, Frame, Output, health, local};
use crate::app;
use crate::config::Config;
use crate::engine::{DeviceReport, device_report};
use crate::worker::Probe;

/// The checks.
#[derive(Debug, clap::Args)]
pub(super) struct Args {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
enum State {
    Ok,
    Warn,
    Fail,
}

/// One finding.
#[derive(Debug, Serialize)]
struct Check {
    name: &'static str,
    state: State,
    message: String,
    fix: String,
}

impl Check {
    fn ok(name: &'static str, message: impl Into<String>) -> Self {
        Check { name, state: State::Ok, message: message.into(), fix: String::new() }
    }

    fn warn(name: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Check { name, state: State::Warn, message: message.into(), fix: fix.into() }
    }

    fn fail(name: &'static str, message: impl Into<String>, fix: impl Into<String>) -> Self {
        Check { name, state: State::Fail, message: message.into(), fix: fix.into() }
    }
}

pub(super) async fn run(config: Config, _: Args, out: &Output) -> Result<Exit, Failure> {
    let device = device_report(config.engine.thread_count());
    // Before anything opens the models: a plan that does not fit is shown all the same.
    let plan = memory::plan(&config).await;
    let mut checks = vec![processor(&device), hip(&device, &config), memory::available(), plan.check()];
    checks.push(sandbox(&config).await);
    checks.push(text_recognition(&config).await);
    let health = health(&config).await;
    checks.extend(folder(&health));
    let computes_on = format!("{} ({})", device.name, device.backend);
    let failed = checks.iter().any(|c| c.state == State::Fail);
    if out.wants_json() {
        let plan = plan.value(&config, health.as_ref().ok());
        out.value(&json!({ "computes_on": computes_on, "checks": checks, "memory_plan": plan }))?;
    } else {
        out.line(format!("Computes on {computes_on}"));
        for check in &checks {
            let mark = match check.state {
                State::Ok => "ok  ",
                State::Warn => "warn",
                State::Fail => "FAIL",
            };
            out.line(format!("{mark}  {:<10} {}", check.name, check.message));
            if !check.fix.is_empty() {
                out.line(format!("      {:<10} → {}", "", check.fix));
            }
        }
        plan.table().into_iter().for_each(|line| out.line(line));
    }
    Ok(if failed { Exit::WithRejects } else { Exit::Done })
}

fn processor(device: &DeviceReport) -> Check {
    let fast = device.features.iter().any(|f| f.starts_with("AVX2") || f.starts_with("AVX-512"));
    let message = format!("{}: {}", device.name, device.features.join(" "));
    if fast {
        Check::ok("processor", message)
    } else {
        Check::warn(
            "processor",
            format!(
                "{message}; neither AVX2 nor AVX-512 is visible, so the language model runs many times slower"
            ),
            "in a virtual machine, pass the host's processor type through to the guest",
        )
    }
}

fn hip(device: &DeviceReport, config: &Config) -> Check {
    let message = device.hip.clone();
    if config.engine.require_gpu {
        Check::fail("gpu", message, "set engine.require_gpu = false, or wait for a version with GPU kernels")
    } else {
        Check::ok("gpu", message)
    }
}

async fn sandbox(config: &Config) -> Check {
    let worker = match app::worker(config) {
        Ok(worker) => worker,
        Err(error) => return Check::fail("sandbox", error.to_string(), "reinstall the program"),
    };
    let (inside, outside) = tokio::join!(worker.probe(true), worker.probe(false));
    match (inside, outside) {
        (Ok(inside), Ok(outside)) => judge(&inside, &outside),
        (Err(error), _) | (_, Err(error)) => Check::fail(
            "sandbox",
            error.to_string(),
            "no file is read until this works: use a kernel with seccomp (any Linux since 4.14)",
        ),
    }
}

/// Whether pages that are images can be read, and only in a sandbox that holds.
async fn text_recognition(config: &Config) -> Check {
    const NAME: &str = "ocr";
    let fix = "pages that are images are not read until this works; the next run reads them then";
    let worker = match app::worker(config) {
        Ok(worker) => worker,
        Err(error) => return Check::fail(NAME, error.to_string(), "reinstall the program"),
    };
    let languages = match worker.ocr_languages() {
        Ok(languages) => languages.to_owned(),
        Err(why) => return Check::warn(NAME, why, fix),
    };
    let probe = match worker.probe_ocr().await {
        Ok(probe) => probe,
        Err(error) => return Check::warn(NAME, error.to_string(), fix),
    };
    let leaks: Vec<&str> = probe.denied.iter().filter(|(_, d)| !**d).map(|(n, _)| n.as_str()).collect();
    if !leaks.is_empty() {
        return Check::fail(NAME, format!("the program can still: {}", leaks.join(", ")), fix);
    }
    let tried: Vec<&str> = probe.denied.keys().map(String::as_str).collect();
    match worker.try_ocr().await {
        Ok(()) => Check::ok(
            NAME,
            format!(
                "{} reads {languages}; it cannot: {}; Landlock {}",
                config.ingest.ocr_program.display(),
                tried.join(", "),
                probe.landlock
            ),
        ),
        Err(problem) => Check::warn(NAME, problem.to_string(), fix),
    }
}

/// A denial counts only where the same attempt succeeds without the sandbox.
fn judge(inside: &Probe, outside: &Probe) -> Check {
    let leaks: Vec<&str> =
        inside.denied.iter().filter(|(_, denied)| !**denied).map(|(n, _)| n.as_str()).collect();
    let idle: Vec<&str> =
        outside.denied.iter().filter(|(_, denied)| **denied).map(|(n, _)| n.as_str()).collect();
    if !leaks.is_empty() {
        return Check::fail(
            "sandbox",
            format!("the reader can still: {}; Landlock {}", leaks.join(", "), inside.landlock),
            "use a kernel with Landlock (Linux 5.13, boot parameter lsm=…,landlock)",
        );
    }
    let tried: Vec<&str> = inside.denied.keys().map(String::as_str).collect();
    let message = format!("the reader cannot: {}; Landlock {}", tried.join(", "), inside.landlock);
    if idle.is_empty() {
        Check::ok("sandbox", message)
    } else {
        Check::warn(
            "sandbox",
            format!(
                "{message}; not shown by this test, as the machine denies them anyway: {}",
                idle.join(", ")
            ),
            "run `dossier doctor` outside of a container to see the sandbox itself at work",
        )
    }
}

/// What the owner of the data folder says of models, index and log.
async fn health(config: &Config) -> Result<Value, String> {
    let (frames, mut receiver) = mpsc::unbounded_channel();
    let out = Output::channel(true, frames);
    local::run(config.clone(), Call::Health(health::Args::default()), &out)
        .await
        .map_err(|failure| failure.message)?;
    drop(out);
    let mut text = String::new();
    while let Some(frame) = receiver.recv().await {
        if let Frame::Out(piece) = frame {
            text.push_str(&piece);
        }
    }
    serde_json::from_str(&text).map_err(|e| e.to_string())
}

fn folder(health: &Result<Value, String>) -> Vec<Check> {
    let health = match health {
        Ok(health) => health,
        Err(message) => {
            return vec![Check::fail(
                "data",
                message.clone(),
                "do what the message says; the other lines hold all the same",
            )];
        }
    };
    let text = |key: &str| health[key]["message"].as_str().unwrap_or_default().to_owned();
    let good = |key: &str| health[key]["ok"].as_bool().unwrap_or(false);
    let models = if good("models") {
        Check::ok("models", text("models"))
    } else if health["models"]["broken"] == true {
        let fix = "put the file back or name another; `dossier model list`, `model add`, `model remove` and `model verify` work meanwhile";
        Check::fail("models", text("models"), fix)
    } else {
        Check::warn("models", text("models"), "register model files with `dossier model add`")
    };
    let index = if good("index") {
        Check::ok("index", text("index"))
    } else {
        Check::fail("index", text("index"), "run `dossier ingest`, or `dossier index rebuild`")
    };
    let log = if good("log") {
        Check::ok("log", text("log"))
    } else {
        Check::fail("log", text("log"), "no question is answered until the log can be written")
    };
    vec![models, index, log]
}
