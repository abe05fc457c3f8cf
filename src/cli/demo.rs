//! The demo: the sample project in a data folder of its own, ingested and served.
//!
//! Every step looks whether its work is done already, so that a stopped demo goes on where it was.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use super::{Exit, Failure, Output, init, model, serve};
use crate::app::App;
use crate::audit::Actor;
use crate::catalog::{ModelRole, ModelRow};
use crate::config::{Config, Overrides};
use crate::jobs::RunOptions;

/// The demo.
#[derive(Debug, clap::Args)]
pub(super) struct Args {
    /// The sample project
    #[arg(long, value_name = "DIR", default_value = "tests/testdata/sample")]
    sample: PathBuf,
    /// Address and port to listen on
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1:7420")]
    bind: std::net::SocketAddr,
    /// Build and ingest, and do not start the server
    #[arg(long)]
    prepare: bool,
}

const USER: &str = "demo";
const GROUP: &str = "planer";

/// The demo's configuration. What the sheet says of the firm is as fictional as the sample project.
const CONFIG: &str = r#"# Written anew at every `dossier demo`.
[[source]]
name = "beispiel"
path = SAMPLE
project = "Schulhaus Rosenmatt"
exclude = ["README.md", "questions*.jsonl"]

[report]
firm = "Beispielbüro AG (fiktiv)"
controller = "Geschäftsleitung"
contact = "datenschutz@beispiel.example"
purpose = "Suche in Projektunterlagen"
classification = "Suche in Projektakten, keine Bewertung von Personen"
excluded_uses = "Personalauswahl, Beurteilung von Mitarbeitenden"
data_categories = "Namen und Funktionen in Protokollen, RFI und E-Mails"
persons = "Projektbeteiligte"
storage_place = "dieser Rechner"
"#;

pub(super) async fn run(mut overrides: Overrides, args: Args, out: &Output) -> Result<Exit, Failure> {
    let began = Instant::now();
    let data = match &overrides.data {
        Some(data) => data.clone(),
        None => Config::load(&overrides)?.data.with_file_name("dossier-demo"),
    };
    overrides.data = Some(data.clone());
    init::make_folder(&data)?;
    write_config(&data, &args.sample)?;
    let config = Config::load(&overrides)?;
    let catalog = crate::catalog::Catalog::open(&data.join("catalog.sqlite"))?;
    let registered = register_models(&catalog, &config, out)?;
    drop(catalog);
    let app = Arc::new(App::open_with(config, &registered).await?);
    for model in &registered {
        model::changed(&app, &actor(), model, true)?;
    }
    ingest(&app, out).await?;
    // After the long step: a demo that is stopped in it has not yet made a password that nobody saw.
    let login = sample_user(&app)?;
    allow(&app)?;
    let seconds = began.elapsed().as_secs_f64();
    if args.prepare {
        out.note(format!("Prepared after {seconds:.1} s. `make demo` starts the server."));
        sign_in(login, &data, out);
        app.close().await;
        return Ok(Exit::Done);
    }
    out.note(format!("Ready after {seconds:.1} s. Stop with Ctrl-C; `make demo` starts it again."));
    out.line(format!("Address   http://{}/", args.bind));
    sign_in(login, &data, out);
    serve::serve(app, args.bind, out).await
}

/// How to sign in; a new password is shown here and nowhere else.
fn sign_in(password: Option<String>, data: &Path, out: &Output) {
    match password {
        Some(password) => out.line(format!("Sign in   {USER}   password {password}   (shown this once)")),
        None => out.line(format!(
            "Sign in   {USER}   with the password shown at the first start; \
             `dossier --data {} user password {USER}` gives a new one",
            data.display()
        )),
    }
}

fn write_config(data: &Path, sample: &Path) -> Result<(), Failure> {
    let sample = std::fs::canonicalize(sample).map_err(|e| {
        Failure::failed(format!(
            "the sample project {} is not there: {e}; run the demo in the project's folder",
            sample.display()
        ))
    })?;
    let text = CONFIG.replace("SAMPLE", &format!("{:?}", sample.display().to_string()));
    super::output::write_file(&data.join("dossier.toml"), text.as_bytes())
}

/// Registers the two small models, converting the embedding model the first time.
/// Gives those that were not registered before.
fn register_models(
    catalog: &crate::catalog::Catalog,
    config: &Config,
    out: &Output,
) -> Result<Vec<ModelRow>, Failure> {
    let mut registered = Vec::new();
    let known = catalog.models()?;
    let has = |role: ModelRole| known.iter().any(|m| m.role == role && Path::new(&m.path).exists());
    if !has(ModelRole::Embed) {
        let source = wanted(&config.models_dir, "e5-small-q4.bin")?;
        out.note("Converting the embedding model to GGUF …");
        registered.push(model::import(&source, &model::default_target(&config.data))?);
    }
    if !has(ModelRole::Answer) {
        let file = wanted(&config.models_dir, "SmolLM2-135M-Instruct.Q4_1.gguf")?;
        let row = model::inspect(
            &file,
            Some(ModelRole::Answer),
            &["en".to_owned()],
            Some("Apache-2.0".to_owned()),
        )?;
        registered.push(row);
    }
    registered.iter().try_for_each(|row| model::register(catalog, row))?;
    Ok(registered)
}

fn wanted(folder: &Path, name: &str) -> Result<PathBuf, Failure> {
    let path = folder.join(name);
    if path.is_file() {
        return Ok(path);
    }
    Err(Failure::failed(format!("{} is not there; run `make models`", path.display())))
}

fn sample_user(app: &App) -> Result<Option<String>, Failure> {
    if app.users.find(USER)?.is_some() {
        return Ok(None);
    }
    let password = crate::auth::random_password();
    app.users.create(&actor(), USER, &password, "admin", &[GROUP.to_owned()])?;
    Ok(Some(password))
}

async fn ingest(app: &App, out: &Output) -> Result<(), Failure> {
    let progress = out.clone();
    let options = RunOptions { source: None, dry_run: false };
    let summary = app.jobs.run(&actor(), &options, move |step| progress.progress(&step)).await?;
    for rejected in &summary.rejected {
        out.note(format!("rejected  {}: {}", rejected.path, rejected.reason));
    }
    summary.to_string().lines().for_each(|line| out.note(line));
    Ok(())
}

/// The sample user's group sees the sample project.
fn allow(app: &App) -> Result<(), Failure> {
    for project in app.catalog.projects(&app.catalog.all_scope()?)? {
        app.users.grant(&actor(), project.id, GROUP)?;
    }
    Ok(())
}

fn actor() -> Actor {
    Actor::cli(rustix::process::geteuid().as_raw())
}
