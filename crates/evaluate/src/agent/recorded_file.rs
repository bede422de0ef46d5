//! Files of recorded answers: one JSON object per line, a JSON list, a CSV file, or a team's own run with
//! `{id}/result.json` files, a `summary.json`, or both.

use std::collections::BTreeMap;
use std::io::{BufRead, Cursor, Read};
use std::path::{Path, PathBuf};

use serde::de::IgnoredAny;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::{AgentError, ExecutionTrace, Reply, trace};
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::scoring::json::{JsonError, parse};
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
    /// Parses a document: `{"question_id": 61, "answer": "…", "question_text"?, "id"?, "pipeline"?, "links"?: […],
    /// "trace"?: {…}}`. `question` is another name of `question_text`. A line with an `error` needs no `answer`.
    ///
    /// # Errors
    /// The problem with its field, and its place in the file.
    pub fn parse(document: &AnswerDocument) -> std::result::Result<Self, JsonError> {
        let wrong = |message: String| JsonError { line: 1, column: 1, message };
        let read = |bytes: &Vec<u8>| -> std::result::Result<Self, JsonError> {
            let text = std::str::from_utf8(bytes).map_err(|error| {
                JsonError::at(bytes, error.valid_up_to(), "invalid UTF-8: save the file as UTF-8")
            })?;
            let fields: Map<String, Value> = serde_json::from_str(text).map_err(|error| {
                let error = JsonError::of(&error);
                JsonError { message: format!("not an answer: {}", error.message), ..error }
            })?;
            // a key that occurs twice is ambiguous
            parse(bytes)?;
            Self::of(fields).map_err(wrong)
        };
        let answer = document.text.as_ref().map_err(|why| wrong(why.clone())).and_then(read);
        answer.map_err(|error| document.placed(error))
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
    fn of(mut fields: Map<String, Value>) -> std::result::Result<Self, String> {
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

/// The maximum number of invalid answers in a message or a report.
pub const MAX_INVALID: usize = 20;

/// The error for an answer without a question.
pub const NO_QUESTION: &str = "`question_id` is missing: write it, or the text of the question in `question`";

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
fn answer_rows<'p>(
    path: &'p Path,
    source: impl BufRead + 'p,
) -> Result<impl Iterator<Item = Result<AnswerDocument>>> {
    let answer = |row: Result<CsvRow>| -> Result<AnswerDocument> {
        let (line, fields) = row?;
        let text = fields.and_then(|mut fields| {
            // only in a team's own run are the other keys a trace
            fields.retain(|name, _| !trace::MARKS.contains(&name.as_str()));
            serde_json::to_vec(&fields).map_err(|error| error.to_string())
        });
        Ok(AnswerDocument { line, column: 1, text })
    };
    Ok(csv_rows(path, source, &["question_id", "answer"])?.map(answer))
}

/// A recorded answer with the place where it begins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct AnswerDocument {
    /// Its line, from 1.
    pub line: usize,
    /// Its column in characters, from 1.
    pub column: usize,
    /// Its JSON, or the reason why it has none.
    pub text: std::result::Result<Vec<u8>, String>,
}

impl AnswerDocument {
    /// A problem with the whole answer.
    #[must_use]
    pub const fn wrong(&self, message: String) -> JsonError {
        JsonError { line: self.line, column: self.column, message }
    }

    /// An error in the answer, at its place in the file.
    fn placed(&self, error: JsonError) -> JsonError {
        let column = if error.line == 1 { self.column + error.column - 1 } else { error.column };
        JsonError { line: self.line + error.line - 1, column, ..error }
    }
}

