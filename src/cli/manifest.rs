//! `atlas-gt manifest`: checks a manifest, or creates one from a list of questions.

use std::path::{Path, PathBuf};

use super::flags::Overwrite;
use super::print::{print, print_mistakes, print_report};
use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::extract::Extractors;
use crate::input;
use crate::manifest::{Manifest, QuestionList, Severity, propose, visits};
use crate::report::{CheckReport, output, print_status};
use crate::selection::at_least_one;
use crate::words::{count, plural};
use crate::workflow;

/// Check a manifest, or create one from a list of questions
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt manifest check manifests/atlas.json\n  atlas-gt manifest from eval_questions.json --out manifest.json"
)]
pub(super) struct ManifestArgs {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Report every error and warning, with file, line, column and a suggestion
    Check {
        /// The manifest [default: manifests/atlas.json]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// The manifest, with the same flag as `collect`
        #[arg(long = "manifest", value_name = "FILE", conflicts_with = "file")]
        named: Option<PathBuf>,
    },
    /// Create a manifest from a list of questions, and say what each kind of question lacks
    ///
    /// If exactly one interpretation fits, page, extractor, data point and context are filled in and marked `proposed`
    /// with the reason. All other questions stay without a page: they can still be asked, judged, and scored against
    /// imported or hand-written truth.
    From {
        /// The list: JSON, JSON lines, CSV or YAML; the format is detected from the content
        #[arg(value_name = "QUESTIONS")]
        questions: PathBuf,
        /// Output file [default: standard output]
        #[arg(long, value_name = "FILE")]
        out: Option<PathBuf>,
        #[command(flatten)]
        overwrite: Overwrite,
    },
}

/// The configured manifest. Warnings go to stderr.
///
/// # Errors
/// It has errors. The first of them go to stderr.
pub(super) fn read(config: &Config, extractors: &Extractors) -> Result<Manifest> {
    match settings::load(config.manifest.as_deref(), extractors) {
        Ok(manifest) => {
            for warning in &manifest.warnings {
                tracing::info!("{warning}");
            }
            if let Some(read_as) = &manifest.read_as {
                print_status(format_args!("{}: read as {read_as}", manifest.path.display()));
            }
            at_least_one(manifest.entries.len() + manifest.behaviors.len(), || {
                format!("{}: the manifest has no question", manifest.path.display())
            })?;
            Ok(manifest)
        }
        Err(found) => {
            print_mistakes(&found);
            let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
            let errors = count(errors, "error");
            Err(Error::Usage(format!("the manifest has {errors}; nothing was done")))
        }
    }
}

pub(super) fn run(shared: Shared, args: ManifestArgs) -> Result<Exit> {
    let file = match args.command {
        Command::From { questions, out, overwrite } => {
            return from(&shared, &questions, out.as_deref(), overwrite);
        }
        Command::Check { file, named } => file.or(named),
    };
    let config = settings::resolve(&shared, Settings { manifest: file, ..Settings::default() })?;
    let extractors = workflow::extractors(&config)?;
    let loaded = settings::load(config.manifest.as_deref(), &extractors);
    let (found, manifest) = match loaded {
        Ok(manifest) => (manifest.warnings.clone(), Some(manifest)),
        Err(found) => (found, None),
    };
    let summary = manifest.as_ref().map_or_else(
        || "nothing would be collected: ".to_owned(),
        |manifest| {
            let if_any = |count: usize, what: &str| match count {
                0 => String::new(),
                count => format!("{count} {what}, "),
            };
            format!(
                "{}: {}{} on {}, {}{}",
                manifest.path.display(),
                manifest.read_as.as_ref().map(|read| format!("{read}; ")).unwrap_or_default(),
                count(manifest.entries.len(), "question"),
                count(visits(&manifest.entries).len(), "page"),
                if_any(manifest.behaviors.len(), "without a page"),
                if_any(manifest.planned().count(), "waiting for a future extractor"),
            )
        },
    );
    let questions = manifest.map(|manifest| manifest.entries.len());
    let report = CheckReport::of(found, questions, summary);
    print_report(&shared, &config, &report)
}

/// Creates a manifest from a list. The summary goes to stderr, because the manifest may go to
/// stdout.
fn from(shared: &Shared, path: &Path, out: Option<&Path>, overwrite: Overwrite) -> Result<Exit> {
    let config = settings::resolve(shared, Settings::default())?;
    let extractors = workflow::extractors(&config)?;
    overwrite.check_named(out, output::MANIFEST)?;
    let list = QuestionList::read(&input::text(path)?).map_err(|fault| fault.of(path))?;
    if list.questions.is_empty() {
        return Err(Error::Usage(format!("{} {}", path.display(), list.emptiness())));
    }
    if !list.is_list() {
        return Err(Error::Usage(format!("{} is already a manifest; see `manifest check`", path.display())));
    }
    let made = propose(&list, &extractors);
    if let Some(out) = out.filter(|_| !overwrite.is_asked()) {
        // a manifest is completed by hand, so an earlier one is the user's
        let found = std::fs::read(out).unwrap_or_default();
        if !found.is_empty() && found != made.text.as_bytes() {
            let why = "exists and differs from what would be written: name another file, or replace it and all edits in \
                       it with --overwrite";
            return Err(Error::named(out)(std::io::Error::new(std::io::ErrorKind::AlreadyExists, why)));
        }
    }
    match out {
        Some(out) => output::write(out, made.text.as_bytes())?,
        None => print(&made.text),
    }
    print_status(format_args!("{}: read as {}", path.display(), list.words()));
    for entry in &list.unread {
        print_status(format_args!("{}:{entry}; skipped", path.display()));
    }
    for odd in &list.odd {
        print_status(format_args!("warning: {odd}"));
    }
    print_status(format_args!(
        "{} with a proposed page, {} with an expected behavior, {} with their own reference",
        made.proposed, made.behaviors, made.references
    ));
    for (lacks, questions) in &made.lacking {
        print_status(format_args!("{} {lacks}", plural(*questions, "question lacks", "questions lack")));
    }
    Ok(if list.unread.is_empty() { Exit::Ok } else { Exit::Usage })
}
