//! `atlas-gt suite`: runs a suite over recorded answers, or checks it.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::{Args, Subcommand};
use rust_decimal::Decimal;

use super::choice::share;
use super::print::{print_alone, runtime};
use super::score_files::{document, lines};
use super::settings::Shared;
use crate::error::{Error, Exit, Result};
use crate::event::Events;
use crate::input;
use crate::judge::CommandScorer;
use crate::report::{CheckReport, Format, print_status};
use crate::scoring::cost::{AnswersCost, CostEstimate, Prices, RunPlan, estimate};
use crate::scoring::suite::{
    AgentOutput, Registry, Suite, SuiteCase, commands_of, parse_answer, read_suite, summarize,
};
use crate::scoring::{CaseVerdict, scorers};
use crate::selection::at_least_one;
use crate::workflow::Clock;
use crate::workflow::evaluate::{QuestionRecord, RecordedSuite, Run, RunLimits, suite_cases};

/// Work with suites of cases
#[derive(Debug, Args)]
pub struct SuiteArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    /// Score recorded answers
    Run {
        /// The suite
        suite: PathBuf,
        /// The answers, one per line: {"case": …, "output": …, "tool_calls"?: […], "links"?: […]}
        #[arg(long)]
        answers: PathBuf,
        /// Fail (exit 3) if the mean is below this, instead of if a case fails; unscored cases fail either way
        #[arg(long, value_name = "SHARE", value_parser = share)]
        min_score: Option<f64>,
        /// Fail (exit 3) if the answers cost more than this; an answer without `cost_usd` counts at
        /// --agent-price
        #[arg(long)]
        budget: Option<Decimal>,
        #[command(flatten)]
        prices: PriceArgs,
    },
    /// Check a suite without running anything
    Check {
        /// The suite
        suite: PathBuf,
        /// Fail (exit 3) if asking agent and judge would cost more than this
        #[arg(long)]
        budget: Option<Decimal>,
        #[command(flatten)]
        prices: PriceArgs,
    },
}

/// Prices per question, in dollars
#[derive(Debug, Args)]
#[command(next_help_heading = "Prices")]
struct PriceArgs {
    /// Price of an agent's answer in dollars, or `unknown`
    #[arg(long, value_parser = price, default_value = "0.12", value_name = "DOLLARS")]
    agent_price: Price,
    /// Price of a judge's verdict in dollars, or `unknown`
    #[arg(long, value_parser = price, default_value = "0.012", value_name = "DOLLARS")]
    judge_price: Price,
}

/// A price, if known.
#[derive(Debug, Clone, Copy)]
struct Price(Option<Decimal>);

fn price(text: &str) -> std::result::Result<Price, String> {
    if text == "unknown" {
        return Ok(Price(None));
    }
    match text.parse() {
        Ok(price) if price >= Decimal::ZERO => Ok(Price(Some(price))),
        _ => Err("expected a number of dollars, 0 or more, or `unknown`".to_owned()),
    }
}

