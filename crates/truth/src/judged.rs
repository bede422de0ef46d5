//! What a person accepted last for a question, with what it replaced: `judged/{question_id}.json`. A verdict can be taken back as long
//! as nothing has been written since; what was said stays in the review.

use serde::{Deserialize, Serialize};

use super::batch::Batch;
use super::changes::RowChange;
use super::commit::{self, CommitRun};
use super::provenance::{Person, Provenance, Stored};
use super::quarantine::unreadable;
use super::queue::Queue;
use super::record::Record;
use super::review::{self, Accepted, Review, ReviewState};
use super::store::Store;
use crate::error::{Error, Result};
use atlas_gt_core::evidence::Hash;
use atlas_gt_core::question_id::QuestionId;

/// A verdict that was written.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Judged {
    /// Hash of the record that was written.
    pub written: Hash,
    /// The review with all that was accepted.
    pub review: Review,
    /// The record that it replaced; none where there was none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub before: Option<Before>,
}

/// A record as it was.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct Before {
    /// The record.
    pub record: Record,
    /// How it was read.
    pub provenance: Provenance,
}

/// A verdict that was taken back.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct TakenBack {
    /// Who took it back, when and why.
    pub person: Person,
    /// Who had rejected the question.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub rejected: Option<Person>,
    /// What had been accepted.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub accepted: Vec<AcceptedField>,
}

/// A value that was accepted.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct AcceptedField {
    /// Its field in the record.
    pub field: String,
    /// What was accepted.
    pub accepted: Accepted,
}

pub(super) const QUEUE: Queue = Queue { folder: "judged", drop: "review undo" };

/// The last verdict on a question that was written.
///
/// # Errors
/// When it cannot be read, or is of another question or site.
pub fn load(store: &Store, id: &QuestionId) -> Result<Option<Judged>> {
    let check = |judged: &Judged| (judged.review.question_id.clone(), judged.review.record.site);
    QUEUE.load(store, id, &check).map_err(unreadable)
}

/// The questions whose last verdict is kept, in order.
///
/// # Errors
/// When the folder cannot be read.
pub fn ids(store: &Store) -> Result<Vec<QuestionId>> {
    QUEUE.ids(store)
}

impl Judged {
    /// The captures and pictures that it refers to.
    pub fn evidence(&self) -> impl Iterator<Item = &Hash> {
        let before = self.before.iter().flat_map(|before| before.provenance.evidence());
        self.review.evidence().chain(before)
    }
}

/// Keeps a verdict beside the record that it becomes. Not where the record before has no provenance: that could not be put back.
pub(super) fn put(
    batch: &mut Batch<'_>,
    review: &Review,
    written: Hash,
    replaced: Option<&Stored>,
) -> Result<()> {
    let before = match replaced {
        None => None,
        Some(Stored { record, provenance: Some(provenance), .. }) => {
            Some(Before { record: record.clone(), provenance: provenance.clone() })
        }
        Some(_) => return QUEUE.put::<()>(batch, &review.question_id, None),
    };
    QUEUE.put(batch, &review.question_id, Some(&Judged { written, review: review.clone(), before }))
}

/// Takes the last verdict on a question back: it waits for a person again, and a record that was written says what it said before.
///
/// # Errors
/// Nothing was judged, another reading waits, or the record has been written since; the store cannot be written.
pub fn take_back(store: &Store, id: &QuestionId, person: &Person, run: &CommitRun) -> Result<Vec<RowChange>> {
    store.writable()?;
    let refused = |why: &str| Error::Usage(format!("question {id}: {why}"));
    let mut batch = store.batch()?;
    if let Some(review) = review::load(store, id)? {
        let reopened = reopened(review, person).ok_or_else(|| refused("nothing of it was judged"))?;
        review::QUEUE.put(&mut batch, id, Some(&reopened))?;
        batch.write()?;
        return Ok(Vec::new());
    }
    let last = match load(store, id) {
        Err(Error::Record { .. }) => {
            QUEUE.drop(store, id)?;
            return Err(refused("what was judged cannot be read, and was dropped"));
        }
        last => last?,
    };
    let Judged { written, review, before } =
        last.ok_or_else(|| refused("nothing of it was judged, or a later reading of the page settled it"))?;
    let stored = store.load(id)?.filter(|stored| stored.hash == written);
    let stored = stored.ok_or_else(|| {
        refused("the record has been written since; its history says what it was, and a refresh brings what the page says")
    })?;
    let reopened = reopened(review, person).ok_or_else(|| refused("nothing of it was judged"))?;
    let why = format!("taken back by {}: {}", person.by, person.why);
    let changes = commit::revert(store, &mut batch, stored, before.as_ref(), &why, run)?;
    review::QUEUE.put(&mut batch, id, Some(&reopened))?;
    QUEUE.put::<()>(&mut batch, id, None)?;
    batch.write()?;
    Ok(changes)
}

/// A review without its last verdict, which it remembers; none where there is no verdict.
fn reopened(mut review: Review, person: &Person) -> Option<Review> {
    let rejected = review.rejected.take();
    let mut accepted = Vec::new();
    if rejected.is_none() {
        let last = review.missing.iter().filter_map(|one| Some(one.accepted.as_ref()?.person.at)).max();
        for missing in &mut review.missing {
            let is_last = |accepted: &mut Accepted| Some(accepted.person.at) == last;
            let taken = missing.accepted.take_if(is_last);
            accepted.extend(taken.map(|accepted| AcceptedField { field: missing.field.clone(), accepted }));
        }
    }
    if rejected.is_none() && accepted.is_empty() {
        return None;
    }
    review.review = ReviewState::Needed;
    review.taken_back.push(TakenBack { person: person.clone(), rejected, accepted });
    Some(review)
}
