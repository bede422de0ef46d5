//! `atlas-gt export`: a store as tables for SQL.

use std::path::PathBuf;

use super::print::{Format, count, print, print_json};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::sqlite;
use crate::workflow;

/// Write records, values, changes and looks as tables for SQL
///
/// The file is written anew and put in place whole; the store is only read. The questions of a manifest are a table too
/// where one is named.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt export --sqlite truth.db\n  sqlite3 truth.db \"SELECT question_id, field, old, new FROM changes WHERE kind = 'revision'\"\n  atlas-gt export --sqlite truth.db --manifest manifests/atlas.json"
)]
pub(super) struct Args {
    /// The SQLite file to write
    #[arg(long, value_name = "FILE")]
    sqlite: PathBuf,
    /// Manifest whose questions are written beside the records
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// How to print what was written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings { manifest: args.manifest, ..Settings::default() })?;
    let manifest = match &config.manifest {
        Some(_) => {
            let extractors = workflow::extractors(&workflow::specs(&config)?)?;
            Some(settings::manifest(&config, &extractors)?)
        }
        None => None,
    };
    let store = workflow::open_for_reading(&config.store)?;
    let written = sqlite::export(&store, manifest.as_ref(), &args.sqlite)?;
    match args.format {
        Format::Json => print_json(&written)?,
        Format::Table => print(&format!(
            "{}: {}, {}, {}, {}{}\n",
            args.sqlite.display(),
            count(written.records, "record"),
            count(written.values, "value"),
            count(written.changes, "change"),
            count(written.checks, "check"),
            written.questions.map_or_else(String::new, |number| format!(", {}", count(number, "question"))),
        )),
    }
    Ok(Exit::Ok)
}
