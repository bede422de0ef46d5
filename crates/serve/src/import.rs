//! Imports traces from files: log lines of an agent, exported traces, spans, and answers of evaluation runs.

use std::io::BufRead;

use atlas_gt_core::error::{Error, Result as FileResult};
use atlas_gt_evaluate::agent::ExecutionTrace;
use atlas_gt_evaluate::run::{QuestionRecord, RunFolder};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::database::{Database, DatabaseResult};
use crate::spans;
use crate::trace_row::{TraceRow, uuid_of};
use crate::traces::Traces;

/// Rows per transaction.
const GROUP: usize = 1000;

/// The result of an import.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TraceImport {
    /// Number of new traces.
    pub accepted: u64,
    /// Number of traces that were already stored.
    pub known: u64,
    /// Number of lines without a trace, such as other log lines.
    pub skipped: u64,
    /// Invalid traces, with line and reason.
    pub wrong: Vec<(usize, String)>,
}

/// Imports the lines of a file: traces, lists of traces, span requests, and log lines with a `trace`. Other lines are
/// skipped, because logs have many.
///
/// # Errors
/// The file cannot be read, or the database cannot be written. Rows written before are kept.
pub async fn import_lines(
    database: &Database,
    traces: &Traces,
    lines: &mut dyn BufRead,
    now: Timestamp,
) -> FileResult<std::result::Result<TraceImport, crate::database::DatabaseError>> {
    let mut done = TraceImport::default();
    let mut rows = Vec::new();
    let mut line = String::new();
    for number in 1.. {
        line.clear();
        let read =
            lines.read_line(&mut line).map_err(|error| Error::Usage(format!("line {number}: {error}")))?;
        if read == 0 {
            break;
        }
        let Some(value) = serde_json::from_str::<Value>(line.trim()).ok().and_then(trace_in) else {
            done.skipped += u64::from(!line.trim().is_empty());
            continue;
        };
        let step = async {
            if value.get("resourceSpans").is_some() {
                let received = spans::receive(database, &value, now).await?;
                done.wrong.extend(received.why.map(|why| (number, why)));
                let written = traces.write(&received.rows, true).await?.len() as u64;
                done.accepted += written;
                return Ok(());
            }
            match read_rows(value, now) {
                Ok(found) => rows.extend(found),
                Err(why) => done.wrong.push((number, why)),
            }
            if rows.len() >= GROUP { flush(traces, &mut rows, &mut done).await } else { Ok(()) }
        };
        if let Err(error) = step.await {
            return Ok(Err(error));
        }
    }
    Ok(flush(traces, &mut rows, &mut done).await.map(|()| done))
}

async fn flush(traces: &Traces, rows: &mut Vec<TraceRow>, done: &mut TraceImport) -> DatabaseResult<()> {
    let new = traces.write(rows, false).await?.len() as u64;
    done.accepted += new;
    done.known += rows.len() as u64 - new;
    rows.clear();
    Ok(())
}

/// The trace in a line; `None` for other log lines.
fn trace_in(mut value: Value) -> Option<Value> {
    if let Some(inner) = value.get_mut("trace").filter(|inner| inner.is_object()) {
        return Some(inner.take());
    }
    let is_trace = |value: &Value| value.get("question").is_some() && value.get("thread_id").is_some();
    let is_one = value.get("resourceSpans").is_some() || is_trace(&value);
    (is_one || value.as_array().is_some_and(|list| list.iter().any(is_trace))).then_some(value)
}

fn read_rows(value: Value, now: Timestamp) -> std::result::Result<Vec<TraceRow>, String> {
    let list = match value {
        Value::Array(list) => list,
        one => vec![one],
    };
    let row = |value: Value| {
        serde_json::from_value::<TraceRow>(value).map_err(|error| error.to_string())?.checked(now)
    };
    let mut rows: Vec<TraceRow> = list.into_iter().map(row).collect::<std::result::Result<_, _>>()?;
    rows.dedup_by(|one, other| one.id == other.id);
    Ok(rows)
}

/// Imports the answers of an evaluation run. Importing it again changes nothing.
///
/// # Errors
/// The run cannot be read, or the database cannot be written.
pub async fn import_run(
    traces: &Traces,
    run: &RunFolder,
    now: Timestamp,
) -> FileResult<std::result::Result<TraceImport, crate::database::DatabaseError>> {
    let questions = run.questions(&run.settings()?.planned)?;
    let mut done = TraceImport::default();
    let mut rows = Vec::new();
    for (record, number) in questions.iter().zip(1..) {
        match of_question(run.name(), record).checked(now) {
            Ok(row) => rows.push(row),
            Err(why) => done.wrong.push((number, format!("question {}: {why}", record.question.question_id))),
        }
    }
    Ok(flush(traces, &mut rows, &mut done).await.map(|()| done))
}

fn of_question(run: &str, record: &QuestionRecord) -> TraceRow {
    let answer = &record.answer;
    let thread = format!("eval:{run}");
    let nothing = ExecutionTrace::default();
    let trace = answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()).unwrap_or(&nothing);
    let row = TraceRow::of(trace, thread, record.question.text.clone());
    TraceRow {
        id: uuid_of(&format!("{run}\n{}", record.question.question_id)),
        created_at: Some(answer.asked_at),
        latency_ms: answer.latency_ms.and_then(|ms| i32::try_from(ms).ok()).or(row.latency_ms),
        error: answer.error.clone().or(row.error.clone()),
        cost_usd: answer.cost_usd.and_then(|cost| cost.to_string().parse().ok()),
        ..row
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::database::tests::in_folder;

    #[tokio::test]
    async fn a_log_is_read_for_its_traces_and_twice_is_once() {
        let folder = tempfile::tempdir().unwrap();
        let database = in_folder(folder.path()).await;
        let traces = Traces::new(database.clone()).await.unwrap();
        let id = "00000000-0000-4000-8000-000000000001";
        let log = format!(
            "{{\"level\":\"INFO\",\"message\":\"started\"}}\nplain text\n\
             {{\"level\":\"INFO\",\"trace\":{{\"id\":\"{id}\",\"thread_id\":\"t\",\"question\":\"q\"}}}}\n\
             [{{\"id\":\"{}\",\"thread_id\":\"t\",\"question\":\"q\"}}]\n{{\"thread_id\":\"t\",\"question\":\" \"}}\n",
            id.replace("01", "02")
        );
        let now = Timestamp::now();
        for (accepted, known) in [(2, 0), (0, 2)] {
            let done = import_lines(&database, &traces, &mut log.as_bytes(), now).await.unwrap().unwrap();
            assert_eq!((done.accepted, done.known, done.skipped), (accepted, known, 2));
            assert_eq!(done.wrong.len(), 1);
            assert!(done.wrong[0].0 == 5 && done.wrong[0].1.contains("`question`"), "{:?}", done.wrong);
        }
    }
}
