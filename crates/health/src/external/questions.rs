//! The questions of a folder of records, from a list or a manifest.

use std::collections::BTreeMap;
use std::path::Path;

use super::folder::Folder;
use super::quarantined::QuarantinedFile;
use crate::error::Result;
use crate::input;
use crate::manifest::{ListedQuestion, QuestionId, QuestionList, UnreadEntry};
use crate::selection::at_least_one;

/// The questions of a file.
#[derive(Debug, Clone, Default)]
pub struct ListedQuestions {
    /// The questions by id.
    pub by_id: BTreeMap<QuestionId, ListedQuestion>,
    /// Unreadable entries.
    pub quarantined: Vec<QuarantinedFile>,
    /// Warnings: keys that are not read, questions that are asked twice.
    pub warnings: Vec<String>,
}

impl ListedQuestions {
    /// Reads a file of questions. An unreadable entry is quarantined.
    ///
    /// # Errors
    /// The file is not JSON, or not a list of questions.
    pub fn read(path: &Path) -> Result<Self> {
        let text = input::text(path)?;
        let list = QuestionList::read(&text).map_err(|fault| fault.of(path))?;
        let wrong = |entry: UnreadEntry| QuarantinedFile::new(path, &entry.field(), entry.located());
        let questions = Self {
            by_id: list.questions.into_iter().map(|question| (question.id.clone(), question)).collect(),
            quarantined: list.unread.into_iter().map(wrong).collect(),
            warnings: list.odd,
        };
        // unreadable entries count, so that they are reported
        at_least_one(questions.by_id.len() + questions.quarantined.len(), || {
            format!("{} has no question", path.display())
        })?;
        Ok(questions)
    }

    /// Checks that some question has a record in the folder. `path` is the questions file.
    ///
    /// # Errors
    /// No question has a record.
    pub fn of_records(self, path: &Path, folder: &Folder) -> Result<Self> {
        let fitting = folder.files().iter().filter(|(id, _)| self.by_id.contains_key(id)).count();
        at_least_one(fitting + self.quarantined.len(), || {
            format!("no question of {} has a record in {}", path.display(), folder.dir().display())
        })?;
        Ok(self)
    }
}
