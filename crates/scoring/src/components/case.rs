//! Cases in the documents' formats: a list of objects with `id`, `question`, `expected_*`, for extraction `input_query_type`, for id
//! resolution `tier` (evaluation strategy, section 6, phase 1).

use std::collections::BTreeSet;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use strum::VariantArray;

use super::Component;
use crate::suite::InputFile;

/// How hard an id is to resolve (section 6, "ID Resolution Eval Set").
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum Tier {
    /// The catalogue's own names.
    Clean,
    /// Other names in use.
    Alias,
    /// Several ids are valid.
    Ambiguous,
    /// A service.
    Services,
    /// What the Atlas does not have.
    Missing,
}

atlas_gt_core::words!(Tier);

/// A case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Case {
    /// What it is for.
    pub component: Component,
    /// Its id: `cls_001`.
    pub id: String,
    /// The question that the agent is asked.
    pub question: String,
    /// What else the component is given, without `input_`: `query_type`.
    pub input: Map<String, Value>,
    /// What it should answer, without `expected_`. A field that is not here is not scored; null means that nothing is to be
    /// answered; a list holds alternatives.
    pub expected: Map<String, Value>,
    /// The tier of an id.
    pub tier: Option<Tier>,
}

impl Case {
    /// What an adapter is given: nothing of what is expected.
    #[must_use]
    pub fn request(&self) -> Value {
        let mut request = json!({ "component": self.component, "id": self.id, "question": self.question });
        if let Some(object) = request.as_object_mut() {
            object.extend(self.input.clone());
        }
        request
    }

    /// The same as a case of a suite, whose only scorer is that of the component.
    #[must_use]
    pub fn scored(&self) -> crate::suite::Case {
        crate::suite::Case {
            name: self.id.clone(),
            input: InputFile { query: self.question.clone(), context: self.input.clone() },
            cluster: self.tier.map(|tier| tier.name().to_owned()),
            expected_output: Some(self.expected.clone()),
            scorers: vec![(self.component.name().to_owned(), Value::Null)],
            min_score: 1.0,
            ..crate::suite::Case::default()
        }
    }
}

/// What is wrong with a case.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CaseProblem {
    /// Its id, or its position in the file where it has none.
    pub case: String,
    /// What is wrong, in words.
    pub message: String,
}

/// Reads a file of cases.
///
/// # Errors
/// All that is wrong with their form: missing and unknown keys, ids that stand twice.
pub fn read_cases(component: Component, list: &[Value]) -> Result<Vec<Case>, Vec<CaseProblem>> {
    let mut problems = Vec::new();
    let mut cases = Vec::new();
    let mut seen = BTreeSet::new();
    for (value, position) in list.iter().zip(1..) {
        let id = value.get("id").and_then(Value::as_str).map(str::to_owned);
        let name = id.unwrap_or_else(|| format!("number {position}"));
        match case(component, value) {
            Ok(case) if seen.insert(case.id.clone()) => cases.push(case),
            Ok(case) => {
                problems.push(CaseProblem { case: case.id, message: "the id stands twice".to_owned() })
            }
            Err(message) => problems.push(CaseProblem { case: name, message }),
        }
    }
    if list.is_empty() {
        problems.push(CaseProblem { case: "number 1".to_owned(), message: "there is no case".to_owned() });
    }
    if problems.is_empty() { Ok(cases) } else { Err(problems) }
}

fn case(component: Component, value: &Value) -> Result<Case, String> {
    let object = value.as_object().ok_or("expected an object")?;
    let (mut input, mut expected) = (Map::new(), Map::new());
    for (key, value) in object {
        if let Some(field) = key.strip_prefix("expected_") {
            if component.fields().all(|known| known.name != field) {
                let known: Vec<String> =
                    component.fields().map(|known| format!("`expected_{}`", known.name)).collect();
                return Err(format!("unknown key `{key}`: {} knows {}", component.name(), known.join(", ")));
            }
            expected.insert(field.to_owned(), value.clone());
        } else if let Some(field) = key.strip_prefix("input_") {
            input.insert(field.to_owned(), value.clone());
        } else if !matches!(key.as_str(), "id" | "question" | "tier" | "source_method" | "notes") {
            return Err(format!("unknown key `{key}`"));
        }
    }
    let text = |key: &str| {
        let text = object.get(key).and_then(Value::as_str).filter(|text| !text.trim().is_empty());
        text.map(str::to_owned).ok_or_else(|| format!("`{key}` is missing"))
    };
    let tier = object.get("tier").map(|tier| serde_json::from_value::<Tier>(tier.clone())).transpose();
    let tier = tier.map_err(|error| format!("`tier`: {error}"))?;
    if tier.is_some() != (component == Component::IdResolution) {
        return Err("`tier` belongs to every case of id resolution, and to no other".to_owned());
    }
    if component == Component::Extraction && !input.contains_key("query_type") {
        return Err("`input_query_type` is missing: extraction depends on it".to_owned());
    }
    if component == Component::Classification && !expected.contains_key("query_type") {
        return Err("`expected_query_type` is missing".to_owned());
    }
    if expected.is_empty() {
        return Err("nothing is expected: give at least one `expected_…`".to_owned());
    }
    Ok(Case { component, id: text("id")?, question: text("question")?, input, expected, tier })
}
