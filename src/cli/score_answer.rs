//! `atlas-gt score answer`: a free-text answer against the stored truth of its question.

use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::print::quarantined;
use super::score_output::{Format, JunitCase, JunitState, show};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::evaluate::AnswerDetails;
use crate::input;
use crate::manifest::QuestionId;
use crate::report::table;
use crate::scoring::Score;
use crate::scoring::answer::{AnswerVerdict, PlaceKind, Placed, PointScore};
use crate::truth::{Pipeline, Site, Store};
use crate::workflow::{self, AnswerScorer};

/// Arguments of `score answer`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt score answer --question 61 \"Kenya's GDP per capita is about $2,350.\"\n  atlas-gt score answer --question 86 --file answer.md --pipeline graphql --format json\n  ./ask.sh 61 | atlas-gt score answer --question 61 --file -\n\nExit code 0: every data point is right · 3: something is wrong, missing or cannot be decided"
)]
pub struct AnswerArgs {
    /// The question's id
    #[arg(long, value_name = "ID")]
    question: QuestionId,
    /// The answer
    #[arg(required_unless_present = "file", allow_hyphen_values = true)]
    answer: Option<String>,
    /// A file that holds the answer; `-` for standard input
    #[arg(long, value_name = "FILE", conflicts_with = "answer")]
    file: Option<PathBuf>,
    /// The pipeline that the answer came from: truth never scores where it comes from
    #[arg(long, value_parser = choice::<Pipeline>(), default_value = "unknown")]
    pipeline: Pipeline,
    /// Manifest with the question's own text and context [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// What scores answers: the store, and the manifest with the questions' own texts and contexts.
///
/// # Errors
/// A store of another site, a manifest that is wrong.
pub(super) fn scorer(shared: &Shared, manifest: Option<&PathBuf>) -> Result<AnswerScorer> {
    let config = settings::resolve(shared, Settings { manifest: manifest.cloned(), ..Settings::default() })?;
    let asked_about = Site::of(&config.site);
    let store = Store::read(&config.store)?;
    if store.check(asked_about, config.site.address()).is_err() {
        return Err(Error::Usage(format!(
            "{} holds records of {}, which never score an answer about the {asked_about} site; \
             if the answer is about that one, say --site {}",
            config.store.display(),
            store.holds(),
            store.address().map_or_else(|| store.site().to_string(), str::to_owned)
        )));
    }
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    Ok(AnswerScorer::new(store, settings::manifest(&config, &extractors)?))
}

/// Runs the command.
///
/// # Errors
/// A question without a record, a store of another site, files that cannot be read.
pub(super) fn run(shared: &Shared, args: &AnswerArgs) -> Result<Exit> {
    let scorer = scorer(shared, args.manifest.as_ref())?;
    let id = &args.question;
    let scored = scorer.score(id, args.pipeline, &answer(args)?)?.score;
    show(args.format, &scored, for_people, |scored| (format!("question {id}"), cases(&scored.metadata)))?;
    let exit = if scored.reaches(1.0) == Some(true) { Exit::Ok } else { Exit::Differences };
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

fn for_people(scored: &Score<AnswerDetails>) -> String {
    let details = &scored.metadata;
    let rows = details.points.iter().zip(&details.truths).map(|(point, truth)| {
        let said = format!("{:?}", point.said).to_lowercase();
        let value = point.value.clone().unwrap_or_else(|| "-".to_owned());
        vec![point.field.clone(), truth.clone(), value, said, point.reason.clone()]
    });
    let mut text = String::new();
    if !details.points.is_empty() {
        text = table(&["data point", "truth", "answer", "verdict", "why"], rows);
    }
    // of one value that is asked for, the table says it all
    let tells = |point: &&PointScore| {
        let asked = |one: &Placed| one.place == PlaceKind::Asked;
        point.said != AnswerVerdict::Right
            && (point.candidates.len() > 1 || !point.candidates.iter().all(asked))
    };
    for point in details.points.iter().filter(tells) {
        for one in &point.candidates {
            let agrees =
                one.agrees.map_or("", |agrees| if agrees { ", the truth" } else { ", another value" });
            let why = one.why.as_ref().map_or_else(String::new, |why| format!(": {why}"));
            text.push_str(&format!("{}, {}: {}{agrees}{why}\n", point.field, one.value, one.place.words()));
        }
    }
    for refused in &details.refused {
        text.push_str(&format!("{}: no score, {}\n", refused.field, refused.reason));
    }
    for extra in &details.extra {
        text.push_str(&format!("besides: {}\n", extra.value));
    }
    text + &scored.reason() + "\n"
}

/// A test case a data point.
fn cases(details: &AnswerDetails) -> Vec<JunitCase> {
    let points = details.points.iter().map(|point| JunitCase {
        name: point.field.clone(),
        state: match point.said {
            AnswerVerdict::Right => JunitState::Passed,
            AnswerVerdict::Wrong | AnswerVerdict::Missing => JunitState::Failed,
            AnswerVerdict::Unscored => JunitState::Skipped,
        },
        message: point.reason.clone(),
    });
    let refused = details.refused.iter().map(|refused| JunitCase {
        name: refused.field.clone(),
        state: JunitState::Skipped,
        message: refused.reason.clone(),
    });
    points.chain(refused).collect()
}
