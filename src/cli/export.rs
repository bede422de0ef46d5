//! `atlas-gt export`: exports a store as SQL tables, or as a folder of results.

use std::path::PathBuf;

use clap::ValueEnum;

use super::eval_output::Runs;
use super::flags::Overwrite;
use super::manifest;
use super::print::{print_report, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::evaluate::StoredQuestions;
use crate::report::export::{Exported, WrittenExport};
use crate::report::{layout, output, sqlite};
use crate::truth::Store;
use crate::workflow;

/// Export store, runs and spot checks as SQL tables or CSV, or the records as a folder of results
///
/// The export never changes the store, and files are replaced atomically. With --manifest, the questions become a table
/// too. A file that no export wrote is replaced only with --overwrite.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt export --sqlite truth.db\n  sqlite3 truth.db \"SELECT question_id, field, old, new FROM changes WHERE kind = 'revision'\"\n  atlas-gt export --sqlite truth.db --manifest manifests/atlas.json\n  atlas-gt export --csv out/tables --runs runs\n  atlas-gt export --layout results out/results"
)]
#[command(group = clap::ArgGroup::new("what").required(true))]
pub(super) struct ExportArgs {
    /// The SQLite file to write
    #[arg(long, value_name = "FILE", group = "what")]
    sqlite: Option<PathBuf>,
    /// The folder to write the tables into as CSV files
    #[arg(long, value_name = "DIR", group = "what")]
    csv: Option<PathBuf>,
    /// The layout of the folder DIR
    #[arg(long, value_enum, group = "what", requires = "dir")]
    layout: Option<Layout>,
    /// Output folder: new, empty, or from an earlier export
    #[arg(value_name = "DIR", conflicts_with_all = ["sqlite", "csv"])]
    dir: Option<PathBuf>,
    /// Manifest whose questions become a table
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
    /// Folder of the spot-check reports, one subfolder each
    #[arg(long, value_name = "DIR", default_value = "out/spot_checks")]
    spot_checks: PathBuf,
    #[command(flatten)]
    overwrite: Overwrite,
}

/// The layout of a results folder.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Layout {
    /// {question_id}/ground_truth/results.json
    Results,
}

pub(super) fn run(shared: Shared, args: ExportArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings { manifest: args.manifest, ..args.runs.settings() })?;
    let manifest = match &config.manifest {
        Some(_) => {
            let extractors = workflow::extractors(&config)?;
            Some(manifest::read(&config, &extractors)?)
        }
        None => None,
    };
    let store = Store::read(&config.store)?.with_records()?;
    if let Some(manifest) = &manifest {
        // tables are joined by question id
        StoredQuestions::new(&store).check(manifest.questions())?;
    }
    args.overwrite.check_named(args.sqlite.as_deref(), output::TABLES)?;
    if let Some(place) = args.sqlite.as_ref().or(args.csv.as_ref()) {
        output::outside_store(place, store.dir())?;
    }
    let (runs, spot_checks) = (&config.runs, &args.spot_checks);
    let source = sqlite::TableSource { store: &store, manifest: manifest.as_ref(), runs, spot_checks };
    let exported = match (&args.sqlite, &args.csv, &args.dir) {
        (Some(file), ..) => {
            Exported { written: WrittenExport::Tables(sqlite::export(source, file)?), place: file }
        }
        (_, Some(dir), _) => {
            std::fs::create_dir_all(dir).map_err(Error::named(dir))?;
            let written = sqlite::export_csv(source, dir, args.overwrite.is_asked())?;
            Exported { written: WrittenExport::Tables(written), place: dir }
        }
        (.., Some(dir)) => {
            let written = layout::export(&store, dir, args.overwrite.is_asked())?;
            Exported { written: WrittenExport::Folder(written), place: dir }
        }
        (None, None, None) => {
            return Err(Error::Usage("name what to export: --sqlite, --csv or --layout".to_owned()));
        }
    };
    let exit = print_report(&shared, &config, &exported)?;
    Ok(exit.worst(quarantined(&store.quarantined())))
}
