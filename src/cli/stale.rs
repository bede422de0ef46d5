//! `atlas-gt stale`: lists records that are due for a refresh.

use super::print::{print_of_store, quarantined};
use super::settings::{self, Shared};
use crate::config::{Settings, StaleMonths};
use crate::error::{Exit, Result};
use crate::truth::Store;
use crate::workflow::{self, Clock};

/// List records that are due for a refresh: too old, or read before the release that the site had when it was last read
///
/// A record is stale if its last successful reading is older than `stale_months` in the configuration (default 6), or
/// if it belongs to an older data release. No page is visited. `atlas-gt refresh --stale` refreshes exactly these
/// records. Exit code 3: at least one record is stale.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt stale\n  atlas-gt stale --older-than 3\n  atlas-gt stale --site twin --format json"
)]
pub(super) struct StaleArgs {
    /// Age in months at which any record is stale [default: `stale_months` of the configuration]
    #[arg(long, value_name = "MONTHS", value_parser = clap::value_parser!(u16).range(1..))]
    older_than: Option<u16>,
}

pub(super) fn run(shared: Shared, args: StaleArgs) -> Result<Exit> {
    let stale_months = args.older_than.map(StaleMonths::all);
    let config = settings::resolve(&shared, Settings { stale_months, ..Settings::default() })?;
    let store = Store::read(&config.store)?.with_records()?;
    let report = workflow::stale::stale(&store, &config.stale_months, Clock::from_environment()?.now())?;
    quarantined(&report.quarantined);
    print_of_store(&shared, &config, &report)
}
