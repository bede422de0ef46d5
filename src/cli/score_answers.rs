//! `atlas-gt score answers`: many free-text answers against the stored truth of their questions.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::choice::choice;
use super::print::quarantined;
use super::score_answer;
use super::score_batch::{BlockScorer, in_blocks};
use super::score_output::{Document, Format, JunitCase, JunitState, documents, junit, line, pretty, print};
use super::settings::Shared;
use crate::agent::RecordedAnswer;
use crate::error::{Error, Exit, Result};
use crate::evaluate::AnswerDetails;
use crate::input;
use crate::report::{count, print_status, table};
use crate::scoring::Score;
use crate::truth::Pipeline;
use crate::workflow::{AnswerScorer, AnswerTally, AnswersSummary, Remedy, ScoredAnswer};

/// Arguments of `score answers`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt score answers answers.jsonl\n  atlas-gt score answers answers.csv --pipeline sql --format json\n  ./ask-all.sh | atlas-gt score answers - --format jsonl\n\nA line: {\"question_id\": 61, \"answer\": \"…\"}, and where it helps \"id\", \"pipeline\": \"sql\", \"links\", \"trace\". A CSV file has columns of these names.\nExit code 0: every answer is right · 2: a line could not be scored · 3: an answer is wrong, or has no score"
)]
pub struct AnswersArgs {
    /// The answers: JSON lines, or CSV whose first row names the fields; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The pipeline that answers came from where neither a trace nor their line says it
    #[arg(long, value_parser = choice::<Pipeline>(), default_value = "unknown")]
    pipeline: Pipeline,
    /// Manifest with the questions' own texts and contexts [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Threads to score on [default: one a core]
    #[arg(long)]
    threads: Option<usize>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A scored answer, as a line of JSON.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswerLine {
    /// The line that it stands on.
    line: usize,
    /// Its own name.
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(flatten)]
    score: Score<AnswerDetails>,
}

/// All of them, as one JSON document.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct AnswersReport {
    /// The answers, in the file's order.
    answers: Vec<AnswerLine>,
    /// Their sums.
    summary: AnswersSummary,
}

/// Scores lines.
struct Lines<'a> {
    scorer: &'a AnswerScorer,
    pipeline: Pipeline,
}

/// What came of a line: the column and what is wrong with it, or its score.
type Outcome = std::result::Result<(RecordedAnswer, ScoredAnswer), (usize, String)>;

impl BlockScorer for Lines<'_> {
    type Item = Document;
    type Scored<'a> = Outcome;

    fn size((_, text): &Document) -> usize {
        text.as_ref().map_or(0, Vec::len)
    }

    fn score(&self, (_, text): &Document) -> Outcome {
        let text = text.as_ref().map_err(|message| (1, message.clone()))?;
        let recorded = RecordedAnswer::parse(text)?;
        let pipeline = recorded.pipeline.unwrap_or(self.pipeline);
        let scored = self.scorer.score(&recorded.question_id, pipeline, &recorded.reply.answer);
        let scored = scored.map_err(|error| (1, format!("`question_id`: {error}")))?;
        Ok((recorded, scored))
    }
}

/// Answers as far as they are scored.
#[derive(Default)]
struct Progress {
    tally: AnswerTally,
    answers: Vec<AnswerLine>,
    rows: Vec<Vec<String>>,
    cases: Vec<JunitCase>,
    ignored: BTreeSet<String>,
}

/// Runs the command.
///
/// # Errors
/// A file that cannot be read or holds no answer, a store of another site, a manifest that is wrong.
pub(super) fn run(shared: &Shared, args: &AnswersArgs) -> Result<Exit> {
    let source = documents(&args.file, &["question_id", "answer"])?;
    let scorer = score_answer::scorer(shared, args.manifest.as_ref())?;
    let lines = Lines { scorer: &scorer, pipeline: args.pipeline };
    let mut progress = Progress::default();
    in_blocks(&lines, source, args.threads, |(line, _), outcome| match outcome {
        Ok((recorded, scored)) => progress.take(*line, recorded, scored, args.format),
        Err((column, message)) => {
            progress.fail(
                *line,
                Error::Syntax { path: input::shown(&args.file).to_owned(), line: *line, column, message },
            );
            Ok(())
        }
    })?;
    let exit = progress.finish(args)?;
    Ok(exit.worst(quarantined(&scorer.quarantined())))
}

