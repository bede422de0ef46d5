//! Chooses the records to check again.

use std::collections::BTreeSet;

use jiff::Timestamp;

use crate::config::StaleMonths;
use crate::error::Result;
use crate::manifest::Entry;
use crate::selection::{QuestionFilter, at_least_one};
use crate::truth::Store;
use crate::workflow::job::is_readable;
use crate::workflow::{Extractors, stale};

/// Which records to check.
#[derive(Debug, Clone, Default)]
pub struct ChangeSelection {
    /// Only these questions.
    pub questions: Option<Vec<String>>,
    /// Only questions of these pages: a path, or its beginning.
    pub pages: Vec<String>,
    /// Only records that [`stale`](stale::stale) lists with these months.
    pub stale: Option<StaleMonths>,
}

/// The chosen records, and those that cannot be checked.
#[derive(Debug, Clone, Default)]
pub struct Chosen {
    /// The questions to check, in the manifest's order.
    pub entries: Vec<Entry>,
    /// Records whose question is not in the manifest.
    pub without_entry: Vec<String>,
    /// Records whose question no page answers.
    pub without_page: Vec<String>,
    /// Chosen questions of the manifest without a record.
    pub without_record: Vec<String>,
    /// Questions with a value that no response holds. Only a browser can refresh them.
    pub browser_only: Vec<String>,
    /// Chosen records that are not stale.
    pub fresh: usize,
}

/// Chooses the records to check again. At least one must be chosen (decision 37), but `stale` may
/// exclude them all. Unreadable records are quarantined.
///
/// # Errors
/// The store cannot be read or has no record, no record has a chosen page, or no named record can
/// be checked.
pub fn choose(
    store: &Store,
    entries: &[Entry],
    extractors: &Extractors,
    selection: &ChangeSelection,
    now: Timestamp,
) -> Result<Chosen> {
    let ids = at_least_one(store.question_ids()?, || {
        let collect = store.command("collect");
        format!("{} has no record to check; create records with `{collect}`", store.dir().display())
    })?;
    let due = selection.stale.as_ref().map(|months| stale::stale(store, months, now)).transpose()?;
    let recorded = |entry: &&Entry| ids.binary_search(&entry.question_id).is_ok();
    if let Some(pages) = QuestionFilter::new("--page", &selection.pages)? {
        let known = entries.iter().filter(recorded).map(|entry| (path(entry), ()));
        pages.choose(known, &store.dir().display().to_string(), is_of_page)?;
    }
    let is_of_pages = |entry: &Entry| {
        selection.pages.is_empty() || selection.pages.iter().any(|page| is_of_page(page, &path(entry)))
    };
    let mut chosen = Chosen::default();
    for entry in entries {
        let id = entry.question_id.to_string();
        let named = selection.questions.as_ref().is_none_or(|ids| ids.contains(&id));
        if !named || !is_of_pages(entry) {
            continue;
        }
        if !recorded(&entry) {
            chosen.without_record.push(id);
            continue;
        }
        if !is_readable(store, entry) {
            continue;
        }
        if !entry.is_collected() {
            chosen.without_page.push(id);
            continue;
        }
        if let Some(due) = &due
            && due.stale.iter().all(|one| one.question_id != entry.question_id)
        {
            chosen.fresh += 1;
            continue;
        }
        if extractors.is_browser_only(entry) {
            chosen.browser_only.push(id);
        }
        chosen.entries.push(entry.clone());
    }
    let known: BTreeSet<_> = entries.iter().map(|entry| &entry.question_id).collect();
    if selection.questions.is_none() && selection.pages.is_empty() {
        let without_entry = ids.iter().filter(|id| !known.contains(id) && store.is_readable(id));
        chosen.without_entry = without_entry.map(ToString::to_string).collect();
    }
    // unreadable records count as chosen, so that they are reported
    at_least_one(chosen.entries.len() + chosen.fresh + store.quarantined().len(), || {
        let ids = selection.questions.iter().map(|ids| format!("--questions {}", ids.join(",")));
        let pages = selection.pages.iter().map(|page| format!("--page {page}"));
        let what = ids.chain(pages).collect::<Vec<_>>().join(" ");
        let (colon, store) = (if what.is_empty() { "" } else { ": " }, store.dir().display());
        if selection.questions.is_some() && !selection.pages.is_empty() && chosen.without_page.is_empty() {
            return format!("{what}: no record of {store} has one of these questions on one of these pages");
        }
        format!(
            "{what}{colon}no record can be checked: of the records of {store}, {} have no page and {} have no question \
             in the manifest: name the list that they come from with --manifest",
            chosen.without_page.len(),
            chosen.without_entry.len(),
        )
    })?;
    Ok(chosen)
}

/// The path of a question's page, in the form that `--page` takes.
fn path(entry: &Entry) -> String {
    entry.url.path().trim_start_matches('/').to_owned()
}

/// Whether a path equals `page` or begins with it.
fn is_of_page(page: &str, path: &str) -> bool {
    let page = page.trim().trim_matches('/');
    path.strip_prefix(page)
        .is_some_and(|rest| rest.is_empty() || page.contains('?') || rest.starts_with(['/', '?', '&']))
}
