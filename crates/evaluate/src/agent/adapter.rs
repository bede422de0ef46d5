//! Adapters for one component of an agent: a program or a URL that takes a case as JSON and returns
//! the component's output, or recorded answers.

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
use crate::input;
use crate::manifest::QuestionId;
use crate::scoring::components::ComponentCase;

/// The limits of an adapter.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct AdapterLimits {
    /// The time limit per case.
    pub timeout: Duration,
    /// The maximum size of an answer, in bytes.
    pub most: u64,
}

/// Answers of a component, by case id.
type ComponentAnswers = BTreeMap<String, Result<Map<String, Value>, String>>;

/// How to ask a component.
#[derive(Debug)]
pub enum Adapter {
    /// A program: reads the case from standard input, writes the answer to standard output.
    Command(Vec<String>, AdapterLimits),
    /// A URL: takes the case as a POST, returns the answer as the body.
    Http(reqwest::Client, Url, AdapterLimits),
    /// Recorded answers.
    Recorded(ComponentAnswers),
}

/// A line of recorded answers.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RecordedComponent {
    /// The case id.
    id: String,
    /// The component's answer.
    answer: Option<Map<String, Value>>,
    /// Why there is no answer.
    error: Option<String>,
}

impl Adapter {
    /// An adapter for a program with arguments.
    ///
    /// # Errors
    /// The command line is empty.
    pub fn command(line: &str, limits: AdapterLimits) -> Result<Self> {
        Ok(Self::Command(split_command("--adapter-command", line)?, limits))
    }

    /// An adapter for a URL.
    ///
    /// # Errors
    /// The address is not an http address, or no HTTP client can be created.
    pub fn http(address: &str, limits: AdapterLimits) -> Result<Self> {
        let (client, url) = http_client("--adapter", address, limits.timeout)?;
        Ok(Self::Http(client, url, limits))
    }

    /// Recorded answers from a file, parsed by [`answers_of`].
    ///
    /// # Errors
    /// The file cannot be read, or an error of [`answers_of`].
    pub fn recorded(path: &Path, cases: &BTreeSet<&str>) -> Result<Self> {
        let text = input::text(path)?;
        answers_of(path, &text, cases).map(Self::Recorded)
    }

    /// Answers from a team's own runs. Traces are matched to cases by the question text.
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

    /// Whether a case can be asked. For recorded answers, whether it has one.
    #[must_use]
    pub fn answers(&self, id: &str) -> bool {
        !matches!(self, Self::Recorded(answers) if !answers.contains_key(id))
    }

    /// Asks the component about one case.
    ///
    /// # Errors
    /// Any [`AgentError`]. A wrong answer is not an error.
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
            .map_err(|error| AgentError::Malformed(format!("it is not a JSON object: {error}")))
    }
}

/// The GraphQL steps of a trace as one object: classification, extracted entities, and their
/// resolved ids.
fn graphql_of(trace: &ExecutionTrace) -> Map<String, Value> {
    let parts = [&trace.graphql_resolved_params, &trace.graphql_entities, &trace.graphql_classification];
    let parts = parts.into_iter().flatten().filter_map(Value::as_object).flatten();
    parts.filter(|(_, value)| !value.is_null()).map(|(key, value)| (key.clone(), value.clone())).collect()
}

/// Parses recorded answers, one `{"id", "answer" | "error"}` per line.
///
/// # Errors
/// A line is invalid, or an id is repeated or belongs to no case. The error names file and line.
fn answers_of(path: &Path, text: &str, cases: &BTreeSet<&str>) -> Result<ComponentAnswers> {
    let mut answers = ComponentAnswers::new();
    for line in input::lines(text) {
        let wrong = |message| Error::syntax(path, (line.0, 1), message);
        let read: RecordedComponent = input::json_line(path, line, "an answer")?;
        if !cases.contains(read.id.as_str()) {
            return Err(wrong(format!("no case has the id {:?}", read.id)));
        }
        let answer = match (read.answer, read.error) {
            (Some(answer), None) => Ok(answer),
            (None, Some(error)) => Err(error),
            _ => return Err(wrong("give either `answer` or `error`".to_owned())),
        };
        if answers.insert(read.id.clone(), answer).is_some() {
            return Err(wrong(format!("the case {:?} is answered twice", read.id)));
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
