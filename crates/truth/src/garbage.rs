//! Finds and removes evidence that nothing refers to.

use std::collections::BTreeSet;

use super::judged::Judged;
use super::provenance::Provenance;
use super::review::Review;
use super::store::Store;
use super::{judged, pending, review};
use crate::error::Result;
use atlas_gt_core::evidence::Hash;

impl Store {
    /// Evidence without a reference from a record, a pending reading, a review or a last verdict, sorted. Empty while
    /// anything is quarantined, because its references are unknown.
    ///
    /// # Errors
    /// A folder cannot be read.
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
            // The references of an unreadable file are unknown.
            let Ok(last) = judged::load(self, &id) else { return Ok(Vec::new()) };
            // A decision that can no longer be undone needs no evidence.
            let last = last.filter(|last| last.is_last(self.readable(&id).as_ref()));
            used.extend(last.iter().flat_map(Judged::evidence).cloned());
        }
        // A record was damaged in the meantime.
        if !self.quarantined().is_empty() {
            return Ok(Vec::new());
        }
        let kept = self.kept().all()?;
        Ok(kept.difference(&used).cloned().collect())
    }

    /// Removes evidence without references and returns its hashes.
    ///
    /// # Errors
    /// See [`Store::unreferenced`]; or the store cannot be written.
    pub fn collect_garbage(&self) -> Result<Vec<Hash>> {
        self.writable()?;
        let unused = self.unreferenced()?;
        self.drop_evidence(&unused)?;
        Ok(unused)
    }
}
