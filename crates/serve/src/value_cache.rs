//! A cache for values that are expensive to compute. Concurrent callers share one computation. If it takes long, it
//! runs in the background and callers get the previous value.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Age at which a value of unchanged rows is recomputed, because time windows move on.
const MOVES_ON: Duration = Duration::from_secs(1);

/// A computed value.
#[derive(Debug)]
struct CachedValue<T> {
    value: Arc<T>,
    /// The version of the rows it was computed from.
    version: u64,
    began: Instant,
    ended: Instant,
}

impl<T> CachedValue<T> {
    fn took(&self) -> Duration {
        self.ended - self.began
    }

    /// Whether it is still valid. At most a tenth of the time is spent on recomputing.
    fn counts(&self, version: u64) -> bool {
        let age = self.ended.elapsed();
        age < self.took() * 10 || (self.version == version && age < MOVES_ON)
    }
}

/// A cache for one value.
#[derive(Debug)]
pub(crate) struct ValueCache<T> {
    made: Mutex<Option<Arc<CachedValue<T>>>>,
    /// Computations that began before this time are invalid.
    forgotten: Mutex<Option<Instant>>,
    turn: tokio::sync::Mutex<()>,
}

impl<T> Default for ValueCache<T> {
    fn default() -> Self {
        Self { made: Mutex::default(), forgotten: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }
}

impl<T: Send + Sync + 'static> ValueCache<T> {
    /// Invalidates the current value and running computations.
    pub fn forget(&self) {
        *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn known(&self, since: Option<Instant>) -> Option<Arc<CachedValue<T>>> {
        let since = since.max(*self.forgotten.lock().unwrap_or_else(PoisonError::into_inner));
        let known = self.made.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.filter(|made| since.is_none_or(|since| made.began > since))
    }

    /// The value for a version of the rows. Values whose computation began before `since` are invalid.
    ///
    /// # Errors
    /// The computation failed, and no earlier value is valid.
    pub async fn get<E, F>(
        self: &Arc<Self>,
        version: u64,
        since: Option<Instant>,
        make: impl FnOnce() -> F + Send + 'static,
    ) -> Result<Arc<T>, E>
    where
        E: Send + 'static,
        F: Future<Output = Result<T, E>> + Send,
    {
        if let Some(known) = self.known(since) {
            if known.counts(version) {
                return Ok(known.value.clone());
            }
            if known.took() > crate::window::QUICK {
                let kept = self.clone();
                tokio::spawn(async move {
                    let Ok(_turn) = kept.turn.try_lock() else { return };
                    // `make` logs its own errors, and the next caller retries.
                    let _ = kept.put(version, make()).await;
                });
                return Ok(known.value.clone());
            }
        }
        let _turn = self.turn.lock().await;
        match self.known(since).filter(|known| known.counts(version)) {
            Some(known) => Ok(known.value.clone()),
            None => self.put(version, make()).await,
        }
    }

    async fn put<E>(&self, version: u64, make: impl Future<Output = Result<T, E>>) -> Result<Arc<T>, E> {
        let began = Instant::now();
        let value = Arc::new(make.await?);
        let made = CachedValue { value: value.clone(), version, began, ended: Instant::now() };
        *self.made.lock().unwrap_or_else(PoisonError::into_inner) = Some(Arc::new(made));
        Ok(value)
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU32, Ordering};

    use super::*;

    #[tokio::test]
    async fn one_makes_it_for_all_and_what_takes_long_is_made_behind() {
        let (kept, count) = (Arc::new(ValueCache::default()), Arc::new(AtomicU32::new(0)));
        let get = |version: u64, takes: u64| {
            let (kept, count) = (kept.clone(), count.clone());
            async move {
                let make = move || async move {
                    tokio::time::sleep(Duration::from_millis(takes)).await;
                    Ok::<_, ()>(count.fetch_add(1, Ordering::SeqCst) + 1)
                };
                *kept.get(version, None, make).await.unwrap()
            }
        };
        // nothing is cached yet: all wait, and one computes it
        let all = futures::future::join_all((0..20).map(|_| get(1, 30))).await;
        assert_eq!(all, [1; 20]);
        assert_eq!(get(2, 30).await, 1, "a tenth of the time");
        // it takes long: it is recomputed in the background, for at most a tenth of the time
        let mut last = 1;
        while last == 1 {
            last = get(2, 0).await;
            tokio::task::yield_now().await;
        }
        assert_eq!(last, 2);
        kept.forget();
        let made = count.load(Ordering::SeqCst);
        assert!(get(2, 0).await > made, "what was forgotten is made anew at once");
    }
}
