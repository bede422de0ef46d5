//! Doctor: checks everything that a collection needs and explains how to fix what is wrong. It
//! writes nothing and requests one page and one small query per API from the site.

use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use serde::Serialize;
use url::Url;

use super::job::extractors;
use crate::acquire::browser::{BrowserOptions, Pool, Program, Session, Versions};
use crate::acquire::graphql::typed::{GlobalDatum, Metadata, global_datum, metadata};
use crate::acquire::graphql::{Api, ApiError, Client, QueryAnswer};
use crate::acquire::{PageSource, Rate};
use crate::config::{Config, Setting, SiteChoice};
use crate::error::{Error, Exit};
use crate::extract::Extractors;
use crate::manifest::{Diagnostic, Manifest, Severity, visits};
use crate::truth::{Quarantined, Site, Store};
use crate::words::count;
use atlas_gt_core::command_line::{command, file_flag, flag};

/// A page that every site has: Kenya's.
const PAGE: &str = "/countries/404";
/// Requests that this page is expected to make.
const EXPECTED_REQUESTS: u32 = 25;
/// Font folders on Linux: of the system, and below the home folder.
const FONT_FOLDERS: [&str; 2] = ["/usr/share/fonts", "/usr/local/share/fonts"];
const OWN_FONT_FOLDERS: [&str; 2] = [".fonts", ".local/share/fonts"];

/// The result of a check.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Health {
    /// The check passed.
    Ok,
    /// A run works but may be impaired.
    Warning,
    /// A collection would fail.
    Failed,
    /// Not checked, because an earlier check failed.
    Skipped,
}

/// One check and its result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DoctorFinding {
    /// The name of the check.
    pub check: &'static str,
    /// The result.
    pub health: Health,
    /// What was found.
    pub found: String,
    /// Unreadable files of the store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub quarantined: Vec<Quarantined>,
    /// How to fix it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mend: Option<String>,
    /// The exit code if the check failed.
    #[serde(skip)]
    pub exit: Exit,
}

/// The results of all checks.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct DoctorReport {
    /// The site: `live`, `twin` or its address.
    pub site: String,
    /// The results, in the order of a run.
    pub findings: Vec<DoctorFinding>,
    /// The settings and their origins.
    pub settings: Vec<Setting>,
    /// The exit code.
    pub exit_code: u8,
}

/// What the doctor checks.
pub struct DoctorContext<'a> {
    /// The settings.
    pub config: &'a Config,
    /// The address of the site.
    pub base: Url,
    /// The site that records are attributed to.
    pub site: Site,
    /// Loads the manifest that a run would use.
    pub manifest: &'a (dyn Fn(&Extractors) -> Result<Manifest, Vec<Diagnostic>> + Sync),
    /// How browsers are started.
    pub browser: BrowserOptions,
    /// The request budget.
    pub rate: Arc<Rate>,
}

impl DoctorFinding {
    fn ok(check: &'static str, found: impl Into<String>) -> Self {
        let (mend, quarantined, exit) = (None, Vec::new(), Exit::Ok);
        Self { check, health: Health::Ok, found: found.into(), quarantined, mend, exit }
    }

    fn warning(check: &'static str, found: impl Into<String>, mend: impl Into<String>) -> Self {
        Self { health: Health::Warning, mend: Some(mend.into()), ..Self::ok(check, found) }
    }

    fn failed(check: &'static str, found: impl Into<String>, mend: impl Into<String>, exit: Exit) -> Self {
        Self { health: Health::Failed, exit, ..Self::warning(check, found, mend) }
    }

    fn error(check: &'static str, error: &Error, mend: impl Into<String>) -> Self {
        Self::failed(check, error.to_string(), mend, error.exit())
    }

    fn skipped(check: &'static str, why: &str) -> Self {
        Self { health: Health::Skipped, ..Self::ok(check, why) }
    }
}

