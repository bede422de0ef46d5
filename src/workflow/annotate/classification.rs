//! The classification set: questions with the type of query that an agent should take them for (evaluation strategy,
//! phase 1). Only questions whose type nobody doubts are taken.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::Annotations;
use crate::atlas::{Api, CountryId, by_id, query_types};
use crate::manifest::{Manifest, QuestionId};
use crate::value::Context;
use crate::workflow::sample::{Candidate, Draw, sample};

/// Questions to decline, for each question of another type that is wanted.
const REJECTED: usize = 4;

/// One question of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassificationCase {
    /// Its name in the set: `cls_001`.
    pub id: String,
    /// The question as the agent is asked it.
    pub question: String,
    /// The type that it should be taken for.
    pub expected_query_type: &'static str,
    /// The API that should answer: `country_pages`, `explore`; none for what is declined.
    pub expected_api_target: Option<&'static str>,
    /// The country that it is about, by its name.
    pub expected_country: Option<&'static str>,
    /// The product that it is about, by its code.
    pub expected_product: Option<String>,
    /// How the case was made.
    pub source_method: &'static str,
    /// Of which question.
    pub notes: String,
}

/// A set, and the types that it has fewer questions of than wanted.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ClassificationSet {
    /// In order of types and questions.
    pub cases: Vec<ClassificationCase>,
    /// Types with too few questions: how many there are and how many are wanted.
    pub missing: BTreeMap<&'static str, (usize, usize)>,
}

/// A set of so many questions a type, four times as many for those to decline. The seed draws them, spread over countries and
/// categories.
#[must_use]
pub fn classification_set(
    manifest: &Manifest,
    annotations: &Annotations,
    per_type: usize,
    seed: u64,
) -> ClassificationSet {
    let none = Context::default();
    let entries = manifest.entries.iter().map(|entry| {
        (&entry.question_id, entry.question_text.as_deref(), entry.category.as_deref(), &entry.context)
    });
    let behaviors = manifest.behaviors.iter().map(|behavior| {
        (&behavior.question_id, behavior.question_text.as_deref(), behavior.category.as_deref(), &none)
    });
    let questions: BTreeMap<&QuestionId, (&str, &str, &Context)> = entries
        .chain(behaviors)
        .filter_map(|(id, text, category, context)| {
            Some((id, (text?, category.unwrap_or_default(), context)))
        })
        .collect();
    let mut set = ClassificationSet { cases: Vec::new(), missing: BTreeMap::new() };
    for kind in query_types() {
        let of_type = questions.iter().filter(|(id, _)| annotations.sure_query_type(id) == Some(kind.name));
        let candidates: Vec<Candidate> = of_type
            .map(|(id, (_, category, context))| Candidate {
                question_id: (*id).clone(),
                page_kind: (*category).to_owned(),
                country: context.country.clone().unwrap_or_default(),
                last_looked: Timestamp::UNIX_EPOCH,
                changed: None,
            })
            .collect();
        let wanted = if kind.api.is_none() { per_type * REJECTED } else { per_type };
        if candidates.len() < wanted {
            set.missing.insert(kind.name, (candidates.len(), wanted));
        }
        let draw = Draw { fraction: 0.0, least: wanted, seed, since: Timestamp::MAX };
        for (id, _) in sample(&candidates, &draw) {
            let Some((text, _, context)) = questions.get(&id) else { continue };
            // what is declined names nothing that has to be found
            let context = if kind.api.is_none() { &none } else { *context };
            let country = context.country.as_ref().and_then(|code| code.parse::<CountryId>().ok());
            set.cases.push(ClassificationCase {
                id: format!("cls_{:03}", set.cases.len() + 1),
                question: (*text).to_owned(),
                expected_query_type: kind.name,
                expected_api_target: kind.api.map(|api| match api {
                    Api::Explore => "explore",
                    Api::Country => "country_pages",
                }),
                expected_country: country.and_then(by_id).map(|entity| entity.short_name),
                expected_product: context.product.clone(),
                source_method: "extracted_from_eval",
                notes: format!("extracted from Q{id}"),
            });
        }
    }
    set
}
