//! Runs workflows with browsers: starts the browsers, shows progress, handles Ctrl-C, and always
//! closes the browsers.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use tokio::signal::unix::{SignalKind, signal};

use super::site::{Served, schemas};
use crate::acquire::browser::{BrowserOptions, Lease, Pool};
use crate::acquire::graphql::{Api, Client};
use crate::acquire::{Browser, Rate, Robots, VisitError};
use crate::config::Config;
use crate::error::{Error, Exit, Result};
use crate::event::Events;
use crate::manifest::Entry;
use crate::report;
use crate::report::events::EventFile;
use crate::report::print_status;
use crate::truth::Store;
use crate::workflow::{Clock, Extractors, Job, OwnApi, RequestEstimates, RunOptions};

/// The maximum number of attempts at a page.
const ATTEMPTS: u32 = 3;

/// The job for these settings, with one budget for pages and our own queries.
pub(super) fn job(
    config: &Config,
    served: &Served,
    entries: Vec<Entry>,
    extractors: Extractors,
    store: Store,
    clock: Clock,
) -> Result<Job> {
    let rate = Arc::new(rate(config, served));
    let client = Client::new(&served.base, config.contact.as_deref(), rate.clone())?;
    Ok(Job {
        base: served.base.clone(),
        entries,
        extractors,
        store,
        rate,
        api: Some(OwnApi { client, schemas: schemas(config) }),
        estimates: RequestEstimates::of(&config.site.to_string()),
        sessions: config.sessions,
        page_timeout: config.page_timeout,
        attempts: ATTEMPTS,
        clock,
        options: RunOptions { manifest: config.manifest.clone(), ..RunOptions::default() },
    })
}

/// The request budget. For a remote site all commands share it.
pub(super) fn rate(config: &Config, served: &Served) -> Rate {
    match crate::machine::cache_folder().filter(|_| !config.site.is_local()) {
        Some(folder) => {
            let host = served.base.host_str().unwrap_or("site");
            Rate::new(config.rate).shared(folder.join(format!("requests-of-{host}.json")))
        }
        None => Rate::new(config.rate),
    }
}

/// Reads robots.txt and excludes the pages that it disallows, unless `ignored`. It is requested
/// even if no page is left to visit, so that every run notices an unreachable site.
///
/// # Errors
/// No page is left to visit, and the site is unreachable or refuses.
pub(super) async fn obey_robots(config: &Config, job: &mut Job, ignored: bool) -> Result<()> {
    let visits = job.entries.iter().any(Entry::is_collected);
    if visits && ignored {
        return Ok(());
    }
    let robots = Robots::fetch(&job.base, config.contact.as_deref(), &job.rate).await?;
    if let Some(why) = robots.refusal().filter(|_| !visits) {
        return Err(Error::Site(why.to_owned()));
    }
    if let Some(why) = Api::ALL.iter().find_map(|api| robots.forbids(api.path())).filter(|_| visits) {
        tracing::warn!("our own API queries are disabled: {why}");
        job.api = None;
    }
    job.options.robots = robots;
    Ok(())
}

/// What an interrupted run of page visits finishes first.
pub(super) const PAGES: &str = "the current pages";

/// What an interrupted run finishes first, and the complete command that continues it.
pub(super) fn and_resume(in_hand: &str, command: &str) -> String {
    format!("{in_hand}, `{command}` continues with the rest")
}

/// Runs a workflow with as many browsers as its pages need.
pub(super) async fn with_browsers<T>(
    config: &Config,
    job: &Job,
    (file, in_hand): (Option<EventFile>, impl Into<String>),
    workflow: impl AsyncFnOnce(&Pool, &Events, &AtomicBool) -> Result<T>,
) -> Result<T> {
    let pages = crate::manifest::visits(&job.entries).len();
    let pool = Pool::start(job.sessions.min(pages.max(1)), browser_options(config, job)).await?;
    let last = pool.clone();
    let close = async move { last.close().await };
    let result =
        with_progress((file, in_hand), close, async |events, stop| workflow(&pool, events, stop).await).await;
    pool.close().await;
    result
}

/// Runs a workflow, shows its events, and stops it on Ctrl-C. `close` runs before a second Ctrl-C
/// ends the process.
pub(super) async fn with_progress<T>(
    (file, in_hand): (Option<EventFile>, impl Into<String>),
    close: impl Future<Output = ()> + Send + 'static,
    workflow: impl AsyncFnOnce(&Events, &AtomicBool) -> Result<T>,
) -> Result<T> {
    let stop = Arc::new(AtomicBool::new(false));
    let watcher = tokio::spawn(stop_on_interrupt(stop.clone(), in_hand.into(), close));
    let progress = report::progress::Progress::start();
    let events = Events::new(move |event| {
        progress.show(event);
        if let Some(file) = &file {
            file.write(event, jiff::Timestamp::now());
        }
    });
    let result = workflow(&events, &stop).await;
    watcher.abort();
    result
}

/// The first Ctrl-C ends the run after the current work. The second runs `close` and ends at once.
pub(super) async fn stop_on_interrupt(
    stop: Arc<AtomicBool>,
    in_hand: String,
    close: impl Future<Output = ()>,
) {
    // one listener for both signals, so that the second cannot be missed
    let Ok(mut interrupts) = signal(SignalKind::interrupt()) else { return };
    interrupts.recv().await;
    stop.store(true, Ordering::Release);
    print_status(format_args!("stopping after {in_hand}; Ctrl-C again stops at once"));
    interrupts.recv().await;
    close.await;
    std::process::exit(Exit::Interrupted as i32);
}

/// Replaces the browsers if no page is left to visit.
pub(super) struct Nobody;

impl Browser for Nobody {
    type Page = Lease;

    async fn page(&self) -> std::result::Result<Lease, VisitError> {
        Err(VisitError::NothingOpen)
    }
}

fn browser_options(config: &Config, job: &Job) -> BrowserOptions {
    let mut options = BrowserOptions::new(job.base.clone());
    options.chromium.clone_from(&config.chromium);
    options.chromedriver.clone_from(&config.chromedriver);
    options.contact.clone_from(&config.contact);
    options.webdriver.clone_from(&config.webdriver);
    options.script = options.script.max(config.page_timeout * 3);
    options
}
