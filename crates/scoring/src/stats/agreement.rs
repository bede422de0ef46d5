//! Agreement of two raters on labels, corrected for chance, and agreement of two series of scores.

use serde::{Deserialize, Serialize};

use super::distribution::normal_quantile;
use super::mean::{Bounds, CONFIDENCE};
use super::proportion::{Proportion, wilson};

/// How often each rater assigns a label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct BaseRate<L> {
    /// The label.
    pub label: L,
    /// Share of the first rater's labels.
    pub first: f64,
    /// Share of the second rater's labels.
    pub second: f64,
}

/// The agreement of a rater that always assigns the same label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ConstantBaseline<L> {
    /// The first rater's most frequent label; the lowest in a tie.
    pub label: L,
    /// Its share of the first rater's labels.
    pub rate: f64,
}

/// The agreement of two raters.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RaterAgreement<L> {
    /// The share of cases with the same label.
    pub agreement: Proportion,
    /// Cohen's kappa; absent if both raters use only one and the same label.
    pub kappa: Option<f64>,
    /// The standard error of kappa.
    pub kappa_error: Option<f64>,
    /// The 95 % interval of kappa.
    pub kappa_interval: Option<Bounds>,
    /// The base rates, needed to interpret kappa: the rarer a label, the lower the kappa for the same agreement.
    pub base_rates: Vec<BaseRate<L>>,
    /// The baseline of a constant label.
    pub baseline: ConstantBaseline<L>,
}

/// Agreement of two raters over the same cases; each pair holds the first and second label. Kappa is (p_o − p_e) / (1 − p_e)
/// (Cohen 1960). Its standard error follows Fleiss, Cohen and Everitt (1969), formula 13; its interval is the normal one.
/// `None` without cases.
#[must_use]
pub fn agreement<L: Ord + Clone>(pairs: &[(L, L)]) -> Option<RaterAgreement<L>> {
    let mut labels: Vec<&L> = pairs.iter().flat_map(|(first, second)| [first, second]).collect();
    labels.sort();
    labels.dedup();
    let n = pairs.len() as f64;
    let place = |label: &L| labels.binary_search(&label).unwrap_or(0);
    let mut table = vec![vec![0.0; labels.len()]; labels.len()];
    for (first, second) in pairs {
        table[place(first)][place(second)] += 1.0;
    }
    let row = |at: usize| table[at].iter().sum::<f64>();
    let column = |at: usize| table.iter().map(|row| row[at]).sum::<f64>();
    let counts: Vec<(f64, f64)> = (0..labels.len()).map(|at| (row(at), column(at))).collect();
    let rates: Vec<(f64, f64)> = counts.iter().map(|(first, second)| (first / n, second / n)).collect();

    let agreeing = pairs.iter().filter(|(first, second)| first == second).count() as u64;
    let observed = agreeing as f64 / n;
    // Use whole numbers where possible, so that chance agreement gives a kappa of exactly 0.
    let by_chance: f64 = counts.iter().map(|(first, second)| first * second).sum();
    let expected = by_chance / (n * n);
    let beyond = 1.0 - expected;
    let kappa = (by_chance < n * n).then(|| (agreeing as f64 * n - by_chance) / (n * n - by_chance));
    let kappa_error = kappa.map(|_| {
        let mut sum = 0.0;
        for (i, (first, second)) in rates.iter().enumerate() {
            sum += table[i][i] / n * (beyond - (first + second) * (1.0 - observed)).powi(2);
            for (j, other) in rates.iter().enumerate().filter(|(j, _)| *j != i) {
                sum += (1.0 - observed).powi(2) * table[i][j] / n * (second + other.0).powi(2);
            }
        }
        let centre = observed * expected - 2.0 * expected + observed;
        ((sum - centre.powi(2)).max(0.0) / n).sqrt() / beyond.powi(2)
    });
    let z = normal_quantile(0.5 + CONFIDENCE / 2.0);
    let kappa_interval = kappa.zip(kappa_error).map(|(kappa, error)| Bounds {
        low: (kappa - z * error).max(-1.0),
        high: (kappa + z * error).min(1.0),
    });

    let mut baseline: Option<ConstantBaseline<L>> = None;
    for (label, (first, _)) in labels.iter().zip(&rates) {
        if baseline.as_ref().is_none_or(|so_far| *first > so_far.rate) {
            baseline = Some(ConstantBaseline { label: (*label).clone(), rate: *first });
        }
    }
    Some(RaterAgreement {
        agreement: wilson(agreeing, pairs.len() as u64)?,
        kappa,
        kappa_error,
        kappa_interval,
        base_rates: labels
            .iter()
            .zip(&rates)
            .map(|(label, (first, second))| BaseRate {
                label: (*label).clone(),
                first: *first,
                second: *second,
            })
            .collect(),
        baseline: baseline?,
    })
}

