//! `atlas-gt verify`: derives every stored value again from its evidence, offline.

use super::print::{print_of_store, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::print_status;
use crate::truth::{Store, seal};
use crate::words::count;
use crate::workflow;

/// Derive every stored value again from its evidence, offline, and check every file in the store
///
/// Values that cannot be derived again are protected by a seal, a hash of the record and its provenance. Every command
/// reports a record with a broken seal, and that record scores nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt verify\n  atlas-gt verify --store out/twin --format json\n  atlas-gt verify --seal"
)]
pub(super) struct VerifyArgs {
    /// Seal files that have none, as an older version wrote them: records whose values follow from their evidence,
    /// logs, and pending readings; start a missing checks.jsonl anew
    #[arg(long)]
    seal: bool,
}

pub(super) fn run(shared: Shared, args: VerifyArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let extractors = workflow::extractors(&config)?;
    let store = Store::read(&config.store)?.with_records()?;
    let mut result = workflow::verify(&store, &extractors)?;
    if args.seal {
        let sealed = seal(&config.store, &result.unsealed)?;
        let logs = if sealed.store { " and the logs" } else { "" };
        let anew = if sealed.new_checks { "; checks.jsonl starts anew" } else { "" };
        print_status(format_args!("sealed: {}{logs}{anew}", count(sealed.records, "record")));
        result = workflow::verify(&Store::read(&config.store)?, &extractors)?;
    }
    let exit = print_of_store(&shared, &config, &result)?;
    Ok(exit.worst(quarantined(&result.quarantined)))
}
