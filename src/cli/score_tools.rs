//! `atlas-gt score tools`: the calls of one trajectory against a case.

use std::path::PathBuf;

use clap::Args;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::score_output::{
    Format, JunitCase, JunitState, junit, line, pretty, print, read_json, read_text, table,
};
use crate::error::{Error, Exit, Result};
use crate::scoring::tools::{
    CheckOutcome, DataTools, ExpectedTool, LinkCheck, MatchReport, MatchSpec, ModeChecks, RouteMode,
    Selection, SelectionConfig, TraceEvent, Trajectory, TrajectoryScore, TrajectoryVerdict, check_link,
    check_trace, judge_trajectory, match_calls, parse_trajectory, tool_selection,
};

/// Arguments of `score tools`
#[derive(Debug, Args)]
pub struct ToolsArgs {
    /// The case, as in a suite: expected_tools, expected_tool_sequence, expected_tool, expected_calls, expected_url
    #[arg(long)]
    case: PathBuf,
    /// The calls: a list of names or of objects with `name` and `arguments`
    #[arg(long)]
    trajectory: PathBuf,
    /// Fail (exit 3) when a part is below this, 0 to 1
    #[arg(long, default_value_t = 1.0)]
    min_score: f64,
    /// How to print
    #[arg(long, value_enum, default_value_t)]
    format: Format,
}

/// A case of a suite, as far as tools are concerned.
#[derive(Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ToolCase {
    name: Option<String>,
    /// Accepted, so that a case of a suite can be used as it stands.
    #[serde(rename = "input")]
    _input: Option<serde::de::IgnoredAny>,
    #[serde(rename = "scorers")]
    _scorers: Option<serde::de::IgnoredAny>,
    #[serde(rename = "expected_output_contains")]
    _expected_output_contains: Option<serde::de::IgnoredAny>,
    min_score: Option<f64>,
    expected_tools: Option<Vec<String>>,
    expected_tool_sequence: Option<Vec<String>>,
    expected_tool: Option<ExpectedTool>,
    expected_calls: Option<MatchSpec>,
    expected_url: Option<String>,
    scorer_config: ToolScorers,
    data_tools: DataTools,
    mode: RouteMode,
}

#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct ToolScorers {
    tool_selection: SelectionConfig,
}

#[derive(Debug, Serialize)]
struct ToolsScore {
    #[serde(skip_serializing_if = "Option::is_none")]
    case: Option<String>,
    passed: bool,
    tool_selection: Selection,
    #[serde(skip_serializing_if = "Option::is_none")]
    trajectory: Option<TrajectoryScore>,
    #[serde(skip_serializing_if = "Option::is_none")]
    tool_calls: Option<MatchReport>,
    #[serde(skip_serializing_if = "Option::is_none")]
    link: Option<LinkCheck>,
    checks: Vec<ModeChecks>,
}

/// A part of the result: name, score, reason.
struct Part {
    name: &'static str,
    score: Option<f64>,
    reason: String,
}

