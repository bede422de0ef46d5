//! `atlas-gt gc`: drop evidence that no record, no pending reading and nothing under review refers to.

use serde_json::json;

use super::print::{Format, print, print_json, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::truth::Store;

/// Drop evidence that no record, no pending reading and nothing under review refers to
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  atlas-gt gc --dry-run\n  atlas-gt gc --store out/twin")]
pub(super) struct Args {
    /// Only say what would be dropped
    #[arg(long)]
    dry_run: bool,
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let mut store = Store::read(&config.store)?.with_content()?;
    let dropped = if args.dry_run {
        store.unreferenced()?
    } else {
        drop(store);
        store = Store::open_as_found(&config.store)?;
        store.collect_garbage()?
    };
    let bad = store.quarantined();
    match args.format {
        Format::Json => print_json(&json!({
            "dry_run": args.dry_run,
            "evidence": dropped.iter().map(ToString::to_string).collect::<Vec<_>>(),
            "quarantined": bad,
        }))?,
        Format::Table if !bad.is_empty() => print(&format!(
            "no evidence dropped: it is not known what the files that cannot be read refer to ({})\n",
            config.store.display()
        )),
        Format::Table => {
            let done = if args.dry_run { "would be dropped" } else { "dropped" };
            let pieces = if dropped.len() == 1 { "piece" } else { "pieces" };
            print(&format!("{} {pieces} of evidence {done} ({})\n", dropped.len(), config.store.display()));
        }
    }
    Ok(quarantined(&bad))
}
