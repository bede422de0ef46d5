//! Runs a program with its input, a time limit and an output limit. Its child processes end with it.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// How much of the program's standard error an error message quotes, in bytes.
const QUOTED_STDERR: usize = 400;

/// What is run, and how long and how much it may say.
#[derive(Debug, Clone, Copy)]
pub struct ProcessLimits<'a> {
    /// The program and its arguments.
    pub command: &'a [String],
    /// From start to end.
    pub timeout: Duration,
    /// Bytes of standard output.
    pub most: u64,
}

/// Why there is no output.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProcessFailure {
    /// It took too long.
    Timeout,
    /// It closed its output but did not exit.
    Endless,
    /// It said too much.
    TooLong,
    /// Anything else, in words.
    Other(String),
}

impl ProcessFailure {
    /// The failure in words.
    pub fn message(&self, limits: &ProcessLimits<'_>) -> String {
        let program = limits.command.first().map_or("", String::as_str);
        let seconds = limits.timeout.as_secs_f64();
        match self {
            Self::Timeout => format!("{program:?} took longer than {seconds} s and was stopped"),
            Self::Endless => {
                format!("{program:?} closed its output but did not end within {seconds} s and was stopped")
            }
            Self::TooLong => format!("its output is longer than {} bytes", limits.most),
            Self::Other(why) => why.clone(),
        }
    }
}

/// What a thread that reads one of the program's streams reports.
enum Heard {
    Out(Result<Vec<u8>, ProcessFailure>),
    Err(Vec<u8>),
}

/// Whether the program exists: a path, or a name in a folder of PATH.
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
    // A process group of its own, so that child processes end with it.
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
            Ok(Heard::Out(result)) => out = Some(result?),
            Ok(Heard::Err(text)) => said = text,
            Err(RecvTimeoutError::Timeout) => return Err(ProcessFailure::Timeout),
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = running.wait(deadline).ok_or(ProcessFailure::Endless)?;
    if !status.success() {
        // Its last words may come after its output.
        if let Ok(Heard::Err(text)) = streams.recv_timeout(Duration::from_millis(200)) {
            said = text;
        }
        let said = String::from_utf8_lossy(&said);
        let said = said.trim();
        let words = if said.is_empty() { String::new() } else { format!(": {said}") };
        return Err(ProcessFailure::Other(format!("{program:?} ended with {status}{words}")));
    }
    out.ok_or_else(|| ProcessFailure::Other(format!("{program:?} gave no output")))
}

/// A running program, ended with its whole group when dropped.
struct Running {
    child: Child,
}

impl Running {
    /// Feeds the input and reads both streams on threads of their own, so that neither pipe can block the other.
    fn listen(&mut self, input: Vec<u8>, most: u64) -> Receiver<Heard> {
        let (sender, receiver) = channel();
        if let Some(mut stdin) = self.child.stdin.take() {
            // A program that does not read its input breaks the pipe; that is no error.
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
                drop(sender.send(Heard::Out(result)));
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
                drop(sender.send(Heard::Err(tail)));
            });
        }
        receiver
    }

    /// Waits for the exit, at most until the deadline. A program that has closed its output usually exits at once, so the first
    /// checks come soon.
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
            // Fails if the group is gone already, which is what we want.
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(group),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
        drop(self.child.wait());
    }
}
