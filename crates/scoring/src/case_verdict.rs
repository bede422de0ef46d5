//! The verdict on a case: one vocabulary for evaluations, suites, components, spot checks, scorers, judges and test reports.

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::stats::{Proportion, wilson};

/// The verdict on a case: on the answer of an agent as a whole, on what one scorer says of it, and on a test case of a report.
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "lowercase")]
pub enum CaseVerdict {
    /// Right: it reaches what is asked for.
    Pass,
    /// Right as far as it goes: something is missing, and nothing is wrong.
    Partial,
    /// Wrong, or nothing of what was asked.
    Fail,
    /// Nothing decided. Neither right nor wrong: it is counted, is in no rate, and passes no gate.
    Unscored,
    /// There is no answer, or a scorer failed. It counts as a fail and is in no average (decision 17).
    Error,
}

atlas_gt_core::words!(CaseVerdict);

/// How many answers got each verdict.
pub type VerdictCounts = BTreeMap<CaseVerdict, u64>;

impl CaseVerdict {
    /// The verdict on what passes or does not; nothing where that is open.
    #[must_use]
    pub const fn from_pass(passes: Option<bool>) -> Self {
        match passes {
            Some(true) => Self::Pass,
            Some(false) => Self::Fail,
            None => Self::Unscored,
        }
    }

    /// How many there are of each, none left out.
    #[must_use]
    pub fn counts(verdicts: impl Iterator<Item = Self>) -> VerdictCounts {
        let mut counts: VerdictCounts = Self::ALL.iter().copied().map(|verdict| (verdict, 0)).collect();
        verdicts.for_each(|verdict| *counts.entry(verdict).or_default() += 1);
        counts
    }

    /// How many there are of this one.
    #[must_use]
    pub fn of(self, counts: &VerdictCounts) -> u64 {
        counts.get(&self).copied().unwrap_or_default()
    }

    /// The share that passed: what nothing decided leaves numerator and denominator (decision 6), what has no answer fails
    /// (decision 17).
    #[must_use]
    pub fn pass_rate(counts: &VerdictCounts) -> Option<Proportion> {
        let all: u64 = counts.values().sum();
        wilson(Self::Pass.of(counts), all - Self::Unscored.of(counts))
    }
}
