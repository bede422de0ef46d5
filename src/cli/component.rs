//! `atlas-gt component`: tests an agent's classification, entity extraction and id resolution
//! against cases with known answers.

use std::collections::BTreeSet;
use std::path::PathBuf;

use clap::{Args, Subcommand};

use super::choice::choice;
use super::component_agent::asked;
use super::eval_output::GateArgs;
use super::eval_run::{Output, execute};
use super::notify;
use super::print::print_alone;
use super::settings::{self, Shared};
use crate::agent::Agent;
use crate::error::{Error, Exit, Result};
use crate::report::Format;
use crate::report::suite::{CheckedComponent, ComponentCheck, Components};
use crate::scoring::components::{Component, ComponentCase, FIELDS};
use crate::workflow::Clock;
use crate::workflow::evaluate::{AgentChoice, CaseSource, RunFolder, RunSettings, component_case_list};

/// Evaluate a component of an agent by itself: classification, entity extraction, id resolution
#[derive(Debug, Args)]
pub(super) struct ComponentArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Check that cases are well formed and their expectations possible
    Check(Cases),
    /// Ask every case and score the answers
    Run(RunArgs),
}

#[derive(Debug, Args)]
struct Cases {
    /// Only this component [default: all]
    #[arg(long, value_parser = choice::<Component>())]
    component: Option<Component>,
    /// A file of cases or questions, or a folder of such files; the keys tell which component a
    /// case is for [default: the built-in cases]
    #[arg(long, value_name = "PATH")]
    cases: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt component run --adapter-command './classify.py' --component classification\n  atlas-gt component run --adapter http://localhost:8000/component --min-pass-rate 0.8\n  atlas-gt component run --answers answers.jsonl --format junit\n  atlas-gt component run --cases eval_questions.json --answers runs\n  atlas-gt eval resume latest\n\nThe run is kept like those of `eval run`: `eval resume`, `rescore`, `report`, `compare` and `trend` work on it\nExit code 3: a threshold is missed, or the gate failed · 6: the adapter left a case unanswered"
)]
#[command(group = clap::ArgGroup::new("who").required(true))]
struct RunArgs {
    #[command(flatten)]
    cases: Cases,
    /// Recorded answers, one JSON object per line: {"id", "answer"} or {"id", "error"}; or an agent's own run, a folder of
    /// {id}/result.json or a summary.json: its traces answer the cases with the same question
    #[arg(long, value_name = "FILE", group = "who")]
    answers: Option<PathBuf>,
    /// A program that reads the case as JSON from standard input and prints its answer as JSON
    #[arg(long, value_name = "COMMAND", group = "who")]
    adapter_command: Option<String>,
    /// A URL that takes the case as a JSON POST and replies with the answer
    #[arg(long, value_name = "URL", group = "who")]
    adapter: Option<String>,
    /// Cases to ask at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Seconds to wait for one answer
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    #[command(flatten)]
    gate: GateArgs,
    #[command(flatten)]
    output: Output,
}

pub(super) fn run(shared: &Shared, args: ComponentArgs) -> Result<Exit> {
    match args.action {
        Action::Check(cases) => check(shared.format, &cases),
        Action::Run(args) => {
            notify::run_and_notify("component run", shared, &args.output.notify, || evaluate(shared, &args))
        }
    }
}

fn check(format: Format, cases: &Cases) -> Result<Exit> {
    let count = |(component, cases): (Component, Vec<ComponentCase>)| CheckedComponent {
        component: component.name(),
        cases: cases.len(),
        own_fields: unknown_fields(&cases),
    };
    let checked =
        component_case_list(cases.component, cases.cases.as_deref())?.into_iter().map(count).collect();
    print_alone(format, &ComponentCheck { components: checked })
}

fn evaluate(shared: &Shared, args: &RunArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.output.runs.settings())?;
    let (component, folder) = (args.cases.component, args.cases.cases.clone());
    let who = AgentChoice::of(args.answers.as_ref(), args.adapter_command.as_ref(), args.adapter.as_ref());
    let who = who.ok_or_else(|| Error::Usage("name an adapter, or recorded answers".to_owned()))?;
    let clock = Clock::from_environment()?;
    let source = CaseSource::Components { component, folder: folder.clone() };
    let mut settings = RunSettings {
        agent_timeout: args.timeout,
        concurrency: args.concurrency.into(),
        min_pass_rate: args.gate.min_pass_rate,
        selection: component.map_or("all components", Component::name).to_owned(),
        ..RunSettings::new(source, who, clock.now())
    };
    let (agent, cases) = asked(component, folder.as_deref(), &settings)?;
    settings.agent_name = agent.name();
    settings.planned = cases.iter().map(|case| case.question.question_id.clone()).collect();
    let events = args.output.event_file()?;
    let folder = RunFolder::create(&config.runs, &mut settings)?;
    let summary = execute(&agent, &folder, &settings, cases, events, (clock, &config))?;
    print_alone(
        shared.format,
        &Components { exit: (summary.exit(), summary.exit_reason), components: summary.components },
    )
}

/// Fields in the cases that belong to no known component.
fn unknown_fields(cases: &[ComponentCase]) -> Vec<String> {
    let stated: BTreeSet<&String> = cases.iter().flat_map(|case| case.expected.keys()).collect();
    stated.into_iter().filter(|name| FIELDS.iter().all(|field| field.name != *name)).cloned().collect()
}
