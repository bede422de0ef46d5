//! Long work as commands of this program: one at a time and store, its output and the events of its run kept and followed by whoever looks,
//! stopped as Ctrl-C would.

use std::collections::VecDeque;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use jiff::Timestamp;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::progress::{Progress, ShownProgress};
use crate::database::file_beside;

/// Lines of a job that are kept, and the longest of them in characters.
const MAX_LINES: usize = 5000;
const MAX_LINE: usize = 2000;

/// Jobs that are remembered.
const MAX_JOBS: usize = 20;

/// What is started.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Its arguments, without the name of the program.
    pub arguments: Vec<String>,
    /// What it has in its environment besides.
    pub environment: Vec<(String, String)>,
}

/// A word as a shell takes it.
pub(crate) fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
    match !word.is_empty() && word.chars().all(is_plain) {
        true => word.to_owned(),
        false => format!("'{}'", word.replace('\'', "'\\''")),
    }
}

impl Order {
    /// The command as it could be typed.
    pub fn command(&self) -> String {
        let words: Vec<String> = self.arguments.iter().map(|word| quoted(word)).collect();
        format!("atlas-gt {}", words.join(" "))
    }

    /// The process that runs it.
    pub fn process(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(&self.arguments).envs(self.environment.iter().cloned());
        command.env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// How a job says where its events go.
const EVENTS: &str = "ATLAS_GT_EVENTS";

/// The ends of the pipe that the events of a job go through. The writing end is held until the job has ended, so that the reading end
/// is closed then, and not before.
#[derive(Debug)]
struct EventPipe {
    folder: tempfile::TempDir,
    receiver: pipe::Receiver,
    sender: pipe::Sender,
}

impl EventPipe {
    /// A pipe, and its name in the environment of a job.
    fn open(process: &mut Command) -> std::io::Result<Self> {
        let folder = tempfile::tempdir()?;
        let path = folder.path().join("events");
        nix::unistd::mkfifo(&path, nix::sys::stat::Mode::S_IRUSR | nix::sys::stat::Mode::S_IWUSR)?;
        let receiver = pipe::OpenOptions::new().open_receiver(&path)?;
        let sender = pipe::OpenOptions::new().open_sender(&path)?;
        process.env(EVENTS, &path);
        Ok(Self { folder, receiver, sender })
    }
}

/// A job as pages show it.
#[derive(Debug, Clone, Serialize)]
pub(crate) struct ShownJob {
    pub number: u64,
    pub command: String,
    pub by: String,
    pub started: String,
    pub running: bool,
    /// Nothing while it runs, and where a signal ended it.
    pub exit: Option<i32>,
    pub progress: Option<ShownProgress>,
}

/// What follows a job: its lines from a place on, the place behind them, how far it is, and whether it runs.
#[derive(Debug)]
pub(crate) struct Followed {
    pub lines: Vec<String>,
    pub at: usize,
    pub progress: Option<ShownProgress>,
    pub runs: bool,
}

#[derive(Debug)]
struct Job {
    number: u64,
    command: String,
    by: String,
    started: Timestamp,
    process: Option<u32>,
    exit: Option<i32>,
    /// When it ended.
    ended: Option<Instant>,
    /// Lines that were dropped from the front.
    dropped: usize,
    lines: VecDeque<String>,
    progress: Progress,
}

impl Job {
    fn keep(&mut self, line: String) {
        self.lines.push_back(line.chars().take(MAX_LINE).collect());
        if self.lines.len() > MAX_LINES {
            self.lines.pop_front();
            self.dropped += 1;
        }
    }
}

/// A job as other servers of the store are told of it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobElsewhere {
    pub command: String,
    pub by: String,
    pub started: String,
}

/// The file beside a store that is locked as long as a job runs on it, whichever server started it.
#[derive(Debug)]
struct StoreLock(PathBuf);

impl StoreLock {
    /// Takes the lock and says what runs.
    fn take(&self, job: &JobElsewhere) -> std::io::Result<Result<File, JobElsewhere>> {
        if let Some(folder) = self.0.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let mut file = File::options().create(true).truncate(false).read(true).write(true).open(&self.0)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Ok(Err(Self::read_holder(file))),
            Err(TryLockError::Error(error)) => return Err(error),
        }
        file.set_len(0)?;
        serde_json::to_writer(&file, job)?;
        // a job that reads it as its input finds the end
        file.seek(SeekFrom::End(0))?;
        Ok(Ok(file))
    }

    /// The job that holds it.
    fn holder(&self) -> Option<JobElsewhere> {
        let file = File::open(&self.0).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| Self::read_holder(file))
    }

    /// What the holder says; between its lock and its word that is nothing yet.
    fn read_holder(mut file: File) -> JobElsewhere {
        let mut text = String::new();
        let said = file.read_to_string(&mut text).ok().and_then(|_| serde_json::from_str(&text).ok());
        let unknown = || "another process".to_owned();
        said.unwrap_or_else(|| JobElsewhere { command: unknown(), by: unknown(), started: String::new() })
    }
}

