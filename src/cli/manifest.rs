//! `atlas-gt manifest`: check what is to be collected, or print the format's JSON Schema.

use std::path::PathBuf;

use super::print::{count, print, print_report};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::manifest::{Diagnostic, Severity, schema, visits};
use crate::report::{CheckReport, Checked};
use crate::workflow;

/// Check a manifest, or print the JSON Schema of the format
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt manifest check manifests/atlas.json\n  atlas-gt manifest schema > manifest.schema.json"
)]
pub(super) struct Args {
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, clap::Subcommand)]
enum Command {
    /// Report everything that is wrong or odd, with file, line, column and a suggestion
    Check {
        /// The manifest [default: manifests/atlas.json]
        #[arg(value_name = "FILE")]
        file: Option<PathBuf>,
        /// The manifest, as `collect` takes it
        #[arg(long = "manifest", value_name = "FILE", conflicts_with = "file")]
        named: Option<PathBuf>,
    },
    /// Print the JSON Schema of the format
    Schema,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let file = match args.command {
        Command::Schema => {
            print(&schema());
            return Ok(Exit::Ok);
        }
        Command::Check { file, named } => file.or(named),
    };
    let config = settings::resolve(&shared, Settings { manifest: file, ..Settings::default() })?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let loaded = settings::load(config.manifest.as_deref(), &extractors);
    let (found, manifest) = match loaded {
        Ok(manifest) => (manifest.warnings.clone(), Some(manifest)),
        Err(found) => (found, None),
    };
    let summary = manifest.as_ref().map_or_else(
        || "nothing would be collected: ".to_owned(),
        |manifest| {
            format!(
                "{}: {} on {}, {} without a page, {} planned for later, ",
                manifest.path.display(),
                count(manifest.entries.len(), "question"),
                count(visits(&manifest.entries).len(), "page"),
                manifest.behaviors.len(),
                manifest.planned().count()
            )
        },
    );
    let questions = manifest.map(|manifest| manifest.entries.len());
    let report = CheckReport::of(found.iter().map(checked).collect(), questions, summary);
    print_report(&shared, &config, &report)
}

fn checked(diagnostic: &Diagnostic) -> Checked {
    Checked {
        severity: if diagnostic.severity == Severity::Error { "error" } else { "warning" },
        file: diagnostic.path.display().to_string(),
        line: diagnostic.place.line,
        column: diagnostic.place.column,
        question: diagnostic.question.clone(),
        field: Some(diagnostic.field.clone()).filter(|field| !field.is_empty()),
        message: diagnostic.message.clone(),
        suggestion: diagnostic.suggestion.clone(),
    }
}
