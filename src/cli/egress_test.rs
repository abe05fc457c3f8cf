//! Trying from inside of the processes whether anything gets out.
//!
//! The process at the terminal listens on this machine and starts three kinds of children that try to reach it:
//! one without a sandbox (what it cannot do tells nothing about the others), one closed like the server, one
//! closed like a reader. Where a server is running, it tries the same from inside itself. A refusal counts only
//! where the same attempt gets through outside.

use std::collections::BTreeMap;
use std::net::{TcpListener, UdpSocket};
use std::os::linux::net::SocketAddrExt as _;
use std::os::unix::net::{SocketAddr as UnixAddr, UnixListener};
use std::process::{Command, Stdio};
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use tempfile::TempDir;

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::{Actor, EgressTest, Event};
use crate::worker::files;
use crate::worker::network::{self, Outcome, Targets};
use crate::worker::sandbox;

/// Outcomes by attempt.
type Outcomes = BTreeMap<String, Outcome>;

/// Try from inside of every process whether anything gets out, and record the result.
#[derive(Debug, Clone, Default, clap::Args, Serialize, Deserialize)]
pub struct Args {
    #[arg(skip)]
    tried: Option<Tried>,
    #[arg(skip)]
    #[serde(skip)]
    open: Open,
}

/// What the attempts are made on: listeners and a folder. Lasts as long as the command.
#[derive(Debug, Clone, Default)]
struct Open(Option<Arc<Places>>);

type Places = (TcpListener, UdpSocket, Option<TcpListener>, Option<UdpSocket>, UnixListener, TempDir);

/// What the process at the terminal has found.
#[derive(Debug, Clone, Serialize, Deserialize)]
struct Tried {
    targets: Targets,
    control: Outcomes,
    inside: BTreeMap<String, Outcomes>,
    /// Layers that close a server on this kernel.
    layers: Vec<String>,
    /// True where a refused attempt is counted on this kernel.
    counted: bool,
}

/// What a child says.
#[derive(Debug, Default, Serialize, Deserialize)]
struct Answer {
    outcomes: Outcomes,
    layers: Vec<String>,
    /// True where one more attempt, made after the others, was counted.
    counted: bool,
}

/// A child that tries, from a sandbox or without one.
#[derive(Debug, Clone, clap::Args)]
pub(super) struct Probe {
    /// control, server, reader, or tcp for a single attempt
    inside: String,
    /// Targets as JSON, or an address
    targets: String,
}

impl Args {
    /// Listens, and lets the children try.
    pub(super) fn load(self) -> Result<Self, Failure> {
        let failed =
            |e: std::io::Error| Failure::failed(format!("the test cannot listen on this machine: {e}"));
        let (targets, open) = listen().map_err(failed)?;
        let control = probe("control", &targets)?.outcomes;
        let mut inside = BTreeMap::new();
        let server = probe("server", &targets)?;
        inside.insert("server".to_owned(), server.outcomes);
        inside.insert("reader".to_owned(), probe("reader", &targets)?.outcomes);
        Ok(Self {
            tried: Some(Tried { targets, control, inside, layers: server.layers, counted: server.counted }),
            open,
        })
    }
}

/// Opens the listeners and makes the foreign folder.
fn listen() -> std::io::Result<(Targets, Open)> {
    let tcp4 = TcpListener::bind("127.0.0.1:0")?;
    let udp4 = UdpSocket::bind("127.0.0.1:0")?;
    let tcp6 = TcpListener::bind("[::1]:0").ok();
    let udp6 = UdpSocket::bind("[::1]:0").ok();
    let name = format!("dossier-egress-test-{}", std::process::id());
    let unix = UnixListener::bind_addr(&UnixAddr::from_abstract_name(&name)?)?;
    let tcp = tcp4.local_addr()?;
    let folder = tempfile::tempdir()?;
    std::fs::write(folder.path().join("foreign"), b"dossier egress-test")?;
    let targets = Targets {
        tcp4: tcp,
        tcp6: tcp6.as_ref().and_then(|l| l.local_addr().ok()),
        udp4: udp4.local_addr()?,
        udp6: udp6.as_ref().and_then(|l| l.local_addr().ok()),
        r#abstract: name,
        folder: folder.path().to_owned(),
        child: (std::env::current_exe()?, vec!["egress-probe".into(), "tcp".into(), tcp.to_string()]),
    };
    Ok((targets, Open(Some(Arc::new((tcp4, udp4, tcp6, udp6, unix, folder))))))
}

/// Lets a child try. Its answer is one JSON object.
fn probe(inside: &str, targets: &Targets) -> Result<Answer, Failure> {
    let failed = |what: String| Failure::failed(format!("the test from inside of {inside:?} failed: {what}"));
    let output = Command::new(&targets.child.0)
        .args(["egress-probe", inside, &serde_json::to_string(targets)?])
        .stdin(Stdio::null())
        .output()
        .map_err(|e| failed(e.to_string()))?;
    let text = String::from_utf8_lossy(&output.stdout);
    serde_json::from_str(&text)
        .map_err(|_| failed(String::from_utf8_lossy(&output.stderr).trim().chars().take(300).collect()))
}

