//! Files of recorded answers: one JSON object per line, a CSV file, or a team's own run with `{id}/result.json` files,
//! a `summary.json`, or both.

use std::io::BufRead;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{AgentError, ExecutionTrace, Reply, trace};
use crate::error::{Error, Result};
use crate::input::{self, json_fault, json_place};
use crate::manifest::QuestionId;
use crate::scoring::json::parse;
use crate::scoring::tools::DataTools;
use crate::truth::Pipeline;
use atlas_gt_core::csv_rows::{CsvRow, csv_rows, is_csv};

/// The keys of a question's text.
pub(super) const TEXT_KEYS: [&str; 2] = ["question_text", "question"];

/// A recorded answer, as on a line of a file.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAnswer {
    /// Its own id.
    pub id: Option<String>,
    /// The question; none if the line does not name its id.
    pub question_id: Option<QuestionId>,
    /// The pipeline according to the trace, or else to the line.
    pub pipeline: Option<Pipeline>,
    /// The question text, if the line has it.
    pub question: Option<String>,
    /// The answer; without text if the agent failed.
    pub reply: Reply,
    /// Why the agent failed, if it did.
    pub failed: Option<String>,
    /// Unknown keys.
    pub ignored: Vec<String>,
}

impl RecordedAnswer {
    /// Parses a line: `{"question_id": 61, "answer": "…", "question_text"?, "id"?, "pipeline"?, "links"?: […],
    /// "trace"?: {…}}`. `question` is another name of `question_text`. A line with an `error` needs no `answer`.
    ///
    /// # Errors
    /// The column, from 1, and the problem with its field.
    pub fn parse(line: &[u8]) -> std::result::Result<Self, (usize, String)> {
        let fields: Map<String, Value> = serde_json::from_slice(line)
            .map_err(|error| (json_place(&error).column, format!("not an answer: {}", json_fault(&error))))?;
        // a key that occurs twice is ambiguous
        parse(line).map_err(|error| (error.column, error.message))?;
        Self::of(Value::Object(fields)).map_err(|message| (1, message))
    }

    /// The text of the answer.
    ///
    /// # Errors
    /// The agent failed, or the text is empty.
    pub fn text(&self) -> std::result::Result<&str, AgentError> {
        match &self.failed {
            Some(why) => Err(AgentError::Reported(why.clone())),
            None => self.reply.text(),
        }
    }

    /// Converts a record of a file or a run.
    pub(super) fn of(record: Value) -> std::result::Result<Self, String> {
        let Value::Object(mut fields) = record else { return Err(format!("not an answer: {record}")) };
        let failed = failure(&mut fields);
        let is_result = !fields.contains_key("trace") && trace::is_result(&fields);
        let of_run = is_result.then(|| Value::Object(fields.clone()));
        let mut take = |key: &str| fields.remove(key).filter(|value| !value.is_null());
        let text = |key: &str, value: Value| match value {
            Value::String(text) => Ok(text),
            other => Err(format!("`{key}` must be a string, not {other}")),
        };
        let question_id: Option<QuestionId> = match take("question_id") {
            Some(Value::String(text)) => {
                Some(text.trim().parse().map_err(|error| format!("`question_id`: {error}"))?)
            }
            Some(other) => Some(read("question_id", other)?),
            None => None,
        };
        let answer = take("answer").ok_or("`answer` is missing")?;
        let answer = if is_result { trace::message_text(Some(&answer)) } else { text("answer", answer)? };
        let question = TEXT_KEYS.into_iter().find_map(|key| Some(take(key)?.as_str()?.to_owned()));
        let id = take("id").map(|id| if id.is_number() { Ok(id.to_string()) } else { text("id", id) });
        let id = id.transpose()?;
        let pipeline: Option<Pipeline> = take("pipeline").map(|value| read("pipeline", value)).transpose()?;
        let mut reply = Map::from_iter([("answer".to_owned(), Value::String(answer))]);
        // the other keys of a team's own result are its trace
        if let Some(record) = of_run {
            read::<ExecutionTrace>("result", record.clone())?;
            reply.insert("trace".to_owned(), record);
            fields.clear();
        }
        let mut take = |key: &str| fields.remove(key).filter(|value| !value.is_null());
        for key in ["links", "trace", "request_id", "notes"] {
            if let Some(value) = take(key) {
                // parse each part alone first, so that an error names it
                let alone =
                    Map::from_iter([("answer".to_owned(), "".into()), (key.to_owned(), value.clone())]);
                read::<Reply>(key, Value::Object(alone))?;
                reply.insert(key.to_owned(), value);
            }
        }
        let reply: Reply = read("answer", Value::Object(reply))?;
        let traced = reply.trace.as_ref().map(|trace| trace.pipeline(&DataTools::default()));
        let pipeline = traced.filter(|traced| *traced != Pipeline::Unknown).or(pipeline);
        let ignored = fields.keys().cloned().collect();
        Ok(Self { id, question_id, pipeline, question, reply, failed, ignored })
    }
}

/// The error for a second answer to a question. The first is on `line`.
#[must_use]
pub fn already_answered(id: &QuestionId, line: usize) -> String {
    format!("question {id} was already answered in line {line}")
}

fn read<T: serde::de::DeserializeOwned>(field: &str, value: Value) -> std::result::Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("`{field}`: {error}"))
}

/// What tables hold for no error.
const NO_ERROR: [&str; 10] = ["", "none", "null", "nan", "n/a", "na", "false", "no", "0", "-"];