/// The minimum number of labels for calibrating a judge (evaluation strategy, section 11: 20 questions).
pub(crate) const MIN_LABELS: u64 = 20;
/// The minimum kappa of a trusted judge: the lower edge of "substantial" agreement (Landis and Koch 1977), rounded.
pub const MIN_KAPPA: f64 = 0.6;
/// The maximum mean difference between two runs of the same judge, in points out of 5 (evaluation strategy, section 11).
pub const MAX_DIFFERENCE: f64 = 0.3;

/// Whether a judge can be trusted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "status")]
pub enum Calibration {
    /// The judge agrees with people well enough.
    Calibrated,
    /// Agreement was not shown. Every report says so, and such a judge decides nothing for a gate.
    Uncalibrated {
        /// Why, in one sentence.
        why: String,
    },
}

/// Whether the second rater (the judge) agrees well enough with the first (a person): at least [`MIN_LABELS`] labels, a kappa
/// of at least `min_kappa`, and more agreement than the constant baseline. `None` is a judge without labels.
#[must_use]
pub fn calibration<L>(agreement: Option<&RaterAgreement<L>>, min_kappa: f64) -> Calibration {
    let uncalibrated = |why: String| Calibration::Uncalibrated { why };
    let Some(found) = agreement else {
        return uncalibrated("there are no labels to compare it with".to_owned());
    };
    let n = found.agreement.n;
    if n < MIN_LABELS {
        let labels = if n == 1 { "label is" } else { "labels are" };
        return uncalibrated(format!("{n} {labels} fewer than {MIN_LABELS}"));
    }
    match found.kappa {
        None => uncalibrated("all labels are the same, so kappa is undefined".to_owned()),
        Some(kappa) if kappa < min_kappa => uncalibrated(format!("kappa is {kappa:.2}, below {min_kappa}")),
        Some(_) if found.agreement.rate <= found.baseline.rate => uncalibrated(format!(
            "it agrees in {:.0} % of the cases, no more than a constant label would ({:.0} %)",
            found.agreement.rate * 100.0,
            found.baseline.rate * 100.0
        )),
        Some(_) => Calibration::Calibrated,
    }
}

/// The agreement of two series of scores over the same cases.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Consistency {
    /// Number of pairs.
    pub n: u64,
    /// Mean of second − first.
    pub difference: f64,
    /// Mean absolute difference.
    pub distance: f64,
    /// Pearson's correlation; absent if a series is constant.
    pub correlation: Option<f64>,
    /// Whether the mean distance is within [`MAX_DIFFERENCE`]. Scores are points out of 5.
    pub consistent: bool,
}

