//! Human labels on the verdicts of a run, for `eval calibrate`. The run keeps its own verdict.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};

use jiff::Timestamp;

use super::{CaseVerdict, PinnedTruth, QuestionRecord, RunFolder};
use crate::error::{Error, Result};
use crate::input;
use crate::judge::{HumanLabel, JudgeMode};
use atlas_gt_core::atomic_file::write_atomic;
use atlas_gt_core::json::line;

/// The label file in the runs folder.
const FILE: &str = "labels.jsonl";

/// A stored label.
#[derive(Debug, Clone, PartialEq)]
pub struct KeptLabel {
    /// The path.
    pub path: PathBuf,
    /// The run's verdict.
    pub verdict: Option<CaseVerdict>,
    /// The label.
    pub label: CaseVerdict,
}

/// Stores a person's label on an answer of a run. A later label replaces an earlier one and keeps
/// its note.
///
/// # Errors
/// The run has no such answer or no truth to label against, or the file cannot be written.
pub fn keep_label(
    runs: &Path,
    (run, id): (&str, &str),
    said: CaseVerdict,
    (by, at): (&str, Timestamp),
) -> Result<KeptLabel> {
    let folder = RunFolder::open(runs, run)?;
    let records = folder.questions(&folder.settings()?.planned)?;
    let record = records.iter().find(|record| record.question.question_id.as_str() == id);
    let record =
        record.ok_or_else(|| Error::Nothing(format!("run {} has no question {id}", folder.name())))?;
    let lock = File::open(runs).map_err(Error::file(runs))?;
    lock.lock().map_err(Error::file(runs))?;
    let mut all = labels(runs)?;
    let verdict = record.scored.as_ref().map(|scored| scored.verdict);
    let mut label = of(folder.name(), record, said)?;
    let day = at.strftime("%Y-%m-%d");
    let own = verdict.map_or("nothing", CaseVerdict::name);
    let note = format!("{by}, {day}: {}, the run says {own}", said.name());
    let before = all.get(&label.id).and_then(|before| before.note.clone());
    label.note = Some(before.map_or(note.clone(), |before| format!("{before}; {note}")));
    all.insert(label.id.clone(), label);
    let lines: Result<String> = all.values().map(line).collect();
    let path = runs.join(FILE);
    write_atomic(&path, lines?.as_bytes())?;
    Ok(KeptLabel { path, verdict, label: said })
}

/// All labels in a runs folder, by run and question.
///
/// # Errors
/// The file cannot be read, or a line is not a label.
pub fn labels(runs: &Path) -> Result<BTreeMap<String, HumanLabel>> {
    let path = runs.join(FILE);
    if !path.is_file() {
        return Ok(BTreeMap::new());
    }
    let all = HumanLabel::read(&path, &input::text(&path)?)?;
    Ok(all.into_iter().map(|label| (label.id.clone(), label)).collect())
}

fn of(run: &str, record: &QuestionRecord, label: CaseVerdict) -> Result<HumanLabel> {
    let id = &record.question.question_id;
    let answer = record.answer.reply.as_ref().map(|reply| reply.answer.clone());
    let answer = answer.ok_or_else(|| Error::Nothing(format!("question {id} has no answer to judge")))?;
    let truth = record.truth.as_ref().map(PinnedTruth::words).filter(|truth| !truth.trim().is_empty());
    let mode = if truth.is_some() { JudgeMode::GroundTruth } else { JudgeMode::Plausibility };
    Ok(HumanLabel {
        id: format!("{run}/{id}"),
        question: record.question.text.clone(),
        answer,
        truth,
        trace: None,
        mode,
        label,
        dimensions: BTreeMap::new(),
        note: None,
    })
}
