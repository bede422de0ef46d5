//! `atlas-gt collect`: visits every page of the manifest once and stores its values.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use super::flags::Overwrite;
use super::manifest;
use super::notify::{self, Notify};
use super::print::{print_with, quarantined, runtime, written};
use super::running::{self, Nobody};
use super::selected::Selected;
use super::settings::{self, Shared};
use super::site::serve;
use crate::error::{Error, Exit, Result};
use crate::evaluate::StoredQuestions;
use crate::event::Events;
use crate::manifest::{Entry, ManifestQuestion, QuestionId};
use crate::report::{Format, output, print_status};
use crate::truth::Store;
use crate::words::count;
use crate::workflow::{self, Clock, QuestionOutcome, ResumeMode, RunOptions};

/// Visit every page of the manifest once in a real browser and store its values
///
/// Writes a record for each question that has none. Existing records are never changed: a page that differs leaves a
/// pending reading, and the exit code is 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt collect\n  atlas-gt collect --site twin --questions 61,64,107 --sessions 2\n  atlas-gt collect --resume\n  atlas-gt collect --max-age 30d --events out/events.jsonl --report out/report.json\n  atlas-gt collect --webdriver http://hub.example.org:4444 --sessions 4\n  atlas-gt collect --site http://127.0.0.1:8080 --store out/trial --format json"
)]
pub(super) struct CollectArgs {
    #[command(flatten)]
    selected: Selected,
    /// Continue an unfinished run: visit only what is missing or failed
    #[arg(long, conflicts_with = "retry_failed", help_heading = "Selection")]
    resume: bool,
    /// Only the questions that failed in the last run
    #[arg(long, help_heading = "Selection")]
    retry_failed: bool,
    /// Skip questions whose page was read less than this ago: `30d`, `12h`, `2w`
    #[arg(long, value_name = "TIME", value_parser = max_age, help_heading = "Selection")]
    max_age: Option<Duration>,
    #[command(flatten)]
    events: super::flags::EventsTo,
    /// Write a JSON report of the run to this file: requests by host, waits, retries, slowest pages
    #[arg(long, value_name = "FILE")]
    report: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    notify: Notify,
    #[command(flatten)]
    visiting: super::visiting::Visiting,
}

pub(super) fn run(shared: Shared, args: CollectArgs) -> Result<Exit> {
    notify::run_and_notify("collect", &shared, &args.notify, || collect(&shared, &args))
}

fn collect(shared: &Shared, args: &CollectArgs) -> Result<Exit> {
    let config = settings::resolve(shared, args.visiting.settings())?;
    let extractors = workflow::extractors(&config)?;
    let mut manifest = manifest::read(&config, &extractors)?;
    let asked = manifest.content();
    args.selected.narrow(&mut manifest, || {
        let plan = settings::invocation(&config).with_manifest("plan");
        format!(
            "none of the chosen questions can be collected; `{plan}` shows those that wait and those without a page"
        )
    })?;
    let entries = manifest.entries;
    let invocation = args.visiting.invocation(shared, &config);
    let in_hand = running::and_resume(running::PAGES, &invocation.with_manifest("collect --resume"));
    runtime()?.block_on(async {
        let served = serve(&config, &args.visiting.twin).await?;
        print_status(format_args!(
            "reading {} ({}) into {}",
            config.site,
            served.base,
            config.store.display()
        ));
        let store = Store::open_at(&config.store, served.site, config.site.address())?;
        StoredQuestions::new(&store).check(entries.iter().map(ManifestQuestion::from))?;
        store.remember_manifest(asked)?;
        // inside the store's lock, so that a rejected run cannot touch the files of the running one
        args.overwrite.check_named(args.report.as_deref(), output::COLLECTION)?;
        let event_file = args.events.open(args.overwrite)?;
        let (entries, options) = plan_resume(&store, entries, args)?;
        let mut job = running::job(&config, &served, entries, extractors, store, Clock::from_environment()?)?;
        job.options = RunOptions { manifest: job.options.manifest.take(), ..options };
        running::obey_robots(&config, &mut job, args.visiting.ignore_robots).await?;
        let job = Arc::new(job);
        let report = if job.entries.iter().any(Entry::is_collected) {
            running::with_browsers(&config, &job, (event_file, in_hand), async |pool, events, stop| {
                workflow::collect(pool, &job, events, stop).await
            })
            .await
        } else {
            workflow::collect(&Nobody, &job, &Events::silent(), &AtomicBool::new(false)).await
        };
        served.close().await;
        let mut report = report?;
        let seen = report.visits.iter().filter(|visit| visit.failure.is_none() && visit.requests > 0);
        job.estimates.clone().keep(seen.map(workflow::VisitReport::needed), config.sessions);
        let failed = report.questions.iter().filter(|one| one.outcome == QuestionOutcome::Failed);
        report.review = workflow::review::hint(&job.store, failed.map(|one| one.question_id.as_str()))?;
        if let Some(path) = &args.report {
            output::write(path, &written(&report, Format::Json, &config)?)?;
        }
        let exit = print_with(shared.format, &invocation, &report)?;
        Ok(exit.worst(quarantined(&report.quarantined)))
    })
}

