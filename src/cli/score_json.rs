//! `atlas-gt score json`: one object against the truth, or the options of a batch.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::Args;

use super::choice::choice;
use super::score_batch::{self, Sides};
use super::score_output::{Format, JunitCase, JunitState, read_json, share, show, syntax};
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::report::table;
use crate::scoring::json::{
    FieldScore, JsonConfig, JsonDetails, Numbers, Outcome, SemanticFallback, Similarities, Weights, checked,
    parse_strategies,
};

/// Arguments of `score json`
#[derive(Debug, Args)]
pub struct JsonArgs {
    /// The true object, or a folder of them
    #[arg(long, requires = "answer", required_unless_present = "batch")]
    truth: Option<PathBuf>,
    /// The answer, or a folder of them, matched by name
    #[arg(long, requires = "truth")]
    answer: Option<PathBuf>,
    /// Many pairs: a JSONL file of {"truth": {…}, "answer": {…}, "id"?, "similarities"?}, or a folder that holds the
    /// folders `truth` and `answer`
    #[arg(long, conflicts_with_all = ["truth", "answer"])]
    batch: Option<PathBuf>,
    /// Strategy per field: {"name": "FUZZY", "gdp": {"strategy": "NUMERIC", "relative": 0.01}}
    #[arg(long)]
    strategies: Option<PathBuf>,
    /// Similarities that a judge worked out, by field: {"name": 0.92}
    #[arg(long)]
    similarities: Option<PathBuf>,
    /// Score nested objects by path rather than as a whole
    #[arg(long)]
    nested: bool,
    /// Least similarity for FUZZY
    #[arg(long, default_value_t = 0.85)]
    fuzzy_threshold: f64,
    /// Least similarity for SEMANTIC
    #[arg(long, default_value_t = 0.80)]
    semantic_threshold: f64,
    /// What SEMANTIC does without a judge
    #[arg(long, value_parser = choice::<SemanticFallback>(), default_value = "unscored")]
    semantic: SemanticFallback,
    /// How numbers without a strategy are compared
    #[arg(long, value_parser = choice::<Numbers>(), default_value = "exact")]
    numbers: Numbers,
    /// Weights of accuracy, completeness, hallucination and safety, with commas between; by default 0.45,0.25,0.15,0.15
    #[arg(long, value_parser = weights, value_name = "A,C,H,S")]
    weights: Option<Weights>,
    /// The safety score, when something judged it; else 1 is taken and said so
    #[arg(long)]
    safety: Option<f64>,
    /// Fail (exit 3) when the response quality score is below this, or anything is unscored
    #[arg(long)]
    min_score: Option<f64>,
    /// Threads for a batch; all cores when not given
    #[arg(long)]
    threads: Option<usize>,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// Runs the command.
///
/// # Errors
/// Files that cannot be read or are not understood, and options out of range.
pub fn run(args: &JsonArgs) -> Result<Exit> {
    let config = config(args)?;
    let given = similarities(args.similarities.as_deref())?;
    let batch = score_batch::Batch {
        config: &config,
        given: &given,
        min_score: args.min_score,
        threads: args.threads,
        format: args.format,
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
        (None, Some(truth), Some(answer)) => single(args, truth, answer, &config, &given),
        _ => Err(Error::Usage("give --truth and --answer, or --batch".to_owned())),
    }
}

/// Reads `0.45,0.25,0.15,0.15`.
fn weights(text: &str) -> std::result::Result<Weights, String> {
    let numbers: Vec<f64> = text
        .split(',')
        .map(|part| part.trim().parse().map_err(|_| format!("{part:?} is no number")))
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
    args: &JsonArgs,
    truth: &Path,
    answer: &Path,
    config: &JsonConfig,
    given: &Similarities,
) -> Result<Exit> {
    let sides = Sides::read(truth, answer)?;
    let scored = sides.score(config, given)?;
    show(
        args.format,
        &scored,
        |scored| for_people(&scored.metadata),
        |scored| ("score json".to_owned(), scored.metadata.fields.iter().map(case).collect()),
    )?;
    let JsonDetails { counts, measures, .. } = &scored.metadata;
    let passes =
        args.min_score.is_none_or(|bar| counts.unscored == 0 && measures.rqs.is_some_and(|rqs| rqs >= bar));
    Ok(if passes { Exit::Ok } else { Exit::Differences })
}

fn case(field: &FieldScore<'_>) -> JunitCase {
    let state = JunitState::of(field.score.map(|score| score >= 1.0));
    JunitCase { name: field.field.clone().into_owned(), state, message: field.reason.clone() }
}

fn for_people(scored: &JsonDetails<'_>) -> String {
    let rows = scored.fields.iter().map(|field| {
        let from = format!("{} ({})", field.strategy.name(), field.strategy_from);
        let points = match field.outcome {
            Outcome::Match => "1",
            Outcome::Mismatch => "0",
            Outcome::Ignored => "ignored",
            Outcome::Unscored => "unscored",
        };
        let backend = if field.provisional {
            format!("{}, provisional", field.backend)
        } else {
            field.backend.to_owned()
        };
        vec![field.field.clone().into_owned(), from, points.to_owned(), backend, field.reason.clone()]
    });
    let mut text = table(&["field", "strategy", "score", "backend", "why"], rows);
    for (name, keys) in [
        ("extra keys", &scored.buckets.extra_keys),
        ("null in the truth, a value in the answer", &scored.buckets.gt_null_aio_has_value),
        ("missing or null in the answer", &scored.buckets.aio_missing_or_null),
    ] {
        if !keys.is_empty() {
            text.push_str(&format!("{name}: {}\n", keys.join(", ")));
        }
    }
    let measures = &scored.measures;
    let safety = if measures.safety_judged { "" } else { " (not judged)" };
    text.push_str(&format!(
        "completeness {:.3}, hallucination {:.3}, accuracy {}, safety {:.3}{safety}\nRQS {} of {:.2}: {} of what is attainable\n",
        measures.completeness,
        measures.hallucination,
        share(measures.accuracy),
        measures.safety_score,
        measures.rqs.map_or_else(|| "-".to_owned(), |rqs| format!("{rqs:.4}")),
        measures.rqs_max,
        share(measures.rqs_of_max),
    ));
    if scored.counts.unscored > 0 {
        text.push_str(&format!("unscored: {}; no gate passes with that\n", scored.counts.unscored));
    }
    text
}
