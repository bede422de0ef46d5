//! The stored result of a question, `runs/{run}/questions/{id}.json`. It is written after the
//! answer and again after scoring, so that a killed run only asks and judges what is missing.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::question::{Case, PinnedTruth, Question};
use crate::AnswerDetails;
use crate::agent::Reply;
use crate::checked::{CheckedAnswer, CheckedPoint};
use crate::judge::{JudgeMode, TokenUsage, UnscoredKind};
use crate::scoring::CaseVerdict;
use crate::scoring::cost::Cost;
use crate::scoring::suite::ScorerOutcome;
use crate::scoring::tools::TrajectoryVerdict;
use crate::scoring::{SCORING_VERSION, Score, suite};
use crate::three_way::SpotCheckCause;
use crate::truth::Pipeline;
use crate::truth::files::whole_seconds;
use crate::verdict::Decider;
use crate::words;

/// A question of a run.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct QuestionRecord {
    /// The question.
    pub question: Question,
    /// The truth, if known.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub truth: Option<PinnedTruth>,
    /// The expectations of the case's own scorers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub checks: Option<Box<suite::SuiteCase>>,
    /// The agent's answer.
    pub answer: Answer,
    /// The score; none until scored.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub scored: Option<Scored>,
}

impl QuestionRecord {
    /// The link to the page of its truth, if that was read from the live site.
    #[must_use]
    pub fn page_link(&self) -> Option<String> {
        self.truth.as_ref()?.record.page().link
    }

    /// The name of its case, as in files of `suite run --format jsonl`, or else the question's id.
    pub(super) fn case_name(&self) -> String {
        let id = || self.question.question_id.to_string();
        self.checks.as_ref().map_or_else(id, |checks| checks.name.clone())
    }
}

/// The agent's answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Answer {
    /// The time of asking, in whole seconds.
    #[serde(serialize_with = "whole_seconds")]
    #[schemars(with = "String")]
    pub asked_at: Timestamp,
    /// The time from question to answer; none for a recorded answer without one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_ms: Option<u64>,
    /// The cost of the answer in US dollars; none if unknown.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
    /// Text, links and trace; none if there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reply: Option<Reply>,
    /// Why there is no answer.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// Whether the agent could not be reached. It is asked again when the run is resumed.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unreachable: bool,
}

/// The score of an answer.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct Scored {
    /// Version of the scoring.
    pub scoring_version: u32,
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Who decided it.
    pub decided_by: Decider,
    /// The reason, in one sentence.
    pub reason: String,
    /// The score from 0 to 1: the share of right data points, or else the judge's score; none if
    /// undecided.
    pub score: Option<f64>,
    /// The judge's weighted score, 1 to 5; none if no judge scored dimensions.
    pub weighted_score: Option<f64>,
    /// Whether a wrong value was true before.
    pub outdated: bool,
    /// Whether the judge's repetitions lie on both sides of the threshold.
    pub unstable: bool,
    /// The findings, by kind.
    pub findings: Vec<AnswerFinding>,
    /// The pipeline of the answer.
    pub pipeline: Pipeline,
    /// The data points, if there is a truth.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub points: Option<Score<AnswerDetails>>,
    /// The agent's route; none if none is expected or recorded.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub trajectory: Option<TrajectoryVerdict>,
    /// The scorers of tools and links, with reasons.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub scorers: Vec<ScorerOutcome>,
    /// The judgements, by mode.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub judgements: Vec<JudgeNote>,
    /// The judge's disagreement. The rules' verdict counts.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub disagreement: Option<String>,
}

/// A problem of an answer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct AnswerFinding {
    /// The kind: `other_year`, `other_classification`, `other_partner`, `rounding`, `other_value`,
    /// `outdated`, `missing`, `refusal_instead_of_answer`, `answer_instead_of_refusal`,
    /// `wrong_route`, `wrong_link`, …
    pub kind: String,
    /// The data point.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub field: Option<String>,
    /// The description.
    pub detail: String,
}

