//! `atlas-gt gc`: deletes evidence that no record, pending reading or review refers to.

use super::print::{print_of_store, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::store::Garbage;
use crate::truth::Store;

/// Delete evidence that no record, pending reading or review refers to
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  atlas-gt gc --dry-run\n  atlas-gt gc --store out/twin")]
pub(super) struct GcArgs {
    /// Show what would be deleted, and delete nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(shared: Shared, args: GcArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let mut store = Store::read(&config.store)?.with_content()?;
    let dropped = if args.dry_run {
        store.unreferenced()?
    } else {
        drop(store);
        store = Store::open_as_found(&config.store)?;
        store.collect_garbage()?
    };
    let quarantine = store.quarantined();
    let garbage = Garbage {
        dry_run: args.dry_run,
        evidence: dropped.iter().map(ToString::to_string).collect(),
        quarantined: quarantine.clone(),
        store: &config.store,
    };
    let exit = print_of_store(&shared, &config, &garbage)?;
    Ok(exit.worst(quarantined(&quarantine)))
}
