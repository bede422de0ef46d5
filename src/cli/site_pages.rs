//! `atlas-gt site`: writes the pages of the desk as files.

use std::path::PathBuf;
use std::sync::Arc;

use atlas_gt_serve::failures::failures;
use atlas_gt_serve::metrics::metrics;
use atlas_gt_serve::window::Window;
use atlas_gt_serve::write_site;
use jiff::Span;

use super::print::{print_report, quarantined};
use super::serve::Shown;
use super::settings::Shared;
use super::traces::{self, Place, failed};
use crate::error::{Error, Exit, Result};
use crate::report::output;
use crate::truth::Store;
use crate::workflow::Clock;

/// Marks a page as written by this program.
const GENERATOR: &str = "<meta name=\"generator\" content=\"atlas-gt\">";

/// Write the desk as a folder of read-only HTML files
///
/// The folder must be new, empty, or from an earlier run. Production pages are left out if there is no database.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt site out/site\n  atlas-gt site public --store ground_truth --runs runs"
)]
pub(super) struct SiteArgs {
    /// The folder
    out: PathBuf,
    #[command(flatten)]
    place: Place,
    #[command(flatten)]
    shown: Shown,
}

pub(super) fn run(shared: &Shared, args: &SiteArgs) -> Result<Exit> {
    let config = args.place.resolve(shared)?;
    check(&args.out)?;
    output::outside_store(&args.out, &config.store)?;
    let sources = args.shown.sources(shared, &config, args.place.flags())?;
    let now = Clock::from_environment()?.now();
    let address = traces::address(&config);
    let has_database =
        config.database.is_some() || config.traces_from.is_some() || PathBuf::from(&address).is_file();
    if !has_database {
        Store::read(&config.store)?;
    }
    let production = if has_database {
        let since =
            now.checked_sub(Span::new().hours(7 * 24)).map_err(|error| Error::Usage(error.to_string()))?;
        Some(super::print::runtime()?.block_on(async {
            let (database, traces) = traces::open_existing(&config).await?;
            let window: Arc<Window> = Arc::default();
            let found = failures(&database, &traces, &window, since, now).await.map_err(failed)?;
            database.close().await;
            Ok::<_, Error>((metrics(&window, now), found))
        })?)
    } else {
        None
    };
    let production = production.as_ref().map(|(metrics, failures)| (metrics, failures));
    let written = write_site(&sources, production, &args.out, now)?;
    Ok(print_report(shared, &config, &written)?.worst(quarantined(&sources.quarantined()?)))
}

/// Rejects a folder with other content: its pages could be mistaken for pages of the desk.
fn check(out: &std::path::Path) -> Result<()> {
    let Ok(mut entries) = std::fs::read_dir(out) else { return Ok(()) };
    let index = std::fs::read_to_string(out.join("index.html")).unwrap_or_default();
    if entries.next().is_some() && !index.contains(GENERATOR) {
        return Err(Error::Usage(format!(
            "{} contains files that this command did not write: name another folder",
            out.display()
        )));
    }
    Ok(())
}
