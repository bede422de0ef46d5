//! Scoring of a JSON object against the truth, after the metrics plan: null, five buckets,
//! completeness, hallucination, accuracy and the response quality score.

mod batch;
mod document;
mod exact;
mod field;
mod kind;
mod nested;
#[cfg(test)]
mod properties;
mod score;
pub(crate) mod similarity;
mod strategy;
#[cfg(test)]
mod tests;

pub use batch::{Pair, PairScore, Summary, each_line, parse_pair, score_line, score_pair};
pub use document::{Json, JsonError, MAX_DEPTH, Object, parse, parse_object, read};
pub use exact::{exact_text, exactly_equal, python_float};
pub use field::{FieldScore, Outcome};
pub use kind::{Kind, is_null};
pub use nested::flatten;
pub use score::{Buckets, Counts, JsonScore, Measures, score, tally};
pub use similarity::{
    GivenSimilarities, NoJudge, Question, Similarity, SimilarityJudge, equal_normalised, spelling, words,
};
pub use strategy::{
    FieldRule, JsonConfig, Numbers, SemanticFallback, Strategy, Tolerance, Weights, parse_strategies,
};
