//! All records of a store. One that cannot be read is named, and the rest goes on (decision 28).

use serde::Serialize;

use crate::error::Result;
use crate::manifest::QuestionId;
use crate::truth::checks::integer_or_text;
use crate::truth::{Store, Stored};

/// A record that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Unreadable {
    /// The question.
    #[serde(serialize_with = "integer_or_text")]
    pub question_id: QuestionId,
    /// The file, what is wrong in it, and what to do.
    pub reason: String,
}

/// The records of a store in order of their questions, and those that cannot be read.
///
/// # Errors
/// The store's folder cannot be read.
pub(super) fn readable(store: &Store) -> Result<(Vec<Stored>, Vec<Unreadable>)> {
    let (mut records, mut unreadable) = (Vec::new(), Vec::new());
    for id in store.question_ids()? {
        match store.load(&id) {
            Ok(stored) => records.extend(stored),
            Err(error) => unreadable.push(Unreadable { question_id: id, reason: error.to_string() }),
        }
    }
    Ok((records, unreadable))
}
