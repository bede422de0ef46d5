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
    self, AnsweredCase, CaseProblem, Component, ComponentReport, FieldDetails, check_case, read_cases, report,
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
            let (name, _) = case.scorers.first()?;
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
/// questions with component expectations; their keys tell the component. With `only`, every case of
/// a file belongs to that component.
///
/// # Errors
/// Invalid cases, with the file and the line of the first; or there is no case.
pub fn component_case_list(only: Option<Component>, cases: Option<&Path>) -> Result<ComponentCases> {
    let components = || Component::ALL.iter().copied().filter(|one| only.is_none_or(|only| only == *one));
    let Some(path) = cases else {
        let built_in = |component: Component| {
            let path = Path::new("manifests/components").join(component.file());
            Ok((
                component,
                checked(component, &path, component.built_in(), &entries(&path, component.built_in())?)?,
            ))
        };
        return components().map(built_in).collect();
    };
    let mut found: ComponentCases = components().map(|component| (component, Vec::new())).collect();
    let files = if path.is_dir() { json_files(path)? } else { vec![path.to_owned()] };
    for file in &files {
        let text = input::text(file)?;
        let entries = entries(file, &text)?;
        for (component, cases) in &mut found {
            let is_file = !path.is_dir() && only.is_some();
            let own: Vec<Value> = entries
                .iter()
                .filter(|entry| Component::of_case(entry).is_some_and(|of| is_file || of == *component))
                .cloned()
                .collect();
            if !own.is_empty() {
                cases.extend(checked(*component, file, &text, &own)?);
            }
        }
    }
    found.retain(|(_, cases)| !cases.is_empty());
    at_least_one(found, || format!("{} has no case", path.display()))
}

fn json_files(folder: &Path) -> Result<Vec<PathBuf>> {
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

fn checked(
    component: Component,
    path: &Path,
    text: &str,
    list: &[Value],
) -> Result<Vec<components::ComponentCase>> {
    let checked = read_cases(component, list).and_then(|cases| {
        let problems: Vec<CaseProblem> = cases.iter().flat_map(check_case).collect();
        if problems.is_empty() { Ok(cases) } else { Err(problems) }
    });
    checked.map_err(|problems| {
        let first = problems.first().map_or("", |problem| problem.case.as_str());
        let line =
            text.lines().position(|line| line.contains(&format!("\"{first}\""))).map_or(0, |at| at + 1);
        let each = problems.iter().map(|problem| format!("case {}: {}", problem.case, problem.message));
        Error::syntax(path, (line, 0), each.collect::<Vec<_>>().join("\n  "))
    })
}
