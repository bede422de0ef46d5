//! The verdict on a case. Evaluations, suites, components, spot checks, scorers, judges and test reports all use it.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::Verdict;
use crate::stats::{Proportion, wilson};

/// The verdict on an agent's whole answer, on one scorer's result, or on a test case of a report.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// The answer is right: it reaches the required score.
    Pass,
    /// The answer is incomplete, but nothing in it is wrong.
    Partial,
    /// The answer is wrong, or gives none of the requested values.
    Fail,
    /// No scorer could decide. Such cases are counted, but enter no rate and pass no gate.
    Unscored,
    /// There is no answer, or a scorer failed. Counts as a fail and enters no average (decision 17).
    Error,
}

atlas_gt_core::words!(CaseVerdict);

/// The number of answers for each verdict.
pub type VerdictCounts = BTreeMap<CaseVerdict, u64>;

impl CaseVerdict {
    /// The verdict for a pass or fail; `None` becomes `Unscored`.
    #[must_use]
    pub const fn from_pass(passes: Option<bool>) -> Self {
        match passes {
            Some(true) => Self::Pass,
            Some(false) => Self::Fail,
            None => Self::Unscored,
        }
    }

    /// Its place in a list, worst first.
    #[must_use]
    pub const fn place(self) -> u8 {
        match self {
            Self::Fail => 0,
            Self::Error => 1,
            Self::Partial => 2,
            Self::Unscored => 3,
            Self::Pass => 4,
        }
    }

    /// This verdict in the words of a [`Score`](crate::Score).
    #[must_use]
    pub const fn of_score(self) -> Verdict {
        match self {
            Self::Pass => Verdict::Match,
            Self::Partial => Verdict::Partial,
            Self::Fail => Verdict::Mismatch,
            Self::Unscored | Self::Error => Verdict::Unscored,
        }
    }

    /// Counts every verdict, including those that do not occur.
    #[must_use]
    pub fn counts(verdicts: impl Iterator<Item = Self>) -> VerdictCounts {
        let mut counts: VerdictCounts = Self::ALL.iter().copied().map(|verdict| (verdict, 0)).collect();
        verdicts.for_each(|verdict| *counts.entry(verdict).or_default() += 1);
        counts
    }

    /// The count of this verdict.
    #[must_use]
    pub fn of(self, counts: &VerdictCounts) -> u64 {
        counts.get(&self).copied().unwrap_or_default()
    }

    /// The share that passed. Unscored cases leave numerator and denominator (decision 6); a missing answer fails
    /// (decision 17).
    #[must_use]
    pub fn pass_rate(counts: &VerdictCounts) -> Option<Proportion> {
        let all: u64 = counts.values().sum();
        wilson(Self::Pass.of(counts), all - Self::Unscored.of(counts))
    }
}

/// The verdict of a [`Score`](crate::Score) on a whole answer.
impl From<Verdict> for CaseVerdict {
    fn from(verdict: Verdict) -> Self {
        match verdict {
            Verdict::Match | Verdict::ExpectedAbsence => Self::Pass,
            Verdict::Partial => Self::Partial,
            Verdict::Mismatch | Verdict::NotComparable | Verdict::NotDisplayed => Self::Fail,
            Verdict::ExtractionFailed | Verdict::Unscored => Self::Unscored,
        }
    }
}
