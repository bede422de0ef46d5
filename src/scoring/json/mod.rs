//! Scoring of a JSON object against the truth, after the metrics plan: null, five buckets,
//! completeness, hallucination, accuracy and the response quality score.

mod batch;
mod document;
mod field;
mod kind;
mod line;
mod nested;
mod parse;
mod printable;
#[cfg(test)]
mod properties;
mod python;
mod raw;
mod score;
mod shape;
pub(crate) mod similarity;
mod strategy;
#[cfg(test)]
mod tests;
mod write;

pub use batch::{LineError, Pair, PairScore, Summary, each_line, parse_pair, score_line, score_pair};
pub use document::{Entry, Json, Object};
pub use field::{FieldScore, Outcome};
pub use kind::{Kind, is_null};
pub use line::LineScorer;
pub use nested::flatten;
pub use parse::{JsonError, MAX_BYTES, MAX_DEPTH, parse, parse_object};
pub use python::{exact_text, exactly_equal, python_float, python_str};
pub use score::{Buckets, Counts, JsonScore, Measures, score, tally};
pub use similarity::{
    GivenSimilarities, NoJudge, Question, Similarity, SimilarityJudge, equal_normalised, spelling, words,
};
pub use strategy::{
    FieldRule, JsonConfig, Numbers, SemanticFallback, Strategy, Tolerance, Weights, parse_strategies,
};
