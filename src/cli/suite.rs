//! `atlas-gt suite`: asks the cases of a suite and scores the answers, or checks the suite.

use std::path::{Path, PathBuf};

use clap::{Args, Subcommand};
use rust_decimal::Decimal;

use super::agent_choice::AskedAgent;
use super::choice::{dollars, share};
use super::eval_judge::prices;
use super::eval_run::{Output, execute};
use super::notify;
use super::print::print_alone;
use super::settings::{self, Shared};
use super::suite_file::{asked, recorded_answers, registry, suite_of};
use crate::agent::{Agent, UnknownAnswer, UnknownAnswers};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::input;
use crate::judge::Budget;
use crate::report::suite::SuiteRun;
use crate::report::{CheckReport, Format, print_status};
use crate::scoring::cost::{AnswersCost, CostEstimate, Prices, RunPlan, estimate};
use crate::scoring::suite::{AgentOutput, Registry, Suite, SuiteCase, read_suite};
use crate::words::count;
use crate::workflow::Clock;
use crate::workflow::evaluate::{AgentChoice, CaseSource, QuestionRecord, RunFolder, RunSettings};

/// Work with suites of cases
#[derive(Debug, Args)]
pub struct SuiteArgs {
    #[command(subcommand)]
    action: Action,
}

#[derive(Debug, Subcommand)]
enum Action {
    Run(Box<RunArgs>),
    /// Check a suite without running anything
    Check {
        /// The suite
        suite: PathBuf,
        /// Fail (exit 3) if asking agent and judge would cost more than this
        #[arg(long, alias = "budget", value_name = "DOLLARS", value_parser = dollars)]
        budget_usd: Option<Decimal>,
        #[command(flatten)]
        agent_price: AgentPrice,
        /// Price of a judge's verdict in dollars, or `unknown` [default: from the price list]
        #[arg(long, value_parser = price, value_name = "DOLLARS", help_heading = "Prices")]
        judge_price: Option<Price>,
    },
}

/// Ask every case, or take recorded answers, and score them
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt suite run suite.yaml --answers answers.jsonl\n  atlas-gt suite run suite.yaml --agent-command './ask.sh' --concurrency 2\n  atlas-gt suite run suite.yaml --agent http://localhost:8000 --budget-usd 2 --min-score 0.8\n  atlas-gt eval compare 20261101T103000Z latest\n\nThe run is kept like those of `eval run`: `eval resume`, `rescore`, `report`, `compare` and `trend` work on it\nExit code 2: an answer belongs to no case · 3: a case or the gate failed, or a budget is exceeded · 6: the agent or a scorer failed"
)]
struct RunArgs {
    /// The suite
    suite: PathBuf,
    /// Cases to ask at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrency: u16,
    /// Fail (exit 3) if the mean is below this, instead of if a case fails; what a scorer leaves unscored fails either way
    #[arg(long, value_name = "SHARE", value_parser = share)]
    min_score: Option<f64>,
    /// Stop before asking costs more than this. Recorded answers that cost more are not scored (exit 3); one without
    /// `cost_usd` counts at --agent-price
    #[arg(long, alias = "budget", value_name = "DOLLARS", value_parser = dollars)]
    budget_usd: Option<Decimal>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    asked: AskedAgent,
    /// The answers, one per line: {"case": …, "output": …, "tool_calls"?: […], "links"?: […]}
    #[arg(long, value_name = "FILE", group = "who")]
    answers: Option<PathBuf>,
    #[command(flatten)]
    agent_price: AgentPrice,
}

/// The price of an answer.
#[derive(Debug, Args)]
#[command(next_help_heading = "Prices")]
struct AgentPrice {
    /// Price of an agent's answer in dollars, or `unknown` [default: from the price list]
    #[arg(long, value_parser = price, value_name = "DOLLARS")]
    agent_price: Option<Price>,
}

/// A price, if known.
#[derive(Debug, Clone, Copy)]
struct Price(Option<Decimal>);

fn price(text: &str) -> std::result::Result<Price, String> {
    match text {
        "unknown" => Ok(Price(None)),
        text => dollars(text).map(|price| Price(Some(price))).map_err(|why| why + ", or `unknown`"),
    }
}

/// Runs the command.
///
/// # Errors
/// A file cannot be read or parsed.
pub(super) fn run(shared: &Shared, args: SuiteArgs) -> Result<Exit> {
    match args.action {
        Action::Check { suite, budget_usd, agent_price, judge_price } => {
            let listed = prices(&settings::resolve(shared, Settings::default())?)?.per_question;
            let price = |named: Option<Price>, listed| named.map_or(listed, |price| price.0);
            let prices = Prices {
                agent: price(agent_price.agent_price, listed.agent),
                judge: price(judge_price, listed.judge),
            };
            check(&suite, budget_usd, prices, shared.format)
        }
        Action::Run(args) => {
            notify::run_and_notify("suite run", shared, &args.output.notify, || evaluate(shared, &args))
        }
    }
}

/// The cost of asking an agent every question of a suite, plus a judge if a scorer needs one.
fn cost_of(suite: &Suite, registry: &Registry, prices: Prices) -> CostEstimate {
    let needs_judge = |case: &&SuiteCase| {
        let mut scorers = case.scorers.iter().filter_map(|scorer| registry.get(&scorer.name));
        scorers.any(|scorer| scorer.needs_judge())
    };
    let judged = suite.cases.iter().filter(needs_judge).count() as u64;
    estimate(RunPlan { questions: suite.cases.len() as u64, recorded: false, judged }, prices)
}

