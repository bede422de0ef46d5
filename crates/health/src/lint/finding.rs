//! What a rule found.

use std::path::PathBuf;

use atlas_gt_core::diagnostic::Severity;
use schemars::JsonSchema;
use serde::Serialize;

use super::subject::place_of;
use crate::external::Figure;
use crate::manifest::QuestionId;

/// Something that is wrong.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Finding {
    /// The rule: `GT005`.
    pub code: &'static str,
    /// How bad it is.
    pub severity: Severity,
    /// The records that it is about; most findings are about one.
    pub questions: Vec<QuestionId>,
    /// The file.
    pub file: PathBuf,
    /// The key in it; empty if it is about the whole file.
    pub key: String,
    /// What is wrong.
    pub message: String,
    /// What to do.
    pub help: &'static str,
}

/// Whether a written code is this rule's or includes it: `GT003` for `GT003a`.
#[must_use]
pub(crate) fn stands_for(written: &str, code: &str) -> bool {
    let begins = code.get(..written.len()).is_some_and(|begin| begin.eq_ignore_ascii_case(written));
    written.len() >= 5 && begins && code[written.len()..].chars().all(|c| c.is_ascii_lowercase())
}

/// What a rule says of a record.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Found {
    /// The key; empty for the whole file.
    pub key: String,
    /// What is wrong.
    pub message: String,
}

impl Found {
    pub(super) fn new(key: impl Into<String>, message: impl Into<String>) -> Self {
        Self { key: key.into(), message: message.into() }
    }

    /// Of a value.
    pub(super) fn at(figure: &Figure, message: impl Into<String>) -> Self {
        Self::new(place_of(figure), message)
    }
}
