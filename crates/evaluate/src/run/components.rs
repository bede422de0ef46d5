//! Components as cases of a run: an adapter is asked every case, and a scorer compares the answers
//! with the expectations.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use serde_json::Value;

use super::question::Case;
use super::record::QuestionRecord;
use crate::agent::{Adapter, Agent, AgentError, AgentQuestion, Reply};
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::scoring::components::{
    self, AnsweredCase, CaseProblem, Component, ComponentReport, FieldDetails, read_cases, report,
};
use crate::scoring::json;
use crate::selection::at_least_one;

/// An adapter as an agent. Cases are asked by id.
#[derive(Debug)]
pub struct ComponentAgent {
    name: String,
    adapter: Adapter,
    requests: BTreeMap<QuestionId, Value>,
}

impl ComponentAgent {
    /// An agent for an adapter and its cases, with a name for reports.
    ///
    /// # Errors
    /// A case id is not a valid file name.
    pub fn new(name: String, adapter: Adapter, cases: &[components::ComponentCase]) -> Result<Self> {
        let requests = cases.iter().map(|case| Ok((id(case)?, case.request()))).collect::<Result<_>>()?;
        Ok(Self { name, adapter, requests })
    }
}

impl Agent for ComponentAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn ask(&self, asked: &AgentQuestion) -> std::result::Result<Reply, AgentError> {
        let id = &asked.question_id;
        let request = self.requests.get(id).ok_or_else(|| AgentError::NotRecorded(id.clone()))?;
        let answer = self.adapter.ask(id, request).await?;
        Ok(Reply { answer: Value::Object(answer).to_string(), ..Reply::default() })
    }
}

fn id(case: &components::ComponentCase) -> Result<QuestionId> {
    case.id.parse().map_err(|error| Error::Usage(format!("case {}: {error}", case.id)))
}

/// The cases of components, in the form of a run.
///
/// # Errors
/// A case id is not a valid file name.
pub fn component_cases(cases: &[components::ComponentCase]) -> Result<Vec<Case>> {
    let one = |case: &components::ComponentCase| {
        Ok(Case::of_checks(id(case)?, Some(case.component.name().to_owned()), case.scored()))
    };
    cases.iter().map(one).collect()
}

/// The results of a run by component; empty for a run of other cases.
pub(super) fn reports(questions: &[QuestionRecord]) -> Vec<ComponentReport> {
    let of = |component: Component| {
        let own = questions.iter().filter_map(|one| {
            let (case, scored) = (one.checks.as_deref()?, one.scored.as_ref()?);
            let name = &case.scorers.first()?.name;
            let details = scored.scorers.first().and_then(|outcome| {
                serde_json::from_value::<FieldDetails>(Value::Object(outcome.score.metadata.clone())).ok()
            });
            (name == component.name()).then_some((case, details.ok_or(scored.reason.as_str())))
        });
        let own: Vec<_> = own.collect();
        let answered =
            own.iter().map(|(case, found)| AnsweredCase { case, found: found.as_ref().map_err(|why| *why) });
        (!own.is_empty()).then(|| report(component, &answered.collect::<Vec<_>>()))
    };
    Component::ALL.iter().copied().filter_map(of).collect()
}

/// Validated cases, by component.
pub type ComponentCases = Vec<(Component, Vec<components::ComponentCase>)>;

