//! Which records are looked at again.

use jiff::Timestamp;

use crate::error::{Error, Result};
use crate::manifest::Entry;
use crate::truth::{STALE_AFTER_MONTHS, Store, age, checks};
use crate::workflow::Extractors;
use crate::workflow::job::is_readable;

/// What to look at.
#[derive(Debug, Clone, Default)]
pub struct Selection {
    /// Only these questions.
    pub questions: Option<Vec<String>>,
    /// Only questions of these pages: a path, or its beginning.
    pub pages: Vec<String>,
    /// Only records that nobody looked at for six months.
    pub stale: bool,
}

/// What will be looked at, and what cannot be.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// The questions to look at, in the manifest's order.
    pub entries: Vec<Entry>,
    /// Records of questions that the manifest does not have.
    pub without_entry: Vec<String>,
    /// Records of questions that no page answers.
    pub without_page: Vec<String>,
    /// Questions of the manifest that were chosen and have no record.
    pub without_record: Vec<String>,
    /// Questions with a value that no response holds: only a browser can refresh them.
    pub browser_only: Vec<String>,
}

/// Chooses the records to look at again. Those that cannot be read are quarantined.
///
/// # Errors
/// The store cannot be read, or a question that is asked for by name has no record.
pub fn choose(
    store: &Store,
    entries: &[Entry],
    extractors: &Extractors,
    selection: &Selection,
    now: Timestamp,
) -> Result<Chosen> {
    let ids = store.question_ids()?;
    let looks = if selection.stale { checks::read(store)? } else { checks::Checks::default() };
    let mut chosen = Chosen::default();
    for entry in entries {
        let id = entry.question_id.to_string();
        let named = selection.questions.as_ref().is_none_or(|ids| ids.contains(&id));
        if !named || !is_of_page(entry, &selection.pages) {
            continue;
        }
        if ids.binary_search(&entry.question_id).is_err() {
            chosen.without_record.push(id);
            continue;
        }
        if !is_readable(store, entry) {
            continue;
        }
        if selection.stale {
            let Some(stored) = store.load(&entry.question_id)? else { continue };
            if !age(&stored.record, &looks, STALE_AFTER_MONTHS, now).stale {
                continue;
            }
        }
        if !entry.is_collected() {
            chosen.without_page.push(id);
            continue;
        }
        if extractors.is_browser_only(entry) {
            chosen.browser_only.push(id);
        }
        chosen.entries.push(entry.clone());
    }
    let known: std::collections::BTreeSet<_> = entries.iter().map(|entry| &entry.question_id).collect();
    if selection.questions.is_none() && selection.pages.is_empty() {
        let without_entry = ids.iter().filter(|id| !known.contains(id) && store.is_readable(id));
        chosen.without_entry = without_entry.map(ToString::to_string).collect();
    }
    if let Some(asked) = &selection.questions
        && chosen.entries.is_empty()
        && !selection.stale
        && store.quarantined().is_empty()
        && !asked.is_empty()
    {
        return Err(Error::Usage(format!(
            "--questions {}: {} holds no record of it; `atlas-gt collect` makes one",
            asked.join(","),
            store.dir().display()
        )));
    }
    Ok(chosen)
}

fn is_of_page(entry: &Entry, pages: &[String]) -> bool {
    let path = entry.url.path();
    let path = path.trim_start_matches('/');
    pages.is_empty()
        || pages.iter().any(|page| {
            let page = page.trim_matches('/');
            path.strip_prefix(page).is_some_and(|rest| {
                rest.is_empty() || page.contains('?') || rest.starts_with(['/', '?', '&'])
            })
        })
}