/// The recorded answers in a file: one per line, the elements of a list, the `results` of a summary, a single result,
/// or the rows of a CSV file. Lines and rows are read one at a time. A broken document over several lines is one
/// document without JSON.
///
/// # Errors
/// The file cannot be read, the header row of a CSV file lacks a field, or a key of a summary occurs twice.
pub fn answer_documents(path: &Path) -> Result<Box<dyn Iterator<Item = Result<AnswerDocument>> + '_>> {
    let is_json = path.extension().is_some_and(|end| end == "json" || end == "jsonl");
    let mut source = input::reader(path)?;
    let path = input::shown(path);
    if !is_json && is_csv(source.fill_buf().map_err(Error::file(path))?) {
        return Ok(Box::new(answer_rows(path, source)?));
    }
    // up to the first line that is not blank
    let mut begin = Vec::new();
    while begin.trim_ascii().is_empty() {
        if source.read_until(b'\n', &mut begin).map_err(Error::file(path))? == 0 {
            break;
        }
    }
    if !is_answer(&begin) {
        let is_begun = is_begun(&begin);
        source.read_to_end(&mut begin).map_err(Error::file(path))?;
        if let Some(answers) = answers_in(path, &begin)? {
            return Ok(Box::new(answers.into_iter().map(Ok)));
        }
        if is_begun && let Some(broken) = broken(&begin) {
            return Ok(Box::new(std::iter::once(Ok(broken))));
        }
    }
    let document = |line: Result<(usize, Vec<u8>)>| -> Result<AnswerDocument> {
        let (line, text) = line?;
        Ok(AnswerDocument { line, column: 1, text: Ok(text) })
    };
    Ok(Box::new(input::lines_of(path, Cursor::new(begin).chain(source)).map(document)))
}

/// Whether a text is one answer, and no summary of several.
fn is_answer(text: &[u8]) -> bool {
    let is_one = |fields: Map<String, Value>| {
        fields.contains_key("question_id") || !fields.get("results").is_some_and(Value::is_array)
    };
    serde_json::from_slice(text).is_ok_and(is_one)
}

/// Whether a first line begins a document over several lines: a list, or a value that goes on after the line.
fn is_begun(line: &[u8]) -> bool {
    let line = line.trim_ascii();
    let is_cut = || serde_json::from_slice::<IgnoredAny>(line).is_err_and(|error| error.is_eof());
    line.starts_with(b"[") || !line.is_empty() && is_cut()
}

/// Why a file is not one JSON document, at the place of the fault; none if it is.
fn broken(bytes: &[u8]) -> Option<AnswerDocument> {
    let fault = match std::str::from_utf8(bytes) {
        Err(error) => JsonError::at(bytes, error.valid_up_to(), "invalid UTF-8: save the file as UTF-8"),
        Ok(text) => {
            let error = JsonError::of(&serde_json::from_str::<&RawValue>(text).err()?);
            JsonError { message: format!("not valid JSON: {}", error.message), ..error }
        }
    };
    Some(AnswerDocument { line: fault.line, column: fault.column, text: Err(fault.message) })
}

/// The answers of a file that is one JSON document, with their places; none if it is not.
fn answers_in(path: &Path, bytes: &[u8]) -> Result<Option<Vec<AnswerDocument>>> {
    let Ok(text) = std::str::from_utf8(bytes) else { return Ok(None) };
    let Ok(whole) = serde_json::from_str::<&RawValue>(text) else { return Ok(None) };
    let mut answers = vec![whole];
    if let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(text) {
        answers = list;
    } else if let Ok(fields) = serde_json::from_str::<BTreeMap<String, &RawValue>>(text)
        && !fields.contains_key("question_id")
        && let Some(results) = fields.get("results")
        && let Ok(list) = serde_json::from_str::<Vec<&RawValue>>(results.get())
    {
        // a key that occurs twice is ambiguous
        parse(bytes).map_err(|error| Error::syntax(path, (error.line, error.column), error.message))?;
        answers = list;
    }
    let (mut line, mut column, mut at) = (1, 1, 0);
    let placed = |answer: &RawValue| {
        let start = answer.get().as_ptr().addr() - text.as_ptr().addr();
        let before = text.get(at..start).unwrap_or_default();
        at = start;
        match before.rsplit_once('\n') {
            Some((_, last)) => {
                line += before.matches('\n').count();
                column = 1 + last.chars().count();
            }
            None => column += before.chars().count(),
        }
        AnswerDocument { line, column, text: Ok(answer.get().as_bytes().to_vec()) }
    };
    Ok(Some(answers.into_iter().map(placed).collect()))
}
