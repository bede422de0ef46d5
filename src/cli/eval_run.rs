//! `eval run`, `eval resume`, `eval rescore`: evaluate an agent from the first question to the
//! report.

use std::num::NonZeroU32;
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;

use clap::Args;
use rust_decimal::Decimal;

use super::agent_choice::{
    AgentArgs, agent, not_in_manifest, print_not_in_manifest, print_without_truth, settings_of,
};
use super::choice::dollars;
use super::component_agent::asked;
use super::eval_judge::{JudgeArgs, grader, price, prices};
use super::eval_output::{GateArgs, Runs, show};
use super::flags::{EventsTo, Overwrite};
use super::manifest;
use super::notify::{self, Notify};
use super::print::{moment, quarantined, runtime};
use super::running;
use super::settings::{self, Shared};
use super::suite_file;
use crate::agent::{Agent, known_questions};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::event::Events;
use crate::judge::Budget;
use crate::manifest::{Manifest, same_question};
use crate::report::Format;
use crate::report::eval::resume_command;
use crate::report::events::EventFile;
use crate::report::print_status;
use crate::scoring::SCORING_VERSION;
use crate::scoring::components::Component;
use crate::selection::QuestionFilter;
use crate::truth::Store;
use crate::words::count;
use crate::workflow::evaluate::rescore::{self, NoAgent};
use crate::workflow::evaluate::{
    self, AskedFor, Case, CaseKind, CaseScorer, CaseSource, Choice, Judging, NamedScorers, QuestionRecord,
    Run, RunFolder, RunLimits, RunSelection, RunSettings, RunSummary, TruthScorer, select,
};
use crate::workflow::{self, Clock};
use atlas_gt_core::command_line::{command, quoted, runs_command};
use atlas_gt_core::question_id::question_label;

/// Ask the agent questions and score its answers
///
/// Every answer is saved at once in `runs/{time}/questions/`. `eval resume` continues a run that was stopped or killed.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval run --smoke --agent http://localhost:8000 --judge openai:gpt-5-mini\n  atlas-gt eval run --agent-command './ask.sh' --questions 61,65,75 --concurrency 2\n  atlas-gt eval run --answers answers.jsonl --min-pass-rate 0.6\n  atlas-gt eval run --balanced 30 --seed 7 --agent http://localhost:8000 --budget-usd 5\n  atlas-gt eval run --failed-in latest --agent http://localhost:8000\n\nExit code 3: the gate failed, or the budget stopped the run · 6: the agent left a question unanswered, or a needed judge failed"
)]
#[command(group = clap::ArgGroup::new("which"))]
pub(super) struct RunArgs {
    /// Only these questions, with or without truth: ids and ranges, `61,64,100-112`
    #[arg(long, value_name = "IDS", value_delimiter = ',', group = "which", help_heading = "Selection")]
    questions: Vec<String>,
    /// Only the five questions of the smoke test
    #[arg(long, group = "which", help_heading = "Selection")]
    smoke: bool,
    /// Draw N questions, spread over the categories
    #[arg(long, value_name = "N", group = "which", help_heading = "Selection")]
    balanced: Option<usize>,
    /// Only questions whose truth changed since this date or time
    #[arg(long, value_name = "DATE", group = "which", help_heading = "Selection")]
    changed_since: Option<String>,
    /// Only questions that did not pass in that run
    #[arg(long, value_name = "RUN", group = "which", help_heading = "Selection")]
    failed_in: Option<String>,
    /// Seed of the draw of --balanced [default: from the clock, printed]
    // clap waives `requires` beside what excludes the required flag
    #[arg(
        long,
        value_name = "N",
        requires = "balanced",
        conflicts_with_all = ["questions", "smoke", "changed_since", "failed_in"],
        help_heading = "Selection"
    )]
    seed: Option<u64>,
    /// Questions to ask at a time
    #[arg(long, value_name = "N", default_value_t = 4, value_parser = clap::value_parser!(u16).range(1..=64))]
    concurrency: u16,
    /// Stop before the run costs more than this
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    budget_usd: Option<Decimal>,
    #[command(flatten)]
    gate: GateArgs,
    /// The questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    agent: AgentArgs,
    /// Price of one agent answer in dollars [default: from the price list]; recorded answers are free
    #[arg(long, value_name = "DOLLARS", value_parser = dollars, help_heading = "Agent")]
    agent_price: Option<Decimal>,
    #[command(flatten)]
    judge: JudgeArgs,
}

