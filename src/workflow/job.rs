//! What a collection needs: pages, extractors, store, budget.

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

/// A collection to be done.
#[derive(Debug)]
pub struct Job {
    /// Where the site is served.
    pub base: Url,
    /// The questions to answer.
    pub entries: Vec<Entry>,
    /// What reads its pages.
    pub extractors: Extractors,
    /// Where records are kept.
    pub store: Store,
    /// The budget of requests, of pages and our own queries together.
    pub rate: Arc<Rate>,
    /// What our own queries are sent with; without it none are.
    pub api: Option<OwnApi>,
    /// How many requests pages make.
    pub estimates: RequestEstimates,
    /// Pages at a time.
    pub sessions: usize,
    /// How long a page may take to show what is looked for.
    pub page_timeout: Duration,
    /// Attempts at a page whose failure may pass.
    pub attempts: u32,
    /// What time it is.
    pub clock: Clock,
    /// What the site asks for, and what an earlier run has done already.
    pub options: RunOptions,
}

/// What a collection minds beside its job.
#[derive(Debug, Clone, Default)]
pub struct RunOptions {
    /// Which pages the site asks programs to leave alone.
    pub robots: Robots,
    /// Whether an unfinished run is gone on with.
    pub goes_on: bool,
    /// Questions that are left out because that run answered them.
    pub answered_before: usize,
    /// Questions that are left out because they were looked at recently.
    pub fresh: usize,
}

/// Whether everything that the store keeps of a question and of its inputs can be read; what cannot is quarantined.
pub(super) fn is_readable(store: &Store, entry: &Entry) -> bool {
    // every file is tried, so that every bad one is named
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
    /// The address of a page path on the site that is read.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }
}

/// The specs that a configuration names. What is written in an old way is warned of.
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
