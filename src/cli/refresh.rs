//! `atlas-gt refresh`: shows what would change, and accepts changes.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::flags::Who;
use super::manifest;
use super::notify::{self, Notify};
use super::print::{print, print_of_store, print_with, quarantined, runtime, terminal};
use super::review_steps::{self, Choice};
use super::running::{self, Nobody};
use super::settings::{self, Shared};
use super::site::serve;
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::evaluate::StoredQuestions;
use crate::event::Events;
use crate::manifest::{Entry, QuestionId};
use crate::report::events::EventFile;
use crate::report::refresh::{of_changes, unread};
use crate::report::{self, Body, Doc, Format, Terminal, print_status};
use crate::selection::QuestionFilter;
use crate::truth::run_log::RunLog;
use crate::truth::{ChangeKind, CommitRun, Person, Reason, Store, judged, pending};
use crate::words::count;
use crate::workflow::refresh::{self, ChangeSelection, Chosen, Commit, Look, Picked, Refreshed};
use crate::workflow::{self, Clock, Job};
use atlas_gt_core::command_line::{self, flag};
use atlas_gt_core::question_id::question_label;

/// Visit the pages behind the records again, show what changed, and accept changes
///
/// By default no record changes: each difference is confirmed by a second visit, listed by kind, and kept pending with
/// its evidence. `--commit` accepts pending changes, all or some, without another visit. Exit code 3: something
/// differs. Exit codes 4 and 5: something could not be read, which never counts as a change.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt refresh\n  atlas-gt refresh --resume\n  atlas-gt refresh --stale --format md\n  atlas-gt refresh --api-only --questions 61,75\n  atlas-gt refresh --page countries/404\n  atlas-gt refresh --review\n  atlas-gt refresh --commit --question 61 --field gdp_per_capita\n  atlas-gt refresh --commit --kind revision,rounding\n  atlas-gt refresh --commit --question 61 --force --reason 'checked by hand'\n  atlas-gt refresh --discard --question 61\n  atlas-gt refresh --undo"
)]
pub(super) struct RefreshArgs {
    /// Change no record: show the differences, and keep them pending with their evidence, for --review and --commit (the default)
    #[arg(long, conflicts_with_all = ["commit", "discard"])]
    dry_run: bool,
    /// Query only the APIs, and list the pages that need a visit
    #[arg(long, conflicts_with_all = ["commit", "discard"])]
    api_only: bool,
    /// Only these questions: ids and ranges, `61,64,100-112`
    #[arg(
        long,
        visible_alias = "question",
        value_name = "IDS",
        value_delimiter = ',',
        help_heading = "Selection"
    )]
    questions: Vec<String>,
    /// Only questions of this page: `countries/404`, `explore/treemap`
    #[arg(long, value_name = "PATH", conflicts_with_all = ["commit", "discard"], help_heading = "Selection")]
    page: Vec<String>,
    /// Only records that `atlas-gt stale` lists
    #[arg(long, conflicts_with_all = ["commit", "discard"], help_heading = "Selection")]
    stale: bool,
    /// Continue an interrupted refresh
    #[arg(long, conflicts_with_all = ["commit", "discard", "api_only"], help_heading = "Selection")]
    resume: bool,
    /// Accept pending changes: write records, changelog and provenance in one atomic step
    #[arg(long, conflicts_with = "discard")]
    commit: bool,
    /// Discard pending changes
    #[arg(long)]
    discard: bool,
    /// Undo the last --commit or --discard, or that of RUN: its changes are pending again, and its records as before
    ///
    /// A record that has been written since stays as it is. The changelog keeps both changes.
    #[arg(
        long,
        value_name = "RUN",
        num_args = 0..=1,
        require_equals = true,
        default_missing_value = "",
        conflicts_with_all = ["dry_run", "api_only", "page", "stale", "resume", "commit", "discard", "review", "field", "kind"]
    )]
    undo: Option<String>,
    #[command(flatten)]
    who: Who,
    /// Step through pending changes: accept, discard or skip each, with the keys of `review`
    #[arg(long, conflicts_with_all = ["commit", "discard", "dry_run", "api_only", "page", "stale", "resume"])]
    review: bool,
    /// Only pending changes of these fields: `gdp_per_capita`, `top_products[ict]`
    #[arg(long, value_name = "FIELDS", help_heading = "Selection")]
    field: Vec<String>,
    /// Only pending changes of these kinds: revision, rounding, scope, schema, disappearance, appearance
    #[arg(long, value_name = "KINDS", value_delimiter = ',', help_heading = "Selection")]
    kind: Vec<ChangeKind>,
    /// Also accept a reading from a weaker source; requires --reason
    #[arg(long, requires = "commit", requires = "reason", conflicts_with_all = UNFORCED)]
    force: bool,
    /// Reason for --force; recorded in the changelog
    #[arg(long, value_name = "TEXT", requires = "force", conflicts_with_all = UNFORCED)]
    reason: Option<String>,
    #[command(flatten)]
    events: super::flags::EventsTo,
    #[command(flatten)]
    overwrite: super::flags::Overwrite,
    #[command(flatten)]
    notify: Notify,
    #[command(flatten)]
    visiting: super::visiting::Visiting,
}

