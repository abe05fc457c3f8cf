//! Runs a call on the data folder: through the server that owns it, else in this process.

use std::sync::Arc;

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
        return Err(Failure::usage("stop the server, or the run that has the folder, first"));
    }
    if let Some(result) = control::forward(&config.data, &call, out).await {
        return result;
    }
    if let Call::Index(args) = &call {
        app::own(&config.data)?;
        args.prepare(&config.data)?;
    }
    let mut call = call;
    let mut opened = if call.needs_models() {
        App::open(config.clone()).await
    } else {
        App::open_plain(config.clone()).await
    };
    // The state of the rest is told where the models cannot be opened.
    if let (Err(error), Call::Health(args)) = (&opened, &mut call)
        && error.is_about_models()
    {
        args.problem = Some(error.to_string());
        opened = App::open_plain(config).await;
    }
    let app = match opened {
        Err(AppError::Audit(error)) if matches!(call, Call::Audit(audit::Args::Verify)) => {
            return audit::unopened(&error, out);
        }
        other => other?,
    };
    let app = Arc::new(app);
    // A run takes hours: others may pause and stop it, search and ask meanwhile.
    let control = matches!(call, Call::Ingest(_)).then(|| control::listen(app.clone())).transpose()?;
    let actor = Actor::cli(rustix::process::geteuid().as_raw());
    let result = call.run(&app, &actor, out).await;
    drop(control);
    app.close().await;
    result
}
