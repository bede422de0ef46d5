//! The classification set: questions with the query type that an agent should recognize (evaluation
//! strategy, phase 1). Only questions with an undisputed type are included.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::Annotations;
use crate::atlas::{Api, country_name, query_types};
use crate::manifest::{Manifest, ManifestQuestion};
use atlas_gt_core::question_id::question_label;
use atlas_gt_core::sample::{Draw, SampleCandidate, sample};

/// Questions to decline per question of any other type.
const REJECTED: usize = 4;

/// One question of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ClassificationCase {
    /// Its id in the set: `cls_001`.
    pub id: String,
    /// The question text.
    pub question: String,
    /// The expected query type.
    pub expected_query_type: &'static str,
    /// The API that should answer: `country_pages` or `explore`; none for questions to decline.
    pub expected_api_target: Option<&'static str>,
    /// The name of the country in question.
    pub expected_country: Option<&'static str>,
    /// The code of the product in question.
    pub expected_product: Option<String>,
    /// The origin of the case.
    pub source_method: &'static str,
    /// The question that it was taken from.
    pub notes: String,
}

/// A classification set, with the types that have too few questions.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct ClassificationSet {
    /// The cases, ordered by type and question.
    pub cases: Vec<ClassificationCase>,
    /// Types with too few questions.
    pub missing: BTreeMap<&'static str, TypeShortage>,
}

/// How many questions a type has and needs.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct TypeShortage {
    /// The number of available questions.
    pub available: usize,
    /// The number of wanted questions.
    pub wanted: usize,
}

/// Draws a set with this many questions per type, and four times as many to decline. The seed
/// spreads them over countries and categories.
#[must_use]
pub fn classification_set(
    manifest: &Manifest,
    annotations: &Annotations,
    per_type: usize,
    seed: u64,
) -> ClassificationSet {
    let mut questions: Vec<ManifestQuestion<'_>> =
        manifest.questions().filter(|one| one.text().is_some()).collect();
    questions.sort_unstable_by_key(|one| one.id);
    let mut set = ClassificationSet { cases: Vec::new(), missing: BTreeMap::new() };
    for kind in query_types() {
        let of_type = questions.iter().filter(|one| annotations.sure_query_type(one.id) == Some(kind.name));
        let candidates: Vec<SampleCandidate> = of_type
            .map(|one| SampleCandidate {
                question_id: one.id.clone(),
                page_kind: one.info.category.clone().unwrap_or_default(),
                country: one.entry.and_then(|entry| entry.context.country.clone()).unwrap_or_default(),
                last_looked: Timestamp::UNIX_EPOCH,
                changed: None,
            })
            .collect();
        let wanted = if kind.api.is_none() { per_type * REJECTED } else { per_type };
        if candidates.len() < wanted {
            set.missing.insert(kind.name, TypeShortage { available: candidates.len(), wanted });
        }
        let draw = Draw { fraction: 0.0, least: wanted, seed, since: Timestamp::MAX };
        for (id, _) in sample(&candidates, &draw) {
            let Some(question) = questions.iter().find(|one| *one.id == id) else { continue };
            // questions to decline have no entities to find
            let context = question.entry.filter(|_| kind.api.is_some()).map(|entry| &entry.context);
            set.cases.push(ClassificationCase {
                id: format!("cls_{:03}", set.cases.len() + 1),
                question: question.text().unwrap_or_default().to_owned(),
                expected_query_type: kind.name,
                expected_api_target: kind.api.map(|api| match api {
                    Api::Explore => "explore",
                    Api::Country => "country_pages",
                }),
                expected_country: context.and_then(|context| country_name(context.country.as_deref()?)),
                expected_product: context.and_then(|context| context.product.clone()),
                source_method: "extracted_from_eval",
                notes: format!("extracted from {question}", question = question_label(id)),
            });
        }
    }
    set
}