fn in_dollars(price: Option<Decimal>) -> String {
    price.map_or_else(|| "an unknown amount".to_owned(), |price| format!("${}", price.normalize()))
}

/// The wording for a cost: its subject, and the remedies if it exceeds the budget or is unknown.
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
    above: "an answer without `cost_usd` counts at --agent-price",
    unknown: "give every answer a `cost_usd`, or name --agent-price for those without",
};

/// Compares a cost with the budget: exit 3 if it exceeds the budget, 2 if it is unknown. Without a budget, an unknown
/// price is allowed.
fn within(cost: &CostEstimate, budget: Option<Decimal>, words: &CostWords) -> Exit {
    match (budget, cost.total) {
        (Some(_), None) => {
            let unknown = words.unknown;
            print_status(format_args!(
                "error: --budget-usd: a price is unknown: {unknown}, or omit --budget-usd"
            ));
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
            "{}: {}; asking an agent costs about {}, a judge {} at the prices of --agent-price and --judge-price, \
             scoring recorded answers is free; ",
            path.display(),
            count(*cases, "case"),
            in_dollars(cost.agent),
            in_dollars(cost.judge)
        ),
    };
    let report = CheckReport::of(problems, cases.as_ref().map(|(cases, _)| *cases), summary);
    print_alone(format, &CheckReport { cost: cases.as_ref().map(|(_, cost)| *cost), ..report })?;
    Ok(cases.map_or(Exit::Usage, |(_, cost)| within(&cost, budget, &OF_CASES)))
}

fn evaluate(shared: &Shared, args: &RunArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.output.runs.settings())?;
    let suite = suite_of(&args.suite)?;
    // `eval resume` may run elsewhere
    let whole = |path: &Path| match path.as_os_str() == "-" {
        true => Ok(path.to_owned()),
        false => std::path::absolute(path).map_err(Error::file(path)),
    };
    let answers = args.answers.as_deref().map(whole).transpose()?;
    let who = args.asked.choice(answers.as_ref(), &config)?;
    let (mut recorded, standard_input) = recorded_answers(&who)?;
    let unknown_answers = strangers(&suite, &who, &mut recorded);
    let listed = prices(&config)?.per_question.agent;
    let price = args.agent_price.agent_price.map_or(listed, |price| price.0);
    if who.is_recorded() {
        let cost = AnswersCost::sum(recorded.iter().map(|(_, answer)| answer.cost));
        let exit = within(&cost.estimate(Prices { agent: price, judge: None }), args.budget_usd, &OF_ANSWERS);
        if exit != Exit::Ok {
            return Ok(exit);
        }
    } else {
        Budget::new(args.budget_usd)?.needs_price(price, "the agent")?;
    }
    let clock = Clock::from_environment()?;
    let file = whole(&args.suite)?;
    let source = CaseSource::Suite { name: suite.name.clone(), file };
    let mut settings = RunSettings {
        agent_timeout: args.asked.agent_timeout,
        agent_price_usd: price.filter(|_| !who.is_recorded()),
        concurrency: args.concurrency.into(),
        budget_usd: args.budget_usd.filter(|_| !who.is_recorded()),
        min_score: args.min_score,
        selection: format!("suite {}", suite.name),
        inputs: standard_input.into_iter().collect(),
        unknown_answers,
        ..RunSettings::new(source, who, clock.now())
    };
    let (agent, cases) = asked(&suite, &settings, &recorded)?;
    settings.agent_name = agent.name();
    settings.planned = cases.iter().map(|case| case.question.question_id.clone()).collect();
    let events = args.output.event_file()?;
    let folder = RunFolder::create(&config.runs, &mut settings)?;
    if !settings.unknown_answers.is_empty() {
        print_status(&settings.unknown_answers);
    }
    let summary = execute(&agent, &folder, &settings, cases, events, (clock, &config))?;
    let questions = folder.questions(&settings.planned)?;
    let cost = match settings.agent.is_recorded() {
        true => AnswersCost::of(recorded.iter().map(|(_, answer)| answer.cost)),
        false => AnswersCost::of(questions.iter().map(QuestionRecord::stated_cost)),
    };
    let report = SuiteRun::of(summary, &questions, cost)
        .ok_or_else(|| Error::Usage(format!("run {} has no case of a suite", folder.name())))?;
    print_alone(shared.format, &report)
}

/// Removes recorded answers that belong to no case of the suite, and returns them.
fn strangers(suite: &Suite, who: &AgentChoice, recorded: &mut Vec<(usize, AgentOutput)>) -> UnknownAnswers {
    let AgentChoice::Answers(path) = who else { return UnknownAnswers::default() };
    let of = recorded.len();
    let is_stranger =
        |(_, answer): &mut (usize, AgentOutput)| !suite.cases.iter().any(|case| case.name == answer.case);
    let stranger = |(line, answer): (usize, AgentOutput)| UnknownAnswer {
        question_id: answer.case,
        why: format!("{}:{line}: the suite has no such case", path.display()),
    };
    UnknownAnswers { of, answers: recorded.extract_if(.., is_stranger).map(stranger).collect() }
}
