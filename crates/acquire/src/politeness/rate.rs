//! The request budget: page visits with everything they load, and our own API requests, in this process and others.

use std::num::NonZeroU32;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::{Duration, Instant};

use governor::clock::{Clock, DefaultClock};
use governor::middleware::NoOpMiddleware;
use governor::state::{InMemoryState, NotKeyed};
use governor::{Quota, RateLimiter};

use super::ledger::Ledger;

/// The longest pause we accept when the site asks for one.
pub const MAX_PAUSE: Duration = Duration::from_secs(300);

/// The longest time between a page's permit and its last request that the pace allows for.
const SPREAD_SECONDS: u32 = 4;

type Bucket<C> = RateLimiter<NotKeyed, InMemoryState, C, NoOpMiddleware<<C as Clock>::Instant>>;

/// The site asks for a longer pause than we wait.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("the site asks for a pause of another {} s; continue after that", .0.as_secs())]
pub struct LeftAlone(pub Duration);

/// A budget of requests per minute.
///
/// The ledger enforces the limit: no minute exceeds it, counting pending requests of all this user's processes. The
/// bucket sets the pace. A bucket with burst `b` and `r` refills a minute admits `b + r` in the worst 60 seconds. A
/// page's requests arrive up to four seconds after its permit, so `r = (limit - b) · 60 / 64`.
pub struct Rate<C: Clock = DefaultClock> {
    bucket: Bucket<C>,
    clock: C,
    burst: u32,
    refill: u32,
    ledger: Ledger,
    turn: tokio::sync::Mutex<()>,
    state: Mutex<State>,
}

#[derive(Debug, Default)]
struct State {
    /// Requests beyond their reservation. The next reservation pays for them.
    debt: u32,
    requests: u64,
    waited: Duration,
    paused_until: Option<Instant>,
}

impl Rate<DefaultClock> {
    /// At most `per_minute` requests in any 60 seconds, with bursts of up to a quarter of them.
    #[must_use]
    pub fn new(per_minute: u32) -> Self {
        Self::with_burst(per_minute, per_minute / 4)
    }

    /// Like [`Rate::new`], with bursts of up to `largest_page` requests.
    #[must_use]
    pub(crate) fn with_burst(per_minute: u32, largest_page: u32) -> Self {
        Self::with_clock(per_minute, largest_page, DefaultClock::default())
    }
}

impl<C: Clock + Clone> Rate<C> {
    fn with_clock(per_minute: u32, burst: u32, clock: C) -> Self {
        let limit = per_minute.max(2);
        let burst = burst.clamp(1, limit - 1);
        let refill = ((limit - burst) * 60 / (60 + SPREAD_SECONDS)).max(1);
        let cells = |n| NonZeroU32::new(n).unwrap_or(NonZeroU32::MIN);
        let quota = Quota::per_minute(cells(refill)).allow_burst(cells(burst));
        Self {
            bucket: RateLimiter::direct_with_clock(quota, clock.clone()),
            clock,
            burst,
            refill,
            ledger: Ledger::new(per_minute),
            turn: tokio::sync::Mutex::default(),
            state: Mutex::default(),
        }
    }

    /// Shares the limit, in `file`, with all concurrent and earlier runs against the same site.
    #[must_use]
    pub fn shared(self, file: PathBuf) -> Self {
        Self { ledger: self.ledger.shared(file), ..self }
    }

    /// Requests per minute that long runs reach. A plan's duration is based on it.
    #[must_use]
    pub const fn sustained(&self) -> u32 {
        self.refill
    }

    /// The largest burst. A page should not load more.
    #[must_use]
    pub const fn burst(&self) -> u32 {
        self.burst
    }

