//! Settings: flags override the environment, which overrides the configuration file, which overrides defaults.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::time::Duration;

use serde::{Deserialize, Serialize};
use url::Url;

use crate::atlas::PageKind;
use crate::error::{Error, Result};
use crate::input;
use crate::machine::is_loopback;
use crate::pipeline::Pipeline;

/// The address of the live site.
pub const LIVE: &str = "https://atlas.hks.harvard.edu";

/// The path of a page of the live site, or another address as it is.
#[must_use]
pub fn path_of(page: &str) -> &str {
    page.strip_prefix(LIVE).unwrap_or(page)
}

/// A page as reports and the desk show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ShownPage<'a> {
    /// Its address, or only its path.
    pub text: &'a str,
    /// Its link, if it can be opened.
    pub link: Option<String>,
}

impl<'a> ShownPage<'a> {
    /// A page of the site at `origin`. A reading without an origin, such as one of the twin, neither shows nor links the
    /// address of the live site.
    #[must_use]
    pub fn of(origin: Option<&str>, page: &'a str) -> Self {
        let path = path_of(page);
        let text = if origin == Some(LIVE) { page } else { path };
        let address = |origin: &str| match path.starts_with('/') {
            true => format!("{origin}{path}"),
            // the site's own address, without a path
            false if origin == LIVE => page.to_owned(),
            false => path.to_owned(),
        };
        let is_web = |link: &String| link.starts_with("https://") || link.starts_with("http://");
        Self { text, link: origin.map(address).filter(is_web) }
    }
}

/// The site's limit in requests per minute, over all requests.
pub(crate) const LIMIT: u32 = 120;
/// Default requests per minute against a local replica.
const LOCAL_RATE: u32 = 6000;

/// The site to read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SiteChoice {
    /// The Atlas.
    Live,
    /// The built-in replica.
    Twin,
    /// Another address that serves the site's pages.
    At(Url),
}

impl std::str::FromStr for SiteChoice {
    type Err = String;

    fn from_str(text: &str) -> std::result::Result<Self, String> {
        match text {
            "live" => Ok(Self::Live),
            "twin" => Ok(Self::Twin),
            _ => {
                let url = Url::parse(text)
                    .map_err(|error| format!("`{text}` is not `live`, `twin` or an address ({error})"))?;
                if !matches!(url.scheme(), "http" | "https") || url.host_str().is_none() {
                    return Err(format!("`{text}` is not an http address"));
                }
                Ok(Self::At(url))
            }
        }
    }
}

impl SiteChoice {
    /// Whether the address is on this machine, so that it is a replica.
    #[must_use]
    pub fn is_local(&self) -> bool {
        match self {
            Self::Live => false,
            Self::Twin => true,
            Self::At(url) => is_loopback(url),
        }
    }

    /// The address that a store records for this site. `None` for the Atlas, and for local replicas, whose ports
    /// change.
    #[must_use]
    pub fn address(&self) -> Option<String> {
        let Self::At(url) = self else { return None };
        let is_live = url.host_str().is_some_and(|host| LIVE.strip_prefix("https://") == Some(host));
        (!is_live && !self.is_local()).then(|| self.to_string())
    }
}

impl std::fmt::Display for SiteChoice {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Live => f.write_str("live"),
            Self::Twin => f.write_str("twin"),
            Self::At(url) => f.write_str(url.as_str().trim_end_matches('/')),
        }
    }
}

/// Default number of months without a check after which a record is stale (decision 10).
pub const STALE_AFTER_MONTHS: u16 = 6;

/// Months without a check after which a record is stale, by kind of page.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(try_from = "BTreeMap<String, u16>")]
pub struct StaleMonths {
    default: u16,
    pages: BTreeMap<PageKind, u16>,
}

impl Default for StaleMonths {
    fn default() -> Self {
        Self::all(STALE_AFTER_MONTHS)
    }
}

