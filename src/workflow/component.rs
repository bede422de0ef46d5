//! Component evaluation: ask an adapter every case of a component, a few at a time, and score what it answers.

use std::collections::BTreeMap;

use futures::{StreamExt, stream};

use crate::agent::{Adapter, ComponentAnswers};
use crate::scoring::components::{Case, Component, ComponentReport, report};

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