    /// Requests charged so far.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.lock().requests
    }

    /// Time spent waiting for permits, summed over all callers.
    #[must_use]
    pub fn waited(&self) -> Duration {
        self.lock().waited
    }

    /// Waits until `expected` more requests are allowed, after earlier overspending is paid for, and until the minute
    /// has room for `at_most`.
    ///
    /// Callers are served in order, so that small requests do not starve a large page.
    ///
    /// # Errors
    /// The site asks for a pause longer than [`MAX_PAUSE`].
    pub async fn reserve(&self, expected: u32, at_most: u32) -> Result<Permit<'_, C>, LeftAlone> {
        let _turn = self.turn.lock().await;
        let started = Instant::now();
        let permit = self.wait_for(expected, at_most.max(expected)).await;
        self.lock().waited += started.elapsed();
        permit
    }

    /// Waits until one request is allowed. It is pending while the permit is held.
    ///
    /// # Errors
    /// See [`Rate::reserve`].
    pub async fn one(&self) -> Result<Permit<'_, C>, LeftAlone> {
        self.reserve(1, 1).await
    }

    async fn wait_for(&self, expected: u32, at_most: u32) -> Result<Permit<'_, C>, LeftAlone> {
        let mut due = expected;
        loop {
            // Meanwhile, a pause may begin or a visit may overspend.
            self.sit_out_pause().await?;
            due = due.saturating_add(std::mem::take(&mut self.lock().debt));
            let wait = if let Some(part) = NonZeroU32::new(due.min(self.burst)) {
                match self.take(part) {
                    Ok(()) => {
                        due -= part.get();
                        continue;
                    }
                    Err(wait) => wait,
                }
            } else {
                match self.ledger.admit(at_most) {
                    Ok(number) => {
                        return Ok(Permit {
                            rate: self,
                            open: Some(Reservation { number, expected, at_most }),
                        });
                    }
                    Err(wait) => wait,
                }
            };
            tokio::time::sleep(wait).await;
        }
    }

    /// Takes `part` (at most `burst`) from the bucket, or returns how long to wait.
    fn take(&self, part: NonZeroU32) -> Result<(), Duration> {
        let wait = match self.bucket.check_n(part) {
            Ok(Ok(())) => return Ok(()),
            Ok(Err(not_until)) => not_until.wait_time_from(self.clock.now()),
            // Exceeds the bucket's capacity, which `burst` never does.
            Err(_) => Duration::ZERO,
        };
        Err(wait.max(Duration::from_millis(1)))
    }

    /// Ends a reservation: charges `charged` requests and counts `counted` in the next minute. Unused requests are not
    /// refunded.
    fn end(&self, reserved: Reservation, charged: u32, counted: u32) {
        let mut state = self.lock();
        state.requests += u64::from(charged);
        state.debt = state.debt.saturating_add(charged.saturating_sub(reserved.expected));
        drop(state);
        self.ledger.end(reserved.number, counted);
    }

    /// Pauses all requests for `time`, as `Retry-After` asks. Reservations fail while more than [`MAX_PAUSE`] is left.
    /// A longer pause stays in force.
    pub fn pause(&self, time: Duration) {
        let until = Instant::now() + time;
        let mut state = self.lock();
        state.paused_until = Some(state.paused_until.map_or(until, |before| before.max(until)));
    }

    async fn sit_out_pause(&self) -> Result<(), LeftAlone> {
        loop {
            let Some(until) = self.lock().paused_until else { return Ok(()) };
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                self.lock().paused_until = None;
                return Ok(());
            }
            if left > MAX_PAUSE {
                return Err(LeftAlone(left));
            }
            tokio::time::sleep(left).await;
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl<C: Clock + Clone> std::fmt::Debug for Rate<C> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        f.debug_struct("Rate")
            .field("burst", &self.burst)
            .field("per_minute", &self.refill)
            .field("state", &*state)
            .finish_non_exhaustive()
    }
}

/// A pending reservation.
#[derive(Debug, Clone, Copy)]
struct Reservation {
    /// The ledger's entry number.
    number: u64,
    expected: u32,
    at_most: u32,
}

/// Permission to send requests. If dropped, it counts with everything it allowed, from that moment.
#[derive(Debug)]
#[must_use = "requests after the drop are not counted"]
pub struct Permit<'a, C: Clock + Clone = DefaultClock> {
    rate: &'a Rate<C>,
    /// `None` once it has ended.
    open: Option<Reservation>,
}

