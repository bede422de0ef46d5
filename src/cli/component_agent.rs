//! The agent and the cases of a run over components.

use std::path::Path;
use std::time::Duration;

use crate::agent::{ANSWERS_OF, Adapter, AdapterLimits, RecordedAgent};
use crate::error::Result;
use crate::report::print_status;
use crate::scoring::components::{Component, ComponentCase};
use crate::selection::at_least_one;
use crate::words::count;
use crate::workflow::evaluate::{
    AgentChoice, Case, ComponentAgent, RunSettings, component_case_list, component_cases,
};

/// The maximum size of an answer, in bytes. Longer answers are cut.
const MAX_OUTPUT: u64 = 1 << 20;

/// The agent and the cases of a run's settings.
pub(super) fn asked(
    component: Option<Component>,
    folder: Option<&Path>,
    settings: &RunSettings,
) -> Result<(ComponentAgent, Vec<Case>)> {
    let lists = component_case_list(component, folder)?;
    if let Some(path) = folder {
        let each: Vec<String> = lists
            .iter()
            .map(|(component, cases)| format!("{} of {}", cases.len(), component.name()))
            .collect();
        print_status(format_args!("{}: read as cases: {}", path.display(), each.join(", ")));
    }
    let mut cases: Vec<ComponentCase> = lists.into_iter().flat_map(|(_, cases)| cases).collect();
    let limits = AdapterLimits { timeout: Duration::from_secs(settings.agent_timeout), most: MAX_OUTPUT };
    let (name, adapter) = match &settings.agent {
        AgentChoice::Url(address) => (format!("adapter {address}"), Adapter::http(address, limits)?),
        AgentChoice::Command(command) => (format!("adapter {command}"), Adapter::command(command, limits)?),
        AgentChoice::Answers(path) if RecordedAgent::is_run(path) => {
            let adapter = Adapter::of_runs(path, &cases)?;
            let all = count(cases.len(), "case");
            cases.retain(|case| adapter.answers(&case.id));
            let answered = cases.len();
            print_status(format_args!("{}: its traces answer {answered} of {all}", path.display()));
            let none = || format!("no answer in {} belongs to the question of a case", path.display());
            cases = at_least_one(cases, none)?;
            (format!("{ANSWERS_OF}{}", path.display()), adapter)
        }
        AgentChoice::Answers(path) => {
            // answers to other components are allowed
            let all = component_case_list(None, folder)?;
            let ids = all.iter().flat_map(|(_, cases)| cases).map(|case| case.id.as_str()).collect();
            (format!("{ANSWERS_OF}{}", path.display()), Adapter::recorded(path, &ids)?)
        }
    };
    Ok((ComponentAgent::new(name, adapter, &cases)?, component_cases(&cases)?))
}
