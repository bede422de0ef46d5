//! The doctor's checks of browser and site: the browser's programs, a page, and one small query to each API.

use std::sync::Arc;

use url::Url;

use super::finding::{DoctorContext, DoctorFinding};
use crate::acquire::browser::{Pool, Program, Session, Versions};
use crate::acquire::graphql::{Api, ApiError, ApiQuestion, Client, QueryAnswer};
use crate::acquire::{PageSource, Rate};
use crate::config::SiteChoice;
use crate::error::{Error, Exit};
use atlas_gt_core::command_line::{command, flag};

/// A page that every site has: Kenya's.
const PAGE: &str = "/countries/404";
/// Requests that this page is expected to make.
const EXPECTED_REQUESTS: u32 = 25;

/// Checks both browser programs, starts them, and opens a page of the site.
pub(super) async fn browser(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> Vec<DoctorFinding> {
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

/// Sends one small query to each API.
pub(super) async fn apis(context: &DoctorContext<'_>, rate: &Arc<Rate>) -> [DoctorFinding; 2] {
    const CHECKS: [&str; 2] = ["country API", "Explore API"];
    let client = match client(context, rate) {
        Ok(client) => client,
        Err(error) => {
            return CHECKS
                .map(|check| DoctorFinding::error(check, &error, "fix --contact (ATLAS_GT_CONTACT)"));
        }
    };
    let metadata = ApiQuestion::default();
    let world = ApiQuestion { window: Some("FiveYears".to_owned()), ..metadata.clone() };
    let (country, explore) = tokio::join!(
        client.answer(Api::Country, "GlobalDatum", &world),
        client.answer(Api::Explore, "Metadata", &metadata)
    );
    let country = without_errors(country).and_then(|world| {
        let countries: Option<u64> = world.field("latestEciRankTotal")?;
        Ok(countries.map_or_else(|| "no world figures".to_owned(), |n| format!("ranks {n} countries")))
    });
    let explore = without_errors(explore).and_then(|metadata| {
        let date: Option<String> = metadata.field("ingestionDate")?;
        Ok(date.map_or_else(|| "no date of its data".to_owned(), |date| format!("data of {date}")))
    });
    [(CHECKS[0], Api::Country, country), (CHECKS[1], Api::Explore, explore)].map(|(check, api, answer)| {
        match answer {
            Ok(answer) => DoctorFinding::ok(check, format!("{} answers: {answer}", api.path())),
            Err(error) => DoctorFinding::error(check, &error, mend_site(context)),
        }
    })
}

/// Accepts a response without errors only.
fn without_errors(answer: Result<QueryAnswer, ApiError>) -> Result<QueryAnswer, Error> {
    let answer = answer?;
    match answer.errors.first() {
        Some(error) => Err(Error::Site(format!("the response is incomplete: {error}"))),
        None => Ok(answer),
    }
}
