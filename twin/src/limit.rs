//! The site's rate limit: a number of API requests per client in any 60 seconds, over both endpoints.

use std::collections::{HashMap, VecDeque};
use std::net::IpAddr;
use std::time::{Duration, Instant};

/// The window.
const WINDOW: Duration = Duration::from_secs(60);

/// Records when each client's requests passed.
#[derive(Debug)]
pub(crate) struct Limit {
    max: Option<u32>,
    passed: HashMap<IpAddr, VecDeque<Instant>>,
}

impl Limit {
    pub(crate) fn new(max: Option<u32>) -> Self {
        Self { max, passed: HashMap::new() }
    }

    /// Admits a request, or returns how long the client must wait. Refused requests do not count.
    pub(crate) fn pass(&mut self, client: IpAddr, now: Instant) -> Result<(), Duration> {
        let Some(max) = self.max else { return Ok(()) };
        let passed = self.passed.entry(client).or_default();
        while passed.front().is_some_and(|first| now.duration_since(*first) >= WINDOW) {
            passed.pop_front();
        }
        if passed.len() < max as usize {
            passed.push_back(now);
            return Ok(());
        }
        Err(passed.front().map_or(WINDOW, |first| WINDOW.saturating_sub(now.duration_since(*first))))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::Ipv4Addr;

    #[test]
    fn any_window_of_sixty_seconds_holds_no_more_than_the_limit() {
        let mut limit = Limit::new(Some(2));
        let start = Instant::now();
        let at = |seconds| start + Duration::from_secs(seconds);
        let [one, other] = [IpAddr::V4(Ipv4Addr::LOCALHOST), IpAddr::V4(Ipv4Addr::BROADCAST)];
        assert_eq!(limit.pass(one, at(0)), Ok(()));
        assert_eq!(limit.pass(one, at(30)), Ok(()));
        assert_eq!(limit.pass(one, at(59)), Err(Duration::from_secs(1)));
        assert_eq!(limit.pass(other, at(59)), Ok(()), "clients are counted apart");
        assert_eq!(limit.pass(one, at(60)), Ok(()));
        assert_eq!(
            limit.pass(one, at(61)),
            Err(Duration::from_secs(29)),
            "the window slides, it does not restart"
        );
    }
}
