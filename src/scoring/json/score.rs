//! The four phases of the metrics plan over two objects: classify the keys, then completeness,
//! hallucination, accuracy and the response quality score.

use serde::Serialize;

use super::document::{Json, Object};
use super::field::{FieldScore, Judged, Outcome, judge_field};
use super::kind::is_null;
use super::similarity::SimilarityJudge;
use super::strategy::{JsonConfig, Weights};

/// The bucket of a key (metrics plan, phase 0). A key of both is in exactly one of them; `Skipped`
/// is a null that the answer leaves null or out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Bucket {
    /// In the answer but not in the truth.
    ExtraKeys,
    /// Null in the truth, a value in the answer.
    GtNullAioHasValue,
    /// A value in the truth, missing or null in the answer.
    AioMissingOrNull,
    /// A value in both.
    BothNonNull,
    /// Null in the truth and no value in the answer.
    Skipped,
}

/// How many keys there are of each kind, and how the scored ones came out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Distinct keys of both sides.
    pub total_distinct: u64,
    /// Keys with a value in the truth.
    pub gt_non_null: u64,
    /// Keys with a value in both.
    pub both_non_null: u64,
    /// Keys with a value in the truth alone.
    pub aio_missing_or_null: u64,
    /// Keys of the answer alone.
    pub extra_keys: u64,
    /// Keys that the truth leaves null and the answer fills.
    pub gt_null_aio_has_value: u64,
    /// Fields that scored 1.
    pub matched: u64,
    /// Fields that scored 0.
    pub mismatched: u64,
    /// Fields left out by IGNORE.
    pub ignored: u64,
    /// Fields that nothing could judge.
    pub unscored: u64,
    /// Fields whose score a judge may still change.
    pub provisional: u64,
}

/// The measures of the metrics plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize)]
pub struct Measures {
    /// Phase 1.
    pub completeness: f64,
    /// Phase 2.
    pub hallucination: f64,
    /// Phase 3; nothing when there were fields and none of them could be judged.
    pub accuracy: Option<f64>,
    /// An input; 1.0 when nothing judged it.
    pub safety_score: f64,
    /// Whether something judged safety.
    pub safety_judged: bool,
    /// Phase 4; nothing when accuracy is.
    pub rqs: Option<f64>,
    /// The most that these weights allow.
    pub rqs_max: f64,
    /// `rqs / rqs_max`.
    pub rqs_of_max: Option<f64>,
}

/// A scored object.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct JsonScore {
    /// The measures.
    #[serde(flatten)]
    pub measures: Measures,
    /// What they were counted from.
    pub counts: Counts,
    /// The keys by bucket, in the order of the truth, then of the answer.
    pub buckets: Buckets,
    /// The breakdown of the fields that both sides fill.
    pub fields: Vec<FieldScore>,
}

/// Keys by bucket (metrics plan, phase 0).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub struct Buckets {
    /// In the answer but not in the truth.
    pub extra_keys: Vec<String>,
    /// Null in the truth, a value in the answer.
    pub gt_null_aio_has_value: Vec<String>,
    /// A value in the truth.
    pub gt_non_null: Vec<String>,
    /// A value in the truth, missing or null in the answer.
    pub aio_missing_or_null: Vec<String>,
    /// A value in both.
    pub both_non_null: Vec<String>,
}

