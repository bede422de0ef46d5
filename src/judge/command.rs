//! A scorer that is a program: JSON on its standard input, `{"score", "reason", "evidence"}` on its standard output,
//! within a time and an output limit. Whatever goes wrong is an error and never a score of zero.

use std::io::{Read, Write};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::scoring::suite::{AgentOutput, Case, CommandConfig, Scorer, ScorerError, ScorerResult};

/// Longest time limit: a day.
const LONGEST_SECONDS: f64 = 86_400.0;

/// How much of the program's standard error an error message quotes, in bytes.
const QUOTED_STDERR: usize = 400;

/// A scorer that runs a program.
#[derive(Debug, Clone)]
pub struct CommandScorer {
    name: String,
    config: CommandConfig,
}

impl CommandScorer {
    /// A scorer of this name.
    ///
    /// # Errors
    /// An empty command or a limit out of range, in words.
    pub fn new(name: &str, config: CommandConfig) -> Result<Self, ScorerError> {
        check(&config).map_err(|message| ScorerError(format!("scorer {name:?}: {message}")))?;
        Ok(Self { name: name.to_owned(), config })
    }
}

fn check(config: &CommandConfig) -> Result<(), String> {
    if config.command.first().is_none_or(String::is_empty) {
        return Err("`command` must name a program".to_owned());
    }
    if !(config.timeout_seconds > 0.0 && config.timeout_seconds <= LONGEST_SECONDS) {
        return Err(format!(
            "`timeout_seconds` is {}: expected up to {LONGEST_SECONDS}",
            config.timeout_seconds
        ));
    }
    if config.max_output_bytes == 0 {
        return Err("`max_output_bytes` must be more than 0".to_owned());
    }
    Ok(())
}

impl Scorer for CommandScorer {
    fn name(&self) -> &str {
        &self.name
    }

    fn description(&self) -> &str {
        "a program of one's own"
    }

    fn check(&self, config: &Value) -> Result<(), String> {
        let config: CommandConfig =
            serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
        check(&config)
    }

    fn score(&self, case: &Case, output: &AgentOutput, config: &Value) -> Result<ScorerResult, ScorerError> {
        // The case may have configured another command or other limits than the suite.
        let limits: CommandConfig = if config.get("command").is_some() {
            serde_json::from_value(config.clone()).map_err(|error| ScorerError(error.to_string()))?
        } else {
            self.config.clone()
        };
        check(&limits).map_err(ScorerError)?;
        let request = json!({ "case": case, "output": output, "config": config }).to_string();
        let answer = run(&limits, request.into_bytes()).map_err(ScorerError)?;
        read(&answer).map_err(ScorerError)
    }
}

/// Reads what the program answered.
fn read(answer: &[u8]) -> Result<ScorerResult, String> {
    let result: ScorerResult = serde_json::from_slice(answer)
        .map_err(|error| format!("its output is not {{\"score\", \"reason\", \"evidence\"}}: {error}"))?;
    match result.score {
        Some(score) if !(0.0..=1.0).contains(&score) => Err(format!("its score is {score}: expected 0 to 1")),
        _ => Ok(result),
    }
}

/// What a thread that reads one of the program's streams reports.
enum Heard {
    Out(Result<Vec<u8>, String>),
    Err(Vec<u8>),
}

