//! The anchor set: labelled answers that never change and are judged anew in every judged run. What moves there is the judge, not the
//! agent.

use std::path::Path;

use futures::{StreamExt, stream};
use serde::{Deserialize, Serialize};

use super::{Grader, Judge, JudgeMode, JudgeRequest, ModelId};
use crate::error::{Error, Result};
use crate::evidence::Hash;
use crate::scoring::CaseVerdict;
use crate::scoring::rubric;
use crate::scoring::stats::{Agreement, Consistency, agreement, consistency};

const BUILT_IN: &str = include_str!("../../../../manifests/judge_anchor.jsonl");

/// An answer with a person's verdict.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct AnchorCase {
    /// Its id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The answer.
    pub answer: String,
    /// The truth.
    pub truth: String,
    /// What a person says.
    pub label: CaseVerdict,
    /// What it is there for.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub note: Option<String>,
}

/// The cases, with the hash of their file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnchorSet {
    /// The cases in order.
    pub cases: Vec<AnchorCase>,
    /// Hash of the file's text: another set is never compared with this one.
    pub hash: Hash,
}

/// What the judge said of a case.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnchorResult {
    /// The case.
    pub id: String,
    /// What a person says.
    pub label: CaseVerdict,
    /// What the judge says; nothing when it is unscored.
    pub verdict: Option<CaseVerdict>,
    /// Its score in points of 5.
    pub points: Option<f64>,
}

/// The anchor set as one run judged it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct AnchorRun {
    /// The model.
    pub model: ModelId,
    /// Hash of the prompt's template.
    pub prompt: Hash,
    /// Hash of the set.
    pub set: Hash,
    /// The results in the order of the set.
    pub results: Vec<AnchorResult>,
}

impl AnchorSet {
    /// The set that the program was built with.
    ///
    /// # Errors
    /// A file that does not parse; a test keeps that from happening.
    pub fn built_in() -> Result<Self> {
        Self::parse(Path::new("manifests/judge_anchor.jsonl"), BUILT_IN)
    }

    /// Reads a set: JSON, a case a line.
    ///
    /// # Errors
    /// A line that is no case, an id that stands twice, or no case at all.
    pub fn parse(path: &Path, text: &str) -> Result<Self> {
        let wrong = |line, column, message| Error::Syntax { path: path.to_owned(), line, column, message };
        let mut cases: Vec<AnchorCase> = Vec::new();
        for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let case: AnchorCase = serde_json::from_str(line)
                .map_err(|error| wrong(index + 1, error.column(), error.to_string()))?;
            if cases.iter().any(|other| other.id == case.id) {
                return Err(wrong(index + 1, 0, format!("the id {:?} stands twice", case.id)));
            }
            cases.push(case);
        }
        if cases.is_empty() {
            return Err(wrong(1, 0, "there is no case: give one JSON object a line".to_owned()));
        }
        Ok(Self { cases, hash: Hash::of(text.as_bytes()) })
    }

    /// Judges every case anew, whatever is cached, at most `concurrency` at a time.
    ///
    /// # Errors
    /// There is no prompt for judging against a truth.
    pub async fn judge<J: Judge>(&self, grader: &Grader<J>, concurrency: usize) -> Result<AnchorRun> {
        let judged = stream::iter(&self.cases).map(|case| async move {
            let request =
                JudgeRequest::new(JudgeMode::GroundTruth, &case.question, &case.answer).against(&case.truth);
            let judgement = grader.judge_anew(&request).await;
            AnchorResult {
                id: case.id.clone(),
                label: case.label,
                verdict: judgement.verdict(),
                points: judgement.value().map(|value| value * rubric::MAX),
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
    /// How far the judge agrees with the labels, the person first; nothing when every case is unscored.
    #[must_use]
    pub fn agreement(&self) -> Option<Agreement<CaseVerdict>> {
        let pairs: Vec<_> =
            self.results.iter().filter_map(|result| Some((result.label, result.verdict?))).collect();
        agreement(&pairs)
    }
}

/// A case whose verdict changed.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ChangedVerdict {
    /// The case.
    pub id: String,
    /// What a person says.
    pub label: CaseVerdict,
    /// In the earlier run.
    pub before: CaseVerdict,
    /// In the later run.
    pub after: CaseVerdict,
}

/// How the judge moved between two runs.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Drift {
    /// Cases that both runs scored, and how far the scores are apart, in points of 5.
    pub scores: Consistency,
    /// Cases that one of the runs left unscored.
    pub unscored: u64,
    /// Cases whose verdict changed.
    pub changed: Vec<ChangedVerdict>,
    /// Whether model and prompt are the same.
    pub same_judge: bool,
    /// Whether the judge drifted: the scores are apart by more than 0.3 points on average (evaluation strategy, section 11).
    pub drifted: bool,
}

/// What a change of the agent's scores comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum ChangeCause {
    /// The judge stands still: the agent changed.
    Agent,
    /// The scores of answers that never change moved as far.
    Judge,
    /// The judge moved, and the agent's scores moved otherwise.
    Both,
}

