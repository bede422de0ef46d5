//! The current store, for the report of a run: questions whose record has changed since, and
//! pictures of the pages.

use std::collections::{BTreeMap, BTreeSet};

use super::record::QuestionRecord;
use super::settings::RunSettings;
use crate::evidence::Hash;
use crate::manifest::QuestionId;
use crate::picture::scaled;
use crate::scoring::CaseVerdict;
use crate::truth::Store;

/// The current state of the store.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct StoreNow {
    /// Why the store cannot be read, in whole or in part; none if it can.
    pub unread: Option<String>,
    /// Questions whose record has changed or disappeared since the run.
    pub changed: BTreeSet<QuestionId>,
    /// Scaled pictures (PNG) of the pages, by the hash of the original.
    pub pictures: BTreeMap<Hash, Vec<u8>>,
}

/// The maximum size of a picture, in pixels.
const PICTURE_SIZE: (u32, u32) = (960, 1_600);
/// The maximum bytes of all pictures, for few questions and for very many. A report has at most 20
/// MB.
const PICTURE_BYTES: (usize, usize) = (9_000_000, 2_000_000);
/// The bytes of a question's text, subtracted from the space for pictures.
const QUESTION_BYTES: usize = 2_000;

/// Reads the store of a run. A missing store or an unreadable file is reported, not an error.
#[must_use]
pub fn store_now(settings: &RunSettings, questions: &[QuestionRecord]) -> StoreNow {
    let store = match Store::read(&settings.store) {
        Ok(store) if store.site() == settings.site => store,
        Ok(store) => {
            let why = format!("{} now belongs to the {} site", settings.store.display(), store.site());
            return StoreNow { unread: Some(why), ..StoreNow::default() };
        }
        Err(error) => return StoreNow { unread: Some(error.to_string()), ..StoreNow::default() },
    };
    let is_changed = |record: &&QuestionRecord| {
        let now = store.readable(&record.question.question_id).map(|stored| stored.hash);
        record.truth.as_ref().is_some_and(|truth| now.as_ref() != Some(&truth.hash))
    };
    let changed = questions.iter().filter(is_changed).map(|record| record.question.question_id.clone());
    let changed = changed.collect();
    let bad: Vec<String> = store.quarantined().iter().map(ToString::to_string).collect();
    let unread = (!bad.is_empty()).then(|| bad.join("; "));
    StoreNow { unread, changed, pictures: pictures(&store, questions) }
}

/// Takes pictures while they fit, first those of questions that did not pass.
fn pictures(store: &Store, questions: &[QuestionRecord]) -> BTreeMap<Hash, Vec<u8>> {
    let (most, least) = PICTURE_BYTES;
    let mut room = most.saturating_sub(QUESTION_BYTES * questions.len()).max(least);
    let passed = |record: &&QuestionRecord| {
        record.scored.as_ref().is_some_and(|scored| scored.verdict == CaseVerdict::Pass)
    };
    let (passed, others): (Vec<_>, Vec<_>) = questions.iter().partition(passed);
    let mut found = BTreeMap::new();
    let mut tried = BTreeSet::new();
    for hash in others.into_iter().chain(passed).flat_map(QuestionRecord::pictures) {
        if !tried.insert(hash) {
            continue;
        }
        let Ok(png) = store.picture(hash) else { continue };
        let Ok(small) = scaled(&png, PICTURE_SIZE.0, PICTURE_SIZE.1) else { continue };
        let png = small.unwrap_or(png);
        match room.checked_sub(png.len()) {
            Some(left) => {
                room = left;
                found.insert(hash.clone(), png);
            }
            None => break,
        }
    }
    found
}

impl QuestionRecord {
    /// The distinct pictures of its truth: those used in review, or else the whole page.
    pub fn pictures(&self) -> impl Iterator<Item = &Hash> {
        let points = self.truth.iter().filter_map(|truth| truth.provenance.as_ref());
        let all = points.flat_map(|provenance| &provenance.points).filter_map(|point| {
            let crop = point.person.as_ref().and_then(|person| person.crop.as_ref());
            crop.or(point.screenshot.as_ref())
        });
        let mut seen = BTreeSet::new();
        all.filter(move |hash| seen.insert(*hash))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::run::samples;
    use crate::truth::{Channel, PointProvenance, Provenance, file_reading};
    use crate::value::Context;

    #[test]
    fn a_store_that_moved_on_is_noticed_and_one_that_is_gone_is_said() {
        let folder = tempfile::tempdir().unwrap();
        let records = ["61", "62", "63"].map(samples::record);
        let store = Store::open(folder.path(), records[0].truth.as_ref().unwrap().site()).unwrap();
        for record in &records[..2] {
            let truth = record.truth.as_ref().unwrap();
            let mut now = truth.record.clone();
            if record.question.question_id.as_str() == "62" {
                now.results.data[0].value = Some("$2,350".to_owned());
            }
            let at = now.execution_timestamp;
            let point = PointProvenance::of_row(&now.results.data[0], Context::default(), Channel::Dom, at);
            file_reading(&store, &now, &Provenance::of_points(&now, vec![point]), at).unwrap();
        }
        drop(store);
        let mut settings = samples::settings();
        settings.store = folder.path().to_owned();
        settings.site = records[0].truth.as_ref().unwrap().site();
        let now = store_now(&settings, &records);
        assert_eq!(now.unread, None);
        assert_eq!(now.changed, ["62", "63"].map(|id| id.parse().unwrap()).into());
        settings.store = folder.path().join("nowhere");
        let now = store_now(&settings, &records);
        assert!(now.unread.unwrap().contains("nowhere") && now.changed.is_empty());
    }
}
