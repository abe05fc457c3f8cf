//! Runs a call on the data folder: through the server that owns it, else in this process.

use super::{Call, Exit, Failure, Output, control};
use crate::app::App;
use crate::audit::Actor;
use crate::config::Config;

pub(super) async fn run(config: Config, call: Call, out: &Output) -> Result<Exit, Failure> {
    let call = call.load_files()?;
    if let Some(result) = control::forward(&config.data, &call, out).await {
        return result;
    }
    let app = App::open(config).await?;
    let actor = Actor::cli(rustix::process::geteuid().as_raw());
    let result = call.run(&app, &actor, out).await;
    app.close().await;
    result
}
