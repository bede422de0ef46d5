//! `atlas-gt changelog`: what was replaced, and since when.

use clap::ValueEnum;

use super::print::{moment, print, print_json, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report;
use crate::truth::{Store, changelog};

/// Tell every value that was replaced, one line a value
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt changelog\n  atlas-gt changelog --since 2026-06-01 --format md"
)]
pub(super) struct Args {
    /// Only what was replaced on this day (UTC) or later
    #[arg(long, value_name = "DATE")]
    since: Option<String>,
    /// How to print it
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// How the changelog is printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Format {
    /// For people
    Table,
    /// For machines
    Json,
    /// For a pull request
    Md,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let since = args.since.as_deref().map(|text| moment(text, false)).transpose()?;
    let store = Store::read(&config.store)?.with_content()?;
    let lines = changelog::lines(&store, since)?;
    match args.format {
        Format::Json => print_json(&lines)?,
        Format::Md => print(&report::history::markdown(&lines)),
        Format::Table => print(&report::history::table(&lines)),
    }
    Ok(quarantined(&store.quarantined()))
}
