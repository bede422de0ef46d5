//! `atlas-gt component`: classification, entity extraction and id resolution of an agent against cases with known answers.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, Subcommand};

use super::choice::choice;
use super::print::{print_alone, runtime};
use crate::agent::{Adapter, AdapterLimits};
use crate::error::{Exit, Result};
use crate::report::Format;
use crate::report::suite::{CheckedComponent, ComponentCheck, Components};
use crate::scoring::components::{Case, Component};
use crate::workflow::{self, AnswerFile};

/// Evaluate a component of an agent by itself: classification, entity extraction, id resolution
#[derive(Debug, Args)]
pub(super) struct ComponentArgs {
    #[command(subcommand)]
    what: What,
}

#[derive(Debug, Subcommand)]
enum What {
    /// Check that cases are well formed and that what they expect can be true
    Check(Cases),
    /// Ask every case and score the answers
    Run(RunArgs),
}

#[derive(Debug, Args)]
struct Cases {
    /// Only this component [default: all]
    #[arg(long, value_parser = choice::<Component>())]
    component: Option<Component>,
    /// Folder of classification.json, entity_extraction.json and id_resolution.json [default: the built-in cases]
    #[arg(long, value_name = "DIR")]
    cases: Option<PathBuf>,
}

#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt component run --adapter-command './classify.py' --component classification\n  atlas-gt component run --adapter http://localhost:8000/component --save answers.jsonl\n  atlas-gt component run --adapter http://localhost:8000/component --save answers.jsonl --resume\n  atlas-gt component run --answers answers.jsonl --format junit\n\nExit code 3: a threshold is missed · 6: the adapter gave no answer to some case"
)]
#[command(group = clap::ArgGroup::new("who").required(true))]
struct RunArgs {
    #[command(flatten)]
    cases: Cases,
    /// Recorded answers, one JSON object a line: {"id", "answer"} or {"id", "error"}
    #[arg(long, value_name = "FILE", group = "who")]
    answers: Option<PathBuf>,
    /// A program: the case as JSON on its standard input, its answer as JSON on its standard output
    #[arg(long, value_name = "COMMAND", group = "who")]
    adapter_command: Option<String>,
    /// An address: the case is posted as JSON, the answer is the body
    #[arg(long, value_name = "URL", group = "who")]
    adapter: Option<String>,
    /// Cases that are asked at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..))]
    concurrency: u16,
    /// Seconds that one answer may take
    #[arg(long, value_name = "SECONDS", default_value_t = 60, value_parser = clap::value_parser!(u64).range(1..=86_400))]
    timeout: u64,
    /// Keep each answer in this file as it comes, for --answers
    #[arg(long, value_name = "FILE")]
    save: Option<PathBuf>,
    /// Go on with the answers that --save has kept of a run that was stopped: only the other cases are asked
    #[arg(long, requires = "save")]
    resume: bool,
}

/// An answer is cut off here, in bytes.
const MOST_OUTPUT: u64 = 1 << 20;

pub(super) fn run(format: Format, args: ComponentArgs) -> Result<Exit> {
    match args.what {
        What::Check(cases) => check(format, &cases),
        What::Run(args) => evaluate(format, &args),
    }
}

fn check(format: Format, cases: &Cases) -> Result<Exit> {
    let count = |(component, cases): (Component, Vec<Case>)| CheckedComponent {
        component: component.name(),
        cases: cases.len(),
    };
    print_alone(format, &ComponentCheck { components: load(cases)?.into_iter().map(count).collect() })
}

fn evaluate(format: Format, args: &RunArgs) -> Result<Exit> {
    let sets = load(&args.cases)?;
    let limits = AdapterLimits { timeout: Duration::from_secs(args.timeout), most: MOST_OUTPUT };
    let all = load(&Cases { component: None, cases: args.cases.cases.clone() })?;
    let ids: BTreeSet<&str> = all.iter().flat_map(|(_, cases)| cases).map(|case| case.id.as_str()).collect();
    let adapter = match (&args.answers, &args.adapter_command, &args.adapter) {
        (Some(path), _, _) => Adapter::recorded(path, &ids)?,
        (_, Some(command), _) => Adapter::command(command, limits)?,
        (_, _, address) => Adapter::http(address.as_deref().unwrap_or_default(), limits)?,
    };
    let file = args.save.as_deref().map(|path| AnswerFile::open(path, args.resume, &ids)).transpose()?;
    let asking = workflow::run_components(&adapter, &sets, args.concurrency.into(), file.as_ref());
    let done = runtime()?.block_on(asking)?;
    print_alone(format, &Components { exit: done.exit(), components: done.reports })
}

/// The cases of the components that are asked for, checked.
fn load(args: &Cases) -> Result<Vec<(Component, Vec<Case>)>> {
    let components = Component::ALL.into_iter().filter(|one| args.component.is_none_or(|only| only == *one));
    components
        .map(|component| Ok((component, workflow::component_cases(component, args.cases.as_deref())?)))
        .collect()
}
