//! The anchor set: fixed labelled answers that every judged run judges again. A change in their
//! scores comes from the judge, not from the agent.

use std::path::Path;

use futures::{StreamExt, stream};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Grader, HumanLabel, Judge, JudgeMode, ModelId};
use crate::error::Result;
use crate::evidence::Hash;
use crate::scoring::CaseVerdict;
use crate::scoring::rubric::{self, Rubric};
use crate::scoring::stats::{Consistency, RaterAgreement, agreement, consistency};

const BUILT_IN: &str = include_str!("../../../../manifests/judge_anchor.jsonl");

/// The anchor cases, with the hash of their file.
#[derive(Debug, Clone, PartialEq)]
pub struct AnchorSet {
    /// The cases in order.
    pub cases: Vec<HumanLabel>,
    /// The hash of the file. Results for different sets are never compared.
    pub hash: Hash,
}

/// The judge's result for a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorResult {
    /// The case.
    pub id: String,
    /// The human label.
    pub label: CaseVerdict,
    /// The judge's verdict; none if unscored.
    pub verdict: Option<CaseVerdict>,
    /// Its score in points of 5.
    pub points: Option<f64>,
}

/// The results of one run for the anchor set.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct AnchorRun {
    /// The model.
    pub model: ModelId,
    /// The hash of the prompt template.
    pub prompt: Hash,
    /// The hash of the set.
    pub set: Hash,
    /// The results in the order of the set.
    pub results: Vec<AnchorResult>,
}

impl AnchorSet {
    /// The built-in set.
    ///
    /// # Errors
    /// The file does not parse. A test prevents this.
    pub fn built_in() -> Result<Self> {
        Self::parse(Path::new("manifests/judge_anchor.jsonl"), BUILT_IN)
    }

    /// Parses a set of labels, one per line.
    ///
    /// # Errors
    /// Same as [`HumanLabel::read`].
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        Ok(Self { cases: HumanLabel::read(path, text)?, hash: Hash::of(text.as_bytes()) })
    }

    /// Judges every case without the cache, at most `concurrency` at a time.
    ///
    /// # Errors
    /// There is no prompt for the ground truth mode.
    pub async fn judge<J: Judge>(&self, grader: &Grader<J>, concurrency: usize) -> Result<AnchorRun> {
        let judged = stream::iter(&self.cases).map(|case| async move {
            let judgement = grader.judge_anew(&case.request(Rubric::default())).await;
            AnchorResult {
                id: case.id.clone(),
                label: case.label,
                verdict: judgement.verdict,
                points: judgement.score.value.map(|value| value * rubric::MAX),
            }
        });
        let results = judged.buffered(concurrency.max(1)).collect().await;
        Ok(AnchorRun {
            model: grader.model().clone(),
            prompt: grader.prompts().hash(JudgeMode::GroundTruth)?.clone(),
            set: self.hash.clone(),
            results,
        })
    }
}

impl AnchorRun {
    /// The agreement of the judge with the labels; none if every case is unscored. The first rater
    /// is the person.
    #[must_use]
    pub fn agreement(&self) -> Option<RaterAgreement<CaseVerdict>> {
        let pairs: Vec<_> =
            self.results.iter().filter_map(|result| Some((result.label, result.verdict?))).collect();
        agreement(&pairs)
    }
}

/// The change of the judge between two runs.
#[derive(Debug, Clone, PartialEq)]
pub struct Drift {
    /// The distance of the scores given in both runs, in points of 5.
    pub scores: Consistency,
    /// The cases with another verdict.
    pub changed: Vec<String>,
    /// Whether the judge drifted: the mean distance of the scores exceeds 0.3 points (evaluation
    /// strategy, section 11).
    pub drifted: bool,
}

/// The cause of a change in the agent's scores.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeCause {
    /// The agent, because the judge did not drift.
    Agent,
    /// The judge, because the anchor scores moved as far.
    Judge,
    /// Both: the judge drifted, and the agent's scores moved differently.
    Both,
}

