//! Calibrates the judge against human labels (evaluation strategy, section 11, "LLM Judge
//! Reliability"): agreement, kappa with interval and base rates, the majority baseline, each
//! dimension, and the judge's consistency. The result is stored beside the runs. A judge without
//! proven agreement is marked uncalibrated in every report, and decides nothing for a gate.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Instant;

use futures::{StreamExt, stream};
use jiff::Timestamp;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::settings::JudgeChoice;
use crate::atomic_file::write_atomic;
use crate::error::{Error, Result};
use crate::event::{Event, Events};
use crate::evidence::Hash;
use crate::judge::{Grader, HumanLabel, Judge, Judgement};
use crate::scoring::CaseVerdict;
use crate::scoring::rubric;
use crate::scoring::stats::{
    Calibration, Consistency, MIN_KAPPA, RaterAgreement, agreement, calibration, consistency,
};
use crate::truth::files::{optional, parse, text, whole_seconds};
use atlas_gt_core::versioned::Versioned;

/// The calibration of a judge, as runs state it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct CalibrationNote {
    /// Whether it agrees with people well enough.
    pub is_calibrated: bool,
    /// Why it does not.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The number of labels compared.
    pub labels: u64,
    /// The share of agreement.
    pub agreement: Option<f64>,
    /// Cohen's kappa.
    pub kappa: Option<f64>,
    /// The time of the calibration; none if there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub at: Option<Timestamp>,
}

/// The report of `eval calibrate`.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CalibrationReport {
    /// The judge.
    pub judge: JudgeChoice,
    /// The time, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    pub at: Timestamp,
    /// The number of labels.
    pub labels: u64,
    /// Labels that the judge left unscored in either round, with the reason.
    pub unscored: BTreeMap<String, String>,
    /// The agreement of person (first) and judge (second).
    pub agreement: Option<RaterAgreement<CaseVerdict>>,
    /// The person's and the judge's points, by dimension.
    pub dimensions: BTreeMap<String, Consistency>,
    /// The judge's two rounds, in points of 5. Within 0.3 the judge is consistent.
    pub with_itself: Option<Consistency>,
    /// Labels with different verdicts.
    pub differences: BTreeMap<String, RaterVerdicts>,
    /// The resulting calibration.
    pub note: CalibrationNote,
}

/// Two verdicts on the answer of a label.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, schemars::JsonSchema)]
pub struct RaterVerdicts {
    /// The person's.
    pub person: CaseVerdict,
    /// The judge's.
    pub judge: CaseVerdict,
}

/// Judges every label twice, and compares the judge with the person and with itself.
///
/// # Errors
/// It was stopped. Judgements are cached, so that another calibration continues.
pub async fn calibrate<J: Judge>(
    grader: &Grader<J>,
    choice: &JudgeChoice,
    labels: &[HumanLabel],
    concurrency: usize,
    (events, stop): (&Events, &AtomicBool),
    at: Timestamp,
) -> Result<CalibrationReport> {
    let started = Instant::now();
    let site = choice.model.clone();
    events.emit(&Event::RunStarted { site, visits: 0, questions: labels.len() });
    let rounds: Vec<Option<[Judgement; 2]>> = stream::iter(labels)
        .map(|label| async move {
            if stop.load(Ordering::Acquire) {
                return None;
            }
            let request = label.request(choice.rubric);
            let both = [grader.judge(&request, 0).await, grader.judge(&request, 1).await];
            let failed = both.iter().find(|one| one.failure.is_some());
            events.emit(&Event::QuestionFinished {
                question_id: label.id.clone(),
                outcome: both[0].verdict.unwrap_or(CaseVerdict::Unscored).name().to_owned(),
                notes: failed.map(|one| one.score.reason()).into_iter().collect(),
            });
            Some(both)
        })
        .buffered(concurrency.max(1))
        .collect()
        .await;
    let rounds: Option<Vec<[Judgement; 2]>> = rounds.into_iter().collect();
    events.emit(&Event::RunFinished {
        took_ms: u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX),
        requests: 0,
        interrupted: rounds.is_none(),
    });
    Ok(evaluate(choice, labels, &rounds.ok_or(Error::Interrupted)?, at))
}

/// The report of two rounds of judgements.
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
        (Calibration::Uncalibrated { .. }, _) if pairs.is_empty() && !labels.is_empty() => {
            Calibration::Uncalibrated { why: "the judge gave no usable verdict on any label".to_owned() }
        }
        (Calibration::Calibrated, Some(found)) if !found.consistent => Calibration::Uncalibrated {
            why: format!(
                "the judge's two rounds are {:.2} points apart on average, more than 0.3",
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
            .map(|(label, judge)| (label.id.clone(), RaterVerdicts { person: label.label, judge }))
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

/// The path of a judge's calibration, by model, prompts and rubric: another prompt is another
/// judge.
fn place(runs: &Path, judge: &JudgeChoice) -> std::path::PathBuf {
    let name = format!("{} {} {:?}", judge.model, judge.prompts_hash, judge.rubric);
    runs.join("calibration").join(format!("{}.json", &Hash::of(name.as_bytes()).as_str()[..16]))
}

/// Stores a calibration for later runs.
///
/// # Errors
/// It cannot be written.
pub fn keep(runs: &Path, report: &CalibrationReport) -> Result<()> {
    let path = place(runs, &report.judge);
    write_atomic(&path, text(&path, &Versioned::of(&report.note))?.as_bytes())
}

/// The stored calibration of a judge.
///
/// # Errors
/// It exists but cannot be read.
pub fn known(runs: &Path, judge: &JudgeChoice) -> Result<CalibrationNote> {
    let path = place(runs, judge);
    let never = CalibrationNote {
        is_calibrated: false,
        why: Some(
            "it was never compared with human labels: `eval label` records labels, and `eval calibrate` compares this \
             judge with them"
                .to_owned(),
        ),
        labels: 0,
        agreement: None,
        kappa: None,
        at: None,
    };
    optional(&path)?.map_or(Ok(never), |found| parse(&path, &found))
}

impl CalibrationReport {
    /// The exit code (decision 22): 6 if the judge scored no label, 3 if it is uncalibrated.
    #[must_use]
    pub const fn exit(&self) -> crate::error::Exit {
        match (self.note.labels, self.note.is_calibrated) {
            (0, _) => crate::error::Exit::Agent,
            (_, false) => crate::error::Exit::Differences,
            (_, true) => crate::error::Exit::Ok,
        }
    }
}
