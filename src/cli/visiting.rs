//! Flags shared by all commands that visit pages with a browser.

use std::path::PathBuf;

use super::settings::{self, Shared};
use crate::config::{Config, Settings};
use crate::report::Invocation;
use atlas_gt_core::command_line::{file_flag, flag};

/// Flags for the browsers and their User-Agent.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Browser")]
pub(super) struct Browsers {
    /// Address or e-mail to name in the User-Agent
    #[arg(long, value_name = "TEXT", env = "ATLAS_GT_CONTACT", hide_short_help = true)]
    contact: Option<String>,
    /// Path of the Chromium program
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_CHROMIUM", hide_short_help = true)]
    chromium: Option<PathBuf>,
    /// Path of the ChromeDriver program
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_CHROMEDRIVER", hide_short_help = true)]
    chromedriver: Option<PathBuf>,
    /// Use the browsers of this Selenium Grid instead of starting local ones
    #[arg(long, value_name = "URL", env = "ATLAS_GT_WEBDRIVER", hide_short_help = true)]
    webdriver: Option<String>,
}

impl Browsers {
    /// The settings from the flags.
    pub fn settings(&self) -> Settings {
        Settings {
            contact: self.contact.clone(),
            chromium: self.chromium.clone(),
            chromedriver: self.chromedriver.clone(),
            webdriver: self.webdriver.clone(),
            ..Settings::default()
        }
    }
}

/// Flags for what to read, and how fast.
#[derive(Debug, clap::Args)]
pub(super) struct Pace {
    /// The manifest of questions [default: manifests/atlas.json]
    #[arg(long, value_name = "FILE", env = "ATLAS_GT_MANIFEST")]
    manifest: Option<PathBuf>,
    /// Browsers to run in parallel [default: 2]
    #[arg(long, value_name = "N", env = "ATLAS_GT_SESSIONS")]
    sessions: Option<usize>,
    /// Requests per minute in all [default: 120, the site's limit; 6000 on loopback, where any rate is allowed]
    #[arg(long, value_name = "N", env = "ATLAS_GT_RATE")]
    rate: Option<u32>,
}

impl Pace {
    /// The settings from the flags.
    pub fn settings(&self) -> Settings {
        Settings {
            manifest: self.manifest.clone(),
            sessions: self.sessions,
            rate: self.rate,
            ..Settings::default()
        }
    }
}

/// Flags of every command that visits pages.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Visiting pages")]
pub(super) struct Visiting {
    #[command(flatten)]
    pace: Pace,
    /// Seconds to wait for a page to show its values [default: 20]
    #[arg(long, value_name = "SECONDS")]
    page_timeout: Option<u64>,
    /// Visit pages even if the site's robots.txt disallows them
    #[arg(long)]
    pub ignore_robots: bool,
    #[command(flatten)]
    pub browsers: Browsers,
    #[command(flatten)]
    pub twin: super::twin::Options,
}

impl Visiting {
    /// The settings from the flags.
    pub fn settings(&self) -> Settings {
        let Settings { manifest, sessions, rate, .. } = self.pace.settings();
        let page_timeout = self.page_timeout;
        Settings { manifest, sessions, rate, page_timeout, ..self.browsers.settings() }
    }

    /// The context of a report. Its next commands visit the same pages in the same way.
    pub fn invocation(&self, shared: &Shared, config: &Config) -> Invocation {
        let named = |(key, value): (&str, Option<String>)| Some(flag(&key.replace('_', "-"), value?));
        // the context names the manifest already
        let given = self.settings().values().into_iter().filter(|(key, _)| *key != "manifest");
        // what is printed holds no password
        let is_open = |(_, value): &(&str, Option<String>)| {
            let url = value.as_deref().and_then(|value| url::Url::parse(value).ok());
            url.is_none_or(|url| url.username().is_empty() && url.password().is_none())
        };
        let mut visiting: String = given.filter(is_open).filter_map(named).collect();
        if self.ignore_robots {
            visiting.push_str(" --ignore-robots");
        }
        let known = settings::invocation(config).also(&file_flag("config", shared.config.as_deref()));
        known.visiting(&(visiting + &self.twin.flags()))
    }
}

#[cfg(test)]
mod tests {
    use clap::Parser as _;

    use super::*;

    #[derive(Debug, clap::Parser)]
    struct Line {
        #[command(flatten)]
        shared: Shared,
        #[command(flatten)]
        visiting: Visiting,
    }

    #[test]
    fn the_next_command_visits_the_same_pages_in_the_same_way() {
        let words = "x --config my.toml --manifest q.json --sessions 4 --page-timeout 60 --ignore-robots";
        let words = words.split(' ').chain(["--webdriver", "http://hub:4444", "--contact", "a b"]);
        let line = Line::try_parse_from(words).unwrap();
        let config = line.visiting.settings().resolve().unwrap();
        let command = line.visiting.invocation(&line.shared, &config).with_manifest("collect --resume");
        let settings = "--store ground_truth --config my.toml --manifest q.json --sessions 4 --contact 'a b'";
        assert!(
            command.starts_with(&format!("atlas-gt collect --resume {settings} --page-timeout 60 ")),
            "{command}"
        );
        // between them, a program that the environment names
        assert!(command.ends_with(" --webdriver http://hub:4444 --ignore-robots"), "{command}");
    }
}
