//! What a run keeps of a question, `runs/{run}/questions/{id}.json`: it is written when the agent has answered and again when the
//! answer is scored, so that a killed run asks and judges only what is missing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::{Case, PinnedTruth, Question};
use super::verdict::Decider;
use crate::AnswerDetails;
use crate::agent::Reply;
use crate::judge::{JudgeMode, UnscoredKind, Usage};
use crate::scoring::CaseVerdict;
use crate::scoring::suite::ScorerOutcome;
use crate::scoring::tools::TrajectoryVerdict;
use crate::scoring::{SCORING_VERSION, Score, suite};
use crate::truth::Pipeline;
use crate::truth::files::whole_seconds;

/// A question of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionRecord {
    /// What was asked.
    pub question: Question,
    /// What is true, where that is known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<PinnedTruth>,
    /// What the scorers of the case expect, where it names its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub checks: Option<Box<suite::SuiteCase>>,
    /// What the agent said.
    pub answer: Answer,
    /// What that is worth; nothing as long as it is not scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored: Option<Scored>,
}

/// What the agent said.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// When it was asked; whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    #[schemars(with = "String")]
    pub asked_at: Timestamp,
    /// From question to answer; nothing for a recorded answer that does not say.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// What the answer cost in US dollars; nothing when it is not known.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
    /// Text, links and trace; nothing when there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<serde_json::Map<String, serde_json::Value>>")]
    pub reply: Option<Reply>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
}

/// What an answer is worth.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scored {
    /// Version of the scoring.
    pub scoring_version: u32,
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Who decided it.
    pub decided_by: Decider,
    /// Why, in one sentence.
    pub reason: String,
    /// From 0 to 1: the share of data points that are right, else what the judge gave; nothing where nothing decided.
    pub score: Option<f64>,
    /// The judge's weighted score, 1 to 5; nothing where no judge scored dimensions.
    pub weighted_score: Option<f64>,
    /// Whether a wrong value is one that was true before.
    pub outdated: bool,
    /// Whether the judge's repeats straddle the threshold.
    pub unstable: bool,
    /// What is wrong, each by its kind.
    pub findings: Vec<AnswerFinding>,
    /// The pipeline that the answer came from.
    pub pipeline: Pipeline,
    /// The data points, where there is a truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Score<AnswerDetails>>,
    /// The route that the agent took; nothing where none is expected or recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<TrajectoryVerdict>,
    /// Scorers of tools and links, each with its reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scorers: Vec<ScorerOutcome>,
    /// What the judge said, mode by mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<JudgeNote>,
    /// Where the judge disagrees; the rules' verdict counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<String>,
}

/// One thing that is wrong with an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerFinding {
    /// What kind: `other_year`, `other_classification`, `other_partner`, `rounding`, `other_value`, `outdated`, `missing`,
    /// `refusal_instead_of_answer`, `answer_instead_of_refusal`, `wrong_route`, `wrong_link`, …
    pub kind: String,
    /// The data point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// In words.
    pub detail: String,
}

/// What the judge said in one mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeNote {
    /// How it judged.
    #[schemars(with = "String")]
    pub mode: JudgeMode,
    /// What follows; nothing when it is unscored.
    pub verdict: Option<CaseVerdict>,
    /// From 0 to 1; nothing when it is unscored.
    pub value: Option<f64>,
    /// What each dimension got, in the judge's scale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, f64>,
    /// What it said of each dimension.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, String>,
    /// What kind of failure it is, and of what second kind, where the mode asks.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// What a person should know besides: the answer addresses the judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// How it failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schemars(with = "Option<String>")]
    pub failure: Option<UnscoredKind>,
    /// Why it failed, in words.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The values of all repeats, where it was asked more than once.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Option<f64>>,
    /// Whether the repeats straddle the threshold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// Tokens of all repeats.
    #[schemars(with = "serde_json::Map<String, serde_json::Value>")]
    pub usage: Usage,
    /// What it cost now in US dollars; nothing when it is not known.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
    /// Whether the verdict is one of an earlier run.
    pub cached: bool,
    /// The model.
    pub model: String,
    /// Hash of the prompt's template.
    pub prompt: String,
}

impl Scored {
    /// A verdict with its reason, and nothing more.
    #[must_use]
    pub fn new(verdict: CaseVerdict, decided_by: Decider, reason: String) -> Self {
        Self {
            scoring_version: SCORING_VERSION,
            verdict,
            decided_by,
            reason,
            score: None,
            weighted_score: None,
            outdated: false,
            unstable: false,
            findings: Vec::new(),
            pipeline: Pipeline::Unknown,
            points: None,
            trajectory: None,
            scorers: Vec::new(),
            judgements: Vec::new(),
            disagreement: None,
        }
    }
}

impl QuestionRecord {
    /// A case with its answer, not scored yet.
    #[must_use]
    pub fn new(case: Case, answer: Answer) -> Self {
        let Case { question, truth, checks } = case;
        Self { question, truth, checks, answer, scored: None }
    }

    /// The case alone.
    #[must_use]
    pub fn case(self) -> Case {
        Case { question: self.question, truth: self.truth, checks: self.checks }
    }

    /// Whether the cost of the answer is that of a price list: the answer does not state it.
    pub(crate) fn is_cost_assumed(&self) -> bool {
        let stated = self.answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()?.cost_usd);
        self.answer.cost_usd.is_some() && stated.is_none()
    }

    /// Whether everything is known of it.
    #[must_use]
    pub(crate) const fn is_ended(&self) -> bool {
        self.scored.is_some()
    }

    /// What the judge cost for it in US dollars; nothing when that is not known.
    #[must_use]
    pub(crate) fn judge_cost(&self) -> Option<Decimal> {
        let notes = self.scored.iter().flat_map(|scored| &scored.judgements);
        notes.map(|note| note.cost_usd).sum()
    }
}
