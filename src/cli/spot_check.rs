//! `atlas-gt spot-check`: asks the agent, visits the page, and compares both with the stored truth.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::agent_choice::{AgentArgs, Answered, agent, print_without_truth, settings_of};
use super::choice::share;
use super::eval_output::Runs;
use super::eval_run::to_continue;
use super::flags::Overwrite;
use super::manifest;
use super::notify::{self, Notify};
use super::print::{print_with, quarantined, runtime, written};
use super::running;
use super::settings::{self, Shared};
use super::site::serve;
use crate::acquire::browser::Pool;
use crate::agent::{Agent, known_questions};
use crate::config::{Config, Settings};
use crate::error::{Error, Exit, Result};
use crate::evaluate::StoredQuestions;
use crate::event::Events;
use crate::manifest::{Entry, QuestionId};
use crate::report::{Format, output, print_status};
use crate::selection::{QuestionFilter, at_least_one};
use crate::truth::{Site, Store};
use crate::words::count;
use crate::workflow::evaluate::{self, AgentChoice, CaseKind, CaseSource, RunFolder, RunSettings};
use crate::workflow::spot_check::{self, SpotReport};
use crate::workflow::{self, Clock, Draw, Drawn, SampleCandidate};
use atlas_gt_core::command_line::{command, flag, quoted};
use atlas_gt_core::question_id::question_label;

/// Compare the agent's answers, the live page and the stored truth, and say which is wrong and why
///
/// No record is changed: a page that contradicts the stored truth leaves a pending change for `refresh --commit`.
/// Every answer is saved at once in `runs/{time}/questions/`; `--resume` continues a check that was stopped or killed.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt spot-check --agent http://localhost:8000 --mode graphql_only --fraction 0.1 --seed 7\n  atlas-gt spot-check --agent-command './ask.sh --fast' --questions 61,65,75\n  atlas-gt spot-check --answers answers.jsonl --report out/check\n  atlas-gt spot-check --site twin --agent-site twin --answers answers.jsonl\n  atlas-gt spot-check --resume latest\n\nExit code 2: an answer to an unknown question · 3: mismatches or pending changes · 6: the agent left a question unanswered"
)]
pub(super) struct SpotCheckArgs {
    /// Share of the questions with truth to check [default: 0.1; with --answers, all answered questions]
    #[arg(long, value_name = "PART", value_parser = part, conflicts_with = "questions", help_heading = "Selection")]
    fraction: Option<f64>,
    /// Minimum number of questions to check
    #[arg(
        long,
        value_name = "N",
        default_value_t = 5,
        conflicts_with = "questions",
        help_heading = "Selection"
    )]
    least: usize,
    /// Only these questions: ids and ranges, `61,64,100-112`
    #[arg(long, value_name = "IDS", value_delimiter = ',', help_heading = "Selection")]
    questions: Vec<String>,
    /// Seed of the draw [default: from the clock, printed]
    #[arg(long, value_name = "N", conflicts_with = "questions", help_heading = "Selection")]
    seed: Option<u64>,
    /// Continue this run (its name, its folder, or `latest`): ask what was not asked, and visit all pages again
    #[arg(long, value_name = "RUN", conflicts_with_all = ["fraction", "least", "questions", "seed", "agent", "agent_command", "answers", "agent_site", "agent_timeout", "agent_concurrency", "mode", "pipeline"], help_heading = "Selection")]
    resume: Option<String>,
    /// Write spot_check_report.json, .md and .html into this folder
    #[arg(long, value_name = "DIR")]
    report: Option<PathBuf>,
    #[command(flatten)]
    runs: Runs,
    #[command(flatten)]
    events: super::flags::EventsTo,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    notify: Notify,
    #[command(flatten)]
    agent: AgentArgs,
    /// Questions to ask the agent at a time
    #[arg(
        long,
        value_name = "N",
        default_value_t = 2,
        value_parser = clap::value_parser!(u16).range(1..=64),
        help_heading = "Agent"
    )]
    agent_concurrency: u16,
    #[command(flatten)]
    visiting: super::visiting::Visiting,
}

/// Changes of the last 35 days count as recent: the check is monthly, with a margin (decision 10).
const RECENT_DAYS: i64 = 35;

pub(super) fn run(shared: Shared, args: SpotCheckArgs) -> Result<Exit> {
    notify::run_and_notify("spot-check", &shared, &args.notify, || check(&shared, &args))
}

