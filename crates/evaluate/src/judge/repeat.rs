//! One answer judged several times: the majority's verdict with its spread. Pure.

use std::collections::BTreeMap;

use serde::Serialize;

use super::Judgement;
use crate::scoring::CaseVerdict;
use crate::scoring::Score;
use crate::scoring::stats::Bounds;

/// What several judgements come to.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Repeated {
    /// The median score of those that are of the majority; unscored without a majority.
    pub score: Score,
    /// The verdict of more than half of those that were judged; none where there is no such majority, or fewer than half of all have
    /// a verdict.
    pub verdict: Option<CaseVerdict>,
    /// How many gave each verdict.
    pub votes: BTreeMap<CaseVerdict, u64>,
    /// How many are unscored.
    pub unscored: u64,
    /// The least and the most of the scores.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub spread: Option<Bounds>,
    /// Whether the scores lie on both sides of the threshold.
    pub unstable: bool,
    /// All judgements, in order.
    pub runs: Vec<Judgement>,
}

/// Puts judgements of the same answer together; `passing` is the score that passes.
#[must_use]
pub fn reduce(runs: Vec<Judgement>, passing: f64) -> Repeated {
    let mut values: Vec<f64> = runs.iter().filter_map(Judgement::value).collect();
    values.sort_by(f64::total_cmp);
    let spread = values.first().zip(values.last()).map(|(low, high)| Bounds { low: *low, high: *high });
    let unstable = spread.is_some_and(|Bounds { low, high }| low < passing && high >= passing);
    let mut votes: BTreeMap<CaseVerdict, u64> = BTreeMap::new();
    for verdict in runs.iter().filter_map(Judgement::verdict) {
        *votes.entry(verdict).or_default() += 1;
    }
    let judged: u64 = votes.values().sum();
    let all = runs.len() as u64;
    let verdict =
        votes.iter().find(|(_, count)| **count * 2 > judged && judged * 2 > all).map(|(verdict, _)| *verdict);
    let score = match verdict {
        Some(verdict) => of_majority(&runs, verdict, judged),
        None if judged * 2 <= all => {
            let mut whys = runs.iter().filter_map(|run| match run {
                Judgement::Unscored(unscored) => Some(unscored.why.as_str()),
                Judgement::Judged(_) => None,
            });
            let why = whys.next_back().unwrap_or("it was never judged");
            Score::unscored(format!("{} of {all} judgements are unscored: {why}", all - judged)).by("judge")
        }
        None => {
            let list: Vec<String> =
                votes.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
            Score::unscored(format!("no majority of {judged} judgements: {}", list.join(", "))).by("judge")
        }
    };
    Repeated { score, verdict, votes, unscored: all - judged, spread, unstable, runs }
}

/// The judgement in the middle of those that gave the verdict, with the vote before its reasons.
fn of_majority(runs: &[Judgement], verdict: CaseVerdict, judged: u64) -> Score {
    let mut agreeing: Vec<Score> =
        runs.iter().filter(|run| run.verdict() == Some(verdict)).map(Judgement::score).collect();
    agreeing.sort_by(|a, b| a.value.unwrap_or_default().total_cmp(&b.value.unwrap_or_default()));
    let count = agreeing.len();
    let mut score = agreeing.swap_remove((count - 1) / 2);
    if judged > 1 {
        score.reasons.insert(0, format!("{count} of {judged} judgements: {}", verdict.name()));
    }
    score
}
