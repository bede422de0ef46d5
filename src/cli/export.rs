//! `atlas-gt export`: a store as tables for SQL, or as a folder of results.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::overwrite::Overwrite;
use super::print::{Format, count, print, print_json, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::manifest::Manifest;
use crate::report::{layout, output, sqlite};
use crate::truth::Store;
use crate::workflow;

/// Write records, values, changes and looks as tables for SQL, or the records as a folder of results
///
/// Files are written anew and put in place whole; the store is only read. The questions of a manifest are a table too
/// where one is named. A file that no export wrote is not replaced without --overwrite.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt export --sqlite truth.db\n  sqlite3 truth.db \"SELECT question_id, field, old, new FROM changes WHERE kind = 'revision'\"\n  atlas-gt export --sqlite truth.db --manifest manifests/atlas.json\n  atlas-gt export --layout results out/results"
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
    /// Manifest whose questions are written as a table
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
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
    let config = settings::resolve(&shared, Settings { manifest: args.manifest, ..Settings::default() })?;
    let manifest = match &config.manifest {
        Some(_) => {
            let extractors = workflow::extractors(&workflow::specs(&config)?)?;
            Some(settings::manifest(&config, &extractors)?)
        }
        None => None,
    };
    let store = Store::read(&config.store)?.with_records()?;
    args.overwrite.check_named(args.sqlite.as_deref(), output::TABLES)?;
    match (&args.sqlite, &args.dir) {
        (Some(file), _) => tables(&store, manifest.as_ref(), file, args.format)?,
        (None, Some(dir)) => folder(&store, dir, args.overwrite.is_asked(), args.format)?,
        (None, None) => {}
    }
    Ok(quarantined(&store.quarantined()))
}

fn tables(store: &Store, manifest: Option<&Manifest>, file: &Path, format: Format) -> Result<()> {
    let written = sqlite::export(store, manifest, file)?;
    match format {
        Format::Json => print_json(&written)?,
        Format::Table => print(&format!(
            "{}: {}, {}, {}, {}{}\n",
            file.display(),
            count(written.records, "record"),
            count(written.values, "value"),
            count(written.changes, "change"),
            count(written.checks, "check"),
            written.questions.map_or_else(String::new, |number| format!(", {}", count(number, "question"))),
        )),
    }
    Ok(())
}

fn folder(store: &Store, dir: &Path, overwrite: bool, format: Format) -> Result<()> {
    let written = layout::export(store, dir, overwrite)?;
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
