//! `eval cost`: estimates the cost of each kind of run, from the manifest and the price list.

use std::path::PathBuf;

use clap::Args;

use super::eval_judge::prices;
use super::eval_output::Runs;
use super::manifest;
use super::print::print_alone;
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::eval::Costs;
use crate::scoring::prices::cost_table;
use crate::workflow::evaluate::{cost, history};
use crate::workflow::{self, Clock};

/// Print what a run would cost, by kind, and what the last seven days cost
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
}

pub(super) fn run(shared: &Shared, args: &CostArgs) -> Result<Exit> {
    let flags = Settings { manifest: args.manifest.clone(), ..args.runs.settings() };
    let config = settings::resolve(shared, flags)?;
    let manifest = manifest::read(&config, &workflow::extractors(&config)?)?;
    let rows = cost_table(&cost::run_types(&manifest)?, &prices(&config)?);
    let (lines, _) = history::read(&config.runs.join("history.jsonl"))?;
    let now = Clock::from_environment()?.now();
    let spend = cost::Spend::of(&lines, now);
    print_alone(shared.format, &Costs { runs: rows, spend })
}