impl TryFrom<BTreeMap<String, u16>> for StaleMonths {
    type Error = String;

    fn try_from(keys: BTreeMap<String, u16>) -> std::result::Result<Self, String> {
        let mut months = Self::default();
        for (key, number) in keys {
            if number == 0 {
                return Err(format!("`{key}`: use 1 month or more"));
            }
            if key == "default" {
                months.default = number;
            } else {
                let kind = PageKind::try_from(key)
                    .map_err(|error| format!("{error}; use `default` or a kind of page"))?;
                months.pages.insert(kind, number);
            }
        }
        Ok(months)
    }
}

impl StaleMonths {
    /// The same months for all pages.
    #[must_use]
    pub const fn all(months: u16) -> Self {
        Self { default: months, pages: BTreeMap::new() }
    }

    /// The months of a kind of page. The default if it has none or the page is unknown.
    #[must_use]
    pub fn of(&self, page: Option<PageKind>) -> u16 {
        page.and_then(|page| self.pages.get(&page)).copied().unwrap_or(self.default)
    }
}

/// The settings of a configuration file or of the flags.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Settings {
    /// `live`, `twin` or an address.
    pub site: Option<String>,
    /// Folder of the records.
    pub store: Option<PathBuf>,
    /// The manifest of questions.
    pub manifest: Option<PathBuf>,
    /// Folder of extractor specs that replace the built-in ones.
    pub extractors: Option<PathBuf>,
    /// A list of query types in addition to the built-in ones.
    pub query_types: Option<PathBuf>,
    /// Browsers to run at a time.
    pub sessions: Option<usize>,
    /// Requests per minute.
    pub rate: Option<u32>,
    /// Contact address in the User-Agent.
    pub contact: Option<String>,
    /// Timeout in seconds for a page to show its values.
    pub page_timeout: Option<u64>,
    /// Path of the Chromium program.
    pub chromium: Option<PathBuf>,
    /// Path of the ChromeDriver program.
    pub chromedriver: Option<PathBuf>,
    /// Address of a Selenium Grid that provides the browsers.
    pub webdriver: Option<String>,
    /// Months after which a record is stale, by kind of page.
    pub stale_months: Option<StaleMonths>,
    /// Database of the desk: `postgres://…` or a file.
    pub database: Option<String>,
    /// Database whose `request_traces` the agent writes itself.
    pub traces_from: Option<String>,
    /// Address of the agent for evaluations and spot checks that name none.
    pub agent: Option<String>,
    /// A program that answers instead.
    pub agent_command: Option<String>,
    /// The pipeline of answers that do not name one.
    pub pipeline: Option<Pipeline>,
    /// The judge model.
    pub judge: Option<String>,
    /// Folder of evaluation runs.
    pub runs: Option<PathBuf>,
    /// A price list that replaces `prices.toml`.
    pub prices: Option<PathBuf>,
    /// Webhook to notify when a command ends.
    pub notify: Option<String>,
}

/// A setting and its origin.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Setting {
    /// Its key in the configuration file.
    pub key: &'static str,
    /// Its value. For an address that may contain a secret, only whether it is set.
    pub value: String,
    /// Its origin: a flag, a variable, the configuration file, or `default`.
    pub from: String,
}

/// Validated settings with defaults. Other settings are available through `Deref`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Config {
    /// The site to read.
    pub site: SiteChoice,
    /// Folder of the records.
    pub store: PathBuf,
    /// Folder of extractor specs; `None` for the built-in ones.
    pub extractors: Option<PathBuf>,
    /// Browsers to run at a time.
    pub sessions: usize,
    /// Requests per minute.
    pub rate: u32,
    /// Timeout for a page to show its values.
    pub page_timeout: Duration,
    /// Address of a Selenium Grid; `None` starts local browsers.
    pub webdriver: Option<Url>,
    /// Months after which a record is stale, by kind of page.
    pub stale_months: StaleMonths,
    /// Folder of evaluation runs.
    pub runs: PathBuf,
    set: Settings,
}

