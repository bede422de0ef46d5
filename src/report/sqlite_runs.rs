//! Evaluations as tables for SQL: runs, their answers with the traces, the scores of data points, and spot checks.

use std::path::{Path, PathBuf};

use serde_json::Value;

use super::sqlite::{Cell, Row, WrittenTables};
use crate::error::{Error, Result};
use crate::input;
use crate::sql_row as row;
use crate::truth::time_text;
use crate::words;
use crate::workflow::evaluate::{self, QuestionRecord, RunFolder};

pub(super) const TABLES: &str = "
CREATE TABLE runs (
  run TEXT PRIMARY KEY, started TEXT NOT NULL, agent TEXT NOT NULL, site TEXT NOT NULL, cases TEXT NOT NULL, mode TEXT, judge TEXT,
  selection TEXT, scoring_version TEXT NOT NULL, planned TEXT NOT NULL
);
CREATE TABLE answers (
  run TEXT NOT NULL REFERENCES runs, question_id TEXT NOT NULL, question_text TEXT, category TEXT, asked_at TEXT NOT NULL,
  latency_ms REAL, cost_usd REAL, answer TEXT, error TEXT, verdict TEXT, decided_by TEXT, reason TEXT, score REAL, judge_score REAL,
  pipeline TEXT, PRIMARY KEY (run, question_id)
);
CREATE TABLE scores (
  run TEXT NOT NULL, question_id TEXT NOT NULL, field TEXT NOT NULL, verdict TEXT NOT NULL, value TEXT, reason TEXT NOT NULL
);
CREATE TABLE traces (
  run TEXT NOT NULL, question_id TEXT NOT NULL, tool_calls TEXT NOT NULL, nodes TEXT NOT NULL, sql TEXT, duration_ms REAL,
  cost_usd REAL, error TEXT
);
CREATE TABLE spot_checks (
  timestamp TEXT NOT NULL, agent TEXT NOT NULL, site TEXT NOT NULL, question_id TEXT NOT NULL, field TEXT NOT NULL, truth TEXT,
  page TEXT, agent_value TEXT, cause TEXT, reason TEXT, matches TEXT NOT NULL
);
CREATE INDEX answers_by_question ON answers (question_id, run);
CREATE INDEX scores_by_answer ON scores (run, question_id);
CREATE INDEX traces_by_answer ON traces (run, question_id);
CREATE INDEX spot_checks_by_question ON spot_checks (question_id, timestamp);
";

/// Adds the runs of a folder and the spot checks of another; what is not there adds nothing.
///
/// # Errors
/// A run cannot be read.
pub(super) fn rows(
    runs: &Path,
    spot_checks: &Path,
    all: &mut Vec<Row>,
    written: &mut WrittenTables,
) -> Result<()> {
    let names = if runs.is_dir() { evaluate::list(runs)? } else { Vec::new() };
    for name in names {
        let folder = RunFolder::open(runs, &name)?;
        let settings = folder.settings()?;
        let cells = row![
            name.clone(),
            time_text(settings.started),
            settings.agent_name.clone(),
            words::name(&settings.site),
            if settings.source == evaluate::CaseSource::Manifest { "manifest" } else { "components" },
            words::name(&settings.mode),
            settings.judge.as_ref().map(|judge| judge.model.clone()),
            settings.selection.clone(),
            settings.scoring_version.to_string(),
            settings.planned.len().to_string(),
        ];
        all.push(("runs", cells));
        written.runs += 1;
        for record in folder.questions(&settings.planned)? {
            answer(&name, &record, all);
            written.answers += 1;
        }
    }
    for report in reports(spot_checks)? {
        spot_check(&report, all);
        written.spot_checks += 1;
    }
    Ok(())
}

fn answer(run: &str, record: &QuestionRecord, all: &mut Vec<Row>) {
    let (question, answer) = (&record.question, &record.answer);
    let id = question.question_id.as_str();
    let scored = record.scored.as_ref();
    let real =
        |number: Option<rust_decimal::Decimal>| number.and_then(|number| number.to_string().parse().ok());
    #[expect(clippy::cast_precision_loss, reason = "milliseconds of an answer are far below 2^52")]
    let whole = |number: Option<u64>| Cell::Real(number.map(|number| number as f64));
    let cells = row![
        run,
        id,
        Some(question.text.clone()),
        question.category.clone(),
        time_text(answer.asked_at),
        whole(answer.latency_ms),
        Cell::Real(real(answer.cost_usd)),
        answer.reply.as_ref().map(|reply| reply.answer.clone()),
        answer.error.clone(),
        scored.map(|scored| words::name(&scored.verdict)),
        scored.map(|scored| words::name(&scored.decided_by)),
        scored.map(|scored| scored.reason.clone()),
        Cell::Real(scored.and_then(|scored| scored.score)),
        Cell::Real(scored.and_then(|scored| scored.weighted_score)),
        scored.map(|scored| words::name(&scored.pipeline)),
    ];
    all.push(("answers", cells));
    let points = scored.and_then(|scored| scored.points.as_ref()).map(|score| &score.metadata.points);
    for point in points.into_iter().flatten() {
        let (said, reason) = (format!("{:?}", point.said).to_lowercase(), point.reason.clone());
        all.push(("scores", row![run, id, point.field.clone(), said, point.value.clone(), reason]));
    }
    let Some(trace) = answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()) else { return };
    let cells = row![
        run,
        id,
        trace.tool_calls.join(" "),
        trace.node_sequence.join(" "),
        trace.pipeline_sql.clone(),
        whole(Some(trace.total_duration_ms)),
        Cell::Real(real(trace.cost_usd)),
        trace.error.clone(),
    ];
    all.push(("traces", cells));
}

/// The reports below a folder that can be read, the oldest first.
fn reports(folder: &Path) -> Result<Vec<Value>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = std::fs::read_dir(folder).map_err(Error::file(folder))?;
    let folders = entries.filter_map(|entry| entry.ok().map(|entry| entry.path())).chain([folder.to_owned()]);
    let files = folders.map(|folder| folder.join("spot_check_report.json")).filter(|file| file.is_file());
    let mut files: Vec<PathBuf> = files.collect();
    files.sort();
    let read = |file: &PathBuf| serde_json::from_str::<Value>(&input::text(file).ok()?).ok();
    let mut reports: Vec<Value> = files.iter().filter_map(read).collect();
    reports.sort_by_key(|report| text(report, "timestamp"));
    Ok(reports)
}

fn text(value: &Value, key: &str) -> Option<String> {
    match value.get(key)? {
        Value::Null => None,
        Value::String(text) => Some(text.clone()),
        other => Some(other.to_string()),
    }
}

fn spot_check(report: &Value, all: &mut Vec<Row>) {
    let details = report.get("details").and_then(Value::as_array).into_iter().flatten();
    for question in details {
        for point in question.get("points").and_then(Value::as_array).into_iter().flatten() {
            let of_report = |key| text(report, key).unwrap_or_default();
            let of_point = |key| text(point, key);
            let cells = row![
                of_report("timestamp"),
                of_report("agent"),
                of_report("site"),
                text(question, "question_id").unwrap_or_default(),
                of_point("field").unwrap_or_default(),
                of_point("truth"),
                of_point("page"),
                of_point("agent"),
                of_point("cause"),
                of_point("reason"),
                text(question, "match").unwrap_or_default(),
            ];
            all.push(("spot_checks", cells));
        }
    }
}