/// Runs the command.
///
/// # Errors
/// Files that cannot be read or are not understood.
pub fn run(args: &ToolsArgs) -> Result<Exit> {
    let text = read_text(&args.case)?;
    let case: ToolCase = serde_saphyr::from_str(&text).map_err(|error| {
        let (line, column) =
            error.location().map_or((0, 0), |place| (place.line() as usize, place.column() as usize));
        let message = error.without_snippet().to_string();
        Error::Syntax { path: args.case.clone(), line, column, message }
    })?;
    let recorded: Value = read_json(&args.trajectory)?;
    let in_file = |message: String| Error::Usage(format!("{}: {message}", args.trajectory.display()));
    let trajectory = parse_trajectory(&recorded).map_err(in_file)?;

    let called: Vec<&str> = trajectory.names().collect();
    let link = match &case.expected_url {
        None => None,
        Some(expected) => Some(given_link(&recorded).map_or_else(
            || {
                let reason = "the trajectory gives no `url`".to_owned();
                Ok(LinkCheck { equal: false, differences: Vec::new(), reason })
            },
            |given| check_link(expected, given).map_err(in_file),
        )?),
    };
    let mut score = ToolsScore {
        tool_selection: tool_selection(
            case.expected_tools.as_deref(),
            case.expected_tool_sequence.as_deref(),
            &called,
            case.scorer_config.tool_selection,
        ),
        trajectory: case
            .expected_tool
            .map(|expected| judge_trajectory(expected, &trajectory, &case.data_tools)),
        tool_calls: case.expected_calls.as_ref().map(|expected| match_calls(expected, &trajectory.calls)),
        link,
        checks: check_trace(case.mode, &events(&recorded, &trajectory), &case.data_tools),
        case: case.name,
        passed: false,
    };
    let parts = parts(&score);
    let bar = case.min_score.unwrap_or(args.min_score);
    let scores: Vec<f64> = parts.iter().filter_map(|part| part.score).collect();
    score.passed = !scores.is_empty() && scores.iter().all(|score| *score >= bar);
    let text = match args.format {
        Format::Json => pretty(&score)?,
        Format::Jsonl => line(&score)?,
        Format::Table => {
            let shown =
                |score: Option<f64>| score.map_or_else(|| "-".to_owned(), |score| format!("{score:.3}"));
            let rows =
                parts.iter().map(|p| vec![p.name.to_owned(), shown(p.score), p.reason.clone()]).collect();
            table(&["part", "score", "why"], rows)
        }
        Format::Junit => {
            let state = |score: Option<f64>| match score {
                None => JunitState::Skipped,
                Some(score) if score >= bar => JunitState::Passed,
                Some(_) => JunitState::Failed,
            };
            let case = |part: Part| JunitCase {
                name: part.name.to_owned(),
                state: state(part.score),
                message: part.reason,
            };
            junit(
                score.case.as_deref().unwrap_or("score tools"),
                &parts.into_iter().map(case).collect::<Vec<_>>(),
            )?
        }
    };
    print(&text)?;
    Ok(if score.passed { Exit::Ok } else { Exit::Differences })
}

fn parts(score: &ToolsScore) -> Vec<Part> {
    let flag = |good: bool| Some(if good { 1.0 } else { 0.0 });
    let selection = &score.tool_selection;
    let mut parts =
        vec![Part { name: "tool_selection", score: selection.score, reason: selection.reason.clone() }];
    parts.extend(score.trajectory.as_ref().map(|judged| Part {
        name: "trajectory",
        score: flag(judged.verdict != TrajectoryVerdict::Fail),
        reason: judged.reason.clone(),
    }));
    parts.extend(score.tool_calls.as_ref().map(|report| Part {
        name: "tool_calls",
        score: Some(report.score),
        reason: report.reason.clone(),
    }));
    parts.extend(score.link.as_ref().map(|link| Part {
        name: "link",
        score: flag(link.equal),
        reason: link.reason.clone(),
    }));
    parts.extend(score.checks.iter().map(|check| Part {
        name: match check.check {
            crate::scoring::tools::TraceCheck::BudgetDegradesToSql => "budget_degrades_to_sql",
            crate::scoring::tools::TraceCheck::BreakerTrips => "breaker_trips",
            crate::scoring::tools::TraceCheck::SqlOnlyNeverCallsGraphql => "sql_only_never_calls_graphql",
        },
        score: match check.outcome {
            CheckOutcome::NotApplicable => None,
            outcome => flag(outcome == CheckOutcome::Pass),
        },
        reason: check.reason.clone(),
    }));
    parts
}

/// The calls as trace events, with the budget and breaker that the record may state beside them.
fn events(recorded: &Value, trajectory: &Trajectory) -> Vec<TraceEvent> {
    let list = recorded.as_array().or_else(|| {
        ["tool_calls", "calls", "trajectory"]
            .iter()
            .find_map(|key| recorded.get(*key))
            .and_then(Value::as_array)
    });
    let raw = list.map_or(&[] as &[Value], Vec::as_slice);
    trajectory
        .calls
        .iter()
        .zip(raw)
        .map(|(call, raw)| TraceEvent {
            tool: call.name.clone(),
            failed: call.failed,
            budget: raw.get("budget").and_then(Value::as_i64),
            breaker_reset: raw.get("breaker_reset").and_then(Value::as_bool).unwrap_or_default(),
        })
        .collect()
}

fn given_link(recorded: &Value) -> Option<&str> {
    recorded.get("url").or_else(|| recorded.get("atlas_url")).and_then(Value::as_str)
}
