//! Folds questions into visits: one per page and not one per question. The twelve sections of a
//! country are one page.

use std::collections::BTreeMap;

use super::entry::Entry;
use crate::atlas::AtlasUrl;

/// One page to visit, and all that is read there.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit<'a> {
    /// The page; for a country its address without a section.
    pub url: AtlasUrl,
    /// The questions that it answers, in the manifest's order.
    pub entries: Vec<&'a Entry>,
    /// The data points to read by extractor, each once, sorted.
    pub points: BTreeMap<&'a str, Vec<&'a str>>,
}

/// The visits that answer these questions, in the order in which their pages first come up. Questions
/// that are planned or not to be visited are left out.
#[must_use]
pub fn visits<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Visit<'a>> {
    let mut visits: Vec<Visit<'a>> = Vec::new();
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    for entry in entries.into_iter().filter(|entry| entry.is_collected()) {
        let url = entry.url.document();
        let index = *at.entry(url.path()).or_insert_with(|| {
            visits.push(Visit { url, entries: Vec::new(), points: BTreeMap::new() });
            visits.len() - 1
        });
        let Some(visit) = visits.get_mut(index) else { continue };
        visit.entries.push(entry);
        let points = visit.points.entry(&entry.extractor).or_default();
        points.extend(entry.data_points.iter().map(String::as_str));
        points.sort_unstable();
        points.dedup();
    }
    visits
}