/// Flags for the destination and output of a run.
#[derive(Debug, Args)]
pub(super) struct Output {
    #[command(flatten)]
    pub runs: Runs,
    #[command(flatten)]
    pub notify: Notify,
    #[command(flatten)]
    events: EventsTo,
    #[command(flatten)]
    overwrite: Overwrite,
}

impl Output {
    /// The file of events, if one is named.
    pub fn event_file(&self) -> Result<Option<EventFile>> {
        self.events.open(self.overwrite)
    }
}

/// Continue a run: ask and judge what is missing
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval resume latest\n  atlas-gt eval resume 20261120T103000Z --budget-usd 10"
)]
pub(super) struct ResumeArgs {
    /// The run: its name, its folder, or `latest`
    run: String,
    /// New budget for the whole run, in dollars
    #[arg(long, value_name = "DOLLARS", value_parser = dollars)]
    budget_usd: Option<Decimal>,
    #[command(flatten)]
    output: Output,
}

/// Score a run's answers again as a new run, with today's rules or another judge
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  atlas-gt eval rescore latest\n  atlas-gt eval rescore 20261120T103000Z --judge anthropic:claude-haiku-4-5 --repeat 3"
)]
pub(super) struct RescoreArgs {
    /// The run to score: its name, its folder, or `latest`
    run: String,
    #[command(flatten)]
    output: Output,
    #[command(flatten)]
    judge: JudgeArgs,
}

pub(super) fn run(shared: &Shared, args: &RunArgs) -> Result<Exit> {
    notify::run_and_notify("eval run", shared, &args.output.notify, || ask(shared, args))
}

fn ask(shared: &Shared, args: &RunArgs) -> Result<Exit> {
    let flags = Settings { manifest: args.manifest.clone(), ..args.output.runs.settings() };
    let config = settings::resolve(shared, flags)?;
    let (manifest, store) = truth(&config)?;
    settings::note_other_numbers(&store, &manifest);
    let clock = Clock::from_environment()?;
    let choice = choice(args, &config.runs, &manifest, clock)?;
    let who = args.agent.choice(&config)?;
    let known = known_questions(manifest.questions(), &store)?;
    let (agent, answered) = agent(&who, args.agent.asked.agent_timeout, &known)?;
    let answered_ids = answered.as_ref().map(|answered| answered.ids.as_slice());
    let answers = answered_ids.map_or(0, <[_]>::len);
    let answered_not_in_manifest =
        answered_ids.map(|ids| not_in_manifest(ids, &manifest)).unwrap_or_default();
    print_not_in_manifest(&answered_not_in_manifest, answers);
    let RunSelection { questions, unreadable, without_truth, answered_without_truth, coverage, words, seed } =
        select(&manifest, &store, &choice, answered_ids, args.agent.agent_site)?;
    let bad = quarantined(&store.quarantined());
    let prices = prices(&config)?;
    let agent_price = args.agent_price.or(prices.per_question.agent);
    let budget = Budget::new(args.budget_usd)?;
    if !who.is_recorded() {
        budget.needs_price(agent_price, "the agent")?;
    }
    let source = (CaseSource::Manifest, who, agent.name());
    let planned = settings_of(&args.agent, source, (&config, &store), clock)?;
    let mut settings = RunSettings {
        agent_price_usd: agent_price.filter(|_| !planned.agent.is_recorded()),
        judge: args.judge.choice(&config)?,
        judge_timeout: args.judge.timeout,
        concurrency: args.concurrency.into(),
        budget_usd: args.budget_usd,
        min_pass_rate: args.gate.min_pass_rate,
        selection: words,
        seed,
        planned: questions.iter().map(|case| case.question.question_id.clone()).collect(),
        unreadable,
        unknown_answers: answered.map(|answered| answered.unknown).unwrap_or_default(),
        without_truth,
        answered_without_truth: answered_without_truth.clone(),
        answered_not_in_manifest,
        coverage,
        ..planned
    };
    // an unavailable judge fails before the agent is asked
    if let Some(judge) = &settings.judge {
        drop(grader(judge, &prices, settings.judge_timeout)?);
        budget.needs_price(price(judge, &prices)?, &judge.model)?;
    }
    let folder = RunFolder::create(&config.runs, &mut settings)?;
    for one in &settings.unreadable {
        print_status(format_args!(
            "{} is skipped because its record cannot be read: {}",
            question_label(&one.question_id),
            one.why
        ));
    }
    print_without_truth(&answered_without_truth, answers);
    if without_truth > 0 && answered_without_truth.is_empty() {
        let left = count(without_truth, "question");
        print_status(format_args!("{left} without truth skipped; name them in --questions to ask them"));
    }
    Ok(run_and_show(&agent, &folder, &settings, questions, (&args.output, shared.format), (clock, &config))?
        .worst(bad))
}

