//! Many pairs: one line of JSONL at a time, summed up in bounded memory.

use schemars::JsonSchema;
use serde::Serialize;

use super::document::{Json, JsonError, Object, parse};
use super::field::Similarities;
use super::score::{Counts, JsonDetails, scored};
use super::strategy::JsonConfig;
use crate::score::Score;
use crate::stats::{MeanEstimate, Running};

/// A line of a batch, scored.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct PairScore<'a> {
    /// What the line calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its score.
    #[serde(flatten)]
    pub score: Score<JsonDetails<'a>>,
}

/// Scores a line, `{"id"?, "truth" | "gt": {…}, "answer" | "aio": {…}, "similarities"?: {field: number}}`. Similarities of the
/// line come before those of the run. Without `breakdown` buckets and fields stay empty.
///
/// # Errors
/// Not JSON, a missing side, an unknown key; line and column count within `text`.
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
    let (mut id, mut truth, mut answer, mut own) = (None, None, None, None);
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
                own = Some(similarities(&scores).map_err(fault)?);
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
            return Err(fault(format!("{key:?} names a side that was given before")));
        }
    }
    let missing = |side: &str| fault(format!("`{side}` is missing"));
    let (truth, answer) = (truth.ok_or_else(|| missing("truth"))?, answer.ok_or_else(|| missing("answer"))?);
    let own = own.map(|own| given.clone().into_iter().chain(own).collect());
    Ok(PairScore { id, score: scored(truth, answer, config, own.as_ref().unwrap_or(given), breakdown) })
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

/// The similarities, all from 0 to 1.
///
/// # Errors
/// The first field whose number is not, in words.
pub fn checked(scores: Similarities) -> Result<Similarities, String> {
    match scores.iter().find(|(_, score)| !(0.0..=1.0).contains(*score)) {
        Some((field, score)) => Err(format!("the similarity of {field:?} is {score}: expected 0 to 1")),
        None => Ok(scores),
    }
}

/// What a batch came to. Holds sums, never the pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct Summary {
    /// Pairs scored.
    pub pairs: u64,
    /// Pairs that hold an unscored field.
    pub pairs_with_unscored: u64,
    /// Lines or files that could not be read.
    pub errors: u64,
    /// Counts over all pairs.
    pub counts: Counts,
    /// Over the pairs.
    #[schemars(with = "Option<MeanEstimate>")]
    pub completeness: Running,
    /// Over the pairs.
    #[schemars(with = "Option<MeanEstimate>")]
    pub hallucination: Running,
    /// Over the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub accuracy: Running,
    /// Over the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub rqs: Running,
    /// Over the pairs that have one.
    #[schemars(with = "Option<MeanEstimate>")]
    pub rqs_of_max: Running,
    /// Truths without an answer, of folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched_truth: Vec<String>,
    /// Answers without a truth, of folders.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub unmatched_answer: Vec<String>,
}

impl Summary {
    /// Takes a pair in.
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

    /// Whether the mean response quality score reaches a bar. Unscored fields, errors and what has no partner never pass.
    #[must_use]
    pub fn passes(&self, min_score: f64) -> bool {
        self.errors == 0
            && self.counts.unscored == 0
            && self.unmatched_truth.is_empty()
            && self.rqs.mean().is_some_and(|mean| mean >= min_score)
    }
}
