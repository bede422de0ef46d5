//! Scores a batch of pairs line by line (JSONL) and summarizes it in constant memory.

use schemars::JsonSchema;
use serde::Serialize;

use super::document::{Json, JsonError, Object, parse};
use super::field::Similarities;
use super::score::{Counts, JsonDetails, scored};
use super::strategy::JsonConfig;
use crate::score::Score;
use crate::stats::{MeanEstimate, Running};

/// The score of one line of a batch.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PairScore<'a> {
    /// The line's id.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// The score.
    #[serde(flatten)]
    pub score: Score<JsonDetails<'a>>,
}

/// Scores a line, `{"id"?, "truth" | "gt": {…}, "answer" | "aio": {…}, "similarities"?: {field: number}}`. The line's
/// similarities override those of the run. Without `breakdown`, buckets and fields stay empty.
///
/// # Errors
/// Invalid JSON, a missing side or an unknown key, with line and column within `text`.
pub fn score_line<'a>(
    text: &'a [u8],
    config: &JsonConfig,
    given: &Similarities,
    breakdown: bool,
) -> Result<PairScore<'a>, JsonError> {
    let fault = |message: String| JsonError::at(text, 0, message);
    let Json::Object(line) = parse(text)? else {
        return Err(fault("expected an object with `truth` and `answer`".to_owned()));
    };
    let (mut id, mut truth, mut answer, mut overrides) = (None, None, None, None);
    for (key, value) in *line {
        let side = match (&*key, value) {
            ("id", Json::String(name)) => {
                id = Some(name.into_owned());
                continue;
            }
            ("id", Json::Number(number)) => {
                id = Some(number.to_owned());
                continue;
            }
            ("similarities", Json::Object(scores)) => {
                overrides = Some(similarities(&scores).map_err(fault)?);
                continue;
            }
            ("truth" | "gt", Json::Object(object)) => truth.replace(*object),
            ("answer" | "aio", Json::Object(object)) => answer.replace(*object),
            ("id" | "truth" | "gt" | "answer" | "aio" | "similarities", other) => {
                return Err(fault(format!("{key:?} must not be {}", other.kind_name())));
            }
            _ => {
                return Err(fault(format!(
                    "unknown key {key:?}: expected `id`, `truth`, `answer`, `similarities`"
                )));
            }
        };
        if side.is_some() {
            return Err(fault(format!("{key:?} gives this side a second time")));
        }
    }
    let missing = |side: &str| fault(format!("`{side}` is missing"));
    let (truth, answer) = (truth.ok_or_else(|| missing("truth"))?, answer.ok_or_else(|| missing("answer"))?);
    let merged = overrides.map(|overrides| given.clone().into_iter().chain(overrides).collect());
    Ok(PairScore { id, score: scored(truth, answer, config, merged.as_ref().unwrap_or(given), breakdown) })
}

fn similarities(scores: &Object<'_>) -> Result<Similarities, String> {
    let scores: Result<Similarities, String> = scores
        .iter()
        .map(|(key, value)| match value.as_f64() {
            Some(score) => Ok((key.to_string(), score)),
            None => Err(format!("the similarity of {key:?} is {}", value.kind_name())),
        })
        .collect();
    checked(scores?)
}

/// Checks that all similarities are from 0 to 1.
///
/// # Errors
/// The first field whose similarity is out of range.
pub fn checked(scores: Similarities) -> Result<Similarities, String> {
    match scores.iter().find(|(_, score)| !(0.0..=1.0).contains(*score)) {
        Some((field, score)) => Err(format!("the similarity of {field:?} is {score}: expected 0 to 1")),
        None => Ok(scores),
    }
}

/// The summary of a batch. It holds sums, not the pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Number of scored pairs.
    pub pairs: u64,
    /// Pairs with an unscored field.
    pub pairs_with_unscored: u64,
    /// Lines or files that could not be read.
    pub errors: u64,
    /// Sums of the counts of all pairs.
    pub counts: Counts,
    /// Mean completeness of the pairs.
    #[schemars(with = "Option<MeanEstimate>")]
    pub completeness: Running,
    /// Mean hallucination of the pairs.
    #[schemars(with = "Option<MeanEstimate>")]
    pub hallucination: Running,
    /// Mean accuracy of the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub accuracy: Running,
    /// Mean response quality score of the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub rqs: Running,
    /// Mean share of the attainable score, over the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub rqs_of_max: Running,
    /// Truth files without an answer file (folders only).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched_truth: Vec<String>,
    /// Answer files without a truth file (folders only).
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched_answer: Vec<String>,
}

impl Summary {
    /// Adds a pair.
    pub fn add(&mut self, scored: &JsonDetails<'_>) {
        let JsonDetails { measures, counts, .. } = scored;
        self.pairs += 1;
        self.pairs_with_unscored += u64::from(counts.unscored > 0);
        self.counts.absorb(counts);
        self.completeness.add(measures.completeness);
        self.hallucination.add(measures.hallucination);
        for (running, measure) in [
            (&mut self.accuracy, measures.accuracy),
            (&mut self.rqs, measures.rqs),
            (&mut self.rqs_of_max, measures.rqs_of_max),
        ] {
            if let Some(measure) = measure {
                running.add(measure);
            }
        }
    }

    /// Whether the mean response quality score reaches the minimum. Unscored fields, errors and unmatched truths never pass.
    #[must_use]
    pub fn passes(&self, min_score: f64) -> bool {
        self.errors == 0
            && self.counts.unscored == 0
            && self.unmatched_truth.is_empty()
            && self.rqs.mean().is_some_and(|mean| mean >= min_score)
    }
}
