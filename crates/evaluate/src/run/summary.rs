//! The summary of a run, `summary.json`: rates with intervals, scores, groups, routes, latency,
//! cost, and targets.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::calibrate::CalibrationNote;
use super::history::HistoryLine;
use super::record::QuestionRecord;
use super::settings::{CaseKind, Coverage, JudgeChoice, RunSettings, Unreadable};
use crate::agent::UnknownAnswers;
use crate::error::Exit;
use crate::scoring::VerdictCounts;
use crate::scoring::components::ComponentReport;
use crate::scoring::stats::{MeanEstimate, Percentiles, Proportion, TargetOutcome, mean};
use crate::scoring::suite::SuiteScores;
use crate::scoring::tools::MatchRate;
use crate::truth::{Pipeline, Site};
use crate::verdict::Decider;

/// The summary of a run, `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// The run.
    pub run: String,
    /// The kind of its cases.
    pub source: CaseKind,
    /// The start time.
    pub started: String,
    /// The end time. For a killed run, the time of the last answer.
    pub ended: String,
    /// The duration in seconds.
    pub duration_s: f64,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Whether the run stopped because of the budget.
    pub out_of_budget: bool,
    /// Whether it stopped because the agent was unreachable several times in a row.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub agent_away: bool,
    /// The exit code of a spot check, which also covers its pages.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub check_exit: Option<u8>,
    /// The version of the program that ran it.
    pub tool_version: String,
    /// Version of the scoring.
    pub scoring_version: u32,
    /// Why it is incomplete; none if complete.
    pub partial: Option<String>,
    /// The planned cases that the rescored run never asked.
    #[serde(skip_serializing_if = "is_zero")]
    pub unasked: u64,
    /// The agent.
    pub agent: String,
    /// The site of the questions.
    pub site: Site,
    /// The judge.
    pub judge: Option<JudgeChoice>,
    /// The calibration of the judge. A gate counts what an uncalibrated judge decided as undecided.
    pub calibration: Option<CalibrationNote>,
    /// How the questions were chosen.
    pub selection: String,
    /// The seed of a draw.
    pub seed: Option<u64>,
    /// The run whose answers were scored again.
    pub rescore_of: Option<String>,
    /// The number of planned questions.
    pub planned: u64,
    /// Finished questions, by verdict.
    pub counts: VerdictCounts,
    /// The pass rate among decided and unanswered questions (decisions 6 and 17).
    pub pass_rate: Option<Proportion>,
    /// The pass rate among all finished questions. Undecided ones count as not passed.
    pub pass_rate_of_all: Option<Proportion>,
    /// The judge's weighted score, 1 to 5, over the answers that it scored.
    pub weighted_score: Option<Score5>,
    /// The mean share of right data points, over answers scored by rules.
    pub right_share: Option<MeanEstimate>,
    /// The judge's dimensions, 1 to 5.
    pub dimensions: BTreeMap<String, Score5>,
    /// By category.
    pub categories: Vec<QuestionGroup>,
    /// By difficulty.
    pub difficulties: Vec<QuestionGroup>,
    /// By query type.
    pub query_types: Vec<QuestionGroup>,
    /// By tag and by persona. A question may have several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cohorts: Vec<QuestionGroup>,
    /// Links to the expected pages, by criterion: present, page kind, entity, parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<QuestionGroup>,
    /// By source method of the truth.
    pub source_methods: Vec<QuestionGroup>,
    /// The number of decisions by rules and by judge.
    pub decided_by: BTreeMap<Decider, u64>,
    /// Questions by kind of finding.
    pub findings: BTreeMap<String, Vec<String>>,
    /// Wrong answers that give an earlier value.
    pub outdated: Vec<String>,
    /// Questions whose repeated judgements lie on both sides of the threshold.
    pub unstable: Vec<String>,
    /// Questions that needed the judge, and on which it failed, with the reason.
    pub judge_failures: BTreeMap<String, String>,
    /// Questions on which judge and rules disagree. The rules' verdict counts.
    pub disagreements: BTreeMap<String, String>,
    /// Whether the judge itself has drifted.
    pub anchors: Option<AnchorReport>,
    /// Routes: right or acceptable ones, and right ones alone (decision 8).
    pub trajectories: MatchRate,
    /// The share of right or acceptable routes, with its interval.
    pub trajectory_rate: Option<Proportion>,
    /// The similarity of called and expected tools.
    pub tool_selection: Option<MeanEstimate>,
    /// The number of calls by tool.
    pub tools: BTreeMap<String, u64>,
    /// Unknown trace keys.
    pub unknown_trace_keys: Vec<String>,
    /// The time from question to answer, in milliseconds.
    pub latency_ms: Option<Percentiles>,
    /// The time from question to answer in milliseconds, by the pipeline that answered alone, or
    /// `mixed` or `none`.
    pub pipeline_latency_ms: BTreeMap<Pipeline, Percentiles>,
    /// The time of each agent node, in milliseconds.
    pub node_latency_ms: BTreeMap<String, Percentiles>,
    /// The cost.
    pub cost: RunCost,
    /// The targets of the evaluation strategy.
    pub targets: Vec<RunTarget>,
    /// The coverage of the manifest.
    pub coverage: Coverage,
    /// Questions whose record cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Skipped recorded answers.
    #[serde(skip_serializing_if = "UnknownAnswers::is_empty")]
    pub unknown_answers: UnknownAnswers,
    /// The number of manifest questions skipped for lack of a reference.
    pub without_truth: u64,
    /// Questions with a recorded answer that are skipped for lack of a reference.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered_without_truth: Vec<String>,
    /// Questions with a recorded answer that are skipped because only the store has them.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub answered_not_in_manifest: Vec<String>,
    /// Results by component, for a run of component cases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentReport>,
    /// The scores of a suite, for a run of its cases.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suite: Option<SuiteScores>,
    /// The gate, if one was set.
    pub gate: Option<Gate>,
    /// The exit code.
    pub exit_code: u8,
    /// The reason for the exit code.
    pub exit_reason: String,
}

