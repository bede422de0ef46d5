//! Combines repeated judgements of one answer by majority. Pure.

use std::collections::BTreeMap;

use super::Judgement;
use crate::scoring::{CaseVerdict, Score};
use crate::words::count;

/// The result of several judgements.
#[derive(Debug, Clone, PartialEq)]
pub struct Repeated {
    /// The median score of the majority's judgements; unscored without a majority.
    pub score: Score,
    /// The verdict of more than half of the judged repetitions. None without such a majority, or if
    /// fewer than half of all repetitions have a verdict.
    pub verdict: Option<CaseVerdict>,
    /// Whether scores lie on both sides of the threshold.
    pub unstable: bool,
    /// All judgements, in order.
    pub runs: Vec<Judgement>,
}

/// Combines judgements of the same answer. `passing` is the passing score.
#[must_use]
pub fn reduce(runs: Vec<Judgement>, passing: f64) -> Repeated {
    let values = || runs.iter().filter_map(|run| run.score.value);
    let unstable = values().any(|value| value < passing) && values().any(|value| value >= passing);
    let mut votes: BTreeMap<CaseVerdict, usize> = BTreeMap::new();
    for verdict in runs.iter().filter_map(|run| run.verdict) {
        *votes.entry(verdict).or_default() += 1;
    }
    let (judged, all) = (votes.values().sum::<usize>(), runs.len());
    let majority = votes.iter().find(|(_, count)| **count * 2 > judged && judged * 2 > all);
    let verdict = majority.map(|(verdict, _)| *verdict);
    let score = match verdict {
        Some(verdict) => of_majority(&runs, verdict, judged),
        None if judged * 2 <= all => {
            let failed = runs.iter().rfind(|run| run.verdict.is_none());
            let why = failed.map_or_else(|| "it was not judged".to_owned(), |run| run.score.reason());
            Score::unscored(format!("{} of {} unscored: {why}", all - judged, count(all, "judgement")))
                .by("judge")
        }
        None => {
            let list: Vec<String> =
                votes.iter().map(|(verdict, count)| format!("{count} {}", verdict.name())).collect();
            Score::unscored(format!("no majority of {judged} judgements: {}", list.join(", "))).by("judge")
        }
    };
    Repeated { score, verdict, unstable, runs }
}

/// The median judgement of the majority, with the vote added to its reasons.
fn of_majority(runs: &[Judgement], verdict: CaseVerdict, judged: usize) -> Score {
    let agreeing = runs.iter().filter(|run| run.verdict == Some(verdict));
    let mut agreeing: Vec<Score> = agreeing.map(|run| run.score.clone()).collect();
    agreeing.sort_by(|a, b| a.value.unwrap_or_default().total_cmp(&b.value.unwrap_or_default()));
    let count = agreeing.len();
    let mut score = agreeing.swap_remove((count - 1) / 2);
    if judged > 1 {
        score.reasons.insert(0, format!("{count} of {judged} judgements: {}", verdict.name()));
    }
    score
}
