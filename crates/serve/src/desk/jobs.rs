//! Long work as commands of this program: one at a time, its output kept and followed by whoever looks, stopped as Ctrl-C would.

use std::collections::VecDeque;
use std::process::Stdio;
use std::sync::{Arc, Mutex, PoisonError};

use jiff::Timestamp;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde::Serialize;
use tokio::io::{AsyncBufReadExt, AsyncRead, BufReader};
use tokio::process::Command;
use tokio::sync::watch;

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

impl Order {
    /// The command as it could be typed.
    pub fn command(&self) -> String {
        let is_plain = |c: char| c.is_alphanumeric() || "-_./:=,@%+".contains(c);
        let quoted = |word: &String| match !word.is_empty() && word.chars().all(is_plain) {
            true => word.clone(),
            false => format!("'{}'", word.replace('\'', "'\\''")),
        };
        let words: Vec<String> = self.arguments.iter().map(quoted).collect();
        format!("atlas-gt {}", words.join(" "))
    }

    /// The process that runs it.
    pub fn process(&self, program: &std::path::Path) -> Command {
        let mut command = Command::new(program);
        command.args(&self.arguments).envs(self.environment.iter().cloned());
        command.env("NO_COLOR", "1").stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command
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
}

#[derive(Debug)]
struct Job {
    number: u64,
    command: String,
    by: String,
    started: Timestamp,
    process: Option<u32>,
    exit: Option<i32>,
    /// Lines that were dropped from the front.
    dropped: usize,
    lines: VecDeque<String>,
}

/// All jobs of this server.
#[derive(Debug)]
pub(crate) struct Jobs {
    jobs: Mutex<Vec<Job>>,
    /// Counts what changed, for those who follow.
    changed: watch::Sender<u64>,
}

impl Jobs {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { jobs: Mutex::default(), changed: watch::Sender::new(0) })
    }

    fn with<T>(&self, work: impl FnOnce(&mut Vec<Job>) -> T) -> T {
        work(&mut self.jobs.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn tell(&self) {
        self.changed.send_modify(|count| *count += 1);
    }

    /// Starts a job.
    ///
    /// # Errors
    /// Another one runs, or the program cannot be started.
    pub fn start(
        self: &Arc<Self>,
        order: &Order,
        program: &std::path::Path,
        by: String,
    ) -> Result<u64, String> {
        let (number, mut child) = self.with(|jobs| {
            if let Some(running) = jobs.iter().find(|job| job.process.is_some()) {
                return Err(format!("job {} runs: {}; stop it or wait", running.number, running.command));
            }
            let mut process = order.process(program);
            let child = process
                .kill_on_drop(true)
                .spawn()
                .map_err(|error| format!("it cannot be started: {error}"))?;
            let number = jobs.last().map_or(1, |job| job.number + 1);
            jobs.push(Job {
                number,
                command: order.command(),
                by,
                started: Timestamp::now(),
                process: child.id(),
                exit: None,
                dropped: 0,
                lines: VecDeque::new(),
            });
            let over = jobs.len().saturating_sub(MAX_JOBS);
            jobs.drain(..over);
            Ok((number, child))
        })?;
        let (out, err) = (child.stdout.take(), child.stderr.take());
        let jobs = self.clone();
        tokio::spawn(async move {
            let follow = async |stream: Option<_>| {
                if let Some(stream) = stream {
                    jobs.read(number, stream).await
                }
            };
            let follow_errors = async |stream: Option<_>| {
                if let Some(stream) = stream {
                    jobs.read(number, stream).await
                }
            };
            let (status, ..) = tokio::join!(child.wait(), follow(out), follow_errors(err));
            jobs.change(number, |job| {
                job.process = None;
                job.exit = status.ok().and_then(|status| status.code());
            });
        });
        Ok(number)
    }

    fn change(&self, number: u64, work: impl FnOnce(&mut Job)) {
        self.with(|jobs| jobs.iter_mut().find(|job| job.number == number).map(work));
        self.tell();
    }

    async fn read(&self, number: u64, stream: impl AsyncRead + Unpin) {
        let mut lines = BufReader::new(stream).split(b'\n');
        while let Ok(Some(line)) = lines.next_segment().await {
            let line: String = String::from_utf8_lossy(&line).chars().take(MAX_LINE).collect();
            self.change(number, |job| {
                job.lines.push_back(line);
                if job.lines.len() > MAX_LINES {
                    job.lines.pop_front();
                    job.dropped += 1;
                }
            });
        }
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
        };
        self.with(|jobs| jobs.iter().rev().map(shown).collect())
    }

    /// The lines of a job from a place on, the place behind them, and whether it runs; nothing where there is no such job.
    pub fn lines(&self, number: u64, from: usize) -> Option<(Vec<String>, usize, bool)> {
        self.with(|jobs| {
            let job = jobs.iter().find(|job| job.number == number)?;
            let skipped = from.saturating_sub(job.dropped);
            let lines: Vec<String> = job.lines.iter().skip(skipped).cloned().collect();
            Some((lines, job.dropped + job.lines.len(), job.process.is_some()))
        })
    }

    /// Wakes when anything of any job changes.
    pub fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// Ends a job as Ctrl-C would: what is in hand is finished. A second time it ends at once.
    pub fn stop(&self, number: u64) -> bool {
        let process = self.with(|jobs| jobs.iter().find(|job| job.number == number)?.process);
        let pid = process.and_then(|process| i32::try_from(process).ok());
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
        let jobs = Jobs::new();
        let order = |script: &str| Order {
            arguments: vec!["-c".to_owned(), script.to_owned()],
            environment: Vec::new(),
        };
        let shell = std::path::Path::new("/bin/sh");
        let mut changes = jobs.changes();
        let first = jobs.start(&order("echo begun; exec sleep 600"), shell, "me".to_owned()).unwrap();
        assert!(jobs.start(&order("echo no"), shell, "me".to_owned()).unwrap_err().contains("job 1 runs"));
        while jobs.lines(first, 0).unwrap().0.is_empty() {
            changes.changed().await.unwrap();
        }
        assert!(jobs.stop(first));
        while jobs.lines(first, 0).unwrap().2 {
            changes.changed().await.unwrap();
        }
        assert!(!jobs.stop(first));
        let second = jobs.start(&order("echo a; echo b >&2; exit 3"), shell, "me".to_owned()).unwrap();
        while jobs.lines(second, 0).unwrap().2 {
            changes.changed().await.unwrap();
        }
        let mut lines = jobs.lines(second, 0).unwrap().0;
        lines.sort();
        assert_eq!((lines, jobs.list()[0].exit), (vec!["a".to_owned(), "b".to_owned()], Some(3)));
        assert_eq!(jobs.lines(second, 1).unwrap().0.len(), 1);
    }
}
