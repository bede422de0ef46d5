//! The classification set: questions with the type of query that an agent should take them for (evaluation strategy,
//! phase 1). Only questions whose type nobody doubts are taken.

use std::collections::BTreeMap;

use jiff::Timestamp;
use serde::Serialize;

use super::Annotations;
use crate::atlas::{Api, country_name, query_types};
use crate::manifest::{Manifest, ManifestQuestion};
use atlas_gt_core::sample::{Draw, SampleCandidate, sample};

/// Questions to decline, for each question of another type that is wanted.
const REJECTED: usize = 4;

/// One question of the set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
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
            set.missing.insert(kind.name, (candidates.len(), wanted));
        }
        let draw = Draw { fraction: 0.0, least: wanted, seed, since: Timestamp::MAX };
        for (id, _) in sample(&candidates, &draw) {
            let Some(question) = questions.iter().find(|one| *one.id == id) else { continue };
            // questions to decline name nothing that must be found
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
                notes: format!("extracted from Q{id}"),
            });
        }
    }
    set
}