impl Progress {
    fn take(
        &mut self,
        line_number: usize,
        recorded: RecordedAnswer,
        scored: ScoredAnswer,
        format: Format,
    ) -> Result<()> {
        self.tally.add(&scored);
        self.ignored.extend(recorded.ignored);
        let objection = scored.objection().unwrap_or_default().to_owned();
        let question = recorded.question_id.to_string();
        match format {
            Format::Table => {
                let details = &scored.score.metadata;
                let all = details.points.len() + details.refused.len();
                let name = recorded.id.unwrap_or_else(|| line_number.to_string());
                let verdict = verdict(&scored.score);
                self.rows.push(vec![
                    name,
                    question,
                    verdict.to_owned(),
                    if all == 0 { "-".to_owned() } else { format!("{} of {all}", details.right) },
                    objection,
                ]);
            }
            Format::Junit => {
                let state = JunitState::of(scored.score.reaches(1.0));
                let label = recorded.id.map_or_else(String::new, |id| format!(", {id}"));
                let name = format!("line {line_number}: question {question}{label}");
                self.cases.push(JunitCase { name, state, message: objection });
            }
            Format::Json | Format::Jsonl => {
                let answer = AnswerLine { line: line_number, id: recorded.id, score: scored.score };
                if format == Format::Jsonl {
                    return print(&line(&answer)?);
                }
                self.answers.push(answer);
            }
        }
        Ok(())
    }

    fn fail(&mut self, line_number: usize, error: Error) {
        print_status(format_args!("error: {error}"));
        self.tally.fail();
        self.cases.push(JunitCase {
            name: format!("line {line_number}"),
            state: JunitState::Error,
            message: error.to_string(),
        });
    }

    fn finish(self, args: &AnswersArgs) -> Result<Exit> {
        let summary = self.tally.finish();
        if summary.answers + summary.errors == 0 {
            return Err(Error::Usage(format!(
                "{}: there is no answer in it",
                input::shown(&args.file).display()
            )));
        }
        if !self.ignored.is_empty() {
            let keys: Vec<String> = self.ignored.into_iter().collect();
            print_status(format_args!("not read: {}", keys.join(", ")));
        }
        let exit = match &summary {
            AnswersSummary { errors: 1.., .. } => Exit::Usage,
            AnswersSummary { answers, right, .. } if answers == right => Exit::Ok,
            _ => Exit::Differences,
        };
        print(&match args.format {
            Format::Json => pretty(&AnswersReport { answers: self.answers, summary })?,
            Format::Jsonl => line(&serde_json::json!({ "summary": summary }))?,
            Format::Junit => junit(&input::shown(&args.file).display().to_string(), &self.cases)?,
            Format::Table => for_people(self.rows, &summary),
        })?;
        Ok(exit)
    }
}

/// A score in a word for a person.
fn verdict(score: &Score<AnswerDetails>) -> &'static str {
    let details = &score.metadata;
    match score.value {
        None => "unscored",
        Some(value) if value >= 1.0 => "right",
        Some(value) if value > 0.0 => "partly right",
        Some(_) if details.wrong == 0 && details.missing > 0 => "missing",
        Some(_) => "wrong",
    }
}

fn for_people(rows: Vec<Vec<String>>, summary: &AnswersSummary) -> String {
    let mut text = table(&["answer", "question", "verdict", "right", "why"], rows);
    let AnswersSummary { answers, right, partly_right, wrong, unscored, errors, points, .. } = summary;
    text.push_str(&format!(
        "{}: {right} right, {partly_right} partly right, {wrong} wrong or missing, {unscored} unscored; {}\n\
         data points: {} right, {} wrong, {} missing, {} unscored, {} refused\n",
        count(*answers as u64, "answer"),
        count(*errors as u64, "error"),
        points.right,
        points.wrong,
        points.missing,
        points.unscored,
        points.refused
    ));
    if let Some(mean) = &summary.mean {
        let interval = mean.interval.as_ref();
        let interval = interval.map_or_else(String::new, |bounds| {
            format!(", 95 % interval {:.3} to {:.3}", bounds.low, bounds.high)
        });
        text.push_str(&format!("mean score {:.3} of {} scored answers{interval}\n", mean.mean, mean.n));
    }
    if summary.open.is_empty() {
        return text;
    }
    let reasons = summary.open.iter().map(|open| {
        vec![
            open.answers.to_string(),
            open.first.clone(),
            open.reason.clone(),
            Remedy::advice(open.remedy).to_owned(),
        ]
    });
    text + "why answers are unscored:\n"
        + &table(&["answers", "first question", "reason", "to have them scored"], reasons)
}
