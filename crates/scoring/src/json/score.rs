//! Scores two objects in the phases of the metrics plan: classifies the keys, then computes completeness, hallucination,
//! accuracy and the response quality score.

use std::borrow::Cow;

use schemars::JsonSchema;
use serde::Serialize;

use super::document::{Json, Object};
use super::field::{FieldOutcome, FieldScore, Similarities, judge_field};
use super::kind::is_null;
use super::nested::flatten;
use super::strategy::{JsonConfig, Strategy, Weights};
use crate::score::Score;
use atlas_gt_core::words::count;

/// The number of keys in each bucket and of fields with each outcome.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Counts {
    /// Distinct keys over both sides.
    pub total_distinct: u64,
    /// Keys with a value in the truth.
    pub gt_non_null: u64,
    /// Keys with a value in both.
    pub both_non_null: u64,
    /// Keys with a value only in the truth.
    pub aio_missing_or_null: u64,
    /// Keys that only the answer has.
    pub extra_keys: u64,
    /// Keys that are null in the truth and have a value in the answer.
    pub gt_null_aio_has_value: u64,
    /// Fields that scored 1.
    pub matched: u64,
    /// Fields that scored 0.
    pub mismatched: u64,
    /// Fields that IGNORE excludes.
    pub ignored: u64,
    /// Fields that could not be judged.
    pub unscored: u64,
    /// Fields whose outcome a judge may still change.
    pub provisional: u64,
}

/// The measures of the metrics plan.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, JsonSchema)]
pub struct Measures {
    /// Phase 1: the share of the truth's values that the answer fills.
    pub completeness: f64,
    /// Phase 2: the share of keys that the answer should not have filled.
    pub hallucination: f64,
    /// Phase 3: the share of judged fields that match. Absent if there are fields but none could be judged.
    pub accuracy: Option<f64>,
    /// The given safety score; 1.0 if not judged.
    pub safety_score: f64,
    /// Whether safety was judged.
    pub safety_judged: bool,
    /// Phase 4: the response quality score. Absent if accuracy is absent.
    pub rqs: Option<f64>,
    /// The highest score these weights allow.
    pub rqs_max: f64,
    /// `rqs / rqs_max`.
    pub rqs_of_max: Option<f64>,
}

/// The details behind the score of an object.
#[derive(Debug, Clone, PartialEq, Serialize, JsonSchema)]
pub struct JsonDetails<'a> {
    /// The measures.
    #[serde(flatten)]
    pub measures: Measures,
    /// The counts behind the measures.
    pub counts: Counts,
    /// The keys by bucket, in the order of the truth, then of the answer.
    pub buckets: Buckets<'a>,
    /// The breakdown of the fields that both sides fill.
    pub fields: Vec<FieldScore<'a>>,
}

/// Keys by bucket (metrics plan, phase 0).
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Buckets<'a> {
    /// Keys in the answer but not in the truth.
    pub extra_keys: Vec<Cow<'a, str>>,
    /// Keys that are null in the truth and have a value in the answer.
    pub gt_null_aio_has_value: Vec<Cow<'a, str>>,
    /// Keys with a value in the truth.
    pub gt_non_null: Vec<Cow<'a, str>>,
    /// Keys with a value in the truth that are missing or null in the answer.
    pub aio_missing_or_null: Vec<Cow<'a, str>>,
    /// Keys with a value in both.
    pub both_non_null: Vec<Cow<'a, str>>,
}

impl Counts {
    /// Counts a judged field.
    fn count_outcome(&mut self, outcome: FieldOutcome, provisional: bool) {
        *match outcome {
            FieldOutcome::Match => &mut self.matched,
            FieldOutcome::Mismatch => &mut self.mismatched,
            FieldOutcome::Ignored => &mut self.ignored,
            FieldOutcome::Unscored => &mut self.unscored,
        } += 1;
        self.provisional += u64::from(provisional);
    }

    /// Adds the counts of another object, for batch totals.
    pub(crate) const fn absorb(&mut self, other: &Self) {
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

    /// The measures (metrics plan, phases 1 to 4). `missing` counts the keys of `aio_missing_or_null` that IGNORE does not
    /// exclude. An answer that gives none of the expected values has accuracy and quality 0; the plan would give it accuracy 1,
    /// as for a truth that expects nothing (decision 37).
    #[must_use]
    pub fn measures(&self, missing: u64, weights: Weights, safety: Option<f64>) -> Measures {
        let is_unanswered = missing > 0 && self.matched + self.mismatched + self.unscored == 0;
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
            (0, 0) if is_unanswered => Some(0.0),
            (0, 0) => Some(1.0),
            (0, _) => None,
            (scored, _) => Some(share(self.matched, scored)),
        };
        let safety_score = safety.unwrap_or(1.0);
        let rqs = accuracy.map(|accuracy| {
            if is_unanswered {
                return 0.0;
            }
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

/// Scores an answer against the truth. The value is the RQS as a share of the attainable maximum. If any field could not be
/// judged, the answer is unscored (decision 6); the metadata still holds the measures over the judged fields.
#[must_use]
pub fn score<'a>(
    truth: Object<'a>,
    answer: Object<'a>,
    config: &JsonConfig,
    given: &Similarities,
) -> Score<JsonDetails<'a>> {
    scored(truth, answer, config, given, true)
}

/// Like [`score`]. Without `breakdown`, reasons, buckets and fields stay empty.
pub(super) fn scored<'a>(
    truth: Object<'a>,
    answer: Object<'a>,
    config: &JsonConfig,
    given: &Similarities,
    breakdown: bool,
) -> Score<JsonDetails<'a>> {
    let (truth, answer) = if config.nested { (flatten(truth), flatten(answer)) } else { (truth, answer) };
    let mut tally = Tally::new(config, given, breakdown.then_some(truth.len()));
    let (mut shared, mut next) = (0, 0);
    for (key, value) in &truth {
        // Most answers keep the order of the truth.
        let here = answer.get_index(next).filter(|(found, _)| *found == key).map(|(_, found)| (next, found));
        let found = here.or_else(|| answer.get_full(key).map(|(at, _, found)| (at, found)));
        next = found.map_or(next, |(at, _)| at + 1);
        shared += usize::from(found.is_some());
        tally.expected((key, value), found.map(|(_, found)| found).filter(|found| !is_null(found)));
    }
    if shared < answer.len() {
        answer.iter().filter(|(key, _)| !truth.contains_key(*key)).for_each(|entry| tally.extra(entry));
    }
    tally.score()
}