impl std::ops::Deref for Config {
    type Target = Settings;

    fn deref(&self) -> &Settings {
        &self.set
    }
}

/// The configuration file, read if it is in the current folder.
pub const FILE: &str = "atlas-gt.toml";

impl Settings {
    /// Reads a configuration file.
    ///
    /// # Errors
    /// It cannot be read, is not TOML, or has an unknown key.
    pub fn load(path: &Path) -> Result<Self> {
        let text = input::text(path)?;
        toml::from_str(&text).map_err(|error| {
            let at = error.span().map_or(0, |span| span.start);
            Error::syntax_at(path, &text, at, input::fault(error.message()))
        })
    }

    /// Fills in defaults and checks limits.
    ///
    /// # Errors
    /// The site is not an address, or sessions, rate or timeout are out of range.
    pub fn resolve(self) -> Result<Config> {
        let site: SiteChoice = self.site.as_deref().unwrap_or("live").parse().map_err(Error::Usage)?;
        let rate = self.rate.unwrap_or(if site.is_local() { LOCAL_RATE } else { LIMIT });
        if rate == 0 || (rate > LIMIT && !site.is_local()) {
            return Err(Error::Usage(match site.is_local() {
                true => format!("rate {rate}: use 1 or more requests a minute"),
                false => format!(
                    "rate {rate}: {site} allows 1 to {LIMIT} requests a minute; only the twin and addresses on this machine allow more"
                ),
            }));
        }
        let sessions = self.sessions.unwrap_or(2);
        if !(1..=16).contains(&sessions) {
            return Err(Error::Usage(format!("sessions {sessions}: use 1 to 16; two cores can run two")));
        }
        let page_timeout = self.page_timeout.unwrap_or(20);
        if !(1..=600).contains(&page_timeout) {
            return Err(Error::Usage(format!("page_timeout {page_timeout}: use 1 to 600 seconds")));
        }
        let store = self.store.clone().unwrap_or_else(|| match &site {
            SiteChoice::Live => PathBuf::from("ground_truth"),
            choice if choice.is_local() => PathBuf::from("out/twin"),
            SiteChoice::At(url) => Path::new("out").join(url.host_str().unwrap_or("site")),
            SiteChoice::Twin => PathBuf::from("out/twin"),
        });
        Ok(Config {
            site,
            store,
            extractors: self.extractors.clone(),
            sessions,
            rate,
            page_timeout: Duration::from_secs(page_timeout),
            webdriver: self.webdriver.as_deref().map(webdriver).transpose()?,
            stale_months: self.stale_months.clone().unwrap_or_default(),
            runs: self.runs.clone().unwrap_or_else(|| PathBuf::from("runs")),
            set: self,
        })
    }
}

/// Converts a setting to text.
trait Shown {
    fn shown(&self) -> String;
}

macro_rules! shown {
    ($($type:ty: $words:expr),+ $(,)?) => {$(
        impl Shown for $type {
            fn shown(&self) -> String {
                ($words)(self)
            }
        }
    )+};
}

shown!(
    String: Self::clone,
    PathBuf: |path: &Self| path.display().to_string(),
    usize: ToString::to_string,
    u32: ToString::to_string,
    u64: ToString::to_string,
    Pipeline: |pipeline: &Self| format!("{pipeline:?}").to_lowercase(),
    StaleMonths: |months: &Self| {
        let pages = months.pages.iter().map(|(page, number)| format!(", {number} for {page}"));
        format!("{} by default{}", months.default, pages.collect::<String>())
    },
);

/// Keys whose value may contain a password: addresses of databases and webhooks.
const SECRETS: [&str; 3] = ["database", "traces_from", "notify"];

