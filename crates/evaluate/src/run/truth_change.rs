//! A question whose record changed between two runs: the earlier answer is scored against the newer record.

use schemars::JsonSchema;
use serde::Serialize;

use super::record::QuestionRecord;
use super::score::{AskedFor, by_rules};
use crate::agent::Mode;
use crate::scoring::CaseVerdict;
use crate::scoring::suite::SuiteCase;
use crate::truth::Pipeline;
use crate::verdict::decide;

/// A question whose record changed between two runs.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct TruthChange {
    /// The question.
    pub question_id: String,
    /// The true value in the first run.
    pub first_truth: String,
    /// The true value in the second run.
    pub second_truth: String,
    /// The first run's verdict, against its own record.
    pub verdict_then: CaseVerdict,
    /// The first run's verdict against the new record. None if that needs a judge, or if a case
    /// expects something else; the question is then skipped.
    pub verdict_now: Option<CaseVerdict>,
}

/// What a case expects, as text.
fn expected(checks: &SuiteCase) -> String {
    let each = checks.expectations().into_iter().map(|(key, value)| format!("{key}: {value}"));
    each.collect::<Vec<_>>().join("; ")
}

/// Scores the earlier answer against the new record, if it differs. The judge's earlier verdict
/// referred to the old record and no longer counts.
pub(super) fn truth_change(
    pipeline: Option<Pipeline>,
    older: &QuestionRecord,
    newer: &QuestionRecord,
) -> Option<TruthChange> {
    let scored = older.scored.as_ref()?;
    if let (Some(then), Some(now)) = (&older.checks, &newer.checks)
        && then != now
    {
        return Some(TruthChange {
            question_id: older.case_name(),
            first_truth: expected(then),
            second_truth: expected(now),
            verdict_then: scored.verdict,
            verdict_now: None,
        });
    }
    let (then, now) = (older.truth.as_ref()?, newer.truth.as_ref()?);
    if then.hash == now.hash {
        return None;
    }
    let verdict_now = match &older.answer.reply {
        None => Some(scored.verdict),
        Some(reply) => {
            let asked = AskedFor { mode: Mode::Auto, pipeline };
            let rules = by_rules(&newer.question, Some(now), reply, asked);
            let decision = decide(rules.finding, None);
            (decision.verdict != CaseVerdict::Unscored).then_some(decision.verdict)
        }
    };
    Some(TruthChange {
        question_id: older.question.question_id.to_string(),
        first_truth: then.words(),
        second_truth: now.words(),
        verdict_then: scored.verdict,
        verdict_now,
    })
}
