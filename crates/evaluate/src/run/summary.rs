//! A run in numbers, `summary.json`: rates with intervals, scores, groups, routes, latency, cost, and the targets that they are held
//! against.

use std::collections::BTreeMap;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::calibrate::CalibrationNote;
use super::history::HistoryLine;
use super::record::QuestionRecord;
use super::settings::{Coverage, JudgeChoice, RunSettings, Unreadable};
use super::verdict::Decider;
use crate::agent::UnknownAnswers;
use crate::error::Exit;
use crate::scoring::VerdictCounts;
use crate::scoring::components::ComponentReport;
use crate::scoring::stats::{MeanEstimate, Percentiles, Proportion, TargetOutcome, mean};
use crate::scoring::tools::MatchRate;
use crate::truth::{Pipeline, Site};

/// A run in numbers; `summary.json`.
#[derive(Debug, Clone, Default, PartialEq, Serialize, JsonSchema)]
pub struct RunSummary {
    /// The run.
    pub run: String,
    /// When it began.
    pub started: String,
    /// When it ended; that of the last answer where it was killed.
    pub ended: String,
    /// Seconds from start to end.
    pub duration_s: f64,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
    /// Whether the budget stopped it.
    pub out_of_budget: bool,
    /// Whether it stopped because the agent could not be reached several times in a row.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub agent_away: bool,
    /// Version of the program that ran it.
    pub tool_version: String,
    /// Version of the scoring.
    pub scoring_version: u32,
    /// Why it is not complete; nothing when it is.
    pub partial: Option<String>,
    /// The agent.
    pub agent: String,
    /// The site that it was asked about.
    pub site: Site,
    /// The judge.
    pub judge: Option<JudgeChoice>,
    /// What is known of the judge's worth; an uncalibrated judge fails no gate.
    pub calibration: Option<CalibrationNote>,
    /// How the questions were chosen.
    pub selection: String,
    /// The seed of a draw.
    pub seed: Option<u64>,
    /// The run whose answers were scored again.
    pub rescore_of: Option<String>,
    /// Questions that were to be asked.
    pub planned: u64,
    /// Questions that ended, by verdict.
    pub counts: VerdictCounts,
    /// Passed, of those that something decided and those without an answer (decisions 6 and 17).
    pub pass_rate: Option<Proportion>,
    /// Passed, of all that ended: what nothing decided counts as not passed.
    pub pass_rate_of_all: Option<Proportion>,
    /// The judge's weighted score, 1 to 5, over the answers that it scored.
    pub weighted_score: Option<Score5>,
    /// Mean share of right data points, over the answers that rules could score.
    pub right_share: Option<MeanEstimate>,
    /// The judge's dimensions, 1 to 5.
    pub dimensions: BTreeMap<String, Score5>,
    /// By category.
    pub categories: Vec<QuestionGroup>,
    /// By difficulty.
    pub difficulties: Vec<QuestionGroup>,
    /// By kind of query.
    pub query_types: Vec<QuestionGroup>,
    /// By tag and by persona; a question may be of several.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub cohorts: Vec<QuestionGroup>,
    /// Links to the expected pages, by what they are judged by: present, page kind, entity, parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub links: Vec<QuestionGroup>,
    /// By where the truth comes from.
    pub source_methods: Vec<QuestionGroup>,
    /// Who decided how many.
    pub decided_by: BTreeMap<Decider, u64>,
    /// What is wrong, by kind, with the questions.
    pub findings: BTreeMap<String, Vec<String>>,
    /// Wrong answers that were true before.
    pub outdated: Vec<String>,
    /// Questions whose repeats straddle the threshold.
    pub unstable: Vec<String>,
    /// Questions that the judge was needed for and failed at, with the reason.
    pub judge_failures: BTreeMap<String, String>,
    /// Where the judge disagrees with the rules; the rules' verdict counts.
    pub disagreements: BTreeMap<String, String>,
    /// Whether the judge itself has drifted.
    pub anchors: Option<AnchorReport>,
    /// Routes: pass and acceptable, strict beside it (decision 8).
    pub trajectories: MatchRate,
    /// Right or acceptable routes with their interval.
    pub trajectory_rate: Option<Proportion>,
    /// How alike the called tools are to the expected ones.
    pub tool_selection: Option<MeanEstimate>,
    /// How often each tool was called.
    pub tools: BTreeMap<String, u64>,
    /// Keys of traces that no reader knows.
    pub unknown_trace_keys: Vec<String>,
    /// From question to answer, in milliseconds.
    pub latency_ms: Option<Percentiles>,
    /// From question to answer by the pipeline that gave the answer alone, or by `mixed` and `none`, in milliseconds.
    pub pipeline_latency_ms: BTreeMap<Pipeline, Percentiles>,
    /// Of the nodes of the agent, in milliseconds.
    pub node_latency_ms: BTreeMap<String, Percentiles>,
    /// What it cost.
    pub cost: RunCost,
    /// The documents' targets.
    pub targets: Vec<RunTarget>,
    /// The number to beat.
    pub baseline: Baseline,
    /// What the manifest covers.
    pub coverage: Coverage,
    /// Questions whose truth cannot be read.
    pub unreadable: Vec<Unreadable>,
    /// Recorded answers that were left out.
    #[serde(skip_serializing_if = "UnknownAnswers::is_empty")]
    pub unknown_answers: UnknownAnswers,
    /// Questions of the manifest that were left out because nothing says what is right.
    pub without_truth: u64,
    /// Results by component, for a run of component cases.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<ComponentReport>,
    /// The gate, where one was set.
    pub gate: Option<Gate>,
    /// The exit code that this run leads to.
    pub exit_code: u8,
    /// What that code means here.
    pub exit_reason: String,
}