impl<C: Clock + Clone> Permit<'_, C> {
    /// Ends the permit with the number of requests sent.
    pub fn asked(mut self, requests: u32) {
        if let Some(reserved) = self.open.take() {
            self.rate.end(reserved, requests, requests);
        }
    }

    /// Ends the permit when only some of the requests are known. All that it allowed may have been sent.
    pub fn asked_at_least(mut self, requests: u32) {
        if let Some(reserved) = self.open.take() {
            self.rate.end(reserved, requests.max(reserved.expected), requests.max(reserved.at_most));
        }
    }
}

impl<C: Clock + Clone> Drop for Permit<'_, C> {
    fn drop(&mut self) {
        if let Some(reserved) = self.open.take() {
            self.rate.end(reserved, reserved.expected, reserved.at_most);
        }
    }
}

#[cfg(test)]
mod tests {
    use governor::clock::FakeRelativeClock;
    use proptest::prelude::*;

    use super::*;

    const MINUTE_MS: u64 = 60_000;

    fn fake(limit: u32, burst: u32) -> (Rate<FakeRelativeClock>, FakeRelativeClock) {
        let clock = FakeRelativeClock::default();
        (Rate::with_clock(limit, burst, clock.clone()), clock)
    }

    fn take<C: Clock + Clone>(rate: &Rate<C>, cells: u32) -> Result<(), Duration> {
        rate.take(NonZeroU32::new(cells).unwrap())
    }

    /// A visit that was expected to ask 20 times and asked so often.
    fn visit<C: Clock + Clone>(rate: &Rate<C>, asked: u32) {
        let number = rate.ledger.admit(20).unwrap();
        rate.end(Reservation { number, expected: 20, at_most: 20 }, asked, asked);
    }

    /// The largest number of arrivals in any closed window of 60 s.
    fn worst_minute(arrivals: &mut [u64]) -> usize {
        arrivals.sort_unstable();
        let mut worst = 0;
        for (first, start) in arrivals.iter().enumerate() {
            let past = arrivals.partition_point(|at| *at <= start + MINUTE_MS);
            worst = worst.max(past - first);
        }
        worst
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Pages within their estimate, whose requests trickle in for up to four seconds.
        #[test]
        fn no_minute_sees_more_than_the_limit(
            limit in 40_u32..200,
            visits in prop::collection::vec((0_u64..8_000, 1_u32..10, 0_u64..4_000), 50..150),
        ) {
            let (rate, clock) = fake(limit, limit / 4);
            let mut now = 0;
            let mut arrivals = Vec::new();
            for (idle, pages, spread) in visits {
                clock.advance(Duration::from_millis(idle));
                now += idle;
                while let Err(wait) = take(&rate, pages) {
                    let ms = u64::try_from(wait.as_millis()).unwrap() + 1;
                    clock.advance(Duration::from_millis(ms));
                    now += ms;
                }
                arrivals.extend((0..u64::from(pages)).map(|n| now + spread * n / u64::from(pages)));
            }
            let worst = worst_minute(&mut arrivals);
            prop_assert!(worst <= limit as usize, "{worst} requests in one minute, limit {limit}");
        }
    }

    #[test]
    fn a_greedy_client_comes_close_to_the_limit() {
        let (rate, clock) = fake(120, 30);
        let mut arrivals = Vec::new();
        for ms in 0..180_000 {
            if take(&rate, 1).is_ok() {
                arrivals.push(ms);
            }
            clock.advance(Duration::from_millis(1));
        }
        let worst = worst_minute(&mut arrivals);
        assert!((110..=120).contains(&worst), "{worst}");
        assert_eq!((rate.burst(), rate.sustained()), (30, 84));
    }