/// The cases in a file or folder, or the built-in ones. Each file has a list of cases, or of
/// questions with component expectations; their keys tell the component. With `only`, cases of
/// other components are left out.
///
/// # Errors
/// The invalid cases of a file, each with its line; or there is no case.
pub fn component_case_list(only: Option<Component>, cases: Option<&Path>) -> Result<ComponentCases> {
    let components = || Component::ALL.iter().copied().filter(|one| only.is_none_or(|only| only == *one));
    let Some(path) = cases else {
        let built_in = |component: Component| {
            let path = Path::new("manifests/components").join(component.file());
            let text = component.built_in();
            let cases = read_cases(component, &entries(&path, text)?);
            Ok((component, cases.map_err(|problems| bad_cases(&path, text, &problems))?))
        };
        return components().map(built_in).collect();
    };
    let mut found: ComponentCases = components().map(|component| (component, Vec::new())).collect();
    let mut counts: BTreeMap<Component, usize> = BTreeMap::new();
    let files = if path.is_dir() { json_files(path)? } else { vec![path.to_owned()] };
    for file in &files {
        let text = input::text(file)?;
        let entries = entries(file, &text)?;
        let mut problems = Vec::new();
        for (component, cases) in &mut found {
            let is_own = |entry: &&Value| Component::of_case(entry) == Some(*component);
            let own: Vec<Value> = entries.iter().filter(is_own).cloned().collect();
            if !own.is_empty() {
                match read_cases(*component, &own) {
                    Ok(own) => cases.extend(own),
                    Err(wrong) => problems.extend(wrong),
                }
            }
        }
        if !problems.is_empty() {
            return Err(bad_cases(file, &text, &problems));
        }
        for component in entries.iter().filter_map(Component::of_case) {
            *counts.entry(component).or_default() += 1;
        }
    }
    found.retain(|(_, cases)| !cases.is_empty());
    at_least_one(found, || {
        let path = path.display();
        let each: Vec<String> =
            counts.iter().map(|(component, count)| format!("{count} of {}", component.name())).collect();
        match only {
            Some(only) if !each.is_empty() => {
                format!("{path} has no case of {}, but {}", only.name(), each.join(", "))
            }
            _ => format!("{path} has no case"),
        }
    })
}

pub(super) fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(Error::named(folder))?;
    let mut files: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    files.retain(|path| path.is_file() && path.extension().is_some_and(|ending| ending == "json"));
    files.sort();
    Ok(files)
}

/// The entries in a file: a list, a list inside an object, or one per line.
fn entries(path: &Path, text: &str) -> Result<Vec<Value>> {
    if let Ok(Value::Object(object)) = serde_json::from_str(text) {
        return Ok(object.into_iter().find_map(|(_, value)| listed(value)).unwrap_or_default());
    }
    let lines: Option<Vec<Value>> = text
        .lines()
        .filter(|line| !line.trim().is_empty())
        .map(|line| serde_json::from_str(line).ok().filter(Value::is_object))
        .collect();
    let read = || {
        json::read(text.as_bytes())
            .map_err(|error| Error::syntax(path, (error.line, error.column), error.message))
    };
    lines.filter(|lines| !lines.is_empty()).map_or_else(read, Ok)
}

/// A list of objects.
fn listed(value: Value) -> Option<Vec<Value>> {
    let Value::Array(list) = value else { return None };
    (list.iter().all(Value::is_object) && list.iter().any(|entry| Component::of_case(entry).is_some()))
        .then_some(list)
}

/// The error of a file with invalid cases, in the order of their lines.
fn bad_cases(path: &Path, text: &str, problems: &[CaseProblem]) -> Error {
    let line = |problem: &CaseProblem| {
        // the id of the case, not one that it expects; of an id that occurs twice, the last
        let is_id = |line: &str| {
            let (_, behind) = line.split_once("\"id\"")?;
            let value = behind.trim_start_matches([' ', ':', '"']);
            let rest = value.strip_prefix(problem.case.as_str())?;
            rest.starts_with(['"', ',', ' ', '}']).then_some(())
        };
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().rposition(|line| is_id(line).is_some()).map_or(0, |at| at + 1)
    };
    let mut problems: Vec<(usize, &CaseProblem)> =
        problems.iter().map(|problem| (line(problem), problem)).collect();
    // those without a known line come last
    problems.sort_by_key(|(line, _)| (*line == 0, *line));
    let first = problems.first().map_or(0, |(line, _)| *line);
    let each = problems.iter().enumerate().map(|(at, (line, problem))| {
        let place = if at == 0 || *line == 0 { String::new() } else { format!("line {line}: ") };
        format!("{place}case {}: {}", problem.case, problem.message)
    });
    Error::syntax(path, (first, 0), each.collect::<Vec<_>>().join("\n  "))
}