/// The drift between two runs. None if the sets differ, or if fewer than half of the cases are
/// scored in both.
#[must_use]
pub fn drift(before: &AnchorRun, after: &AnchorRun) -> Option<Drift> {
    if before.set != after.set {
        return None;
    }
    let pairs: Vec<(&AnchorResult, &AnchorResult)> = after
        .results
        .iter()
        .filter_map(|later| Some((before.results.iter().find(|earlier| earlier.id == later.id)?, later)))
        .filter(|(earlier, later)| earlier.points.is_some() && later.points.is_some())
        .collect();
    if pairs.len() * 2 < after.results.len() {
        return None;
    }
    let points: Vec<(f64, f64)> =
        pairs.iter().filter_map(|(earlier, later)| earlier.points.zip(later.points)).collect();
    let scores = consistency(&points)?;
    let changed = pairs.iter().filter(|(earlier, later)| earlier.verdict != later.verdict);
    let changed = changed.map(|(_, later)| later.id.clone()).collect();
    Some(Drift { scores, changed, drifted: !scores.consistent })
}

impl Drift {
    /// The cause of a change in the agent's mean judged score, in points of 5.
    #[must_use]
    pub fn cause_of(&self, change: f64) -> ChangeCause {
        if !self.drifted {
            ChangeCause::Agent
        } else if (change - self.scores.difference).abs() <= crate::scoring::stats::MAX_DIFFERENCE {
            ChangeCause::Judge
        } else {
            ChangeCause::Both
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::judge::{FakeJudge, JudgeCache, Prompts};

    /// A judge that gives the same score to all.
    fn constant(score: f64, verdict: &str) -> Grader<FakeJudge> {
        let mark = json!({ "reason": "As it is.", "score": score });
        let reply = json!({
            "factual_correctness": mark, "data_accuracy": mark, "completeness": mark, "reasoning_quality": mark,
            "verdict": verdict,
        });
        Grader::new(FakeJudge::saying(reply.to_string()), Prompts::built_in().unwrap())
    }

    #[tokio::test]
    async fn drift_of_the_judge_is_told_apart_from_drift_of_the_agent() {
        let set = AnchorSet::built_in().unwrap();
        assert!(set.cases.len() >= 12);
        for verdict in [CaseVerdict::Pass, CaseVerdict::Partial, CaseVerdict::Fail] {
            assert!(set.cases.iter().filter(|case| case.label == verdict).count() >= 3, "{verdict:?}");
        }
        let before = set.judge(&constant(4.0, "pass"), 2).await.unwrap();
        let same = drift(&before, &set.judge(&constant(4.0, "pass"), 2).await.unwrap()).unwrap();
        assert!(!same.drifted && same.changed.is_empty());
        assert_eq!(same.cause_of(-1.0), ChangeCause::Agent);
        let milder = drift(&before, &set.judge(&constant(4.25, "pass"), 2).await.unwrap()).unwrap();
        assert!(!milder.drifted, "0.25 is within 0.3");
        let harder = drift(&before, &set.judge(&constant(3.0, "partial"), 2).await.unwrap()).unwrap();
        assert!(harder.drifted && harder.changed.len() == set.cases.len());
        assert_eq!(harder.cause_of(-1.1), ChangeCause::Judge);
        assert_eq!(harder.cause_of(0.5), ChangeCause::Both);
        // A judge that always says the same agrees on the most frequent label.
        let found = before.agreement().unwrap();
        assert_eq!(found.kappa, Some(0.0));
        // One that fails says nothing, and another set is another matter.
        let failing = Grader::new(FakeJudge::saying("no"), Prompts::built_in().unwrap());
        let nothing = set.judge(&failing, 2).await.unwrap();
        assert!(nothing.results.iter().all(|result| result.points.is_none()));
        assert!(drift(&before, &nothing).is_none() && nothing.agreement().is_none());
        let other = AnchorRun { set: Hash::of(b"other"), ..before.clone() };
        assert!(drift(&before, &other).is_none());
    }

    #[tokio::test]
    async fn the_anchor_set_is_judged_anew_whatever_is_cached() {
        let folder = tempfile::tempdir().unwrap();
        let set = AnchorSet::built_in().unwrap();
        let grader = constant(4.0, "pass").with_cache(JudgeCache::at(folder.path()));
        for _ in 0..2 {
            set.judge(&grader, 2).await.unwrap();
        }
        assert_eq!(grader.counters().asked, 2 * set.cases.len() as u64);
    }
}
