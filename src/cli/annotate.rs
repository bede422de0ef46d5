//! `atlas-gt annotate`: labels each question with its expected tool and query type, by rules.

use std::path::PathBuf;

use super::flags::Overwrite;
use super::manifest;
use super::print::print_report;
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::report::{AnnotateReport, output, pretty};
use crate::workflow;
use crate::workflow::annotate::{annotate, classification_set, decided};

/// Label each question with its expected tool and query type, by rule, and list what a person must decide
///
/// --output writes each question's tool, query type, rule and reason. A person decides what no rule covers, what
/// contradicts the manifest, edge cases, and a random tenth of the rest. Entries marked `"reviewed": true` are never
/// changed. No language model is used.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt annotate\n  atlas-gt annotate --output tool_annotations.json --seed 7\n  atlas-gt annotate --classification-set out/classification_eval.json --per-type 4"
)]
pub(super) struct AnnotateArgs {
    /// The questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// File for the annotations; decisions already in it are kept
    #[arg(long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Seed that draws the sample for a person and the classification set
    #[arg(long, value_name = "N", default_value_t = 1)]
    seed: u64,
    /// Also write questions with their query types, countries and products to this file
    #[arg(long, value_name = "FILE")]
    classification_set: Option<PathBuf>,
    /// Questions per query type in that set; four times as many that should be declined
    #[arg(long, value_name = "N", default_value_t = 3, requires = "classification_set", value_parser = clap::value_parser!(u16).range(1..))]
    per_type: u16,
    #[command(flatten)]
    overwrite: Overwrite,
}

pub(super) fn run(shared: Shared, args: AnnotateArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, Settings { manifest: args.manifest, ..Settings::default() })?;
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    args.overwrite.check_named(args.output.as_deref(), output::ANNOTATIONS)?;
    args.overwrite.check_named(args.classification_set.as_deref(), output::CLASSIFICATION_SET)?;
    let known = args.output.as_deref().filter(|path| output::is_one(path, output::ANNOTATIONS));
    let known = known.map(decided).transpose()?.unwrap_or_default();
    let found = annotate(&manifest, &extractors, known, args.seed);
    let set = args
        .classification_set
        .as_ref()
        .map(|path| (path, classification_set(&manifest, &found, args.per_type.into(), args.seed)));
    if let Some(path) = &args.output {
        output::write(path, found.to_text()?.as_bytes())?;
    }
    if let Some((path, set)) = &set {
        if set.cases.is_empty() {
            let kept = args
                .output
                .as_ref()
                .map_or_else(String::new, |path| format!("{} is written, ", path.display()));
            return Err(Error::Nothing(format!(
                "{kept}{} is not: no question has an undisputed query type; decide the types in the file of --output, and \
                 set `\"reviewed\": true`",
                path.display()
            )));
        }
        output::write(path, pretty(&set.cases)?.as_bytes())?;
    }
    let written = args.output.iter().chain(set.iter().map(|(path, _)| *path)).cloned().collect();
    let report = AnnotateReport::of(&found, set.map(|(_, set)| set), written);
    print_report(&shared, &config, &report)
}