/// The flags beside which nothing is accepted. clap waives `requires` beside what excludes the required flag.
const UNFORCED: [&str; 7] = ["dry_run", "api_only", "page", "stale", "resume", "discard", "undo"];

pub(super) fn run(shared: Shared, args: RefreshArgs) -> Result<Exit> {
    let notify = args.notify.clone();
    notify::run_and_notify("refresh", &shared, &notify, || refresh(&shared, args))
}

fn refresh(shared: &Shared, args: RefreshArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.visiting.settings())?;
    // fail before a browser starts or a folder is created
    Store::read(&config.store)?.with_records()?;
    if args.discard {
        return discard(shared, &config, &args);
    }
    if let Some(run) = &args.undo {
        return undo(shared, &config, &args, run);
    }
    if args.commit {
        return commit(shared, &config, &args);
    }
    if args.review {
        return review_changes(shared, &config, args);
    }
    let of_pending = [
        ("--field", !args.field.is_empty()),
        ("--kind", !args.kind.is_empty()),
        ("--by", args.who.by.is_some()),
    ];
    let given: Vec<&str> = of_pending.iter().filter(|(_, given)| *given).map(|(flag, _)| *flag).collect();
    if !given.is_empty() {
        let given = given.join(", ");
        return Err(Error::Usage(format!(
            "{given}: only for pending changes, with --review, --commit or --discard"
        )));
    }
    let selection = ChangeSelection {
        questions: asked(&config, &args)?,
        pages: args.page.clone(),
        stale: args.stale.then(|| config.stale_months.clone()),
    };
    let (invocation, resume) = (args.visiting.invocation(shared, &config), resume_command(&args));
    let in_hand = running::and_resume(running::PAGES, &invocation.with_manifest(&resume));
    let mut report = read_again(shared, &config, &args, &selection, in_hand)?;
    let failed = report.broken.iter().map(|one| one.question_id.as_str());
    let failed = failed.chain(report.failed.iter().map(|one| one.question_id.as_str()));
    report.review = workflow::review::hint(&Store::read(&config.store)?, failed)?;
    report.resume = resume;
    let exit = print_with(shared.format, &invocation, &report)?;
    Ok(exit.worst(quarantined(&report.quarantined)))
}

/// The command that continues this run, with what it chose: ` --questions 61-65 --stale`.
fn resume_command(args: &RefreshArgs) -> String {
    let questions = Some(args.questions.join(",")).filter(|ids| !ids.is_empty());
    let questions = questions.map(|ids| flag("questions", ids));
    let pages = args.page.iter().map(|page| flag("page", page));
    let stale = args.stale.then(|| " --stale".to_owned());
    let chosen: String = questions.into_iter().chain(pages).chain(stale).collect();
    // a check by the APIs keeps no log: it runs again
    let again = if args.api_only { "--api-only" } else { "--resume" };
    format!("refresh {again}{chosen}")
}

