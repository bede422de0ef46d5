//! Many pairs: one line of JSONL at a time, summed up in bounded memory.

use std::collections::BTreeMap;

use serde::Serialize;

use super::document::{Json, JsonError, Object, parse};
use super::nested::flatten;
use super::score::{Counts, JsonScore, Measures, score, tally};
use super::similarity::{GivenSimilarities, SimilarityJudge};
use super::strategy::JsonConfig;
use crate::scoring::stats::Running;

/// A truth with its answer.
#[derive(Debug, Clone)]
pub struct Pair<'a> {
    /// What the line calls itself, if anything.
    pub id: Option<String>,
    /// The truth.
    pub truth: Object<'a>,
    /// The answer.
    pub answer: Object<'a>,
    /// Similarities given with the pair, by field.
    pub similarities: Option<GivenSimilarities>,
}

/// Reads `{"id"?, "truth" | "gt": {…}, "answer" | "aio": {…}, "similarities"?: {field: number}}`.
///
/// # Errors
/// Not JSON, a missing side, an unknown key; line and column count within `text`.
pub fn parse_pair(text: &[u8]) -> Result<Pair<'_>, JsonError> {
    let fault = |message: String| JsonError::at(text, 0, message);
    let Json::Object(line) = parse(text)? else {
        return Err(fault("expected an object with `truth` and `answer`".to_owned()));
    };
    let (mut id, mut truth, mut answer, mut similarities) = (None, None, None, None);
    for (key, value) in line {
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
                similarities = Some(given(&scores).map_err(fault)?);
                continue;
            }
            ("truth" | "gt", Json::Object(object)) => truth.replace(object),
            ("answer" | "aio", Json::Object(object)) => answer.replace(object),
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
    Ok(Pair {
        id,
        truth: truth.ok_or_else(|| missing("truth"))?,
        answer: answer.ok_or_else(|| missing("answer"))?,
        similarities,
    })
}

fn given(scores: &Object<'_>) -> Result<GivenSimilarities, String> {
    let scores: Result<BTreeMap<String, f64>, String> = scores
        .iter()
        .map(|(key, value)| match value.as_f64() {
            Some(score) => Ok((key.to_string(), score)),
            None => Err(format!("the similarity of {key:?} is {}", value.kind_name())),
        })
        .collect();
    GivenSimilarities::new(scores?)
}

/// A line of a batch, scored.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct PairScore {
    /// What the line calls itself.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub id: Option<String>,
    /// Its score.
    #[serde(flatten)]
    pub score: JsonScore,
}

/// Scores a pair with its breakdown.
pub fn score_pair(pair: Pair<'_>, config: &JsonConfig, judge: &impl SimilarityJudge) -> PairScore {
    let (truth, answer) = sides(pair.truth, pair.answer, config);
    let score = match &pair.similarities {
        Some(given) => score(&truth, &answer, config, &First(given, judge)),
        None => score(&truth, &answer, config, judge),
    };
    PairScore { id: pair.id, score }
}

/// Scores one line for its counts alone.
///
/// # Errors
/// As [`parse_pair`].
pub fn score_line(
    text: &[u8],
    config: &JsonConfig,
    judge: &impl SimilarityJudge,
) -> Result<Counts, JsonError> {
    let pair = parse_pair(text)?;
    let (truth, answer) = sides(pair.truth, pair.answer, config);
    Ok(match &pair.similarities {
        Some(given) => tally(&truth, &answer, config, &First(given, judge)),
        None => tally(&truth, &answer, config, judge),
    })
}

/// Calls `each` with every line of a block that is not blank, and its number from 1; returns how many lines there
/// are, a last one without newline included.
pub fn each_line(block: &[u8], mut each: impl FnMut(u64, &[u8])) -> u64 {
    let mut number = 0;
    let mut rest = block;
    while !rest.is_empty() {
        let end = memchr::memchr(b'\n', rest).map_or(rest.len(), |newline| newline + 1);
        let (line, after) = rest.split_at(end);
        rest = after;
        number += 1;
        let line = line.trim_ascii();
        if !line.is_empty() {
            each(number, line);
        }
    }
    number
}

fn sides<'a>(truth: Object<'a>, answer: Object<'a>, config: &JsonConfig) -> (Object<'a>, Object<'a>) {
    if config.nested { (flatten(truth), flatten(answer)) } else { (truth, answer) }
}

/// One judge, then another where the first is silent.
struct First<'j, A, B>(&'j A, &'j B);

impl<A: SimilarityJudge, B: SimilarityJudge> SimilarityJudge for First<'_, A, B> {
    fn similarity(
        &self,
        field: &str,
        truth: &str,
        answer: &str,
        question: super::Question,
    ) -> Option<super::Similarity> {
        self.0
            .similarity(field, truth, answer, question)
            .or_else(|| self.1.similarity(field, truth, answer, question))
    }
}

/// What a batch came to. Holds sums, never the pairs.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
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
    pub completeness: Running,
    /// Over the pairs.
    pub hallucination: Running,
    /// Over the pairs that have one.
    pub accuracy: Running,
    /// Over the pairs that have one.
    pub rqs: Running,
    /// Over the pairs that have one.
    pub rqs_of_max: Running,
}

impl Summary {
    /// Takes a pair in.
    pub fn add(&mut self, counts: &Counts, measures: &Measures) {
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

    /// Whether the mean response quality score reaches a bar. Unscored fields and errors never pass.
    #[must_use]
    pub fn passes(&self, min_score: f64) -> bool {
        self.errors == 0 && self.counts.unscored == 0 && self.rqs.mean().is_some_and(|mean| mean >= min_score)
    }
}
