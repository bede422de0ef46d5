//! `atlas-gt suite`: run a suite over recorded answers, check it, or print its schema.

use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};

use super::score_output::{
    Format, JunitCase, JunitState, from_json, junit, line, pretty, print, read_text, share, table,
};
use crate::error::{Error, Exit, Result};
use crate::judge::CommandScorer;
use crate::scoring::json::parse;
use crate::scoring::suite::{
    AgentOutput, CaseResult, CaseVerdict, Diagnostic, Registry, ScoreStatus, Severity, Suite, SuiteResult,
    commands_of, parse_answer, read_suite, run_suite, suite_schema,
};

/// Work with suites of cases
#[derive(Debug, Args)]
pub struct SuiteArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Score recorded answers
    Run {
        /// The suite
        suite: PathBuf,
        /// The answers, one a line: {"case": …, "output": …, "tool_calls"?: […], "links"?: […]}
        #[arg(long)]
        answers: PathBuf,
        /// Fail (exit 3) when the mean is below this, or anything is unscored, instead of when a case fails
        #[arg(long)]
        min_score: Option<f64>,
        /// How to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Look for problems without running anything
    Check {
        /// The suite
        suite: PathBuf,
        /// How to print
        #[arg(long, value_enum, default_value_t)]
        format: Format,
    },
    /// Print the JSON Schema of a suite
    Schema,
}

/// Runs the command.
///
/// # Errors
/// Files that cannot be read or are not understood.
pub fn run(args: SuiteArgs) -> Result<Exit> {
    match args.action {
        Action::Schema => {
            print(&pretty(&suite_schema())?)?;
            Ok(Exit::Ok)
        }
        Action::Check { suite, format } => check(&suite, format),
        Action::Run { suite, answers, min_score, format } => {
            let registry = registry(&suite)?;
            let (read, warnings) = match read_suite(&read_text(&suite)?, &registry) {
                Ok(read) => read,
                Err(problems) => {
                    problems.iter().for_each(|problem| eprintln!("{}", shown(&suite, problem)));
                    return Ok(Exit::Usage);
                }
            };
            warnings.iter().for_each(|problem| eprintln!("{}", shown(&suite, problem)));
            score(&read, &answers_of(&answers)?, &registry, min_score, format)
        }
    }
}

/// The scorers that come along, and the programs that the suite names.
fn registry(path: &Path) -> Result<Registry> {
    let mut registry = Registry::builtin();
    for (name, config) in commands_of(&read_text(path)?) {
        let in_suite = |error| Error::Usage(format!("{}: {error}", path.display()));
        registry
            .register(Box::new(CommandScorer::new(&name, config).map_err(in_suite)?))
            .map_err(in_suite)?;
    }
    Ok(registry)
}

fn shown(path: &Path, problem: &Diagnostic) -> String {
    let severity = match problem.severity {
        Severity::Error => "error",
        Severity::Warning => "warning",
    };
    format!("{severity}: {}:{}:{}: {}", path.display(), problem.line, problem.column, problem.message)
}

fn check(path: &Path, format: Format) -> Result<Exit> {
    let registry = registry(path)?;
    let (problems, cases) = match read_suite(&read_text(path)?, &registry) {
        Ok((suite, warnings)) => (warnings, Some(suite.cases.len())),
        Err(problems) => (problems, None),
    };
    let text = match format {
        Format::Json => pretty(&problems)?,
        Format::Jsonl => problems.iter().map(line).collect::<Result<String>>()?,
        Format::Table => {
            let mut text: String = problems.iter().map(|problem| shown(path, problem) + "\n").collect();
            if let Some(cases) = cases {
                text.push_str(&format!("{}: {cases} cases, no errors\n", path.display()));
            }
            text
        }
        Format::Junit => {
            let case = |problem: &Diagnostic| JunitCase {
                name: format!("{}:{}", problem.line, problem.column),
                state: match problem.severity {
                    Severity::Error => JunitState::Failed,
                    Severity::Warning => JunitState::Skipped,
                },
                message: problem.message.clone(),
            };
            junit(&path.display().to_string(), &problems.iter().map(case).collect::<Vec<_>>())
        }
    };
    print(&text)?;
    Ok(if cases.is_some() { Exit::Ok } else { Exit::Usage })
}