impl DoctorReport {
    /// The exit code of the worst failure (decision 22).
    #[must_use]
    pub fn exit(&self) -> Exit {
        Exit::worst_of(self.findings.iter().map(|finding| finding.exit))
    }

    /// The number of findings with this health.
    #[must_use]
    pub fn count(&self, health: Health) -> usize {
        self.findings.iter().filter(|finding| finding.health == health).count()
    }
}

/// Runs all checks.
pub async fn examine(context: &DoctorContext<'_>) -> DoctorReport {
    let mut findings = Vec::new();
    specs_and_manifest(context, &mut findings);
    findings.push(store(&context.config.store, context.site, context.config.site.address()));
    findings.push(fonts(&font_folders()));
    let rate = Arc::clone(&context.rate);
    let (browser, apis) = tokio::join!(browser(context, &rate), apis(context, &rate));
    findings.extend(browser);
    findings.extend(apis);
    let mut report = DoctorReport {
        site: context.config.site.to_string(),
        findings,
        settings: Vec::new(),
        exit_code: Exit::Ok as u8,
    };
    report.exit_code = report.exit() as u8;
    report
}

/// Checks the extractor specs and the manifest.
fn specs_and_manifest(context: &DoctorContext<'_>, findings: &mut Vec<DoctorFinding>) {
    let read = extractors(context.config);
    let extractors = match read {
        Ok(extractors) => {
            let versions: Vec<String> = extractors.iter().map(|extractor| extractor.label()).collect();
            let from = context
                .config
                .extractors
                .as_ref()
                .map_or_else(|| "built in".to_owned(), |folder| folder.display().to_string());
            findings.push(DoctorFinding::ok("extractors", format!("{} ({from})", versions.join(", "))));
            extractors
        }
        Err(error) => {
            let mend = "fix the file, or omit --extractors to use the built-in specs";
            findings.push(DoctorFinding::failed("extractors", error.to_string(), mend, Exit::Usage));
            findings.push(DoctorFinding::skipped("manifest", "not read without extractors"));
            return;
        }
    };
    let check = manifest_check(context.config);
    findings.push(match (context.manifest)(&extractors) {
        Ok(manifest) => {
            let found = format!(
                "{}: {} on {}",
                manifest.path.display(),
                count(manifest.entries.len(), "question"),
                count(visits(&manifest.entries).len(), "page")
            );
            if manifest.warnings.is_empty() {
                DoctorFinding::ok("manifest", found)
            } else {
                let found = format!("{found}, {}", count(manifest.warnings.len(), "warning"));
                DoctorFinding::warning("manifest", found, format!("`{check}` shows them"))
            }
        }
        Err(found) => {
            let errors: Vec<_> = found.iter().filter(|found| found.severity == Severity::Error).collect();
            let first = errors.first().map(ToString::to_string).unwrap_or_default();
            let found = format!("{}, the first: {first}", count(errors.len(), "error"));
            DoctorFinding::failed(
                "manifest",
                found,
                format!("`{check}` shows all with their place"),
                Exit::Usage,
            )
        }
    });
}

/// The command that shows what is wrong with the manifest.
fn manifest_check(config: &Config) -> String {
    let manifest = file_flag("manifest", config.manifest.as_deref());
    command("manifest check", &(manifest + &file_flag("extractors", config.extractors.as_deref())))
}

