//! Keeps questions from being sent that the live schema can no longer answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::depends::depends;
use super::diff::{Difference, Effect};
use super::document::Api;
use super::error::ApiError;

/// What is disabled.
#[derive(Debug, Default)]
pub(super) struct Guard {
    queries: BTreeMap<(Api, String), String>,
    words: BTreeSet<(Api, String)>,
}

impl Guard {
    /// Forgets what was disabled of an API and disables what these differences break.
    pub(super) fn replace(&mut self, api: Api, differences: &[Difference]) {
        self.queries.retain(|(of, _), _| *of != api);
        self.words.retain(|(of, _)| *of != api);
        for difference in differences.iter().filter(|difference| difference.api == api) {
            match difference.effect {
                Effect::None => {}
                Effect::Word => {
                    self.words.insert((api, difference.element.clone()));
                }
                Effect::Query => {
                    for operation in &difference.operations {
                        let because = self.queries.entry((api, operation.clone())).or_default();
                        if !because.is_empty() {
                            because.push_str(", ");
                        }
                        because.push_str(&difference.element);
                    }
                }
            }
        }
    }

    /// Refuses what is disabled.
    pub(super) fn check(&self, api: Api, operation: &str, variables: &Value) -> Result<(), ApiError> {
        let disabled =
            |because: String| Err(ApiError::Disabled { api, operation: operation.to_owned(), because });
        if let Some(because) = self.queries.get(&(api, operation.to_owned())) {
            return disabled(because.clone());
        }
        if self.words.is_empty() {
            return Ok(());
        }
        let needs = depends().iter().find(|(document, _)| document.api == api && document.name == operation);
        for (name, ty) in needs.into_iter().flat_map(|(_, needs)| &needs.variables) {
            if let Some(word) = variables.get(name).and_then(Value::as_str)
                && self.words.contains(&(api, format!("{ty}.{word}")))
            {
                return disabled(format!("{ty}.{word}"));
            }
        }
        Ok(())
    }
}
