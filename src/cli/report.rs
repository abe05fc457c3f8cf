use std::path::PathBuf;

use ingest::Language;
use serde::{Deserialize, Serialize};

use super::{Exit, Failure, Output};
use crate::app::App;
use crate::audit::Actor;

/// The one-page sheet.
#[derive(Debug, Clone, clap::Args, Serialize, Deserialize)]
pub struct Args {
    /// First day, YYYY-MM-DD
    #[arg(long, value_name = "D")]
    pub from: String,
    /// Last day, YYYY-MM-DD
    #[arg(long, value_name = "D")]
    pub to: String,
    /// de, fr, it or en
    #[arg(long, value_name = "L", default_value = "de")]
    pub lang: String,
    /// Where to write the PDF
    #[arg(short = 'o', long = "output", value_name = "FILE")]
    pub output: PathBuf,
    /// Where to write the annex (ZIP): events, proofs, lists of models and libraries, and how to check them
    #[arg(long, value_name = "FILE")]
    pub annex: Option<PathBuf>,
}

impl Args {
    /// Whether the sheet can be written where it is wanted. The audit log takes it for handed out once it is made.
    ///
    /// # Errors
    /// It cannot.
    pub(super) fn check_output(self) -> Result<Self, Failure> {
        super::output::can_write(&self.output)?;
        if let Some(annex) = &self.annex {
            super::output::can_write(annex)?;
        }
        Ok(self)
    }
}

pub(super) async fn run(app: &App, actor: &Actor, args: Args, out: &Output) -> Result<Exit, Failure> {
    let language = Language::parse(&args.lang).ok_or_else(|| {
        Failure::usage(format!("no sheet in {:?}; languages are de, fr, it, en", args.lang))
    })?;
    let zone = app.config.report.zone();
    let (start, end) =
        (super::audit::day_start(&args.from, 0, &zone)?, super::audit::day_start(&args.to, 1, &zone)?);
    super::audit::in_order(start, end)?;
    let sheet = app.report(actor, start, end, language)?;
    out.file(args.output.clone(), &sheet.pdf);
    let annex = args.annex.map(|path| -> Result<_, Failure> {
        let packed = app.annex(actor, &sheet, language)?;
        out.file(path.clone(), &packed.bytes);
        Ok((path, packed.sha256))
    });
    let annex = annex.transpose()?;
    if out.wants_json() {
        let annex = annex.map(|(path, sha256)| serde_json::json!({ "file": path, "sha256": sha256 }));
        out.value(&serde_json::json!({
            "file": args.output,
            "sha256": sheet.sha256,
            "figures": sheet.figures,
            "annex": annex,
        }))?;
    } else {
        out.line(format!("{}  SHA-256 {}", args.output.display(), sheet.sha256));
        if let Some((path, sha256)) = annex {
            out.line(format!("{}  SHA-256 {sha256}", path.display()));
        }
    }
    Ok(Exit::Done)
}
