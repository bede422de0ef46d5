//! Answers from a file: one JSON object a line, by question id.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::{Map, Value};

use super::{Agent, AgentError, Asked, Reply, answered};
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::scoring::tools::DataTools;
use crate::selection::at_least_one;
use crate::truth::Pipeline;

/// Recorded answers.
#[derive(Debug, Clone)]
pub struct RecordedAgent {
    path: PathBuf,
    answers: BTreeMap<QuestionId, (usize, Reply)>,
}

/// One recorded answer, as a line of a file holds it.
#[derive(Debug, Clone, PartialEq)]
pub struct RecordedAnswer {
    /// A name of its own.
    pub id: Option<String>,
    /// The question.
    pub question_id: QuestionId,
    /// Where the answer came from: the pipeline that the trace shows, else the one that the line names.
    pub pipeline: Option<Pipeline>,
    /// The answer.
    pub reply: Reply,
    /// Keys that nothing reads.
    pub ignored: Vec<String>,
}

impl RecordedAnswer {
    /// Reads a line: `{"question_id": 61, "answer": "…", "id"?, "pipeline"?, "links"?: […], "trace"?: {…}}`.
    ///
    /// # Errors
    /// The column, from 1, and what is wrong, with the field's name.
    pub fn parse(line: &[u8]) -> std::result::Result<Self, (usize, String)> {
        let mut fields: Map<String, Value> =
            serde_json::from_slice(line).map_err(|error| (error.column(), format!("no answer: {error}")))?;
        Self::of(&mut fields).map_err(|message| (1, message))
    }

    fn of(fields: &mut Map<String, Value>) -> std::result::Result<Self, String> {
        let mut take = |key: &str| fields.remove(key).filter(|value| !value.is_null());
        let text = |key: &str, value: Value| match value {
            Value::String(text) => Ok(text),
            other => Err(format!("`{key}` must be a text, not {other}")),
        };
        let question_id = take("question_id").ok_or("`question_id` is missing")?;
        let question_id = match question_id {
            Value::String(text) => text.trim().parse().map_err(|error| format!("`question_id`: {error}"))?,
            other => read("question_id", other)?,
        };
        let answer = text("answer", take("answer").ok_or("`answer` is missing")?)?;
        let id = take("id").map(|id| if id.is_number() { Ok(id.to_string()) } else { text("id", id) });
        let id = id.transpose()?;
        let pipeline: Option<Pipeline> = take("pipeline").map(|value| read("pipeline", value)).transpose()?;
        let mut reply = Map::from_iter([("answer".to_owned(), Value::String(answer))]);
        for key in ["links", "trace", "request_id", "notes"] {
            if let Some(value) = take(key) {
                // by itself first, so that what is wrong with it is said of it
                let alone =
                    Map::from_iter([("answer".to_owned(), "".into()), (key.to_owned(), value.clone())]);
                read::<Reply>(key, Value::Object(alone))?;
                reply.insert(key.to_owned(), value);
            }
        }
        let reply: Reply = read("answer", Value::Object(reply))?;
        let traced = reply.trace.as_ref().map(|trace| trace.pipeline(&DataTools::default()));
        let pipeline = traced.filter(|traced| *traced != Pipeline::Unknown).or(pipeline);
        Ok(Self { id, question_id, pipeline, reply, ignored: fields.keys().cloned().collect() })
    }
}

fn read<T: serde::de::DeserializeOwned>(field: &str, value: Value) -> std::result::Result<T, String> {
    serde_json::from_value(value).map_err(|error| format!("`{field}`: {error}"))
}

