//! The runs in a folder, and the cost of each kind of run.

use schemars::JsonSchema;
use serde::Serialize;

use super::super::words::{count, per_cent};
use super::super::{Doc, Invocation, Report, Table, Text, Tone};
use crate::row;
use crate::scoring::cost::WEEKLY_ALERT;
use crate::scoring::prices::CostRow;
use crate::words::spaced;
use crate::workflow::evaluate::RunSettings;
use crate::workflow::evaluate::cost::Spend;
use crate::workflow::evaluate::history::HistoryLine;

/// The runs, oldest first.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Runs {
    /// The runs.
    pub runs: Vec<Listed>,
}

/// A run in a list.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Listed {
    /// Its id.
    pub run: String,
    /// `complete`, `partial` or `not ended`.
    pub state: &'static str,
    /// The kind of its cases; none if its settings cannot be read.
    pub cases: Option<String>,
    /// The suite's name, for cases of a suite.
    pub suite: Option<String>,
    /// Its number of questions; none until it has ended.
    pub questions: Option<u64>,
    /// Its pass rate.
    pub pass_rate: Option<f64>,
    /// The agent.
    pub agent: Option<String>,
}

impl Runs {
    /// The named runs, with their lines of the history, or else with their settings.
    pub fn of(
        names: Vec<String>,
        history: &[HistoryLine],
        settings: impl Fn(&str) -> Option<RunSettings>,
    ) -> Self {
        let listed = |run: String| {
            let line = history.iter().rev().find(|line| line.run == run);
            let begun = if line.is_none() { settings(&run) } else { None };
            let begun = begun.as_ref();
            let state = match line {
                Some(line) if line.complete => "complete",
                Some(_) => "partial",
                None => "not ended",
            };
            Listed {
                state,
                cases: line
                    .map(|line| line.source.clone())
                    .or_else(|| begun.map(|begun| begun.source.kind().name().to_owned())),
                suite: line
                    .and_then(|line| line.suite.clone())
                    .or_else(|| begun?.source.suite().map(str::to_owned)),
                questions: line.map(|line| line.questions),
                pass_rate: line.and_then(|line| line.pass_rate),
                agent: line
                    .map(|line| line.agent_model.clone())
                    .or_else(|| begun.map(|begun| begun.agent_name.clone())),
                run,
            }
        };
        Self { runs: names.into_iter().map(listed).collect() }
    }
}

impl Report for Runs {
    const NAME: &'static str = "eval_list";
    const ITEMS: Option<&'static str> = Some("runs");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Evaluation runs");
        doc.sum(count(self.runs.len(), "run"));
        let cells = |one: &Listed| {
            let rate = one.pass_rate.map(per_cent);
            let cases = one.suite.as_ref().map(|suite| format!("suite {suite}"));
            let cases = cases.or_else(|| one.cases.as_deref().map(spaced)).unwrap_or_default();
            row![&one.run, one.state, cases, one.questions, rate, one.agent.clone().unwrap_or_default()]
        };
        let head = ["run", "", "cases", ">questions", ">pass rate", "agent"];
        doc.body.table(Table::new(&head).rows(self.runs.iter().map(cells)));
        doc
    }
}

/// The cost of each kind of run, and the money spent.
#[derive(Debug, Serialize, JsonSchema)]
pub struct Costs {
    /// The kinds of runs.
    pub runs: Vec<CostRow>,
    /// The money spent.
    pub spend: Spend,
}

impl Report for Costs {
    const NAME: &'static str = "eval_cost";
    const ITEMS: Option<&'static str> = Some("runs");

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Cost of runs");
        let spend = &self.spend;
        if spend.week.alert {
            doc.sum(Text::toned(Tone::Bad, format!("ALERT: more than ${WEEKLY_ALERT} in seven days")));
        }
        doc.sum(format!(
            "spent in seven days: ${} in {}; all runs: ${}",
            spend.week.dollars.normalize(),
            count(spend.week.runs, "run"),
            spend.total_usd.normalize()
        ));
        doc.sum("assumed, with the prices in prices.toml:");
        let dollars = |price: Option<rust_decimal::Decimal>| {
            price.map_or_else(|| "unknown".to_owned(), |price| format!("${price:.2}"))
        };
        let cells = |row: &CostRow| {
            let cost = &row.cost;
            row![&row.name, row.questions, dollars(cost.agent), dollars(cost.judge), dollars(cost.total)]
        };
        let head = ["kind of run", ">questions", ">agent", ">judge", ">total"];
        doc.body.table(Table::new(&head).rows(self.runs.iter().map(cells)));
        doc
    }
}