/// Why the agent failed, if the record states it. Its answer is then empty.
fn failure(fields: &mut Map<String, Value>) -> Option<String> {
    let says = |text: &&str| !NO_ERROR.contains(&text.trim().to_lowercase().as_str());
    let text = |key: &str| fields.get(key)?.as_str().filter(says).map(str::to_owned);
    let message = || fields.get("error")?.get("message")?.as_str().map(str::to_owned);
    let failed = text("error").or_else(message).or_else(|| text("status").filter(|status| status == "error"));
    let is_result = trace::is_result(fields);
    let is_silent = trace::message_text(fields.get("answer")).trim().is_empty() && is_result;
    // a line with an error has failed, even if it has an answer; a team's own result may name an error that it
    // recovered from
    let failed = failed.filter(|_| is_silent || !is_result);
    if !is_result {
        // what is not understood stays, and is named
        let has_message = |value: &Value| value.get("message").is_some_and(Value::is_string);
        let is_read = |value: &Value| value.is_null() || value.is_string() || has_message(value);
        fields.retain(|key, value| !(matches!(key.as_str(), "error" | "status") && is_read(value)));
    }
    if is_silent || failed.is_some() {
        // a failed line needs no answer
        fields.insert("answer".to_owned(), "".into());
    }
    failed
}

/// The files of a run: `{id}/result.json` and `summary.json`. For a folder of runs, those of the
/// last run.
pub(crate) fn run_files(dir: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(dir).map_err(Error::named(dir))?;
    let mut folders: Vec<PathBuf> =
        entries.filter_map(|entry| Some(entry.ok()?.path())).filter(|path| path.is_dir()).collect();
    folders.sort();
    let mut files: Vec<PathBuf> = folders.iter().map(|folder| folder.join("result.json")).collect();
    files.extend(["result.json", "summary.json"].map(|name| dir.join(name)));
    // this program's runs may be beside a team's; their summaries have no answers
    files.retain(|file| file.is_file() && holds_answers(file));
    if files.is_empty() {
        for folder in folders.iter().rev() {
            files = run_files(folder)?;
            if !files.is_empty() {
                break;
            }
        }
    }
    Ok(files)
}

/// The id in the path of a `{id}/result.json`.
pub(super) fn folder_id(path: &Path) -> Option<QuestionId> {
    let folder = path.parent().filter(|_| path.ends_with("result.json"))?;
    folder.file_name()?.to_str()?.parse().ok()
}

/// Whether a file is a result, or a summary with results. A broken file counts, so that its error is reported.
fn holds_answers(path: &Path) -> bool {
    let is_of_question = |json: &Map<String, Value>| {
        json.contains_key("question_id")
            || path.ends_with("result.json")
                && TEXT_KEYS.iter().chain(&["answer", "error"]).any(|key| json.contains_key(*key))
    };
    // the result of a question counts even if it has no answer: what failed must not be left out of a gate
    let is_numbered = folder_id(path).is_some_and(|id| id.as_str().bytes().all(|byte| byte.is_ascii_digit()));
    if is_numbered {
        return true;
    }
    let json =
        input::bytes(path).ok().and_then(|bytes| serde_json::from_slice::<Map<String, Value>>(&bytes).ok());
    json.is_none_or(|json| is_of_question(&json) || json.get("results").is_some_and(Value::is_array))
}

/// The rows of a CSV file of answers.
///
/// # Errors
/// The file cannot be read, or its header row lacks `question_id` or `answer`.
pub fn answer_rows<'p>(
    path: &'p Path,
    source: impl BufRead + 'p,
) -> Result<impl Iterator<Item = Result<CsvRow>>> {
    let answer = |row: Result<CsvRow>| -> Result<CsvRow> {
        let (line, mut fields) = row?;
        if let Ok(fields) = &mut fields {
            // only in a team's own run are the other keys a trace
            fields.retain(|name, _| !trace::MARKS.contains(&name.as_str()));
        }
        Ok((line, fields))
    };
    Ok(csv_rows(path, source, &["question_id", "answer"])?.map(answer))
}

/// The records in a file with line numbers: a result, the `results` of a summary, a list, one per line, or the rows of
/// a CSV file.
pub(super) fn records(path: &Path) -> Result<Vec<(usize, Value)>> {
    let text = input::text(path)?;
    let is_json = path.extension().is_some_and(|end| end == "json" || end == "jsonl");
    if !is_json && is_csv(text.as_bytes()) {
        let record = |row: Result<CsvRow>| {
            let (line, fields) = row?;
            let fields = fields.map_err(|why| Error::syntax(path, (line, 1), why))?;
            Ok((line, Value::Object(fields)))
        };
        return answer_rows(path, text.as_bytes())?.map(record).collect();
    }
    // a key that occurs twice is ambiguous
    let strict = |before: usize, text: &str| match parse(text.as_bytes()) {
        Ok(_) => Ok(()),
        Err(error) => Err(Error::syntax(path, (before + error.line, error.column), error.message)),
    };
    let whole = serde_json::from_str::<Value>(&text);
    if whole.is_ok() {
        strict(0, &text)?;
    }
    match whole {
        Ok(Value::Object(mut object)) => {
            if !object.contains_key("question_id")
                && let Some(Value::Array(results)) = object.remove("results")
            {
                return Ok(results.into_iter().map(|result| (1, result)).collect());
            }
            return Ok(vec![(1, Value::Object(object))]);
        }
        Ok(Value::Array(results)) => return Ok(results.into_iter().map(|result| (1, result)).collect()),
        Ok(result) => return Ok(vec![(1, result)]),
        Err(_) => {}
    }
    let record = |line: (usize, &str)| {
        let record = input::json_line(path, line, "an answer")?;
        strict(line.0 - 1, line.1)?;
        Ok((line.0, record))
    };
    input::lines(&text).map(record).collect()
}
