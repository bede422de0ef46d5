//! The report on a component: rates with intervals against the thresholds of evaluation strategy, section 2; rates per
//! tier; and every failure.

use std::borrow::Cow;
use std::collections::BTreeSet;

use serde::Serialize;
use serde_json::Value;

use super::scorer::{FieldDetails, FieldMiss};
use super::{Component, Tier};
use crate::stats::{Limit, Proportion, TargetOutcome, wilson};
use crate::suite;

/// A rate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ComponentMetric {
    /// The name of the rate.
    pub name: String,
    /// The rate with its interval; absent when no case counts.
    pub result: Option<Proportion>,
    /// The minimum target, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// Whether the interval meets the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TargetOutcome>,
}

/// The rates of one tier of id resolution.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// The tier's rates.
    pub metrics: Vec<ComponentMetric>,
}

/// A case with a wrong or missing answer.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CaseFailure {
    /// The case's id.
    pub id: String,
    /// The question.
    pub question: String,
    /// The tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The wrong fields.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<FieldMiss>,
}

/// The result of one component.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ComponentReport {
    /// The component.
    pub component: Component,
    /// Number of cases.
    pub n: u64,
    /// Cases without an answer. They count as wrong (decision 17).
    pub without_answer: u64,
    /// The rates, those with a threshold first.
    pub metrics: Vec<ComponentMetric>,
    /// Rates per tier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierReport>,
    /// The failed cases, in file order.
    pub failures: Vec<CaseFailure>,
}

impl ComponentReport {
    /// Whether the component missed a threshold.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        self.metrics.iter().any(|metric| metric.outcome == Some(TargetOutcome::Missed))
    }
}

/// A component case with its result.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnsweredCase<'a> {
    /// The case.
    pub case: &'a suite::SuiteCase,
    /// The scorer's result, or why there is no answer.
    pub found: Result<&'a FieldDetails, &'a str>,
}

/// An [`AnsweredCase`] with field details, even when the answer is missing.
struct Scored<'a> {
    one: AnsweredCase<'a>,
    tier: Option<Tier>,
    details: Cow<'a, FieldDetails>,
}

impl<'a> Scored<'a> {
    fn new(component: Component, one: AnsweredCase<'a>) -> Self {
        let cluster = one.case.cluster.as_deref();
        let tier = Tier::ALL.iter().copied().find(|tier| Some(tier.name()) == cluster);
        let expected = one.case.expected_output.as_ref();
        let unanswered =
            || expected.map(|expected| component.score_fields(expected, None)).unwrap_or_default();
        let details = one.found.map_or_else(|_| Cow::Owned(unanswered()), Cow::Borrowed);
        Self { one, tier, details }
    }

    fn field(&self, name: &str) -> Option<bool> {
        self.details.fields.get(name).copied()
    }

    fn expects(&self, name: &str) -> Option<&Value> {
        self.one.case.expected_output.as_ref()?.get(name).filter(|value| !value.is_null())
    }

    /// Whether the country or product is right: by its code if the case states one, else by its name.
    fn entity_is_right(&self, code: &str, name: &str) -> Option<bool> {
        let decisive = if self.expects(code).is_some() || self.expects(name).is_none() { code } else { name };
        self.field(decisive).or_else(|| self.field(name))
    }

    fn is_right(&self) -> bool {
        self.one.found.is_ok() && self.details.misses.is_empty()
    }

    fn expects_rejection(&self) -> bool {
        self.expects("query_type").and_then(Value::as_str) == Some(REJECT)
    }

    /// Whether the component rejected the question, rightly or wrongly.
    fn rejects(&self) -> bool {
        if self.expects_rejection() {
            return self.field("query_type") == Some(true);
        }
        let miss = self.details.misses.iter().find(|miss| miss.field == "query_type");
        let kind = Component::Classification.fields().find(|field| field.name == "query_type");
        kind.zip(miss).is_some_and(|(kind, miss)| kind.is_right(&Value::from(REJECT), &miss.answered))
    }
}

/// The query type of rejected questions.
const REJECT: &str = "reject";

