//! How many requests pages make, learned from earlier visits. Kept in the user's cache folder: it is no
//! truth, and a store must not change when it is looked at again.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

/// Requests of a country page until one was seen: document, bundle, style, icon and its own queries.
const COUNTRY: u32 = 22;
/// Requests of an Explore page until one was seen.
const EXPLORE: u32 = 14;

/// Requests by page, of one site.
#[derive(Debug, Clone, Default)]
pub struct Learned {
    site: String,
    path: Option<PathBuf>,
    all: BTreeMap<String, Pages>,
}

#[derive(Debug, Clone, Default, Serialize, Deserialize)]
struct Pages(BTreeMap<String, u32>);

impl Learned {
    /// What was learned of a site; nothing where the cache cannot be read, for it is only a help.
    #[must_use]
    pub fn of(site: &str) -> Self {
        let folder = std::env::var_os("XDG_CACHE_HOME")
            .map(PathBuf::from)
            .or_else(|| std::env::var_os("HOME").map(|home| PathBuf::from(home).join(".cache")));
        let path = folder.map(|folder| folder.join("atlas-gt").join("requests.json"));
        let all = path
            .as_ref()
            .and_then(|path| std::fs::read_to_string(path).ok())
            .and_then(|text| serde_json::from_str(&text).ok())
            .unwrap_or_default();
        Self { site: site.to_owned(), path, all }
    }

    /// Nothing, and nothing is kept.
    #[must_use]
    pub fn nothing() -> Self {
        Self::default()
    }

    /// The requests that a page is expected to make, and whether that was seen before: of the page itself, else
    /// the most of its kind, else a default.
    #[must_use]
    pub fn requests(&self, page: &str) -> (u32, bool) {
        let pages = self.all.get(&self.site).map(|pages| &pages.0);
        let seen = pages.and_then(|pages| {
            let own = pages.get(page).copied();
            own.or_else(|| pages.iter().filter(|(other, _)| kind(other) == kind(page)).map(|(_, n)| *n).max())
        });
        match seen {
            Some(requests) => (requests, true),
            None if kind(page) == "countries" => (COUNTRY, false),
            None => (EXPLORE, false),
        }
    }

    /// Keeps what visits needed.
    pub fn keep(mut self, seen: impl IntoIterator<Item = (String, u32)>) {
        let pages = self.all.entry(self.site).or_default();
        for (page, requests) in seen {
            pages.0.insert(page, requests);
        }
        let Some(path) = self.path else { return };
        let written = path
            .parent()
            .map_or(Ok(()), std::fs::create_dir_all)
            .and_then(|()| serde_json::to_vec_pretty(&self.all).map_err(std::io::Error::other))
            .and_then(|text| std::fs::write(&path, text));
        if let Err(error) = written {
            tracing::debug!("{}: {error}", path.display());
        }
    }
}

/// The first part of a path, with the visualisation for Explore pages.
fn kind(page: &str) -> &str {
    let path = page.split('?').next().unwrap_or(page).trim_start_matches('/');
    if path.starts_with("explore") { path } else { path.split('/').next().unwrap_or(path) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_expected_to_do_what_it_did_or_what_its_kind_did() {
        let mut learned = Learned { site: "live".into(), ..Learned::default() };
        assert_eq!(learned.requests("/countries/404"), (COUNTRY, false));
        let pages = [("/countries/404".to_owned(), 21), ("/countries/76".to_owned(), 19)];
        learned.all.insert("live".into(), Pages(pages.into()));
        assert_eq!(learned.requests("/countries/76"), (19, true));
        assert_eq!(learned.requests("/countries/724"), (21, true));
        assert_eq!(learned.requests("/explore/treemap?year=2024"), (EXPLORE, false));
    }
}
