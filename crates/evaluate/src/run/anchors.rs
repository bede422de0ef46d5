//! The anchor set in a run: fixed labelled answers that every judged run judges again. A change in
//! their scores comes from the judge, not from the agent.

use super::history::HistoryLine;
use super::run_folder::{KeptAnchors, RunFolder, order};
use super::summary::AnchorReport;
use crate::error::Result;
use crate::judge::{AnchorRun, AnchorSet, Grader, Judge, drift};
use crate::words;

/// Judges the anchors, at most `concurrency` at a time.
///
/// # Errors
/// The anchors cannot be read, judged or stored.
pub(super) async fn judge<J: Judge>(
    folder: &RunFolder,
    grader: &Grader<J>,
    concurrency: usize,
) -> Result<KeptAnchors> {
    let before = grader.counters();
    let anchors = AnchorSet::built_in()?.judge(grader, concurrency).await?;
    let after = grader.counters();
    let known = after.unpriced == before.unpriced;
    let kept = KeptAnchors { anchors, cost_usd: known.then(|| after.dollars - before.dollars) };
    folder.save_anchors(&kept)?;
    Ok(kept)
}

/// Compares a run's anchors with those of the last earlier run with the same judge and prompts.
/// `score` is the run's mean weighted score. Unreadable runs are skipped.
pub(super) fn report(
    kept: &KeptAnchors,
    folder: &RunFolder,
    history: &[HistoryLine],
    score: Option<f64>,
) -> AnchorReport {
    let same = |other: &AnchorRun| {
        let own = &kept.anchors;
        other.model == own.model && other.prompt == own.prompt && other.set == own.set
    };
    let earlier =
        history.iter().rev().filter(|line| order(&line.run) < order(folder.name())).find_map(|line| {
            let other = folder.sibling(&line.run)?.anchors().ok()??;
            same(&other.anchors).then_some((line, other.anchors))
        });
    let agreement = kept.anchors.agreement();
    let drift = earlier.as_ref().and_then(|(_, before)| drift(before, &kept.anchors));
    let change = earlier.as_ref().and_then(|(line, _)| Some(score? - line.avg_score?));
    let unscored = kept.anchors.results.iter().filter(|result| result.verdict.is_none()).count() as u64;
    AnchorReport {
        n: kept.anchors.results.len() as u64,
        unscored,
        agreement: agreement.as_ref().map(|found| found.agreement.rate),
        kappa: agreement.as_ref().and_then(|found| found.kappa),
        compared_with: earlier.as_ref().map(|(line, _)| line.run.clone()),
        difference: drift.as_ref().map(|drift| drift.scores.difference),
        distance: drift.as_ref().map(|drift| drift.scores.distance),
        drifted: drift.as_ref().map(|drift| drift.drifted),
        changed: drift.iter().flat_map(|drift| drift.changed.clone()).collect(),
        score_change_from: drift
            .zip(change)
            .map(|(drift, change)| words::name(&drift.cause_of(change)).to_owned()),
        cost_usd: kept.cost_usd,
    }
}
