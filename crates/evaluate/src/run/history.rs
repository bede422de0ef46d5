//! `runs/history.jsonl`: one line per run, never rewritten (evaluation strategy, section 8, "Trend
//! Reporting"). A resumed run adds a line, and its last line counts. Lines of other tools are read
//! as far as their keys are known.

use std::collections::BTreeMap;
use std::path::Path;

use jiff::Timestamp;
use rust_decimal::Decimal;
use schemars::JsonSchema;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value as Json};

use super::settings::CaseKind;
use crate::agent::ANSWERS_OF;
use crate::atomic_file::append_line;
use crate::error::Result;
use crate::input::json_fault;
use crate::manifest::same_question;
use crate::scoring::cost::{WeeklySpend, weekly_spend};
use crate::scoring::{CaseVerdict, VerdictCounts};
use crate::truth::files::{line, optional, whole_seconds};
use atlas_gt_core::clock::read_moment;

/// A run in the history.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
pub struct HistoryLine {
    /// The start time, in whole seconds.
    #[serde(serialize_with = "whole_seconds", deserialize_with = "moment")]
    #[schemars(with = "String")]
    pub timestamp: Timestamp,
    /// Its name.
    #[serde(default, alias = "run_id", alias = "run_name")]
    pub run: String,
    /// The kind of its cases: `manifest`, `components`, `suite` or `spot_check`.
    #[serde(default = "manifest")]
    pub source: String,
    /// The suite's name, for cases of a suite.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<String>,
    /// The scoring version; 0 if the line has none.
    #[serde(default)]
    pub scoring_version: u32,
    /// Version of the program.
    #[serde(default)]
    pub tool_version: String,
    /// Whether every planned question finished.
    #[serde(default)]
    pub complete: bool,
    /// The agent.
    #[serde(default, alias = "agent", alias = "model")]
    pub agent_model: String,
    /// The judge; none if there was none.
    #[serde(default, alias = "judge")]
    pub judge_model: Option<String>,
    /// The hash of the judge's prompts.
    #[serde(default)]
    pub judge_prompts: Option<String>,
    /// The number of finished questions.
    #[serde(default, alias = "questions_run", alias = "total_questions")]
    pub questions: u64,
    /// Questions by verdict.
    #[serde(default)]
    pub counts: VerdictCounts,
    /// The pass rate among decided and unanswered questions.
    #[serde(default, deserialize_with = "rate")]
    pub pass_rate: Option<f64>,
    /// The judge's mean weighted score, 1 to 5.
    #[serde(default, alias = "average_score", alias = "avg_weighted_score")]
    pub avg_score: Option<f64>,
    /// The share of right or acceptable routes.
    #[serde(default)]
    pub trajectory_match_rate: Option<f64>,
    /// The duration in seconds.
    #[serde(default, alias = "duration_seconds", alias = "total_duration_s")]
    pub duration_s: f64,
    /// The cost of the answers in US dollars; none if unknown.
    #[serde(default, alias = "total_cost_usd", alias = "cost_usd")]
    #[schemars(with = "Option<String>")]
    pub agent_cost_usd: Option<Decimal>,
    /// Whether the answers existed before the run, which then spent nothing on them.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub known_answers: bool,
    /// The cost of the judge.
    #[serde(default)]
    #[schemars(with = "Option<String>")]
    pub judge_cost_usd: Option<Decimal>,
    /// Pass rates of the categories.
    #[serde(default, alias = "category_pass_rates")]
    pub categories: BTreeMap<String, f64>,
    /// Verdicts by question.
    #[serde(default)]
    pub verdicts: BTreeMap<String, CaseVerdict>,
    /// Question texts; empty in lines of older versions.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub asked: BTreeMap<String, String>,
}

/// A time, including the form with two zones that some tools write.
fn moment<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Timestamp, D::Error> {
    let text = String::deserialize(deserializer)?;
    read_moment(&text).ok_or_else(|| D::Error::custom(format!("{text:?} is no moment")))
}

/// A share. A value above 1 is a percentage.
fn rate<'de, D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Option<f64>, D::Error> {
    let rate = Option::<f64>::deserialize(deserializer)?;
    Ok(rate.map(|rate| if rate > 1.0 { rate / 100.0 } else { rate }))
}

fn manifest() -> String {
    CaseKind::Manifest.name().to_owned()
}

impl HistoryLine {
    /// The kind of its cases, if known.
    #[must_use]
    pub fn kind(&self) -> Option<CaseKind> {
        self.source.parse().ok()
    }

    /// The cost of answers and judge; none if both are unknown.
    #[must_use]
    pub fn cost(&self) -> Option<Decimal> {
        let judge = self.judge_cost_usd.filter(|judge| !judge.is_zero());
        self.agent_cost_usd
            .or(judge)
            .map(|_| self.agent_cost_usd.unwrap_or_default() + judge.unwrap_or_default())
    }

