use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use super::{Exit, Failure, Output, control};
use crate::app::App;
use crate::audit::{Actor, Event};
use crate::catalog::Catalog;
use crate::config::Config;
use crate::worker::{files, network};

/// How often the log is told of refused connections.
const REFUSALS_EVERY: Duration = Duration::from_secs(60);

/// The web application.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Address and port to listen on, in place of the configured ones
    #[arg(long, value_name = "ADDR")]
    bind: Option<std::net::SocketAddr>,
}

/// Takes outgoing connections away from the server and all that it starts. Runs before any thread exists.
pub(super) fn close_outgoing_network() {
    match network::close() {
        Ok(layers) => tracing::info!(layers = layers.names().join(", "), "the way out is closed"),
        Err(error) => {
            tracing::warn!(%error, "outgoing connections are not forbidden by the kernel; use a firewall rule")
        }
    }
}

/// Takes all files away from the server and all that it starts, except the data folder, what it reads and the programs
/// that it needs. Runs before any thread exists.
pub(super) fn close_files(config: &Config) {
    match places(config).and_then(|places| files::close(&places)) {
        Ok(held) => {
            tracing::info!(landlock = held, "files outside of the data folder and the sources are closed")
        }
        Err(error) => {
            tracing::warn!(%error, "files are not closed by the kernel; the server reads what its user may read")
        }
    }
}

/// Lets temporary files lie in the data folder: starts the program anew, as the same process, with that setting. Comes
/// back where it is in force already, or cannot be.
pub(super) fn keep_temporary_files_inside(config: &Config) {
    use std::os::unix::process::CommandExt as _;
    let folder = temporary(config);
    if std::env::temp_dir() == folder || !config.data.is_dir() {
        return;
    }
    // What an earlier process left there is nobody's, unless another server runs.
    if crate::app::own(&config.data).is_ok() {
        let _ = std::fs::remove_dir_all(&folder);
    }
    if let (Ok(()), Ok(program)) = (std::fs::create_dir_all(&folder), std::env::current_exe()) {
        let arguments = std::env::args_os().skip(1);
        let error = std::process::Command::new(program).args(arguments).env("TMPDIR", &folder).exec();
        tracing::warn!(%error, "temporary files stay outside of the data folder");
    }
}

fn temporary(config: &Config) -> PathBuf {
    config.data.join("tmp")
}

fn places(config: &Config) -> Result<files::Places, String> {
    let program = std::env::current_exe().map_err(|e| e.to_string())?;
    let mut readable: Vec<PathBuf> = config.sources.iter().map(|s| s.path.clone()).collect();
    readable.extend([config.file.clone(), config.models_dir.clone()]);
    readable.extend(config.sources.iter().filter_map(|s| s.rfi_columns.as_ref()).map(|m| m.path.clone()));
    let ocr = crate::app::text_recognition(config);
    readable.extend(ocr.data());
    for source in config.sources.iter().filter(|s| !s.path.exists()) {
        tracing::warn!(
            source = source.name,
            "its folder is not there; connect it and start the server again"
        );
    }
    let catalog = config.data.join("catalog.sqlite");
    if catalog.is_file() {
        let models = Catalog::open(&catalog).and_then(|c| c.models()).map_err(|e| e.to_string())?;
        readable.extend(models.into_iter().map(|model| PathBuf::from(model.path)));
    }
    let programs = [program, ocr.program].into_iter().chain(config.ingest.worker_program.clone());
    Ok(files::Places { data: config.data.clone(), readable, programs: programs.collect() })
}

pub(super) async fn run(config: Config, args: Args, out: &Output) -> Result<Exit, Failure> {
    let bind = args.bind.unwrap_or(config.server.bind);
    let app = Arc::new(App::open(config).await?);
    serve(app, bind, out).await
}

/// Serves on `bind` until a signal comes.
pub(super) async fn serve(app: Arc<App>, bind: std::net::SocketAddr, out: &Output) -> Result<Exit, Failure> {
    let listener = tokio::net::TcpListener::bind(bind).await.map_err(|e| {
        Failure::failed(format!(
            "cannot listen on {bind}: {e}; choose another address with server.bind or --bind"
        ))
    })?;
    let address = listener.local_addr()?;
    let start = Event::ServerStart {
        version: env!("CARGO_PKG_VERSION").to_owned(),
        device: app.engine.device.name.clone(),
        listen: vec![address.to_string()],
    };
    app.audit.record(&Actor::system(), start)?;
    let control = control::listen(app.clone())?;
    let refill = tokio::spawn(refill(app.clone()));
    let schedule = tokio::spawn(app.jobs.clone().schedule(Actor::system()));
    let watch = tokio::spawn(app.jobs.clone().watch_if_wanted(Actor::system()));
    let checkpoints = tokio::spawn(sign_hourly(app.clone()));
    let refusals = tokio::spawn(tell_refusals(app.clone()));
    if out.wants_json() {
        out.value(
            &serde_json::json!({ "address": format!("http://{address}/"), "device": app.engine.device.name }),
        )?;
    } else {
        out.line(format!("http://{address}/   computing on {}", app.engine.device.name));
    }
    let router = crate::web::router(app.clone());
    let service = router.into_make_service_with_connect_info::<std::net::SocketAddr>();
    let served = axum::serve(listener, service).with_graceful_shutdown(stop_signal());
    // Streams to readers who stay would hold the server up: they get ten seconds.
    let result = tokio::select! {
        result = served => result,
        () = async { stop_signal().await; tokio::time::sleep(Duration::from_secs(10)).await } => Ok(()),
    };
    for task in [refill, schedule, watch, checkpoints, refusals] {
        task.abort();
    }
    drop(control);
    refused(&app);
    app.audit.record(&Actor::system(), Event::ServerStop)?;
    app.close().await;
    result?;
    Ok(Exit::Done)
}

/// Tells the log every minute what was refused.
async fn tell_refusals(app: Arc<App>) {
    if !network::closed().is_some_and(|layers| layers.counted) {
        return;
    }
    // That none was refused is a figure, too.
    record_refused(&app, "all", 0);
    let mut minutes = tokio::time::interval(REFUSALS_EVERY);
    loop {
        minutes.tick().await;
        refused(&app);
    }
}

fn refused(app: &App) {
    for blocked in network::take_blocked() {
        record_refused(app, &blocked.what, blocked.count);
    }
}

fn record_refused(app: &App, what: &str, count: u64) {
    let event = Event::EgressBlocked {
        executable_sha256: None,
        destination: what.to_owned(),
        layer: "seccomp".to_owned(),
        count,
    };
    if let Err(error) = app.audit.record(&Actor::system(), event) {
        tracing::error!(%error, count, "refused connections could not be told to the log");
    }
}

async fn refill(app: Arc<App>) {
    if let Err(error) = app.jobs.refill(&Actor::system()).await {
        tracing::error!(%error, "the full-text index could not be filled anew; the next run does it");
    }
}

async fn sign_hourly(app: Arc<App>) {
    let mut hours = tokio::time::interval(Duration::from_secs(3600));
    loop {
        hours.tick().await;
        if let Err(error) = app.audit.checkpoint() {
            tracing::error!(%error, "the hourly checkpoint failed");
        }
    }
}

async fn stop_signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut interrupt), Ok(mut terminate)) =
        (signal(SignalKind::interrupt()), signal(SignalKind::terminate()))
    else {
        return std::future::pending().await;
    };
    tokio::select! { _ = interrupt.recv() => {}, _ = terminate.recv() => {} }
}
