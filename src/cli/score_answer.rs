//! `atlas-gt score answer`: a free-text answer against the stored truth of its question.

use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::print::quarantined;
use super::score_output::{Format, JunitCase, JunitState, show};
use super::settings::{self, Shared};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::report::table;
use crate::scoring::Score;
use crate::scoring::answer::AnswerVerdict;
use crate::truth::{Pipeline, Site, Store};
use crate::workflow;
use crate::workflow::spot_check::{self, AnswerDetails};

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

/// Runs the command.
///
/// # Errors
/// A question without a record, a store of another site, files that cannot be read.
pub(super) fn run(shared: &Shared, args: &AnswerArgs) -> Result<Exit> {
    let config =
        settings::resolve(shared, Settings { manifest: args.manifest.clone(), ..Settings::default() })?;
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
    let id = &args.question;
    let Some(stored) = store.load(id)? else {
        return Err(Error::Usage(format!(
            "--question {id}: {} holds no record of it; `atlas-gt collect --questions {id}` makes one",
            config.store.display()
        )));
    };
    let answer = answer(args)?;
    let extractors = workflow::extractors(&workflow::specs(&config)?)?;
    let entries = settings::manifest(&config, &extractors)?.entries;
    let entry = entries.iter().find(|entry| entry.question_id == *id);
    let (asked, question) =
        (entry.map(|entry| &entry.context), entry.and_then(|entry| entry.question_text.as_deref()));
    let scored = spot_check::score_answer(&stored, store.site(), asked, question, args.pipeline, &answer);
    show(args.format, &scored, for_people, |scored| (format!("question {id}"), cases(&scored.metadata)))?;
    let exit = if scored.reaches(1.0) == Some(true) { Exit::Ok } else { Exit::Differences };
    Ok(exit.worst(quarantined(&store.quarantined())))
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
