//! Runs the scorers of a case on its answer and summarizes a suite.

use super::answer::AgentOutput;
use super::case::{ConfiguredScorer, SuiteCase};
use super::outcome::{BandCount, CaseResult, ScoreBand, ScorerOutcome, SuiteScores};
use super::scorer::{Registry, ScorerError};
use crate::score::Score;
use crate::stats::{MeanEstimate, clustered_mean, mean, wilson};
use crate::{CaseVerdict, SCORING_VERSION};

/// Scores one answer to one case; `None` is a missing answer.
#[must_use]
pub fn run_case(case: &SuiteCase, answer: Option<&AgentOutput>, registry: &Registry) -> CaseResult {
    let error = match answer {
        None => Some("there is no answer to this case".to_owned()),
        Some(answer) => answer.error.as_ref().map(|error| format!("the agent failed: {error}")),
    };
    let scorers: Vec<ScorerOutcome> = match (answer, &error) {
        (Some(answer), None) => case
            .scorers
            .iter()
            .map(|ConfiguredScorer { name, config }| {
                let result = match registry.get(name) {
                    Some(scorer) => match scorer.lacks(case) {
                        Some(lacking) => Ok(Score::unscored(format!("the case does not set {lacking}"))),
                        None if scorer.scores_words() && answer.says_nothing() => {
                            Ok(Score::scored(0.0, "the answer is empty"))
                        }
                        None => scorer.score(case, answer, config),
                    },
                    None => Err(ScorerError("it is not registered".to_owned())),
                };
                outcome(name, result, case.min_score)
            })
            .collect(),
        _ => Vec::new(),
    };
    let scores: Vec<f64> = scorers.iter().filter_map(|scorer| scorer.score.value).collect();
    let failed = error.is_some() || scorers.iter().any(|scorer| scorer.status == CaseVerdict::Error);
    let verdict = if failed {
        CaseVerdict::Error
    } else if scores.is_empty() {
        CaseVerdict::Unscored
    } else if scorers.iter().all(|scorer| scorer.status != CaseVerdict::Fail) {
        CaseVerdict::Pass
    } else {
        CaseVerdict::Fail
    };
    // A failed case enters no average (decision 17).
    let score = (!failed && !scores.is_empty()).then(|| scores.iter().sum::<f64>() / scores.len() as f64);
    CaseResult {
        scoring_version: SCORING_VERSION,
        case: case.name.clone(),
        verdict,
        score,
        band: score.map(ScoreBand::of),
        min_score: case.min_score,
        scorers,
        error,
    }
}

fn outcome(name: &str, result: Result<Score, ScorerError>, min_score: f64) -> ScorerOutcome {
    let (status, score) = match result {
        Err(error) => (CaseVerdict::Error, Score::unscored(error.to_string())),
        Ok(Score { value: Some(value), .. }) if !(0.0..=1.0).contains(&value) => {
            (CaseVerdict::Error, Score::unscored(format!("its score is {value}: expected 0 to 1")))
        }
        Ok(score) => (CaseVerdict::from_pass(score.reaches(min_score)), score),
    };
    ScorerOutcome { scorer: name.to_owned(), status, band: score.value.map(ScoreBand::of), score }
}

/// Summarizes the results of a suite's cases, each with the cluster of its case. `missing` cases were not asked; they count
/// as not passed.
#[must_use]
pub fn summarize(suite: &str, cases: &[(Option<&str>, CaseResult)], missing: u64) -> SuiteScores {
    let results = || cases.iter().map(|(_, result)| result);
    let score = mean_score(cases);
    let count = |verdict| results().filter(|case| case.verdict == verdict).count() as u64;
    let of_status = |status| {
        results().flat_map(|case| &case.scorers).filter(|scorer| scorer.status == status).count() as u64
    };
    let passed = count(CaseVerdict::Pass);
    let unscored = of_status(CaseVerdict::Unscored);
    let all = cases.len() as u64 + missing;
    let verdict = if count(CaseVerdict::Error) > 0 {
        CaseVerdict::Error
    } else if passed == all && unscored == 0 {
        CaseVerdict::Pass
    } else {
        CaseVerdict::Fail
    };
    let bands = ScoreBand::ALL.iter().map(|band| BandCount {
        band: *band,
        cases: results().filter(|case| case.band == Some(*band)).count() as u64,
    });
    SuiteScores {
        suite: suite.to_owned(),
        verdict,
        pass_rate: wilson(passed, all),
        score,
        band: score.map(|score| ScoreBand::of(score.mean)),
        bands: bands.collect(),
        unscored,
        errors: of_status(CaseVerdict::Error) + results().filter(|case| case.error.is_some()).count() as u64,
    }
}

fn mean_score(cases: &[(Option<&str>, CaseResult)]) -> Option<MeanEstimate> {
    let scored: Vec<(Option<&str>, f64)> =
        cases.iter().filter_map(|(cluster, result)| Some((*cluster, result.score?))).collect();
    let clustered: Option<Vec<(&str, f64)>> =
        scored.iter().map(|(cluster, score)| Some(((*cluster)?, *score))).collect();
    match clustered {
        Some(clustered) => clustered_mean(clustered),
        None => mean(&scored.iter().map(|(_, score)| *score).collect::<Vec<_>>()),
    }
}
