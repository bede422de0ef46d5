//! `atlas-gt verify`: read every stored value again from its evidence, offline.

use super::print::{count, print_report, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::print_status;
use crate::report::store::Verified;
use crate::truth::{Store, seal};
use crate::workflow;

/// Derive every stored value again from its evidence, offline, and check every file of the store
///
/// Each value and what is said of how it was read are derived again; what cannot be is covered by a seal, a hash of the
/// record and its provenance. A record whose seal does not fit is named by every command, and scores nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt verify\n  atlas-gt verify --store out/twin --format json\n  atlas-gt verify --seal"
)]
pub(super) struct Args {
    /// Seal what an older version wrote without a seal: records whose values follow from their evidence, the logs, and what waits
    #[arg(long)]
    seal: bool,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let mut store = Store::read(&config.store)?.with_records()?;
    let mut result = workflow::verify(&store, &extractors)?;
    if args.seal {
        let sealed = seal(&config.store, &result.unsealed)?;
        let logs = if sealed.store { " and the logs" } else { "" };
        print_status(format_args!("sealed: {}{logs}", count(sealed.records, "record")));
        store = Store::read(&config.store)?;
        result = workflow::verify(&store, &extractors)?;
    }
    let exit = print_report(&shared, &config, &Verified { result: &result, store: store.dir() })?;
    Ok(exit.worst(quarantined(&result.quarantined)))
}
