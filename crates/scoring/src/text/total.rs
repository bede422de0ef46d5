//! The results of the threshold metrics: points, total and bands (scoring thresholds, "Total Score Calculation";
//! decision 1).

use schemars::JsonSchema;
use serde::Serialize;
use strum::VariantArray;

use super::citations::Citation;
use super::contradictions::Contradiction;
use super::coverage::FactFinding;
use super::markdown::Structure;
use super::markers::Marker;
use super::trace::Trace;

/// A threshold metric.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TextMetric {
    /// Coverage of the key facts; 0–3.
    FactualAccuracy,
    /// Required sections and structure; 0–2.
    SchemaCompliance,
    /// Citations and sources; 0–2.
    ProvenanceQuality,
    /// Markers and contradictions; 0–2.
    HallucinationDetection,
    /// Headers, lists, line length; 0–1.
    Readability,
    /// Mean reciprocal rank of the first relevant source; 0–2.
    Mrr,
}

impl TextMetric {
    /// The maximum points of the metric.
    #[must_use]
    pub const fn maximum(self) -> u32 {
        match self {
            Self::FactualAccuracy => 3,
            Self::Readability => 1,
            _ => 2,
        }
    }
}

/// The score of one metric.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricScore {
    /// The metric.
    pub metric: TextMetric,
    /// The points; absent if the case gives the metric no input.
    pub score: Option<u32>,
    /// The maximum points.
    pub maximum: u32,
    /// The label of the score: Poor, Fair, Good, Excellent, Acceptable.
    pub quality: &'static str,
    /// The trace of the decision.
    pub trace: Trace,
}

impl MetricScore {
    pub(super) fn new(
        metric: TextMetric,
        score: u32,
        quality: &'static str,
        why: &str,
        mut trace: Trace,
    ) -> Self {
        trace.score = format!("{score} ({quality}: {why})");
        Self { metric, score: Some(score), maximum: metric.maximum(), quality, trace }
    }

    pub(super) fn unscored(metric: TextMetric, why: &str, mut trace: Trace) -> Self {
        trace.result = "nothing to measure".to_owned();
        trace.score = format!("unscored ({why})");
        Self { metric, score: None, maximum: metric.maximum(), quality: "Unscored", trace }
    }
}

/// The documented maximum. The six metrics only sum to 12.
pub(crate) const DOCUMENTED_MAXIMUM: f64 = 14.0;

/// The documented interpretation of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, JsonSchema, VariantArray)]
pub enum Band {
    /// Below 6.
    Poor,
    /// From 6.
    #[serde(rename = "Needs Improvement")]
    NeedsImprovement,
    /// From 8.
    Acceptable,
    /// From 10.
    Good,
    /// From 12.
    Excellent,
}

atlas_gt_core::names!(Band);

impl Band {
    /// The band of a total. A total on an edge belongs to the upper band.
    #[must_use]
    pub fn of(points: f64) -> Self {
        match points {
            p if p >= 12.0 => Self::Excellent,
            p if p >= 10.0 => Self::Good,
            p if p >= 8.0 => Self::Acceptable,
            p if p >= 6.0 => Self::NeedsImprovement,
            _ => Self::Poor,
        }
    }
}

/// The details behind the score of a text. The score is `points / attainable`, or absent if nothing is attainable.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TextDetails {
    /// Points earned.
    pub points: u32,
    /// Attainable points: 12 minus those of metrics without input.
    pub attainable: u32,
    /// The documented band of the points.
    pub band_by_points: Band,
    /// The documented band of `share × 14`.
    pub band_by_share: Option<Band>,
    /// The metrics in documented order.
    pub metrics: Vec<MetricScore>,
    /// The finding for every fact.
    pub facts: Vec<FactFinding>,
    /// Counts of formatting.
    pub structure: Structure,
    /// Citations in order.
    pub citations: Vec<Citation>,
    /// Distinct normalised addresses in citation order.
    pub unique_sources: Vec<String>,
    /// Phrases that mark made-up content.
    pub markers: Vec<Marker>,
    /// Statements that contradict each other.
    pub contradictions: Vec<Contradiction>,
}