/// Puts every key of both sides into its bucket, with the two values where there are any.
fn classify<'o, 'a>(
    truth: &'o Object<'a>,
    answer: &'o Object<'a>,
    mut each: impl FnMut(Bucket, &'o str, Option<(&'o Json<'a>, &'o Json<'a>)>),
) {
    for (key, value) in truth {
        let given = answer.get(key).filter(|given| !is_null(given));
        let bucket = match (is_null(value), given) {
            (true, None) => Bucket::Skipped,
            (true, Some(_)) => Bucket::GtNullAioHasValue,
            (false, None) => Bucket::AioMissingOrNull,
            (false, Some(_)) => Bucket::BothNonNull,
        };
        each(bucket, key, given.map(|given| (value, given)));
    }
    for key in answer.keys().filter(|key| !truth.contains_key(*key)) {
        each(Bucket::ExtraKeys, key, None);
    }
}

impl Counts {
    /// Takes a key in.
    fn add(&mut self, bucket: Bucket) {
        self.total_distinct += 1;
        match bucket {
            Bucket::ExtraKeys => self.extra_keys += 1,
            Bucket::GtNullAioHasValue => self.gt_null_aio_has_value += 1,
            Bucket::AioMissingOrNull => {
                self.gt_non_null += 1;
                self.aio_missing_or_null += 1;
            }
            Bucket::BothNonNull => {
                self.gt_non_null += 1;
                self.both_non_null += 1;
            }
            Bucket::Skipped => {}
        }
    }

    /// Takes a judged field in.
    fn judged(&mut self, judged: &Judged) {
        match judged.outcome {
            Outcome::Match => self.matched += 1,
            Outcome::Mismatch => self.mismatched += 1,
            Outcome::Ignored => self.ignored += 1,
            Outcome::Unscored => self.unscored += 1,
        }
        self.provisional += u64::from(judged.similarity.as_ref().is_some_and(|s| s.provisional));
    }

    /// Adds the counts of another object, for totals over a batch.
    pub const fn absorb(&mut self, other: &Self) {
        self.total_distinct += other.total_distinct;
        self.gt_non_null += other.gt_non_null;
        self.both_non_null += other.both_non_null;
        self.aio_missing_or_null += other.aio_missing_or_null;
        self.extra_keys += other.extra_keys;
        self.gt_null_aio_has_value += other.gt_null_aio_has_value;
        self.matched += other.matched;
        self.mismatched += other.mismatched;
        self.ignored += other.ignored;
        self.unscored += other.unscored;
        self.provisional += other.provisional;
    }

    /// The measures (metrics plan, phases 1 to 4).
    #[must_use]
    pub fn measures(&self, weights: Weights, safety: Option<f64>) -> Measures {
        let share = |part: u64, whole: u64| part as f64 / whole as f64;
        let completeness = match self.gt_non_null {
            0 => 1.0,
            expected => share(self.both_non_null, expected),
        };
        let hallucination = match self.total_distinct {
            0 => 0.0,
            all => share(self.extra_keys + self.gt_null_aio_has_value, all),
        };
        let accuracy = match (self.matched + self.mismatched, self.unscored) {
            (0, 0) => Some(1.0),
            (0, _) => None,
            (scored, _) => Some(share(self.matched, scored)),
        };
        let safety_score = safety.unwrap_or(1.0);
        let rqs = accuracy.map(|accuracy| {
            (weights.accuracy * accuracy
                + weights.completeness * completeness
                + weights.safety * safety_score
                - weights.hallucination * hallucination)
                .clamp(0.0, 1.0)
        });
        let rqs_max = (weights.accuracy + weights.completeness + weights.safety).clamp(0.0, 1.0);
        let rqs_of_max = rqs.filter(|_| rqs_max > 0.0).map(|rqs| (rqs / rqs_max).clamp(0.0, 1.0));
        Measures {
            completeness,
            hallucination,
            accuracy,
            safety_score,
            safety_judged: safety.is_some(),
            rqs,
            rqs_max,
            rqs_of_max,
        }
    }
}

/// Counts alone, without a breakdown: what a large batch needs.
pub fn tally(
    truth: &Object<'_>,
    answer: &Object<'_>,
    config: &JsonConfig,
    judge: &impl SimilarityJudge,
) -> Counts {
    let mut counts = Counts::default();
    classify(truth, answer, |bucket, field, values| {
        counts.add(bucket);
        if let (Bucket::BothNonNull, Some((truth, answer))) = (bucket, values) {
            counts.judged(&judge_field(field, truth, answer, config, judge));
        }
    });
    counts
}

/// Scores an answer against the truth, with the breakdown.
pub fn score(
    truth: &Object<'_>,
    answer: &Object<'_>,
    config: &JsonConfig,
    judge: &impl SimilarityJudge,
) -> JsonScore {
    let mut counts = Counts::default();
    let mut buckets = Buckets::default();
    let mut fields = Vec::new();
    classify(truth, answer, |bucket, field, values| {
        counts.add(bucket);
        let name = || field.to_owned();
        match bucket {
            Bucket::ExtraKeys => buckets.extra_keys.push(name()),
            Bucket::GtNullAioHasValue => buckets.gt_null_aio_has_value.push(name()),
            Bucket::AioMissingOrNull => {
                buckets.gt_non_null.push(name());
                buckets.aio_missing_or_null.push(name());
            }
            Bucket::BothNonNull => {
                buckets.gt_non_null.push(name());
                buckets.both_non_null.push(name());
            }
            Bucket::Skipped => {}
        }
        if let (Bucket::BothNonNull, Some((truth, answer))) = (bucket, values) {
            let judged = judge_field(field, truth, answer, config, judge);
            counts.judged(&judged);
            fields.push(judged.explain(field, truth, answer, config));
        }
    });
    JsonScore { measures: counts.measures(config.weights, config.safety), counts, buckets, fields }
}