/// How the judge moved from one run to another. Nothing when the sets differ, or fewer than half of the cases are scored in both: then
/// nothing can be said.
#[must_use]
pub fn drift(before: &AnchorRun, after: &AnchorRun) -> Option<Drift> {
    if before.set != after.set {
        return None;
    }
    let mut points = Vec::new();
    let mut changed = Vec::new();
    for later in &after.results {
        let earlier = before.results.iter().find(|earlier| earlier.id == later.id);
        let Some((earlier, first, second)) =
            earlier.and_then(|earlier| Some((earlier, earlier.points?, later.points?)))
        else {
            continue;
        };
        points.push((first, second));
        if let (Some(before), Some(after)) = (earlier.verdict, later.verdict)
            && before != after
        {
            changed.push(ChangedVerdict { id: later.id.clone(), label: later.label, before, after });
        }
    }
    if points.len() * 2 < after.results.len() {
        return None;
    }
    let scores = consistency(&points)?;
    Some(Drift {
        scores,
        unscored: (after.results.len() - points.len()) as u64,
        changed,
        same_judge: before.model == after.model && before.prompt == after.prompt,
        drifted: !scores.consistent,
    })
}

impl Drift {
    /// What a change of the agent's mean judged score comes from, in points of 5.
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
        assert!(!same.drifted && same.changed.is_empty() && same.same_judge);
        assert_eq!(same.cause_of(-1.0), ChangeCause::Agent);
        let milder = drift(&before, &set.judge(&constant(4.25, "pass"), 2).await.unwrap()).unwrap();
        assert!(!milder.drifted, "0.25 is within 0.3");
        let harder = drift(&before, &set.judge(&constant(3.0, "partial"), 2).await.unwrap()).unwrap();
        assert!(harder.drifted && harder.changed.len() == set.cases.len());
        assert_eq!(harder.cause_of(-1.1), ChangeCause::Judge);
        assert_eq!(harder.cause_of(0.5), ChangeCause::Both);
        // A judge that always says the same agrees as far as the most frequent label goes.
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

    #[test]
    fn a_line_that_is_no_case_is_named() {
        let case = r#"{"id": "a", "question": "q", "answer": "a", "truth": "t", "label": "pass"}"#;
        for (text, at, part) in [
            (format!("{case}\n{case}\n"), 2, "stands twice"),
            (format!("{case}\n{{\"id\": 1}}\n"), 2, "expected a string"),
            (case.replace("\"pass\"", "\"good\""), 1, "unknown variant"),
            (String::new(), 1, "no case"),
        ] {
            let error = AnchorSet::parse(Path::new("labels.jsonl"), &text).unwrap_err().to_string();
            assert!(error.starts_with(&format!("labels.jsonl:{at}:")) && error.contains(part), "{error}");
        }
    }
}
