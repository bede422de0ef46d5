//! Values that are computed from many rows and cached for a while. Of those who ask at the same time one computes; where that takes
//! long, it is done behind them, and they get the value before.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

/// Of the same rows it is made anew after so long, for windows move on by the second.
const MOVES_ON: Duration = Duration::from_secs(1);

/// A computed value.
#[derive(Debug)]
struct CachedValue<T> {
    value: Arc<T>,
    /// Of which rows.
    version: u64,
    began: Instant,
    ended: Instant,
}

impl<T> CachedValue<T> {
    fn took(&self) -> Duration {
        self.ended - self.began
    }

    /// Whether it still counts: at most a tenth of the time is spent on making it.
    fn counts(&self, version: u64) -> bool {
        let age = self.ended.elapsed();
        age < self.took() * 10 || (self.version == version && age < MOVES_ON)
    }
}

/// The place of one such value.
#[derive(Debug)]
pub(crate) struct ValueCache<T> {
    made: Mutex<Option<Arc<CachedValue<T>>>>,
    /// What was begun before counts no longer.
    forgotten: Mutex<Option<Instant>>,
    turn: tokio::sync::Mutex<()>,
}

impl<T> Default for ValueCache<T> {
    fn default() -> Self {
        Self { made: Mutex::default(), forgotten: Mutex::default(), turn: tokio::sync::Mutex::default() }
    }
}

impl<T: Send + Sync + 'static> ValueCache<T> {
    /// Says that what is known, or is being made, counts no longer.
    pub fn forget(&self) {
        *self.forgotten.lock().unwrap_or_else(PoisonError::into_inner) = Some(Instant::now());
    }

    fn known(&self, since: Option<Instant>) -> Option<Arc<CachedValue<T>>> {
        let since = since.max(*self.forgotten.lock().unwrap_or_else(PoisonError::into_inner));
        let known = self.made.lock().unwrap_or_else(PoisonError::into_inner).clone();
        known.filter(|made| since.is_none_or(|since| made.began > since))
    }

    /// The value for rows of a version. What was begun before `since` does not count.
    ///
    /// # Errors
    /// What making it came to, where nothing was known before.
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
                    // what fails says so itself, and is tried again for the next one who asks
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
        // nothing is known yet: all wait, and one makes it
        let all = futures::future::join_all((0..20).map(|_| get(1, 30))).await;
        assert_eq!(all, [1; 20]);
        assert_eq!(get(2, 30).await, 1, "a tenth of the time");
        // it takes long: it is made behind whoever asks, once a tenth of the time is up
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
