//! `atlas-gt score answer`: scores a free-text answer against the record of its question.

use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::manifest;
use super::print::{print_report, quarantined};
use super::settings::{self, Shared};
use crate::config::Config;
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::report::print_status;
use crate::truth::{Pipeline, Site, Store};
use crate::workflow::{self, AnswerScorer};
use atlas_gt_core::question_id::question_label;

/// Arguments of `score answer`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt score answer --question 61 \"Kenya's GDP per capita is about $2,350.\"\n  atlas-gt score answer --question 86 --file answer.md --pipeline graphql --format json\n  ./ask.sh 61 | atlas-gt score answer --question 61 --file -\n\nExit code 0: every data point is right · 3: something is wrong, missing or undecided"
)]
pub struct AnswerArgs {
    /// The question's id
    #[arg(long, value_name = "ID")]
    question: QuestionId,
    /// The answer
    #[arg(allow_hyphen_values = true)]
    answer: Option<String>,
    /// A file that holds the answer; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "answer")]
    file: Option<PathBuf>,
    /// The pipeline behind the answer; truth never scores the pipeline it came from [default: unknown]
    #[arg(long, value_parser = choice::<Pipeline>())]
    pipeline: Option<Pipeline>,
    /// Manifest with the question's text and context [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
}

/// Creates the scorer from the store and the manifest.
///
/// # Errors
/// The store belongs to another site, or the manifest is invalid.
pub(super) fn scorer(shared: &Shared, manifest: Option<&PathBuf>) -> Result<(AnswerScorer, Config)> {
    let config = settings::resolve(shared, Settings { manifest: manifest.cloned(), ..Settings::default() })?;
    let asked_about = Site::of(&config.site);
    let store = Store::read(&config.store)?;
    if store.check(asked_about, config.site.address()).is_err() {
        return Err(Error::Usage(format!(
            "{} has records of {}, which never score an answer about the {asked_about} site; \
             if the answer is about that site, pass --site {}",
            config.store.display(),
            store.holds(),
            store.address().map_or_else(|| store.site().to_string(), str::to_owned)
        )));
    }
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    settings::note_other_numbers(&store, &manifest);
    let invocation = settings::invocation(&config);
    let flags = format!("{}{}", invocation.flags(), invocation.manifest());
    Ok((AnswerScorer::new(store, manifest, flags), config))
}

/// Runs the command.
///
/// # Errors
/// The question has no record, the store belongs to another site, or a file cannot be read.
pub(super) fn run(shared: &Shared, args: &AnswerArgs) -> Result<Exit> {
    let answer = answer(args)?;
    let (scorer, config) = scorer(shared, args.manifest.as_ref())?;
    let pipeline = args.pipeline.or(config.pipeline).unwrap_or(Pipeline::Unknown);
    let score = scorer.score(&args.question, pipeline, &answer)?.score;
    let used = &score.metadata.question_id;
    if *used != args.question {
        print_status(format_args!(
            "{} has no record of its own: that of {}, which asks the same, is used",
            question_label(&args.question),
            question_label(used)
        ));
    }
    let exit = print_report(shared, &config, &score)?;
    Ok(exit.worst(quarantined(&scorer.quarantined())))
}

fn answer(args: &AnswerArgs) -> Result<String> {
    match (&args.answer, &args.file) {
        (Some(answer), _) => Ok(answer.clone()),
        (None, Some(path)) if path.as_os_str() == "-" => input::standard_input(),
        (None, Some(path)) => input::text(path),
        (None, None) => Err(Error::Usage("give the answer, or --file".to_owned())),
    }
}
