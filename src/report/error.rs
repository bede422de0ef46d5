//! The report of a command that ended with an error before it had a report of its own.

use schemars::JsonSchema;
use serde::Serialize;

use super::{CaseVerdict, Doc, Invocation, Report, ReportCase, Tone};
use crate::error::{Error, Exit};

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
    pub hint: Option<&'static str>,
    /// The exit code.
    pub exit_code: u8,
    #[serde(skip)]
    exit: Exit,
}

impl ErrorReport {
    /// The report of an error.
    #[must_use]
    pub fn new(command: String, error: &Error, details: Vec<String>) -> Self {
        let exit = error.exit();
        Self { command, error: error.to_string(), details, hint: error.hint(), exit_code: exit as u8, exit }
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
        self.hint.into_iter().for_each(|hint| doc.sum(hint));
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
