//! Long-running commands (jobs) of this program, one at a time per store. Output and events are kept for everyone who
//! follows. A job is stopped as by Ctrl-C.

use std::collections::VecDeque;
use std::fs::{File, TryLockError};
use std::io::{Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use atlas_gt_core::command_line::{command, typed};
use jiff::Timestamp;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::net::unix::pipe;
use tokio::process::{Child, Command};
use tokio::sync::watch;

use super::page::shown;
use super::progress::{Progress, ShownProgress};
use crate::database::file_beside;

/// Maximum number of lines kept of a job, and maximum length of each.
const MAX_LINES: usize = 5000;
const MAX_LINE: usize = 2000;

/// Maximum number of jobs to remember.
const MAX_JOBS: usize = 20;

/// A command to run.
#[derive(Debug, Clone)]
pub(crate) struct Order {
    /// Its arguments, without the program.
    pub arguments: Vec<String>,
    /// Additional environment variables.
    pub environment: Vec<(String, String)>,
}

impl Order {
    /// The command line, as typed in a shell.
    pub fn command(&self) -> String {
        command(&typed(&self.arguments), "")
    }

    /// The process that runs it.
    pub fn process(&self, program: &Path) -> Command {
        let mut command = Command::new(program);
        command.args(&self.arguments).envs(self.environment.iter().cloned());
        command.env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }
}

/// The variable that tells a job where to write its events.
const EVENTS: &str = "ATLAS_GT_EVENTS";

/// The pipe for the events of a job. The writing end stays open until the job ends, so that the reading end closes
/// exactly then.
#[derive(Debug)]
struct EventPipe {
    folder: tempfile::TempDir,
    receiver: pipe::Receiver,
    sender: pipe::Sender,
}

impl EventPipe {
    /// Creates a pipe and sets its path in the job's environment.
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
    /// `None` while it runs, or if a signal ended it.
    pub exit: Option<i32>,
    pub progress: Option<ShownProgress>,
}

/// The state of a followed job: its lines from an offset on, the next offset, its progress, and whether it runs.
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
    /// Number of lines dropped from the front.
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

/// A job as other servers of the store see it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct JobElsewhere {
    pub command: String,
    pub by: String,
    pub started: String,
}

/// A file beside a store that is locked while a job runs, whichever server started it.
#[derive(Debug)]
struct StoreLock(PathBuf);

impl StoreLock {
    /// Takes the lock and records the job, or returns the job that holds it.
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
        // The file is the job's standard input, so leave the position at its end.
        file.seek(SeekFrom::End(0))?;
        Ok(Ok(file))
    }

    /// The job that holds the lock.
    fn holder(&self) -> Option<JobElsewhere> {
        let file = File::open(&self.0).ok()?;
        matches!(file.try_lock_shared(), Err(TryLockError::WouldBlock)).then(|| Self::read_holder(file))
    }

    /// The recorded job. Just after the lock is taken, nothing is recorded yet.
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
    /// Counts changes, to wake followers.
    changed: watch::Sender<u64>,
}

