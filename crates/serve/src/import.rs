//! Imports traces from files: log lines of an agent, exported traces, spans, and answers of evaluation runs.

use std::io::BufRead;

use atlas_gt_core::error::{Error, Result as FileResult};
use atlas_gt_evaluate::agent::ExecutionTrace;
use atlas_gt_evaluate::run::{QuestionRecord, RunFolder, trace_id};
use jiff::Timestamp;
use serde::Serialize;
use serde_json::Value;

use crate::database::{Database, DatabaseResult};
use crate::spans::{self, ParsedSpans};
use crate::trace_row::{TraceRow, uuid};
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
    /// Invalid traces.
    pub wrong: Vec<WrongTrace>,
}

/// An invalid trace.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct WrongTrace {
    /// The line of the file, or the number of the answer in the run.
    pub line: usize,
    /// The reason.
    pub reason: String,
}

/// What one line of a file, or one question of a run, holds.
enum Found {
    Rows(Vec<TraceRow>),
    /// Spans, with the line of their request.
    Spans(usize, ParsedSpans),
    /// An invalid trace, with its line and the reason.
    Wrong(usize, String),
    /// Something else, such as another log line.
    Other,
}

/// Traces to import. They are read up to the first valid one, so that the database is opened only if there is one.
pub struct TraceSource<'a> {
    first: Option<Found>,
    rest: Box<dyn Iterator<Item = FileResult<Found>> + 'a>,
    /// What holds traces, for the error about a source without any.
    pub expected: &'static str,
    done: TraceImport,
}

impl<'a> TraceSource<'a> {
    /// The lines of a file: traces, lists of traces, span requests, and log lines with a `trace`. Other lines are
    /// skipped, because logs have many.
    ///
    /// # Errors
    /// The file cannot be read.
    pub fn of_lines(lines: impl BufRead + 'a, now: Timestamp) -> FileResult<Self> {
        let found = lines.lines().zip(1..).filter_map(move |(line, number)| match line {
            Ok(line) if line.trim().is_empty() => None,
            Ok(line) => Some(Ok(found_in(&line, number, now))),
            Err(error) => Some(Err(Error::Usage(format!("line {number}: {error}")))),
        });
        let expected = "a trace (an object with `question` and `thread_id`), a list of traces, an OTLP request \
            (`resourceSpans`) or a log entry with a `trace` on a line";
        Self::up_to_first(Box::new(found), expected)
    }

    /// The answers of an evaluation run. Importing them again changes nothing.
    ///
    /// # Errors
    /// The run cannot be read.
    pub fn of_run(run: &RunFolder, now: Timestamp) -> FileResult<Self> {
        let questions = run.questions(&run.settings()?.planned)?;
        let name = run.name().to_owned();
        let found = questions.into_iter().zip(1..).map(move |(record, number)| {
            Ok(match of_question(&name, &record).checked(now) {
                Ok(row) => Found::Rows(vec![row]),
                Err(why) => Found::Wrong(number, format!("question {}: {why}", record.question.question_id)),
            })
        });
        Self::up_to_first(Box::new(found), "a run with answers")
    }

    fn up_to_first(
        rest: Box<dyn Iterator<Item = FileResult<Found>> + 'a>,
        expected: &'static str,
    ) -> FileResult<Self> {
        let mut source = Self { first: None, rest, expected, done: TraceImport::default() };
        source.first = source.next()?;
        Ok(source)
    }

    /// The next valid traces or spans. The rest is counted.
    fn next(&mut self) -> FileResult<Option<Found>> {
        for found in self.rest.by_ref() {
            match found? {
                Found::Other => self.done.skipped += 1,
                Found::Wrong(line, reason) => self.done.wrong.push(WrongTrace { line, reason }),
                found => return Ok(Some(found)),
            }
        }
        Ok(None)
    }

    /// The result without an import; `None` if there is a trace to import.
    #[must_use]
    pub fn without_trace(&self) -> Option<TraceImport> {
        self.first.is_none().then(|| self.done.clone())
    }