/// A target, with the run's value.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunTarget {
    /// The metric: `pass_rate`, `avg_weighted_score`, `trajectory_match_rate`, …
    pub name: &'static str,
    /// The target as text: `≥ 60 %`.
    pub target: String,
    /// The target as a number, in the unit of `value`.
    pub limit: f64,
    /// The unit of `limit`, `value`, `low` and `high`.
    pub unit: TargetUnit,
    /// The run's value; none without data.
    pub value: Option<f64>,
    /// The number of observations.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// The result.
    pub state: TargetOutcome,
}

/// The unit of a target.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TargetUnit {
    /// A share, 0 to 1.
    Share,
    /// Points of the judge, 1 to 5.
    Points,
    /// Milliseconds.
    Milliseconds,
}

/// Whether the judge itself has drifted, apart from the agent.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct AnchorReport {
    /// Labelled answers.
    pub n: u64,
    /// Answers that the judge left unscored.
    pub unscored: u64,
    /// The share of agreement with the labels.
    pub agreement: Option<f64>,
    /// Cohen's kappa against the labels.
    pub kappa: Option<f64>,
    /// The earlier run with the same judge and prompts, for comparison; none if there is none.
    pub compared_with: Option<String>,
    /// The mean of this run's points minus that of the earlier run, of 5.
    pub difference: Option<f64>,
    /// Mean distance of the points, of 5.
    pub distance: Option<f64>,
    /// Whether the judge drifted: the distance exceeds 0.3 points.
    pub drifted: Option<bool>,
    /// Answers with another verdict.
    pub changed: Vec<String>,
    /// The cause of the change in the agent's mean score: `agent`, `judge` or `both`; none if one
    /// of the runs has no score.
    pub score_change_from: Option<String>,
    /// The cost of judging the anchors in US dollars.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
}

/// A mean on the judge's scale, 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Score5 {
    /// The number of answers.
    pub n: u64,
    /// The mean.
    pub mean: f64,
    /// The lower end of the 95 % interval; none for a single answer.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// A group of questions.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QuestionGroup {
    /// Its name; `none` if the manifest does not tell.
    pub name: String,
    /// The number of questions, by verdict.
    pub counts: VerdictCounts,
    /// The pass rate among decided and unanswered questions.
    pub pass_rate: Option<Proportion>,
    /// The judge's weighted score.
    pub weighted_score: Option<Score5>,
}

/// The cost of a run, in US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunCost {
    /// The known cost of answers; none if no cost is known.
    #[schemars(with = "Option<String>")]
    pub agent_usd: Option<Decimal>,
    /// Answers without a stated cost, which get it from the price list.
    pub assumed: u64,
    /// The known cost of the judge, including anchors.
    #[schemars(with = "String")]
    pub judge_usd: Decimal,
    /// The money spent by the run on both. Answers that existed before cost nothing.
    #[schemars(with = "String")]
    pub total_usd: Decimal,
    /// Answers and judgements with unknown price.
    pub unknown: u64,
    /// The budget.
    #[schemars(with = "Option<String>")]
    pub budget_usd: Option<Decimal>,
    /// The expected cost of the whole run, if the budget stopped it.
    #[schemars(with = "Option<String>")]
    #[serde(skip_serializing_if = "Option::is_none")]
    pub whole_run_usd: Option<Decimal>,
    /// The cost of the seven days up to this run, including it.
    #[schemars(with = "String")]
    pub week_usd: Decimal,
    /// Whether this exceeds the alert threshold.
    pub week_alert: bool,
}

