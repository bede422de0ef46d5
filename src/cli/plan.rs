//! `atlas-gt plan`: estimates the cost of a collection, before the first request.

use super::manifest;
use super::print::print_report;
use super::selected::Selected;
use super::settings::{self, Shared};
use super::site;
use super::visiting::Pace;
use crate::acquire::Rate;
use crate::error::{Exit, Result};
use crate::workflow::{self, Means, RequestEstimates};

/// Estimate what a collection costs, without sending a request
///
/// For a page never visited, the estimate comes from its data points and is marked `~`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt plan\n  atlas-gt plan --questions 61-65\n  atlas-gt plan --manifest manifests/atlas.json --rate 60 --format json"
)]
pub(super) struct PlanArgs {
    #[command(flatten)]
    selected: Selected,
    #[command(flatten)]
    pace: Pace,
}

pub(super) fn run(shared: Shared, args: PlanArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, args.pace.settings())?;
    let extractors = workflow::extractors(&config)?;
    let mut manifest = manifest::read(&config, &extractors)?;
    args.selected
        .narrow(&mut manifest, || "nothing would be collected, no selected question has a page".to_owned())?;
    let estimates = RequestEstimates::of(&config.site.to_string());
    let rate = Rate::new(config.rate);
    let mut plan = workflow::plan(
        &manifest,
        &extractors,
        Means {
            estimates: &estimates,
            rate: &rate,
            per_minute: config.rate,
            sessions: config.sessions,
            own_requests: site::own_requests(&config),
        },
    );
    plan.selection = args.selected.flags();
    print_report(&shared, &config, &plan)
}
