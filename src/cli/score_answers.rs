//! `atlas-gt score answers`: scores many free-text answers against the records of their questions.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use clap::Args;

use super::choice::choice;
use super::print::{print, print_report, quarantined};
use super::score_answer;
use super::score_batch::{BlockScorer, in_blocks};
use super::score_files::syntax;
use super::settings::Shared;
use crate::agent::{
    AnswerDocument, KnownQuestions, MAX_INVALID, NO_QUESTION, RecordedAnswer, already_answered,
    answer_documents, question_of,
};
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::report::score::{AnswerLine, AnswersReport};
use crate::report::{CaseVerdict, Format, Items, ReportCase, Text, badge, print_status};
use crate::row;
use crate::scoring::json::JsonError;
use crate::truth::Pipeline;
use crate::words::plural;
use crate::workflow::{AnswerScorer, AnswerTally, ScoredAnswer};
use atlas_gt_core::command_line::flag;

/// Arguments of `score answers`
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt score answers answers.jsonl\n  atlas-gt score answers answers.csv --pipeline sql --format json\n  ./ask-all.sh | atlas-gt score answers - --format jsonl\n\nA line: {\"question_id\": 61, \"answer\": \"…\"}, optionally with \"question\" (or \"question_text\"), \"id\", \"pipeline\": \"sql\", \"links\", \"trace\", \"error\". In JSON, the text in \"question\" can replace the id. A CSV file has columns of these names.\nExit code 0: every answer passes · 2: a line could not be scored · 3: an answer is partial, fails or is unscored"
)]
pub struct AnswersArgs {
    /// The answers: JSON lines, a JSON list, or CSV with a header row; `-` for standard input
    #[arg(value_name = "FILE")]
    file: PathBuf,
    /// The pipeline behind answers whose line and trace name none [default: unknown]
    #[arg(long, value_parser = choice::<Pipeline>())]
    pipeline: Option<Pipeline>,
    /// Manifest with the questions' texts and contexts [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Threads to score on [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
}

/// Scores the answers of a file.
struct Answers<'a> {
    scorer: &'a AnswerScorer,
    known: KnownQuestions,
    pipeline: Pipeline,
}

/// A scored answer, or the problem with its place in the file.
type Outcome = std::result::Result<(RecordedAnswer, ScoredAnswer), JsonError>;

impl BlockScorer for Answers<'_> {
    type Item = AnswerDocument;
    type Scored<'a> = (Option<QuestionId>, Outcome);

    fn size(document: &AnswerDocument) -> usize {
        document.text.as_ref().map_or(0, Vec::len)
    }

    fn score(&self, document: &AnswerDocument) -> (Option<QuestionId>, Outcome) {
        let recorded = match RecordedAnswer::parse(document) {
            Ok(recorded) => recorded,
            Err(problem) => return (None, Err(problem)),
        };
        let wrong = |message: String| document.wrong(message);
        match self.question(&recorded) {
            Ok(id) => (Some(id.clone()), self.scored(id, recorded).map_err(wrong)),
            Err(message) => (recorded.question_id, Err(wrong(message))),
        }
    }
}

impl Answers<'_> {
    /// The question of an answer, by its id or its text.
    fn question(&self, recorded: &RecordedAnswer) -> std::result::Result<QuestionId, String> {
        let (id, asked) = (recorded.question_id.as_ref(), recorded.question.as_deref());
        let field = match (id, asked) {
            (None, None) => return Err(NO_QUESTION.to_owned()),
            (None, Some(_)) => "question",
            (Some(_), _) => "question_id",
        };
        question_of(&self.known, id, asked).map_err(|why| format!("`{field}`: {why}"))
    }

    fn scored(
        &self,
        id: QuestionId,
        recorded: RecordedAnswer,
    ) -> std::result::Result<(RecordedAnswer, ScoredAnswer), String> {
        let answer = recorded.text().map_err(|error| error.to_string())?;
        let pipeline = recorded.pipeline.unwrap_or(self.pipeline);
        let scored = self.scorer.score(&id, pipeline, answer);
        let scored = scored.map_err(|error| format!("`question_id`: {error}"))?;
        Ok((RecordedAnswer { question_id: Some(id), ..recorded }, scored))
    }
}

/// The answers scored so far.
struct Progress {
    format: Format,
    items: Items,
    tally: AnswerTally,
    rows: Vec<Vec<Text>>,
    cases: Vec<ReportCase>,
    ignored: BTreeSet<String>,
    invalid: usize,
    /// The first line of each question.
    answered: BTreeMap<QuestionId, usize>,
    /// Lines that answer a question again.
    repeated: Vec<String>,
}