/// Runs the program with `input` and returns its standard output.
fn run(limits: &CommandConfig, input: Vec<u8>) -> Result<Vec<u8>, String> {
    let deadline = Instant::now() + Duration::from_secs_f64(limits.timeout_seconds);
    let [program, arguments @ ..] = limits.command.as_slice() else {
        return Err("`command` must name a program".to_owned());
    };
    let mut command = Command::new(program);
    command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    // A group of its own, so that what the program starts ends with it.
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    let child = command.spawn().map_err(|error| format!("{program:?} could not be started: {error}"))?;
    let mut running = Running { child };
    let streams = running.listen(input, limits.max_output_bytes);

    let mut out = None;
    let mut said = Vec::new();
    while out.is_none() {
        match streams.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(Heard::Out(result)) => out = Some(result?),
            Ok(Heard::Err(text)) => said = text,
            Err(RecvTimeoutError::Timeout) => {
                return Err(format!(
                    "{program:?} took longer than {} s and was stopped",
                    limits.timeout_seconds
                ));
            }
            Err(RecvTimeoutError::Disconnected) => break,
        }
    }
    let status = running.wait(deadline).ok_or_else(|| {
        format!(
            "{program:?} closed its output but did not end within {} s and was stopped",
            limits.timeout_seconds
        )
    })?;
    if !status.success() {
        // Its last words may come after its output.
        if let Ok(Heard::Err(text)) = streams.recv_timeout(Duration::from_millis(200)) {
            said = text;
        }
        let said = String::from_utf8_lossy(&said);
        let said = said.trim();
        let words = if said.is_empty() { String::new() } else { format!(": {said}") };
        return Err(format!("{program:?} ended with {status}{words}"));
    }
    out.ok_or_else(|| format!("{program:?} gave no output"))
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
            // A program that does not read its input breaks the pipe; that is its own affair.
            thread::spawn(move || drop(stdin.write_all(&input)));
        }
        if let Some(stdout) = self.child.stdout.take() {
            let sender = sender.clone();
            thread::spawn(move || {
                let mut text = Vec::new();
                let read = stdout.take(most + 1).read_to_end(&mut text);
                let result = match read {
                    Err(error) => Err(format!("its output could not be read: {error}")),
                    Ok(_) if text.len() as u64 > most => {
                        Err(format!("its output is longer than {most} bytes"))
                    }
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

    /// Waits for the end, at most until the deadline. A program that has closed its output ends at once, so this
    /// looks often at first and then less.
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
            // Fails when nothing of the group is left, which is what is wanted.
            let _ = nix::sys::signal::killpg(
                nix::unistd::Pid::from_raw(group),
                nix::sys::signal::Signal::SIGKILL,
            );
        }
        drop(self.child.wait());
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scoring::suite::{CaseVerdict, Registry, commands_of, parse_answer, read_suite, run_suite};

    fn shell(script: &str, seconds: f64, bytes: u64) -> Result<Vec<u8>, String> {
        let command = ["sh", "-c", script].map(str::to_owned).to_vec();
        run(
            &CommandConfig { command, timeout_seconds: seconds, max_output_bytes: bytes },
            vec![b'x'; 1 << 20],
        )
    }

    #[test]
    fn limits_hold() {
        let started = Instant::now();
        assert!(shell("sleep 60", 0.3, 100).unwrap_err().contains("longer than 0.3 s"));
        assert!(shell("sleep 60 >&- 2>&- & exec >&-; wait", 0.3, 100).unwrap_err().contains("did not end"));
        assert!(shell("yes", 20.0, 1000).unwrap_err().contains("longer than 1000 bytes"));
        assert!(started.elapsed() < Duration::from_secs(10), "what was stopped is not waited for");
    }

    #[test]
    fn failures_are_errors_with_the_programs_words() {
        let error = shell("cat >/dev/null; echo went wrong >&2; exit 3", 10.0, 100).unwrap_err();
        assert!(error.contains("exit status: 3") && error.contains("went wrong"), "{error}");
        let missing = CommandConfig {
            command: vec!["/no/such/program".to_owned()],
            timeout_seconds: 1.0,
            max_output_bytes: 1,
        };
        assert!(run(&missing, Vec::new()).unwrap_err().contains("could not be started"));
        // Input that is never read is no failure.
        assert_eq!(shell("printf ok", 10.0, 100).unwrap(), b"ok");
    }

    #[test]
    fn answers_are_checked() {
        assert_eq!(read(br#"{"score": 0.5, "reason": "r"}"#).unwrap().score, Some(0.5));
        for (bad, part) in [
            (b"" as &[u8], "its output is not"),
            (br#"{"score": 2, "reason": "r"}"#, "expected 0 to 1"),
            (br#"{"score": NaN, "reason": "r"}"#, "its output is not"),
            (br#"{"reason": "r", "points": 3}"#, "points"),
        ] {
            assert!(read(bad).unwrap_err().contains(part));
        }
    }

    #[test]
    fn scorers_a_command_in_a_suite() {
        let text = r#"
name: s
scorer_config:
  mine: {command: [sh, -c, 'grep -q "\"text\":\"good\"" && s=0.9 || s=0.1; echo "{\"score\": $s, \"reason\": \"looked\", \"evidence\": [\"e\"]}"']}
cases:
  - {name: a, input: {query: q}, scorers: [mine]}
  - {name: b, input: {query: q}, scorers: [mine]}
  - {name: c, input: {query: q}, scorers: [mine], scorer_config: {mine: {command: ["false"]}}}
"#;
        let mut registry = Registry::builtin();
        for (name, config) in commands_of(text) {
            registry.register(Box::new(CommandScorer::new(&name, config).unwrap())).unwrap();
        }
        let (suite, _) = read_suite(text, &registry).unwrap();
        let answers = ["good", "bad", "good"]
            .iter()
            .zip(["a", "b", "c"])
            .map(|(text, case)| parse_answer(&json!({"case": case, "output": text})).unwrap());
        let result = run_suite(&suite, &answers.collect::<Vec<_>>(), &registry);
        let verdicts: Vec<CaseVerdict> = result.cases.iter().map(|case| case.verdict).collect();
        assert_eq!(verdicts, [CaseVerdict::Pass, CaseVerdict::Fail, CaseVerdict::Error], "{result:#?}");
        assert_eq!(result.cases[0].scorers[0].evidence, ["e"]);
    }
}
