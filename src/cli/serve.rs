use std::sync::Arc;
use std::time::Duration;

use super::{Exit, Failure, Output, control};
use crate::app::App;
use crate::audit::{Actor, Event};
use crate::config::Config;

/// The web application.
#[derive(Debug, Default, clap::Args)]
pub(super) struct Args {
    /// Address and port to listen on, in place of the configured ones
    #[arg(long, value_name = "ADDR")]
    bind: Option<std::net::SocketAddr>,
}

/// Takes outgoing connections away from the server and all that it starts. Runs before any thread exists.
pub(super) fn close_outgoing_network() {
    match crate::worker::network::close() {
        Ok(layers) => tracing::info!(layers = layers.names().join(", "), "the way out is closed"),
        Err(error) => {
            tracing::warn!(%error, "outgoing connections are not forbidden by the kernel; use a firewall rule")
        }
    }
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
    for task in [refill, schedule, watch, checkpoints] {
        task.abort();
    }
    drop(control);
    app.audit.record(&Actor::system(), Event::ServerStop)?;
    app.close().await;
    result?;
    Ok(Exit::Done)
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