impl RecordedAgent {
    /// Reads a file of answers: `{"question_id": 61, "answer": "…", "links"?: […], "trace"?: {…}}`,
    /// the trace in any format of `docs/traces.md`.
    ///
    /// # Errors
    /// A line that is not understood, an id that stands twice, with file and line.
    pub fn read(path: &Path) -> Result<Self> {
        let text = input::text(path)?;
        let wrong = |line: usize, column: usize, message: String| Error::Syntax {
            path: path.to_owned(),
            line,
            column,
            message,
        };
        let mut answers: BTreeMap<QuestionId, (usize, Reply)> = BTreeMap::new();
        for (line, number) in text.lines().zip(1..).filter(|(line, _)| !line.trim().is_empty()) {
            let read = RecordedAnswer::parse(line.as_bytes())
                .map_err(|(column, message)| wrong(number, column, message))?;
            if let Some((first, _)) = answers.get(&read.question_id) {
                let message = format!("question {} was answered in line {first} already", read.question_id);
                return Err(wrong(number, 1, message));
            }
            answers.insert(read.question_id, (number, read.reply));
        }
        let answers = at_least_one(answers, || format!("{}: there is no answer in it", path.display()))?;
        Ok(Self { path: path.to_owned(), answers })
    }

    /// Checks that every answer is to a question that exists.
    ///
    /// # Errors
    /// The first id that `known` does not know, with file and line.
    pub fn check(&self, known: impl Fn(&QuestionId) -> bool) -> Result<()> {
        let stranger = self.answers.iter().filter(|(id, _)| !known(id)).min_by_key(|(_, (line, _))| *line);
        match stranger {
            None => Ok(()),
            Some((id, (line, _))) => Err(Error::Syntax {
                path: self.path.clone(),
                line: *line,
                column: 1,
                message: format!("question {id} is neither in the manifest nor in the store"),
            }),
        }
    }

    /// The questions that are answered, in order.
    pub fn question_ids(&self) -> impl Iterator<Item = &QuestionId> {
        self.answers.keys()
    }
}

impl Agent for RecordedAgent {
    fn name(&self) -> String {
        format!("answers of {}", self.path.display())
    }

    async fn ask(&self, asked: &Asked) -> Result<Reply, AgentError> {
        match self.answers.get(&asked.question_id) {
            Some((_, reply)) => answered(asked, reply.clone()),
            None => Err(AgentError::NotRecorded(asked.question_id.clone())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<RecordedAgent> {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("answers.jsonl");
        std::fs::write(&path, text).unwrap();
        RecordedAgent::read(&path)
    }

    fn complaint(text: &str) -> String {
        read(text).unwrap_err().to_string()
    }

    #[tokio::test]
    async fn a_trace_may_have_any_format_and_gives_its_links() {
        let line = r#"{"question_id": 61, "answer": "$2,274", "trace": {"messages": [{"role": "assistant", "content": "",
            "tool_calls": [{"name": "atlas_graphql", "args": {}, "id": "1"}]}], "graphql_atlas_links": [{"url": "https://a"}]}}"#;
        let asked = Asked {
            question_id: "61".parse().unwrap(),
            question: "q".into(),
            mode: super::super::Mode::Auto,
        };
        let reply = read(&line.replace('\n', " ")).unwrap().ask(&asked).await.unwrap();
        let trace = reply.trace.unwrap();
        assert_eq!((trace.question_id.as_str(), trace.tool_calls), ("61", vec!["atlas_graphql".to_owned()]));
        assert_eq!(reply.links, ["https://a"]);
    }

    #[test]
    fn what_is_wrong_is_named_with_file_and_line() {
        let good = "{\"question_id\": 61, \"answer\": \"$2,274\"}\n";
        let twice = complaint(&format!("{good}\n{good}"));
        assert!(twice.contains("answers.jsonl:3:1") && twice.contains("line 1 already"), "{twice}");
        let no = complaint(&format!("{good}{{\"question_id\": 62}}\n"));
        assert!(no.contains("answers.jsonl:2:") && no.contains("answer"), "{no}");
        assert!(complaint("\n").contains("no answer"));
        let steps =
            complaint(&format!("{good}{}", r#"{"question_id": 62, "answer": "a", "trace": {"steps": []}}"#));
        assert!(steps.contains("answers.jsonl:2:") && steps.contains("`steps`"), "{steps}");
        let unknown = read(good).unwrap().check(|id| id.as_str() == "7").unwrap_err().to_string();
        assert!(unknown.contains("answers.jsonl:1:1") && unknown.contains("61"), "{unknown}");
        read(good).unwrap().check(|id| id.as_str() == "61").unwrap();
    }
}
