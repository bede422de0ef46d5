//! What of a store can be read, all of it, one question at a time: what cannot is quarantined, and the rest goes on.

use std::collections::BTreeSet;
use std::sync::PoisonError;

use super::provenance::Stored;
use super::quarantine::Quarantined;
use super::store::Store;
use super::{pending, review};
use crate::error::Result;
use atlas_gt_core::question_id::QuestionId;

impl Store {
    /// What was loaded; nothing where that is an error: then it is quarantined.
    fn sound<T>(&self, id: &QuestionId, loaded: Result<Option<T>>) -> Option<T> {
        loaded.unwrap_or_else(|error| {
            let mut all = self.quarantine.lock().unwrap_or_else(PoisonError::into_inner);
            all.insert(Quarantined::of(id, error, self.dir()));
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
        for id in all.iter().collect::<BTreeSet<_>>() {
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