    /// The known spending of the run.
    #[must_use]
    pub fn spent(&self) -> Decimal {
        let agent = self.agent_cost_usd.filter(|_| !self.known_answers);
        agent.unwrap_or_default() + self.judge_cost_usd.unwrap_or_default()
    }

    /// Whether a number belongs to a question with this text; none if the line does not tell.
    #[must_use]
    pub fn asks(&self, id: &str, text: &str) -> Option<bool> {
        self.asked.get(id).map(|own| same_question(own, text))
    }

    /// The agent, for comparisons. Recorded answers are one agent, whatever their file is called.
    #[must_use]
    pub(crate) fn agent(&self) -> &str {
        if self.agent_model.starts_with(ANSWERS_OF) { ANSWERS_OF } else { &self.agent_model }
    }

    /// Whether another tool with its own judge and scoring wrote the line.
    #[must_use]
    pub(crate) const fn is_foreign(&self) -> bool {
        self.scoring_version == 0
    }
}

/// An unreadable line.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BadLine {
    /// Its number, from 1.
    pub line: usize,
    /// The problem.
    pub message: String,
}

/// The runs in order of their start, each with its last line, and the unreadable lines.
///
/// # Errors
/// The file exists but cannot be read.
pub fn read(path: &Path) -> Result<(Vec<HistoryLine>, Vec<BadLine>)> {
    let mut runs: Vec<HistoryLine> = Vec::new();
    let mut bad = Vec::new();
    for (text, number) in optional(path)?.unwrap_or_default().lines().zip(1..) {
        if text.trim().is_empty() {
            continue;
        }
        match line_of(text) {
            Ok(line) => {
                runs.retain(|known| known.run.is_empty() || known.run != line.run);
                runs.push(line);
            }
            Err(error) => bad.push(BadLine { line: number, message: json_fault(&error) }),
        }
    }
    runs.sort_by_key(|run| run.timestamp);
    Ok((runs, bad))
}

/// Parses a line. Of another tool's line only keys with the same meaning are read, and only scalars
/// if its lists and objects differ.
fn line_of(text: &str) -> serde_json::Result<HistoryLine> {
    let mut all: Map<String, Json> = serde_json::from_str(text)?;
    all.retain(|_, value| !value.is_null());
    let read = HistoryLine::deserialize(Json::Object(all.clone()));
    if read.is_ok() || all.contains_key("scoring_version") {
        return read;
    }
    all.retain(|_, value| !value.is_object() && !value.is_array());
    HistoryLine::deserialize(Json::Object(all))
}

/// Adds a line, unless it equals the run's last line.
///
/// # Errors
/// The file cannot be read or written.
pub fn append(path: &Path, run: &HistoryLine) -> Result<()> {
    if read(path)?.0.iter().any(|known| known == run) {
        return Ok(());
    }
    append_line(path, &line(path, run)?)
}

/// The known cost of runs in the seven days up to a time.
#[must_use]
pub(crate) fn week_spend(runs: &[HistoryLine], until: Timestamp) -> WeeklySpend {
    weekly_spend(runs.iter().map(|run| (run.timestamp, run.spent())), until)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line(run: &str, at: &str, dollars: i64) -> HistoryLine {
        let text = format!("{{\"timestamp\": \"{at}\", \"run\": \"{run}\", \"agent_cost_usd\": {dollars}}}");
        serde_json::from_str(&text).unwrap()
    }

    #[test]
    fn evaluation_strategy_8_one_line_a_run_and_the_last_one_counts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("history.jsonl");
        // a line of an older tool, and one that a crash left
        std::fs::write(&path, "{\"timestamp\": \"2026-02-26T10:00:00+00:00Z\", \"avg_score\": 2.4, \"pass_rate\": 20, \"questions_run\": 5, \"agent_model\": \"gpt-5.2\"}\n{\"times").unwrap();
        let first = line("a", "2026-11-20T10:00:00Z", 1);
        let again = HistoryLine { complete: true, ..first.clone() };
        for one in [&first, &again, &again] {
            append(&path, one).unwrap();
        }
        let (runs, bad) = read(&path).unwrap();
        assert_eq!((runs.len(), bad.len(), bad[0].line), (2, 1, 2));
        assert_eq!((runs[0].avg_score, runs[0].pass_rate, runs[0].questions), (Some(2.4), Some(0.2), 5));
        assert_eq!((runs[0].is_foreign(), &runs[1]), (true, &again));
        assert_eq!(std::fs::read_to_string(&path).unwrap().lines().count(), 4);
    }

    #[test]
    fn evaluation_strategy_11_spend_of_a_week() {
        let runs = [
            line("a", "2026-11-10T10:00:00Z", 90),
            line("b", "2026-11-15T10:00:00Z", 60),
            line("c", "2026-11-20T10:00:00Z", 41),
        ];
        let week = |at: usize| week_spend(&runs, runs[at].timestamp);
        assert_eq!((week(2).dollars, week(2).alert), (Decimal::from(101), true));
        assert_eq!((week(1).dollars, week(0).alert), (Decimal::from(150), false));
    }
}
