//! Scores a JSON object against the truth as the metrics plan defines it: null values, five buckets, completeness,
//! hallucination, accuracy and the response quality score.

mod batch;
mod document;
mod exact;
mod field;
mod kind;
mod nested;
#[cfg(test)]
mod properties;
mod score;
mod strategy;
#[cfg(test)]
mod tests;

pub use batch::{PairScore, Summary, checked, score_line};
pub use document::{Json, JsonError, MAX_DEPTH, Object, parse, parse_object, read};
pub use exact::exact_text;
pub use field::{FieldOutcome, FieldScore, Similarities};
pub use kind::{JsonKind, is_null};
pub use score::{Buckets, Counts, JsonDetails, Measures, score};
pub use strategy::{
    FieldRule, JsonConfig, Numbers, SemanticFallback, Strategy, Tolerance, Weights, parse_strategies,
};
