//! `atlas-gt doctor`: checks everything that a collection needs.

use std::path::PathBuf;
use std::sync::Arc;

use super::print::{print_report, quarantined, runtime};
use super::running;
use super::settings::{self, Shared};
use super::site::serve;
use crate::acquire::browser::BrowserOptions;
use crate::config::Settings;
use crate::error::{Error, Exit, Result};
use crate::extract::Extractors;
use crate::workflow::{self, DoctorContext};

/// Check browser, driver, site, store, manifest and fonts, and say how to fix what is wrong
///
/// Starts a real browser, opens one page, and sends one small query to each API. Writes nothing.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Examples:\n  atlas-gt doctor\n  atlas-gt doctor --site twin\n  atlas-gt doctor --webdriver http://hub.example.org:4444\n  atlas-gt doctor --site http://127.0.0.1:8080 --format json"
)]
pub(super) struct DoctorArgs {
    /// The manifest of questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    #[command(flatten)]
    browsers: super::visiting::Browsers,
    #[command(flatten)]
    twin: super::twin::Options,
}

pub(super) fn run(shared: Shared, args: DoctorArgs) -> Result<Exit> {
    let flags = Settings { manifest: args.manifest, ..args.browsers.settings() };
    let config = settings::resolve(&shared, flags.clone())?;
    let sources = settings::sources(&shared, flags, &config)?;
    let manifest = |extractors: &Extractors| settings::load(config.manifest.as_deref(), extractors);
    runtime()?.block_on(async {
        let served = serve(&config, &args.twin).await?;
        let mut browser = BrowserOptions::new(served.base.clone());
        browser.chromium.clone_from(&config.chromium);
        browser.chromedriver.clone_from(&config.chromedriver);
        browser.webdriver.clone_from(&config.webdriver);
        browser.contact.clone_from(&config.contact);
        let context = DoctorContext {
            config: &config,
            base: served.base.clone(),
            site: served.site,
            manifest: &manifest,
            browser,
            rate: Arc::new(running::rate(&config, &served)),
        };
        // dropping the check closes the browser
        let checked = tokio::select! {
            checked = workflow::examine(&context) => checked,
            _ = tokio::signal::ctrl_c() => return Err(Error::Interrupted),
        };
        served.close().await;
        let checked = workflow::DoctorReport { settings: sources, ..checked };
        let bad = checked.findings.iter().flat_map(|finding| &finding.quarantined).cloned();
        let exit = print_report(&shared, &config, &checked)?;
        Ok(exit.worst(quarantined(&bad.collect::<Vec<_>>())))
    })
}