    #[test]
    fn an_excess_becomes_a_debt_and_using_less_gives_nothing_back() {
        let (rate, clock) = fake(120, 30);
        visit(&rate, 25);
        visit(&rate, 40);
        visit(&rate, 3);
        // the lock is given back before the next call takes it
        let debt = rate.lock().debt;
        assert_eq!((debt, rate.requests()), (25, 68), "5 and 20 more than was expected");
        assert!(take(&rate, 30).is_ok() && take(&rate, 1).is_err());
        clock.advance(Duration::from_secs(60));
        assert!(take(&rate, 30).is_ok(), "never more than the burst");
        assert!(take(&rate, 1).is_err());
    }

    #[tokio::test]
    async fn the_debt_is_paid_before_the_next_reservation() {
        // 6,000 a minute: real waits of milliseconds.
        let rate = Rate::with_burst(6_000, 100);
        rate.reserve(100, 200).await.unwrap().asked(160);
        let before = Instant::now();
        drop(rate.one().await.unwrap());
        let least = Duration::from_secs_f64(50.0 / f64::from(rate.sustained()) * 60.0);
        assert!(before.elapsed() >= least, "{:?} < {least:?}", before.elapsed());
        assert_eq!(rate.requests(), 161);
        assert!(rate.waited() >= least);
        assert_eq!(rate.lock().debt, 0);
    }

    #[tokio::test]
    async fn what_is_under_way_leaves_room_for_all_that_it_may_ask() {
        let rate = Rate::with_burst(6_000, 100);
        let visit = rate.reserve(20, 5_990).await.unwrap();
        let waiting = rate.reserve(11, 11);
        tokio::pin!(waiting);
        assert!(tokio::time::timeout(Duration::from_millis(600), &mut waiting).await.is_err());
        visit.asked(24);
        assert!(tokio::time::timeout(Duration::from_secs(5), waiting).await.unwrap().is_ok());
    }

    #[tokio::test]
    async fn what_failed_counts_with_all_that_it_may_have_asked_and_with_all_that_is_known() {
        let rate = Rate::with_burst(6_000, 100);
        rate.reserve(20, 5_990).await.unwrap().asked_at_least(4);
        assert_eq!(rate.requests(), 20);
        let full = |of: &Rate| of.ledger.admit(11).is_err() && of.ledger.admit(10).is_ok();
        assert!(full(&rate), "it may have asked all that was allowed");
        let rate = Rate::with_burst(6_000, 100);
        rate.reserve(20, 30).await.unwrap().asked_at_least(5_990);
        assert!(full(&rate), "it asked more than was allowed");
        assert_eq!(rate.requests(), 5_990);
        let rate = Rate::with_burst(6_000, 100);
        drop(rate.reserve(20, 5_990).await.unwrap());
        assert!(full(&rate) && rate.requests() == 20, "given up");
    }

    #[tokio::test]
    async fn a_pause_holds_everybody_also_who_waits_already() {
        let rate = Rate::with_burst(6_000, 100);
        rate.pause(Duration::from_millis(40));
        rate.pause(Duration::from_millis(5));
        let before = Instant::now();
        drop(rate.one().await.unwrap());
        assert!(before.elapsed() >= Duration::from_millis(40));
        // half a second for what there is not yet, and then the pause that began meanwhile
        let (started, waiting) = (Instant::now(), rate.reserve(150, 150));
        let pause = async {
            tokio::time::sleep(Duration::from_millis(20)).await;
            rate.pause(Duration::from_millis(1200));
        };
        let (permit, ()) = tokio::join!(waiting, pause);
        assert!(
            permit.is_ok() && started.elapsed() >= Duration::from_millis(1200),
            "{:?}",
            started.elapsed()
        );
    }

    #[tokio::test]
    async fn who_asks_to_be_left_alone_for_long_is_not_waited_for() {
        let rate = Rate::new(120);
        rate.pause(Duration::from_secs(900));
        let LeftAlone(left) = rate.one().await.unwrap_err();
        assert!(left > Duration::from_secs(890), "{left:?}");
        assert_eq!(rate.requests(), 0);
    }
}