/// The chosen questions, with ranges expanded to the records in the store.
fn asked(config: &Config, args: &RefreshArgs) -> Result<Option<Vec<String>>> {
    let Some(named) = QuestionFilter::new("--questions", &args.questions)? else { return Ok(None) };
    let store = Store::read(&config.store)?;
    let waiting = pending::ids(&store)?.into_iter().filter(|_| args.commit || args.discard || args.review);
    let decided = judged::ids(&store)?.into_iter().filter(|_| args.undo.is_some());
    let known: BTreeSet<QuestionId> =
        store.question_ids()?.into_iter().chain(waiting).chain(decided).collect();
    let known: Vec<String> = known.into_iter().map(|id| id.to_string()).collect();
    named.questions(&known, "the store").map(Some)
}

/// Checks the chosen records against their pages or APIs. `in_hand` says what an interrupted run finishes first.
fn read_again(
    shared: &Shared,
    config: &Config,
    args: &RefreshArgs,
    selection: &ChangeSelection,
    in_hand: String,
) -> Result<Refreshed> {
    let extractors = workflow::extractors(config)?;
    let manifest = manifest::read(config, &extractors)?;
    let clock = Clock::from_environment()?;
    runtime()?.block_on(async {
        let served = serve(config, &args.visiting.twin).await?;
        let store = Store::open_existing(&config.store, served.site, config.site.address())?;
        StoredQuestions::new(&store).check(manifest.questions())?;
        let entries: &[Entry] = &manifest.entries;
        let Chosen { entries, without_entry, without_page, without_record, browser_only, fresh } =
            refresh::choose(&store, entries, &extractors, selection, clock.now())?;
        store.remember_manifest(manifest.content())?;
        print_status(format_args!(
            "checking {} of {} against {}",
            count(entries.len(), "question"),
            config.site,
            config.store.display()
        ));
        report_earlier_run(&store, args)?;
        let mut job = running::job(config, &served, entries, extractors, store, clock)?;
        running::obey_robots(config, &mut job, args.visiting.ignore_robots).await?;
        job.options.goes_on = args.resume;
        job.options.fresh = fresh;
        let job = Arc::new(job);
        let event_file = args.events.open(args.overwrite)?;
        let report = look(shared.format, config, args, &job, (event_file, in_hand)).await;
        served.close().await;
        let mut report = report?;
        report.without_entry = without_entry;
        report.without_page = without_page;
        report.without_record = without_record.len();
        report.browser_only = browser_only;
        let seen = report.visits.iter().filter(|visit| visit.failure.is_none() && visit.requests > 0);
        job.estimates.clone().keep(seen.map(workflow::VisitReport::needed), config.sessions);
        Ok(report)
    })
}

/// Asks the APIs, or reads the pages in browsers. Where nothing is due, neither is started.
async fn look(
    format: Format,
    config: &Config,
    args: &RefreshArgs,
    job: &Arc<Job>,
    (event_file, in_hand): (Option<EventFile>, String),
) -> Result<Refreshed> {
    let run = run_id(job.clock);
    let api = job.api.as_ref().map(|api| &api.client);
    let (silent, stop) = (Events::silent(), AtomicBool::new(false));
    let look = Look { job, client: api, run: &run, events: &silent, stop: &stop };
    match (args.api_only, job.entries.is_empty()) {
        (true, nothing_due) => match api {
            Some(client) if nothing_due => look.ask(client).await,
            Some(client) => {
                let ask = async |events: &Events, stop: &AtomicBool| {
                    let look = Look { events, stop, ..look };
                    look.ask(client).await
                };
                running::with_progress((event_file, running::PAGES), std::future::ready(()), ask).await
            }
            None => Err(Error::Site(
                "--api-only: robots.txt disallows the APIs; omit it to read the pages in a browser"
                    .to_owned(),
            )),
        },
        (false, true) => Look { client: None, ..look }.refresh(&Nobody).await,
        (false, false) => {
            running::with_browsers(config, job, (event_file, in_hand), async |pool, events, stop| {
                let look = Look { events, stop, ..look };
                if format == Format::Html {
                    look.refresh_with_pictures(pool).await
                } else {
                    look.refresh(pool).await
                }
            })
            .await
        }
    }
}

