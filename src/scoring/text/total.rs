//! The total of the threshold metrics and its bands (scoring thresholds, "Total Score Calculation"; decision 1).

use serde::Serialize;

use super::citations::Citation;
use super::contradictions::Contradiction;
use super::coverage::FactFinding;
use super::markdown::Structure;
use super::markers::Marker;
use super::metrics::MetricScore;

/// The documented total, which the six parts do not reach: they sum to 12.
pub const DOCUMENTED_MAXIMUM: f64 = 14.0;

/// The documented interpretation of a total.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
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

    /// Its name in the documentation.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Poor => "Poor",
            Self::NeedsImprovement => "Needs Improvement",
            Self::Acceptable => "Acceptable",
            Self::Good => "Good",
            Self::Excellent => "Excellent",
        }
    }
}

/// A scored text.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct TextScore {
    /// Points reached.
    pub points: u32,
    /// Points that could be reached: 12, less those of the metrics that have no input.
    pub attainable: u32,
    /// `points / attainable`; nothing when nothing is attainable.
    pub share: Option<f64>,
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
