//! `atlas-gt changelog`: prints replaced values.

use super::print::{moment, print_of_store, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::ChangelogReport;
use crate::truth::{Store, changelog};

/// Print every value that was replaced, one per line
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt changelog\n  atlas-gt changelog --since 2026-06-01 --format md"
)]
pub(super) struct ChangelogArgs {
    /// Only values replaced on this day (UTC) or later
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
}

pub(super) fn run(shared: Shared, args: ChangelogArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let since = args.since.as_deref().map(|text| moment(text, false)).transpose()?;
    let store = Store::read(&config.store)?.with_content()?;
    let changes = changelog::replaced(&store, since)?;
    let exit = print_of_store(&shared, &config, &ChangelogReport { changes })?;
    Ok(exit.worst(quarantined(&store.quarantined())))
}
