//! Runs a call on the data folder: through the server that owns it, else in this process.

use super::{Call, Exit, Failure, Output, audit, control};
use crate::app::{self, App, AppError};
use crate::audit::Actor;
use crate::config::Config;

pub(super) async fn run(config: Config, call: Call, out: &Output) -> Result<Exit, Failure> {
    if let Some(result) = call.alone(out) {
        return result;
    }
    let call = call.load_files()?;
    if call.needs_a_stopped_server() && control::is_served(&config.data).await {
        return Err(Failure::usage("stop the server first; this cannot be done while it runs"));
    }
    if let Some(result) = control::forward(&config.data, &call, out).await {
        return result;
    }
    if let Call::Index(args) = &call {
        app::own(&config.data)?;
        args.prepare(&config.data)?;
    }
    let opened = if call.needs_models() { App::open(config).await } else { App::open_plain(config).await };
    let app = match opened {
        Err(AppError::Audit(error)) if matches!(call, Call::Audit(audit::Args::Verify)) => {
            return audit::unopened(&error, out);
        }
        other => other?,
    };
    let actor = Actor::cli(rustix::process::geteuid().as_raw());
    let result = call.run(&app, &actor, out).await;
    app.close().await;
    result
}
