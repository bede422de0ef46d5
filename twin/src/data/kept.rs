//! A cache for values that are computed once.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// A cache by key.
pub(super) type Cache<K, V> = Mutex<HashMap<K, Arc<V>>>;

/// The value of a key, computed if missing. Other callers wait for it. `make` must not use the same cache.
pub(super) fn cached<K: Eq + Hash, V>(
    all: &Cache<K, V>,
    key: K,
    make: impl FnOnce() -> Result<V, String>,
) -> Result<Arc<V>, String> {
    let mut all = all.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(found) = all.get(&key) {
        return Ok(Arc::clone(found));
    }
    let made = Arc::new(make()?);
    all.insert(key, Arc::clone(&made));
    Ok(made)
}
