//! What the answers of a component are worth: rates with intervals against the thresholds of evaluation strategy, section 2, per
//! tier, and every failure.

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
    /// What is counted.
    pub name: String,
    /// The rate with its interval; nothing where no case is counted.
    pub result: Option<Proportion>,
    /// What it should reach at least, 0 to 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<f64>,
    /// Whether its whole interval does.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<TargetOutcome>,
}

/// The rates of one tier of id resolution.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct TierReport {
    /// The tier.
    pub tier: Tier,
    /// Its rates.
    pub metrics: Vec<ComponentMetric>,
}

/// A case that was not answered right.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct CaseFailure {
    /// The case.
    pub id: String,
    /// Its question.
    pub question: String,
    /// Its tier.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tier: Option<Tier>,
    /// Why there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<String>,
    /// The fields that are wrong.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub misses: Vec<FieldMiss>,
}

/// The result of one component.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct ComponentReport {
    /// The component.
    pub component: Component,
    /// Cases.
    pub n: u64,
    /// Cases without an answer. They count as wrong (decision 17).
    pub without_answer: u64,
    /// Rates: those with a threshold first.
    pub metrics: Vec<ComponentMetric>,
    /// Rates per tier.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub tiers: Vec<TierReport>,
    /// Cases that were not answered right, in the order of the file.
    pub failures: Vec<CaseFailure>,
}

impl ComponentReport {
    /// Whether a threshold is missed.
    #[must_use]
    pub fn is_missed(&self) -> bool {
        self.metrics.iter().any(|metric| metric.outcome == Some(TargetOutcome::Missed))
    }
}

/// A case of a component as it was answered.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct AnsweredCase<'a> {
    /// The case.
    pub case: &'a suite::SuiteCase,
    /// What its scorer found, or why there is no answer.
    pub found: Result<&'a FieldDetails, &'a str>,
}

/// The same, with the fields of an answer that never came.
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

    /// The field that decides on a country or product: its code, where the case states one, else its name.
    fn decides(&self, code: &str, name: &str) -> Option<bool> {
        let decisive = if self.expects(code).is_some() || self.expects(name).is_none() { code } else { name };
        self.field(decisive).or_else(|| self.field(name))
    }

    fn is_right(&self) -> bool {
        self.one.found.is_ok() && self.details.misses.is_empty()
    }

    fn expects_rejection(&self) -> bool {
        self.expects("query_type").and_then(Value::as_str) == Some(REJECT)
    }

    /// Whether the question was rejected: rightly, or in place of an answer.
    fn rejects(&self) -> bool {
        if self.expects_rejection() {
            return self.field("query_type") == Some(true);
        }
        let miss = self.details.misses.iter().find(|miss| miss.field == "query_type");
        let kind = Component::Classification.fields().find(|field| field.name == "query_type");
        kind.zip(miss).is_some_and(|(kind, miss)| kind.is_right(&Value::from(REJECT), &miss.answered))
    }
}

/// The query type of a question that is rejected.
const REJECT: &str = "reject";

/// What a component's answers come to.
#[must_use]
pub fn report(component: Component, cases: &[AnsweredCase<'_>]) -> ComponentReport {
    let scored: Vec<Scored<'_>> = cases.iter().map(|one| Scored::new(component, *one)).collect();
    let tiers = Tier::ALL.iter().copied().filter_map(|tier| {
        let of_tier: Vec<&Scored<'_>> = scored.iter().filter(|one| one.tier == Some(tier)).collect();
        // a threshold is one of the whole set
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

/// The rates of some cases; thresholds of section 2, tier 2, lower edge included.
fn metrics(component: Component, scored: &[&Scored<'_>]) -> Vec<ComponentMetric> {
    let of_field = |name: &str, scored: &[&Scored<'_>]| rate(scored.iter().filter_map(|one| one.field(name)));
    let decided = |code: &str, name: &str| rate(scored.iter().filter_map(|one| one.decides(code, name)));
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
    let own = stated.iter().filter(|name| !known.contains(name));
    // what stands above by another name stands there alone
    let counted = ["query_type", "country_id", "product_id"];
    let single = known.iter().filter(|name| stated.contains(*name) && !counted.contains(name)).chain(own);
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
