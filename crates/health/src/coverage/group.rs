//! Questions with their truth, and the groups that count them.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::manifest::{Difficulty, ManifestQuestion};
use crate::truth::{Pipeline, SourceMethod, Stored, Strength, may_score};

/// The minimum number of questions per category.
pub(crate) const CATEGORY_LEAST: usize = 3;

/// Questions with a common property, and their truth.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct CoverageGroup {
    /// The common property; none if the manifest does not state it.
    pub name: Option<String>,
    /// The number of questions.
    pub questions: usize,
    /// Among them, those with an expected behavior, which need no truth.
    pub expected_behavior: usize,
    /// Those with a record.
    pub with_record: usize,
    /// Those with truth: a value that may score some pipeline.
    pub with_truth: usize,
    /// Those with truth read in a browser, by source method.
    pub browser: usize,
    /// Records by source method.
    pub methods: BTreeMap<SourceMethod, usize>,
    /// Records by the trust level of their weakest value.
    pub trust: BTreeMap<Strength, usize>,
    /// Questions by difficulty.
    pub difficulty: BTreeMap<Difficulty, usize>,
}

impl CoverageGroup {
    /// Those that a page or a query can answer.
    #[must_use]
    pub const fn expecting_truth(&self) -> usize {
        self.questions - self.expected_behavior
    }

    pub(super) fn add(&mut self, question: &Covered<'_>) {
        self.questions += 1;
        self.expected_behavior += usize::from(question.is_expected);
        if let Some(difficulty) = question.asked.info.difficulty {
            *self.difficulty.entry(difficulty).or_default() += 1;
        }
        let Some(truth) = &question.truth else {
            // the question's own reference scores its answers
            let reference = question.asked.details.reference.as_ref();
            self.with_truth += usize::from(reference.is_some_and(|reference| !reference.values.is_empty()));
            return;
        };
        self.with_record += 1;
        self.with_truth += usize::from(truth.scores);
        self.browser += usize::from(truth.scores && truth.is_browser());
        *self.methods.entry(truth.method).or_default() += 1;
        *self.trust.entry(truth.strength).or_default() += 1;
    }
}

/// A question of the manifest, with its truth.
pub(super) struct Covered<'a> {
    pub asked: ManifestQuestion<'a>,
    /// Whether a right answer shows a behavior or agrees with quotes, instead of giving a value.
    pub is_expected: bool,
    pub truth: Option<Truth>,
}

pub(super) struct Truth {
    pub method: SourceMethod,
    pub strength: Strength,
    /// Whether one of its values may score some pipeline.
    pub scores: bool,
}

impl Truth {
    pub(super) fn of(stored: &Stored) -> Self {
        let provenance = stored.provenance.as_ref();
        let record = &stored.record;
        let scores = |row| {
            let point = provenance.and_then(|provenance| provenance.of(row));
            Pipeline::ALL.iter().any(|pipeline| may_score(record, point, *pipeline).scores())
        };
        let scores =
            record.results.data.iter().any(|row| !row.is_failed() && !row.is_support() && scores(row));
        Self { method: record.source_method, strength: stored.strength(), scores }
    }

    pub(super) const fn is_browser(&self) -> bool {
        matches!(self.method, SourceMethod::BrowserCountryPage | SourceMethod::BrowserExplorePage)
    }
}