/// Checks that the store is writable and belongs to the site.
fn store(dir: &Path, site: Site, address: Option<String>) -> DoctorFinding {
    const CHECK: &str = "store";
    let elsewhere = "choose another folder with --store DIR (ATLAS_GT_STORE, `store` in atlas-gt.toml)";
    let failed = |found: String, exit| {
        DoctorFinding::failed(CHECK, found, format!("fix its permissions, or {elsewhere}"), exit)
    };
    let there = dir.ancestors().find(|path| path.exists()).filter(|path| !path.as_os_str().is_empty());
    let there = there.unwrap_or(Path::new("."));
    if !there.is_dir() {
        return failed(format!("{} is not a folder", there.display()), Exit::Unexpected);
    }
    // an unnamed file disappears by itself
    if let Err(error) = tempfile::tempfile_in(there) {
        return failed(format!("{} cannot be written: {error}", there.display()), Exit::Unexpected);
    }
    let read = |store: Store| store.question_ids().map(|ids| (store, ids.len()));
    let (held, records) = match Store::find(dir).and_then(|found| found.map(read).transpose()) {
        Ok(Some(read)) => read,
        Ok(None) => {
            let whose = address.map_or_else(|| format!("the {site} site"), |at| format!("the site at {at}"));
            return DoctorFinding::ok(CHECK, format!("{} will be created for {whose}", dir.display()));
        }
        Err(error) => {
            return DoctorFinding::error(CHECK, &error, elsewhere);
        }
    };
    if let Err(refusal) = held.check(site, address) {
        return DoctorFinding::error(CHECK, &refusal, elsewhere);
    }
    let whose = held.holds();
    if let Ok(lock) = File::open(dir.join(".lock"))
        && matches!(lock.try_lock(), Err(TryLockError::WouldBlock))
    {
        let found = format!("{} is locked by another run", dir.display());
        return DoctorFinding::warning(CHECK, found, "wait until that run has ended");
    }
    let found = format!("{}: {} of {whose}, writable", dir.display(), count(records, "record"));
    if let Err(error) = held.try_all() {
        return failed(error.to_string(), error.exit());
    }
    let quarantined = held.quarantined();
    if quarantined.is_empty() {
        return DoctorFinding::ok(CHECK, found);
    }
    let found = format!(
        "{found}; {} of its files are unreadable or were changed, and are skipped",
        quarantined.len()
    );
    let mend = "restore the named files, or move them away and collect again";
    DoctorFinding { quarantined, ..DoctorFinding::failed(CHECK, found, mend, Exit::Usage) }
}

fn font_folders() -> Vec<PathBuf> {
    let home = std::env::var_os("HOME").map(PathBuf::from);
    let own = home.iter().flat_map(|home| OWN_FONT_FOLDERS.map(|folder| home.join(folder)));
    FONT_FOLDERS.iter().map(PathBuf::from).chain(own).collect()
}

/// Without fonts Chromium draws boxes. Texts can still be read, but screenshots and sizes are
/// unreliable.
fn fonts(folders: &[PathBuf]) -> DoctorFinding {
    match folders.iter().find_map(|folder| font_below(folder, 4)) {
        Some(font) => DoctorFinding::ok("fonts", format!("{} and others", font.display())),
        None => DoctorFinding::warning(
            "fonts",
            "no font is installed: pages and screenshots will show boxes",
            "on Debian: apt-get install fonts-liberation",
        ),
    }
}

fn font_below(folder: &Path, depth: usize) -> Option<PathBuf> {
    let mut paths: Vec<PathBuf> =
        std::fs::read_dir(folder).ok()?.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    let is_font = |path: &PathBuf| {
        let extension = path.extension().and_then(|extension| extension.to_str()).unwrap_or_default();
        matches!(extension.to_ascii_lowercase().as_str(), "ttf" | "otf" | "ttc" | "pfb")
    };
    let found = paths.iter().find(|path| is_font(path)).cloned();
    found.or_else(|| {
        let deeper = depth.checked_sub(1)?;
        paths.iter().filter(|path| path.is_dir()).find_map(|path| font_below(path, deeper))
    })
}