/// Reports whether this run resumes an interrupted one.
fn report_earlier_run(store: &Store, args: &RefreshArgs) -> Result<()> {
    let earlier = RunLog::of_refresh(store).unfinished()?;
    match earlier.filter(|_| !args.api_only) {
        Some(run) if args.resume => {
            let missing = count(run.missing().len() + run.failed.len(), "question");
            print_status(format_args!("{missing} left to check, {} checked before", run.answered.len()));
        }
        Some(run) => {
            let begun = run.begun.map_or_else(String::new, |at| format!(" of {at}"));
            print_status(format_args!(
                "the refresh{begun} left questions unanswered; this run starts over (--resume continues it)"
            ));
        }
        None if args.resume => print_status("there is no unfinished refresh; checking everything"),
        None => {}
    }
    Ok(())
}

/// An id for this run: its start time, plus the process id for uniqueness.
fn run_id(clock: Clock) -> String {
    let at = clock.now().strftime("%Y%m%dT%H%M%SZ").to_string();
    match clock {
        Clock::Fixed(_) => at,
        Clock::System => format!("{at}-{}", std::process::id()),
    }
}

/// The run of a decision, with the person who makes it.
fn decision(args: &RefreshArgs) -> Result<CommitRun> {
    let clock = Clock::from_environment()?;
    Ok(CommitRun { id: run_id(clock), now: clock.now(), by: Some(args.who.name()) })
}

fn picked(config: &Config, args: &RefreshArgs) -> Result<Picked> {
    if args.kind.contains(&ChangeKind::ExtractorBroken) {
        return Err(Error::Usage(
            "--kind extractor_broken: there is no new value to accept; fix the extractor".to_owned(),
        ));
    }
    let fields = args.field.iter().flat_map(|list| refresh::field_list(list)).collect();
    Ok(Picked { questions: asked(config, args)?, fields, kinds: args.kind.clone() })
}

fn commit(shared: &Shared, config: &Config, args: &RefreshArgs) -> Result<Exit> {
    let picked = picked(config, args)?;
    let reason = match (&args.reason, args.force) {
        (Some(text), true) => Reason::new(command_line::reason(text)?),
        _ => None,
    };
    let run = decision(args)?;
    let order = Commit { picked: &picked, force: reason.as_ref(), run: &run };
    picked.check(&Store::read(&config.store)?)?;
    let mut done = commit_changes(config, &order)?;
    if !done.needs_page_look.is_empty() && reason.is_none() {
        // these readings come from the API: visit the pages and accept what they show
        print_status(format_args!("visiting the pages of {} first", done.needs_page_look.join(", ")));
        let selection =
            ChangeSelection { questions: Some(done.needs_page_look.clone()), ..ChangeSelection::default() };
        let in_hand = format!("{}, the same command continues with the rest", running::PAGES);
        let looked = read_again(shared, config, args, &selection, in_hand)?;
        if !looked.failed.is_empty() || !looked.broken.is_empty() {
            done.looked = looked.exit();
            let invocation = settings::invocation_of_store(config);
            let body = Body::of(|body| unread(body, &looked, &invocation));
            let doc = Doc { body, ..Doc::default() };
            print_status(report::text(&doc, Terminal::PLAIN).trim_end());
        }
        let only = Picked { questions: Some(done.needs_page_look.clone()), ..picked.clone() };
        // the pages were read after the first part of the run
        let run = CommitRun { now: Clock::from_environment()?.now(), ..run.clone() };
        let order = Commit { picked: &only, run: &run, ..order };
        let more = commit_changes(config, &order)?;
        done.taken.extend(more.taken);
        done.expired.extend(more.expired);
        done.expired.extend(looked.expired);
        done.needs_page_look = more.needs_page_look;
        done.left = more.left;
        done.quarantined.extend(more.quarantined);
        done.quarantined.sort();
        done.quarantined.dedup();
    }
    let exit = print_of_store(shared, config, &done)?;
    Ok(exit.worst(quarantined(&done.quarantined)))
}

