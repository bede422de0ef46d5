//! Loads the record of a question with its provenance, and refuses files that were changed or belong elsewhere.

use std::path::Path;

use super::files::{optional, parse};
use super::provenance::{Provenance, Stored};
use super::quarantine::unreadable;
use super::record::{Record, Site};
use super::seal::{Seal, seal_command, seal_of};
use super::store::{PROVENANCE, RESULTS, Store};
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

impl Store {
    /// The ground truth of a question; `None` if there is none.
    ///
    /// # Errors
    /// A file is missing, unreadable, changed, or belongs to another question or site. The provenance has a seal and
    /// the hash of the record.
    pub fn load(&self, id: &QuestionId) -> Result<Option<Stored>> {
        self.load_sealed(id, &[Seal::Intact])
    }

    /// Like [`Store::load`], but accepts these seals. With [`Seal::Broken`] it also accepts a changed record.
    pub(super) fn load_sealed(&self, id: &QuestionId, seals: &[Seal]) -> Result<Option<Stored>> {
        self.steady(|| self.load_files(id, seals), Result::is_ok).map_err(unreadable)
    }

    fn load_files(&self, id: &QuestionId, seals: &[Seal]) -> Result<Option<Stored>> {
        let folder = self.dir().join(id.as_str());
        let [results, provenance] = [RESULTS, PROVENANCE].map(|name| folder.join(name));
        let wrong = |path: &Path, what: &str| {
            let message = format!(
                "{what}: restore it from version control, or remove the folder of question {id} and collect again"
            );
            Err(Error::Store { path: path.to_owned(), message })
        };
        let (record_text, text) = match (optional(&results)?, optional(&provenance)?) {
            (None, None) => return Ok(None),
            (None, Some(_)) => return wrong(&results, "is missing, but its provenance is there"),
            (Some(record), text) => (record, text),
        };
        let record: Record = parse(&results, &record_text)?;
        self.check_owner(&results, id, &record.question_id, record.site)?;
        let Some(text) = text else {
            return wrong(&provenance, "is missing, but its record is there");
        };
        let found: Provenance = parse(&provenance, &text)?;
        self.check_owner(&provenance, id, &found.question_id, found.site)?;
        let seal = seal_of(&text);
        if !seals.contains(&seal) {
            return match seal {
                Seal::Missing => {
                    let command = seal_command(self.dir());
                    let message =
                        format!("has no seal: seal the records of an older version with `{command}`");
                    Err(Error::Store { path: provenance, message })
                }
                _ => wrong(&provenance, "was changed since it was written"),
            };
        }
        let hash = Hash::of(record_text.as_bytes());
        if found.record.as_ref() != Some(&hash) && !seals.contains(&Seal::Broken) {
            return wrong(&results, "was changed since it was written");
        }
        Ok(Some(Stored { record, provenance: Some(found), hash }))
    }

    /// Refuses a file that belongs to another question or site than its folder.
    pub(super) fn check_owner(
        &self,
        path: &Path,
        id: &QuestionId,
        own: &QuestionId,
        site: Site,
    ) -> Result<()> {
        let wrong = |message: String| Err(Error::Store { path: path.to_owned(), message });
        if own != id {
            return wrong(format!(
                "belongs to question {own}, not to question {id}: move it to its own folder"
            ));
        }
        let store = self.site();
        if site != store {
            return wrong(format!(
                "belongs to the {site} site, but the store to the {store} site: move it to another store"
            ));
        }
        Ok(())
    }
}