/// Runs the command.
///
/// # Errors
/// The file cannot be read or has no answer, the store belongs to another site, or the manifest is
/// invalid.
pub(super) fn run(shared: &Shared, args: &AnswersArgs) -> Result<Exit> {
    let source = answer_documents(&args.file)?;
    let (scorer, config) = score_answer::scorer(shared, args.manifest.as_ref())?;
    let pipeline = args.pipeline.or(config.pipeline).unwrap_or(Pipeline::Unknown);
    let answers = Answers { scorer: &scorer, known: scorer.known_questions()?, pipeline };
    let mut progress = Progress {
        format: shared.format,
        items: Items::new(shared.format, "answers"),
        tally: AnswerTally::default(),
        rows: Vec::new(),
        cases: Vec::new(),
        ignored: BTreeSet::new(),
        invalid: 0,
        answered: BTreeMap::new(),
        repeated: Vec::new(),
    };
    in_blocks(&answers, source, args.threads, |document, (id, outcome)| {
        let line = document.line;
        progress.note(line, id);
        match outcome {
            Ok((recorded, scored)) => progress.take(line, recorded, scored),
            Err(problem) => {
                progress.fail(line, syntax(input::shown(&args.file), &problem));
                Ok(())
            }
        }
    })?;
    // `eval run` reads no standard input
    let is_file = args.file.as_os_str() != "-";
    let pipeline = args.pipeline.map_or_else(String::new, |pipeline| flag("pipeline", pipeline));
    let judging = is_file.then(|| scorer.judging(&args.file) + &pipeline);
    let exit = progress.finish(shared, &config, args, judging)?;
    Ok(exit.worst(quarantined(&scorer.quarantined())))
}

impl Progress {
    /// Notes a question that was already answered. Its answer is scored all the same.
    fn note(&mut self, line: usize, id: Option<QuestionId>) {
        let Some(id) = id else { return };
        match self.answered.get(&id) {
            Some(first) => self.repeated.push(format!("line {line}: {}", already_answered(&id, *first))),
            None => drop(self.answered.insert(id, line)),
        }
    }

    fn take(&mut self, line: usize, recorded: RecordedAnswer, scored: ScoredAnswer) -> Result<()> {
        self.tally.add(&scored);
        self.ignored.extend(recorded.ignored);
        let objection = scored.objection().unwrap_or_default().to_owned();
        let question = recorded.question_id.map_or_else(String::new, |id| id.to_string());
        let verdict = scored.verdict();
        if matches!(self.format, Format::Json | Format::Jsonl) {
            print(&self.items.item(&AnswerLine { line, id: recorded.id, score: scored.score })?);
            return Ok(());
        }
        let label = recorded.id.as_ref().map_or_else(String::new, |id| format!(", {id}"));
        let name = format!("line {line}: question {question}{label}");
        self.cases.push(ReportCase::new(name, verdict, &objection));
        let details = &scored.score.metadata;
        let all = details.points.len() + details.refused.len();
        self.rows.push(row![
            recorded.id.unwrap_or_else(|| line.to_string()),
            question,
            badge(verdict),
            if all == 0 { "-".to_owned() } else { format!("{} of {all}", details.right) },
            objection,
        ]);
        Ok(())
    }

    fn fail(&mut self, line_number: usize, error: Error) {
        self.invalid += 1;
        if self.invalid <= MAX_INVALID {
            print_status(format_args!("error: {error}"));
        }
        self.tally.fail(line_number, error.to_string());
        self.cases.push(ReportCase::new(format!("line {line_number}"), CaseVerdict::Error, error));
    }

    fn finish(
        self,
        shared: &Shared,
        config: &Config,
        args: &AnswersArgs,
        judging: Option<String>,
    ) -> Result<Exit> {
        let summary = self.tally.finish();
        if summary.answers == 0 {
            return Err(Error::Usage(format!(
                "{} has no answer: write one a line, {{\"question_id\": 61, \"answer\": \"$2,274\"}}",
                input::shown(&args.file).display()
            )));
        }
        if let Some(more) = self.invalid.checked_sub(MAX_INVALID).filter(|more| *more > 0) {
            let more = plural(more, "more line", "more lines");
            print_status(format_args!("… and {more} could not be scored"));
        }
        if !self.ignored.is_empty() {
            let keys: Vec<String> = self.ignored.into_iter().collect();
            let file = input::shown(&args.file).display();
            print_status(format_args!("{file}: keys that are not read: {}", keys.join(", ")));
        }
        let Self { items, rows, cases, mut repeated, .. } = self;
        // no run reads standard input
        if !repeated.is_empty() && args.file.as_os_str() != "-" {
            let lines = plural(repeated.len(), "line answers", "lines answer");
            let more = repeated.len().saturating_sub(MAX_INVALID);
            repeated.truncate(MAX_INVALID);
            let more = if more == 0 { String::new() } else { format!("; and {more} more") };
            print_status(format_args!(
                "{lines} a question again, and `eval run` takes one answer to each: {}{more}",
                repeated.join("; ")
            ));
        }
        let judging = judging.filter(|_| repeated.is_empty());
        let report = AnswersReport { answers: Vec::new(), summary, rows, cases, judging };
        match shared.format {
            Format::Json | Format::Jsonl => {
                print(&items.end(&report.summary)?);
                Ok(crate::report::Report::exit(&report))
            }
            _ => print_report(shared, config, &report),
        }
    }
}