impl Jobs {
    /// The jobs of a store's server.
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
    /// Another job runs, or the program cannot be started.
    pub fn start(self: &Arc<Self>, order: &Order, program: &Path, by: String) -> Result<u64, String> {
        let (number, child, events) = self.with(|jobs| {
            if let Some(running) = jobs.iter().find(|job| job.process.is_some()) {
                return Err(format!(
                    "job {} is running: {}; stop it or wait",
                    running.number, running.command
                ));
            }
            let started = Timestamp::now();
            let recorded = JobElsewhere { command: order.command(), by: by.clone(), started: shown(started) };
            let lock =
                self.lock.take(&recorded).map_err(|error| format!("{}: {error}", self.lock.0.display()))?;
            let lock = lock.map_err(|other| {
                let JobElsewhere { command, by, started } = other;
                format!(
                    "another server is running a job on this store: {command} ({by}, {started}); wait for it"
                )
            })?;
            let mut process = order.process(program);
            // The job inherits the lock, so it is released when the job ends, even if the server is gone.
            process.stdin(lock);
            let events = EventPipe::open(&mut process);
            let spawned = events.and_then(|events| Ok((process.kill_on_drop(true).spawn()?, events)));
            let (child, events) = spawned.map_err(|error| format!("it could not be started: {error}"))?;
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

    /// Follows a job until it ends.
    async fn follow(self: Arc<Self>, number: u64, mut child: Child, events: EventPipe) {
        let EventPipe { folder, receiver, sender } = events;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let ended = async {
            let status = child.wait().await;
            drop(sender);
            status
        };
        let keep = |job: &mut Job, line: String| job.keep(line);
        let progress = |job: &mut Job, line: String| job.progress.add_line(&line);
        let (status, ..) = tokio::join!(
            ended,
            self.read(number, out, keep),
            self.read(number, err, keep),
            self.read(number, Some(receiver), progress)
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

    /// Passes each line of a stream to `take`.
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

    /// The job that another server runs on the store.
    pub fn elsewhere(&self) -> Option<JobElsewhere> {
        let own = self.with(|jobs| jobs.iter().any(|job| job.process.is_some()));
        if own { None } else { self.lock.holder() }
    }

    /// When the last job ended. Anything read before may have changed.
    pub fn last_end(&self) -> Option<Instant> {
        self.with(|jobs| jobs.iter().filter_map(|job| job.ended).max())
    }

    /// All jobs, newest first.
    pub fn list(&self) -> Vec<ShownJob> {
        let shown = |job: &Job| ShownJob {
            number: job.number,
            command: job.command.clone(),
            by: job.by.clone(),
            started: shown(job.started),
            running: job.process.is_some(),
            exit: job.exit,
            progress: job.progress.shown(),
        };
        self.with(|jobs| jobs.iter().rev().map(shown).collect())
    }

    /// A job's state from an offset on; `None` if there is no such job.
    pub fn followed(&self, number: u64, from: usize) -> Option<Followed> {
        self.with(|jobs| {
            let job = jobs.iter().find(|job| job.number == number)?;
            let lines: Vec<String> =
                job.lines.iter().skip(from.saturating_sub(job.dropped)).cloned().collect();
            let at = job.dropped + job.lines.len();
            Some(Followed { lines, at, progress: job.progress.shown(), runs: job.process.is_some() })
        })
    }

    /// Wakes on any change of any job.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// The process id of a running job.
    pub fn process(&self, number: u64) -> Option<u32> {
        self.with(|jobs| jobs.iter().find(|job| job.number == number)?.process)
    }

    /// Stops a job as Ctrl-C does: it completes the current step. A second call stops it at once.
    pub fn stop(&self, number: u64) -> bool {
        let pid = self.process(number).and_then(|process| i32::try_from(process).ok());
        pid.is_some_and(|pid| kill(Pid::from_raw(pid), Signal::SIGINT).is_ok())
    }

    /// Stops all jobs when the server shuts down.
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
        // no `exec`: a signal that reaches the shell just before it would be lost
        let runs_on = "echo begun; while :; do sleep 0.1; done";
        let mut changes = jobs.changes();
        let first = jobs.start(&order(runs_on), shell, "me".to_owned()).unwrap();
        assert!(
            jobs.start(&order("echo no"), shell, "me".to_owned()).unwrap_err().contains("job 1 is running")
        );
        while jobs.followed(first, 0).unwrap().lines.is_empty() {
            changes.changed().await.unwrap();
        }
        // another server of the store sees it, and may start none
        assert_eq!(jobs.elsewhere(), None);
        let seen = of_another_server.elsewhere().unwrap();
        assert_eq!((seen.command, seen.by.as_str()), (order(runs_on).command(), "me"));
        let refused = of_another_server.start(&order("echo no"), shell, "you".to_owned()).unwrap_err();
        assert!(refused.contains("sleep 0.1") && refused.contains("(me, "), "{refused}");
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
