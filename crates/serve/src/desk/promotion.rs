//! The form that promotes a production failure to an evaluation question, and the question's state since.

use std::path::Path;

use atlas_gt_core::error::Result;
use atlas_gt_evaluate::run::CaseVerdict;
use atlas_gt_evaluate::run::history::{self, HistoryLine};
use serde::Serialize;
use serde_json::Value;

use super::actions::SITES;
use super::page::Page;
use super::sources::Sources;
use crate::failures::FailureGroup;
use crate::templates::values;

/// The last run's verdict on a promoted question.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct TargetNow {
    /// The run.
    pub run: String,
    /// `good` or `bad`.
    pub tone: &'static str,
    /// The verdict in words.
    pub words: String,
}

/// The runs with their verdicts, oldest first.
pub(crate) fn runs(runs: &Path) -> Result<Vec<HistoryLine>> {
    Ok(history::read(&runs.join("history.jsonl"))?.0)
}

/// The meaning of the last verdict for a promoted failure. The same number may belong to another question in another
/// manifest.
pub(crate) fn target_now(runs: &[HistoryLine], id: &str, question: &str) -> Option<TargetNow> {
    let mut of_question = runs.iter().rev().filter(|run| run.asks(id, question) != Some(false));
    let (run, verdict) = of_question.find_map(|run| Some((&run.run, run.verdicts.get(id)?)))?;
    let (tone, meaning) = match verdict {
        CaseVerdict::Pass => ("good", "fixed, or not reproduced"),
        CaseVerdict::Unscored => ("warning", "undecided"),
        _ => ("bad", "reproduced"),
    };
    Some(TargetNow { run: run.clone(), tone, words: format!("{meaning} ({})", verdict.name()) })
}

/// The form, filled with the output of `failures promote --propose`.
pub(crate) fn page(sources: &Sources, failure: &FailureGroup, proposal: &Value, said: &str) -> Page {
    let values = values! {
        failure, proposal, said, sites => SITES.to_vec(), agent_site => sources.agent_site,
        manifest => sources.promote_to.display().to_string(), trace_flags => &sources.trace_flags,
    };
    Page { template: "promotion.html", values }
}
