//! A cache of introspection responses, valid for a day, so that a start needs no request.

use std::path::PathBuf;

use jiff::{SignedDuration, Timestamp};
use serde::{Deserialize, Serialize};
use url::Url;

use crate::atlas::Api;
use crate::atomic_file::write_atomic;
use crate::evidence::Hash;

/// How long a cached response is valid.
const VALID_FOR: SignedDuration = SignedDuration::from_hours(24);

/// A folder of cached responses, or no cache.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SchemaCache {
    folder: Option<PathBuf>,
    /// Whether to ignore cached responses.
    stale: bool,
}

/// A cached introspection response.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct CachedSchema {
    /// When it was fetched.
    pub fetched_at: Timestamp,
    /// The address it came from.
    pub url: String,
    /// Hash of the body.
    pub hash: Hash,
    /// The response, byte for byte.
    pub body: String,
}

impl CachedSchema {
    pub(super) fn new(base: &Url, fetched_at: Timestamp, body: String) -> Self {
        Self { fetched_at, url: base.to_string(), hash: Hash::of(body.as_bytes()), body }
    }
}

impl SchemaCache {
    /// A disabled cache.
    #[must_use]
    pub const fn none() -> Self {
        Self { folder: None, stale: false }
    }

    /// A cache in a folder, which is created when needed.
    #[must_use]
    pub fn at(folder: impl Into<PathBuf>) -> Self {
        Self { folder: Some(folder.into()), stale: false }
    }

    /// A cache in the user's cache folder. Disabled if the user has none.
    #[must_use]
    pub fn of_user() -> Self {
        Self { folder: crate::machine::cache_folder(), stale: false }
    }

    /// Ignores cached responses: the API is queried again and the response is cached.
    #[must_use]
    pub fn renewed(self) -> Self {
        Self { stale: true, ..self }
    }

    fn file(&self, base: &Url, api: Api) -> Option<PathBuf> {
        let host =
            base.host_str().unwrap_or("site").replace(|c: char| !c.is_ascii_alphanumeric() && c != '.', "-");
        let port = base.port().map_or_else(String::new, |port| format!("-{port}"));
        Some(self.folder.as_ref()?.join(format!("schema-{host}{port}-{api}.json")))
    }

    /// Whether a valid response is cached, so that the API is not queried.
    #[must_use]
    pub fn has(&self, base: &Url, api: Api, now: Timestamp) -> bool {
        self.get(base, api, now).is_some()
    }

    /// An undamaged response from the same address, less than a day old.
    pub(super) fn get(&self, base: &Url, api: Api, now: Timestamp) -> Option<CachedSchema> {
        if self.stale {
            return None;
        }
        let text = std::fs::read_to_string(self.file(base, api)?).ok()?;
        let kept: CachedSchema = serde_json::from_str(&text).ok()?;
        let age = now.duration_since(kept.fetched_at);
        let good = age >= SignedDuration::ZERO
            && age < VALID_FOR
            && kept.url == base.as_str()
            && kept.hash == Hash::of(kept.body.as_bytes());
        good.then_some(kept)
    }

    /// Caches a response. Best effort: after a failure the next start queries again.
    pub(super) fn put(&self, base: &Url, api: Api, kept: &CachedSchema) {
        let Some(file) = self.file(base, api) else { return };
        let Ok(text) = serde_json::to_vec(kept) else { return };
        if let Err(error) = write_atomic(&file, &text) {
            tracing::info!("could not cache the schema: {error}");
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_hold_a_day_for_their_address_and_only_undamaged() {
        let folder = tempfile::tempdir().unwrap();
        let cache = SchemaCache::at(folder.path().join("deep"));
        let [base, other] = ["https://a.example/", "https://b.example/"].map(|url| Url::parse(url).unwrap());
        let at: Timestamp = "2026-03-01T12:00:00Z".parse().unwrap();
        let kept = CachedSchema::new(&base, at, "{\"data\": {}}".to_owned());
        cache.put(&base, Api::Country, &kept);
        let hours = |hours| at + SignedDuration::from_hours(hours);
        assert_eq!(cache.get(&base, Api::Country, hours(23)), Some(kept));
        assert_eq!(cache.get(&base, Api::Country, hours(24)), None, "a day is over");
        assert_eq!(cache.get(&base, Api::Country, hours(-1)), None, "from the future");
        assert_eq!(cache.get(&base, Api::Explore, hours(1)), None);
        assert_eq!(cache.get(&other, Api::Country, hours(1)), None);
        assert_eq!(cache.clone().renewed().get(&base, Api::Country, hours(1)), None);
        let file = cache.file(&base, Api::Country).unwrap();
        let damaged = std::fs::read_to_string(&file).unwrap().replace("data", "dato");
        std::fs::write(&file, damaged).unwrap();
        assert_eq!(cache.get(&base, Api::Country, hours(1)), None);
        assert_eq!(SchemaCache::none().get(&base, Api::Country, hours(1)), None);
    }
}
