//! A suite file: its cases, the scorers that they may name, and the agent that is asked.

use std::collections::BTreeMap;
use std::path::Path;

use super::agent_choice;
use super::score_files::{document, lines};
use crate::agent::{ANSWERS_OF, AnyAgent, KnownQuestions};
use crate::error::{Error, Result};
use crate::input;
use crate::judge::CommandScorer;
use crate::report::print_status;
use crate::scoring::scorers;
use crate::scoring::suite::{
    AgentOutput, CommandConfig, ConfiguredScorer, Registry, ScorerError, Suite, commands_of, parse_answer,
    read_suite,
};
use crate::selection::at_least_one;
use crate::words::count;
use crate::workflow::evaluate::{AgentChoice, Case, RunInput, RunSettings, recorded_suite, suite_cases};

/// Reads a suite. Warnings go to stderr.
///
/// # Errors
/// The file cannot be read, or has errors. They go to stderr.
pub(super) fn suite_of(path: &Path) -> Result<Suite> {
    let (suite, warnings) = read_suite(path, &input::text(path)?, &registry(path)?).map_err(|problems| {
        problems.iter().for_each(print_status);
        Error::Usage(format!("{}: the suite has errors; nothing was asked", path.display()))
    })?;
    warnings.iter().for_each(print_status);
    Ok(suite)
}

/// The agent of a run over a suite, and its cases.
///
/// # Errors
/// The agent cannot be asked.
pub(super) fn asked(
    suite: &Suite,
    settings: &RunSettings,
    recorded: &[(usize, AgentOutput)],
) -> Result<(AnyAgent, Vec<Case>)> {
    let cases = suite_cases(suite);
    let agent = match &settings.agent {
        AgentChoice::Answers(path) => {
            let file = path.file_name().unwrap_or(path.as_os_str()).to_string_lossy();
            let name = format!("{ANSWERS_OF}{file}");
            AnyAgent::Suite(recorded_suite(name, &cases, recorded.iter().map(|(_, answer)| answer)))
        }
        other => {
            let with_context = cases.iter().filter(|case| case.has_context()).count();
            if matches!(other, AgentChoice::Url(_)) && with_context > 0 {
                let cases = count(with_context, "case");
                print_status(format_args!("{cases} asked without context: Ask-Atlas takes only a question"));
            }
            agent_choice::agent(other, settings.agent_timeout, &KnownQuestions::default())?.0
        }
    };
    Ok((agent, cases))
}

/// The built-in scorers, and the programs named by the suite.
///
/// # Errors
/// The file cannot be read, or a program has the name of a built-in scorer.
pub(super) fn registry(path: &Path) -> Result<Registry> {
    let in_suite = |error| Error::Usage(format!("{}: {error}", path.display()));
    with_programs(commands_of(&input::text(path)?)).map_err(in_suite)
}

/// The built-in scorers, and the programs named by cases.
///
/// # Errors
/// A program has the name of a built-in scorer.
pub(super) fn registry_of(cases: &[Case]) -> Result<Registry> {
    let scorers = cases.iter().filter_map(|case| case.checks.as_ref()).flat_map(|checks| &checks.scorers);
    let program = |ConfiguredScorer { name, config }: &ConfiguredScorer| {
        config.get("command")?;
        Some((name.clone(), serde_json::from_value(config.clone()).ok()?))
    };
    with_programs(scorers.filter_map(program).collect()).map_err(|error| Error::Usage(error.to_string()))
}

fn with_programs(programs: BTreeMap<String, CommandConfig>) -> std::result::Result<Registry, ScorerError> {
    let mut registry = scorers::builtin();
    for (name, config) in programs {
        registry.register(Box::new(CommandScorer::new(&name, config)?))?;
    }
    Ok(registry)
}

/// An answer with the line of its file.
pub(super) type NumberedAnswer = (usize, AgentOutput);

/// The answers in an agent's file, one per line, with their lines; none for an agent that is asked. Standard input is also
/// returned as an input of the run.
///
/// # Errors
/// The file cannot be read, a line is invalid, or a case is answered twice.
pub(super) fn recorded_answers(agent: &AgentChoice) -> Result<(Vec<NumberedAnswer>, Option<RunInput>)> {
    let AgentChoice::Answers(path) = agent else { return Ok((Vec::new(), None)) };
    let is_standard_input = path.as_os_str() == "-";
    let mut content: Vec<u8> = Vec::new();
    let mut answers: Vec<NumberedAnswer> = Vec::new();
    let mut seen = BTreeMap::new();
    for line in lines(path)? {
        let (number, text) = line?;
        if is_standard_input {
            content.extend_from_slice(&text);
            content.push(b'\n');
        }
        if text.trim_ascii_start().starts_with(b"[") {
            let message = "expected one answer per line, as a JSON object, not a list of them";
            return Err(Error::syntax(path, (number, 1), message));
        }
        let fault = |message: String| Error::syntax(path, (number, 1), message);
        let answer = parse_answer(&document(path, number, &text)?).map_err(fault)?;
        if let Some(before) = seen.insert(answer.case.clone(), number) {
            let case = &answer.case;
            return Err(fault(format!(
                "the case {case:?} is already answered in line {before}: remove one of them"
            )));
        }
        answers.push((number, answer));
    }
    let answers = at_least_one(answers, || format!("{} has no answer", path.display()))?;
    Ok((answers, is_standard_input.then(|| RunInput::standard_input(&content))))
}
