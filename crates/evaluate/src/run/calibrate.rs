//! Judge against human labels (evaluation strategy, section 11, "LLM Judge Reliability"): agreement, kappa with its interval and base
//! rates, what always saying the same would get, each dimension, and the judge against itself. What comes out is kept beside the
//! runs: a judge that was not shown to agree with people is called uncalibrated in every report and fails no gate.

use std::collections::BTreeMap;
use std::path::Path;

use futures::{StreamExt, stream};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings::JudgeChoice;
use crate::atomic_file::write_atomic;
use crate::error::Result;
use crate::evidence::Hash;
use crate::judge::{Grader, HumanLabel, Judge, Judgement};
use crate::scoring::CaseVerdict;
use crate::scoring::rubric;
use crate::scoring::stats::{
    Calibration, Consistency, MIN_KAPPA, RaterAgreement, agreement, calibration, consistency,
};
use crate::truth::files::{optional, parse, text, whole_seconds};

/// What is known of a judge's worth, as runs say it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationNote {
    /// Whether it agrees with people well enough.
    pub is_calibrated: bool,
    /// Why not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// Labels that it was held against.
    pub labels: u64,
    /// Share that it agrees with.
    pub agreement: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// When; nothing when it never was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
}

/// A calibration; `eval calibrate`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CalibrationReport {
    /// The judge.
    pub judge: JudgeChoice,
    /// When; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub at: Timestamp,
    /// Labels.
    pub labels: u64,
    /// Labels that the judge left unscored, in either round.
    pub unscored: BTreeMap<String, String>,
    /// The person first, the judge second.
    pub agreement: Option<RaterAgreement<CaseVerdict>>,
    /// The person's points and the judge's, dimension by dimension.
    pub dimensions: BTreeMap<String, Consistency>,
    /// The judge's first round and its second, in points of 5: within 0.3 it is consistent.
    pub with_itself: Option<Consistency>,
    /// Labels that person and judge see differently: person, judge.
    pub differences: BTreeMap<String, (CaseVerdict, CaseVerdict)>,
    /// What follows.
    pub note: CalibrationNote,
}

/// Judges every label twice and holds the judge against the person and against itself.
pub async fn calibrate<J: Judge>(
    grader: &Grader<J>,
    choice: &JudgeChoice,
    labels: &[HumanLabel],
    concurrency: usize,
    at: Timestamp,
) -> CalibrationReport {
    let rounds: Vec<[Judgement; 2]> = stream::iter(labels)
        .map(|label| async move {
            let request = label.request(choice.rubric);
            [grader.judge(&request, 0).await, grader.judge(&request, 1).await]
        })
        .buffered(concurrency.max(1))
        .collect()
        .await;
    evaluate(choice, labels, &rounds, at)
}

/// The result of two rounds of judgements.
fn evaluate(
    choice: &JudgeChoice,
    labels: &[HumanLabel],
    rounds: &[[Judgement; 2]],
    at: Timestamp,
) -> CalibrationReport {
    let both = || labels.iter().zip(rounds);
    let judged = || both().filter_map(|(label, [first, _])| Some((label, first.verdict?)));
    let pairs: Vec<_> = judged().map(|(label, verdict)| (label.label, verdict)).collect();
    let agreement = agreement(&pairs);
    let points = |judgement: &Judgement| judgement.score.value.map(|value| value * rubric::MAX);
    let itself: Vec<(f64, f64)> =
        rounds.iter().filter_map(|[first, second]| points(first).zip(points(second))).collect();
    let with_itself = consistency(&itself);
    let mut dimensions: BTreeMap<String, Vec<(f64, f64)>> = BTreeMap::new();
    for (label, [first, _]) in both() {
        for (name, given) in &label.dimensions {
            if let Some(found) = first.dimensions.get(name) {
                dimensions.entry(name.clone()).or_default().push((*given, *found));
            }
        }
    }
    let why = |judgement: &Judgement| judgement.failure.map(|_| judgement.score.reason());
    let status = match (calibration(agreement.as_ref(), MIN_KAPPA), &with_itself) {
        (Calibration::Calibrated, Some(found)) if !found.consistent => Calibration::Uncalibrated {
            why: format!(
                "two rounds of the judge are {:.2} points apart on average, above 0.3",
                found.distance
            ),
        },
        (status, _) => status,
    };
    let note = CalibrationNote {
        is_calibrated: status == Calibration::Calibrated,
        why: match status {
            Calibration::Calibrated => None,
            Calibration::Uncalibrated { why } => Some(why),
        },
        labels: pairs.len() as u64,
        agreement: agreement.as_ref().map(|found| found.agreement.rate),
        kappa: agreement.as_ref().and_then(|found| found.kappa),
        at: Some(at),
    };
    CalibrationReport {
        judge: choice.clone(),
        at,
        labels: labels.len() as u64,
        unscored: both()
            .filter_map(|(label, [first, second])| Some((label.id.clone(), why(first).or(why(second))?)))
            .collect(),
        differences: judged()
            .filter(|(label, verdict)| label.label != *verdict)
            .map(|(label, verdict)| (label.id.clone(), (label.label, verdict)))
            .collect(),
        agreement,
        dimensions: dimensions
            .into_iter()
            .filter_map(|(name, points)| Some((name, consistency(&points)?)))
            .collect(),
        with_itself,
        note,
    }
}

/// Where the note on a judge is kept: by model, prompts and rubric, since another prompt is another judge.
fn place(runs: &Path, judge: &JudgeChoice) -> std::path::PathBuf {
    let name = format!("{} {} {:?}", judge.model, judge.prompts_hash, judge.rubric);
    runs.join("calibration").join(format!("{}.json", &Hash::of(name.as_bytes()).as_str()[..16]))
}

/// Keeps what was found for later runs.
///
/// # Errors
/// It cannot be written.
pub fn keep(runs: &Path, report: &CalibrationReport) -> Result<()> {
    let path = place(runs, &report.judge);
    write_atomic(&path, text(&path, &report.note)?.as_bytes())
}

/// What is known of a judge.
///
/// # Errors
/// It is kept and cannot be read.
pub fn known(runs: &Path, judge: &JudgeChoice) -> Result<CalibrationNote> {
    let path = place(runs, judge);
    let never = CalibrationNote {
        is_calibrated: false,
        why: Some("it was never held against human labels: `atlas-gt eval calibrate` does so".to_owned()),
        labels: 0,
        agreement: None,
        kappa: None,
        at: None,
    };
    optional(&path)?.map_or(Ok(never), |found| parse(&path, &found))
}

impl CalibrationReport {
    /// The exit code that this leads to (decision 22): 6 where the judge judged nothing, 3 where it is uncalibrated.
    #[must_use]
    pub const fn exit(&self) -> crate::error::Exit {
        match (self.note.labels, self.note.is_calibrated) {
            (0, _) => crate::error::Exit::Agent,
            (_, false) => crate::error::Exit::Differences,
            (_, true) => crate::error::Exit::Ok,
        }
    }
}
