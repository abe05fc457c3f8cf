use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;
use crate::config::{Config, Overrides};

/// A new data folder.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// Name of the first administrator
    #[arg(long, default_value = "admin")]
    admin: String,
    /// Read his password from the first line of stdin; else a random one is made and printed once
    #[arg(long)]
    password_stdin: bool,
}

pub(super) async fn run(overrides: Overrides, args: Args, out: &Output) -> Result<Exit, Failure> {
    let data = Config::load(&overrides)?.data;
    if data.join("catalog.sqlite").exists() {
        return Err(Failure::usage(format!("{} is a data folder already", data.display())));
    }
    make_folder(&data)?;
    let file = data.join("dossier.toml");
    if overrides.config.is_none() && !file.exists() {
        super::output::write_file(&file, Config::example().as_bytes())?;
    }
    let app = App::open(Config::load(&overrides)?).await?;
    let password = args.password_stdin.then(super::user::password_from_stdin).transpose()?;
    let chosen = super::user::Chosen::new(password);
    let actor = Actor::cli(rustix::process::geteuid().as_raw());
    app.users.create(&actor, &args.admin, &chosen.password, "admin", &[])?;
    chosen.show(&args.admin, out)?;
    app.close().await;
    out.note(format!(
        "Data folder {}. Name the folders to read in {} and start `dossier serve`.",
        data.display(),
        file.display()
    ));
    Ok(Exit::Done)
}

/// Makes a folder that only its owner may enter.
pub(super) fn make_folder(path: &Path) -> Result<(), Failure> {
    let fail = |e| Failure::failed(format!("cannot make {}: {e}", path.display()));
    std::fs::create_dir_all(path).map_err(fail)?;
    std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o700)).map_err(fail)
}
