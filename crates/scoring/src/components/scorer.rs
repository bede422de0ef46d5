//! The scorer of a component: checks each field of an answer.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use super::Component;
use crate::score::Score;
use crate::suite::{AgentOutput, Registry, Scorer, ScorerError, SuiteCase};

/// A wrong field.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, schemars::JsonSchema)]
pub struct FieldMiss {
    /// The field's name.
    pub field: String,
    /// The expected value: a value, a list of alternatives, or null for no value.
    pub expected: Value,
    /// The answered value.
    pub answered: Value,
}

/// The details behind a component score.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct FieldDetails {
    /// The scored fields and whether each is right.
    pub fields: BTreeMap<String, bool>,
    /// The wrong fields.
    pub misses: Vec<FieldMiss>,
}

impl Component {
    /// Scores an answer field by field. Optional fields are scored only if answered. A missing answer makes every other
    /// field wrong, without listing misses.
    #[must_use]
    pub(crate) fn score_fields(
        self,
        expected: &Map<String, Value>,
        answer: Option<&Map<String, Value>>,
    ) -> FieldDetails {
        let mut details = FieldDetails::default();
        for (field, expected) in
            self.stated(expected).filter_map(|field| Some((field, expected.get(field.name)?)))
        {
            if field.is_optional && answer.is_none_or(|answer| !answer.contains_key(field.name)) {
                continue;
            }
            let answered = answer.map(|answer| field.answered(answer));
            let is_right = answered.as_ref().is_some_and(|answered| field.is_right(expected, answered));
            details.fields.insert(field.name.to_owned(), is_right);
            if let (false, Some(answered)) = (is_right, answered) {
                let (field, expected) = (field.name.to_owned(), expected.clone());
                details.misses.push(FieldMiss { field, expected, answered });
            }
        }
        details
    }

    /// The scorers of all components, by name.
    #[must_use]
    pub fn scorers() -> Registry {
        Self::ALL.iter().copied().map(|one| Box::new(one) as Box<dyn Scorer>).collect()
    }
}

impl Scorer for Component {
    fn name(&self) -> &str {
        (*self).name()
    }

    fn lacks(&self, case: &SuiteCase) -> Option<&'static str> {
        case.expected_output.is_none().then_some("`expected_output`")
    }

    fn score(&self, case: &SuiteCase, output: &AgentOutput, _: &Value) -> Result<Score, ScorerError> {
        let answer = output
            .object
            .as_ref()
            .ok_or_else(|| ScorerError("the answer is not a JSON object".to_owned()))?;
        let details = self.score_fields(case.expected_output.as_ref().unwrap_or(&Map::new()), Some(answer));
        let (right, all) = (details.fields.values().filter(|right| **right).count(), details.fields.len());
        let reasons: Vec<String> = details.misses.iter().map(ToString::to_string).collect();
        let value = if all == 0 { 1.0 } else { right as f64 / all as f64 };
        let score = Score::new(Some(value), format!("{right} of {all} fields right"), details).erased();
        Ok(Score { reasons: if reasons.is_empty() { score.reasons.clone() } else { reasons }, ..score })
    }
}

impl std::fmt::Display for FieldMiss {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} is {}, expected {}", self.field, self.answered, self.expected)
    }
}