/// The chosen questions that still need to be collected.
fn plan_resume(store: &Store, entries: Vec<Entry>, args: &CollectArgs) -> Result<(Vec<Entry>, RunOptions)> {
    let again = match (args.resume, args.retry_failed) {
        (true, _) if args.selected.names_questions() => ResumeMode::UnfinishedAndNamed,
        (true, _) => ResumeMode::Unfinished,
        (_, true) => ResumeMode::Failed,
        _ => ResumeMode::Everything,
    };
    let now = Clock::from_environment()?.now();
    let taken = workflow::plan_resume(store, entries, again, args.max_age, now)?;
    let left = taken.entries.iter().filter(|entry| entry.is_collected()).count();
    if again == ResumeMode::Failed && taken.nothing_known {
        return Err(Error::Nothing(
            "--retry-failed: there is no earlier run with failed questions; omit it to collect them"
                .to_owned(),
        ));
    }
    if left == 0 && taken.fresh == 0 && !taken.unknown.is_empty() {
        let ids: Vec<&str> = taken.unknown.iter().map(QuestionId::as_str).collect();
        let them = if ids.len() == 1 { "it" } else { "them" };
        return Err(Error::Nothing(format!(
            "nothing to collect: the last run left {} unanswered, but the manifest lacks {them} or --questions leaves \
             {them} out; pass the right --manifest, or select {them}",
            ids.join(", ")
        )));
    }
    if again == ResumeMode::Unfinished && left == 0 && taken.fresh == 0 {
        print_status("nothing to resume: no collection is unfinished");
    } else if again != ResumeMode::Everything {
        let left = count(left, "question");
        print_status(format_args!("{left} left, {} answered before", taken.answered_before));
    } else if let Some(begun) = taken.abandoned {
        print_status(format_args!(
            "the run of {begun} left questions unanswered; this run starts over (--resume continues it)"
        ));
    }
    let options = RunOptions {
        goes_on: taken.goes_on,
        answered_before: taken.answered_before,
        fresh: taken.fresh,
        ..RunOptions::default()
    };
    Ok((taken.entries, options))
}

/// Parses `30d`, `12h` or `2w`.
fn max_age(text: &str) -> std::result::Result<Duration, String> {
    let wrong = |_| "write it as 30d, 12h or 2w; months and years have no fixed length".to_owned();
    let span: jiff::Span = text.parse().map_err(wrong)?;
    let time = span.to_duration(jiff::SpanRelativeTo::days_are_24_hours()).map_err(wrong)?;
    Duration::try_from(time).map_err(|_| "it is in the future; write it as 30d, 12h or 2w".to_owned())
}
