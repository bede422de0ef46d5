//! Adapters to one component of an agent: a program or an address that takes a case as JSON and answers with the component's output,
//! or answers that were recorded.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;
use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value};
use tokio::time::timeout;
use url::Url;

use super::ask_atlas::{body_of, chain, http_client};
use super::command::{run_program, split_command};
use super::{AgentError, ExecutionTrace, RecordedAgent};
use crate::error::{Error, Result};
use crate::input::{self, json_fault};
use crate::manifest::QuestionId;
use crate::scoring::components::ComponentCase;

/// What an adapter may take.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdapterLimits {
    /// For one case.
    pub timeout: Duration,
    /// Bytes of one answer.
    pub most: u64,
}

/// Answers of a component, by id of their case.
type ComponentAnswers = BTreeMap<String, Result<Map<String, Value>, String>>;

/// A way to ask a component.
#[derive(Debug)]
pub enum Adapter {
    /// A program: the case on its standard input, the answer on its standard output.
    Command(Vec<String>, AdapterLimits),
    /// An address: the case is posted, the answer is the body.
    Http(reqwest::Client, Url, AdapterLimits),
    /// Answers from a file.
    Recorded(ComponentAnswers),
}

/// A line of recorded answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedComponent {
    /// The case.
    id: String,
    /// What the component answered.
    #[serde(default)]
    answer: Option<Map<String, Value>>,
    /// Why it did not.
    #[serde(default)]
    error: Option<String>,
}

impl Adapter {
    /// A program with its arguments.
    ///
    /// # Errors
    /// A command line that names none.
    pub fn command(line: &str, limits: AdapterLimits) -> Result<Self> {
        Ok(Self::Command(split_command("--adapter-command", line)?, limits))
    }

    /// An address.
    ///
    /// # Errors
    /// When it is no http address, or there is no HTTP client.
    pub fn http(address: &str, limits: AdapterLimits) -> Result<Self> {
        let (client, url) = http_client("--adapter", address, limits.timeout)?;
        Ok(Self::Http(client, url, limits))
    }

    /// Answers from a file, as [`answers_of`] reads its text.
    ///
    /// # Errors
    /// The file cannot be read, or as [`answers_of`].
    pub fn recorded(path: &Path, cases: &BTreeSet<&str>) -> Result<Self> {
        let text = input::text(path)?;
        answers_of(path, &text, cases).map(Self::Recorded)
    }

    /// Answers from a team's own runs: what their traces say of the questions that cases ask, by the words of the question.
    ///
    /// # Errors
    /// The runs cannot be read.
    pub fn of_runs(path: &Path, cases: &[ComponentCase]) -> Result<Self> {
        let runs = RecordedAgent::read(path)?;
        let answer = |case: &ComponentCase| {
            let said = match runs.reply_to(&case.question)? {
                Ok(reply) => Ok(reply.trace.as_ref().map(graphql_of).filter(|said| !said.is_empty())?),
                Err(why) => Err(why.clone()),
            };
            Some((case.id.clone(), said))
        };
        Ok(Self::Recorded(cases.iter().filter_map(answer).collect()))
    }

    /// Whether a case can be asked: of recorded answers, whether it is answered.
    #[must_use]
    pub fn answers(&self, id: &str) -> bool {
        !matches!(self, Self::Recorded(answers) if !answers.contains_key(id))
    }

    /// Asks the component about one case.
    ///
    /// # Errors
    /// Any [`AgentError`]; a wrong answer is none.
    pub(crate) async fn ask(
        &self,
        id: &QuestionId,
        request: &Value,
    ) -> Result<Map<String, Value>, AgentError> {
        let body = match self {
            Self::Recorded(answers) => {
                let recorded = answers.get(id.as_str()).cloned();
                let recorded = recorded.ok_or_else(|| AgentError::NotRecorded(id.clone()))?;
                return recorded.map_err(AgentError::Reported);
            }
            Self::Command(command, limits) => {
                run_program(command, limits.timeout, limits.most, request.to_string()).await
            }
            Self::Http(client, url, limits) => {
                timeout(limits.timeout, post(client, url, request, limits.most))
                    .await
                    .unwrap_or(Err(AgentError::Timeout(limits.timeout)))
            }
        };
        serde_json::from_slice(input::unmarked(&body?))
            .map_err(|error| AgentError::Malformed(format!("it is no JSON object: {error}")))
    }
}

/// What a trace says of its GraphQL question, in one object: its classification, the entities that were extracted, the ids that they
/// were resolved to.
fn graphql_of(trace: &ExecutionTrace) -> Map<String, Value> {
    let parts = [&trace.graphql_resolved_params, &trace.graphql_entities, &trace.graphql_classification];
    let parts = parts.into_iter().flatten().filter_map(Value::as_object).flatten();
    parts.filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// The answers in the text of a file, one `{"id", "answer" | "error"}` a line.
///
/// # Errors
/// A line that is not understood, an id that occurs twice or belongs to no case, with file and line.
fn answers_of(path: &Path, text: &str, cases: &BTreeSet<&str>) -> Result<ComponentAnswers> {
    let mut answers = ComponentAnswers::new();
    for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
        let wrong = |column, message| Error::Syntax { path: path.to_owned(), line: number, column, message };
        let read: RecordedComponent = serde_json::from_str(line)
            .map_err(|error| wrong(error.column(), format!("no answer: {}", json_fault(&error))))?;
        if !cases.contains(read.id.as_str()) {
            return Err(wrong(1, format!("no case has the id {:?}", read.id)));
        }
        let answer = match (read.answer, read.error) {
            (Some(answer), None) => Ok(answer),
            (None, Some(error)) => Err(error),
            _ => return Err(wrong(1, "give either `answer` or `error`".to_owned())),
        };
        if answers.insert(read.id.clone(), answer).is_some() {
            return Err(wrong(1, format!("the case {:?} is answered twice", read.id)));
        }
    }
    Ok(answers)
}

async fn post(
    client: &reqwest::Client,
    url: &Url,
    request: &Value,
    most: u64,
) -> Result<Vec<u8>, AgentError> {
    let sent = client.post(url.clone()).json(request).send().await;
    let response = sent.map_err(|error| AgentError::Transport(chain(&error)))?;
    let status = response.status().as_u16();
    let body = body_of(response, most).await?;
    if status == 200 {
        return Ok(body);
    }
    Err(AgentError::Status { status, body: String::from_utf8_lossy(&body).chars().take(200).collect() })
}
