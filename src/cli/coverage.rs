//! `atlas-gt coverage`: shows which questions have truth, what is missing, and how to close each
//! gap.

use std::path::{Path, PathBuf};

use clap::ValueEnum;

use super::flags::Overwrite;
use super::manifest;
use super::print::{print_report, quarantined, written};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::report::{Format, output, print_status};
use crate::truth::Store;
use crate::workflow::coverage::{CommandFlags, Goal, coverage};
use crate::workflow::{self, Clock};

/// Show which questions have truth and from which source, and the command that closes each gap
///
/// A question has truth if one of its values may score at least one pipeline. Questions with an expected behavior need
/// none and are counted separately. Exit code 3 only with `--fail-on`.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt coverage\n  atlas-gt coverage --site twin --report out/coverage_twin\n  atlas-gt coverage --fail-on targets\n  atlas-gt coverage --fail-on truth,query-types --format json"
)]
pub(super) struct CoverageArgs {
    /// The questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Write coverage_report.json and coverage_report.md into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    /// Exit with code 3 if one of these targets is not met
    #[arg(long, value_enum, value_name = "TARGETS", value_delimiter = ',')]
    fail_on: Vec<Gate>,
}

/// A target for `--fail-on`.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
enum Gate {
    /// All of them
    Targets,
    /// 90 % of the questions have truth
    Truth,
    /// 30 % of the truth is browser-verified
    Browser,
    /// Every category has 3 questions
    Categories,
    /// Every query type has a question
    QueryTypes,
}

impl Gate {
    const fn goals(self) -> &'static [Goal] {
        match self {
            Self::Targets => &[Goal::Truth, Goal::Browser, Goal::Categories, Goal::QueryTypes],
            Self::Truth => &[Goal::Truth],
            Self::Browser => &[Goal::Browser],
            Self::Categories => &[Goal::Categories],
            Self::QueryTypes => &[Goal::QueryTypes],
        }
    }
}

pub(super) fn run(shared: Shared, args: CoverageArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings { manifest: args.manifest, ..Settings::default() })?;
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    let store = Store::read(&config.store)?;
    settings::note_other_numbers(&store, &manifest);
    let invocation = settings::invocation(&config);
    let flags =
        CommandFlags { shared: invocation.flags().to_owned(), manifest: invocation.manifest().to_owned() };
    let files = args.report.as_deref().map(|folder| files(folder, args.overwrite)).transpose()?;
    let mut found = coverage(&store, &manifest, &extractors, &flags, Clock::from_environment()?)?;
    found.gates = args.fail_on.iter().flat_map(|gate| gate.goals()).copied().collect();
    if let Some([json, md]) = &files {
        output::write(json, &written(&found, Format::Json, &config)?)?;
        output::write(md, &written(&found, Format::Md, &config)?)?;
        print_status(format_args!("report: {}, {}", json.display(), md.display()));
    }
    quarantined(&found.quarantined);
    print_report(&shared, &config, &found)
}

/// The paths of the report files. Creates the folder if needed.
fn files(folder: &Path, overwrite: Overwrite) -> Result<[PathBuf; 2]> {
    std::fs::create_dir_all(folder).map_err(Error::named(folder))?;
    let [json, md] = ["json", "md"].map(|kind| folder.join(format!("coverage_report.{kind}")));
    overwrite.check(&json, output::COVERAGE)?;
    overwrite.check(&md, output::COVERAGE_TEXT)?;
    Ok([json, md])
}
