//! What was asked of a site within the last minute, by every process of this user.
//!
//! A page asks over seconds, and how much is known only when it has come: until then it counts with all that it may ask,
//! and afterwards with what it did ask, for a minute from its end.

use std::fs::File;
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use nix::time::{ClockId, clock_gettime};
use serde::{Deserialize, Serialize};

/// How long what has ended counts: the site may have seen its last request a little later than we saw the end.
const COUNTED: Duration = Duration::from_secs(61);
/// How soon room is checked again: what is under way, here or in another process, may end at any time.
const ASK_AGAIN: Duration = Duration::from_millis(250);
/// Numbers of what this process asks.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// Something that was asked of the site.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct LedgerEntry {
    process: u32,
    number: u64,
    requests: u32,
    /// Until when it counts, in milliseconds of the system's monotonic clock; `None` while it is under way.
    until: Option<u64>,
}

/// What counts at the moment.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
struct Minute(Vec<LedgerEntry>);

impl Minute {
    /// Drops what no longer counts. What a process left behind that is gone has ended now at the latest; so has what
    /// a clock that stood elsewhere, before the machine was started again, puts further ahead than anything can be.
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

    /// Whether this many more requests fit; else how long until they may.
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

    /// Counts what has ended with what it did ask.
    fn end(&mut self, now: Duration, process: u32, number: u64, requests: u32) {
        if let Some(one) = self.0.iter_mut().find(|one| (one.process, one.number) == (process, number)) {
            (one.requests, one.until) = (requests, Some(millis(now + COUNTED)));
        }
    }
}

/// The last minute of one site, in memory, or in a file that the processes of this user share.
#[derive(Debug)]
pub(super) struct Ledger {
    limit: u32,
    file: Option<PathBuf>,
    minute: Mutex<Minute>,
}

impl Ledger {
    /// At most `limit` requests in any 60 seconds.
    pub fn new(limit: u32) -> Self {
        Self { limit: limit.max(1), file: None, minute: Mutex::default() }
    }

    /// Shares it in `file`. Where that cannot be read or written this process counts alone.
    pub fn shared(self, file: PathBuf) -> Self {
        Self { file: Some(file), ..self }
    }

    /// Counts `requests` (the limit at most) as under way and says by which number; or how long until there may be room.
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

    /// Counts what was under way with what it did ask, for a minute from now.
    pub fn end(&self, number: u64, requests: u32) {
        self.change(|minute, now| minute.end(now, std::process::id(), number, requests));
    }

    fn change<T>(&self, change: impl FnOnce(&mut Minute, Duration) -> T) -> T {
        let mut own = self.minute.lock().unwrap_or_else(PoisonError::into_inner);
        let now = now();
        let opened = self.file.as_ref().and_then(|path| match open(path, self.limit) {
            Ok(opened) => Some(opened),
            Err(error) => {
                tracing::debug!("{}: {error}; requests of other runs are not counted", path.display());
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
            tracing::debug!("the requests of the last minute could not be recorded: {error}");
        }
        answer
    }
}

/// Opens the file that is shared, alone until it is closed. One that cannot be understood was left half written: all
/// that is allowed may have been asked just now.
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

/// Time since the machine was started: the same to all processes, and nobody sets it back.
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