pub(super) fn resume(shared: &Shared, args: &ResumeArgs) -> Result<Exit> {
    notify::run_and_notify("eval resume", shared, &args.output.notify, || continue_run(shared, args))
}

fn continue_run(shared: &Shared, args: &ResumeArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.output.runs.settings())?;
    let (folder, mut settings) = to_continue(&args.run, &config, CaseKind::Manifest)?;
    settings.budget_usd = args.budget_usd.or(settings.budget_usd);
    let clock = Clock::from_environment()?;
    let output = (&args.output, shared.format);
    unasked(&folder, &settings).iter().for_each(print_status);
    if let Some(ending) = evaluate::kept(&folder, &settings)?.1 {
        // nothing is left to ask or score: neither the agent nor a file is needed
        drop(args.output.event_file()?);
        let (summary, questions) = evaluate::summary_of(&folder, &settings, Some(ending))?;
        return show(&summary, &questions, &settings, (shared.format, &config.runs));
    }
    if settings.source.kind() == CaseKind::SpotCheck {
        let (name, path) = (folder.name(), quoted(&folder.path().display().to_string()));
        let resume = command(&format!("{} {path}", settings.source.kind().resume()), "");
        return Err(Error::Usage(format!("run {name} is a spot check: `{resume}` continues it")));
    }
    if settings.rescore_of.is_some() {
        let cases = folder.questions(&settings.planned)?.into_iter().map(QuestionRecord::case).collect();
        return run_and_show(&NoAgent, &folder, &settings, cases, output, (clock, &config));
    }
    settings.check_inputs()?;
    match &settings.source {
        CaseSource::Components { component, folder: cases } => {
            let (agent, cases) = asked(*component, cases.as_deref(), &settings)?;
            return run_and_show(&agent, &folder, &settings, cases, output, (clock, &config));
        }
        CaseSource::Suite { file, .. } => {
            let suite = suite_file::suite_of(file)?;
            let (recorded, standard_input) = suite_file::recorded_answers(&settings.agent)?;
            settings.check_standard_input(standard_input.as_ref())?;
            let (agent, cases) = suite_file::asked(&suite, &settings, &recorded)?;
            return run_and_show(&agent, &folder, &settings, cases, output, (clock, &config));
        }
        CaseSource::Manifest | CaseSource::SpotCheck { .. } => {}
    }
    let flags = Settings {
        manifest: settings.manifest.clone(),
        store: Some(settings.store.clone()),
        ..args.output.runs.settings()
    };
    let config = settings::resolve(shared, flags)?;
    let (manifest, store) = truth(&config)?;
    let known = known_questions(manifest.questions(), &store)?;
    let (agent, _) = agent(&settings.agent, settings.agent_timeout, &known)?;
    let choice = Choice::Named(settings.planned.clone());
    let questions = select(&manifest, &store, &choice, None, settings.site)?.questions;
    let bad = quarantined(&store.quarantined());
    Ok(run_and_show(&agent, &folder, &settings, questions, output, (clock, &config))?.worst(bad))
}

