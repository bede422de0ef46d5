//! `atlas-gt score values`: two values, or a file of pairs, through the comparator.

use std::path::{Path, PathBuf};

use clap::Args;
use serde::Serialize;

use super::score_output::{Format, JunitCase, JunitState, junit, line, lines, pretty, print, syntax, table};
use crate::error::{Error, Exit, Result};
use crate::report::tell;
use crate::scoring::compare::compare_texts;
use crate::scoring::json::{Json, JsonError, exact_text, parse};
use crate::scoring::{Comparison, Verdict};

/// Arguments of `score values`
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// The true value, as displayed: "$378 billion"
    #[arg(long, requires = "displayed", required_unless_present = "jsonl", allow_hyphen_values = true)]
    truth: Option<String>,
    /// The value to compare with it
    #[arg(long, requires = "truth", allow_hyphen_values = true)]
    displayed: Option<String>,
    /// A file with a pair per line: {"truth": …, "displayed": …, "id"?: …}
    #[arg(long, conflicts_with_all = ["truth", "displayed"])]
    jsonl: Option<PathBuf>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A compared pair.
#[derive(Debug, Serialize)]
struct Compared {
    #[serde(flatten)]
    comparison: Comparison,
    truth: String,
    displayed: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
}

const fn exit(verdict: Verdict) -> Exit {
    match verdict {
        Verdict::Match | Verdict::ExpectedAbsence => Exit::Ok,
        Verdict::ExtractionFailed => Exit::Extraction,
        _ => Exit::Differences,
    }
}

/// The verdict as JSON spells it.
fn name(verdict: Verdict) -> String {
    serde_json::to_value(verdict).ok().and_then(|name| name.as_str().map(str::to_owned)).unwrap_or_default()
}

impl Compared {
    fn row(&self) -> Vec<String> {
        let Comparison { verdict, reason, .. } = &self.comparison;
        vec![self.truth.clone(), self.displayed.clone(), name(*verdict), reason.clone()]
    }

    fn junit(&self) -> JunitCase {
        let place = self.line.map_or_else(String::new, |line| format!("line {line}: "));
        let label = self.id.clone().unwrap_or_else(|| format!("{} = {}", self.truth, self.displayed));
        let state = match exit(self.comparison.verdict) {
            Exit::Ok => JunitState::Passed,
            Exit::Extraction => JunitState::Error,
            _ => JunitState::Failed,
        };
        JunitCase { name: format!("{place}{label}"), state, message: self.comparison.reason.clone() }
    }
}

const HEAD: [&str; 4] = ["truth", "displayed", "verdict", "reason"];

/// Runs the command.
///
/// # Errors
/// A file that cannot be read.
pub fn run(args: &ValuesArgs) -> Result<Exit> {
    if let Some(path) = &args.jsonl {
        return file(path, args.format);
    }
    let (Some(truth), Some(displayed)) = (&args.truth, &args.displayed) else {
        return Err(Error::Usage("give --truth and --displayed, or --jsonl".to_owned()));
    };
    let compared = compared(truth.clone(), displayed.clone(), None, None);
    let text = match args.format {
        Format::Json => pretty(&compared)?,
        Format::Jsonl => line(&compared)?,
        Format::Table => table(&HEAD, vec![compared.row()]),
        Format::Junit => junit("score values", &[compared.junit()])?,
    };
    print(&text)?;
    Ok(exit(compared.comparison.verdict))
}

fn compared(truth: String, displayed: String, id: Option<String>, line: Option<usize>) -> Compared {
    Compared { comparison: compare_texts(&truth, &displayed), truth, displayed, id, line }
}

/// A file of pairs. A line that is not understood is named and skipped, and makes the command fail.
fn file(path: &Path, format: Format) -> Result<Exit> {
    let (mut all, mut worst) = (Vec::new(), Exit::Ok);
    for read in lines(path)? {
        let (number, text) = read?;
        let compared = match pair(&text) {
            Ok((truth, displayed, id)) => compared(truth, displayed, id, Some(number)),
            Err(error) => {
                tell(format_args!("error: {}", syntax(path, &JsonError { line: number, ..error })));
                worst = worst.worst(Exit::Usage);
                continue;
            }
        };
        worst = worst.worst(exit(compared.comparison.verdict));
        match format {
            // A line at a time: the file may be longer than memory.
            Format::Jsonl => print(&line(&compared)?)?,
            _ => all.push(compared),
        }
    }
    match format {
        Format::Jsonl => {}
        Format::Json => print(&pretty(&all)?)?,
        Format::Table => print(&table(&HEAD, all.iter().map(Compared::row).collect()))?,
        Format::Junit => {
            print(&junit("score values", &all.iter().map(Compared::junit).collect::<Vec<_>>())?)?
        }
    }
    Ok(worst)
}

fn pair(text: &[u8]) -> std::result::Result<(String, String, Option<String>), JsonError> {
    let fault = |message: String| JsonError::at(text, 0, message);
    let Json::Object(object) = parse(text)? else {
        return Err(fault("expected an object with `truth` and `displayed`".to_owned()));
    };
    let (mut truth, mut displayed, mut id) = (None, None, None);
    for (key, value) in &object {
        let (Json::String(_) | Json::Number(_)) = value else {
            return Err(fault(format!("{key:?} must be a text, not {}", value.kind_name())));
        };
        let text = exact_text(value).into_owned();
        match &**key {
            "truth" => truth = Some(text),
            "displayed" => displayed = Some(text),
            "id" => id = Some(text),
            key => {
                let message = format!("unknown key {key:?}: expected `truth`, `displayed` and perhaps `id`");
                return Err(fault(message));
            }
        }
    }
    let missing = |key: &str| fault(format!("`{key}` is missing"));
    Ok((truth.ok_or_else(|| missing("truth"))?, displayed.ok_or_else(|| missing("displayed"))?, id))
}