/// All jobs of this server.
#[derive(Debug)]
pub(crate) struct Jobs {
    lock: StoreLock,
    jobs: Mutex<Vec<Job>>,
    /// Counts what changed, for those who follow.
    changed: watch::Sender<u64>,
}

impl Jobs {
    /// Of a server of a store.
    pub fn new(store: &Path) -> Arc<Self> {
        let lock = StoreLock(file_beside(store, ".job.lock"));
        Arc::new(Self { lock, jobs: Mutex::default(), changed: watch::Sender::new(0) })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<Job>) -> T) -> T {
        work(&mut self.jobs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn notify_followers(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Starts a job.
    ///
    /// # Errors
    /// Another one runs, or the program cannot be started.
    pub fn start(self: &Arc<Self>, order: &Order, program: &Path, by: String) -> Result<u64, String> {
        let (number, child, events) = self.with(|jobs| {
            if let Some(running) = jobs.iter().find(|job| job.process.is_some()) {
                return Err(format!("job {} runs: {}; stop it or wait", running.number, running.command));
            }
            let started = Timestamp::now();
            let told =
                JobElsewhere { command: order.command(), by: by.clone(), started: super::shown(started) };
            let lock =
                self.lock.take(&told).map_err(|error| format!("{}: {error}", self.lock.0.display()))?;
            let lock = lock.map_err(|other| {
                let JobElsewhere { command, by, started } = other;
                format!(
                    "a job of another server runs on this store: {command} ({by}, {started}); wait for it"
                )
            })?;
            let mut process = order.process(program);
            // the job holds the lock, so that it is free when the job has ended, whatever became of the server
            process.stdin(lock);
            let events = EventPipe::open(&mut process);
            let spawned = events.and_then(|events| Ok((process.kill_on_drop(true).spawn()?, events)));
            let (child, events) = spawned.map_err(|error| format!("it cannot be started: {error}"))?;
            let number = jobs.last().map_or(1, |job| job.number + 1);
            jobs.push(Job {
                number,
                command: order.command(),
                by,
                started,
                process: child.id(),
                exit: None,
                ended: None,
                dropped: 0,
                lines: VecDeque::new(),
                progress: Progress::default(),
            });
            let over = jobs.len().saturating_sub(MAX_JOBS);
            jobs.drain(..over);
            Ok((number, child, events))
        })?;
        tokio::spawn(self.clone().follow(number, child, events));
        Ok(number)
    }

    /// Follows a job to its end.
    async fn follow(self: Arc<Self>, number: u64, mut child: Child, events: EventPipe) {
        let EventPipe { folder, receiver, sender } = events;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let ended = async {
            let status = child.wait().await;
            drop(sender);
            status
        };
        let keep = |job: &mut Job, line: String| job.keep(line);
        let tell = |job: &mut Job, line: String| job.progress.add_line(&line);
        let (status, ..) = tokio::join!(
            ended,
            self.read(number, out, keep),
            self.read(number, err, keep),
            self.read(number, Some(receiver), tell)
        );
        drop(folder);
        self.change(number, |job| {
            job.process = None;
            job.ended = Some(Instant::now());
            job.exit = status.ok().and_then(|status| status.code());
        });
    }

    fn change(&self, number: u64, work: impl FnOnce(&mut Job)) {
        self.with(|jobs| jobs.iter_mut().find(|job| job.number == number).map(work));
        self.notify_followers();
    }

    /// Takes each line of a stream.
    async fn read(
        &self,
        number: u64,
        stream: Option<impl AsyncRead + Unpin>,
        take: impl Fn(&mut Job, String),
    ) {
        let Some(stream) = stream else { return };
        let mut lines = BufReader::new(stream).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let line = String::from_utf8_lossy(&line).into_owned();
            self.change(number, |job| take(job, line));
        }
    }

    /// What another server runs on the store.
    pub fn elsewhere(&self) -> Option<JobElsewhere> {
        let own = self.with(|jobs| jobs.iter().any(|job| job.process.is_some()));
        if own { None } else { self.lock.holder() }
    }

    /// When a job ended last: it may have written what was read before.
    pub fn last_end(&self) -> Option<Instant> {
        self.with(|jobs| jobs.iter().filter_map(|job| job.ended).max())
    }

    /// All jobs, the newest first.
    pub fn list(&self) -> Vec<ShownJob> {
        let shown = |job: &Job| ShownJob {
            number: job.number,
            command: job.command.clone(),
            by: job.by.clone(),
            started: super::shown(job.started),
            running: job.process.is_some(),
            exit: job.exit,
            progress: job.progress.shown(),
        };
        self.with(|jobs| jobs.iter().rev().map(shown).collect())
    }

    /// A job from a place on; nothing where there is no such job.
    pub fn followed(&self, number: u64, from: usize) -> Option<Followed> {
        self.with(|jobs| {
            let job = jobs.iter().find(|job| job.number == number)?;
            let lines: Vec<String> =
                job.lines.iter().skip(from.saturating_sub(job.dropped)).cloned().collect();
            let at = job.dropped + job.lines.len();
            Some(Followed { lines, at, progress: job.progress.shown(), runs: job.process.is_some() })
        })
    }

    /// Wakes when anything of any job changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The process of a job that runs.
    pub fn process(&self, number: u64) -> Option<u32> {
        self.with(|jobs| jobs.iter().find(|job| job.number == number)?.process)
    }

    /// Ends a job as Ctrl-C would: what is in hand is finished. A second time it ends at once.
    pub fn stop(&self, number: u64) -> bool {
        let pid = self.process(number).and_then(|process| i32::try_from(process).ok());
        pid.is_some_and(|pid| kill(Pid::from_raw(pid), Signal::SIGINT).is_ok())
    }

    /// Ends whatever runs, when the server ends.
    pub fn stop_all(&self) {
        for job in self.list().iter().filter(|job| job.running) {
            self.stop(job.number);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_command_is_shown_as_a_shell_would_take_it() {
        let words = ["review", "accept", "61", "--reason=it's there", ""];
        let order = Order { arguments: words.map(str::to_owned).to_vec(), environment: Vec::new() };
        assert_eq!(order.command(), "atlas-gt review accept 61 '--reason=it'\\''s there' ''");
    }

    #[tokio::test]
    async fn one_job_runs_at_a_time_and_can_be_stopped() {
        let folder = tempfile::tempdir().unwrap();
        let store = folder.path().join("store");
        let (jobs, of_another_server) = (Jobs::new(&store), Jobs::new(&store));
        let order = |script: &str| Order {
            arguments: vec!["-c".to_owned(), script.to_owned()],
            environment: Vec::new(),
        };
        let shell = Path::new("/bin/sh");
        let mut changes = jobs.changes();
        let first = jobs.start(&order("echo begun; exec sleep 600"), shell, "me".to_owned()).unwrap();
        assert!(jobs.start(&order("echo no"), shell, "me".to_owned()).unwrap_err().contains("job 1 runs"));
        while jobs.followed(first, 0).unwrap().lines.is_empty() {
            changes.changed().await.unwrap();
        }
        // another server of the store sees it, and may start none
        assert_eq!(jobs.elsewhere(), None);
        let seen = of_another_server.elsewhere().unwrap();
        assert_eq!((seen.command, seen.by.as_str()), (order("echo begun; exec sleep 600").command(), "me"));
        let refused = of_another_server.start(&order("echo no"), shell, "you".to_owned()).unwrap_err();
        assert!(refused.contains("exec sleep 600") && refused.contains("(me, "), "{refused}");
        let elsewhere = Jobs::new(&folder.path().join("other"));
        assert!(elsewhere.start(&order("true"), shell, "you".to_owned()).is_ok(), "one a store");
        assert!(jobs.stop(first));
        while jobs.followed(first, 0).unwrap().runs {
            changes.changed().await.unwrap();
        }
        assert!(!jobs.stop(first));
        assert_eq!(of_another_server.elsewhere(), None);
        let second = jobs.start(&order("echo a; echo b >&2; exit 3"), shell, "me".to_owned()).unwrap();
        while jobs.followed(second, 0).unwrap().runs {
            changes.changed().await.unwrap();
        }
        let mut lines = jobs.followed(second, 0).unwrap().lines;
        lines.sort();
        assert_eq!((lines, jobs.list()[0].exit), (vec!["a".to_owned(), "b".to_owned()], Some(3)));
        assert_eq!(jobs.followed(second, 1).unwrap().lines.len(), 1);

        // the events of its run go through a pipe that it finds in its environment
        let script = r#"echo '{"event":"run_started","visits":3,"questions":9}' > $ATLAS_GT_EVENTS
            echo '{"event":"visit_finished","page":"a"}' >> $ATLAS_GT_EVENTS"#;
        let third = jobs.start(&order(script), shell, "me".to_owned()).unwrap();
        while jobs.followed(third, 0).unwrap().runs {
            changes.changed().await.unwrap();
        }
        let progress = jobs.followed(third, 0).unwrap().progress.unwrap();
        assert_eq!((progress.done, progress.all, progress.text.as_str()), (1, 3, "1 of 3 pages"));
    }
}