/// Why a rescored run is partial: the original run never asked all its cases. Names the commands that complete both.
fn unasked(folder: &RunFolder, settings: &RunSettings) -> Option<String> {
    let runs = folder.runs();
    let open = |name: &String| {
        let of = RunFolder::open(runs, name).ok()?;
        let known = of.settings().ok()?;
        Some((of, known))
    };
    let first = settings.rescore_of.as_ref().filter(|_| settings.unasked > 0).and_then(open);
    let (of, known) =
        std::iter::successors(first, |(_, known)| known.rescore_of.as_ref().and_then(open)).last()?;
    let (summary, _) = evaluate::summary_of(&of, &known, None).ok()?;
    let resume = resume_command(&summary, runs).map(|resume| format!("`{resume}` first, then "));
    Some(format!(
        "run {} is missing {} that run {} never asked: {}`{}`",
        folder.name(),
        count(settings.unasked, "question"),
        of.name(),
        resume.unwrap_or_default(),
        on_run("eval rescore", &of)
    ))
}

pub(super) fn rescore(shared: &Shared, args: &RescoreArgs) -> Result<Exit> {
    notify::run_and_notify("eval rescore", shared, &args.output.notify, || score_again(shared, args))
}

fn score_again(shared: &Shared, args: &RescoreArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.output.runs.settings())?;
    let clock = Clock::from_environment()?;
    let of = RunFolder::open(&config.runs, &args.run)?;
    let mut judge = (args.judge.choice(&config)?, args.judge.timeout);
    if judge.0.is_some() && !of.settings()?.source.kind().is_judged() {
        print_status(format_args!(
            "no judge is asked: the cases of run {} have their own scorers",
            of.name()
        ));
        judge.0 = None;
    }
    let (folder, settings, questions) = rescore::rescored(&config.runs, &of, judge, clock.now())?;
    run_and_show(&NoAgent, &folder, &settings, questions, (&args.output, shared.format), (clock, &config))
}

/// A command on a run, with the folder of its runs.
fn on_run(what: &str, folder: &RunFolder) -> String {
    runs_command(&format!("{what} {}", quoted(folder.name())), folder.runs())
}

/// A stored run and its settings, to be continued. `latest` is the last run that the command for this kind continues.
///
/// # Errors
/// There is no such run, or its scoring is of another version.
pub(super) fn to_continue(run: &str, config: &Config, kind: CaseKind) -> Result<(RunFolder, RunSettings)> {
    let is_wanted = |name: &String| {
        let settings = RunFolder::open(&config.runs, name).and_then(|folder| folder.settings());
        settings.is_ok_and(|known| known.source.kind().resume() == kind.resume())
    };
    let names = if run == "latest" { evaluate::list_some(&config.runs, kind)? } else { Vec::new() };
    let latest = names.into_iter().rev().find(is_wanted);
    let folder = RunFolder::open(&config.runs, latest.as_deref().unwrap_or(run))?.for_writing()?;
    let settings = folder.settings()?;
    if settings.scoring_version != SCORING_VERSION {
        return Err(Error::Usage(format!(
            "run {} has scoring version {}, this program has {SCORING_VERSION}: versions are never mixed; \
             `{}` scores its answers again",
            folder.name(),
            settings.scoring_version,
            on_run("eval rescore", &folder)
        )));
    }
    Ok((folder, settings))
}

/// The configured manifest and store, the store read-only.
fn truth(config: &Config) -> Result<(Manifest, Store)> {
    let manifest = manifest::read(config, &workflow::extractors(config)?)?;
    Ok((manifest, Store::read(&config.store)?))
}