    /// Imports the traces.
    ///
    /// # Errors
    /// The rest cannot be read, or the database cannot be written. Rows written before are kept.
    pub async fn import(
        mut self,
        database: &Database,
        traces: &Traces,
        now: Timestamp,
    ) -> FileResult<DatabaseResult<TraceImport>> {
        let mut rows = Vec::new();
        let mut next = self.first.take();
        while let Some(found) = next {
            let stored = match found {
                Found::Rows(more) => {
                    rows.extend(more);
                    if rows.len() >= GROUP { flush(traces, &mut rows, &mut self.done).await } else { Ok(()) }
                }
                Found::Spans(line, spans) => {
                    receive(database, traces, (line, spans), now, &mut self.done).await
                }
                Found::Wrong(..) | Found::Other => Ok(()),
            };
            if let Err(error) = stored {
                return Ok(Err(error));
            }
            next = self.next()?;
        }
        Ok(flush(traces, &mut rows, &mut self.done).await.map(|()| self.done))
    }
}

async fn receive(
    database: &Database,
    traces: &Traces,
    (line, spans): (usize, ParsedSpans),
    now: Timestamp,
    done: &mut TraceImport,
) -> DatabaseResult<()> {
    let received = spans::receive(database, spans, now).await?;
    done.wrong.extend(received.why.map(|reason| WrongTrace { line, reason }));
    let new = traces.write(&received.rows, true).await?.len() as u64;
    done.accepted += new;
    done.known += received.rows.len() as u64 - new;
    Ok(())
}

async fn flush(traces: &Traces, rows: &mut Vec<TraceRow>, done: &mut TraceImport) -> DatabaseResult<()> {
    let new = traces.write(rows, false).await?.len() as u64;
    done.accepted += new;
    done.known += rows.len() as u64 - new;
    rows.clear();
    Ok(())
}

/// What a line holds. A request without a usable span counts as invalid.
fn found_in(line: &str, number: usize, now: Timestamp) -> Found {
    let Some(value) = serde_json::from_str::<Value>(line.trim()).ok().and_then(trace_in) else {
        return Found::Other;
    };
    if value.get("resourceSpans").is_none() {
        return read_rows(value, now).map_or_else(|why| Found::Wrong(number, why), Found::Rows);
    }
    let spans = spans::parse(&value);
    match spans.is_empty() {
        true => {
            Found::Wrong(number, spans.received.why.unwrap_or_else(|| "the request has no span".to_owned()))
        }
        false => Found::Spans(number, spans),
    }
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
    let mut rows: Vec<TraceRow> =
        list.into_iter().map(|value| TraceRow::read(value, now)).collect::<std::result::Result<_, _>>()?;
    rows.dedup_by(|one, other| one.id == other.id);
    Ok(rows)
}

fn of_question(run: &str, record: &QuestionRecord) -> TraceRow {
    let answer = &record.answer;
    let thread = format!("eval:{run}");
    let nothing = ExecutionTrace::default();
    let trace = answer.reply.as_ref().and_then(|reply| reply.trace.as_ref()).unwrap_or(&nothing);
    let row = TraceRow::of(trace, thread, record.question.text.clone());
    TraceRow {
        id: uuid(&trace_id(run, &record.question.question_id)),
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
        let attributes = r#"[{"key":"question","value":{"stringValue":"q"}},{"key":"thread_id","value":{"stringValue":"t"}}]"#;
        let span = format!(
            r#"{{"traceId":"000000000000400080000000000000aa","spanId":"00000000000000aa","name":"ask","startTimeUnixNano":"1764000000000000000","endTimeUnixNano":"1764000001000000000","attributes":{attributes}}}"#
        );
        let spans = format!("{{\"resourceSpans\":[{{\"scopeSpans\":[{{\"spans\":[{span}]}}]}}]}}\n");
        let log = log + &spans;
        let now = Timestamp::now();
        for (accepted, known) in [(3, 0), (0, 3)] {
            let source = TraceSource::of_lines(log.as_bytes(), now).unwrap();
            assert!(source.without_trace().is_none());
            let done = source.import(&database, &traces, now).await.unwrap().unwrap();
            assert_eq!((done.accepted, done.known, done.skipped), (accepted, known, 2));
            assert_eq!(done.wrong.len(), 1);
            assert!(
                done.wrong[0].line == 5 && done.wrong[0].reason.contains("`question`"),
                "{:?}",
                done.wrong
            );
        }
    }
}