/// An entry of an object.
type Entry<'a, 'o> = (&'o Cow<'a, str>, &'o Json<'a>);

/// Counts two objects key by key.
struct Tally<'a, 'c> {
    config: &'c JsonConfig,
    given: &'c Similarities,
    /// Whether to keep buckets and fields.
    breakdown: bool,
    counts: Counts,
    /// Keys that the answer lacks, except those that IGNORE excludes.
    missing: u64,
    buckets: Buckets<'a>,
    fields: Vec<FieldScore<'a>>,
}

impl<'a, 'c> Tally<'a, 'c> {
    /// `breakdown` is the number of the truth's keys, if a breakdown is requested.
    fn new(config: &'c JsonConfig, given: &'c Similarities, breakdown: Option<usize>) -> Self {
        let keys = breakdown.unwrap_or(0);
        let buckets = Buckets {
            gt_non_null: Vec::with_capacity(keys),
            both_non_null: Vec::with_capacity(keys),
            ..Buckets::default()
        };
        let fields = Vec::with_capacity(keys);
        let breakdown = breakdown.is_some();
        Self { config, given, breakdown, counts: Counts::default(), missing: 0, buckets, fields }
    }

    /// Counts a key of the truth with the answer's value, if that is not null.
    fn expected(&mut self, (key, value): Entry<'a, '_>, found: Option<&Json<'a>>) {
        self.counts.total_distinct += 1;
        match (is_null(value), found) {
            (true, None) => {}
            (true, Some(_)) => {
                self.counts.gt_null_aio_has_value += 1;
                self.note(|buckets| buckets.gt_null_aio_has_value.push(key.clone()));
            }
            (false, None) => {
                self.counts.gt_non_null += 1;
                self.counts.aio_missing_or_null += 1;
                let strategy = self.config.strategies.get(&**key).map(|rule| rule.strategy);
                self.missing += u64::from(strategy != Some(Strategy::Ignore));
                self.note(|buckets| buckets.gt_non_null.push(key.clone()));
                self.note(|buckets| buckets.aio_missing_or_null.push(key.clone()));
            }
            (false, Some(found)) => {
                self.counts.gt_non_null += 1;
                self.counts.both_non_null += 1;
                self.note(|buckets| buckets.gt_non_null.push(key.clone()));
                self.note(|buckets| buckets.both_non_null.push(key.clone()));
                let judged = judge_field(key, value, found, self.config, self.given);
                let is_provisional = judged.similarity.as_ref().is_some_and(|s| s.provisional);
                self.counts.count_outcome(judged.outcome, is_provisional);
                if self.breakdown {
                    self.fields.push(judged.explain(key, value, found, self.config));
                }
            }
        }
    }

    /// Counts a key that only the answer has.
    fn extra(&mut self, (key, _): Entry<'a, '_>) {
        self.counts.total_distinct += 1;
        self.counts.extra_keys += 1;
        self.note(|buckets| buckets.extra_keys.push(key.clone()));
    }

    fn note(&mut self, keep: impl FnOnce(&mut Buckets<'a>)) {
        if self.breakdown {
            keep(&mut self.buckets);
        }
    }

    fn score(self) -> Score<JsonDetails<'a>> {
        let counts = self.counts;
        let measures = counts.measures(self.missing, self.config.weights, self.config.safety);
        let reason = if self.breakdown { self.reason(&measures) } else { String::new() };
        let value = measures.rqs_of_max.filter(|_| counts.unscored == 0);
        let details = JsonDetails { measures, counts, buckets: self.buckets, fields: self.fields };
        let mut score = Score::new(value, reason, details);
        if counts.unscored > 0 && self.breakdown {
            score.reasons.push(format!("{} could not be judged", count(counts.unscored, "field")));
        }
        score
    }

    fn reason(&self, measures: &Measures) -> String {
        let counts = &self.counts;
        match (measures.rqs, measures.accuracy) {
            (Some(0.0), Some(0.0)) if self.missing > 0 && counts.matched + counts.mismatched == 0 => {
                format!("the answer gives none of the {} expected values", counts.gt_non_null)
            }
            (Some(rqs), Some(accuracy)) => format!(
                "RQS {rqs:.4} of {:.2}: accuracy {accuracy:.3}, completeness {:.3}, hallucination {:.3}",
                measures.rqs_max, measures.completeness, measures.hallucination
            ),
            _ => "no field could be judged".to_owned(),
        }
    }
}
