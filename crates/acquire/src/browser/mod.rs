//! Drives a real Chromium through ChromeDriver: processes, sessions, snapshots, and a pool of browsers.

mod capabilities;
mod driver;
mod failure;
mod grid;
mod interact;
mod navigation;
mod net_log;
mod pool;
mod programs;
mod session;
mod snapshot;
mod tasks;
mod tooltip;
mod transfer;

use std::path::PathBuf;
use std::time::Duration;

use url::Url;

use crate::machine::is_loopback;

pub use pool::{Lease, Pool};
pub use programs::{Program, Versions};
pub use session::Session;

/// Start options and timeouts of browsers.
#[derive(Debug, Clone)]
pub struct BrowserOptions {
    /// The site. Every other host is blocked, including loopback unless the site is there.
    pub site: Url,
    /// Path of ChromeDriver. Default: `ATLAS_GT_CHROMEDRIVER`, then `PATH`.
    pub chromedriver: Option<PathBuf>,
    /// Path of Chromium. Default: `ATLAS_GT_CHROMIUM`, then `PATH`.
    pub chromium: Option<PathBuf>,
    /// Address of a Selenium Grid that provides the browsers. `None` starts local browsers.
    pub webdriver: Option<Url>,
    /// Web or e-mail address in the user agent, so that the site's operators can reach us.
    pub contact: Option<String>,
    /// Timeout for a browser to start and be prepared.
    pub start: Duration,
    /// Timeout for a page to load.
    pub page_load: Duration,
    /// Timeout for one script in the page.
    pub script: Duration,
    /// Extra time for ChromeDriver to answer after such a timeout, before the browser is killed.
    pub grace: Duration,
    /// New browsers in a row without a successful visit before the pool gives up.
    pub max_restarts: u32,
}

impl BrowserOptions {
    /// The default options for `site`.
    #[must_use]
    pub const fn new(site: Url) -> Self {
        Self {
            site,
            chromedriver: None,
            chromium: None,
            webdriver: None,
            contact: None,
            start: Duration::from_secs(40),
            page_load: Duration::from_secs(30),
            script: Duration::from_secs(90),
            grace: Duration::from_secs(10),
            max_restarts: 8,
        }
    }

    /// Chromium's `--host-resolver-rules`: only the site's name resolves.
    fn resolver_rules(&self) -> String {
        let mut hosts: Vec<&str> = self.site.host_str().into_iter().collect();
        if is_loopback(&self.site) {
            hosts.extend(["127.0.0.1", "localhost", "[::1]"]);
        }
        let mut rules = String::from("MAP * ~NOTFOUND");
        for host in hosts {
            rules.push_str(", EXCLUDE ");
            rules.push_str(host);
        }
        rules
    }

    /// The suffix of Chromium's own user agent.
    fn agent_suffix(&self) -> String {
        let version = env!("CARGO_PKG_VERSION");
        match &self.contact {
            Some(contact) => format!(" atlas-gt/{version} (+{contact})"),
            None => format!(" atlas-gt/{version}"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_the_site_resolves() {
        let options = BrowserOptions::new("https://atlas.hks.harvard.edu/".parse().unwrap());
        assert_eq!(options.resolver_rules(), "MAP * ~NOTFOUND, EXCLUDE atlas.hks.harvard.edu");
    }

    #[test]
    fn loopback_is_allowed_only_for_a_site_on_loopback() {
        let local = BrowserOptions::new("http://127.0.0.1:8080/".parse().unwrap());
        assert!(local.resolver_rules().contains("EXCLUDE localhost"));
        let lookalike = BrowserOptions::new("http://localhost.example.org/".parse().unwrap());
        assert!(!lookalike.resolver_rules().contains("127.0.0.1"));
    }

    #[test]
    fn the_agent_names_the_tool_and_the_contact() {
        let mut options = BrowserOptions::new("http://localhost/".parse().unwrap());
        options.contact = Some("team@example.org".into());
        assert!(options.agent_suffix().starts_with(" atlas-gt/"));
        assert!(options.agent_suffix().ends_with("(+team@example.org)"));
    }
}
