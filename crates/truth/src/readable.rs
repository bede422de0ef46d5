//! Reads everything readable in a store, one question at a time. Unreadable files are quarantined and the rest
//! continues.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::PoisonError;

use super::files::optional_bytes;
use super::provenance::Stored;
use super::quarantine::{Quarantined, unreadable};
use super::queue::Queue;
use super::run_log::RunLog;
use super::seal::Seal;
use super::store::Store;
use super::{changelog, checks, judged, pending, review};
use crate::error::Result;
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

impl Store {
    /// The loaded value; `None` after an error, which quarantines the file.
    fn sound<T>(&self, id: &QuestionId, loaded: Result<Option<T>>) -> Option<T> {
        loaded.unwrap_or_else(|error| {
            self.set_aside(Quarantined::of(Some(id), error, self.dir()));
            None
        })
    }

    /// Quarantines a file.
    pub(super) fn set_aside(&self, one: Quarantined) {
        self.quarantine.lock().unwrap_or_else(PoisonError::into_inner).insert(one);
    }

    /// Quarantines a log or one of its lines, with another remedy, if there is one.
    pub(super) fn set_line_aside(&self, log: &Path, line: Option<usize>, what: &str, or: &str) {
        let reason = format!("{what}; restore the file from version control{or}");
        self.set_aside(Quarantined::of_store(log, line, reason));
    }

    /// The ground truth of a question. `None` if there is none, or if it is unreadable, in which case it is
    /// quarantined.
    #[must_use]
    pub fn readable(&self, id: &QuestionId) -> Option<Stored> {
        self.sound(id, self.load(id))
    }

    /// A record of an older version, without a seal.
    #[must_use]
    pub fn unsealed(&self, id: &QuestionId) -> Option<Stored> {
        self.load_sealed(id, &[Seal::Missing]).ok().flatten()
    }

    /// A record as its files are now, whoever wrote them. It is not the truth.
    #[must_use]
    pub fn as_it_lies(&self, id: &QuestionId) -> Option<Stored> {
        self.load_sealed(id, &[Seal::Intact, Seal::Missing, Seal::Broken]).ok().flatten()
    }

    /// All readable records in question order, loaded one at a time. Others are quarantined.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn records(&self) -> Result<impl Iterator<Item = Stored> + '_> {
        Ok(self.question_ids()?.into_iter().filter_map(|id| self.readable(&id)))
    }

    /// Whether all files of a question are readable: its record, pending reading and review. Unreadable ones are
    /// quarantined.
    #[must_use]
    pub fn is_readable(&self, id: &QuestionId) -> bool {
        let files =
            [self.load(id).map(drop), pending::load(self, id).map(drop), review::load(self, id).map(drop)];
        // Checks every file, so that each bad one is reported.
        let sound = files.map(|loaded| self.sound(id, loaded.map(Some)).is_some());
        sound.into_iter().all(|is_sound| is_sound)
    }

    /// Lists the records of an older version, which did not list them. The next write stores the list.
    pub(super) fn adopt_records(&self) -> Result<()> {
        let mut marker = self.marker();
        if marker.records.is_empty() {
            marker.records = self.question_ids()?.into_iter().collect();
            self.set_marker(marker);
        }
        Ok(())
    }

    /// Whether the store lists a record of this question that has no file.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn is_gone(&self, id: &QuestionId) -> Result<bool> {
        Ok(self.gone()?.contains(id))
    }

    /// Questions whose record is listed in `site.json` but has no file.
    ///
    /// # Errors
    /// The folder cannot be read.
    pub fn gone(&self) -> Result<BTreeSet<QuestionId>> {
        let mut listed = self.marker().records;
        for id in self.question_ids()? {
            listed.remove(&id);
        }
        Ok(listed)
    }

    /// Checks `checks.jsonl`, which every command that opens the store does.
    pub(super) fn try_checks(&self) {
        if let Err(error) = checks::read(self) {
            self.set_aside(Quarantined::of(None, unreadable(error), self.dir()));
        }
    }

    /// Checks all records, pending readings and reviews.
    ///
    /// # Errors
    /// A folder cannot be read.
    pub fn try_all(&self) -> Result<()> {
        let all = [self.question_ids()?, pending::ids(self)?, review::ids(self)?].concat();
        for id in all.iter().collect::<BTreeSet<_>>() {
            let _ = self.is_readable(id);
        }
        Ok(())
    }

    /// Checks everything: see [`Store::try_all`], plus decisions, logs, imported files beside the
    /// records, and all evidence.
    ///
    /// # Errors
    /// A folder or a log cannot be read.
    pub fn try_every_file(&self) -> Result<()> {
        self.try_all()?;
        for id in judged::ids(self)? {
            self.sound(&id, judged::load(self, &id));
        }
        changelog::lines(self, None)?;
        checks::read(self)?;
        RunLog::of_collect(self).try_read()?;
        RunLog::of_refresh(self).try_read()?;
        for (name, hash) in self.marker().files {
            let path = self.dir().join(&name);
            let is_of_a_queue = [&pending::QUEUE, &review::QUEUE, &judged::QUEUE]
                .iter()
                .any(|queue: &&Queue| queue.holds(&name));
            if is_of_a_queue {
                continue;
            }
            match optional_bytes(&path)? {
                Some(bytes) if Hash::of(&bytes) == hash => {}
                found => {
                    let what =
                        if found.is_some() { "was changed since it was written" } else { "is missing" };
                    let reason = format!("{what}: restore it from version control, or import again");
                    self.set_aside(Quarantined::of_store(&path, None, reason));
                }
            }
        }
        let damaged: Vec<(PathBuf, String)> = self.kept().damaged()?;
        for (path, reason) in damaged {
            self.set_aside(Quarantined::of_store(&path, None, reason));
        }
        Ok(())
    }

    /// All files quarantined since the store was opened, in question order.
    #[must_use]
    pub fn quarantined(&self) -> Vec<Quarantined> {
        self.quarantine.lock().unwrap_or_else(PoisonError::into_inner).iter().cloned().collect()
    }
}
