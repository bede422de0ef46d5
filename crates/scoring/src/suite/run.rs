//! Runs the scorers of a case on its answer and summarizes a suite.

use std::collections::BTreeSet;

use super::answer::AgentOutput;
use super::case::{Suite, SuiteCase};
use super::outcome::{BandCount, CaseResult, ScoreBand, ScorerOutcome, SuiteResult};
use super::scorer::{Registry, ScorerError};
use crate::cost::AnswersCost;
use crate::score::Score;
use crate::stats::{MeanEstimate, clustered_mean, mean, wilson};
use crate::tools::{MatchRate, TrajectoryVerdict, match_rate};
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
            .map(|(name, config)| {
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

/// Summarizes the scored cases of a suite. Lists answers that match no case.
#[must_use]
pub fn summarize(suite: &Suite, cases: Vec<CaseResult>, answers: &[AgentOutput]) -> SuiteResult {
    let score = mean_score(suite, &cases);
    let count = |verdict| cases.iter().filter(|case| case.verdict == verdict).count() as u64;
    let of_status = |status| {
        cases.iter().flat_map(|case| &case.scorers).filter(|scorer| scorer.status == status).count() as u64
    };
    let passed = count(CaseVerdict::Pass);
    let unscored = of_status(CaseVerdict::Unscored);
    let verdict = if count(CaseVerdict::Error) > 0 {
        CaseVerdict::Error
    } else if passed == cases.len() as u64 && unscored == 0 {
        CaseVerdict::Pass
    } else {
        CaseVerdict::Fail
    };
    let bands = ScoreBand::ALL
        .iter()
        .map(|band| BandCount {
            band: *band,
            cases: cases.iter().filter(|case| case.band == Some(*band)).count() as u64,
        })
        .collect();
    let names: BTreeSet<&str> = suite.cases.iter().map(|case| case.name.as_str()).collect();
    let (matched, others): (Vec<_>, Vec<_>) =
        answers.iter().partition(|answer| names.contains(answer.case.as_str()));
    let unmatched: BTreeSet<String> = others.into_iter().map(|answer| answer.case.clone()).collect();
    SuiteResult {
        scoring_version: SCORING_VERSION,
        suite: suite.name.clone(),
        verdict,
        trajectories: trajectories(suite, &cases),
        pass_rate: wilson(passed, cases.len() as u64),
        score,
        band: score.map(|score| ScoreBand::of(score.mean)),
        bands,
        unscored,
        errors: of_status(CaseVerdict::Error)
            + cases.iter().filter(|case| case.error.is_some()).count() as u64,
        cost: AnswersCost::of(matched.iter().map(|answer| answer.cost)),
        unmatched: unmatched.into_iter().collect(),
        cases,
    }
}

fn mean_score(suite: &Suite, cases: &[CaseResult]) -> Option<MeanEstimate> {
    let scored: Vec<(Option<&str>, f64)> = suite
        .cases
        .iter()
        .zip(cases)
        .filter_map(|(case, result)| Some((case.cluster.as_deref(), result.score?)))
        .collect();
    let clustered: Option<Vec<(&str, f64)>> =
        scored.iter().map(|(cluster, score)| Some(((*cluster)?, *score))).collect();
    match clustered {
        Some(clustered) => clustered_mean(clustered),
        None => mean(&scored.iter().map(|(_, score)| *score).collect::<Vec<_>>()),
    }
}

/// The match rate of the routes. An unrecorded trajectory is not judged; a missing answer is a fail.
fn trajectories(suite: &Suite, cases: &[CaseResult]) -> Option<MatchRate> {
    let route = |(case, result): (&SuiteCase, &CaseResult)| {
        let (name, _) = case.scorers.iter().find(|(name, _)| name == "trajectory")?;
        case.expected_tool?;
        if result.error.is_some() {
            return Some(TrajectoryVerdict::Fail);
        }
        let outcome = result.scorers.iter().find(|outcome| outcome.scorer == *name)?;
        serde_json::from_value(outcome.score.metadata.get("route")?.clone()).ok()
    };
    let rate = match_rate(suite.cases.iter().zip(cases).filter_map(route));
    (rate.n > 0).then_some(rate)
}