impl AnswerFinding {
    /// Whether it is about how the agent came to its answer.
    pub(super) fn is_of_route(&self) -> bool {
        matches!(self.kind.as_str(), "wrong_route" | "wrong_fallback" | "wrong_link")
    }
}

/// The judgement in one mode.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct JudgeNote {
    /// The mode.
    pub mode: JudgeMode,
    /// The verdict; none if unscored.
    pub verdict: Option<CaseVerdict>,
    /// The score from 0 to 1; none if unscored.
    pub value: Option<f64>,
    /// The points by dimension, on the judge's scale.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub dimensions: BTreeMap<String, f64>,
    /// The reasons by dimension.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub reasons: BTreeMap<String, String>,
    /// The kinds of failure of the answer, the main one first, if the mode asks for them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// Findings for a person: the answer addresses the judge.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub findings: Vec<String>,
    /// The kind of failure, if judging failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub failure: Option<UnscoredKind>,
    /// The reason, if judging failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
    /// The scores of all repetitions, if there were several.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub repeats: Vec<Option<f64>>,
    /// Whether the repetitions lie on both sides of the threshold.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub unstable: bool,
    /// The tokens of all repetitions.
    pub usage: TokenUsage,
    /// The cost of this run in US dollars; none if unknown.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
    /// Whether the verdict comes from an earlier run.
    pub cached: bool,
    /// The model.
    pub model: String,
    /// Hash of the prompt's template.
    pub prompt: String,
}

impl Scored {
    /// A verdict with its reason and nothing else.
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

    /// The score of a question in a spot check. A stale truth is not the agent's fault.
    #[must_use]
    pub fn of_check(checked: &CheckedAnswer) -> Self {
        let verdict = checked.cause.verdict();
        let decided_by = if verdict == CaseVerdict::Unscored { Decider::Nobody } else { Decider::Rules };
        let reason = checked.discrepancy.clone().unwrap_or_else(|| checked.cause.words());
        let is_wrong = |point: &&CheckedPoint| point.cause.verdict() == CaseVerdict::Fail;
        let finding = |point: &CheckedPoint| AnswerFinding {
            kind: words::name(&point.cause).to_owned(),
            field: Some(point.field.clone()),
            detail: point.reason.clone(),
        };
        Self {
            outdated: checked.cause == SpotCheckCause::AgentStale,
            findings: checked.points.iter().filter(is_wrong).map(finding).collect(),
            pipeline: checked.pipeline,
            ..Self::new(verdict, decided_by, reason)
        }
    }
}

impl QuestionRecord {
    /// An unscored case with its answer.
    #[must_use]
    pub fn new(case: Case, answer: Answer) -> Self {
        let Case { question, truth, checks } = case;
        Self { question, truth, checks, answer, scored: None }
    }

    /// The case without its answer.
    #[must_use]
    pub fn case(self) -> Case {
        Case { question: self.question, truth: self.truth, checks: self.checks }
    }

    /// Whether the cost comes from the price list, because the answer states none.
    pub(crate) fn is_cost_assumed(&self) -> bool {
        let stated = self.answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()?.cost_usd);
        self.answer.cost_usd.is_some() && stated.is_none()
    }

    /// The cost that the agent stated.
    #[must_use]
    pub fn stated_cost(&self) -> Cost {
        let reply = self.answer.reply.as_ref();
        reply.and_then(|reply| reply.trace.as_ref()?.cost_usd).map_or(Cost::Unstated, Cost::Dollars)
    }

    /// Whether the question is finished.
    #[must_use]
    pub(crate) const fn is_ended(&self) -> bool {
        self.scored.is_some()
    }

    /// The judge's cost for it in US dollars; none if unknown.
    #[must_use]
    pub(crate) fn judge_cost(&self) -> Option<Decimal> {
        let notes = self.scored.iter().flat_map(|scored| &scored.judgements);
        notes.map(|note| note.cost_usd).sum()
    }
}
