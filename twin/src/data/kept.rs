//! What is made once and kept.

use std::collections::HashMap;
use std::hash::Hash;
use std::sync::{Arc, Mutex, PoisonError};

/// What is made once and kept, by what it is of.
pub(super) type Kept<K, V> = Mutex<HashMap<K, Arc<V>>>;

/// What is kept under a key, made when it is not there yet. Who asks for it meanwhile waits instead of making it
/// again; what `make` needs must be kept elsewhere.
pub(super) fn kept<K: Eq + Hash, V>(
    all: &Kept<K, V>,
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
