//! Quarantine: a file that cannot be read is named with the reason and left as it is, and the rest goes on (decision 28).

use std::fmt;
use std::path::{Path, PathBuf};

use serde::Serialize;

use crate::error::{Error, Exit};
use atlas_gt_core::question_id::QuestionId;

/// A file of a store that cannot be read, is of another question or site, or was changed since it was written.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, schemars::JsonSchema)]
pub struct Quarantined {
    /// The question whose file it is; none for a file of the store as a whole.
    pub question_id: Option<QuestionId>,
    /// The file.
    pub path: PathBuf,
    /// The line, from 1; none where the file as a whole is wrong.
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
    /// A file of the store as a whole.
    pub(super) fn of_store(path: &Path, line: Option<usize>, reason: String) -> Self {
        Self { question_id: None, path: path.to_owned(), line, column: None, reason }
    }

    /// By the error of a file of a store.
    pub(super) fn of(question_id: Option<&QuestionId>, error: Error, store: &Path) -> Self {
        let question_id = question_id.cloned();
        let known = |number: usize| (number > 0).then_some(number);
        match error {
            Error::Record { path, line, column, message } => {
                Self { question_id, path, line: known(line), column: known(column), reason: message }
            }
            other => {
                let path = store.to_owned();
                Self { question_id, path, line: None, column: None, reason: other.to_string() }
            }
        }
    }

    /// The exit code that what was quarantined leads to.
    #[must_use]
    pub const fn exit(all: &[Self]) -> Exit {
        if all.is_empty() { Exit::Ok } else { Exit::Usage }
    }
}

/// An error of a file of one question: a damage, another question or site, or no right to read it.
pub(super) fn unreadable(error: Error) -> Error {
    match error {
        Error::Damaged { path, line, column, message } => Error::Record { path, line, column, message },
        Error::Store { path, message } => Error::Record { path, line: 0, column: 0, message },
        Error::File { path, source } => {
            let message = format!("{source}; make it a file that can be read, or restore it");
            Error::Record { path, line: 0, column: 0, message }
        }
        other => other,
    }
}