/// Checks both browser programs, starts them, and opens a page of the site.
async fn browser(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> Vec<DoctorFinding> {
    let options = &context.browser;
    if let Some(url) = &options.webdriver {
        return browser_of_grid(context, rate, url).await;
    }
    let (chromium, chromedriver) = (Program::chromium(options).await, Program::chromedriver(options).await);
    let mut findings = vec![
        program("chromium", &chromium, "--chromium FILE (ATLAS_GT_CHROMIUM)", "chromium"),
        program(
            "chromedriver",
            &chromedriver,
            "--chromedriver FILE (ATLAS_GT_CHROMEDRIVER)",
            "chromium-driver",
        ),
    ];
    let versions = match (&chromium, &chromedriver) {
        (Ok(chromium), Ok(chromedriver)) => Some(Versions::of(chromium, chromedriver)),
        _ => None,
    };
    findings.push(match &versions {
        Some(Ok(fit)) => {
            DoctorFinding::ok("versions", format!("{} and {} match", fit.chromium, fit.chromedriver))
        }
        Some(Err(error)) => DoctorFinding::error(
            "versions",
            error,
            "on Debian: apt-get install --only-upgrade chromium chromium-driver",
        ),
        None => DoctorFinding::skipped("versions", "not compared without both programs"),
    });
    if !matches!(versions, Some(Ok(_))) {
        findings.push(DoctorFinding::skipped(
            "browser start",
            "not tried without matching Chromium and ChromeDriver",
        ));
        findings.push(page_without_browser(context, rate).await);
        return findings;
    }
    match Session::start(options).await {
        Ok(mut session) => {
            findings
                .push(DoctorFinding::ok("browser start", format!("headless, as `{}`", session.user_agent())));
            findings.push(page_in_browser(context, rate, &mut session).await);
            session.close().await;
        }
        Err(error) => {
            let mend = "run `chromium --headless=new --dump-dom about:blank` by hand to see why; if it finds no usable \
                        sandbox, install chromium-sandbox, or in a container add `--no-sandbox` to CHROMIUM_FLAGS in \
                        /etc/chromium.d; a container needs 256 MB of memory and a writable temporary folder (TMPDIR)";
            findings.push(DoctorFinding::error("browser start", &error, mend));
            findings.push(page_without_browser(context, rate).await);
        }
    }
    findings
}

fn program(
    check: &'static str,
    asked: &Result<Program, Error>,
    setting: &str,
    package: &str,
) -> DoctorFinding {
    match asked {
        Ok(program) => DoctorFinding::ok(check, format!("{} ({})", program.printed, program.path.display())),
        Err(error) => DoctorFinding::failed(
            check,
            error.to_string(),
            format!(
                "on Debian: apt-get install {package} (or `make setup`); elsewhere name it with {setting}"
            ),
            error.exit(),
        ),
    }
}

/// Checks a browser of a Selenium Grid and opens a page of the site in it. Local browser programs
/// are not checked.
async fn browser_of_grid(context: &DoctorContext<'_>, rate: &Arc<Rate>, url: &Url) -> Vec<DoctorFinding> {
    const CHECK: &str = "Selenium Grid";
    let pool = match Pool::start(1, context.browser.clone()).await {
        Ok(pool) => pool,
        Err(error) => {
            let mend = "start a hub and a node with Chromium that this machine reaches, or leave out --webdriver to \
                        use a browser on this machine";
            let finding = DoctorFinding::error(CHECK, &error, mend);
            return vec![finding, page_without_browser(context, rate).await];
        }
    };
    let mut findings = Vec::new();
    match pool.checkout().await {
        Ok(mut lease) => {
            let name = lease.session().map_or_else(String::new, |session| session.user_agent().to_owned());
            findings.push(DoctorFinding::ok(CHECK, format!("{url} gives a browser, `{name}`")));
            findings.push(page_in_browser(context, rate, &mut lease).await);
        }
        Err(error) => {
            let error = Error::from(error);
            let mend = "check the logs of the hub and the node";
            findings.push(DoctorFinding::error(CHECK, &error, mend));
            findings.push(page_without_browser(context, rate).await);
        }
    }
    pool.close().await;
    findings
}

/// Opens a country page in the browser.
async fn page_in_browser(
    context: &DoctorContext<'_>,
    rate: &Arc<Rate>,
    browser: &mut impl PageSource,
) -> DoctorFinding {
    let url = format!("{}{PAGE}", context.base.as_str().trim_end_matches('/'));
    let permit = match rate.reserve(EXPECTED_REQUESTS, EXPECTED_REQUESTS).await {
        Ok(permit) => permit,
        Err(alone) => {
            return DoctorFinding::failed("site page", alone.to_string(), mend_site(context), Exit::Site);
        }
    };
    match browser.open(&url).await {
        Ok(page) => {
            // the page keeps sending requests until the browser ends
            permit.asked(page.requests.max(EXPECTED_REQUESTS));
            DoctorFinding::ok(
                "site page",
                format!("{} (HTTP {}, in the browser)", page.settled_url, page.status),
            )
        }
        Err(error) => {
            let error = Error::from(error);
            DoctorFinding::error("site page", &error, mend_site(context))
        }
    }
}

/// Requests a country page without a browser.
async fn page_without_browser(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> DoctorFinding {
    let asked = match client(context, rate) {
        Ok(client) => client.page(PAGE).await,
        Err(error) => Err(error),
    };
    match asked {
        Ok(status) => DoctorFinding::ok("site page", format!("{PAGE} (HTTP {status}, without a browser)")),
        Err(error) => DoctorFinding::error("site page", &error, mend_site(context)),
    }
}

fn client(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> Result<Client, Error> {
    Client::new(&context.base, context.config.contact.as_deref(), Arc::clone(rate))
}

fn mend_site(context: &DoctorContext<'_>) -> String {
    match &context.config.site {
        SiteChoice::Live => {
            "check the network, name resolution and any proxy; a 403 or 429 means that the site \
                             refuses for now: wait; to work without it: --site twin"
                .to_owned()
        }
        SiteChoice::At(url) => {
            let twin = command("twin", &url.port().map_or_else(String::new, |port| flag("port", port)));
            format!("is {url} served? `{twin}` serves a replica; --site live is the Atlas itself")
        }
        SiteChoice::Twin => {
            "the twin runs inside this program: omit --fault, and keep proxies away from 127.0.0.1 (NO_PROXY)"
                .to_owned()
        }
    }
}

/// Sends one small typed query to each API.
async fn apis(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> [DoctorFinding; 2] {
    const CHECKS: [&str; 2] = ["country API", "Explore API"];
    let client = match client(context, rate) {
        Ok(client) => client,
        Err(error) => {
            return CHECKS
                .map(|check| DoctorFinding::error(check, &error, "fix --contact (ATLAS_GT_CONTACT)"));
        }
    };
    let years = Some(global_datum::LookBackYearRange::FiveYears);
    let world = global_datum::Variables { year_range: years, product_class: None };
    let (country, explore) =
        tokio::join!(client.ask::<GlobalDatum>(world), client.ask::<Metadata>(metadata::Variables));
    let country = without_errors(country).map(|world| {
        let countries = world.data.and_then(|world| world.latest_eci_rank_total);
        countries.map_or_else(|| "no world figures".to_owned(), |n| format!("ranks {n} countries"))
    });
    let explore = without_errors(explore).map(|metadata| {
        let date = metadata.data.and_then(|metadata| metadata.ingestion_date);
        date.map_or_else(|| "no date of its data".to_owned(), |date| format!("data of {date}"))
    });
    [(CHECKS[0], Api::Country, country), (CHECKS[1], Api::Explore, explore)].map(|(check, api, answer)| {
        match answer {
            Ok(answer) => DoctorFinding::ok(check, format!("{} answers: {answer}", api.path())),
            Err(error) => DoctorFinding::error(check, &error, mend_site(context)),
        }
    })
}

/// Accepts a response without errors only.
fn without_errors<T>(answer: Result<QueryAnswer<T>, ApiError>) -> Result<T, Error> {
    let answer = answer?;
    match answer.errors.first() {
        Some(error) => Err(Error::Site(format!("the response is incomplete: {error}"))),
        None => Ok(answer.data),
    }
}

#[cfg(test)]
#[path = "doctor_tests.rs"]
mod tests;
