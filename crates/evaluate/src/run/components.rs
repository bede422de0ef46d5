//! Components as a source of cases: an adapter is asked every case of a component, and its scorer holds the answers against what the
//! cases expect.

use std::collections::BTreeMap;
use std::path::Path;

use serde_json::Value;

use super::question::Case;
use super::record::QuestionRecord;
use crate::agent::{Adapter, Agent, AgentError, Asked, Reply};
use crate::error::{Error, Result};
use crate::input;
use crate::manifest::QuestionId;
use crate::scoring::components::{
    self, AnsweredCase, CaseProblem, Component, ComponentReport, FieldDetails, check_case, read_cases, report,
};
use crate::scoring::json;
use crate::selection::at_least_one;

/// An adapter as an agent: a case is asked by its id.
#[derive(Debug)]
pub struct ComponentAgent {
    name: String,
    adapter: Adapter,
    requests: BTreeMap<QuestionId, Value>,
}

impl ComponentAgent {
    /// An adapter for these cases, by the name that reports call it.
    ///
    /// # Errors
    /// A case whose id names no file.
    pub fn new(name: String, adapter: Adapter, cases: &[components::Case]) -> Result<Self> {
        let requests = cases.iter().map(|case| Ok((id(case)?, case.request()))).collect::<Result<_>>()?;
        Ok(Self { name, adapter, requests })
    }
}

impl Agent for ComponentAgent {
    fn name(&self) -> String {
        self.name.clone()
    }

    async fn ask(&self, asked: &Asked) -> std::result::Result<Reply, AgentError> {
        let id = &asked.question_id;
        let request = self.requests.get(id).ok_or_else(|| AgentError::NotRecorded(id.clone()))?;
        let answer = self.adapter.ask(id, request).await?;
        Ok(Reply { answer: Value::Object(answer).to_string(), ..Reply::default() })
    }
}

fn id(case: &components::Case) -> Result<QuestionId> {
    case.id.parse().map_err(|error| Error::Usage(format!("case {}: {error}", case.id)))
}

/// The cases of components, as a run asks them.
///
/// # Errors
/// A case whose id names no file.
pub fn component_cases(cases: &[components::Case]) -> Result<Vec<Case>> {
    let one = |case: &components::Case| {
        Ok(Case::of_checks(id(case)?, Some(case.component.name().to_owned()), case.scored()))
    };
    cases.iter().map(one).collect()
}

/// What the answers of a run's components come to, component by component; nothing for a run of other cases.
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

/// The cases of a component from a folder, or the built-in ones; well formed, and with nothing that cannot be true.
///
/// # Errors
/// Every case that is not, with the file and the line of the first.
pub fn component_case_list(component: Component, folder: Option<&Path>) -> Result<Vec<components::Case>> {
    let path = folder.unwrap_or(Path::new("manifests/components")).join(component.file());
    let text = match folder {
        Some(_) => input::text(&path)?,
        None => component.built_in().to_owned(),
    };
    let syntax = |line, column, message| Error::Syntax { path: path.clone(), line, column, message };
    let list: Vec<Value> =
        json::read(text.as_bytes()).map_err(|error| syntax(error.line, error.column, error.message))?;
    let list = at_least_one(list, || format!("{} holds no case", path.display()))?;
    let checked = read_cases(component, &list).and_then(|cases| {
        let problems: Vec<CaseProblem> = cases.iter().flat_map(check_case).collect();
        if problems.is_empty() { Ok(cases) } else { Err(problems) }
    });
    checked.map_err(|problems| {
        let first = problems.first().map_or("", |problem| problem.case.as_str());
        let line =
            text.lines().position(|line| line.contains(&format!("\"{first}\""))).map_or(0, |at| at + 1);
        let each = problems.iter().map(|problem| format!("case {}: {}", problem.case, problem.message));
        syntax(line, 0, each.collect::<Vec<_>>().join("\n  "))
    })
}
