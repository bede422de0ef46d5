//! The form that makes a failure of production a question of the evaluation, and what has become of the question since.

use std::path::Path;

use atlas_gt_core::error::Result;
use atlas_gt_evaluate::run::CaseVerdict;
use atlas_gt_evaluate::run::history::{self, HistoryLine};
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

/// The runs with their verdicts, the oldest first.
pub(crate) fn runs(runs: &Path) -> Result<Vec<HistoryLine>> {
    Ok(history::read(&runs.join("history.jsonl"))?.0)
}

/// What the last verdict means for a failure that became this question. Another list may have its number for another one.
pub(crate) fn target_now(runs: &[HistoryLine], id: &str, question: &str) -> Option<TargetNow> {
    let mut of_question = runs.iter().rev().filter(|run| run.asks(id, question) != Some(false));
    let (run, verdict) = of_question.find_map(|run| Some((&run.run, run.verdicts.get(id)?)))?;
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
