//! `atlas-gt manifest`: check what is to be collected, or print the format's JSON Schema.

use std::path::PathBuf;

use serde_json::json;

use super::print::{Format, colours_on_stderr, count, print, print_json};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Exit, Result};
use crate::manifest::{Diagnostic, Severity, schema, visits};
use crate::report::print_status;
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
        /// How to print the result
        #[arg(long, value_enum, default_value_t = Format::Table)]
        format: Format,
    },
    /// Print the JSON Schema of the format
    Schema,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let (file, format) = match args.command {
        Command::Schema => {
            print(&schema());
            return Ok(Exit::Ok);
        }
        Command::Check { file, named, format } => (file.or(named), format),
    };
    let config = settings::resolve(&shared, Settings { manifest: file, ..Settings::default() })?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let loaded = settings::load(config.manifest.as_deref(), &extractors);
    let (found, manifest) = match loaded {
        Ok(manifest) => (manifest.warnings.clone(), Some(manifest)),
        Err(found) => (found, None),
    };
    let errors = found.iter().filter(|found| found.severity == Severity::Error).count();
    match format {
        Format::Json => print_json(&json!({
            "valid": manifest.is_some(),
            "errors": errors,
            "warnings": found.len() - errors,
            "questions": manifest.as_ref().map(|manifest| manifest.entries.len()),
            "diagnostics": found.iter().map(as_json).collect::<Vec<_>>(),
        }))?,
        Format::Table => {
            for diagnostic in &found {
                print_status(diagnostic.render(colours_on_stderr()));
            }
            let warnings = count(found.len() - errors, "warning");
            let summary = manifest.as_ref().map_or_else(
                || format!("{}, {}: nothing would be collected\n", count(errors, "error"), warnings),
                |manifest| {
                    let pages = visits(&manifest.entries).len();
                    let planned = manifest.planned().count();
                    format!(
                        "{}: {} on {}, {} without a page, {planned} planned for later, {}\n",
                        manifest.path.display(),
                        count(manifest.entries.len(), "question"),
                        count(pages, "page"),
                        manifest.behaviors.len(),
                        warnings
                    )
                },
            );
            print(&summary);
        }
    }
    Ok(if manifest.is_some() { Exit::Ok } else { Exit::Usage })
}

fn as_json(diagnostic: &Diagnostic) -> serde_json::Value {
    json!({
        "severity": if diagnostic.severity == Severity::Error { "error" } else { "warning" },
        "file": diagnostic.path,
        "line": diagnostic.place.line,
        "column": diagnostic.place.column,
        "question": diagnostic.question,
        "field": diagnostic.field,
        "message": diagnostic.message,
        "suggestion": diagnostic.suggestion,
    })
}