/// Consistency of a judge with itself or with a person, in points out of 5 (evaluation strategy, section 11, "Inter-run
/// agreement"; correlation: Pearson 1895). `None` without pairs.
#[must_use]
pub fn consistency(pairs: &[(f64, f64)]) -> Option<Consistency> {
    if pairs.is_empty() {
        return None;
    }
    let n = pairs.len() as f64;
    let mean = |of: &dyn Fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / n;
    let (first, second) = (mean(&|pair| pair.0), mean(&|pair| pair.1));
    let covariance = mean(&|pair| (pair.0 - first) * (pair.1 - second));
    let spread = (mean(&|pair| (pair.0 - first).powi(2)) * mean(&|pair| (pair.1 - second).powi(2))).sqrt();
    let distance = mean(&|pair| (pair.1 - pair.0).abs());
    Some(Consistency {
        n: pairs.len() as u64,
        difference: second - first,
        distance,
        correlation: (spread > 1e-12).then(|| (covariance / spread).clamp(-1.0, 1.0)),
        // A sum of tenths that equals 0.3 must not exceed it through binary rounding.
        consistent: distance <= MAX_DIFFERENCE + 1e-9,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(ours: f64, golden: f64) {
        assert!((ours - golden).abs() <= 1e-9, "{ours} is not {golden}");
    }

    /// So many pairs of each kind.
    fn table(counts: &[(&'static str, &'static str, usize)]) -> Vec<(&'static str, &'static str)> {
        counts
            .iter()
            .flat_map(|(first, second, count)| std::iter::repeat_n((*first, *second), *count))
            .collect()
    }

    #[test]
    fn cohens_kappa_with_error_and_interval() {
        // scikit-learn 1.9.1: cohen_kappa_score(a, b); statsmodels 0.15.0: cohens_kappa(table).std_kappa, .kappa_low, .kappa_upp
        let first = "PPPPPPPPFFFFFFAAPPFFAPPFPFPPFP".chars();
        let second = "PPPPPPFPFFFFPFAAPPFFPPPFAFPPFP".chars();
        let three: Vec<(char, char)> = first.zip(second).collect();
        let found = agreement(&three).unwrap();
        assert_eq!((found.agreement.successes, found.agreement.n), (26, 30));
        close(found.kappa.unwrap(), 0.7665369649805447);
        close(found.kappa_error.unwrap(), 0.10747997686625542);
        let Bounds { low, high } = found.kappa_interval.unwrap();
        close(low, 0.555880081263486);
        close(high, 0.9771938486976036);
        assert_eq!((found.baseline.label, found.baseline.rate), ('P', 16.0 / 30.0));
        for (counts, kappa, error, low, high) in [
            (
                [("a", "a", 20), ("a", "b", 5), ("b", "a", 10), ("b", "b", 15)],
                0.3999999999999999,
                0.12699606293110033,
                0.151092290476661,
                0.6489077095233389,
            ),
            // 91 % agree, and chance alone would make most of them do so
            (
                [("a", "a", 90), ("a", "b", 5), ("b", "a", 4), ("b", "b", 1)],
                0.1346153846153857,
                0.16210094084989635,
                -0.18309662131046883,
                0.4523273905412402,
            ),
        ] {
            let found = agreement(&table(&counts)).unwrap();
            close(found.kappa.unwrap(), kappa);
            close(found.kappa_error.unwrap(), error);
            let interval = found.kappa_interval.unwrap();
            close(interval.low, low);
            close(interval.high, high);
        }
        assert_eq!(agreement(&table(&[("a", "a", 30)])).unwrap().kappa, None);
        assert!(agreement::<u8>(&[]).is_none());
    }

    #[test]
    fn evaluation_strategy_11_a_judge_is_calibrated_against_twenty_labels() {
        let why = |pairs: &[(&'static str, &'static str)]| match calibration(
            agreement(pairs).as_ref(),
            MIN_KAPPA,
        ) {
            Calibration::Calibrated => String::new(),
            Calibration::Uncalibrated { why } => why,
        };
        assert!(why(&[]).contains("no labels"));
        assert!(why(&table(&[("a", "a", 10), ("b", "b", 9)])).contains("19 labels are fewer than 20"));
        assert_eq!(why(&table(&[("a", "a", 10), ("b", "b", 10)])), "");
        assert!(why(&table(&[("a", "a", 30)])).contains("all labels are the same"));
        assert!(
            why(&table(&[("a", "a", 90), ("a", "b", 5), ("b", "a", 4), ("b", "b", 1)]))
                .contains("kappa is 0.13")
        );
        let always = table(&[("a", "a", 18), ("b", "a", 2)]);
        let found = agreement(&always);
        let Calibration::Uncalibrated { why } = calibration(found.as_ref(), -1.0) else { panic!() };
        assert!(why.contains("no more than a constant label would"), "{why}");
    }

    #[test]
    fn evaluation_strategy_11_inter_run_agreement_within_0_3_points() {
        let pairs = [(4.0, 4.2), (3.5, 3.0), (5.0, 5.0), (1.0, 1.5), (2.5, 2.5), (4.5, 4.0)];
        let found = consistency(&pairs).unwrap();
        // scipy.stats.pearsonr(x, y)[0], numpy.mean(numpy.abs(x - y))
        close(found.correlation.unwrap(), 0.9679497445198565);
        close(found.distance, 0.2833333333333334);
        assert!(found.consistent);
        assert!(consistency(&[(4.0, 4.3)]).unwrap().consistent, "0.3 is within 0.3");
        assert!(!consistency(&[(4.0, 4.31)]).unwrap().consistent);
        assert_eq!(consistency(&[(4.0, 4.0), (4.0, 3.0)]).unwrap().correlation, None);
    }
}
