//! What the answers of a component are worth: rates with intervals against the thresholds of evaluation strategy, section 2, per
//! tier, and every failure.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;
use serde_json::{Map, Value};

use super::{Case, Component, Field, Tier};
use crate::stats::{Limit, Proportion, TargetOutcome, wilson};

/// A rate.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct Metric {
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
    pub metrics: Vec<Metric>,
}

/// A field that was answered wrong.
#[derive(Debug, Clone, PartialEq, Serialize, schemars::JsonSchema)]
pub struct FieldMiss {
    /// The field.
    pub field: String,
    /// What was expected: a value, alternatives, or null for nothing.
    pub expected: Value,
    /// What was answered.
    pub answered: Value,
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
    pub metrics: Vec<Metric>,
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

/// A case with its fields that are scored, each right or wrong.
struct Scored<'a> {
    case: &'a Case,
    answer: &'a Result<Map<String, Value>, String>,
    fields: BTreeMap<&'static str, bool>,
    misses: Vec<FieldMiss>,
}

impl<'a> Scored<'a> {
    fn new(case: &'a Case, answer: &'a Result<Map<String, Value>, String>) -> Self {
        let mut scored = Self { case, answer, fields: BTreeMap::new(), misses: Vec::new() };
        for field in case.component.fields() {
            let Some(expected) = case.expected.get(field.name) else { continue };
            match answer {
                // what need not be answered is no failure of an answer that never came
                Err(_) if !field.is_optional => drop(scored.fields.insert(field.name, false)),
                Ok(answer) if !field.is_optional || answer.contains_key(field.name) => {
                    scored.take(field, expected, answer);
                }
                _ => {}
            }
        }
        scored
    }

    fn take(&mut self, field: &Field, expected: &Value, answer: &Map<String, Value>) {
        let answered = field.answered(answer);
        let is_right = field.is_right(expected, &answered);
        self.fields.insert(field.name, is_right);
        if !is_right {
            self.misses.push(FieldMiss {
                field: field.name.to_owned(),
                expected: expected.clone(),
                answered,
            });
        }
    }

    /// The field that decides on a country or product: its code, where the case states one, else its name.
    fn decides(&self, code: &str, name: &str) -> Option<bool> {
        let states = |field: &str| self.case.expected.get(field).is_some_and(|value| !value.is_null());
        let decisive = if states(code) || !states(name) { code } else { name };
        self.fields.get(decisive).or_else(|| self.fields.get(name)).copied()
    }

    fn is_right(&self) -> bool {
        self.answer.is_ok() && self.misses.is_empty()
    }

    fn expects_rejection(&self) -> bool {
        self.case.expected.get("query_type").and_then(Value::as_str) == Some("reject")
    }

    fn rejects(&self) -> bool {
        let kind = self.case.component.fields().find(|field| field.name == "query_type");
        let answer = self.answer.as_ref().ok();
        kind.zip(answer)
            .is_some_and(|(field, answer)| field.is_right(&Value::from("reject"), &field.answered(answer)))
    }
}

/// Scores a component's answers. A case whose id has none counts as one without an answer.
#[must_use]
pub fn report(
    component: Component,
    cases: &[Case],
    answers: &BTreeMap<String, Result<Map<String, Value>, String>>,
) -> ComponentReport {
    let none = Err("no answer is recorded".to_owned());
    let scored: Vec<Scored<'_>> =
        cases.iter().map(|case| Scored::new(case, answers.get(&case.id).unwrap_or(&none))).collect();
    let tiers: BTreeSet<Tier> = cases.iter().filter_map(|case| case.tier).collect();
    let tiers = tiers.into_iter().map(|tier| {
        let of_tier: Vec<&Scored<'_>> = scored.iter().filter(|one| one.case.tier == Some(tier)).collect();
        // a threshold is one of the whole set
        let metrics = metrics(component, &of_tier);
        TierReport {
            tier,
            metrics: metrics
                .into_iter()
                .map(|metric| Metric { target: None, outcome: None, ..metric })
                .collect(),
        }
    });
    let failures = scored.iter().filter(|one| !one.is_right()).map(|one| CaseFailure {
        id: one.case.id.clone(),
        question: one.case.question.clone(),
        tier: one.case.tier,
        error: one.answer.as_ref().err().cloned(),
        misses: one.misses.clone(),
    });
    ComponentReport {
        component,
        n: cases.len() as u64,
        without_answer: scored.iter().filter(|one| one.answer.is_err()).count() as u64,
        metrics: metrics(component, &scored.iter().collect::<Vec<_>>()),
        tiers: tiers.collect(),
        failures: failures.collect(),
    }
}

/// The rates of some cases; thresholds of section 2, tier 2, lower edge included.
fn metrics(component: Component, scored: &[&Scored<'_>]) -> Vec<Metric> {
    let of_field = |name: &str, scored: &[&Scored<'_>]| {
        rate(scored.iter().filter_map(|one| one.fields.get(name).copied()))
    };
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
    let single = component
        .fields()
        .filter(|field| !matches!((component, field.name), (Component::IdResolution, _) | (_, "query_type")));
    all.extend(single.map(|field| plain(field.name, of_field(field.name, scored))));
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

fn plain(name: &str, result: Option<Proportion>) -> Metric {
    Metric { name: name.to_owned(), result, target: None, outcome: None }
}

fn with_target(name: &str, result: Option<Proportion>, target: f64) -> Metric {
    let outcome = Limit::AtLeast(target).outcome(result.map(|result| result.interval));
    Metric { target: Some(target), outcome: Some(outcome), ..plain(name, result) }
}
