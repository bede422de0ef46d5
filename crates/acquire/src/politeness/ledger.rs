//! Counts the requests that all processes of this user sent to a site within the last minute.
//!
//! A page sends its requests over seconds, and their number is known only afterwards. While a page loads, it counts
//! with its maximum; afterwards with its real number, for one minute.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// How long finished requests count. The site may see the last request slightly later than we see its end.
const COUNTED: Duration = Duration::from_secs(61);
/// How often to check for room again. Pending requests, here or in another process, may end at any time.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// The next entry number in this process.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// A page visit or request that counts.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LedgerEntry {
    process: u32,
    number: u64,
    requests: u32,
    /// End of its count, in milliseconds of the monotonic clock; `None` while it is pending.
    until: Option<u64>,
}

/// The entries that count at the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Minute(Vec<LedgerEntry>);

impl Minute {
    /// Drops expired entries. Entries of a process that has exited end now. So do entries further ahead than possible:
    /// the clock starts again after a reboot.
    fn tidy(&mut self, now: Duration, runs: impl Fn(u32) -> bool) {
        let latest = millis(now + COUNTED);
        for one in &mut self.0 {
            one.until = match one.until {
                None if runs(one.process) => None,
                until => Some(until.unwrap_or(latest).min(latest)),
            };
        }
        self.0.retain(|one| one.until.is_none_or(|until| until > millis(now)));
    }

    /// Adds an entry if its requests fit. Otherwise returns how long to wait.
    fn admit(&mut self, now: Duration, limit: u32, asked: LedgerEntry) -> Result<(), Duration> {
        let counted = self.0.iter().fold(0_u32, |sum, one| sum.saturating_add(one.requests));
        let over = counted.saturating_add(asked.requests).saturating_sub(limit);
        if over == 0 {
            self.0.push(asked);
            return Ok(());
        }
        let mut ends: Vec<(u64, u32)> =
            self.0.iter().filter_map(|one| Some((one.until?, one.requests))).collect();
        ends.sort_unstable();
        let mut freed = 0_u32;
        let room = ends.into_iter().find(|(_, requests)| {
            freed = freed.saturating_add(*requests);
            freed >= over
        });
        let wait = room.map(|(until, _)| Duration::from_millis(until.saturating_sub(millis(now)).max(1)));
        Err(wait.map_or(ASK_AGAIN, |wait| wait.min(ASK_AGAIN)))
    }

    /// Ends an entry with the number of requests it really sent.
    fn end(&mut self, now: Duration, process: u32, number: u64, requests: u32) {
        if let Some(one) = self.0.iter_mut().find(|one| (one.process, one.number) == (process, number)) {
            (one.requests, one.until) = (requests, Some(millis(now + COUNTED)));
        }
    }
}

/// The requests to one site in the last minute, in memory or in a file that this user's processes share.
#[derive(Debug)]
pub(super) struct Ledger {
    limit: u32,
    file: Option<PathBuf>,
    minute: Mutex<Minute>,
}

impl Ledger {
    /// A ledger that admits at most `limit` requests in any 60 seconds.
    pub fn new(limit: u32) -> Self {
        Self { limit: limit.max(1), file: None, minute: Mutex::default() }
    }

    /// Shares the ledger in `file`. If the file cannot be read or written, this process counts alone.
    pub fn shared(self, file: PathBuf) -> Self {
        Self { file: Some(file), ..self }
    }

    /// Reserves `requests` (at most the limit) and returns the entry's number, or how long to wait.
    pub fn admit(&self, requests: u32) -> Result<u64, Duration> {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        let asked = LedgerEntry {
            process: std::process::id(),
            number,
            requests: requests.min(self.limit),
            until: None,
        };
        self.change(|minute, now| minute.admit(now, self.limit, asked).map(|()| number))
    }

    /// Ends an entry with the number of requests it really sent. They count for a minute from now.
    pub fn end(&self, number: u64, requests: u32) {
        self.change(|minute, now| minute.end(now, std::process::id(), number, requests));
    }

    fn change<T>(&self, change: impl FnOnce(&mut Minute, Duration) -> T) -> T {
        let mut own = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        let opened = self.file.as_ref().and_then(|path| match open(path, self.limit) {
            Ok(opened) => Some(opened),
            Err(error) => {
                tracing::debug!("{}: {error}; not counting requests of other runs", path.display());
                None
            }
        });
        let Some((mut file, shared)) = opened else {
            own.tidy(now, |_| true);
            return change(&mut own, now);
        };
        let before = shared.clone();
        *own = shared;
        own.tidy(now, runs);
        let answer = change(&mut own, now);
        if *own != before
            && let Err(error) = write(&mut file, &own)
        {
            tracing::debug!("could not record the requests of the last minute: {error}");
        }
        answer
    }
}

/// Opens and locks the shared file. An unreadable file was only half written, so the whole limit counts as used.
fn open(path: &Path, limit: u32) -> std::io::Result<(File, Minute)> {
    if let Some(folder) = path.parent() {
        std::fs::create_dir_all(folder)?;
    }
    let mut file = File::options().read(true).write(true).create(true).truncate(false).open(path)?;
    file.lock()?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    let spent =
        || Minute(vec![LedgerEntry { process: 0, number: 0, requests: limit, until: Some(u64::MAX) }]);
    let minute = if text.is_empty() {
        Minute::default()
    } else {
        serde_json::from_slice(&text).unwrap_or_else(|_| spent())
    };
    Ok((file, minute))
}

