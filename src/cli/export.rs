//! `atlas-gt export`: a store as tables for SQL, or as a folder of results.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::print::{Format, count, print, print_json, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::report::{layout, sqlite};
use crate::truth::Store;
use crate::workflow;

/// Write records, values, changes and looks as tables for SQL, or the records as a folder of results
///
/// Files are written anew and put in place whole; the store is only read.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt export --sqlite truth.db\n  sqlite3 truth.db \"SELECT question_id, field, old, new FROM changes WHERE kind = 'revision'\"\n  atlas-gt export --layout results out/results"
)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct Args {
    /// The SQLite file to write
    #[arg(long, value_name = "FILE", group = "what")]
    sqlite: Option<PathBuf>,
    /// The layout of the folder DIR
    #[arg(long, value_enum, group = "what", requires = "dir")]
    layout: Option<Layout>,
    /// The folder to write: new, empty, or of an earlier export
    #[arg(value_name = "DIR", conflicts_with = "sqlite")]
    dir: Option<PathBuf>,
    /// How to print what was written
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

/// How records lie in a folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// {question_id}/ground_truth/results.json
    Results,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings::default())?;
    let store = workflow::open_for_reading(&config.store)?;
    match (&args.sqlite, &args.dir) {
        (Some(file), _) => tables(&store, file, args.format)?,
        (None, Some(dir)) => folder(&store, dir, args.format)?,
        (None, None) => {}
    }
    Ok(quarantined(&store.quarantined()))
}

fn tables(store: &Store, file: &Path, format: Format) -> Result<()> {
    let written = sqlite::export(store, file)?;
    match format {
        Format::Json => print_json(&written)?,
        Format::Table => print(&format!(
            "{}: {}, {}, {}, {}\n",
            file.display(),
            count(written.records, "record"),
            count(written.values, "value"),
            count(written.changes, "change"),
            count(written.checks, "check"),
        )),
    }
    Ok(())
}

fn folder(store: &Store, dir: &Path, format: Format) -> Result<()> {
    let written = layout::export(store, dir)?;
    match format {
        Format::Json => print_json(&written)?,
        Format::Table => print(&format!(
            "{}: {}, {} written, {} left alone\n",
            dir.display(),
            count(written.records, "record"),
            count(written.written, "file"),
            count(written.others, "other question"),
        )),
    }
    Ok(())
}
