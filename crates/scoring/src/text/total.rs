//! What the threshold metrics give: points of each, the total and its bands (scoring thresholds, "Total Score Calculation"; decision 1).

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
    /// How many key facts the text states; 0–3.
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
    /// The most points it gives.
    #[must_use]
    pub const fn maximum(self) -> u32 {
        match self {
            Self::FactualAccuracy => 3,
            Self::Readability => 1,
            _ => 2,
        }
    }
}

/// A metric's points.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct MetricScore {
    /// Which.
    pub metric: TextMetric,
    /// Points; nothing when the case gives it nothing to measure.
    pub score: Option<u32>,
    /// The most it gives.
    pub maximum: u32,
    /// Its word for the score: Poor, Fair, Good, Excellent, Acceptable.
    pub quality: &'static str,
    /// How it came to it.
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

/// The documented total, which the six parts do not reach: they sum to 12.
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
    /// The band of a total; edges belong to the upper one.
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

/// What the score of a text rests on. Its value is `points / attainable`; nothing when nothing is attainable.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct TextDetails {
    /// Points reached.
    pub points: u32,
    /// Points that could be reached: 12, less those of the metrics that have no input.
    pub attainable: u32,
    /// The documented band of the points.
    pub band_by_points: Band,
    /// The documented band of `share × 14`.
    pub band_by_share: Option<Band>,
    /// The metrics in documented order.
    pub metrics: Vec<MetricScore>,
    /// Every fact with its finding.
    pub facts: Vec<FactFinding>,
    /// Counts of formatting.
    pub structure: Structure,
    /// Citations in order.
    pub citations: Vec<Citation>,
    /// Distinct normalised addresses in citation order.
    pub unique_sources: Vec<String>,
    /// Phrases that betray made-up content.
    pub markers: Vec<Marker>,
    /// Statements that exclude each other.
    pub contradictions: Vec<Contradiction>,
}
