//! The form that makes a failure of production a question of the evaluation, and what has become of the question since.

use std::collections::BTreeMap;
use std::path::Path;

use atlas_gt_core::error::Result;
use atlas_gt_evaluate::run::{CaseVerdict, history};
use serde::Serialize;
use serde_json::Value;

use super::actions::SITES;
use super::{Page, Sources};
use crate::failures::FailureGroup;
use crate::pages::values;

/// What the last run says of a question that a failure became.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TargetNow {
    /// The run.
    pub run: String,
    /// `good` or `bad`.
    pub tone: &'static str,
    /// What follows of its verdict.
    pub words: String,
}

/// The last verdict of each question, by id.
pub(crate) fn verdicts(runs: &Path) -> Result<BTreeMap<String, (String, CaseVerdict)>> {
    let (lines, _) = history::read(&runs.join("history.jsonl"))?;
    let of = |line: history::HistoryLine| {
        let run = line.run;
        line.verdicts.into_iter().map(move |(id, verdict)| (id, (run.clone(), verdict)))
    };
    Ok(lines.into_iter().flat_map(of).collect())
}

/// What the last verdict means for a failure that became this question.
pub(crate) fn target_now(verdicts: &BTreeMap<String, (String, CaseVerdict)>, id: &str) -> Option<TargetNow> {
    let (run, verdict) = verdicts.get(id)?;
    let (tone, meaning) = match verdict {
        CaseVerdict::Pass => ("good", "mended, or not reproduced"),
        CaseVerdict::Unscored => ("warning", "undecided"),
        _ => ("bad", "reproduced"),
    };
    Some(TargetNow { run: run.clone(), tone, words: format!("{meaning} ({})", verdict.name()) })
}

/// The form, with what `failures promote --propose` says.
pub(crate) fn page(sources: &Sources, failure: &FailureGroup, proposal: &Value, said: &str) -> Page {
    let values = values! {
        failure, proposal, said, sites => SITES.to_vec(), agent_site => sources.agent_site,
        manifest => sources.promote_to.display().to_string(),
    };
    Page { template: "promotion.html", values }
}