/// The gate: a minimum pass rate.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Gate {
    /// The minimum pass rate.
    pub min_pass_rate: f64,
    /// The run's rate. Undecided questions count as not passed (decision 6).
    pub rate: Option<Proportion>,
    /// Whether the gate passed.
    pub passed: bool,
    /// How the rate was counted, as text.
    pub note: String,
}

#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde passes a reference")]
const fn is_zero(number: &u64) -> bool {
    *number == 0
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Ending {
    /// The time.
    pub ended: Timestamp,
    /// Whether the run was interrupted.
    pub interrupted: bool,
    /// Whether the run stopped because of the budget.
    pub out_of_budget: bool,
    /// Whether it stopped because the agent was unreachable several times in a row.
    #[serde(default)]
    pub agent_away: bool,
    /// The exit code of a spot check, which also covers its pages.
    pub check_exit: Option<u8>,
}

impl Ending {
    /// A run that ended by itself.
    #[must_use]
    pub const fn at(ended: Timestamp) -> Self {
        Self { ended, interrupted: false, out_of_budget: false, agent_away: false, check_exit: None }
    }
}

/// The inputs of a summary beside the questions.
#[derive(Debug)]
pub struct RunContext<'a> {
    /// The settings of the run.
    pub settings: &'a RunSettings,
    /// How it ended.
    pub ending: Ending,
    /// The anchors, if a judge was used.
    pub anchors: Option<AnchorReport>,
    /// The calibration of the judge.
    pub calibration: Option<CalibrationNote>,
    /// The earlier runs.
    pub history: &'a [HistoryLine],
}

impl Score5 {
    /// The mean of scores from 1 to 5 with its 95 % interval by Student's t.
    #[must_use]
    pub fn of(scores: impl Iterator<Item = f64>) -> Option<Self> {
        // the interval formula needs scores from 0 to 1
        let shares: Vec<f64> = scores.map(|score| (score - 1.0) / 4.0).collect();
        let mean = mean(&shares)?;
        let back = |share: f64| ((1.0 + 4.0 * share) * 1e9).round() / 1e9;
        let ends = mean.interval.map(|bounds| (back(bounds.low), back(bounds.high)));
        Some(Self {
            n: mean.n,
            mean: back(mean.mean),
            low: ends.map(|ends| ends.0),
            high: ends.map(|ends| ends.1),
        })
    }
}

impl RunSummary {
    /// The exit code.
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::of(self.exit_code)
    }

    /// The arguments of the command that resumes the run, if it has cases left. A run that its budget stopped needs a
    /// higher one. Cases that a rescored run never asked do not count.
    #[must_use]
    pub fn resume(&self) -> Option<String> {
        let ended: u64 = self.counts.values().sum();
        if ended + self.unasked >= self.planned {
            return None;
        }
        let budget = self.out_of_budget.then(|| match self.cost.whole_run_usd {
            Some(whole) => format!(" --budget-usd {whole}"),
            None => " --budget-usd AMOUNT".to_owned(),
        });
        Some(format!("{} {}{}", self.source.resume(), self.run, budget.unwrap_or_default()))
    }

    /// The run's line in the history.
    #[must_use]
    pub(crate) fn history_line(&self, questions: &[QuestionRecord], settings: &RunSettings) -> HistoryLine {
        let rate = |rate: &Option<Proportion>| rate.map(|rate| rate.rate);
        let scored = || {
            questions.iter().filter_map(|QuestionRecord { question, scored, .. }| {
                Some((question.question_id.to_string(), question.text.clone(), scored.as_ref()?.verdict))
            })
        };
        HistoryLine {
            timestamp: settings.started,
            run: self.run.clone(),
            source: self.source.name().to_owned(),
            suite: settings.source.suite().map(str::to_owned),
            scoring_version: self.scoring_version,
            tool_version: self.tool_version.clone(),
            complete: self.partial.is_none(),
            agent_model: self.agent.clone(),
            judge_model: self.judge.as_ref().map(|judge| judge.model.clone()),
            judge_prompts: self.judge.as_ref().map(|judge| judge.prompts_hash.clone()),
            questions: self.counts.values().sum(),
            counts: self.counts.clone(),
            pass_rate: rate(&self.pass_rate),
            avg_score: self.weighted_score.map(|score| score.mean),
            trajectory_match_rate: self.trajectories.rate,
            duration_s: self.duration_s,
            agent_cost_usd: self.cost.agent_usd,
            known_answers: settings.is_of_known_answers(),
            judge_cost_usd: Some(self.cost.judge_usd),
            categories: self
                .categories
                .iter()
                .filter_map(|group| Some((group.name.clone(), rate(&group.pass_rate)?)))
                .collect(),
            verdicts: scored().map(|(id, _, verdict)| (id, verdict)).collect(),
            asked: scored().map(|(id, text, _)| (id, text)).collect(),
        }
    }
}
