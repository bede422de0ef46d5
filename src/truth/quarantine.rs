//! What of a store cannot be read is quarantined: named with the reason, left as it is, and the rest goes on (decision 28).

use std::fmt;
use std::path::PathBuf;
use std::sync::PoisonError;

use serde::Serialize;

use super::provenance::Stored;
use super::store::Store;
use super::{pending, review};
use crate::error::{Error, Exit, Result};
use crate::manifest::QuestionId;

/// A file of a question that cannot be read, or is of another question or site.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize)]
pub struct Quarantined {
    /// The question whose file it is.
    pub question_id: QuestionId,
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
    fn of(question_id: &QuestionId, error: Error, store: &Store) -> Self {
        let question_id = question_id.clone();
        let known = |number: usize| (number > 0).then_some(number);
        match error {
            Error::Record { path, line, column, message } => {
                Self { question_id, path, line: known(line), column: known(column), reason: message }
            }
            other => {
                let path = store.dir().to_owned();
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

impl Store {
    /// What was loaded; nothing where that is an error: then it is quarantined.
    fn sound<T>(&self, id: &QuestionId, loaded: Result<Option<T>>) -> Option<T> {
        loaded.unwrap_or_else(|error| {
            let mut all = self.quarantine.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(Quarantined::of(id, error, self));
            None
        })
    }

    /// The ground truth of a question; `None` when there is none, or none that can be read: then it is quarantined.
    #[must_use]
    pub fn readable(&self, id: &QuestionId) -> Option<Stored> {
        self.sound(id, self.load(id))
    }

    /// Every record that can be read, in the order of the questions, one at a time; the others are quarantined.
    ///
    /// # Errors
    /// When the folder cannot be read.
    pub fn records(&self) -> Result<impl Iterator<Item = Stored> + '_> {
        Ok(self.question_ids()?.into_iter().filter_map(|id| self.readable(&id)))
    }

    /// Whether everything that is kept of a question can be read: its record, what waits, and what is under review. What
    /// cannot is quarantined.
    #[must_use]
    pub fn is_readable(&self, id: &QuestionId) -> bool {
        let files =
            [self.load(id).map(drop), pending::load(self, id).map(drop), review::load(self, id).map(drop)];
        // every file is tried, so that every bad one is named
        let sound = files.map(|loaded| self.sound(id, loaded.map(Some)).is_some());
        sound.into_iter().all(|is_sound| is_sound)
    }

    /// Tries every record, every reading that waits, and everything under review.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn try_all(&self) -> Result<()> {
        let all = [self.question_ids()?, pending::ids(self)?, review::ids(self)?].concat();
        for id in all.iter().collect::<std::collections::BTreeSet<_>>() {
            let _ = self.is_readable(id);
        }
        Ok(())
    }

    /// What was quarantined since the store was opened, in the order of the questions.
    #[must_use]
    pub fn quarantined(&self) -> Vec<Quarantined> {
        self.quarantine.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
