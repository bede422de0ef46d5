//! A deterministic score beside a judge's: the deterministic one stands where there is one, and a judge that sees it otherwise is
//! listed. Pure.

use serde::Serialize;

use super::Judgement;
use crate::scoring::rubric::RubricVerdict;
use crate::scoring::{Score, Verdict};

/// Who decided.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum DecidedBy {
    /// The comparison with the truth.
    Comparison,
    /// The judge, where the comparison decides nothing.
    Judge,
    /// Nobody.
    Nobody,
}

/// What stands in the end.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Combined {
    /// The score that counts.
    pub score: Score,
    /// Who decided.
    pub decided_by: DecidedBy,
    /// Where the judge sees it otherwise than the comparison: both views in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<String>,
}

/// Puts both together. A right or wrong of the comparison is never overturned; a judge without a verdict changes nothing.
#[must_use]
pub fn combine(deterministic: &Score, judged: &Judgement) -> Combined {
    let Some(value) = deterministic.value else {
        let decided_by = if judged.value().is_some() { DecidedBy::Judge } else { DecidedBy::Nobody };
        let mut score = judged.score();
        score.reasons.extend(deterministic.reasons.iter().map(|reason| format!("by comparison: {reason}")));
        return Combined { score, decided_by, disagreement: None };
    };
    let right = value >= 1.0 || matches!(deterministic.verdict, Verdict::Match | Verdict::ExpectedAbsence);
    let disagreement =
        judged.verdict().filter(|verdict| right != (*verdict == RubricVerdict::Pass)).map(|verdict| {
            format!(
                "the comparison says {} ({}); the judge says {} ({})",
                if right {
                    "right"
                } else if value > 0.0 {
                    "partly right"
                } else {
                    "wrong"
                },
                deterministic.reason(),
                verdict.name(),
                judged.score().reason()
            )
        });
    Combined { score: deterministic.clone(), decided_by: DecidedBy::Comparison, disagreement }
}
