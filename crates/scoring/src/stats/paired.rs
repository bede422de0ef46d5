//! Tests whether two runs over the same questions differ: McNemar's exact test for pass and fail, a seeded bootstrap for
//! scores.

use serde::Serialize;
use statrs::function::beta::beta_reg;

use super::mean::{Bounds, CONFIDENCE};
use super::percentile::percentile;

/// McNemar's test.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct McNemar {
    /// Questions that only the first run passed.
    pub only_first: u64,
    /// Questions that only the second run passed.
    pub only_second: u64,
    /// Two-sided exact p-value.
    pub p_value: f64,
}

/// McNemar's test (1947) in its exact form. Under the null hypothesis both directions of disagreement are equally likely,
/// so p = min(1, 2 · P(X ≤ min(b, c))) with X ~ Binomial(b + c, ½) (Fagerland, Lydersen and Laake
/// 2013). The binomial tail is I_{1/2}(n − k, k + 1).
#[must_use]
pub fn mcnemar_exact(only_first: u64, only_second: u64) -> McNemar {
    let fewer = only_first.min(only_second);
    let more = only_first.max(only_second);
    let p_value =
        if more == fewer { 1.0 } else { (2.0 * beta_reg(more as f64, fewer as f64 + 1.0, 0.5)).min(1.0) };
    McNemar { only_first, only_second, p_value }
}

/// A random seed. It is printed with every result that uses it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(transparent)]
pub struct Seed(pub u64);

/// SplitMix64 (Steele, Lea and Flood 2014): small, good enough for resampling, and stable across versions, which
/// general-purpose generators do not guarantee.
struct SplitMix(u64);

impl SplitMix {
    const fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }

    /// A random number below `bound`, by Lemire's multiplication. The bias is below bound / 2^64.
    fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.next()) * bound as u128) >> 64) as usize
    }
}

/// A mean difference with its bootstrap interval.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BootstrapEstimate {
    /// Number of pairs.
    pub n: u64,
    /// Mean of second − first.
    pub difference: f64,
    /// 95 % percentile interval.
    pub interval: Bounds,
    /// Share of resamples in which the second run was better; ties count half.
    pub second_better: f64,
    /// Number of resamples.
    pub resamples: u32,
    /// The seed.
    pub seed: Seed,
}

/// Mean of second − first over the same questions, with a percentile bootstrap interval over resampled pairs (Efron and
/// Tibshirani 1993, section 13.3). `None` without pairs or resamples.
#[must_use]
pub(crate) fn bootstrap_difference(
    pairs: &[(f64, f64)],
    resamples: u32,
    seed: Seed,
) -> Option<BootstrapEstimate> {
    if pairs.is_empty() || resamples == 0 {
        return None;
    }
    let differences: Vec<f64> = pairs.iter().map(|(first, second)| second - first).collect();
    let n = differences.len();
    let mut random = SplitMix(seed.0);
    let mut means: Vec<f64> = (0..resamples)
        .map(|_| (0..n).map(|_| differences[random.below(n)]).sum::<f64>() / n as f64)
        .collect();
    means.sort_unstable_by(f64::total_cmp);
    let better: f64 = means
        .iter()
        .map(|mean| match mean.total_cmp(&0.0) {
            std::cmp::Ordering::Greater => 1.0,
            _ if *mean == 0.0 => 0.5,
            _ => 0.0,
        })
        .sum();
    let tail = (1.0 - CONFIDENCE) / 2.0;
    Some(BootstrapEstimate {
        n: n as u64,
        difference: differences.iter().sum::<f64>() / n as f64,
        interval: Bounds { low: percentile(&means, tail)?, high: percentile(&means, 1.0 - tail)? },
        second_better: better / f64::from(resamples),
        resamples,
        seed,
    })
}
