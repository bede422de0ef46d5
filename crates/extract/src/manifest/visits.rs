//! Groups questions into visits, one per page instead of one per question. The twelve sections of a
//! country are one page.

use std::collections::BTreeMap;

use super::entry::Entry;
use crate::atlas::AtlasUrl;

/// A page to visit, with everything that is read there.
#[derive(Debug, Clone, PartialEq)]
pub struct Visit {
    /// The page. A country's address has no section.
    pub url: AtlasUrl,
    /// The questions that it answers, in the manifest's order.
    pub entries: Vec<Entry>,
}

impl Visit {
    /// The questions by the extractor that reads them.
    #[must_use]
    pub fn by_extractor(&self) -> BTreeMap<&str, Vec<&Entry>> {
        let mut groups: BTreeMap<&str, Vec<&Entry>> = BTreeMap::new();
        for entry in &self.entries {
            groups.entry(&entry.extractor).or_default().push(entry);
        }
        groups
    }
}

/// The visits that answer these questions, in the order in which their pages first appear. The inputs of a derived
/// answer are read on their own pages. Planned and unvisited questions are omitted.
#[must_use]
pub fn visits<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Vec<Visit> {
    let mut visits: Vec<Visit> = Vec::new();
    let mut at: BTreeMap<String, usize> = BTreeMap::new();
    let collected = entries.into_iter().filter(|entry| entry.is_collected());
    for entry in collected.flat_map(Entry::readings) {
        let url = entry.url.document();
        let index = *at.entry(url.path()).or_insert(visits.len());
        if index == visits.len() {
            visits.push(Visit { url, entries: Vec::new() });
        }
        visits[index].entries.push(entry.clone());
    }
    visits
}
