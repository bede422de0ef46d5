//! `atlas-gt plan`: what a collection will cost, before the first request.

use std::path::PathBuf;

use super::print::print_report;
use super::settings::{self, Shared};
use super::site;
use crate::acquire::Rate;
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::selection::at_least_one;
use crate::workflow::{self, Means, RequestEstimates};

/// Estimate what a collection costs, without sending a request
///
/// For a page never visited, the estimate comes from its data points and is marked `~`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt plan\n  atlas-gt plan --manifest manifests/atlas.json --rate 60 --format json"
)]
pub(super) struct Args {
    /// The manifest of questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Browsers to run at a time [default: 2]
    #[arg(long, value_name = "N", env = "ATLAS_GT_SESSIONS")]
    sessions: Option<usize>,
    /// Requests per minute [default: 120, the site's limit]
    #[arg(long, value_name = "N", env = "ATLAS_GT_RATE")]
    rate: Option<u32>,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let flags =
        Settings { manifest: args.manifest, sessions: args.sessions, rate: args.rate, ..Settings::default() };
    let config = settings::resolve(&shared, flags)?;
    let extractors = workflow::extractors(&config)?;
    let manifest = settings::manifest(&config, &extractors)?;
    at_least_one(manifest.collected().count(), || {
        format!("{}: nothing would be collected, no question has a page", manifest.path.display())
    })?;
    let estimates = RequestEstimates::of(&config.site.to_string());
    let rate = Rate::new(config.rate);
    let plan = workflow::plan(
        &manifest,
        &manifest.entries,
        &extractors,
        Means {
            estimates: &estimates,
            rate: &rate,
            per_minute: config.rate,
            sessions: config.sessions,
            own_requests: site::own_requests(&config),
        },
    );
    print_report(&shared, &config, &plan)
}
