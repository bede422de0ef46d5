//! `atlas-gt import`: imports the records of another tool.

use std::path::{Path, PathBuf};

use super::choice::choice;
use super::manifest;
use super::print::{print, print_with, quarantined};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::external::{Folder, ListedQuestions};
use crate::report::import::RecordImport;
use crate::report::{self, Format, Items, print_status};
use crate::truth::{CommitRun, Site, SourceMethod, Store};
use crate::workflow::import::{ImportOrder, import};
use crate::workflow::{self, Clock};

/// Import records that another tool wrote
///
/// Each value is assigned to the data point whose meaning and context match. A value without a match keeps its own
/// name, and the report says why. A stronger or newer record is never overwritten, and a repeated import changes
/// nothing. Records count as readings of the live site unless --site says otherwise.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt import evaluation/results --questions evaluation/eval_questions.json --dry-run\n  atlas-gt import results --questions questions.json --store truth\n  atlas-gt import results --questions questions.json --format json > import.json"
)]
pub(super) struct ImportArgs {
    /// Folder that holds {id}/ground_truth/results.json or {id}/results.json, directly or under `results`
    dir: PathBuf,
    /// The questions of the records: a list or a manifest
    #[arg(long, value_name = "FILE")]
    questions: PathBuf,
    /// Manifest whose data points take the values; its questions are matched by text [default: the questions
    /// themselves]
    #[arg(long, value_name = "FILE")]
    manifest: Option<PathBuf>,
    /// Source of values whose record names none; the default never scores the GraphQL pipeline
    #[arg(long, value_parser = choice::<SourceMethod>(), value_name = "METHOD", default_value = "graphql_api")]
    assume: SourceMethod,
    /// Show what would happen to each record, and write nothing
    #[arg(long)]
    dry_run: bool,
}

pub(super) fn run(shared: Shared, args: ImportArgs) -> Result<Exit> {
    let folder = Folder::open(&args.dir)?;
    let questions = listed_questions(&args.questions)?.of_records(&args.questions, &folder)?;
    // records belong to the questions of their own list, unless a manifest is named
    let manifest = args.manifest.or_else(|| Some(args.questions.clone()));
    let flags = Settings { manifest, ..Settings::default() };
    let config = settings::resolve(&shared, flags)?;
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    let site = Site::of(&config.site);
    let store = match args.dry_run {
        false => Some(Store::open_at(&config.store, site, config.site.address())?),
        true => Store::find(&config.store)?,
    };
    if let Some(store) = &store {
        store.check(site, config.site.address())?;
    }
    let now = Clock::from_environment()?.now();
    let order = ImportOrder {
        folder: &folder,
        questions: &questions,
        manifest: &manifest,
        extractors: &extractors,
        site,
        assumed: args.assume,
        dry_run: args.dry_run,
        run: CommitRun { id: format!("import-{}", now.strftime("%Y%m%dT%H%M%SZ")), now, by: None },
    };
    let mut items = Items::new(shared.format, "records");
    let mut imported = RecordImport { store: config.store.display().to_string(), ..RecordImport::default() };
    imported.summary = import(&order, store.as_ref(), &mut |record| {
        imported.keep_for_review(record);
        print(&items.item(record)?);
        Ok(())
    })?;
    let exit = match shared.format {
        Format::Json | Format::Jsonl => {
            print(&items.end(&imported.summary)?);
            imported.summary.exit()
        }
        _ => print_with(shared.format, &settings::invocation(&config).asking(texts(&questions)), &imported)?,
    };
    let bad = store.map(|store| store.quarantined()).unwrap_or_default();
    Ok(exit.worst(quarantined(&bad)))
}

/// Reads another tool's questions. Its warnings go to stderr.
pub(super) fn listed_questions(path: &Path) -> Result<ListedQuestions> {
    let questions = ListedQuestions::read(path)?;
    for warning in &questions.warnings {
        print_status(format_args!("{}: warning: {warning}", path.display()));
    }
    Ok(questions)
}

/// The texts of another tool's questions.
pub(super) fn texts(questions: &ListedQuestions) -> report::QuestionTexts {
    let by_id = questions.by_id.iter();
    by_id.map(|(id, question)| (id.to_string(), question.text.clone())).collect()
}
