//! An agent of recorded answers, each matched to its question.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;
use std::path::{Path, PathBuf};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::Map;

use super::known_questions::{KnownQuestions, question_of};
use super::recorded_file::{
    AnswerDocument, MAX_INVALID, NO_QUESTION, RecordedAnswer, TEXT_KEYS, already_answered, answer_documents,
};
use super::{Agent, AgentError, AgentQuestion, Reply, answered, recorded_file};
use crate::error::{Error, Result};
use crate::manifest::{QuestionId, same_words};
use crate::scoring::json::JsonError;
use crate::words::{count, plural};

/// The prefix of the names of agents with recorded answers.
pub const ANSWERS_OF: &str = "answers of ";

/// Recorded answers.
#[derive(Debug, Clone)]
pub struct RecordedAgent {
    path: PathBuf,
    answers: BTreeMap<QuestionId, RecordedReply>,
    /// Answers that are matched by text: those without an id, with the name of their folder, and those whose id also
    /// occurs in another file.
    others: Vec<(Option<QuestionId>, RecordedReply)>,
    ignored: BTreeSet<String>,
}

/// One recorded answer.
#[derive(Debug, Clone)]
struct RecordedReply {
    /// The file.
    path: PathBuf,
    line: usize,
    /// The question text, if recorded.
    question: Option<String>,
    /// The answer, or why there was none.
    reply: std::result::Result<Reply, String>,
}

impl RecordedReply {
    /// File and line.
    fn place(&self) -> String {
        format!("{}:{}", self.path.display(), self.line)
    }

    /// Whether two answers to a question are the same one: a summary repeats the results beside it.
    fn repeats(&self, other: &Self) -> bool {
        self.path != other.path && [self, other].iter().any(|one| one.path.ends_with("summary.json"))
    }
}

/// The maximum number of skipped answers named in a message. The run stores all of them.
const MAX_NAMED: usize = 5;

/// Recorded answers that are skipped because their questions are unknown.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownAnswers {
    /// The number of recorded answers.
    pub of: usize,
    /// The skipped answers.
    pub answers: Vec<UnknownAnswer>,
}

/// A recorded answer to an unknown question.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct UnknownAnswer {
    /// The question id in the record, else the name of the record's folder; empty without both.
    pub question_id: String,
    /// File and line, and the reason for skipping it.
    pub why: String,
}

impl UnknownAnswers {
    /// Whether no answer was skipped.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.answers.is_empty()
    }

    /// The count, as a phrase.
    #[must_use]
    pub fn words(&self) -> String {
        let belong = if self.answers.len() == 1 {
            "belongs to an unknown question"
        } else {
            "belong to unknown questions"
        };
        format!("{} of {} {belong}", self.answers.len(), count(self.of, "answer"))
    }
}

impl fmt::Display for UnknownAnswers {
    /// Includes the first of them.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:", self.words())?;
        let (named, more) = self.answers.split_at(self.answers.len().min(MAX_NAMED));
        let named: Vec<&str> = named.iter().map(|one| one.why.as_str()).collect();
        write!(f, " {}", named.join("; "))?;
        if more.is_empty() { Ok(()) } else { write!(f, "; and {} more", more.len()) }
    }
}

impl RecordedAgent {
    /// Reads recorded answers. The path is a file of lines `{"question_id": 61, "answer": "…",
    /// "question_text"?: "…", "links"?: […], "trace"?: {…}}`, a list of such objects, a CSV file, a `summary.json`, or a
    /// folder of `{id}/result.json`. Traces may have any format of `docs/reference/traces.md`. For a folder of runs,
    /// reads the last run.
    ///
    /// # Errors
    /// A line is invalid or names no question, or an id is repeated in a file. The error names every such line with its
    /// file.
    pub fn read(path: &Path) -> Result<Self> {
        if path.as_os_str() == "-" {
            let why =
                "a run reads its answers again when it is resumed: save those of standard input in a file";
            return Err(Error::Usage(why.to_owned()));
        }
        let mut answers: BTreeMap<QuestionId, RecordedReply> = BTreeMap::new();
        let (mut others, mut ignored, mut invalid) = (Vec::new(), BTreeSet::new(), Vec::new());
        let files = if path.is_dir() { recorded_file::run_files(path)? } else { vec![path.to_owned()] };
        for file in &files {
            for document in answer_documents(file)? {
                let document = document?;
                let answer = match RecordedAnswer::parse(&document) {
                    Ok(answer) => answer,
                    Err(error) => {
                        invalid.push((file.clone(), error));
                        continue;
                    }
                };
                let line = document.line;
                let mut wrong = |message: String| invalid.push((file.clone(), document.wrong(message)));
                ignored.extend(answer.ignored);
                let question = answer.question;
                let reply = answer.failed.map_or(Ok(answer.reply), Err);
                let kept = RecordedReply { path: file.clone(), line, question, reply };
                let Some(id) = answer.question_id else {
                    let of_folder = recorded_file::folder_id(file);
                    if of_folder.is_none() && kept.question.is_none() {
                        wrong(NO_QUESTION.to_owned());
                    } else {
                        others.push((of_folder, kept));
                    }
                    continue;
                };
                match answers.get(&id) {
                    Some(known) if known.path == *file => wrong(already_answered(&id, known.line)),
                    Some(known) if kept.repeats(known) => {}
                    Some(_) => others.push((Some(id), kept)),
                    None => drop(answers.insert(id, kept)),
                }
            }
        }
        refuse(&invalid)?;
        if answers.is_empty() && others.is_empty() {
            return Err(Error::Nothing(format!("{} has no answer", path.display())));
        }
        Ok(Self { path: path.to_owned(), answers, others, ignored })
    }

