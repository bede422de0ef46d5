//! Component evaluation: ask an adapter every case of a component, a few at a time, and score what it answers.

use std::collections::BTreeMap;
use std::path::Path;

use futures::{StreamExt, stream};

use crate::agent::{Adapter, ComponentAnswers};
use crate::error::{Error, Result};
use crate::scoring::components::{Case, Component, ComponentReport, check_case, read_cases, report};
use crate::scoring::json;

/// What a run gives.
#[derive(Debug)]
pub struct ComponentRun {
    /// One report a component, in their order.
    pub reports: Vec<ComponentReport>,
    /// All answers, by case.
    pub answers: ComponentAnswers,
}

/// Asks `adapter` all cases, at most `concurrency` at a time, and scores the answers. Whatever order they come in, the result is
/// the same.
pub async fn run_components(
    adapter: &Adapter,
    sets: &[(Component, Vec<Case>)],
    concurrency: usize,
) -> ComponentRun {
    let cases = sets.iter().flat_map(|(_, cases)| cases);
    let answers: ComponentAnswers = stream::iter(cases)
        .map(|case| async { (case.id.clone(), adapter.ask(&case.id, &case.request()).await) })
        .buffer_unordered(concurrency.max(1))
        .collect::<Vec<_>>()
        .await
        .into_iter()
        .collect::<BTreeMap<_, _>>();
    let reports = sets.iter().map(|(component, cases)| report(*component, cases, &answers)).collect();
    ComponentRun { reports, answers }
}

/// The cases of a component from a folder, or the built-in ones; well formed, and with nothing that cannot be true.
///
/// # Errors
/// Every case that is not, with the file and the line of the first.
pub fn component_cases(component: Component, folder: Option<&Path>) -> Result<Vec<Case>> {
    let path = folder.map_or_else(
        || Path::new("manifests/components").join(component.file()),
        |folder| folder.join(component.file()),
    );
    let text = match folder {
        Some(_) => std::fs::read_to_string(&path).map_err(Error::named(&path))?,
        None => component.built_in().to_owned(),
    };
    let syntax = |line, column, message| Error::Syntax { path: path.clone(), line, column, message };
    let list: Vec<serde_json::Value> =
        json::read(text.as_bytes()).map_err(|error| syntax(error.line, error.column, error.message))?;
    let problems = match read_cases(component, &list) {
        Err(problems) => problems,
        Ok(cases) => {
            let problems: Vec<_> = cases.iter().flat_map(check_case).collect();
            if problems.is_empty() {
                return Ok(cases);
            }
            problems
        }
    };
    let first = problems.first().map_or("", |problem| problem.case.as_str());
    let line = text.lines().position(|line| line.contains(&format!("\"{first}\""))).map_or(0, |at| at + 1);
    let each = problems.iter().map(|problem| format!("case {}: {}", problem.case, problem.message));
    Err(syntax(line, 0, each.collect::<Vec<_>>().join("\n  ")))
}
