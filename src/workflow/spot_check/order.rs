//! What a spot check checks, and how.

use std::collections::BTreeMap;

use crate::agent::Mode;
use crate::manifest::QuestionId;
use crate::sample::Drawn;
use crate::truth::{Pipeline, Site};

/// What to check, and how.
#[derive(Debug)]
pub struct Order {
    /// The chosen questions with the reason, in the order of the manifest.
    pub drawn: BTreeMap<QuestionId, Drawn>,
    /// The number of questions that the sample was drawn from.
    pub candidates: usize,
    /// The seed of the draw; none if the questions were named.
    pub seed: Option<u64>,
    /// The pipeline that the agent should use.
    pub mode: Mode,
    /// The pipeline to assume if there is no trace.
    pub pipeline: Option<Pipeline>,
    /// The site that the agent answers about (decision 18).
    pub agent_site: Site,
    /// The number of questions asked in parallel.
    pub concurrency: usize,
    /// The run's id.
    pub run: String,
}