    /// Unknown keys of the records.
    #[must_use]
    pub const fn ignored(&self) -> &BTreeSet<String> {
        &self.ignored
    }

    /// Matches answers to questions, as [`question_of`] does. For a result without an id, the name of its folder is the
    /// id. `known` are the questions with their texts.
    ///
    /// Returns the skipped answers, whose questions are unknown.
    ///
    /// # Errors
    /// Every question is unknown. The error names the answers with file and line.
    pub fn fit(&mut self, known: &KnownQuestions) -> Result<UnknownAnswers> {
        let mut unknown = UnknownAnswers::default();
        let mut unmatched = Vec::new();
        let mut fitted: BTreeMap<QuestionId, RecordedReply> = BTreeMap::new();
        let of_id = std::mem::take(&mut self.answers).into_iter().map(|(id, kept)| (Some(id), kept));
        let mut answers: Vec<_> = of_id.chain(std::mem::take(&mut self.others)).collect();
        // a result has more details than the summary that repeats it
        answers.sort_by_key(|(_, kept)| kept.path.ends_with("summary.json"));
        let mut skipped: Vec<(Option<QuestionId>, RecordedReply)> = Vec::new();
        for (id, kept) in answers {
            let message = match question_of(known, id.as_ref(), kept.question.as_deref()) {
                Ok(to) => match fitted.get(&to) {
                    Some(twin) if kept.repeats(twin) => continue,
                    Some(twin) => format!("question {to} is also answered in {}", twin.place()),
                    None => {
                        fitted.insert(to, kept);
                        continue;
                    }
                },
                Err(message) => message,
            };
            let is_same = |(other, own): &(Option<QuestionId>, RecordedReply)| {
                let texts = kept.question.as_deref().zip(own.question.as_deref());
                let same = id.is_some() && id == *other || texts.is_some_and(|(a, b)| same_words(a, b));
                same && kept.repeats(own)
            };
            if skipped.iter().any(is_same) {
                continue;
            }
            unknown.answers.push(UnknownAnswer {
                question_id: id.as_ref().map_or_else(String::new, ToString::to_string),
                why: format!("{}: {message}", kept.place()),
            });
            unmatched.push((kept.path.clone(), JsonError { line: kept.line, column: 1, message }));
            skipped.push((id, kept));
        }
        if fitted.is_empty() {
            refuse(&unmatched)?;
        }
        unknown.of = fitted.len() + unknown.answers.len();
        self.answers = fitted;
        Ok(unknown)
    }

    /// Whether a path is a team's run: results with question ids or texts.
    #[must_use]
    pub fn is_run(path: &Path) -> bool {
        let keys = || TEXT_KEYS.into_iter().chain(["question_id"]);
        let of_question = |text: &[u8]| {
            let fields = serde_json::from_slice::<Map<String, serde_json::Value>>(text);
            fields.is_ok_and(|fields| keys().any(|key| fields.contains_key(key)))
        };
        let is_answer = |document: Result<AnswerDocument>| {
            document.is_ok_and(|document| document.text.is_ok_and(|text| of_question(&text)))
        };
        // standard input can be read only once
        let is_file = path.as_os_str() != "-";
        path.is_dir() || is_file && answer_documents(path).is_ok_and(|mut documents| documents.any(is_answer))
    }

    /// The recorded reply to a question text, or why there is none.
    #[must_use]
    pub(crate) fn reply_to(&self, text: &str) -> Option<&std::result::Result<Reply, String>> {
        let is_it = |kept: &&RecordedReply| kept.question.as_deref().is_some_and(|own| same_words(own, text));
        let others = self.others.iter().map(|(_, kept)| kept);
        self.answers.values().chain(others).find(is_it).map(|kept| &kept.reply)
    }

    /// The answered questions, in order.
    pub fn question_ids(&self) -> impl Iterator<Item = &QuestionId> {
        self.answers.keys()
    }
}

/// Refuses invalid answers. The error names the first, and the others below it.
fn refuse(invalid: &[(PathBuf, JsonError)]) -> Result<()> {
    let Some((path, first)) = invalid.first() else { return Ok(()) };
    let others = invalid.iter().take(MAX_INVALID).skip(1);
    let others = others.map(|(path, error)| format!("{}:{error}", path.display()));
    let more = invalid.len().saturating_sub(MAX_INVALID);
    let more = (more > 0).then(|| format!("and {}", plural(more, "more answer", "more answers")));
    let lines: Vec<String> = std::iter::once(first.message.clone()).chain(others).chain(more).collect();
    Err(Error::syntax(path, (first.line, first.column), lines.join("\n  ")))
}

impl Agent for RecordedAgent {
    fn name(&self) -> String {
        format!("{ANSWERS_OF}{}", self.path.display())
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        match self.answers.get(&asked.question_id) {
            Some(RecordedReply { reply: Ok(reply), .. }) => answered(asked, reply.clone()),
            Some(RecordedReply { reply: Err(why), .. }) => Err(AgentError::Reported(why.clone())),
            None => Err(AgentError::NotRecorded(asked.question_id.clone())),
        }
    }
}

#[cfg(test)]
#[path = "recorded_tests.rs"]
mod tests;