fn check(shared: &Shared, args: &SpotCheckArgs) -> Result<Exit> {
    let flags = Settings { runs: args.runs.settings().runs, ..args.visiting.settings() };
    let mut config = settings::resolve(shared, flags.clone())?;
    let resumed = args.resume.as_deref().map(|run| resumed(run, &config)).transpose()?;
    if let Some((_, settings)) = &resumed {
        let (manifest, store) = (settings.manifest.clone(), Some(settings.store.clone()));
        let site = match settings.site {
            Site::Twin => Some("twin".to_owned()),
            Site::Mirror if shared.site.is_none() => {
                Store::read(&settings.store)?.address().map(str::to_owned)
            }
            _ => None,
        };
        config = settings::resolve(shared, Settings { site, manifest, store, ..flags })?;
    }
    let site = match &resumed {
        Some((folder, settings)) => site_of_run(folder, settings, &config)?,
        None => check_site(args, &config)?,
    };
    let extractors = workflow::extractors(&config)?;
    let manifest = manifest::read(&config, &extractors)?;
    let clock = Clock::from_environment()?;
    let store = Store::open_existing(&config.store, site, config.site.address())?;
    StoredQuestions::new(&store).check(manifest.questions())?;
    let known = known_questions(manifest.questions(), &store)?;
    let who = match &resumed {
        Some((_, settings)) => (settings.agent.clone(), settings.agent_timeout),
        None => (args.agent.choice(&config)?, args.agent.asked.agent_timeout),
    };
    let (agent, answered) = agent(&who.0, who.1, &known)?;
    let entries = manifest.entries;
    let settings = match &resumed {
        Some((_, settings)) => settings.clone(),
        None => plan(args, (&config, clock), (&entries, &store), (who.0, agent.name()), answered)?,
    };
    if let Some(id) = settings.planned.iter().find(|id| !entries.iter().any(|one| one.question_id == **id)) {
        let label = question_label(id);
        return Err(Error::Usage(format!("{label} of run {} is no longer in the manifest", settings.run)));
    }
    let run = match &resumed {
        Some((folder, _)) => quoted(&folder.path().display().to_string()),
        None => format!("latest{}", flag("runs", config.runs.display())),
    };
    let invocation = args.visiting.invocation(shared, &config);
    let resume = invocation.with_manifest(&format!("spot-check --resume {run}"));
    let in_hand = running::and_resume("the current pages and answers", &resume);
    // an unwritable report fails before the agent is asked
    let files = args.report.as_deref().map(|folder| files(folder, args.overwrite)).transpose()?;
    let strangers = if settings.unknown_answers.is_empty() { Exit::Ok } else { Exit::Usage };
    let report = runtime()?.block_on(async {
        let served = serve(&config, &args.visiting.twin).await?;
        let wanted = entries.iter().filter(|entry| settings.planned.contains(&entry.question_id));
        let mut job = running::job(&config, &served, wanted.cloned().collect(), extractors, store, clock)?;
        running::obey_robots(&config, &mut job, args.visiting.ignore_robots).await?;
        let job = Arc::new(job);
        let event_file = args.events.open(args.overwrite)?;
        let ask = async |pool: &Pool, events: &Events, stop: &AtomicBool| {
            // create the run only once everything else works
            let (folder, settings) = match resumed {
                Some(resumed) => resumed,
                None => {
                    let mut settings = settings;
                    (RunFolder::create(&config.runs, &mut settings)?, settings)
                }
            };
            let (name, path) = (folder.name(), folder.path().display());
            print_status(format_args!("checking {}: run {name} ({path})", settings.selection));
            spot_check::spot_check(pool, &agent, &job, (&folder, &settings), events, stop).await
        };
        let report = running::with_browsers(&config, &job, (event_file, in_hand), ask).await;
        served.close().await;
        report
    })?;
    if let Some(files) = &files {
        write_report(&report, files, &config)?;
    }
    let exit = print_with(shared.format, &invocation, &report)?;
    Ok(exit.worst(quarantined(&report.quarantined)).worst(strangers))
}

/// The settings of a new check.
fn plan(
    args: &SpotCheckArgs,
    (config, clock): (&Config, Clock),
    (entries, store): (&[Entry], &Store),
    (who, agent_name): (AgentChoice, String),
    answered: Option<Answered>,
) -> Result<RunSettings> {
    let ids = answered.as_ref().map(|answered| answered.ids.as_slice());
    // a question may be missing because its record cannot be read
    let chosen = choose(args, entries, store, ids, clock).inspect_err(|_| {
        quarantined(&store.quarantined());
    })?;
    Ok(RunSettings {
        concurrency: args.agent_concurrency.into(),
        selection: chosen.words(),
        seed: chosen.seed,
        planned: chosen.drawn.keys().cloned().collect(),
        unknown_answers: answered.map(|answered| answered.unknown).unwrap_or_default(),
        answered_without_truth: chosen.answered_without_truth.clone(),
        ..settings_of(&args.agent, (chosen.source(), who, agent_name), (config, store), clock)?
    })
}

/// An earlier check to resume.
fn resumed(run: &str, config: &Config) -> Result<(RunFolder, RunSettings)> {
    let (folder, settings) = to_continue(run, config, CaseKind::SpotCheck)?;
    let (name, path) = (folder.name(), quoted(&folder.path().display().to_string()));
    if settings.source.kind() != CaseKind::SpotCheck {
        let resume = command(&format!("{} {path}", settings.source.kind().resume()), "");
        return Err(Error::Usage(format!("run {name} is not a spot check: `{resume}` continues it")));
    }
    if evaluate::kept(&folder, &settings)?.1.is_some() {
        let show = command(&format!("eval report {path}"), "");
        return Err(Error::Usage(format!(
            "run {name} is complete: `{show}` shows it, and a new check visits the pages again"
        )));
    }
    settings.check_inputs()?;
    Ok((folder, settings))
}

