//! Reads cases in the documented formats: a list of objects with `id`, `question` and `expected_*`; extraction adds
//! `input_query_type`, id resolution adds `tier` (evaluation strategy, section 6, phase 1).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use strum::VariantArray;

use super::{Component, check_case};
use crate::suite::{ConfiguredScorer, InputFile};

/// How hard an id is to resolve (section 6, "ID Resolution Eval Set").
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The names of the catalogue.
    Clean,
    /// Other common names.
    Alias,
    /// Several ids are valid.
    Ambiguous,
    /// The product is a service.
    Services,
    /// The Atlas does not have it.
    Missing,
}

atlas_gt_core::words!(Tier);

/// A component case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ComponentCase {
    /// The component it tests.
    pub component: Component,
    /// The case's id: `cls_001`.
    pub id: String,
    /// The question for the agent.
    pub question: String,
    /// Further inputs of the component, without the prefix `input_`: `query_type`.
    pub input: Map<String, Value>,
    /// The expected answer by field, without the prefix `expected_`. Absent fields are not scored; null expects no value; a
    /// list holds alternatives.
    pub expected: Map<String, Value>,
    /// The tier of an id.
    pub tier: Option<Tier>,
}

impl ComponentCase {
    /// The request to an adapter, without the expected values.
    #[must_use]
    pub fn request(&self) -> Value {
        let mut request = json!({ "component": self.component, "id": self.id, "question": self.question });
        if let Some(object) = request.as_object_mut() {
            object.extend(self.input.clone());
        }
        request
    }

    /// Converts it to a suite case whose only scorer is the component's.
    #[must_use]
    pub fn scored(&self) -> crate::suite::SuiteCase {
        crate::suite::SuiteCase {
            name: self.id.clone(),
            input: InputFile { query: self.question.clone(), context: self.input.clone() },
            cluster: self.tier.map(|tier| tier.name().to_owned()),
            expected_output: Some(self.expected.clone()),
            scorers: vec![ConfiguredScorer { name: self.component.name().to_owned(), config: Value::Null }],
            min_score: 1.0,
            ..crate::suite::SuiteCase::default()
        }
    }
}

impl Tier {
    /// Parses a tier: `clean`, `Alias/synonym`, `missing entity`.
    fn read(word: &str) -> Option<Self> {
        let word = word.trim().to_lowercase();
        Self::ALL.iter().copied().find(|tier| word.starts_with(tier.name()))
    }
}

/// A problem of a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseProblem {
    /// The case's id, or its position in the file if it has none.
    pub case: String,
    /// What is wrong.
    pub message: String,
}

/// Keys of a question list that begin with `expected_` but name no component field.
const OTHER_KEYS: [&str; 3] = ["behavior", "tool", "tool_reason"];

/// The expected values of an entry, by field. In a question list (entries with `text` instead of `question`), null expects
/// nothing and `expected_classification` is the product classification.
fn expected(object: &Map<String, Value>) -> Map<String, Value> {
    let is_listed = !object.contains_key("question");
    let fields = object.iter().filter_map(|(key, value)| Some((key.strip_prefix("expected_")?, value)));
    let fields =
        fields.filter(|(field, value)| !(OTHER_KEYS.contains(field) || is_listed && value.is_null()));
    let mut all: Map<String, Value> = fields
        .map(|(field, value)| (if field == "classification" { "product_class" } else { field }, value))
        .map(|(field, value)| (field.to_owned(), value.clone()))
        .collect();
    // A rejected question has the type `reject`, whichever key states it.
    if all.remove("is_rejected") == Some(Value::Bool(true)) {
        all.entry("query_type").or_insert_with(|| "reject".into());
    }
    all
}

impl Component {
    /// The component that an entry tests, from its keys; `None` if it expects nothing of a component.
    #[must_use]
    pub fn of_case(entry: &Value) -> Option<Self> {
        let object = entry.as_object()?;
        let states = |key: &str| object.get(key).is_some_and(|value| !value.is_null());
        let fields = expected(object);
        let has = |names: [&str; 2]| names.iter().any(|name| fields.contains_key(*name));
        Some(match () {
            () if fields.is_empty() => return None,
            () if states("tier") || has(["country_id", "product_id"]) => Self::IdResolution,
            () if !states("input_query_type") && has(["query_type", "api_target"]) => Self::Classification,
            () => Self::Extraction,
        })
    }
}

/// Reads a file of cases. Ignores unknown keys.
///
/// # Errors
/// All problems of all cases: missing keys, duplicate ids, impossible values.
pub fn read_cases(component: Component, list: &[Value]) -> Result<Vec<ComponentCase>, Vec<CaseProblem>> {
    let mut problems = Vec::new();
    let mut cases = Vec::new();
    let mut seen = BTreeSet::new();
    for (value, position) in list.iter().zip(1..) {
        let name = value.as_object().and_then(id_of).unwrap_or_else(|| format!("number {position}"));
        match case(component, value) {
            Ok(case) if seen.insert(case.id.clone()) => {
                problems.extend(check_case(&case));
                cases.push(case);
            }
            Ok(case) => {
                problems.push(CaseProblem { case: case.id, message: "the id is used twice".to_owned() })
            }
            Err(message) => problems.push(CaseProblem { case: name, message }),
        }
    }
    if list.is_empty() {
        problems
            .push(CaseProblem { case: "number 1".to_owned(), message: "the file has no cases".to_owned() });
    }
    if problems.is_empty() { Ok(cases) } else { Err(problems) }
}

fn case(component: Component, value: &Value) -> Result<ComponentCase, String> {
    let object = value.as_object().ok_or("expected an object")?;
    let expected = expected(object);
    let input = object.iter().filter_map(|(key, value)| Some((key.strip_prefix("input_")?, value)));
    let input = input.map(|(field, value)| (field.to_owned(), value.clone())).collect();
    let text = ["question", "text", "question_text"].into_iter().find_map(|key| object.get(key)?.as_str());
    let question = text.filter(|text| !text.trim().is_empty()).ok_or("`question` is missing")?.to_owned();
    let tier = match object.get("tier").filter(|tier| !tier.is_null()) {
        None => None,
        Some(tier) => Some(tier.as_str().and_then(Tier::read).ok_or_else(|| {
            format!(
                "`tier` is {tier}: expected {}",
                Tier::ALL.iter().map(|tier| tier.name()).collect::<Vec<_>>().join(", ")
            )
        })?),
    };
    if expected.is_empty() {
        return Err("the case expects nothing: give at least one `expected_…`".to_owned());
    }
    Ok(ComponentCase {
        component,
        id: id_of(object).ok_or("`id` is missing")?,
        question,
        input,
        expected,
        tier,
    })
}

/// The id of a case: a string or a number.
fn id_of(object: &Map<String, Value>) -> Option<String> {
    match object.get("id").or_else(|| object.get("question_id"))? {
        Value::String(id) => Some(id.trim().to_owned()).filter(|id| !id.is_empty()),
        Value::Number(id) => Some(id.to_string()),
        _ => None,
    }
}
