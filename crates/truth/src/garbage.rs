//! Evidence that nothing refers to any more.

use std::collections::BTreeSet;

use super::judged::Judged;
use super::provenance::Provenance;
use super::review::Review;
use super::store::Store;
use super::{judged, pending, review};
use crate::error::Result;
use atlas_gt_core::evidence::Hash;

impl Store {
    /// Evidence that no record, no pending reading, nothing under review and no last verdict refers to, sorted. None while something is
    /// quarantined, as it is not known what that refers to.
    ///
    /// # Errors
    /// When a folder cannot be read.
    pub fn unreferenced(&self) -> Result<Vec<Hash>> {
        self.try_all()?;
        if !self.quarantined().is_empty() {
            return Ok(Vec::new());
        }
        let mut used: BTreeSet<Hash> = BTreeSet::new();
        for stored in self.records()? {
            used.extend(stored.provenance.iter().flat_map(Provenance::evidence).cloned());
        }
        for id in pending::ids(self)? {
            let waiting = pending::load(self, &id)?;
            used.extend(waiting.iter().flat_map(|waiting| waiting.provenance.evidence()).cloned());
        }
        for id in review::ids(self)? {
            let held = review::load(self, &id)?;
            used.extend(held.iter().flat_map(Review::evidence).cloned());
        }
        for id in judged::ids(self)? {
            // what an unreadable file refers to is unknown
            let Ok(last) = judged::load(self, &id) else { return Ok(Vec::new()) };
            // what can no longer be undone needs no evidence of its own
            let last = last.filter(|last| last.is_last(self.readable(&id).as_ref()));
            used.extend(last.iter().flat_map(Judged::evidence).cloned());
        }
        // a record that went bad in between
        if !self.quarantined().is_empty() {
            return Ok(Vec::new());
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
