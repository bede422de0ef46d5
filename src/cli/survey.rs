//! `atlas-gt survey`: which of all points one page of each kind shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::overwrite::Overwrite;
use super::print::{Format, colours, print, print_json, runtime};
use super::running;
use super::settings::{self, Shared};
use super::site::serve;
use crate::error::{Exit, Result};
use crate::report::{self, output, print_status, survey_html};
use crate::selection::at_least_one;
use crate::truth::Store;
use crate::workflow::survey::{Bundle, pages, planned};
use crate::workflow::{self, Clock};

/// Open one page of each kind and say what the extractor specs find on it and what they do not
///
/// Nothing is written as truth. The captures are kept in a folder of their own, from which everything can be read again
/// without the site.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt survey\n  atlas-gt survey --site twin --pages country,treemap --html survey.html\n  atlas-gt survey --site twin --fault wordings-renamed --out out/surveys/renamed --format json"
)]
pub(super) struct Args {
    /// Only these kinds of pages: country, treemap, geomap, overtime, marketshare, productspace, feasibility
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pages: Vec<String>,
    /// Keep the captures in this folder [default: out/surveys/TIME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write one page with all that was found, and the pictures, to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    visiting: super::visiting::Visiting,
    /// How to print the report
    #[arg(long, value_enum, default_value_t = Format::Table)]
    format: Format,
}

pub(super) fn run(shared: Shared, args: Args) -> Result<Exit> {
    let config = settings::resolve(&shared, args.visiting.settings())?;
    let specs = workflow::specs(&config)?;
    let extractors = workflow::extractors(&specs)?;
    let chosen = pages(&args.pages)?;
    let clock = Clock::from_environment()?;
    let out = args.out.clone().unwrap_or_else(|| {
        Path::new("out/surveys").join(clock.now().strftime("%Y-%m-%dT%H-%M-%SZ").to_string())
    });
    // a wrong path is reported before any browser starts
    args.overwrite.check_named(args.html.as_deref(), output::SURVEY)?;
    let visits = chosen.iter().enumerate().map(|(at, page)| page.visit(at, &extractors));
    let visits: Vec<crate::manifest::Visit> = visits.collect::<Result<_>>()?;
    at_least_one(visits.iter().flat_map(|visit| &visit.entries).count(), || {
        "no extractor spec reads a page of these kinds: nothing can be found on them".to_owned()
    })?;
    runtime()?.block_on(async {
        let served = serve(&config, &args.visiting.twin).await?;
        let store = Store::open_at(&out, served.site, config.site.address())?;
        let entries = visits.iter().flat_map(|visit| visit.entries.clone()).collect();
        let mut job = running::job(&config, &served, entries, extractors, store, clock)?;
        running::heed_robots(&config, &mut job, args.visiting.ignore_robots).await?;
        let api = job.api.take();
        print_status(format_args!(
            "surveying {} ({}) into {}: {} pages, some {} requests",
            config.site,
            served.base,
            out.display(),
            visits.len(),
            planned(&job, api.as_ref(), &visits),
        ));
        let job = Arc::new(job);
        let survey = running::running(&config, &job, None, async |pool, events, stop| {
            workflow::survey::survey(pool, &job, api.as_ref(), &chosen, events, stop).await
        })
        .await;
        served.close().await;
        let survey = survey?;
        drop(job);
        if let Some(path) = &args.html {
            output::write(path, survey_html::page(&Bundle::read(&out)?).as_bytes())?;
        }
        match args.format {
            Format::Json => print_json(&survey)?,
            Format::Table => print(&report::survey::text(&survey, colours())),
        }
        Ok(survey.exit())
    })
}
