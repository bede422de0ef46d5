//! `atlas-gt lint`: finds mistakes in records, offline.

use std::collections::BTreeMap;
use std::path::PathBuf;

use clap::ValueEnum;

use super::import::{listed_questions, texts};
use super::manifest;
use super::print::{print_alone, print_with};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::external::Folder;
use crate::lint::{RULES, RuleSelection, Severity};
use crate::report::lint::Explained;
use crate::truth::Store;
use crate::workflow::{self, Asking, Clock};

/// Find mistakes in records before they score anything: wrong years, units, classifications, sums that do not add up
///
/// Reads a folder of another tool's records, or this tool's store, and visits no page. To silence a rule for one
/// record, put a file `lint.json` beside it: {"GT003b": "the reason"}. `--explain` describes a rule.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt lint results --questions eval_questions.json\n  atlas-gt lint --store out/twin --fail-on warning\n  atlas-gt lint results --rules GT003,GT006 --format sarif > lint.sarif\n  atlas-gt lint --explain GT005"
)]
pub(super) struct LintArgs {
    /// Folder of another tool's records: {id}/ground_truth/results.json or {id}/results.json [default: the store]
    #[arg(value_name = "DIR")]
    dir: Option<PathBuf>,
    /// The questions of the records [default: the manifest, for a store]
    #[arg(long, value_name = "FILE")]
    questions: Option<PathBuf>,
    /// Exit with code 3 if a finding is at least this severe
    #[arg(long, value_enum, default_value_t = FailOn::Error, value_name = "SEVERITY")]
    fail_on: FailOn,
    /// Apply only these rules: `GT005`, or `GT003` for all that start with it; comma-separated
    #[arg(long, value_name = "CODES")]
    rules: Option<RuleSelection>,
    /// Explain a rule: what it checks, how to fix it, and examples
    #[arg(long, value_name = "CODES")]
    explain: Option<RuleSelection>,
}

/// The lowest severity that fails the command.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum FailOn {
    /// Errors
    Error,
    /// Errors and warnings
    Warning,
    /// Nothing
    Never,
}

impl FailOn {
    const fn severity(self) -> Option<Severity> {
        match self {
            Self::Error => Some(Severity::Error),
            Self::Warning => Some(Severity::Warning),
            Self::Never => None,
        }
    }
}

pub(super) fn run(shared: Shared, args: LintArgs) -> Result<Exit> {
    if let Some(selection) = &args.explain {
        let rules = RULES.iter().filter(|rule| selection.has(rule.code));
        return print_alone(shared.format, &Explained { rules: rules.copied().copied().collect() });
    }
    let config = settings::resolve(&shared, Settings::default())?;
    let mut own = Vec::new();
    let folder = match &args.dir {
        Some(dir) => Folder::open(dir)?,
        None => {
            let store = Store::read(&config.store)?;
            let records = store.records()?;
            own.extend(
                records.filter_map(|one| Some((one.record.question_id.clone(), one.question()?.to_owned()))),
            );
            Folder::of_store(store)?
        }
    };
    let of_store = args.dir.is_none() && args.questions.is_none();
    let mut invocation =
        if of_store { settings::invocation_of_store(&config) } else { settings::invocation(&config) };
    let asking = match (&args.questions, &args.dir) {
        (Some(path), _) => {
            let questions = listed_questions(path)?.of_records(path, &folder)?;
            invocation = invocation.asking(texts(&questions));
            Asking::of(questions, &workflow::extractors(&config)?)
        }
        // a folder of another team has questions of its own
        (None, Some(_)) => {
            invocation = invocation.asking(BTreeMap::new());
            Asking::default()
        }
        (None, None) => {
            let extractors = workflow::extractors(&config)?;
            Asking::from(&manifest::read(&config, &extractors)?).or_as_stored(&own)
        }
    };
    let (rules, now) = (args.rules.unwrap_or_default(), Clock::from_environment()?.now());
    let mut found = workflow::lint(&folder, &asking, &rules, now);
    found.fail_on = args.fail_on.severity();
    print_with(shared.format, &invocation, &found)
}
