//! `atlas-gt collect`: visit every page of the manifest once and store what it says.

use std::path::PathBuf;

use super::settings::{self, Shared};
use super::site::serve;
use super::{Format, colours, print, print_json, running, runtime};
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::manifest::{Entry, Manifest};
use crate::report;
use crate::truth::Store;
use crate::workflow::{self, Clock};

/// Visit every page of the manifest once with a real browser and store what it says
///
/// A question without a record gets one. A record that the page still agrees with is left alone, byte for
/// byte. A record that the page differs from is left alone too: the reading is kept pending, exit code 3.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt collect\n  atlas-gt collect --site twin --questions 61,64,107 --sessions 2\n  atlas-gt collect --site http://127.0.0.1:8080 --store out/trial --format json"
)]
pub(super) struct Args {
    /// What to collect [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Only these questions: ids and ranges, `61,64,100-112`
    #[arg(long, value_name = "IDS", value_delimiter = ',')]
    questions: Vec<String>,
    /// Only questions of these extractors
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    extractor: Vec<String>,
    /// Browsers at a time [default: 2]
    #[arg(long, value_name = "N", env = "ATLAS_GT_SESSIONS")]
    sessions: Option<usize>,
    /// Requests per minute, everything counted [default: 120, the site's limit; more on this machine only]
    #[arg(long, value_name = "N", env = "ATLAS_GT_RATE")]
    rate: Option<u32>,
    /// Seconds that a page may take to show what is looked for [default: 20]
    #[arg(long, value_name = "SECONDS")]
    page_timeout: Option<u64>,
    /// Address or e-mail to name in the User-Agent
    #[arg(long, value_name = "TEXT", env = "ATLAS_GT_CONTACT")]
    contact: Option<String>,
    /// Chromium's program
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_CHROMIUM")]
    chromium: Option<PathBuf>,
    /// ChromeDriver's program
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_CHROMEDRIVER")]
    chromedriver: Option<PathBuf>,
    #[command(flatten)]
    twin: super::twin::Options,
    /// How to print the summary
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let flags = Settings {
        manifest: args.manifest.clone(),
        sessions: args.sessions,
        rate: args.rate,
        contact: args.contact.clone(),
        page_timeout: args.page_timeout,
        chromium: args.chromium.clone(),
        chromedriver: args.chromedriver.clone(),
        ..Settings::default()
    };
    let config = settings::resolve(&shared, flags)?;
    let specs = workflow::specs(&config)?;
    let extractors = workflow::extractors(&specs)?;
    let manifest = settings::manifest(&config, &specs)?;
    let entries = choose(manifest, &args)?;
    runtime()?.block_on(async {
        let served = serve(&config, args.twin.clone().build()).await?;
        eprintln!("reading {} ({}) into {}", config.site, served.base, config.store.display());
        let store = Store::open(&config.store, served.site)?;
        let job = running::job(&config, &served, entries, extractors, store, Clock::from_environment())?;
        let report = running::running(&config, &job, async |pool, events, stop| {
            workflow::collect(pool, &job, events, stop).await
        })
        .await;
        served.close().await;
        let report = report?;
        let seen = report.visits.iter().filter(|visit| visit.failure.is_none() && visit.requests > 0);
        job.learned.clone().keep(seen.map(workflow::VisitReport::needed), config.sessions);
        match args.format {
            Format::Json => print_json(&report)?,
            Format::Table => print(&report::collect::text(&report, colours())),
        }
        Ok(report.exit())
    })
}

/// The entries that the flags choose.
fn choose(manifest: Manifest, args: &Args) -> Result<Vec<Entry>> {
    let mut entries = manifest.entries;
    if !args.questions.is_empty() {
        let known: Vec<String> = entries.iter().map(|entry| entry.question_id.to_string()).collect();
        let chosen = ids(&args.questions, &known, "the manifest")?;
        entries.retain(|entry| chosen.contains(&entry.question_id.to_string()));
    }
    if !args.extractor.is_empty() {
        entries.retain(|entry| args.extractor.contains(&entry.extractor));
    }
    if entries.iter().all(|entry| !entry.is_collected()) {
        return Err(Error::Usage("nothing of the manifest is left to collect".to_owned()));
    }
    Ok(entries)
}

/// Ids and ranges of ids, spread out over those that are known.
pub(super) fn ids(parts: &[String], known: &[String], holder: &str) -> Result<Vec<String>> {
    let mut chosen = Vec::new();
    for part in parts.iter().map(|part| part.trim()).filter(|part| !part.is_empty()) {
        let before = chosen.len();
        let range = part
            .split_once('-')
            .and_then(|(from, to)| Some(from.trim().parse::<u64>().ok()?..=to.trim().parse::<u64>().ok()?));
        chosen.extend(
            known
                .iter()
                .filter(|id| {
                    *id == part
                        || range
                            .as_ref()
                            .is_some_and(|range| id.parse().is_ok_and(|id: u64| range.contains(&id)))
                })
                .cloned(),
        );
        if chosen.len() == before {
            let few: Vec<&str> = known.iter().take(5).map(String::as_str).collect();
            return Err(Error::Usage(format!(
                "--questions {part}: {holder} has no such question (it has {}, …)",
                few.join(", ")
            )));
        }
    }
    Ok(chosen)
}