fn choice(args: &RunArgs, runs: &Path, manifest: &Manifest, clock: Clock) -> Result<Choice> {
    if let Some(questions) = args.balanced {
        let seed = args.seed.unwrap_or_else(|| clock.now().as_millisecond().unsigned_abs());
        return Ok(Choice::Balanced { questions, seed });
    }
    if let Some(run) = &args.failed_in {
        let folder = RunFolder::open(runs, run)?;
        let mut answered = folder.questions(&folder.settings()?.planned)?;
        // the same number in another list is a different question
        answered.retain(|one| {
            let asked = manifest.questions().find(|asked| *asked.id == one.question.question_id);
            let text = asked.and_then(|asked| asked.text());
            text.is_none_or(|text| same_question(text, &one.question.text))
        });
        let questions = evaluate::failed_in(&answered);
        return Ok(Choice::FailedIn { run: folder.name().to_owned(), questions });
    }
    if let Some(since) = &args.changed_since {
        return Ok(Choice::ChangedSince(moment(since, false)?));
    }
    if args.smoke {
        return Ok(Choice::Smoke);
    }
    let Some(named) = QuestionFilter::new("--questions", &args.questions)? else { return Ok(Choice::All) };
    let entries = manifest.entries.iter().map(|entry| entry.question_id.to_string());
    let behaviors = manifest.behaviors.iter().map(|behavior| behavior.question_id.to_string());
    let known: Vec<String> = entries.chain(behaviors).collect();
    let named = named.questions(&known, "the manifest")?;
    let ids =
        named.iter().map(|id| id.parse().map_err(|error| Error::Usage(format!("--questions: {error}"))));
    Ok(Choice::Named(ids.collect::<Result<_>>()?))
}

/// Runs the remaining questions of a run, and reports it.
fn run_and_show<A: Agent>(
    agent: &A,
    folder: &RunFolder,
    settings: &RunSettings,
    cases: Vec<Case>,
    (output, format): (&Output, Format),
    (clock, config): (Clock, &Config),
) -> Result<Exit> {
    let file = output.event_file()?;
    let summary = execute(agent, folder, settings, cases, file, (clock, config))?;
    show(&summary, &folder.questions(&settings.planned)?, settings, (format, &config.runs))
}

/// Runs the remaining questions of a run, with the scorer for its cases.
pub(super) fn execute<A: Agent>(
    agent: &A,
    folder: &RunFolder,
    settings: &RunSettings,
    cases: Vec<Case>,
    events: Option<EventFile>,
    (clock, config): (Clock, &Config),
) -> Result<RunSummary> {
    let registry = match &settings.source {
        CaseSource::Components { .. } => Some(Component::scorers()),
        CaseSource::Suite { .. } => Some(suite_file::registry_of(&cases)?),
        CaseSource::Manifest | CaseSource::SpotCheck { .. } => None,
    };
    if let Some(registry) = &registry {
        let scorer = NamedScorers { registry };
        return run_until_stopped((agent, &scorer), folder, settings, cases, events, clock);
    }
    let prices = prices(config)?;
    let grader =
        settings.judge.as_ref().map(|judge| grader(judge, &prices, settings.judge_timeout)).transpose()?;
    let judging = settings.judge.as_ref().zip(grader.as_ref()).map(|(judge, grader)| Judging {
        grader,
        rubric: judge.rubric,
        repeat: NonZeroU32::new(judge.repeat).unwrap_or(NonZeroU32::MIN),
    });
    let scorer = TruthScorer {
        asked: AskedFor { mode: settings.mode, pipeline: settings.pipeline },
        judging,
        judge_price_usd: prices.per_question.judge.unwrap_or_default(),
        folder,
    };
    run_until_stopped((agent, &scorer), folder, settings, cases, events, clock)
}

/// Runs until everything is done or Ctrl-C, and prints how to continue.
fn run_until_stopped<A: Agent, S: CaseScorer>(
    (agent, scorer): (&A, &S),
    folder: &RunFolder,
    settings: &RunSettings,
    cases: Vec<Case>,
    file: Option<EventFile>,
    clock: Clock,
) -> Result<RunSummary> {
    print_status(format_args!("run {} ({})", folder.name(), folder.path().display()));
    let limits = RunLimits::of(settings);
    let ask = async |events: &Events, stop: &AtomicBool| {
        let run = Run { folder, agent, scorer, limits, clock, events, stop };
        evaluate::run(folder, settings, &run, cases).await
    };
    let resume = on_run(settings.source.kind().resume(), folder);
    let in_hand = running::and_resume("the current answers", &resume);
    let run = running::with_progress((file, in_hand), std::future::ready(()), ask);
    let summary = runtime()?.block_on(run)?;
    if let Some(resume) = resume_command(&summary, folder.runs()) {
        print_status(format_args!("continue with `{resume}`"));
    }
    Ok(summary)
}
