//! `atlas-gt score json`: scores one object against the truth, or a batch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::choice::{choice, share};
use super::print::print_alone;
use super::score_batch::{self, Sides};
use super::score_files::{read_json, syntax};
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::{Format, count, print_status};
use crate::scoring::json::{
    JsonConfig, JsonDetails, Numbers, PairScore, SemanticFallback, Similarities, Weights, checked,
    parse_strategies,
};

/// Arguments of `score json`
#[derive(Debug, Args)]
pub struct JsonArgs {
    /// The true object, or a folder of them
    #[arg(long, requires = "answer")]
    truth: Option<PathBuf>,
    /// The answer, or a folder of them, matched by name
    #[arg(long, requires = "truth")]
    answer: Option<PathBuf>,
    /// Many pairs: a JSON lines file of {"truth": {…}, "answer": {…}, "id"?, "similarities"?}, or a
    /// folder with subfolders `truth` and `answer`
    #[arg(long, conflicts_with_all = ["truth", "answer"])]
    batch: Option<PathBuf>,
    /// Strategy by field: {"name": "FUZZY", "gdp": {"strategy": "NUMERIC", "relative": 0.01}}
    #[arg(long)]
    strategies: Option<PathBuf>,
    /// Similarities from a judge, by field: {"name": 0.92}
    #[arg(long)]
    similarities: Option<PathBuf>,
    /// Score nested objects by path instead of as a whole
    #[arg(long)]
    nested: bool,
    /// Minimum similarity for FUZZY
    #[arg(long, default_value_t = 0.85)]
    fuzzy_threshold: f64,
    /// Minimum similarity for SEMANTIC
    #[arg(long, default_value_t = 0.80)]
    semantic_threshold: f64,
    /// What SEMANTIC does without a judge
    #[arg(long, value_parser = choice::<SemanticFallback>(), default_value = "unscored")]
    semantic: SemanticFallback,
    /// How to compare numbers without a strategy
    #[arg(long, value_parser = choice::<Numbers>(), default_value = "exact")]
    numbers: Numbers,
    /// Weights of accuracy, completeness, hallucination and safety, comma-separated [default: 0.45,0.25,0.15,0.15]
    #[arg(long, value_parser = weights, value_name = "A,C,H,S")]
    weights: Option<Weights>,
    /// The safety score, if something judged it [default: 1, and the report says so]
    #[arg(long)]
    safety: Option<f64>,
    /// Fail (exit 3) if the response quality score is below this, or anything is unscored
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_score: Option<f64>,
    /// Threads for a batch [default: all cores]
    #[arg(long)]
    threads: Option<usize>,
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or parsed, or an option is out of range.
pub fn run(format: Format, args: &JsonArgs) -> Result<Exit> {
    let config = config(args)?;
    let given = similarities(args.similarities.as_deref())?;
    let batch = score_batch::Batch {
        config: &config,
        given: &given,
        min_score: args.min_score,
        threads: args.threads,
        format,
    };
    match (&args.batch, &args.truth, &args.answer) {
        (Some(path), _, _) if path.is_dir() => {
            let (truth, answer) = score_batch::sides_of(path)?;
            batch.folders(&truth, &answer)
        }
        (Some(path), _, _) => batch.lines(path),
        (None, Some(truth), Some(answer)) if truth.is_dir() && answer.is_dir() => {
            batch.folders(truth, answer)
        }
        (None, Some(truth), Some(answer)) => single((format, args.min_score), truth, answer, &config, &given),
        _ => Err(Error::Usage("give --truth and --answer, or --batch".to_owned())),
    }
}

/// Parses `0.45,0.25,0.15,0.15`.
fn weights(text: &str) -> std::result::Result<Weights, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("{part:?} is not a number")))
        .collect::<std::result::Result<_, _>>()?;
    match numbers.as_slice() {
        [accuracy, completeness, hallucination, safety] => Ok(Weights {
            accuracy: *accuracy,
            completeness: *completeness,
            hallucination: *hallucination,
            safety: *safety,
        }),
        _ => Err(format!(
            "expected four numbers (accuracy, completeness, hallucination, safety), found {}",
            numbers.len()
        )),
    }
}

fn config(args: &JsonArgs) -> Result<JsonConfig> {
    let strategies = match &args.strategies {
        None => BTreeMap::new(),
        Some(path) => parse_strategies(&input::bytes(path)?).map_err(|error| syntax(path, &error))?,
    };
    let config = JsonConfig {
        strategies,
        weights: args.weights.unwrap_or_default(),
        fuzzy_threshold: args.fuzzy_threshold,
        semantic_threshold: args.semantic_threshold,
        semantic: args.semantic,
        numbers: args.numbers,
        nested: args.nested,
        safety: args.safety,
        ..JsonConfig::default()
    };
    config.check().map_err(Error::Usage)?;
    Ok(config)
}

fn similarities(path: Option<&Path>) -> Result<Similarities> {
    let Some(path) = path else { return Ok(Similarities::new()) };
    checked(read_json(path)?).map_err(|message| Error::Usage(format!("{}: {message}", path.display())))
}

fn single(
    (format, min_score): (Format, Option<f64>),
    truth: &Path,
    answer: &Path,
    config: &JsonConfig,
    given: &Similarities,
) -> Result<Exit> {
    let sides = Sides::read(truth, answer)?;
    let pair = PairScore { id: None, score: sides.score(config, given)? };
    print_alone(format, &pair)?;
    let JsonDetails { counts, measures, .. } = &pair.score.metadata;
    let passes =
        min_score.is_none_or(|bar| counts.unscored == 0 && measures.rqs.is_some_and(|rqs| rqs >= bar));
    if let Some(bar) = min_score.filter(|_| !passes) {
        let most = measures.rqs_max;
        print_status(match measures.rqs {
            Some(_) if counts.unscored > 0 => {
                format!(
                    "error: {} unscored, so --min-score {bar} is not reached",
                    count(counts.unscored, "field")
                )
            }
            Some(rqs) => format!("error: RQS {rqs:.4} of at most {most:.2} is below --min-score {bar}"),
            None => format!("error: there is no RQS, so --min-score {bar} is not reached"),
        });
    }
    Ok(if passes { Exit::Ok } else { Exit::Differences })
}
