//! Quarantine: an unreadable file is reported with the reason and left as it is, and everything else continues
//! (decision 28).

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Exit};
use atlas_gt_core::diagnostic::Place;
use atlas_gt_core::question_id::QuestionId;

/// A file of a store that cannot be read, belongs to another question or site, or was changed since it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Quarantined {
    /// The file's question; `None` for a file of the whole store.
    pub question_id: Option<QuestionId>,
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; `None` if the whole file is wrong.
    pub line: Option<usize>,
    /// The column, from 1.
    pub column: Option<usize>,
    /// What is wrong, and what to do.
    pub reason: String,
}

impl fmt::Display for Quarantined {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.path.display())?;
        for place in [self.line, self.column].into_iter().flatten() {
            write!(f, ":{place}")?;
        }
        write!(f, ": {}", self.reason)
    }
}

impl Quarantined {
    /// A quarantined file of the whole store.
    pub(super) fn of_store(path: &Path, line: Option<usize>, reason: String) -> Self {
        Self { question_id: None, path: path.to_owned(), line, column: None, reason }
    }

    /// Converts the error of a file.
    pub(super) fn of(question_id: Option<&QuestionId>, error: Error, store: &Path) -> Self {
        let question_id = question_id.cloned();
        let known = |number: usize| (number > 0).then_some(number);
        match error {
            Error::Record { path, place: Place { line, column }, message } => {
                Self { question_id, path, line: known(line), column: known(column), reason: message }
            }
            other => {
                let path = store.to_owned();
                Self { question_id, path, line: None, column: None, reason: other.to_string() }
            }
        }
    }

    /// The exit code for the quarantined files.
    #[must_use]
    pub const fn exit(all: &[Self]) -> Exit {
        if all.is_empty() { Exit::Ok } else { Exit::Usage }
    }
}

/// Converts an error of one question's file: damage, another question or site, or missing permission.
pub(super) fn unreadable(error: Error) -> Error {
    match error {
        Error::Damaged { path, place, message } => Error::Record { path, place, message },
        Error::Store { path, message } => Error::Record { path, place: Place::default(), message },
        Error::File { path, source } => {
            let message = format!("{source}; make the file readable, or restore it");
            Error::Record { path, place: Place::default(), message }
        }
        other => other,
    }
}