/// Reports on a component's answers.
#[must_use]
pub fn report(component: Component, cases: &[AnsweredCase<'_>]) -> ComponentReport {
    let scored: Vec<Scored<'_>> = cases.iter().map(|one| Scored::new(component, *one)).collect();
    let tiers = Tier::ALL.iter().copied().filter_map(|tier| {
        let of_tier: Vec<&Scored<'_>> = scored.iter().filter(|one| one.tier == Some(tier)).collect();
        // Thresholds apply to the whole set only.
        let metrics = metrics(component, &of_tier).into_iter();
        let metrics =
            metrics.map(|metric| ComponentMetric { target: None, outcome: None, ..metric }).collect();
        (!of_tier.is_empty()).then_some(TierReport { tier, metrics })
    });
    let failures = scored.iter().filter(|one| !one.is_right()).map(|one| CaseFailure {
        id: one.one.case.name.clone(),
        question: one.one.case.input.query.clone(),
        tier: one.tier,
        error: one.one.found.err().map(str::to_owned),
        misses: one.details.misses.clone(),
    });
    ComponentReport {
        component,
        n: cases.len() as u64,
        without_answer: cases.iter().filter(|one| one.found.is_err()).count() as u64,
        metrics: metrics(component, &scored.iter().collect::<Vec<_>>()),
        tiers: tiers.collect(),
        failures: failures.collect(),
    }
}

/// The rates of these cases, with the thresholds of section 2, tier 2. A rate equal to its threshold meets it.
fn metrics(component: Component, scored: &[&Scored<'_>]) -> Vec<ComponentMetric> {
    let of_field = |name: &str, scored: &[&Scored<'_>]| rate(scored.iter().filter_map(|one| one.field(name)));
    let decided =
        |code: &str, name: &str| rate(scored.iter().filter_map(|one| one.entity_is_right(code, name)));
    let mut all = match component {
        Component::Classification => {
            let rejected = scored.iter().filter(|one| one.rejects()).map(|one| one.expects_rejection());
            let to_reject = scored.iter().filter(|one| one.expects_rejection()).map(|one| one.rejects());
            vec![
                with_target("accuracy", of_field("query_type", scored), 0.90),
                with_target("rejection precision", rate(rejected), 0.85),
                with_target("rejection recall", rate(to_reject), 0.80),
            ]
        }
        Component::Extraction => vec![
            with_target("country accuracy", decided("country_code", "country"), 0.90),
            with_target("product accuracy", decided("product_code", "product"), 0.85),
        ],
        Component::IdResolution => vec![
            with_target("country accuracy", of_field("country_id", scored), 0.95),
            with_target("product accuracy", of_field("product_id", scored), 0.90),
        ],
    };
    let known: Vec<&str> = component.fields().map(|field| field.name).collect();
    let stated: BTreeSet<&str> =
        scored.iter().flat_map(|one| one.details.fields.keys()).map(String::as_str).collect();
    let unknown = stated.iter().filter(|name| !known.contains(name));
    // These fields are already reported above under another name.
    let counted = ["query_type", "country_id", "product_id"];
    let single = known.iter().filter(|name| stated.contains(*name) && !counted.contains(name)).chain(unknown);
    all.extend(single.map(|name| plain(name, of_field(name, scored))));
    all.push(plain("all fields right", rate(scored.iter().map(|one| one.is_right()))));
    all
}

fn rate(right: impl Iterator<Item = bool>) -> Option<Proportion> {
    let (mut n, mut successes) = (0, 0);
    for is_right in right {
        n += 1;
        successes += u64::from(is_right);
    }
    wilson(successes, n)
}

fn plain(name: &str, result: Option<Proportion>) -> ComponentMetric {
    ComponentMetric { name: name.to_owned(), result, target: None, outcome: None }
}

fn with_target(name: &str, result: Option<Proportion>, target: f64) -> ComponentMetric {
    let outcome = Limit::AtLeast(target).outcome(result.map(|result| result.interval));
    ComponentMetric { target: Some(target), outcome: Some(outcome), ..plain(name, result) }
}
