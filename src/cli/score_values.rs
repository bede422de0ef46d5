//! `atlas-gt score values`: compares two values, or a file of pairs.

use std::path::{Path, PathBuf};

use clap::Args;
use schemars::JsonSchema;
use serde::Serialize;

use super::print::{print, print_alone};
use super::score_files::{lines, syntax};
use crate::error::{Error, Exit, Result};
use crate::report::{CaseVerdict, Doc, Format, Invocation, Items, Report, ReportCase, line, print_status};
use crate::row;
use crate::scoring::compare::compare_texts;
use crate::scoring::json::{Json, JsonError, exact_text, parse};
use crate::scoring::score::Score;
use crate::selection::at_least_one;

/// Arguments of `score values`
#[derive(Debug, Args)]
pub struct ValuesArgs {
    /// The true value, as displayed: "$378 billion"
    #[arg(long, requires = "displayed", allow_hyphen_values = true)]
    truth: Option<String>,
    /// The value to compare with it
    #[arg(long, requires = "truth", allow_hyphen_values = true)]
    displayed: Option<String>,
    /// A file with one pair per line: {"truth": …, "displayed": …, "id"?: …}
    #[arg(long, conflicts_with_all = ["truth", "displayed"])]
    jsonl: Option<PathBuf>,
}

/// The error for an empty true value, which any empty answer would match.
const NO_TRUTH: &str = "is empty: write the text for a missing value, such as \"N/A\"";

/// A compared pair.
#[derive(Debug, Serialize, JsonSchema)]
pub(super) struct Compared {
    #[serde(skip_serializing_if = "Option::is_none")]
    id: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    truth: String,
    displayed: String,
    #[serde(flatten)]
    score: Score,
}

impl Compared {
    fn of(truth: String, displayed: String, id: Option<String>, line: Option<usize>) -> Self {
        let score = compare_texts(&truth, &displayed).into();
        Self { id, line, truth, displayed, score }
    }

    fn exit(&self) -> Exit {
        match self.score.reaches(1.0) {
            Some(true) => Exit::Ok,
            Some(false) => Exit::Differences,
            None => Exit::Extraction,
        }
    }
}

impl Report for Compared {
    const NAME: &'static str = "score_values";

    fn exit(&self) -> Exit {
        self.exit()
    }

    fn doc(&self, _: &Invocation) -> Doc {
        document([self])
    }

    fn cases(&self) -> Vec<ReportCase> {
        vec![case(self)]
    }
}

/// The pairs of a file.
#[derive(Debug, Default, Serialize, JsonSchema)]
pub(super) struct Pairs {
    pairs: Vec<Compared>,
}

impl Report for Pairs {
    const NAME: &'static str = "score_values_file";
    const ITEMS: Option<&'static str> = Some("pairs");

    fn exit(&self) -> Exit {
        Exit::worst_of(self.pairs.iter().map(Compared::exit))
    }

    fn doc(&self, _: &Invocation) -> Doc {
        document(&self.pairs)
    }

    fn cases(&self) -> Vec<ReportCase> {
        self.pairs.iter().map(case).collect()
    }
}

fn document<'c>(all: impl IntoIterator<Item = &'c Compared>) -> Doc {
    let row = |one: &Compared| {
        row![&one.truth, &one.displayed, crate::words::name(&one.score.verdict), one.score.reason()]
    };
    let mut doc = Doc::new("Displayed values");
    doc.body.rows(&["truth", "displayed", "verdict", "reason"], all.into_iter().map(row));
    doc
}

fn case(one: &Compared) -> ReportCase {
    let place = one.line.map_or_else(String::new, |line| format!("line {line}: "));
    let label = one.id.clone().unwrap_or_else(|| format!("{} = {}", one.truth, one.displayed));
    let state = if one.score.value.is_none() {
        CaseVerdict::Error
    } else {
        CaseVerdict::from_pass(one.score.reaches(1.0))
    };
    ReportCase::new(format!("{place}{label}"), state, one.score.reason())
}

/// Runs the command.
///
/// # Errors
/// The file cannot be read.
pub(super) fn run(format: Format, args: &ValuesArgs) -> Result<Exit> {
    if let Some(path) = &args.jsonl {
        return file(path, format);
    }
    let (Some(truth), Some(displayed)) = (&args.truth, &args.displayed) else {
        return Err(Error::Usage("give --truth and --displayed, or --jsonl".to_owned()));
    };
    if truth.trim().is_empty() {
        return Err(Error::Nothing(format!("--truth {NO_TRUTH}")));
    }
    let compared = Compared::of(truth.clone(), displayed.clone(), None, None);
    print_alone(format, &compared)
}

/// Compares the pairs in a file. An invalid line is reported and skipped, and makes the command
/// fail.
fn file(path: &Path, format: Format) -> Result<Exit> {
    let (mut all, mut worst, mut pairs) = (Pairs::default(), Exit::Ok, 0_usize);
    for read in lines(path)? {
        let (number, text) = read?;
        pairs += 1;
        let compared = match pair(&text) {
            Ok((truth, displayed, id)) => Compared::of(truth, displayed, id, Some(number)),
            Err(error) => {
                print_status(format_args!("error: {}", syntax(path, &JsonError { line: number, ..error })));
                worst = worst.worst(Exit::Usage);
                continue;
            }
        };
        worst = worst.worst(compared.exit());
        match format {
            // Print each line at once, because the file may exceed the memory.
            Format::Jsonl => print(&line(&compared)?),
            _ => all.pairs.push(compared),
        }
    }
    at_least_one(pairs, || format!("{} has no pair", path.display()))?;
    match format {
        Format::Jsonl => print(&Items::new(format, "pairs").end(&all)?),
        _ => drop(print_alone(format, &all)?),
    }
    Ok(worst)
}

fn pair(text: &[u8]) -> std::result::Result<(String, String, Option<String>), JsonError> {
    let fault = |message: String| JsonError::at(text, 0, message);
    let Json::Object(object) = parse(text)? else {
        return Err(fault("expected an object with `truth` and `displayed`".to_owned()));
    };
    let (mut truth, mut displayed, mut id) = (None, None, None);
    for (key, value) in &*object {
        let (Json::String(_) | Json::Number(_)) = value else {
            return Err(fault(format!("{key:?} must be a string, not {}", value.kind_name())));
        };
        let text = exact_text(value).into_owned();
        match &**key {
            "truth" => truth = Some(text),
            "displayed" => displayed = Some(text),
            "id" => id = Some(text),
            key => {
                let message =
                    format!("unknown key {key:?}: expected `truth`, `displayed` and optionally `id`");
                return Err(fault(message));
            }
        }
    }
    let missing = |key: &str| fault(format!("`{key}` is missing"));
    let truth = truth.ok_or_else(|| missing("truth"))?;
    if truth.trim().is_empty() {
        return Err(fault(format!("`truth` {NO_TRUTH}")));
    }
    Ok((truth, displayed.ok_or_else(|| missing("displayed"))?, id))
}