/// The site of a resumed check.
fn site_of_run(folder: &RunFolder, settings: &RunSettings, config: &Config) -> Result<Site> {
    let (site, own) = (Site::of(&config.site), settings.site);
    if site == own {
        return Ok(site);
    }
    Err(Error::Usage(format!("run {} checks the {own} site: name its address in --site", folder.name())))
}

/// Parses a share of the questions.
fn part(text: &str) -> std::result::Result<f64, String> {
    share(text).ok().filter(|part| *part > 0.0).ok_or_else(|| "use a share above 0 and at most 1".to_owned())
}

/// The site that both the truth and the agent's answers are about.
fn check_site(args: &SpotCheckArgs, config: &Config) -> Result<Site> {
    let (site, agent_site) = (Site::of(&config.site), args.agent.agent_site);
    if site == agent_site {
        return Ok(site);
    }
    Err(Error::Usage(format!(
        "the truth of the {site} site never scores an agent that answers about the {agent_site} site; pass \
         --agent-site {site} if the agent answers about that site"
    )))
}

struct Chosen {
    drawn: BTreeMap<QuestionId, Drawn>,
    candidates: usize,
    seed: Option<u64>,
    /// Questions with a recorded answer that are skipped for lack of truth.
    answered_without_truth: Vec<QuestionId>,
}

impl Chosen {
    /// The checked questions, as text.
    fn words(&self) -> String {
        let drawn = self.drawn.len();
        match self.seed {
            Some(seed) => format!("{drawn} of {}, seed {seed}", count(self.candidates, "question")),
            None => count(drawn, "question"),
        }
    }

    fn source(&self) -> CaseSource {
        CaseSource::SpotCheck { drawn: self.drawn.clone(), candidates: self.candidates }
    }
}

fn choose(
    args: &SpotCheckArgs,
    entries: &[Entry],
    store: &Store,
    answered: Option<&[QuestionId]>,
    clock: Clock,
) -> Result<Chosen> {
    let mut candidates = spot_check::candidates(store, entries)?;
    let all = candidates.len();
    let mut answered_without_truth: Vec<QuestionId> = Vec::new();
    if let Some(answered) = answered {
        let has_page = |id: &&QuestionId| candidates.iter().any(|one| one.question_id == **id);
        answered_without_truth.extend(answered.iter().filter(|id| !has_page(id)).cloned());
        print_without_truth(&answered_without_truth, answered.len());
        candidates.retain(|one| answered.contains(&one.question_id));
    }
    let candidates = at_least_one(candidates, || {
        let why = if all == 0 {
            format!(
                "has no record of a question with a page; create records with `{}`",
                store.command("collect")
            )
        } else {
            "has truth for none of the recorded answers".to_owned()
        };
        format!("{} {why}", store.dir().display())
    })?;
    if let Some(named) = QuestionFilter::new("--questions", &args.questions)? {
        let known: Vec<String> = candidates.iter().map(|one| one.question_id.to_string()).collect();
        let named = named.questions(&known, "the list to check")?;
        let is_named = |one: &&SampleCandidate| named.iter().any(|id| id == one.question_id.as_str());
        let drawn = candidates.iter().filter(is_named).map(|one| (one.question_id.clone(), Drawn::Named));
        return Ok(Chosen {
            drawn: drawn.collect(),
            candidates: candidates.len(),
            seed: None,
            answered_without_truth,
        });
    }
    let now = clock.now();
    let seed = args.seed.unwrap_or_else(|| now.as_millisecond().unsigned_abs());
    let fraction = args.fraction.unwrap_or(if answered.is_some() { 1.0 } else { 0.1 });
    let since = now - jiff::SignedDuration::from_hours(24 * RECENT_DAYS);
    let drawn = workflow::sample(&candidates, &Draw { fraction, least: args.least, seed, since });
    Ok(Chosen {
        drawn: drawn.into_iter().collect(),
        candidates: candidates.len(),
        seed: Some(seed),
        answered_without_truth,
    })
}

fn write_report(report: &SpotReport, files: &[PathBuf; 3], config: &Config) -> Result<()> {
    for (path, format) in files.iter().zip([Format::Json, Format::Md, Format::Html]) {
        output::write(path, &written(report, format, config)?)?;
    }
    let [json, md, html] = files;
    print_status(format_args!("report: {}, {}, {}", json.display(), md.display(), html.display()));
    Ok(())
}

/// The paths of the report files. Creates the folder if needed.
fn files(folder: &Path, overwrite: Overwrite) -> Result<[PathBuf; 3]> {
    std::fs::create_dir_all(folder).map_err(Error::named(folder))?;
    let files = ["json", "md", "html"].map(|kind| folder.join(format!("spot_check_report.{kind}")));
    let kinds = [output::SPOT_CHECK, output::SPOT_CHECK_TEXT, output::SPOT_CHECK_PAGE];
    files.iter().zip(kinds).try_for_each(|(path, kind)| overwrite.check(path, kind))?;
    Ok(files)
}
