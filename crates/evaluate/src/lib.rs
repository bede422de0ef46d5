//! Asks agents and scores their answers: agents and judges, answers against stored truth,
//! components of an agent, and whole runs with summaries.

use atlas_gt_core::{
    atlas, atomic_file, breaker, compiled_in, error, event, evidence, http, input, machine, picture, process,
    selection, value, words,
};
use atlas_gt_extract::manifest;
use atlas_gt_scoring as scoring;
use atlas_gt_truth as truth;

pub mod agent;
pub mod checked;
pub mod earlier;
pub mod expected;
pub mod judge;
mod reference;
pub mod run;
mod score_answer;
pub mod three_way;
mod token_usage;
mod verdict;

pub use reference::{StoredQuestions, of_reference};
pub use score_answer::{AnswerDetails, RefusedScore, score_answer, score_refusal};
pub use verdict::PointCounts;