/// The child's part: runs before any thread is started.
pub(super) fn child(args: &Probe) -> Result<Exit, Failure> {
    let wrong = || Failure::usage("not started by the test");
    if args.inside == "tcp" {
        let target = args.targets.parse().map_err(|_| wrong())?;
        let code = match Outcome::from(network::tcp(target)) {
            Outcome::Reached => 0,
            Outcome::Refused => 13,
            Outcome::Unclear(_) => 1,
        };
        std::process::exit(code);
    }
    let targets: Targets = serde_json::from_str(&args.targets).map_err(|_| wrong())?;
    let layers = match args.inside.as_str() {
        "server" => as_server(&targets)?,
        "reader" => vec![sandbox::close(1 << 30).map_err(Failure::failed)?],
        _ => Vec::new(),
    };
    let outcomes = network::attempts(&targets);
    let counted = network::is_counting();
    let answer = serde_json::to_string(&Answer { outcomes, layers, counted })?;
    std::io::Write::write_all(&mut std::io::stdout(), answer.as_bytes())?;
    Ok(Exit::Done)
}

/// Closes this process like a server that has an empty data folder and no source.
fn as_server(targets: &Targets) -> Result<Vec<String>, Failure> {
    let data = targets.folder.join("data");
    std::fs::create_dir_all(&data)?;
    let places = files::Places { data, readable: Vec::new(), programs: vec![targets.child.0.clone()] };
    // Where the kernel has no Landlock, the attempts on files tell.
    let _ = files::close(&places);
    network::close().map_err(Failure::failed)?;
    Ok(layers())
}

/// What closes this process.
fn layers() -> Vec<String> {
    let files = files::closed().map(|held| format!("Landlock files ({held})"));
    network::closed().map(network::Layers::names).unwrap_or_default().into_iter().chain(files).collect()
}

pub(super) fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let Some(mut tried) = args.tried else { return Err(Failure::usage("the test begins at the terminal")) };
    // In the running server itself, if this is it.
    if network::closed().is_some() {
        tried.inside.insert("running server".to_owned(), network::attempts(&tried.targets));
    }
    let layers = if network::closed().is_some() { layers() } else { tried.layers.clone() };
    let count = |wanted: &dyn Fn(&str, &Outcome) -> bool| {
        let all = tried.inside.values().flat_map(|o| o.iter());
        all.filter(|(name, outcome)| controlled(&tried, name) && wanted(name, outcome)).count() as u64
    };
    let (attempts, refused) = (count(&|_, _| true), count(&|_, o| *o == Outcome::Refused));
    let controls = tried.control.values().filter(|o| **o == Outcome::Reached).count() as u64;
    let kernel = rustix::system::uname().release().to_string_lossy().into_owned();
    let event =
        Event::EgressTest { refused, attempts, controls, kernel: kernel.clone(), layers: layers.clone() };
    app.audit.record(actor, event)?;
    let date = jiff::Timestamp::now().to_zoned_datetime(app.config.report.zone()).date().to_string();
    let test = EgressTest { date, refused, attempts, kernel, layers };
    let file = serde_json::json!({ "test": test, "control": tried.control, "inside": tried.inside,
        "counted": tried.counted });
    app.audit.keep_egress_test(&serde_json::to_vec_pretty(&file)?)?;
    if out.wants_json() {
        out.value(&file)?;
    } else {
        lines(&tried, &test, out);
    }
    // The listeners last until here.
    let Open(places) = args.open;
    drop(places);
    Ok(if refused == attempts && attempts > 0 { Exit::Done } else { Exit::WithRejects })
}

/// True where the attempt gets through outside, so that a refusal inside says something.
fn controlled(tried: &Tried, name: &str) -> bool {
    tried.control.get(name) == Some(&Outcome::Reached)
}

fn lines(tried: &Tried, test: &EgressTest, out: &Output) {
    for (process, outcomes) in &tried.inside {
        for (name, outcome) in outcomes {
            let word = match outcome {
                Outcome::Refused if controlled(tried, name) => "refused".to_owned(),
                Outcome::Refused => "refused, but it does not get through outside either".to_owned(),
                Outcome::Reached => "GOT THROUGH".to_owned(),
                Outcome::Unclear(why) => format!("nothing is known: {why}"),
            };
            out.line(format!("{process:<16} {name:<18} {word}"));
        }
    }
    let counted = if tried.counted { "is counted" } else { "is not counted on this kernel" };
    out.line(format!("a connection that the server is refused {counted}"));
    let layers = if test.layers.is_empty() { "none".to_owned() } else { test.layers.join(", ") };
    out.line(format!(
        "{} of {} refused; Linux {}; layers: {layers}",
        test.refused, test.attempts, test.kernel
    ));
}