/// Every key of a configuration file, by the fields of [`Settings`].
macro_rules! keys {
    ($($key:ident)+) => {
        impl Settings {
            /// These settings, completed with those of `other`.
            #[must_use]
            pub fn or(self, other: Self) -> Self {
                Self { $($key: self.$key.or(other.$key)),+ }
            }

            /// All keys of the configuration file with their values. For a secret, only whether it is set.
            #[must_use]
            pub fn values(&self) -> Vec<(&'static str, Option<String>)> {
                let mut all = vec![$((stringify!($key), self.$key.as_ref().map(Shown::shown))),+];
                let secrets = all.iter_mut().filter(|(key, _)| SECRETS.contains(key));
                secrets.for_each(|(_, value)| *value = value.take().map(|_| "(set)".to_owned()));
                all
            }
        }
    };
}

keys!(site store manifest extractors query_types sessions rate contact page_timeout chromium chromedriver webdriver
    stale_months database traces_from agent agent_command pipeline judge runs prices notify);

impl Config {
    /// The default of a key, as text.
    #[must_use]
    pub(crate) fn default_of(&self, key: &str) -> String {
        match key {
            "site" => self.site.to_string(),
            "store" => self.store.display().to_string(),
            "manifest" => "manifests/atlas.json".to_owned(),
            "extractors" | "query_types" => "built in".to_owned(),
            "sessions" => self.sessions.to_string(),
            "rate" => self.rate.to_string(),
            "page_timeout" => self.page_timeout.as_secs().to_string(),
            "chromium" | "chromedriver" => "found on PATH".to_owned(),
            "stale_months" => self.stale_months.shown(),
            "database" => "a file beside the store".to_owned(),
            "pipeline" => "unknown".to_owned(),
            "runs" => self.runs.display().to_string(),
            "prices" => "prices.toml if it is there, else built in".to_owned(),
            _ => "none".to_owned(),
        }
    }
}

/// All settings and their origins, in order of precedence: flags, variables, the file, defaults. `variable` reads an
/// environment variable.
#[must_use]
pub fn sources(
    flags: &Settings,
    file: (&Settings, &Path),
    config: &Config,
    variable: &dyn Fn(&str) -> Option<String>,
) -> Vec<Setting> {
    let file_values = file.0.values();
    let source = |((key, flag), (_, in_file)): ((&'static str, Option<String>), &(_, Option<String>))| {
        let name = variable_of(key);
        let set = variable(&name).filter(|text| !text.is_empty());
        let set = set.map(|text| if SECRETS.contains(&key) { "(set)".to_owned() } else { text });
        let (value, from) = match (flag, set, in_file) {
            (Some(flag), set, _) if set.as_ref() != Some(&flag) => {
                (flag, format!("--{}", key.replace('_', "-")))
            }
            (_, Some(set), _) => (set, name),
            (_, None, Some(value)) => (value.clone(), file.1.display().to_string()),
            _ => (config.default_of(key), "default".to_owned()),
        };
        Setting { key, value, from }
    };
    flags.values().into_iter().zip(&file_values).map(source).collect()
}

/// The environment variable of a key.
#[must_use]
pub fn variable_of(key: &str) -> String {
    format!("ATLAS_GT_{}", key.to_uppercase())
}

/// Parses the address of a Grid. Its path gets a trailing slash, so that other paths can be joined to it.
fn webdriver(text: &str) -> Result<Url> {
    let invalid = |why: &dyn std::fmt::Display| {
        Error::Usage(format!("webdriver {text}: {why}; use an address such as http://hub.example.org:4444"))
    };
    let mut url = Url::parse(text).map_err(|error| invalid(&error))?;
    if url.scheme() != "http" || url.host_str().is_none() {
        return Err(invalid(&"it is not an http address"));
    }
    if !url.path().ends_with('/') {
        url.set_path(&format!("{}/", url.path()));
    }
    Ok(url)
}

#[cfg(test)]
#[path = "config_tests.rs"]
mod tests;