fn write(file: &mut File, minute: &Minute) -> std::io::Result<()> {
    let text = serde_json::to_vec(minute).map_err(std::io::Error::other)?;
    file.seek(SeekFrom::Start(0))?;
    file.write_all(&text)?;
    file.set_len(text.len() as u64)
}

/// Whether a process runs.
fn runs(process: u32) -> bool {
    process == std::process::id() || Path::new("/proc").join(process.to_string()).exists()
}

/// Time since the machine started. All processes share it, and it is never set back.
fn now() -> Duration {
    clock_gettime(ClockId::CLOCK_MONOTONIC).map(Duration::from).unwrap_or_default()
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const WINDOW_MS: u64 = 60_000;

    fn asked(number: u64, requests: u32) -> LedgerEntry {
        LedgerEntry { process: 1, number, requests, until: None }
    }

    /// The largest number of arrivals in any closed window of 60 s.
    fn worst_minute(mut arrivals: Vec<u64>) -> usize {
        arrivals.sort_unstable();
        let within = |start: u64| arrivals.partition_point(|at| *at <= start + WINDOW_MS);
        arrivals.iter().enumerate().map(|(first, start)| within(*start) - first).max().unwrap_or(0)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        /// Three visits at a time that last up to a minute and ask at any moment of it, and up to a second after it,
        /// never more than they may.
        #[test]
        fn no_minute_sees_more_than_the_limit(
            limit in 30_u32..150,
            visits in prop::collection::vec((1_u32..60, 0_u32..60, 0_u64..60_000, 0_u64..61_000), 30..90),
        ) {
            let mut minute = Minute::default();
            let mut arrivals = Vec::new();
            let mut under_way: Vec<(u64, u64, u32)> = Vec::new();
            let mut now = 1_000_000;
            for (number, (may, does, lasts, late)) in (0..).zip(visits) {
                let (may, does) = (may.min(limit), does.min(may).min(limit));
                loop {
                    let (ended, rest): (Vec<_>, Vec<_>) = under_way.iter().partition(|(end, ..)| *end <= now);
                    under_way = rest;
                    for (_, number, did) in ended {
                        minute.end(Duration::from_millis(now), 1, number, did);
                    }
                    minute.tidy(Duration::from_millis(now), |_| true);
                    let wait = if under_way.len() == 3 {
                        1
                    } else {
                        match minute.admit(Duration::from_millis(now), limit, asked(number, may)) {
                            Ok(()) => break,
                            Err(wait) => millis(wait),
                        }
                    };
                    now += wait;
                }
                under_way.push((now + lasts, number, does));
                arrivals.extend((0..does).map(|_| now + late.min(lasts + 999)));
            }
            let worst = worst_minute(arrivals);
            prop_assert!(worst <= limit as usize, "{worst} requests in one minute, limit {limit}");
        }
    }

    #[test]
    fn what_is_under_way_counts_whole_and_then_with_what_it_asked() {
        let at = Duration::from_secs;
        let mut minute = Minute::default();
        assert_eq!(minute.admit(at(0), 120, asked(1, 100)), Ok(()));
        assert_eq!(minute.admit(at(1), 120, asked(2, 21)), Err(ASK_AGAIN), "it may end at any time");
        minute.end(at(2), 1, 1, 24);
        assert_eq!(minute.admit(at(2), 120, asked(2, 96)), Ok(()));
        minute.end(at(3), 1, 2, 96);
        let soon = Duration::from_millis(200);
        assert_eq!(minute.admit(at(63) - soon, 120, asked(3, 24)), Err(soon), "the first counts until then");
        minute.tidy(at(63), |_| true);
        assert_eq!(minute.admit(at(63), 120, asked(3, 24)), Ok(()));
    }

    #[test]
    fn runs_of_one_user_share_it_whatever_became_of_them() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("atlas-gt").join("requests-of-site");
        let ledger = || Ledger::new(120).shared(file.clone());
        let first = ledger();
        let visit = first.admit(100).unwrap();
        let second = ledger();
        assert!(second.admit(21).is_err(), "under way in another run");
        first.end(visit, 70);
        assert!(second.admit(50).is_ok());
        assert!(ledger().admit(1).is_err(), "both together");
        // the machine was started again, and a process ended without a word
        let left = Minute(vec![
            LedgerEntry { process: 1, number: 0, requests: 20, until: Some(u64::MAX) },
            LedgerEntry { process: u32::MAX, number: 0, requests: 99, until: None },
        ]);
        std::fs::write(&file, serde_json::to_vec(&left).unwrap()).unwrap();
        assert!(ledger().admit(2).is_err());
        assert!(ledger().admit(1).is_ok());
        std::fs::write(&file, r#"[{"process":1,"num"#).unwrap();
        assert!(ledger().admit(1).is_err(), "half written: nobody knows");
        let mut later = serde_json::from_slice::<Minute>(&std::fs::read(&file).unwrap()).unwrap();
        later.tidy(now() + COUNTED, |_| true);
        assert_eq!(later, Minute::default(), "but not for ever");
    }

    #[test]
    fn where_nothing_can_be_shared_it_counts_alone() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        let ledger = Ledger::new(10).shared(file.join("below a file"));
        assert!(ledger.admit(10).is_ok());
        assert!(ledger.admit(1).is_err());
    }
}
