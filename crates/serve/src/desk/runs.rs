//! The runs pages: a list, one run with its answers, a comparison of two runs, and labels for verdicts.

use std::collections::BTreeMap;
use std::path::Path;

use crate::templates::values;
use atlas_gt_core::error::{Error, Result};
use atlas_gt_core::words::{name, spaced};
use atlas_gt_evaluate::judge::HumanLabel;
use atlas_gt_evaluate::run::compare::{ComparedRun, compare};
use atlas_gt_evaluate::run::labels::labels;
use atlas_gt_evaluate::run::{QuestionRecord, RunFolder, RunSettings, history, list};
use atlas_gt_scoring::stats::Seed;
use atlas_gt_scoring::suite::Resampling;
use serde::Serialize;

use super::page::{Page, shown};
use super::sources::Sources;

#[derive(Debug, Serialize)]
struct Summary {
    run: String,
    at: String,
    agent: String,
    questions: u64,
    /// Where its cases come from.
    cases: String,
    pass_rate: Option<f64>,
    score: Option<f64>,
}

pub(crate) fn page(sources: &Sources) -> Result<Page> {
    let known = list(&sources.runs)?;
    let (lines, _) = history::read(&sources.runs.join("history.jsonl"))?;
    let runs: Vec<Summary> = lines
        .into_iter()
        .rev()
        .filter(|line| known.contains(&line.run))
        .map(|line| Summary {
            run: line.run.clone(),
            at: shown(line.timestamp),
            agent: line.agent_model.clone(),
            questions: line.questions,
            cases: line.suite.as_ref().map_or_else(|| spaced(&line.source), |suite| format!("suite {suite}")),
            pass_rate: line.pass_rate,
            score: line.avg_score,
        })
        .collect();
    Ok(Page { template: "runs.html", values: values! { runs } })
}

/// Opens a run by name. The name must be in the list, so that no path from a request is used.
fn open(runs: &Path, name: &str) -> Result<(RunSettings, Vec<QuestionRecord>)> {
    if !list(runs)?.iter().any(|known| known == name) {
        return Err(Error::Nothing("there is no such run".to_owned()));
    }
    let folder = RunFolder::open(runs, name)?;
    let settings = folder.settings()?;
    let questions = folder.questions(&settings.planned)?;
    Ok((settings, questions))
}

#[derive(Debug, Serialize)]
struct ShownAnswer {
    id: String,
    question: String,
    category: String,
    verdict: String,
    decided_by: String,
    reason: String,
    truth: Option<String>,
    answer: String,
    tools: Option<String>,
    findings: Vec<String>,
    /// A person's label of the verdict, with the note.
    label: Option<(String, String)>,
    can_label: bool,
}

fn shown_answer(record: &QuestionRecord, label: Option<&HumanLabel>) -> ShownAnswer {
    let scored = record.scored.as_ref();
    let reply = record.answer.reply.as_ref();
    let answer = reply.map(|reply| reply.answer.clone()).or_else(|| record.answer.error.clone());
    let findings = scored.map_or_else(Vec::new, |scored| {
        scored.findings.iter().map(|finding| format!("{}: {}", finding.kind, finding.detail)).collect()
    });
    ShownAnswer {
        id: record.question.question_id.to_string(),
        question: record.question.text.clone(),
        category: record.question.category.clone().unwrap_or_default(),
        verdict: scored.map_or_else(|| "not scored yet".to_owned(), |scored| scored.verdict.to_string()),
        decided_by: scored.map_or_else(String::new, |scored| name(&scored.decided_by).to_owned()),
        reason: scored.map_or_else(String::new, |scored| scored.reason.clone()),
        truth: record.truth.as_ref().map(atlas_gt_evaluate::run::PinnedTruth::words),
        answer: answer.unwrap_or_default(),
        label: label.map(|label| (name(&label.label).to_owned(), label.note.clone().unwrap_or_default())),
        can_label: reply.is_some(),
        tools: reply.and_then(|reply| reply.trace.as_ref()).map(|trace| trace.tool_calls.join(", ")),
        findings,
    }
}

pub(crate) fn one(sources: &Sources, name: &str, verdict: &str, search: &str) -> Result<Page> {
    let (settings, records) = open(&sources.runs, name)?;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let labels = labels(&sources.runs)?;
    let label = |record: &QuestionRecord| labels.get(&format!("{name}/{}", record.question.question_id));
    let all: Vec<ShownAnswer> = records.iter().map(|record| shown_answer(record, label(record))).collect();
    for answer in &all {
        *counts.entry(answer.verdict.clone()).or_default() += 1;
    }
    let search_lower = search.to_lowercase();
    let fits = |answer: &ShownAnswer| {
        let text =
            format!("{} {} {} {}", answer.id, answer.question, answer.category, answer.answer).to_lowercase();
        (verdict.is_empty() || answer.verdict == verdict) && text.contains(&search_lower)
    };
    let mut answers: Vec<ShownAnswer> = all.into_iter().filter(fits).collect();
    // failures first; within a verdict the order of the run stays
    let first = ["error", "fail", "partial", "unscored"];
    answers.sort_by_key(|answer| first.iter().position(|one| *one == answer.verdict).unwrap_or(first.len()));
    let others: Vec<String> = list(&sources.runs)?.into_iter().filter(|other| other != name).rev().collect();
    let values = values! {
        run => name, at => shown(settings.started), planned => settings.planned.len(), answers, counts, verdict, search, others,
        command => sources.command(&format!("eval report {name}")),
    };
    Ok(Page { template: "run.html", values })
}

pub(crate) fn comparison(sources: &Sources, first: &str, second: &str) -> Result<Page> {
    let (one, other) = (open(&sources.runs, first)?, open(&sources.runs, second)?);
    let texts: BTreeMap<String, String> = one
        .1
        .iter()
        .map(|record| (record.question.question_id.to_string(), record.question.text.clone()))
        .collect();
    let resampling = Resampling { resamples: 2000, seed: Seed(1) };
    let found =
        compare(&ComparedRun::kept(&one.0, one.1), &ComparedRun::kept(&other.0, other.1), resampling, false);
    let command = sources.command(&format!("eval compare {first} {second}"));
    let values = match found {
        Ok(found) => values! { first, second, texts, command, found => &found },
        Err(why) => values! { first, second, command, why },
    };
    Ok(Page { template: "comparison.html", values })
}
