//! `atlas-gt survey`: checks which points one page of each kind shows.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::flags::Overwrite;
use super::print::{print_report, runtime, written};
use super::running;
use super::settings::{self, Shared};
use super::site::serve;
use super::visiting::Visiting;
use crate::config::Config;
use crate::error::{Exit, Result};
use crate::report::events::EventFile;
use crate::report::survey::Surveyed;
use crate::report::{Format, output, print_status};
use crate::selection::at_least_one;
use crate::truth::Store;
use crate::words::count;
use crate::workflow::survey::{Bundle, Survey, SurveyPage, pages, planned};
use crate::workflow::{self, Clock};

/// The folder of surveys.
pub(super) const SURVEYS: &str = "out/surveys";

/// Open one page of each kind and report what the extractor specs find and what they miss
///
/// No truth is written. The captures are kept in their own folder, so `mend` can read them again without the site.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt survey\n  atlas-gt survey --site twin --pages country,treemap --html survey.html\n  atlas-gt survey --site twin --fault wordings-renamed --out out/surveys/renamed --format json"
)]
pub(super) struct SurveyArgs {
    /// Only these kinds of page: country, treemap, geomap, overtime, marketshare, productspace, feasibility
    #[arg(long, value_name = "KINDS", value_delimiter = ',')]
    pages: Vec<String>,
    /// Folder for the captures [default: out/surveys/TIME]
    #[arg(long, value_name = "DIR")]
    out: Option<PathBuf>,
    /// Write one HTML page with all findings and pictures to this file
    #[arg(long, value_name = "FILE")]
    html: Option<PathBuf>,
    #[command(flatten)]
    events: super::flags::EventsTo,
    #[command(flatten)]
    overwrite: Overwrite,
    #[command(flatten)]
    visiting: Visiting,
}

pub(super) fn run(shared: Shared, args: SurveyArgs) -> Result<Exit> {
    let config = settings::resolve(&shared, args.visiting.settings())?;
    let chosen = pages(&args.pages)?;
    let out = args.out.clone().map_or_else(|| folder(""), Ok)?;
    // a wrong path fails before a browser starts
    args.overwrite.check_named(args.html.as_deref(), output::SURVEY)?;
    let event_file = args.events.open(args.overwrite)?;
    let survey = survey(&config, &args.visiting, &chosen, &out, event_file)?;
    let with_pictures =
        || -> Result<Surveyed<'_>> { Ok(Surveyed { survey: &survey, bundle: Some(Bundle::read(&out)?) }) };
    if let Some(path) = &args.html {
        output::write(path, &written(&with_pictures()?, Format::Html, &config)?)?;
    }
    let report = match shared.format {
        Format::Html => with_pictures()?,
        _ => Surveyed { survey: &survey, bundle: None },
    };
    print_report(&shared, &config, &report)
}

/// The folder for the captures of a new survey.
pub(super) fn folder(ending: &str) -> Result<PathBuf> {
    let at = Clock::from_environment()?.now().strftime("%Y-%m-%dT%H-%M-%SZ").to_string();
    Ok(Path::new(SURVEYS).join(at + ending))
}

/// Surveys pages into a folder.
pub(super) fn survey(
    config: &Config,
    visiting: &Visiting,
    chosen: &[SurveyPage],
    out: &Path,
    event_file: Option<EventFile>,
) -> Result<Survey> {
    let extractors = workflow::extractors(config)?;
    let clock = Clock::from_environment()?;
    let visits = chosen.iter().enumerate().map(|(at, page)| page.visit(at, &extractors));
    let visits: Vec<crate::manifest::Visit> = visits.collect::<Result<_>>()?;
    at_least_one(visits.iter().flat_map(|visit| &visit.entries).count(), || {
        "no extractor spec reads a page of these kinds".to_owned()
    })?;
    runtime()?.block_on(async {
        let served = serve(config, &visiting.twin).await?;
        let store = Store::open_at(out, served.site, config.site.address())?;
        let entries = visits.iter().flat_map(|visit| visit.entries.clone()).collect();
        let mut job = running::job(config, &served, entries, extractors, store, clock)?;
        running::obey_robots(config, &mut job, visiting.ignore_robots).await?;
        let api = job.api.take();
        print_status(format_args!(
            "surveying {} ({}) into {}: {}, about {}",
            config.site,
            served.base,
            out.display(),
            count(visits.len(), "page"),
            count(planned(&job, api.as_ref(), &visits), "request"),
        ));
        let job = Arc::new(job);
        let survey =
            running::with_browsers(config, &job, (event_file, running::PAGES), async |pool, events, stop| {
                workflow::survey::survey(pool, &job, api.as_ref(), chosen, events, stop).await
            })
            .await;
        served.close().await;
        survey
    })
}
