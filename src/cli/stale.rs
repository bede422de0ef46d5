//! `atlas-gt stale`: which records are due for another look.

use super::print::{print_report, quarantined};
use super::settings::{self, Shared};
use crate::config::{Settings, StaleMonths};
use crate::error::{Exit, Result};
use crate::truth::Store;
use crate::workflow::{self, Clock};

/// List the records that are due for another look: nobody looked for too long, or the site brought out other data
///
/// A record is stale when the months of its kind of page are full since the last good look (`stale_months` of the
/// configuration, else 6), and whatever its age when it was read of an earlier release than the newest known one. Nothing
/// is visited; `atlas-gt refresh --stale` looks at just these records. Exit code 3 when any is stale.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt stale\n  atlas-gt stale --older-than 3\n  atlas-gt stale --site twin --format json"
)]
pub(super) struct Args {
    /// Months after which a record of any page is stale [default: `stale_months` of the configuration]
    #[arg(long, value_name = "MONTHS", value_parser = clap::value_parser!(u16).range(1..))]
    older_than: Option<u16>,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let stale_months = args.older_than.map(StaleMonths::all);
    let config = settings::resolve(&shared, Settings { stale_months, ..Settings::default() })?;
    let store = Store::read(&config.store)?.with_records()?;
    let report = workflow::stale::stale(&store, &config.stale_months, Clock::from_environment()?.now())?;
    quarantined(&report.quarantined);
    print_report(&shared, &config, &report)
}
