//! `atlas-gt verify`: read every stored value again from its evidence, offline.

use super::print::{Format, count, print, print_json, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::workflow;

/// Derive every stored value again from its stored evidence, without a network
#[derive(Debug, clap::Args)]
#[command(after_help = "Examples:\n  atlas-gt verify\n  atlas-gt verify --store out/twin --format json")]
pub(super) struct Args {
    /// How to print the result
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let store = workflow::open_for_reading(&config.store)?.with_records()?;
    let result = workflow::verify(&store, &extractors)?;
    match args.format {
        Format::Json => print_json(&result)?,
        Format::Table => {
            for doubt in &result.doubts {
                print(&format!("Q{} {}: {}\n", doubt.question_id, doubt.field, doubt.message));
            }
            if result.imported > 0 {
                let (what, have) = match result.imported {
                    1 => ("value", "has"),
                    _ => ("values", "have"),
                };
                print(&format!("{} imported {what} {have} no evidence of their own\n", result.imported));
            }
            let verdict = if result.exit() == Exit::Ok { "verified" } else { "NOT verified" };
            print(&format!(
                "{verdict}: {}, {} confirmed from their evidence, {} ({})\n",
                count(result.records, "record"),
                count(result.confirmed, "value"),
                count(result.doubts.len(), "doubt"),
                store.dir().display()
            ));
        }
    }
    Ok(result.exit().worst(quarantined(&result.quarantined)))
}
