//! A scorer that is a program. It reads JSON from standard input and writes `{"score", "reason",
//! "evidence"}` to standard output. Time and output are limited. A failure is an error, never a
//! score of zero.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::input;
use crate::process::{self, ProcessLimits};
use crate::scoring::score::Score;
use crate::scoring::suite::{AgentOutput, CommandConfig, Scorer, ScorerError, SuiteCase};

/// The maximum time limit: one day.
const MAX_SECONDS: f64 = 86_400.0;

/// A scorer that runs a program.
#[derive(Debug, Clone)]
pub struct CommandScorer {
    name: String,
    config: CommandConfig,
}

impl CommandScorer {
    /// Creates a scorer with a name.
    ///
    /// # Errors
    /// The command is empty, or a limit is out of range.
    pub fn new(name: &str, config: CommandConfig) -> Result<Self, ScorerError> {
        check(&config).map_err(|message| ScorerError(format!("scorer {name:?}: {message}")))?;
        Ok(Self { name: name.to_owned(), config })
    }
}

fn check(config: &CommandConfig) -> Result<(), String> {
    if config.command.first().is_none_or(String::is_empty) {
        return Err("`command` must name a program".to_owned());
    }
    if !(config.timeout_seconds > 0.0 && config.timeout_seconds <= MAX_SECONDS) {
        return Err(format!("`timeout_seconds` is {}: expected up to {MAX_SECONDS}", config.timeout_seconds));
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

    fn check(&self, config: &Value) -> Result<(), String> {
        let config: CommandConfig =
            serde_json::from_value(config.clone()).map_err(|error| error.to_string())?;
        check(&config)
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, config: &Value) -> Result<Score, ScorerError> {
        // The case may configure its own command or limits.
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

/// The output of the program.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ProgramAnswer {
    score: Option<f64>,
    reason: String,
    #[serde(default)]
    evidence: Vec<String>,
}

/// Parses the output of the program.
fn read(answer: &[u8]) -> Result<Score, String> {
    let ProgramAnswer { score, reason, evidence } = serde_json::from_slice(input::unmarked(answer))
        .map_err(|error| format!("its output is not {{\"score\", \"reason\", \"evidence\"}}: {error}"))?;
    match score {
        Some(score) if !(0.0..=1.0).contains(&score) => Err(format!("its score is {score}: expected 0 to 1")),
        _ => Ok(Score::new(score, reason, Map::new()).by("program").with("evidence", evidence)),
    }
}

/// Runs the scorer's program with `input` and returns its standard output.
fn run(config: &CommandConfig, input: Vec<u8>) -> Result<Vec<u8>, String> {
    let limits = ProcessLimits {
        command: &config.command,
        timeout: Duration::from_secs_f64(config.timeout_seconds),
        most: config.max_output_bytes,
    };
    process::run(&limits, input).map_err(|failure| failure.message(&limits))
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use std::time::Instant;

    use super::*;
    use crate::scoring::CaseVerdict;
    use crate::scoring::scorers;
    use crate::scoring::suite::{commands_of, parse_answer, read_suite, run_case};

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
        assert!(shell("sleep 60 >&- 2>&- & exec >&-; wait", 0.3, 100).unwrap_err().contains("did not exit"));
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
        assert_eq!(read(br#"{"score": 0.5, "reason": "r"}"#).unwrap().value, Some(0.5));
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
        let mut registry = scorers::builtin();
        for (name, config) in commands_of(text) {
            registry.register(Box::new(CommandScorer::new(&name, config).unwrap())).unwrap();
        }
        let (suite, _) = read_suite(Path::new("suite.yaml"), text, &registry).unwrap();
        let results: Vec<_> = ["good", "bad", "good"]
            .iter()
            .zip(&suite.cases)
            .map(|(text, case)| {
                let answer = parse_answer(&json!({"case": case.name, "output": text})).unwrap();
                run_case(case, Some(&answer), &registry)
            })
            .collect();
        let verdicts: Vec<CaseVerdict> = results.iter().map(|result| result.verdict).collect();
        assert_eq!(verdicts, [CaseVerdict::Pass, CaseVerdict::Fail, CaseVerdict::Error], "{results:#?}");
        assert_eq!(results[0].scorers[0].score.metadata["evidence"], json!(["e"]));
    }
}
