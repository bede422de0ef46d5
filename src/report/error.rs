//! The report of a command that ended with an error before it had a report of its own.

use schemars::JsonSchema;
use serde::Serialize;

use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Tone};
use crate::error::{Error, Exit, Hint};
use atlas_gt_core::command_line::command;

/// Why a command failed.
#[derive(Debug, Serialize, JsonSchema)]
pub struct ErrorReport {
    /// The command: `eval run`.
    pub command: String,
    /// The message.
    pub error: String,
    /// What is wrong in detail: the errors of a manifest, the unreadable files of a store.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub details: Vec<String>,
    /// What to do next.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The exit code.
    pub exit_code: u8,
    #[serde(skip)]
    exit: Exit,
}

impl ErrorReport {
    /// The report of an error. `invocation` completes the command that it hints at.
    #[must_use]
    pub fn new(command: String, error: &Error, details: Vec<String>, invocation: &Invocation) -> Self {
        let exit = error.exit();
        let hint = error.hint().map(|hint| shown(hint, &command, invocation));
        Self { command, error: error.to_string(), details, hint, exit_code: exit as u8, exit }
    }
}

/// A hint as it is printed. `failed` is the command that failed.
fn shown(hint: Hint, failed: &str, invocation: &Invocation) -> String {
    match hint {
        Hint::Words(words) => words.to_owned(),
        Hint::Command(what, does) => format!("`{}` {does}", invocation.command(what)),
        // invalid arguments may name no command
        Hint::Help if failed == "atlas-gt" => format!("`{}` shows the commands", command("--help", "")),
        Hint::Help => format!("`{}` shows its flags", command(&format!("{failed} --help"), "")),
    }
}

impl Report for ErrorReport {
    const NAME: &'static str = "error";

    fn exit(&self) -> Exit {
        self.exit
    }

    fn doc(&self, _: &Invocation) -> Doc {
        let mut doc = Doc::new("Error");
        doc.verdict(Tone::Bad, format!("{}: {}", self.command, self.error));
        doc.body.list(&self.details);
        self.hint.iter().for_each(|hint| doc.sum(hint.as_str()));
        doc
    }

    fn suite(&self) -> String {
        self.command.clone()
    }

    fn cases(&self) -> Vec<ReportCase> {
        let lines: Vec<&str> = [&self.error].into_iter().chain(&self.details).map(String::as_str).collect();
        vec![ReportCase::new(&self.command, CaseVerdict::Error, lines.join("\n"))]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_hint_names_the_command_that_failed_and_has_its_flags() {
        let hint = |command: &str, error: &Error| {
            let invocation = Invocation::default().also(" --site twin");
            ErrorReport::new(command.to_owned(), error, Vec::new(), &invocation).hint
        };
        let usage = Error::Usage("no".to_owned());
        assert_eq!(hint("eval run", &usage).unwrap(), "`atlas-gt eval run --help` shows its flags");
        assert_eq!(hint("atlas-gt", &usage).unwrap(), "`atlas-gt --help` shows the commands");
        let away = hint("collect", &Error::Site("away".to_owned())).unwrap();
        assert_eq!(away, "`atlas-gt doctor --site twin` checks whether the site is reachable");
        assert_eq!(hint("show", &Error::Nothing("no".to_owned())), None);
    }
}
