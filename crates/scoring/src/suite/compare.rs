//! Compares two runs of one suite case by case: which verdicts changed, whether chance can explain it, and the smallest
//! difference this many cases can detect (evaluation strategy, section 8, "Regression count"; decisions 16 and 17).

use std::collections::BTreeMap;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::CaseVerdict;
use crate::stats::{
    BootstrapEstimate, McNemar, Proportion, Seed, bootstrap_difference, mcnemar_exact,
    minimum_detectable_difference, wilson,
};

/// The compared fields of a case in a run. Reads a line of `suite run --format jsonl`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RunCase {
    /// Version of the scoring rules.
    pub scoring_version: u32,
    /// The case's name.
    pub case: String,
    /// The case's verdict.
    pub verdict: CaseVerdict,
    /// Mean of its scores.
    pub score: Option<f64>,
}

/// A case whose verdict changed.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct ChangedCase {
    /// Its name.
    pub case: String,
    /// Verdict in the first run.
    pub first: CaseVerdict,
    /// Verdict in the second run.
    pub second: CaseVerdict,
    /// Score of the second run minus that of the first.
    pub difference: Option<f64>,
}

impl ChangedCase {
    /// The change as text: `pass to fail`.
    #[must_use]
    pub fn words(&self) -> String {
        format!("{} to {}", self.first.name(), self.second.name())
    }
}

/// The bootstrap settings.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Resampling {
    /// Number of resamples.
    pub resamples: u32,
    /// The random seed.
    pub seed: Seed,
}

/// The comparison of two runs.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunComparison {
    /// The scoring version of both runs.
    pub scoring_version: u32,
    /// Cases that occur in both runs.
    pub paired: u64,
    /// Paired cases that are unscored in at least one run. Pass rates and the test leave them out.
    pub unscored: u64,
    /// Pass rate of the first run over the paired cases; agent failures count as fails.
    pub first: Option<Proportion>,
    /// Pass rate of the second run.
    pub second: Option<Proportion>,
    /// Cases that passed only in the first run.
    pub regressions: Vec<ChangedCase>,
    /// Cases that passed only in the second run.
    pub improvements: Vec<ChangedCase>,
    /// McNemar's test: can chance explain the imbalance of changed verdicts?
    pub mcnemar: McNemar,
    /// Mean score difference, second − first, over the cases scored in both runs.
    pub score_difference: Option<BootstrapEstimate>,
    /// The smallest true difference of mean scores that this many cases detect at the 5 % level with 80 % power. None
    /// if the pairs are too few, or without variation.
    pub minimum_detectable_difference: Option<f64>,
    /// Cases that only the first run has.
    pub only_first: Vec<String>,
    /// Cases that only the second run has.
    pub only_second: Vec<String>,
}

/// Two-sided level and power of the minimum detectable difference.
const LEVEL_AND_POWER: (f64, f64) = (0.05, 0.8);

/// Compares two runs case by case.
///
/// # Errors
/// The scoring versions differ, a run lists a case twice, or the runs share no case.
pub fn compare_runs(
    first: &[RunCase],
    second: &[RunCase],
    resampling: Resampling,
) -> Result<RunComparison, String> {
    let scoring_version = one_version(first, second)?;
    let (a, b) = (by_name(first, "first")?, by_name(second, "second")?);
    let pairs: Vec<(&RunCase, &RunCase)> =
        first.iter().filter_map(|case| Some((case, *b.get(case.case.as_str())?))).collect();
    if pairs.is_empty() {
        return Err("the runs have no case in common: do they belong to the same suite?".to_owned());
    }
    let decided: Vec<&(&RunCase, &RunCase)> = pairs
        .iter()
        .filter(|(x, y)| x.verdict != CaseVerdict::Unscored && y.verdict != CaseVerdict::Unscored)
        .collect();
    let passed = |case: &RunCase| case.verdict == CaseVerdict::Pass;
    let changed = |lost: bool| -> Vec<ChangedCase> {
        let of_kind = decided.iter().filter(|(x, y)| passed(x) == lost && passed(y) != lost);
        of_kind
            .map(|(x, y)| ChangedCase {
                case: x.case.clone(),
                first: x.verdict,
                second: y.verdict,
                difference: x.score.zip(y.score).map(|(x, y)| y - x),
            })
            .collect()
    };
    let (regressions, improvements) = (changed(true), changed(false));
    let rate = |side: fn(&(&RunCase, &RunCase)) -> bool| {
        wilson(decided.iter().filter(|pair| side(pair)).count() as u64, decided.len() as u64)
    };
    let scores: Vec<(f64, f64)> = pairs.iter().filter_map(|(x, y)| x.score.zip(y.score)).collect();
    let alone = |of: &[RunCase], other: &BTreeMap<&str, &RunCase>| -> Vec<String> {
        let names = of.iter().map(|case| &case.case);
        names.filter(|name| !other.contains_key(name.as_str())).cloned().collect()
    };
    Ok(RunComparison {
        scoring_version,
        paired: pairs.len() as u64,
        unscored: (pairs.len() - decided.len()) as u64,
        first: rate(|(x, _)| x.verdict == CaseVerdict::Pass),
        second: rate(|(_, y)| y.verdict == CaseVerdict::Pass),
        mcnemar: mcnemar_exact(regressions.len() as u64, improvements.len() as u64),
        regressions,
        improvements,
        score_difference: bootstrap_difference(&scores, resampling.resamples, resampling.seed),
        minimum_detectable_difference: detectable(&scores),
        only_first: alone(first, &b),
        only_second: alone(second, &a),
    })
}

