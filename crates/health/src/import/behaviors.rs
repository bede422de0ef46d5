//! Imports expected behaviors, for questions without a value. They are stored beside the records,
//! in manifest format.

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use crate::error::{Error, Result};
use crate::external::{ForeignRecord, ListedQuestion};
use crate::manifest::{Behavior, Details, PointCatalog, QuestionId, QuestionInfo, Reference, load};
use crate::truth::{EXPECTED_BEHAVIOR as FILE, Store};
use crate::value::Context;
use atlas_gt_core::json::pretty;

/// The expected behavior stated by a record or its question.
pub(super) fn behavior(
    id: &QuestionId,
    record: Option<&ForeignRecord>,
    question: Option<&ListedQuestion>,
) -> Option<Behavior> {
    let of_record = record.and_then(|record| record.behavior.clone());
    let expected_behavior = of_record.or_else(|| question?.behavior.clone())?;
    let tool =
        record.and_then(|record| record.expected_tool.clone()).or_else(|| question?.expected_tool.clone());
    let category_name = question.and_then(|question| question.details.category_name.clone());
    let query = record.and_then(|record| record.expected_query_type.clone());
    Some(Behavior {
        question_id: id.clone(),
        info: QuestionInfo {
            expected_tool: tool.as_deref().and_then(word),
            expected_query_type: query
                .or_else(|| question?.expected_query_type.clone())
                .filter(|name| crate::atlas::query_type(name).is_some()),
            ..info(question)
        },
        expected_behavior: Some(expected_behavior),
        source: None,
        atlas_url: None,
        context: Context::default(),
        details: Details { category_name, ..Details::default() },
    })
}

/// The annotations of a question from its list.
fn info(question: Option<&ListedQuestion>) -> QuestionInfo {
    let Some(question) = question else { return QuestionInfo::default() };
    QuestionInfo {
        question_text: Some(question.text.clone()),
        category: question.category.clone(),
        difficulty: question.difficulty.as_deref().and_then(word),
        ..QuestionInfo::default()
    }
}

/// Adds references from papers and web pages to a question.
pub(super) fn refer(
    all: &mut Vec<Behavior>,
    id: &QuestionId,
    question: Option<&ListedQuestion>,
    reference: Reference,
) {
    let slot = match all.iter_mut().find(|known| known.question_id == *id) {
        Some(known) => known,
        None => {
            all.push(Behavior {
                question_id: id.clone(),
                info: info(question),
                expected_behavior: None,
                source: question.and_then(|question| question.source.clone()),
                atlas_url: None,
                context: Context::default(),
                details: Details::default(),
            });
            let last = all.len() - 1;
            &mut all[last]
        }
    };
    slot.details.reference = Some(reference);
}

/// A word of the manifest format; none if the format has no such word.
pub(super) fn word<T: serde::de::DeserializeOwned>(text: &str) -> Option<T> {
    serde_json::from_value(Json::String(text.trim().to_lowercase())).ok()
}

/// The behaviors that the store lacks, and those that differ and stay unchanged.
#[derive(Debug, Clone, Default)]
pub(super) struct Merged {
    all: BTreeMap<QuestionId, Behavior>,
    /// The number of new behaviors.
    pub added: usize,
    /// Questions with another behavior in the store.
    pub differing: Vec<QuestionId>,
}

/// Reads the store's behaviors, and merges new ones into them.
///
/// # Errors
/// The file is not a manifest, or was changed after the import.
pub(super) fn merge(store: &Store, new: Vec<Behavior>, catalog: &dyn PointCatalog) -> Result<Merged> {
    let path = store.dir().join(FILE);
    let mut merged = Merged::default();
    if store.beside(FILE)? {
        let known = load(&path, catalog).map_err(|found| {
            let first = found.first().map(ToString::to_string).unwrap_or_default();
            Error::Usage(format!("{first}; restore {} from version control, or move it away", path.display()))
        })?;
        merged.all = known.behaviors.into_iter().map(|one| (one.question_id.clone(), one)).collect();
    }
    for one in new {
        match merged.all.get(&one.question_id) {
            None => {
                merged.added += 1;
                merged.all.insert(one.question_id.clone(), one);
            }
            Some(known)
                if known.expected_behavior == one.expected_behavior
                    && known.details.reference == one.details.reference => {}
            Some(_) => merged.differing.push(one.question_id),
        }
    }
    Ok(merged)
}

impl Merged {
    /// Writes the file, if it has new behaviors.
    ///
    /// # Errors
    /// It cannot be written.
    pub fn write(&self, store: &Store) -> Result<()> {
        if self.added == 0 {
            return Ok(());
        }
        let questions: Vec<Json> = self.all.values().map(entry).collect();
        let file = json!({
            "description": "Expected behaviors of questions without a value, as imported",
            "questions": questions,
        });
        store.keep_beside(FILE, pretty(&file)?)
    }
}

/// A behavior in manifest format, without unknown parts.
fn entry(behavior: &Behavior) -> Json {
    let Ok(Json::Object(all)) = serde_json::to_value(behavior) else { return Json::Null };
    Json::Object(all.into_iter().filter(|(_, value)| !value.is_null()).collect::<Map<_, _>>())
}
