//! The judge's rubric: dimensions scored from 1 to 5, their weights, and the resulting verdict (evaluation strategy,
//! section 6, "`data_source_appropriateness` Dimension", and section 1.1; decision 16).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::{CaseVerdict, Score};

/// The lowest score, out of 5, at which an answer passes.
pub const PASS: f64 = 3.5;
/// The lowest score, out of 5, at which an answer is partly right.
pub const PARTIAL: f64 = 2.5;
/// The highest score of a dimension.
pub const MAX: f64 = 5.0;

/// A set of weighted dimensions.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum Rubric {
    /// Five dimensions, including the choice of data source.
    #[default]
    FiveDimensions,
    /// The older four.
    FourDimensions,
    /// The older four, each scored yes or no.
    Binary,
}

/// A dimension that a judge scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, VariantArray)]
#[serde(rename_all = "snake_case")]
pub enum Dimension {
    /// Are the facts right?
    FactualCorrectness,
    /// Are the figures right?
    DataAccuracy,
    /// Does the answer cover the whole question?
    Completeness,
    /// Does the reasoning hold?
    ReasoningQuality,
    /// Did the answer come from the most suitable source? Needs a trace of the agent's calls.
    DataSourceAppropriateness,
}

atlas_gt_core::words!(Dimension);

/// A judged answer.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct RubricScore {
    /// The rubric.
    pub rubric: Rubric,
    /// Weighted mean of the scored dimensions, 1 to 5.
    pub weighted: f64,
    /// The verdict for the weighted score.
    pub verdict: CaseVerdict,
    /// The scored dimensions with their weights, which sum to 1.
    pub weights: BTreeMap<Dimension, f64>,
    /// Dimensions that could not be scored; their weight goes to the others in proportion.
    pub unscored: Vec<Dimension>,
}

/// The yes-or-no dimensions, and whether each is critical. An answer passes only if all critical dimensions hold.
pub const BINARY: [(Dimension, bool); 4] = [
    (Dimension::FactualCorrectness, true),
    (Dimension::DataAccuracy, true),
    (Dimension::Completeness, false),
    (Dimension::ReasoningQuality, false),
];

/// The lowest passing score of the binary rubric: three dimensions of four.
pub const BINARY_PASS: f64 = 0.75;

/// The kinds of failure in the binary rubric.
pub const FAULTS: [&str; 7] = [
    "wrong_value",
    "wrong_entity",
    "wrong_period",
    "wrong_measure",
    "incomplete",
    "unsupported",
    "wrong_refusal",
];

/// The share of yes (1) or no (0) dimensions that hold. If a critical one does not, the share is capped at 0.5, which never
/// passes.
///
/// # Errors
/// A dimension is missing.
pub fn binary(given: &BTreeMap<String, f64>) -> Result<Score, String> {
    let (mut held, mut is_critical_missing) = (0_u8, false);
    for (dimension, is_critical) in BINARY {
        let holds =
            *given.get(dimension.name()).ok_or_else(|| format!("{} is missing", dimension.name()))? > 0.5;
        held += u8::from(holds);
        is_critical_missing |= is_critical && !holds;
    }
    let share = f64::from(held) / BINARY.len() as f64;
    let value = if is_critical_missing { share.min(0.5) } else { share };
    let critical = if is_critical_missing { ", a critical one fails" } else { "" };
    Ok(Score::scored(value, format!("{held} of {} dimensions hold{critical}", BINARY.len())))
}

/// The verdict on a score from 1 to 5.
#[must_use]
pub fn verdict(score: f64) -> CaseVerdict {
    match score {
        score if score >= PASS => CaseVerdict::Pass,
        score if score >= PARTIAL => CaseVerdict::Partial,
        _ => CaseVerdict::Fail,
    }
}

