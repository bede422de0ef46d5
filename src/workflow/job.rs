//! The inputs of a collection: pages, extractors, store and budget.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use url::Url;

use crate::acquire::{Rate, Robots};
use crate::config::Config;
use crate::error::Result;
use crate::extract::Extractors;
use crate::manifest::Entry;
use crate::manifest::spec::Specs;
use crate::truth::Store;
use crate::workflow::{Clock, OwnApi, RequestEstimates};

/// A collection to run.
#[derive(Debug)]
pub struct Job {
    /// The address of the site.
    pub base: Url,
    /// The questions to collect.
    pub entries: Vec<Entry>,
    /// The extractors of its pages.
    pub extractors: Extractors,
    /// The store for the records.
    pub store: Store,
    /// The request budget, shared by pages and our own queries.
    pub rate: Arc<Rate>,
    /// The client for our own queries. Without it none are sent.
    pub api: Option<OwnApi>,
    /// Estimates of the requests per page.
    pub estimates: RequestEstimates,
    /// The number of parallel browser sessions.
    pub sessions: usize,
    /// How long a page may take to show the wanted values.
    pub page_timeout: Duration,
    /// The maximum number of attempts at a page, for failures that may pass.
    pub attempts: u32,
    /// What time it is.
    pub clock: Clock,
    /// Options from the site and from earlier runs.
    pub options: RunOptions,
}

/// Options from the site and from earlier runs.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// The pages that the site's robots.txt excludes.
    pub robots: Robots,
    /// The manifest of the questions, if not the built-in one.
    pub manifest: Option<PathBuf>,
    /// Whether this run resumes an unfinished one.
    pub goes_on: bool,
    /// Questions skipped because the resumed run answered them.
    pub answered_before: usize,
    /// Questions skipped because they were checked recently.
    pub fresh: usize,
}

/// Whether every stored file of a question and its inputs is readable. Unreadable files are
/// quarantined.
pub(super) fn is_readable(store: &Store, entry: &Entry) -> bool {
    // no short circuit: every bad file is reported
    let inputs = entry.readings().iter().map(|input| store.is_readable(&input.question_id));
    inputs.fold(store.is_readable(&entry.question_id), |all, one| all & one)
}

/// The extractors of a configuration.
///
/// # Errors
/// A spec cannot be read or is wrong.
pub fn extractors(config: &Config) -> Result<Extractors> {
    Extractors::new(&specs(config)?)
}

impl Job {
    /// The full address of a page path.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }
}

/// The specs that the configuration names. Logs a warning for every outdated notation.
///
/// # Errors
/// As [`Specs::load`].
pub fn specs(config: &Config) -> Result<Specs> {
    let specs = config.extractors.as_deref().map_or_else(Specs::built_in, Specs::load)?;
    for hint in specs.iter().flat_map(|spec| &spec.hints) {
        tracing::warn!("{hint}");
    }
    Ok(specs)
}
