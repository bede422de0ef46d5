//! Runs a program with its input, a time limit and an output limit. Its child processes end with it.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much of the program's standard error an error message quotes, in bytes.
const QUOTED_STDERR: usize = 400;

/// The program to run, with its limits.
#[derive(Debug, Clone, Copy)]
pub struct ProcessLimits<'a> {
    /// The program and its arguments.
    pub command: &'a [String],
    /// Maximum run time.
    pub timeout: Duration,
    /// Maximum size of standard output in bytes.
    pub most: u64,
}

/// Why a program returned no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessFailure {
    /// It ran too long.
    Timeout,
    /// It closed its output but did not exit.
    Endless,
    /// Its output was too long.
    TooLong,
    /// Any other failure.
    Other(String),
}

impl ProcessFailure {
    /// The failure as a message.
    pub fn message(&self, limits: &ProcessLimits<'_>) -> String {
        let program = limits.command.first().map_or("", String::as_str);
        let seconds = limits.timeout.as_secs_f64();
        match self {
            Self::Timeout => format!("{program:?} took longer than {seconds} s and was stopped"),
            Self::Endless => {
                format!("{program:?} closed its output but did not exit within {seconds} s and was stopped")
            }
            Self::TooLong => format!("its output is longer than {} bytes", limits.most),
            Self::Other(why) => why.clone(),
        }
    }
}

/// The content of one of the program's streams.
enum StreamContent {
    Out(Result<Vec<u8>, ProcessFailure>),
    Err(Vec<u8>),
}

/// Whether a program exists, as a path or on `PATH`.
#[must_use]
pub fn is_there(program: &str) -> bool {
    let folders = std::env::var_os("PATH").unwrap_or_default();
    let is_path = program.contains(std::path::MAIN_SEPARATOR);
    let found = || std::env::split_paths(&folders).any(|folder| folder.join(program).is_file());
    if is_path { std::path::Path::new(program).is_file() } else { found() }
}

/// Runs the program with `input` and returns its standard output.
pub fn run(limits: &ProcessLimits<'_>, input: Vec<u8>) -> Result<Vec<u8>, ProcessFailure> {
    let deadline = Instant::now() + limits.timeout;
    let [program, arguments @ ..] = limits.command else {
        return Err(ProcessFailure::Other("`command` must name a program".to_owned()));
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // In its own process group, so that its child processes are killed with it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command
        .spawn()
        .map_err(|error| ProcessFailure::Other(format!("{program:?} could not be started: {error}")))?;
    let mut running = Running { child };
    let streams = running.listen(input, limits.most);

    let mut out = None;
    let mut said = Vec::new();
    while out.is_none() {
        match streams.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(StreamContent::Out(result)) => out = Some(result?),
            Ok(StreamContent::Err(text)) => said = text,
            Err(RecvTimeoutError::Timeout) => return Err(ProcessFailure::Timeout),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = running.wait(deadline).ok_or(ProcessFailure::Endless)?;
    if !status.success() {
        // Standard error may end after standard output.
        if let Ok(StreamContent::Err(text)) = streams.recv_timeout(Duration::from_millis(200)) {
            said = text;
        }
        let said = String::from_utf8_lossy(&said);
        let said = said.trim();
        let words = if said.is_empty() { String::new() } else { format!(": {said}") };
        return Err(ProcessFailure::Other(format!("{program:?} exited with {status}{words}")));
    }
    out.ok_or_else(|| ProcessFailure::Other(format!("{program:?} returned no output")))
}

/// A running program. Dropping it kills its process group.
struct Running {
    child: Child,
}

impl Running {
    /// Writes the input and reads both streams on separate threads, so that no pipe blocks another.
    fn listen(&mut self, input: Vec<u8>, most: u64) -> Receiver<StreamContent> {
        let (sender, receiver) = channel();
        if let Some(mut stdin) = self.child.stdin.take() {
            // A program that does not read its input breaks the pipe. That is not an error.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        if let Some(stdout) = self.child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut text = Vec::new();
                let read = stdout.take(most + 1).read_to_end(&mut text);
                let result = match read {
                    Err(error) => {
                        Err(ProcessFailure::Other(format!("its output could not be read: {error}")))
                    }
                    Ok(_) if text.len() as u64 > most => Err(ProcessFailure::TooLong),
                    Ok(_) => Ok(text),
                };
                drop(sender.send(StreamContent::Out(result)));
            });
        }
        if let Some(mut stderr) = self.child.stderr.take() {
            thread::spawn(move || {
                let mut tail = Vec::new();
                let mut block = [0; 4096];
                while let Ok(count @ 1..) = stderr.read(&mut block) {
                    tail.extend_from_slice(&block[..count]);
                    let surplus = tail.len().saturating_sub(QUOTED_STDERR);
                    tail.drain(..surplus);
                }
                drop(sender.send(StreamContent::Err(tail)));
            });
        }
        receiver
    }

    /// Waits for the exit until the deadline. A program that has closed its output usually exits at once, so the first
    /// polls are short.
    fn wait(&mut self, deadline: Instant) -> Option<ExitStatus> {
        let mut pause = Duration::from_micros(200);
        loop {
            if let Ok(Some(status)) = self.child.try_wait() {
                return Some(status);
            }
            if Instant::now() >= deadline {
                return None;
            }
            thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        if let Ok(group) = i32::try_from(self.child.id()) {
            // Fails if the group is already gone, which is fine.
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(group),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
        drop(self.child.wait());
    }
}
