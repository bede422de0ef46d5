//! Component evaluation: ask an adapter every case of a component, a few at a time, and score what it answers.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

use futures::{StreamExt, stream};

use crate::agent::{Adapter, ComponentAnswers, RecordedComponent, answers_of};
use crate::atomic_file::{append_line, write_atomic};
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::scoring::components::{Case, Component, ComponentReport, check_case, read_cases, report};
use crate::scoring::json;
use crate::selection::at_least_one;
use crate::truth::files::{line, optional};

/// What a run gives.
#[derive(Debug)]
pub struct ComponentRun {
    /// One report a component, in their order.
    pub reports: Vec<ComponentReport>,
}

impl ComponentRun {
    /// The exit code that this leads to, and why (decision 22). What is too few to tell fails nothing.
    #[must_use]
    pub fn exit(&self) -> (Exit, String) {
        let missed = self.reports.iter().any(ComponentReport::is_missed);
        let without: u64 = self.reports.iter().map(|report| report.without_answer).sum();
        let unanswered = format!("without an answer: {without}");
        match (without, missed) {
            (0, false) => (Exit::Ok, "no threshold is missed".to_owned()),
            (0, true) => (Exit::Differences, "a threshold is missed".to_owned()),
            (_, false) => (Exit::Agent, unanswered),
            (_, true) => (Exit::Agent, format!("{unanswered}; a threshold is missed")),
        }
    }
}

/// A file that answers are kept in as they come, a line each: a run that was killed goes on with it.
#[derive(Debug)]
pub struct AnswerFile {
    path: PathBuf,
    known: ComponentAnswers,
}

impl AnswerFile {
    /// Begins a file, or, where `resumes`, goes on with one: its answers stand, and a last line that was cut off goes.
    ///
    /// # Errors
    /// A file that is there already and is not to be gone on with, cannot be read or written, or holds what is no answer to a case.
    pub fn open(path: &Path, resumes: bool, cases: &BTreeSet<&str>) -> Result<Self> {
        let kept = optional(path)?.unwrap_or_default();
        if !resumes && !kept.is_empty() {
            return Err(Error::Usage(format!(
                "{} holds answers already: go on with them by --resume, or name another file",
                path.display()
            )));
        }
        let (whole, torn) = kept.split_at(kept.rfind('\n').map_or(0, |end| end + 1));
        let known = answers_of(path, whole, cases)?;
        // what is cut off has to be one of our lines
        const BEGINNING: &str = "{\"id\":";
        if !torn.starts_with(BEGINNING) && !BEGINNING.starts_with(torn) {
            return Err(Error::Usage(format!(
                "{} ends with what is no answer: name the file that an earlier run kept its answers in",
                path.display()
            )));
        }
        write_atomic(path, whole.as_bytes())?;
        Ok(Self { path: path.to_owned(), known })
    }

    fn add(
        &self,
        id: &str,
        answer: &Result<serde_json::Map<String, serde_json::Value>, String>,
    ) -> Result<()> {
        append_line(&self.path, &line(&self.path, &RecordedComponent::new(id, answer))?)
    }

    /// All answers in the order of their cases.
    fn finish(&self, answers: &ComponentAnswers) -> Result<()> {
        let lines = answers.iter().map(|(id, answer)| line(&self.path, &RecordedComponent::new(id, answer)));
        let text: String = lines.map(|line| Ok(line? + "\n")).collect::<Result<_>>()?;
        write_atomic(&self.path, text.as_bytes())
    }
}

/// Asks `adapter` the cases that `file` has no answer to, at most `concurrency` at a time, and scores the answers. Whatever order they
/// come in, the result is the same.
///
/// # Errors
/// The file cannot be written.
pub async fn run_components(
    adapter: &Adapter,
    sets: &[(Component, Vec<Case>)],
    concurrency: usize,
    file: Option<&AnswerFile>,
) -> Result<ComponentRun> {
    let mut answers = file.map(|file| file.known.clone()).unwrap_or_default();
    let cases = sets.iter().flat_map(|(_, cases)| cases).filter(|case| !answers.contains_key(&case.id));
    let asked: Vec<Result<_>> = stream::iter(cases)
        .map(|case| async {
            let answer = adapter.ask(&case.id, &case.request()).await;
            if let Some(file) = file {
                file.add(&case.id, &answer)?;
            }
            Ok((case.id.clone(), answer))
        })
        .buffer_unordered(concurrency.max(1))
        .collect()
        .await;
    for one in asked {
        answers.extend([one?]);
    }
    if let Some(file) = file {
        file.finish(&answers)?;
    }
    let reports = sets.iter().map(|(component, cases)| report(*component, cases, &answers)).collect();
    Ok(ComponentRun { reports })
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
        Some(_) => input::text(&path)?,
        None => component.built_in().to_owned(),
    };
    let syntax = |line, column, message| Error::Syntax { path: path.clone(), line, column, message };
    let list: Vec<serde_json::Value> =
        json::read(text.as_bytes()).map_err(|error| syntax(error.line, error.column, error.message))?;
    let list = at_least_one(list, || format!("{} holds no case", path.display()))?;
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