/// The answers of a file, one a line.
fn answers_of(path: &Path) -> Result<Vec<AgentOutput>> {
    let mut reader = BufReader::new(File::open(path).map_err(Error::file(path))?);
    let mut answers = Vec::new();
    let mut text = Vec::new();
    for number in 1.. {
        text.clear();
        if reader.read_until(b'\n', &mut text).map_err(Error::file(path))? == 0 {
            break;
        }
        let document = text.trim_ascii();
        if document.is_empty() {
            continue;
        }
        let fault = |column: usize, message: String| Error::Syntax {
            path: path.to_owned(),
            line: number,
            column,
            message,
        };
        // The strict reader first: it knows duplicate keys.
        parse(document).map_err(|error| fault(error.column, error.message))?;
        let value = serde_json::from_slice(document).map_err(|error| match from_json(path, &error) {
            Error::Syntax { column, message, .. } => fault(column, message),
            other => other,
        })?;
        answers.push(parse_answer(&value).map_err(|message| fault(1, message))?);
    }
    Ok(answers)
}

fn score(
    suite: &Suite,
    answers: &[AgentOutput],
    registry: &Registry,
    min_score: Option<f64>,
    format: Format,
) -> Result<Exit> {
    let result = run_suite(suite, answers, registry);
    let text = match format {
        Format::Json => pretty(&result)?,
        Format::Jsonl => result.cases.iter().map(line).collect::<Result<String>>()?,
        Format::Table => for_people(&result),
        Format::Junit => junit(&result.suite, &result.cases.iter().map(case).collect::<Vec<_>>()),
    };
    print(&text)?;
    let gate = match min_score {
        Some(bar) => result.passes(bar),
        None => result.cases.iter().all(|case| case.verdict == CaseVerdict::Pass),
    };
    let exit = if gate { Exit::Ok } else { Exit::Differences };
    Ok(if result.errors > 0 { exit.worst(Exit::Agent) } else { exit })
}

fn case(case: &CaseResult) -> JunitCase {
    let state = match case.verdict {
        CaseVerdict::Pass => JunitState::Passed,
        CaseVerdict::Fail => JunitState::Failed,
        CaseVerdict::Unscored => JunitState::Skipped,
        CaseVerdict::Error => JunitState::Error,
    };
    let parts = case.scorers.iter().map(|scorer| {
        format!(
            "{} {}: {}",
            scorer.scorer,
            scorer.score.map_or_else(|| "-".to_owned(), |s| format!("{s:.3}")),
            scorer.reason
        )
    });
    let message = case.error.iter().cloned().chain(parts).collect::<Vec<_>>().join("\n");
    JunitCase { name: case.case.clone(), state, message }
}

fn for_people(result: &SuiteResult) -> String {
    let mut rows = Vec::new();
    for case in &result.cases {
        let verdict = match case.verdict {
            CaseVerdict::Pass => "pass",
            CaseVerdict::Fail => "fail",
            CaseVerdict::Unscored => "unscored",
            CaseVerdict::Error => "error",
        };
        let why = case.error.clone().unwrap_or_default();
        rows.push(vec![case.case.clone(), verdict.to_owned(), share(case.score), why]);
        rows.extend(case.scorers.iter().map(|scorer| {
            let state = match (scorer.status, scorer.passed) {
                (ScoreStatus::Error, _) => "error",
                (ScoreStatus::Unscored, _) => "unscored",
                (ScoreStatus::Scored, Some(true)) => "pass",
                (ScoreStatus::Scored, _) => "fail",
            };
            vec![format!("  {}", scorer.scorer), state.to_owned(), share(scorer.score), scorer.reason.clone()]
        }));
    }
    let mut text = table(&["case", "verdict", "score", "why"], rows);
    if let Some(rate) = result.pass_rate {
        text.push_str(&format!(
            "{}: {} of {} cases pass ({:.1} %, 95 % interval {:.1} to {:.1} %)\n",
            result.suite,
            rate.successes,
            rate.n,
            rate.rate * 100.0,
            rate.interval.low * 100.0,
            rate.interval.high * 100.0
        ));
    }
    if let (Some(score), Some(band)) = (result.score, result.band) {
        text.push_str(&format!("mean {:.3} over {} cases: {}\n", score.mean, score.n, band.describe()));
    }
    if result.unscored > 0 {
        text.push_str(&format!("unscored: {}; no gate passes with that\n", result.unscored));
    }
    if !result.unmatched.is_empty() {
        text.push_str(&format!("answers to no case: {}\n", result.unmatched.join(", ")));
    }
    text
}