/// A target and what the run says about it.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct RunTarget {
    /// What is measured: `pass_rate`, `avg_weighted_score`, `trajectory_match_rate`, …
    pub name: &'static str,
    /// What the documents ask for, in words: `≥ 60 %`.
    pub target: String,
    /// The same as a number, in the unit of `value`.
    pub limit: f64,
    /// What `limit`, `value`, `low` and `high` count.
    pub unit: TargetUnit,
    /// What the run has; nothing without data.
    pub value: Option<f64>,
    /// Over how many.
    pub n: u64,
    /// Lower end of the 95 % interval.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
    /// What follows.
    pub state: TargetOutcome,
}

/// What a target counts.
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
    /// Those that the judge left unscored.
    pub unscored: u64,
    /// Share of the labels that it agrees with.
    pub agreement: Option<f64>,
    /// Cohen's kappa against the labels.
    pub kappa: Option<f64>,
    /// The earlier run of the same judge and prompts that it is compared with; nothing where there is none.
    pub compared_with: Option<String>,
    /// Mean of this run's points less that run's, of 5.
    pub difference: Option<f64>,
    /// Mean distance of the points, of 5.
    pub distance: Option<f64>,
    /// Whether the judge drifted: the distance is above 0.3 points.
    pub drifted: Option<bool>,
    /// Answers whose verdict changed.
    pub changed: Vec<String>,
    /// Where the change of the agent's mean score comes from: `agent`, `judge` or `both`; nothing where one of the runs has none.
    pub score_change_from: Option<String>,
    /// What judging them cost in US dollars.
    #[schemars(with = "Option<String>")]
    pub cost_usd: Option<Decimal>,
}

/// A mean on the judge's scale, 1 to 5.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Score5 {
    /// How many answers.
    pub n: u64,
    /// Their mean.
    pub mean: f64,
    /// Lower end of the 95 % interval; nothing for a single answer.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// The questions that share something.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct QuestionGroup {
    /// What they share; `none` where the manifest does not say.
    pub name: String,
    /// How many, by verdict.
    pub counts: VerdictCounts,
    /// Passed, of those that something decided and those without an answer.
    pub pass_rate: Option<Proportion>,
    /// The judge's weighted score.
    pub weighted_score: Option<Score5>,
}

/// What a run cost, in US dollars.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct RunCost {
    /// The answers, as far as it is known; nothing where no answer's cost is known.
    #[schemars(with = "Option<String>")]
    pub agent_usd: Option<Decimal>,
    /// Answers that do not state their cost: the price list does.
    pub assumed: u64,
    /// The judge, as far as it is known, anchors included.
    #[schemars(with = "String")]
    pub judge_usd: Decimal,
    /// What the run spent on both: nothing on answers that were there before.
    #[schemars(with = "String")]
    pub total_usd: Decimal,
    /// Answers and judgements of unknown price.
    pub unknown: u64,
    /// What it might have cost.
    #[schemars(with = "Option<String>")]
    pub budget_usd: Option<Decimal>,
    /// The seven days up to this run, this run included.
    #[schemars(with = "String")]
    pub week_usd: Decimal,
    /// Whether that is above the alert.
    pub week_alert: bool,
}

/// The number to beat (evaluation strategy, section 8).
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Baseline {
    /// When it was measured.
    pub date: &'static str,
    /// Mean weighted score, 1 to 5.
    pub avg_score: f64,
    /// Share that passed.
    pub pass_rate: f64,
    /// Over how many questions.
    pub questions: u64,
}

/// The baseline of 2026-02-26.
pub(crate) const BASELINE: Baseline =
    Baseline { date: "2026-02-26", avg_score: 2.4, pass_rate: 0.2, questions: 5 };

impl Default for Baseline {
    fn default() -> Self {
        BASELINE
    }
}

/// A pass rate that a run has to reach.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct Gate {
    /// The least pass rate.
    pub min_pass_rate: f64,
    /// What it is held against: what nothing decided counts as not passed (decision 6).
    pub rate: Option<Proportion>,
    /// Whether it is reached.
    pub passed: bool,
    /// How it was counted, in words.
    pub note: String,
}

/// How a run ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
pub struct Ending {
    /// When.
    pub ended: Timestamp,
    /// Whether it was stopped from outside.
    pub interrupted: bool,
    /// Whether the budget stopped it.
    pub out_of_budget: bool,
    /// Whether it stopped because the agent could not be reached several times in a row.
    #[serde(default)]
    pub agent_away: bool,
}

/// What a summary needs beside the questions.
#[derive(Debug)]
pub struct RunContext<'a> {
    /// What the run is.
    pub settings: &'a RunSettings,
    /// How it ended.
    pub ending: Ending,
    /// Anchors, where a judge was asked.
    pub anchors: Option<AnchorReport>,
    /// What is known of the judge's worth.
    pub calibration: Option<CalibrationNote>,
    /// The runs before.
    pub history: &'a [HistoryLine],
}

impl Score5 {
    /// The mean of scores from 1 to 5 with its 95 % interval by Student's t.
    #[must_use]
    pub fn of(scores: impl Iterator<Item = f64>) -> Option<Self> {
        // the interval is made for scores from 0 to 1
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
    /// The exit code that this run leads to.
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::ALL.iter().copied().find(|exit| *exit as u8 == self.exit_code).unwrap_or(Exit::Unexpected)
    }

    /// The run as its line of the history.
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
            source: settings.source.name().to_owned(),
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
