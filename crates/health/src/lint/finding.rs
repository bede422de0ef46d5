//! The findings of rules.

use std::path::PathBuf;

use atlas_gt_core::diagnostic::Severity;
use schemars::JsonSchema;
use serde::Serialize;

use super::subject::place_of;
use crate::external::Figure;
use crate::manifest::QuestionId;

/// A problem in a record.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The rule: `GT005`.
    pub code: &'static str,
    /// The severity.
    pub severity: Severity,
    /// The questions of the affected records, usually one.
    pub questions: Vec<QuestionId>,
    /// The file.
    pub file: PathBuf,
    /// The key in the file; empty for the whole file.
    pub key: String,
    /// The problem.
    pub message: String,
    /// The remedy.
    pub help: &'static str,
}

/// Whether a written code means this rule: `GT003` includes `GT003a`.
#[must_use]
pub(crate) fn stands_for(written: &str, code: &str) -> bool {
    let begins = code.get(..written.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(written));
    written.len() >= 5 && begins && code[written.len()..].chars().all(|c| c.is_ascii_lowercase())
}

/// A finding of a rule in one record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The key; empty for the whole file.
    pub key: String,
    /// The problem.
    pub message: String,
}

impl Found {
    pub(super) fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into() }
    }

    /// A finding about a value.
    pub(super) fn at(figure: &Figure, message: impl Into<String>) -> Self {
        Self::new(place_of(figure), message)
    }
}
