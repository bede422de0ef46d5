//! Runs that are killed, run out of room, or are interrupted: the store is whole each time, and going on ends
//! with the same bytes as a run that nobody disturbed.
//!
//! What is killed is this very program, called once more, with the real workflow and store and a browser that
//! replays captures: so that kills fall into filing and not into the start of Chromium.

use std::collections::{BTreeMap, BTreeSet};
use std::io::Read;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use atlas_gt::acquire::{Browser, Navigation, PageSource, Rate, ScreenshotArea, SnapshotOptions, VisitError};
use atlas_gt::capture::Capture;
use atlas_gt::error::Exit;
use atlas_gt::event::Events;
use atlas_gt::manifest::{Entry, visits};
use atlas_gt::truth::{Site, Store};
use atlas_gt::workflow::{self, Clock, Job, RequestEstimates, ResumeMode, RunOptions};
use atlas_gt_twin::Skin;
use tokio::sync::OnceCell;

use crate::bench::{Plan, extractors, manifest_path, records, replica, run, shared, tree};

const KILLS: usize = 30;
/// Names the store to write and the store whose captures are replayed, to this program called once more.
const CHILD: &str = "ATLAS_GT_TEST_CHILD";

/// Questions of the Explore pages: what is read of those is small, so that a run is quick and kills fall into filing.
const QUESTIONS: [&str; 8] = ["1", "2", "5", "6", "10", "17", "45", "51"];

fn entries() -> Vec<Entry> {
    let mut entries = atlas_gt::manifest::load(&manifest_path(), extractors()).unwrap().entries;
    entries.retain(|entry| QUESTIONS.contains(&entry.question_id.as_str()));
    assert_eq!(entries.len(), QUESTIONS.len());
    entries
}

/// Where captures of the pages are: collected once, or in a store of an earlier run that is named to save time.
async fn captures() -> PathBuf {
    static CAPTURES: OnceCell<PathBuf> = OnceCell::const_new();
    if let Some(store) = std::env::var_os("ATLAS_GT_CAPTURES") {
        return store.into();
    }
    let collected = CAPTURES.get_or_init(|| async {
        let browsers = shared();
        let twin = replica(Skin::Hashed, &[]).await;
        let store = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("replayed");
        let _ = std::fs::remove_dir_all(&store);
        let plan = Plan { sessions: 2, ..Plan::new(&twin.base_url, entries()) };
        let report = plan.run_into(browsers.pool().await, &store, &Events::silent()).await;
        assert_eq!(report.exit_code, 0, "{:#?}", report.questions);
        store
    });
    collected.await.clone()
}

/// Pages from captures.
#[derive(Clone)]
struct Replay(Arc<BTreeMap<String, Capture>>);

struct ReplayedPage(Replay, Option<String>);

impl Replay {
    fn of(store: &Path) -> Self {
        let store = Store::read(store).unwrap();
        let mut captures = BTreeMap::new();
        for page in visits(&entries()) {
            let provenance = store.load(&page.entries[0].question_id).unwrap().unwrap().provenance.unwrap();
            let evidence = store.evidence(provenance.evidence().next().unwrap()).unwrap();
            captures.insert(page.url.path(), serde_json::from_slice(&evidence).unwrap());
        }
        Self(Arc::new(captures))
    }
}

impl Browser for Replay {
    type Page = ReplayedPage;

    async fn page(&self) -> Result<ReplayedPage, VisitError> {
        Ok(ReplayedPage(self.clone(), None))
    }
}

impl PageSource for ReplayedPage {
    async fn open(&mut self, url: &str) -> Result<Navigation, VisitError> {
        let path = url.strip_prefix("http://127.0.0.1:1").unwrap_or(url).to_owned();
        let capture = self.0.0.get(&path).unwrap_or_else(|| panic!("no capture of {path}"));
        let navigation = Navigation {
            requested_url: url.to_owned(),
            settled_url: capture.settled_url.clone(),
            status: 200,
            requests: 1,
        };
        self.1 = Some(path);
        Ok(navigation)
    }

    async fn snapshot(&mut self, _: &SnapshotOptions) -> Result<Capture, VisitError> {
        self.1.as_ref().and_then(|path| self.0.0.get(path)).cloned().ok_or(VisitError::NothingOpen)
    }