impl Rubric {
    /// The dimensions with their weights, which sum to 1.
    #[must_use]
    pub const fn weights(self) -> &'static [(Dimension, f64)] {
        match self {
            Self::FiveDimensions => &[
                (Dimension::FactualCorrectness, 0.30),
                (Dimension::DataAccuracy, 0.25),
                (Dimension::Completeness, 0.15),
                (Dimension::ReasoningQuality, 0.15),
                (Dimension::DataSourceAppropriateness, 0.15),
            ],
            Self::FourDimensions | Self::Binary => &[
                (Dimension::FactualCorrectness, 0.35),
                (Dimension::DataAccuracy, 0.30),
                (Dimension::Completeness, 0.20),
                (Dimension::ReasoningQuality, 0.15),
            ],
        }
    }

    /// The dimensions that can be judged, with their weights. The data source needs a trace of the agent's calls.
    pub fn asked(self, traced: bool) -> impl Iterator<Item = (Dimension, f64)> {
        let all = self.weights().iter().copied();
        all.filter(move |(dimension, _)| traced || *dimension != Dimension::DataSourceAppropriateness)
    }

    /// Computes the weighted score from the judge's points, 1 to 5 per dimension. Without a trace of the agent's calls, the
    /// data source cannot be judged: that dimension is ignored and the other weights are renormalised.
    ///
    /// # Errors
    /// A dimension is missing, unknown to the rubric or out of range.
    pub fn score(self, given: &BTreeMap<String, f64>, traced: bool) -> Result<RubricScore, String> {
        let known = |name: &str| self.weights().iter().any(|(dimension, _)| dimension.name() == name);
        if let Some(unknown) = given.keys().find(|name| !known(name)) {
            let names: Vec<&str> = self.weights().iter().map(|(dimension, _)| dimension.name()).collect();
            return Err(format!(
                "{unknown:?} is not a dimension of this rubric: expected {}",
                names.join(", ")
            ));
        }
        let (mut scored, mut unscored) = (Vec::new(), Vec::new());
        for (dimension, weight) in self.weights() {
            if *dimension == Dimension::DataSourceAppropriateness && !traced {
                unscored.push(*dimension);
                continue;
            }
            match given.get(dimension.name()) {
                Some(points) if (1.0..=5.0).contains(points) => scored.push((*dimension, *weight, *points)),
                Some(points) => return Err(format!("{} is {points}: expected 1 to 5", dimension.name())),
                None => return Err(format!("{} is missing", dimension.name())),
            }
        }
        let whole: f64 = scored.iter().map(|(_, weight, _)| weight).sum();
        let weighted = scored.iter().map(|(_, weight, points)| weight * points).sum::<f64>() / whole;
        // A sum of tenths and hundredths that equals 3.5 must not miss the threshold through binary rounding.
        let weighted = (weighted * 1e9).round() / 1e9;
        let verdict = verdict(weighted);
        let weights = scored.into_iter().map(|(dimension, weight, _)| (dimension, weight / whole)).collect();
        Ok(RubricScore { rubric: self, weighted, verdict, weights, unscored })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn points(points: &[f64]) -> BTreeMap<String, f64> {
        let dimensions = Rubric::FiveDimensions.weights().iter();
        dimensions
            .zip(points)
            .map(|((dimension, _), points)| (dimension.name().to_owned(), *points))
            .collect()
    }

    fn weighs(rubric: Rubric, due: &[(&str, f64)]) {
        let own: Vec<_> = rubric.weights().iter().map(|(of, weight)| (of.name(), *weight)).collect();
        assert_eq!(own, due);
        assert!((own.iter().map(|(_, weight)| weight).sum::<f64>() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn evaluation_strategy_1_the_older_four_dimensions() {
        weighs(
            Rubric::FourDimensions,
            &[
                ("factual_correctness", 0.35),
                ("data_accuracy", 0.30),
                ("completeness", 0.20),
                ("reasoning_quality", 0.15),
            ],
        );
        let four = points(&[5.0, 4.0, 3.0, 2.0]);
        let scored = Rubric::FourDimensions.score(&four, true).unwrap();
        assert!((scored.weighted - 3.85).abs() < 1e-12, "{scored:?}");
    }

    #[test]
    fn evaluation_strategy_6_rebalanced_weight_scheme() {
        weighs(
            Rubric::FiveDimensions,
            &[
                ("factual_correctness", 0.30),
                ("data_accuracy", 0.25),
                ("completeness", 0.15),
                ("reasoning_quality", 0.15),
                ("data_source_appropriateness", 0.15),
            ],
        );
        assert_eq!(Rubric::default(), Rubric::FiveDimensions);
        let scored = Rubric::FiveDimensions.score(&points(&[5.0, 4.0, 3.0, 2.0, 1.0]), true).unwrap();
        assert!((scored.weighted - 3.4).abs() < 1e-12, "{scored:?}");
    }

    #[test]
    fn evaluation_strategy_1_and_6_verdict_thresholds() {
        for (given, verdict) in [
            (3.5, CaseVerdict::Pass),
            (3.499, CaseVerdict::Partial),
            (2.5, CaseVerdict::Partial),
            (2.499, CaseVerdict::Fail),
            (5.0, CaseVerdict::Pass),
            (1.0, CaseVerdict::Fail),
        ] {
            for rubric in [Rubric::FiveDimensions, Rubric::FourDimensions] {
                let given = points(&vec![given; rubric.weights().len()]);
                assert_eq!(rubric.score(&given, true).unwrap().verdict, verdict, "{given:?}");
            }
        }
    }

    #[test]
    fn decision_16_without_a_trace_the_source_is_unscored_and_the_rest_renormalised() {
        let scored = Rubric::FiveDimensions.score(&points(&[4.0, 4.0, 4.0, 4.0, 1.0]), false).unwrap();
        assert_eq!((scored.weighted, scored.verdict), (4.0, CaseVerdict::Pass));
        assert_eq!(scored.unscored, [Dimension::DataSourceAppropriateness]);
        assert!((scored.weights[&Dimension::FactualCorrectness] - 0.30 / 0.85).abs() < 1e-12);
        assert!((scored.weights.values().sum::<f64>() - 1.0).abs() < 1e-12);
        // The older four stay selectable and need no trace.
        let older = Rubric::FourDimensions.score(&points(&[4.0, 3.0, 2.0, 1.0]), false).unwrap();
        assert!((older.weighted - 2.85).abs() < 1e-12 && older.unscored.is_empty());
    }

    #[test]
    fn what_a_judge_must_give() {
        let rubric = Rubric::FiveDimensions;
        assert!(rubric.score(&points(&[4.0]), true).unwrap_err().contains("data_accuracy is missing"));
        assert!(rubric.score(&points(&[6.0; 5]), true).unwrap_err().contains("expected 1 to 5"));
        assert!(rubric.score(&points(&[f64::NAN; 5]), true).is_err());
        assert!(
            Rubric::FourDimensions
                .score(&points(&[4.0; 5]), true)
                .unwrap_err()
                .contains("is not a dimension")
        );
    }
}
