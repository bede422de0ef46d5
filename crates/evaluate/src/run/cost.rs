//! The kinds of runs and their sizes, counted from the manifest and the component cases (evaluation
//! strategy, section 7; decision 21), and recent spending.

use rust_decimal::Decimal;
use serde::Serialize;

use super::components::component_case_list;
use super::history::{HistoryLine, week_spend};
use super::selection::SMOKE;
use crate::error::Result;
use crate::manifest::{Manifest, QuestionId};
use crate::scoring::cost::{RunPlan, WeeklySpend};
use crate::scoring::prices::RunType;

/// The kinds of runs over a manifest and the built-in component cases.
///
/// # Errors
/// The built-in cases are invalid. A test prevents this.
pub fn run_types(manifest: &Manifest) -> Result<Vec<RunType>> {
    let asked = manifest.questions().filter(|one| one.text().is_some());
    let ids: Vec<&QuestionId> = asked.map(|one| one.id).collect();
    let all = ids.len() as u64;
    let smoke = ids.iter().filter(|id| SMOKE.contains(&id.as_str())).count() as u64;
    let run = |name: &str, questions: u64, recorded: bool, judged: u64| RunType {
        name: name.to_owned(),
        plan: RunPlan { questions, recorded, judged },
        component: false,
    };
    let mut runs = vec![run("smoke test, judged", smoke, false, smoke)];
    for (component, cases) in component_case_list(None, None)? {
        let cases = cases.len() as u64;
        let name = format!("component: {}", component.name());
        runs.push(RunType { component: true, ..run(&name, cases, false, 0) });
    }
    runs.extend([
        run("routes of all questions", all, false, 0),
        run("all questions, judged", all, false, all),
        run("routes of recorded answers", all, true, 0),
        run("recorded answers, judged", all, true, all),
    ]);
    Ok(runs)
}

/// The money spent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Spend {
    /// In the last seven days.
    pub week: WeeklySpend,
    /// By all runs, in US dollars.
    pub total_usd: Decimal,
}

impl Spend {
    /// The spending of a history up to a time.
    #[must_use]
    pub fn of(history: &[HistoryLine], now: jiff::Timestamp) -> Self {
        Self { week: week_spend(history, now), total_usd: history.iter().map(HistoryLine::spent).sum() }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::scoring::prices::{PriceList, cost_table};
    use atlas_gt_extract::Extractors;

    #[test]
    fn evaluation_strategy_7_cost_per_run_type_counted_from_the_data() {
        let path = Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../..")).join("manifests/atlas.json");
        let manifest = crate::manifest::load(&path, &Extractors::built_in().unwrap()).unwrap();
        let rows = cost_table(&run_types(&manifest).unwrap(), &PriceList::built_in().unwrap());
        let total = |name: &str| {
            let row = rows.iter().find(|row| row.name == name).unwrap();
            (row.questions, row.cost.total.unwrap())
        };
        let dollars = |text: &str| text.parse::<Decimal>().unwrap();
        // the documents' smoke test: five questions, $0.66
        assert_eq!(total("smoke test, judged"), (5, dollars("0.66")));
        let all = (manifest.entries.len() + manifest.behaviors.len()) as u64;
        assert_eq!(total("routes of all questions"), (all, Decimal::from(all) * dollars("0.12")));
        assert_eq!(total("all questions, judged"), (all, Decimal::from(all) * dollars("0.132")));
        assert_eq!(total("routes of recorded answers").1, Decimal::ZERO, "decision 21");
    }
}
