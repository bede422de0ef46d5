//! Exports evaluations as SQL tables: runs, answers with traces, scores of data points, and spot
//! checks.

use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use super::sqlite_rows::{Rows, WrittenTables, fields, text, with};
use crate::error::{Error, Result};
use crate::input;
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
  run TEXT, timestamp TEXT NOT NULL, agent TEXT NOT NULL, site TEXT NOT NULL, question_id TEXT NOT NULL, field TEXT NOT NULL, truth TEXT,
  page TEXT, agent_value TEXT, cause TEXT, reason TEXT, matches TEXT NOT NULL
);
CREATE INDEX answers_by_question ON answers (question_id, run);
CREATE INDEX scores_by_answer ON scores (run, question_id);
CREATE INDEX traces_by_answer ON traces (run, question_id);
CREATE INDEX spot_checks_by_question ON spot_checks (question_id, timestamp);
";

/// Adds the runs of one folder and the spot checks of another. A missing folder adds nothing.
///
/// # Errors
/// A run cannot be read.
pub(super) fn rows(
    runs: &Path,
    spot_checks: &Path,
    rows: &mut Rows,
    written: &mut WrittenTables,
) -> Result<()> {
    let names = if runs.is_dir() { evaluate::list(runs)? } else { Vec::new() };
    for run in names {
        let folder = RunFolder::open(runs, &run)?;
        let settings = folder.settings()?;
        let more = json!({
            "run": run,
            "agent": settings.agent_name,
            "cases": settings.source.kind(),
            "judge": settings.judge.as_ref().map(|judge| &judge.model),
            "planned": settings.planned.len(),
        });
        rows.push(("runs", with(fields(&settings), more)));
        written.runs += 1;
        for record in folder.questions(&settings.planned)? {
            answer(&run, &record, rows);
            written.answers += 1;
        }
    }
    for report in reports(spot_checks)? {
        spot_check(&report, rows);
        written.spot_checks += 1;
    }
    Ok(())
}

/// Adds the stored answer to a question, with the scores of its data points and its trace.
fn answer(run: &str, record: &QuestionRecord, rows: &mut Rows) {
    let id = &record.question.question_id;
    let (reply, scored) = (record.answer.reply.as_ref(), record.scored.as_ref());
    let more = json!({
        "run": run,
        "question_id": id,
        "question_text": record.question.text,
        "category": record.question.category,
        "answer": reply.map(|reply| &reply.answer),
        "judge_score": scored.and_then(|scored| scored.weighted_score),
    });
    let own = with(fields(&record.answer), Value::Object(scored.map(fields).unwrap_or_default()));
    rows.push(("answers", with(own, more)));
    let points = scored.and_then(|scored| scored.points.as_ref()).map(|score| &score.metadata.points);
    for point in points.into_iter().flatten() {
        let more = json!({ "run": run, "question_id": id, "verdict": point.said });
        rows.push(("scores", with(fields(point), more)));
    }
    let Some(trace) = reply.and_then(|reply| reply.trace.as_ref()) else { return };
    let more = json!({
        "run": run,
        "question_id": id,
        "tool_calls": trace.tool_calls.join(" "),
        "nodes": trace.node_sequence.join(" "),
        "sql": trace.pipeline_sql,
        // zero is a trace that does not state it
        "duration_ms": Some(trace.total_duration_ms).filter(|ms| *ms > 0),
    });
    rows.push(("traces", with(fields(trace), more)));
}

/// The readable reports below a folder, oldest first.
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
    reports.sort_by_key(|report| text(report.get("timestamp")));
    Ok(reports)
}

fn spot_check(report: &Value, rows: &mut Rows) {
    let list = |of: &Value, key: &str| of.get(key).and_then(Value::as_array).cloned().unwrap_or_default();
    for question in list(report, "details") {
        for point in list(&question, "points") {
            // older versions omit some keys; their columns stay empty
            let of = |of: &Value, key| text(of.get(key)).unwrap_or_default();
            let more = json!({
                "run": of(report, "run"),
                "timestamp": of(report, "timestamp"),
                "agent": of(report, "agent"),
                "site": of(report, "site"),
                "question_id": of(&question, "question_id"),
                "field": of(&point, "field"),
                "agent_value": point.get("agent"),
                "matches": of(&question, "match"),
            });
            rows.push(("spot_checks", with(fields(&point), more)));
        }
    }
}