fn commit_changes(config: &Config, order: &Commit<'_>) -> Result<refresh::Committed> {
    refresh::commit(&Store::open_as_found(&config.store)?, order)
}

/// Steps through pending changes until all are decided or the person quits.
fn review_changes(shared: &Shared, config: &Config, mut args: RefreshArgs) -> Result<Exit> {
    let picked = picked(config, &args)?;
    picked.check(&Store::read(&config.store)?)?;
    let all = refresh::waiting(&Store::read(&config.store)?, &picked)?;
    if all.is_empty() {
        print("no change is pending\n");
    }
    let invocation = settings::invocation_of_store(config);
    let mut input = std::io::stdin().lock();
    let mut exit = Exit::Ok;
    for (at, (id, changes)) in all.iter().enumerate() {
        let body = Body::of(|body| of_changes(body, changes, &invocation));
        let doc = Doc { body, ..Doc::default() };
        print(&format!("\n{} of {}\n{}", at + 1, all.len(), report::text(&doc, terminal())));
        let choice = loop {
            match review_steps::ask(&mut input, CHOICES, &question_label(id))? {
                Choice::Accept(Some(_)) => print("a change is accepted as read: enter `a` alone\n"),
                choice => break choice,
            }
        };
        args.questions = vec![id.clone()];
        match choice {
            Choice::Accept(_) => exit = exit.worst(commit(shared, config, &args)?),
            Choice::Reject(_) => exit = exit.worst(discard(shared, config, &args)?),
            Choice::Skip | Choice::Edit(_) | Choice::Picture => {}
            Choice::Quit => break,
        }
    }
    Ok(exit)
}

const CHOICES: &str =
    "a accept · r discard (the next refresh finds a remaining difference again) · s skip · q quit";

fn discard(shared: &Shared, config: &Config, args: &RefreshArgs) -> Result<Exit> {
    let picked = picked(config, args)?;
    picked.check(&Store::read(&config.store)?)?;
    let store = Store::open_as_found(&config.store)?;
    let dropped = refresh::discard(&store, &picked, &decision(args)?)?;
    let exit = print_of_store(shared, config, &dropped)?;
    Ok(exit.worst(quarantined(&dropped.quarantined)))
}

fn undo(shared: &Shared, config: &Config, args: &RefreshArgs, run: &str) -> Result<Exit> {
    let CommitRun { id, now, by } = decision(args)?;
    let person = Person { by: by.unwrap_or_default(), at: now, why: "undone".to_owned(), crop: None };
    let questions = asked(config, args)?;
    let store = Store::open_as_found(&config.store)?;
    let run = Some(run).filter(|run| !run.is_empty());
    let done = refresh::undo(&store, run, questions, &person, &id)?;
    print_of_store(shared, config, &done)
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(flatten)]
        args: RefreshArgs,
    }

    #[test]
    fn an_interrupted_refresh_is_continued_with_what_it_chose() {
        let resumed = |words: &[&str]| {
            let words = std::iter::once("x").chain(words.iter().copied());
            resume_command(&Line::try_parse_from(words).unwrap().args)
        };
        assert_eq!(resumed(&[]), "refresh --resume");
        assert_eq!(
            resumed(&["--stale", "--questions", "61-65,70", "--page", "explore/treemap?year=2024"]),
            "refresh --resume --questions 61-65,70 --page 'explore/treemap?year=2024' --stale"
        );
    }
}
