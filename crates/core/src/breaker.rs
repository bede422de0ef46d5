//! A circuit breaker: after several failures in a row it blocks requests until an earlier one succeeds.

use std::sync::{Mutex, MutexGuard, PoisonError};

/// Failures in a row that open the breaker of an agent or a judge.
pub const MAX_FAILURES: u32 = 3;

/// Counts failures in a row.
#[derive(Debug, Default)]
pub struct Breaker {
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    failures: u32,
    last: String,
}

impl Breaker {
    /// The last failure, if requests are blocked. `None` while they are allowed.
    #[must_use]
    pub fn refusal(&self) -> Option<String> {
        let state = self.state();
        (state.failures >= MAX_FAILURES).then(|| state.last.clone())
    }

    /// Records a failure.
    pub fn failed(&self, why: &str) {
        let mut state = self.state();
        state.failures = state.failures.saturating_add(1);
        state.last = why.to_owned();
    }

    /// Records a success, which closes the breaker.
    pub fn succeeded(&self) {
        self.state().failures = 0;
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_failures_in_a_row_open_it_and_a_success_closes_it() {
        let breaker = Breaker::default();
        breaker.failed("one");
        breaker.failed("two");
        breaker.succeeded();
        breaker.failed("three");
        breaker.failed("four");
        assert_eq!(breaker.refusal(), None);
        breaker.failed("five");
        assert_eq!(breaker.refusal().as_deref(), Some("five"));
        breaker.succeeded();
        assert_eq!(breaker.refusal(), None);
    }
}