    async fn screenshot(&mut self, _: ScreenshotArea) -> Result<Vec<u8>, VisitError> {
        let path = self.1.as_ref().ok_or(VisitError::NothingOpen)?;
        Ok([b"\x89PNG of ", path.as_bytes()].concat())
    }
}

/// What `atlas-gt collect --questions … --resume` does, with another browser. Does nothing unless it is called as a child.
#[test]
fn child_that_is_killed() {
    let Ok(stores) = std::env::var(CHILD) else { return };
    let (store, captures) = stores.split_once(':').unwrap();
    let ended = run(async {
        let browser = Replay::of(Path::new(captures));
        let store = Store::open(store, Site::Twin)?;
        let now: jiff::Timestamp = "2026-11-20T10:30:00Z".parse().unwrap();
        let taken = workflow::plan_resume(&store, entries(), ResumeMode::UnfinishedAndNamed, None, now)?;
        let job = Job {
            base: "http://127.0.0.1:1/".parse().unwrap(),
            entries: taken.entries,
            extractors: extractors().clone(),
            store,
            rate: Rate::new(1_000_000).into(),
            api: None,
            sessions: 2,
            page_timeout: Duration::from_secs(20),
            estimates: RequestEstimates::default(),
            attempts: 1,
            clock: Clock::Fixed(now),
            options: RunOptions { goes_on: taken.goes_on, ..RunOptions::default() },
        };
        workflow::collect(&browser, &Arc::new(job), &Events::silent(), &AtomicBool::new(false)).await
    });
    match ended {
        Ok(report) => assert_eq!(report.exit(), Exit::Ok, "{report:#?}"),
        Err(error) => panic!("error: {error}"),
    }
}

/// A folder in memory where there is one: a process is killed here, not the machine, so that the disk's own pace
/// proves nothing.
fn room() -> tempfile::TempDir {
    tempfile::tempdir_in("/dev/shm").or_else(|_| tempfile::tempdir()).unwrap()
}

fn child(store: &Path, captures: &Path, shell: Option<&str>) -> Command {
    let this = std::env::current_exe().unwrap();
    let mut command = match shell {
        None => Command::new(this),
        Some(script) => {
            let mut command = Command::new("sh");
            command.args(["-c", &format!("{script}; exec \"$@\""), "sh"]).arg(this);
            command
        }
    };
    command.args(["--exact", "resume::child_that_is_killed", "--nocapture"]);
    command.env(CHILD, format!("{}:{}", store.display(), captures.display()));
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    command
}

fn finish(mut child: Child) -> (bool, String) {
    let mut text = String::new();
    child.stderr.take().unwrap().read_to_string(&mut text).unwrap();
    (child.wait().unwrap().success(), text)
}

/// Everything in a store but its lock.
fn kept(store: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut files = tree(store);
    files.remove(Path::new(".lock"));
    files
}

/// What holds after every kill: each record is there whole or not at all, says what it ought to, and has its
/// provenance and its evidence, undamaged. Returns how many there are.
fn assert_whole(folder: &Path, expected: &BTreeMap<String, String>) -> usize {
    if !folder.join("site.json").exists() {
        return 0;
    }
    let store = Store::read(folder).unwrap();
    let found = records(folder);
    for (id, text) in &found {
        assert_eq!(Some(text), expected.get(id), "question {id}");
    }
    let mut evidence = BTreeSet::new();
    for id in store.question_ids().unwrap() {
        let stored = store.load(&id).unwrap().unwrap();
        evidence.extend(stored.provenance.unwrap().evidence().cloned());
    }
    for hash in &evidence {
        // a capture or a picture
        store.evidence(hash).or_else(|_| store.picture(hash)).unwrap();
    }
    found.len()
}

/// How many records are on disk.
fn filed(folder: &Path) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    entries
        .filter(|entry| entry.as_ref().is_ok_and(|entry| entry.path().join("results.json").exists()))
        .count()
}

/// Random numbers from a seed that is printed (xorshift).
struct Dice(u64);

impl Dice {
    fn between(&mut self, least: u64, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        least + self.0 % (most - least)
    }
}

fn millis(time: Duration) -> u64 {
    u64::try_from(time.as_millis()).unwrap()
}

