//! Evidence that nothing refers to any more.

use std::collections::BTreeSet;

use super::provenance::Provenance;
use super::review::Review;
use super::store::Store;
use super::{pending, review};
use crate::error::Result;
use crate::evidence::Hash;

impl Store {
    /// Evidence that no record, no pending reading and nothing under review refers to, sorted.
    ///
    /// # Errors
    /// When a record cannot be read: what it refers to is then not known.
    pub fn unreferenced(&self) -> Result<Vec<Hash>> {
        let mut used: BTreeSet<Hash> = BTreeSet::new();
        for id in self.question_ids()? {
            let stored = self.load(&id)?;
            used.extend(
                stored.and_then(|stored| stored.provenance).iter().flat_map(Provenance::evidence).cloned(),
            );
        }
        for id in pending::ids(self)? {
            let waiting = pending::load(self, &id)?;
            used.extend(waiting.iter().flat_map(|waiting| waiting.provenance.evidence()).cloned());
        }
        for id in review::ids(self)? {
            let held = review::load(self, &id)?;
            used.extend(held.iter().flat_map(Review::evidence).cloned());
        }
        let kept = self.kept().all()?;
        Ok(kept.difference(&used).cloned().collect())
    }

    /// Drops evidence that nothing refers to; returns what was dropped.
    ///
    /// # Errors
    /// As [`Store::unreferenced`], or when it cannot be written.
    pub fn collect_garbage(&self) -> Result<Vec<Hash>> {
        self.writable()?;
        let unused = self.unreferenced()?;
        self.drop_evidence(&unused)?;
        Ok(unused)
    }
}
