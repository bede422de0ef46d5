//! An agent that is a program: it reads the question as JSON from standard input and writes the
//! answer as JSON to standard output. Time and output are limited.

use std::time::Duration;

use serde_json::json;

use super::ask_atlas::MAX_QUOTE;
use super::{Agent, AgentError, AgentQuestion, Reply, answered};
use crate::error::{Error, Result};
use crate::input;
use crate::process;

/// A program that answers questions.
#[derive(Debug, Clone)]
pub struct CommandAgent {
    command: Vec<String>,
    timeout: Duration,
    most: u64,
}

impl CommandAgent {
    /// Splits a command line at spaces, like a shell without expansion. Quotes keep spaces.
    ///
    /// # Errors
    /// The command is empty, a quote is not closed, or a limit is zero.
    pub fn new(line: &str, timeout: Duration, most: u64) -> Result<Self> {
        let command = split_command("--agent-command", line)?;
        if timeout.is_zero() || most == 0 {
            return Err(Error::Usage("--agent-command: limits must be more than 0".to_owned()));
        }
        Ok(Self { command, timeout, most })
    }
}

/// Splits the command line of an option. The program must exist, because it runs only after the
/// page visits.
pub(super) fn split_command(option: &str, line: &str) -> Result<Vec<String>> {
    let command =
        split(line).ok_or_else(|| Error::Usage(format!("{option} {line}: a quote is not closed")))?;
    if command.first().is_none_or(String::is_empty) {
        return Err(Error::Usage(format!("{option}: name a program")));
    }
    if !process::is_there(&command[0]) {
        return Err(Error::Usage(format!("{option} {line}: there is no program {}", command[0])));
    }
    Ok(command)
}

/// Runs a program on a blocking thread and returns its output.
pub(super) async fn run_program(
    command: &[String],
    timeout: Duration,
    most: u64,
    input: String,
) -> Result<Vec<u8>, AgentError> {
    let command = command.to_vec();
    let run = tokio::task::spawn_blocking(move || {
        let limits = process::ProcessLimits { command: &command, timeout, most };
        process::run(&limits, input.into_bytes()).map_err(|failure| match failure {
            process::ProcessFailure::Timeout | process::ProcessFailure::Endless => {
                AgentError::Timeout(timeout)
            }
            process::ProcessFailure::TooLong => AgentError::TooLong(most),
            process::ProcessFailure::Other(_) => AgentError::Command(failure.message(&limits)),
        })
    });
    run.await.map_err(|error| AgentError::Command(error.to_string()))?
}

/// Splits a command line into words.
fn split(line: &str) -> Option<Vec<String>> {
    let mut words: Vec<String> = Vec::new();
    let mut word: Option<String> = None;
    let mut quote: Option<char> = None;
    for c in line.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            None if matches!(c, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    quote.is_none().then_some(words)
}

impl Agent for CommandAgent {
    fn name(&self) -> String {
        format!("command {}", self.command.join(" "))
    }

    async fn ask(&self, asked: &AgentQuestion) -> Result<Reply, AgentError> {
        let mut request = json!({
            "question_id": asked.question_id,
            "question": asked.question,
            "mode": asked.mode.name(),
        });
        if !asked.context.is_empty() {
            request["context"] = asked.context.clone().into();
        }
        let output = run_program(&self.command, self.timeout, self.most, request.to_string()).await?;
        let mut reply: Reply = serde_json::from_slice(input::unmarked(&output)).map_err(|error| {
            let shown: String = String::from_utf8_lossy(&output).chars().take(MAX_QUOTE).collect();
            let shown = match shown.trim() {
                "" => "it printed nothing".to_owned(),
                shown => format!("it printed {shown:?}"),
            };
            AgentError::Malformed(format!(
                "its output is not {{\"answer\", \"links\", \"trace\"}} ({error}): {shown}"
            ))
        })?;
        // an agent does not judge itself
        reply.judge_points.clear();
        answered(asked, reply)
    }
}

#[cfg(test)]
mod tests {
    use super::super::Mode;
    use super::*;

    fn asked() -> AgentQuestion {
        AgentQuestion::new("61".parse().unwrap(), "What is it?", Mode::Auto)
    }

    async fn ask(line: &str) -> Result<Reply, AgentError> {
        CommandAgent::new(line, Duration::from_secs(2), 1000).unwrap().ask(&asked()).await
    }

    #[test]
    fn a_command_line_is_split_as_a_shell_does() {
        assert_eq!(split("./ask.sh -m 'a b' \"c d\"e").unwrap(), ["./ask.sh", "-m", "a b", "c de"]);
        assert_eq!(split("a 'b"), None);
        assert!(CommandAgent::new("  ", Duration::from_secs(1), 1).is_err());
    }

    #[tokio::test]
    async fn a_program_answers_or_fails_in_its_own_way() {
        let reply = ask("sh -c 'read q; echo \"{\\\"answer\\\": \\\"$2,274\\\", \\\"trace\\\": {\\\"tool_calls\\\": [\\\"atlas_graphql\\\"]}}\"'").await;
        // the shell expands $2 in double quotes; what matters is that the answer came through
        assert!(reply.unwrap().trace.unwrap().tool_calls == ["atlas_graphql"]);
        assert!(matches!(ask("sh -c 'echo {}'").await, Err(AgentError::Malformed(_))));
        assert!(matches!(
            ask("sh -c 'echo {\\\"answer\\\":\\\"\\\"}'").await,
            Err(AgentError::Malformed(_) | AgentError::Empty)
        ));
        assert!(matches!(ask("sh -c 'yes'").await, Err(AgentError::TooLong(1000))));
        assert!(matches!(ask("sleep 20").await, Err(AgentError::Timeout(_))));
        assert!(
            matches!(ask("sh -c 'echo no >&2; exit 3'").await, Err(AgentError::Command(why)) if why.contains("no"))
        );
        for program in ["/no/such/program", "no-such-program --fast"] {
            let error = CommandAgent::new(program, Duration::from_secs(2), 1000).unwrap_err();
            assert!(error.to_string().contains("there is no program") && error.exit() as u8 == 2, "{error}");
        }
    }
}