#[test]
#[ignore = "slow: make test-deep"]
fn thirty_random_kills_leave_the_store_whole_and_resuming_ends_with_the_same_bytes() {
    run(async {
        let captures = &captures().await;
        let seed =
            std::env::var("ATLAS_GT_SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or_else(|| {
                u64::try_from(jiff::Timestamp::now().as_nanosecond() & 0xffff_ffff).unwrap() | 1
            });
        println!("ATLAS_GT_SEED={seed}");
        let mut dice = Dice(seed);

        let undisturbed = room();
        let started = Instant::now();
        let (well, told) = finish(child(undisturbed.path(), captures, None).spawn().unwrap());
        assert!(well, "{told}");
        // how long a whole run takes here and now: what else the machine does changes meanwhile
        let mut takes = millis(started.elapsed());
        let expected = kept(undisturbed.path());
        let answers = records(undisturbed.path());
        assert_eq!(answers.len(), entries().len());
        assert!(!undisturbed.path().join(".run.jsonl").exists(), "a run that is done leaves no trace of it");

        let (mut kills, mut half_done, mut rounds) = (0, 0, 0);
        while kills < KILLS || rounds == 0 {
            rounds += 1;
            let folder = room();
            let mut done = 0;
            loop {
                let started = Instant::now();
                let mut running = child(folder.path(), captures, None).spawn().unwrap();
                if kills < KILLS {
                    // every second kill falls when so many are filed, the others at any time
                    let left = u64::try_from(answers.len() - done).unwrap();
                    let enough = done + usize::try_from(dice.between(1, left.max(2))).unwrap();
                    let longest = takes * (left + 1) / u64::try_from(answers.len() + 1).unwrap();
                    let until =
                        started + Duration::from_millis(dice.between(takes / 20, longest.max(takes / 10)));
                    let waits = || {
                        if kills % 2 == 0 { filed(folder.path()) < enough } else { Instant::now() < until }
                    };
                    while waits() && running.try_wait().unwrap().is_none() {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                }
                let killed = kills < KILLS && running.try_wait().unwrap().is_none();
                if killed {
                    running.kill().unwrap();
                }
                let (well, told) = finish(running);
                if !killed || well {
                    assert!(well, "seed {seed}: {told}");
                    if done == 0 {
                        takes = millis(started.elapsed());
                    }
                    break;
                }
                kills += 1;
                done = assert_whole(folder.path(), &answers);
                half_done += usize::from(done > 0 && done < answers.len());
            }
            let ended = kept(folder.path());
            let names = |files: &BTreeMap<PathBuf, Vec<u8>>| files.keys().cloned().collect::<Vec<_>>();
            assert_eq!(names(&ended), names(&expected), "seed {seed}");
            for (path, bytes) in &expected {
                assert!(ended.get(path) == Some(bytes), "seed {seed}: {} differs", path.display());
            }
        }
        println!(
            "{kills} kills in {rounds} rounds, {half_done} of them left a store half done; all ended alike"
        );
        assert!(half_done >= KILLS / 6, "seed {seed}: the kills fell beside the filing: {half_done}");
    });
}

#[test]
#[ignore = "slow: make test-deep"]
fn a_store_without_room_is_told_and_gone_on_with() {
    run(async {
        let captures = &captures().await;
        let undisturbed = room();
        assert!(finish(child(undisturbed.path(), captures, None).spawn().unwrap()).0);
        let expected = kept(undisturbed.path());
        // room for all but the largest of the files, in blocks of 512 bytes
        let largest = expected.values().map(Vec::len).max().unwrap();
        let limit = format!("trap '' XFSZ; ulimit -f {}", (largest - 1) / 512);
        let folder = room();
        let (well, told) = finish(child(folder.path(), captures, Some(&limit)).spawn().unwrap());
        assert!(
            !well && told.contains("cannot be written") && told.contains("raise the file size limit"),
            "{told}"
        );
        let answers = records(undisturbed.path());
        assert!(assert_whole(folder.path(), &answers) < answers.len());
        let (well, told) = finish(child(folder.path(), captures, None).spawn().unwrap());
        assert!(well, "{told}");
        assert!(kept(folder.path()) == expected);
    });
}
