//! The command line: one file per subcommand, one [`Call`] for everything that needs the data folder.
//!
//! A call is the same whether this process owns the data folder or a running server does: without a
//! server it runs here, with one it travels over the control socket (`control.rs`) and its output comes
//! back frame by frame.

mod ask;
mod audit;
mod bench;
mod call;
mod control;
mod demo;
mod detect;
mod doctor;
mod egress_test;
mod eval;
mod extract;
mod form;
mod health;
mod history;
mod in_person;
mod index;
mod ingest;
mod init;
mod local;
mod model;
mod output;
mod privacy;
mod project;
mod report;
mod retention;
mod sbom;
mod search;
mod serve;
mod usage;
mod user;

use std::path::PathBuf;

use clap::{Parser, Subcommand};

pub use call::Call;
pub use in_person::InPerson;
pub use output::{Exit, Failure, Frame, Output};

use crate::config::{Config, Overrides};

/// Private document search for architecture and engineering firms.
#[derive(Debug, Parser)]
#[command(name = "dossier", version, max_term_width = 100)]
pub struct Cli {
    /// Configuration file [default: $DOSSIER_CONFIG, else DATA/dossier.toml]
    #[arg(long, global = true, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Data folder [default: $DOSSIER_DATA, else ~/.local/share/dossier]
    #[arg(long, global = true, value_name = "DIR")]
    data: Option<PathBuf>,
    /// Print JSON on stdout, one value or one a line; progress and logs as JSON Lines on stderr
    #[arg(long, global = true)]
    json: bool,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Build a data folder from the sample project, ingest it and start the server
    Demo(demo::Args),
    /// Make a data folder and the first administrator
    Init(init::Args),
    /// Run the web application and the nightly schedule
    Serve(serve::Args),
    /// Say what computes, and check hardware, models, sandbox, index and log
    Doctor(doctor::Args),
    /// Show what the reader makes of one file, without touching the index
    Extract(extract::Args),
    /// Measure the language model and the embeddings on this machine
    #[command(subcommand)]
    Bench(bench::Args),
    #[command(flatten)]
    Call(Call),
    /// The sandboxed reader process; started by the product itself
    #[command(hide = true)]
    Worker,
    /// One of the processes that try whether anything gets out; started by `egress-test`
    #[command(hide = true)]
    EgressProbe(egress_test::Probe),
}

/// Parses the command line and does what it says. The first value says whether JSON is wanted; a
/// [`Failure`] carries the exit code.
pub fn run() -> (bool, Result<Exit, Failure>) {
    match Cli::try_parse() {
        Ok(cli) => (cli.json, start(cli)),
        Err(error) => {
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Done };
            let printed = error.print();
            let fail = |e| Failure::failed(format!("cannot write to the terminal: {e}"));
            (false, printed.map(|()| exit).map_err(fail))
        }
    }
}

fn start(cli: Cli) -> Result<Exit, Failure> {
    if matches!(cli.command, Command::Worker) {
        crate::worker::child_main().map_err(|e| Failure::failed(format!("reader process: {e}")))?;
        return Ok(Exit::Done);
    }
    if let Command::EgressProbe(probe) = &cli.command {
        return egress_test::child(probe);
    }
    let overrides = Overrides { config: cli.config, data: cli.data };
    // A configuration that cannot be read is told of by the command itself.
    let filter = Config::load(&overrides).map_or_else(|_| Config::DEFAULT_LOG.to_owned(), |c| c.log);
    output::start_logging(cli.json, &filter);
    if matches!(cli.command, Command::Serve(_))
        && let Ok(config) = Config::load(&overrides)
    {
        serve::keep_temporary_files_inside(&config);
        serve::close_files(&config);
    }
    if matches!(cli.command, Command::Serve(_) | Command::Demo(_)) {
        serve::close_outgoing_network();
    }
    tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|e| Failure::failed(format!("cannot start threads: {e}")))?
        .block_on(dispatch(cli.command, overrides, cli.json))
}

async fn dispatch(command: Command, overrides: Overrides, json: bool) -> Result<Exit, Failure> {
    let out = Output::terminal(json);
    let result = match command {
        Command::Demo(args) => demo::run(overrides, args, &out).await,
        Command::Init(args) => init::run(overrides, args, &out).await,
        Command::Worker | Command::EgressProbe(_) => Ok(Exit::Done),
        other => match Config::load(&overrides) {
            Ok(config) => with_config(config, other, &out).await,
            Err(error) => Err(error.into()),
        },
    };
    let printed = out.finish().await;
    result.and_then(|exit| printed.map(|()| exit))
}

async fn with_config(config: Config, command: Command, out: &Output) -> Result<Exit, Failure> {
    match command {
        Command::Serve(args) => serve::run(config, args, out).await,
        Command::Doctor(args) => doctor::run(config, args, out).await,
        Command::Extract(args) => extract::run(config, args, out).await,
        Command::Bench(args) => bench::run(config, args, out).await,
        Command::Call(Call::Eval(args)) if args.sets.is_some() => eval::sets(&config, &args, out).await,
        Command::Call(call) => local::run(config, call, out).await,
        Command::Demo(_) | Command::Init(_) | Command::Worker | Command::EgressProbe(_) => Ok(Exit::Done),
    }
}
