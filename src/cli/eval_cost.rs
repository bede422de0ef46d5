//! `eval cost`: what kinds of runs cost, counted from the manifest and the price list.

use std::path::PathBuf;

use clap::Args;

use super::eval_judge::prices;
use super::eval_output::Runs;
use super::print::{Format, print, print_json};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report;
use crate::scoring::prices::cost_table;
use crate::workflow::evaluate::{cost, history};
use crate::workflow::{self, Clock};

/// Print what a run costs, by kind, and what the last seven days cost
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval cost\n  atlas-gt eval cost --manifest questions.json --format json"
)]
pub(super) struct CostArgs {
    /// The questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
    /// How to print
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: &Shared, args: &CostArgs) -> Result<Exit> {
    let flags = Settings { manifest: args.manifest.clone(), ..Settings::default() };
    let config = settings::resolve(shared, flags)?;
    let specs = workflow::specs(&config)?;
    let manifest = settings::manifest(&config, &workflow::extractors(&specs)?)?;
    let rows = cost_table(&cost::run_types(&manifest)?, &prices()?);
    let (lines, _) = history::read(&args.runs.folder.join("history.jsonl"))?;
    let now = Clock::from_environment()?.now();
    let spend = cost::Spend::of(&lines, now);
    match args.format {
        Format::Json => print_json(&serde_json::json!({ "runs": rows, "spend": spend }))?,
        Format::Table => print(&report::eval::costs(&rows, &spend)),
    }
    Ok(Exit::Ok)
}