impl PriceArgs {
    const fn prices(&self) -> Prices {
        Prices { agent: self.agent_price.0, judge: self.judge_price.0 }
    }
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or parsed.
pub(super) fn run(shared: &Shared, args: SuiteArgs) -> Result<Exit> {
    let format = shared.format;
    match args.action {
        Action::Check { suite, budget, prices } => check(&suite, budget, prices.prices(), format),
        Action::Run { suite, answers, min_score, budget, prices } => {
            let registry = registry(&suite)?;
            let (read, warnings) = match read_suite(&suite, &input::text(&suite)?, &registry) {
                Ok(read) => read,
                Err(problems) => {
                    problems.iter().for_each(print_status);
                    return Ok(Exit::Usage);
                }
            };
            warnings.iter().for_each(print_status);
            let gate = Gate { min_score, budget, prices: prices.prices() };
            score(&read, &answers_of(&answers)?, &registry, gate, format)
        }
    }
}

/// The built-in scorers, and the programs named by the suite.
fn registry(path: &Path) -> Result<Registry> {
    let mut registry = scorers::builtin();
    for (name, config) in commands_of(&input::text(path)?) {
        let in_suite = |error| Error::Usage(format!("{}: {error}", path.display()));
        registry
            .register(Box::new(CommandScorer::new(&name, config).map_err(in_suite)?))
            .map_err(in_suite)?;
    }
    Ok(registry)
}

/// The cost of asking an agent every question of a suite, plus a judge if a scorer needs one.
fn cost_of(suite: &Suite, registry: &Registry, prices: Prices) -> CostEstimate {
    let needs_judge = |case: &&SuiteCase| {
        case.scorers.iter().any(|(name, _)| registry.get(name).is_some_and(|scorer| scorer.needs_judge()))
    };
    let judged = suite.cases.iter().filter(needs_judge).count() as u64;
    estimate(RunPlan { questions: suite.cases.len() as u64, recorded: false, judged }, prices)
}

fn dollars(price: Option<Decimal>) -> String {
    price.map_or_else(|| "an unknown sum".to_owned(), |price| format!("${}", price.normalize()))
}

/// What is said of a cost: what it is of, what to do if it is above the budget, and if it is unknown.
struct CostWords {
    of: &'static str,
    above: &'static str,
    unknown: &'static str,
}

const OF_CASES: CostWords = CostWords {
    of: "asking agent and judge would cost",
    above: "leave cases out",
    unknown: "name it with --agent-price and --judge-price",
};
const OF_ANSWERS: CostWords = CostWords {
    of: "the answers cost",
    above: "one without `cost_usd` counts at --agent-price",
    unknown: "give every answer a `cost_usd`, or name --agent-price for those without",
};

/// Compares a cost with the budget: exit 3 if it is above, 2 if it is unknown. Without a budget, an unknown price is fine.
fn within(cost: &CostEstimate, budget: Option<Decimal>, words: &CostWords) -> Exit {
    match (budget, cost.total) {
        (Some(_), None) => {
            let unknown = words.unknown;
            print_status(format_args!("error: --budget: a price is unknown: {unknown}, or omit --budget"));
            Exit::Usage
        }
        (Some(budget), Some(total)) if total > budget => {
            let CostWords { of, above, .. } = words;
            print_status(format_args!("error: {of} ${total}, more than the budget of ${budget}: {above}"));
            Exit::Differences
        }
        _ => Exit::Ok,
    }
}

fn check(path: &Path, budget: Option<Decimal>, prices: Prices, format: Format) -> Result<Exit> {
    let registry = registry(path)?;
    let (problems, cases) = match read_suite(path, &input::text(path)?, &registry) {
        Ok((suite, warnings)) => (warnings, Some((suite.cases.len(), cost_of(&suite, &registry, prices)))),
        Err(problems) => (problems, None),
    };
    let summary = match &cases {
        None => format!("{}: ", path.display()),
        Some((cases, cost)) => format!(
            "{}: {cases} cases; asking an agent costs about {}, a judge {} at the prices of --agent-price and --judge-price, \
             scoring recorded answers is free; ",
            path.display(),
            dollars(cost.agent),
            dollars(cost.judge)
        ),
    };
    print_alone(format, &CheckReport::of(problems, cases.as_ref().map(|(cases, _)| *cases), summary))?;
    Ok(cases.map_or(Exit::Usage, |(_, cost)| within(&cost, budget, &OF_CASES)))
}

/// The answers in a file, one per line.
fn answers_of(path: &Path) -> Result<Vec<AgentOutput>> {
    let mut answers: Vec<AgentOutput> = Vec::new();
    let mut seen = BTreeMap::new();
    for line in lines(path)? {
        let (number, text) = line?;
        let fault = |message: String| Error::syntax(path, (number, 1), message);
        let answer = parse_answer(&document(path, number, &text)?).map_err(fault)?;
        if let Some(before) = seen.insert(answer.case.clone(), number) {
            let case = &answer.case;
            return Err(fault(format!(
                "the case {case:?} is already answered in line {before}: remove one of them"
            )));
        }
        answers.push(answer);
    }
    at_least_one(answers, || format!("{} has no answer", path.display()))
}

/// The gate of a run.
struct Gate {
    min_score: Option<f64>,
    budget: Option<Decimal>,
    prices: Prices,
}

fn score(
    suite: &Suite,
    answers: &[AgentOutput],
    registry: &Registry,
    gate: Gate,
    format: Format,
) -> Result<Exit> {
    let cases = suite_cases(suite);
    let recorded = RecordedSuite::new(&cases, answers);
    let run = Run {
        folder: None,
        agent: &recorded,
        scorer: &recorded.scorers(registry),
        limits: RunLimits::recorded(),
        clock: Clock::System,
        events: &Events::silent(),
        stop: &AtomicBool::new(false),
    };
    let (scored, _) = runtime()?.block_on(run.ask(cases, Vec::new()))?;
    let result = summarize(suite, scored.iter().filter_map(QuestionRecord::case_result).collect(), answers);
    print_alone(format, &result)?;
    // Answers without any price still have to stay within the budget.
    let cost = result.cost.unwrap_or_else(|| AnswersCost::sum(answers.iter().map(|answer| answer.cost)));
    let paid = within(&cost.estimate(gate.prices), gate.budget, &OF_ANSWERS);
    let good = match gate.min_score {
        Some(bar) => result.passes(bar),
        None => result.verdict == CaseVerdict::Pass,
    };
    let exit = paid.worst(if good { Exit::Ok } else { Exit::Differences });
    Ok(if result.errors > 0 { exit.worst(Exit::Agent) } else { exit })
}