/// The common scoring version of both runs (decision 16).
fn one_version(first: &[RunCase], second: &[RunCase]) -> Result<u32, String> {
    let mut versions: Vec<u32> = first.iter().chain(second).map(|case| case.scoring_version).collect();
    versions.sort_unstable();
    versions.dedup();
    match versions.as_slice() {
        [] => Err("the runs hold no cases".to_owned()),
        [only] => Ok(*only),
        several => {
            let list: Vec<String> = several.iter().map(u32::to_string).collect();
            Err(format!(
                "the runs were scored by different versions ({}), which are never mixed: score both runs \
                again with `eval rescore`",
                list.join(", ")
            ))
        }
    }
}

fn by_name<'r>(run: &'r [RunCase], which: &str) -> Result<BTreeMap<&'r str, &'r RunCase>, String> {
    let mut cases = BTreeMap::new();
    for case in run {
        if cases.insert(case.case.as_str(), case).is_some() {
            return Err(format!(
                "the {which} run lists the case {:?} twice: use one file per run",
                case.case
            ));
        }
    }
    Ok(cases)
}

/// The minimum detectable difference, from the sample standard deviation of the differences. `None` for fewer than two
/// pairs, for so few that only a difference above 1 would show, and for pairs without variation, whose deviation is unknown.
fn detectable(scores: &[(f64, f64)]) -> Option<f64> {
    let n = scores.len();
    if n < 2 {
        return None;
    }
    let differences = || scores.iter().map(|(first, second)| second - first);
    let mean = differences().sum::<f64>() / n as f64;
    let variance = differences().map(|d| (d - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    let (alpha, power) = LEVEL_AND_POWER;
    if variance <= 0.0 {
        return None;
    }
    // scores lie between 0 and 1
    minimum_detectable_difference(variance.sqrt(), n as u64, alpha, power).filter(|least| *least <= 1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    const RESAMPLING: Resampling = Resampling { resamples: 2_000, seed: Seed(1) };

    fn case(name: &str, verdict: CaseVerdict, score: impl Into<Option<f64>>) -> RunCase {
        RunCase { scoring_version: 1, case: name.to_owned(), verdict, score: score.into() }
    }

    #[test]
    fn evaluation_strategy_8_regressions_against_the_previous_run() {
        use CaseVerdict::{Error, Fail, Pass, Unscored};
        let first = [
            case("a", Pass, 1.0),
            case("b", Pass, 0.9),
            case("c", Fail, 0.2),
            case("d", Pass, 0.8),
            case("x", Pass, 1.0),
        ];
        let second = [
            case("c", Pass, 0.9),
            case("a", Pass, 1.0),
            case("b", Fail, 0.4),
            case("d", Unscored, None),
            case("y", Error, None),
        ];
        let compared = compare_runs(&first, &second, RESAMPLING).unwrap();
        let names = |cases: &[ChangedCase]| cases.iter().map(|case| case.case.clone()).collect::<Vec<_>>();
        assert_eq!(
            (names(&compared.regressions), names(&compared.improvements)),
            (vec!["b".into()], vec!["c".into()])
        );
        assert_eq!((compared.paired, compared.unscored), (4, 1));
        assert_eq!(compared.mcnemar, mcnemar_exact(1, 1));
        assert_eq!((compared.first.unwrap().successes, compared.second.unwrap().n), (2, 3));
        let difference = compared.score_difference.unwrap();
        assert_eq!((difference.n, difference.seed), (3, Seed(1)));
        assert!((difference.difference - 0.2 / 3.0).abs() < 1e-12);
        assert_eq!((compared.only_first, compared.only_second), (vec!["x".to_owned()], vec!["y".to_owned()]));
        // statistics.stdev([0, -0.5, 0.7]) * (1.959963984540054 + 0.8416212335729143) / sqrt(3)
        assert!((compared.minimum_detectable_difference.unwrap() - 0.974_980_279_597_746_9).abs() < 1e-9);
    }

    #[test]
    fn decision_17_a_crashed_agent_is_a_fail_and_no_score() {
        use CaseVerdict::{Error, Pass};
        let (first, second) =
            ([case("a", Pass, 1.0), case("b", Pass, 1.0)], [case("a", Error, None), case("b", Pass, 0.5)]);
        let compared = compare_runs(&first, &second, RESAMPLING).unwrap();
        assert_eq!((compared.regressions.len(), compared.second.unwrap().successes), (1, 1));
        assert_eq!(compared.score_difference.unwrap().n, 1);
        assert_eq!(compared.minimum_detectable_difference, None);
        let same = ["a", "b", "c"].map(|name| case(name, Pass, 1.0));
        assert_eq!(compare_runs(&same, &same, RESAMPLING).unwrap().minimum_detectable_difference, None);
    }

    #[test]
    fn decision_16_other_scoring_versions_are_never_compared() {
        let first = [case("a", CaseVerdict::Pass, 1.0)];
        let second = [RunCase { scoring_version: 2, ..first[0].clone() }];
        let error = compare_runs(&first, &second, RESAMPLING).unwrap_err();
        assert!(error.contains("different versions (1, 2)"), "{error}");
    }

    #[test]
    fn runs_that_cannot_be_paired_are_refused() {
        let run = [case("a", CaseVerdict::Pass, 1.0)];
        let twice = [run[0].clone(), run[0].clone()];
        assert!(
            compare_runs(&run, &twice, RESAMPLING)
                .unwrap_err()
                .contains("the second run lists the case \"a\" twice")
        );
        assert!(
            compare_runs(&run, &[case("b", CaseVerdict::Pass, 1.0)], RESAMPLING)
                .unwrap_err()
                .contains("no case in common")
        );
        assert!(compare_runs(&[], &[], RESAMPLING).unwrap_err().contains("no cases"));
    }
}
