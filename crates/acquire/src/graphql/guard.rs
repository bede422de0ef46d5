//! Blocks queries that the live schema can no longer answer.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value;

use super::diff::{Difference, Effect};
use super::document::{QueryDocument, Renamed};
use super::error::ApiError;
use crate::atlas::Api;

/// The disabled queries and enum values.
#[derive(Debug, Default)]
pub(super) struct Guard {
    queries: BTreeMap<(Api, String), Vec<String>>,
    words: BTreeSet<(Api, String)>,
    /// The renamed fields.
    renamed: BTreeMap<Api, Renamed>,
}

impl Guard {
    /// Replaces the disabled elements of an API by those its schema differences break.
    pub(super) fn replace(&mut self, api: Api, differences: &[Difference], renamed: Renamed) {
        self.queries.retain(|(of, _), _| *of != api);
        self.words.retain(|(of, _)| *of != api);
        self.renamed.insert(api, renamed);
        for difference in differences {
            match difference.effect {
                Effect::None => {}
                Effect::Word => drop(self.words.insert((api, difference.element.clone()))),
                Effect::Query => {
                    for operation in &difference.operations {
                        let because = self.queries.entry((api, operation.clone())).or_default();
                        because.push(difference.element.clone());
                    }
                }
            }
        }
    }

    /// The text of a document to send.
    ///
    /// # Errors
    /// The document is disabled.
    pub(super) fn check(&self, document: &QueryDocument, variables: &Value) -> Result<String, ApiError> {
        let (api, operation) = (document.api, document.name.to_owned());
        let sent = |name: &String| {
            let word = format!("{}.{}", document.needs.type_of(name)?, variables.get(name)?.as_str()?);
            self.words.contains(&(api, word.clone())).then_some(word)
        };
        let broken = self.queries.get(&(api, operation.clone())).map(|because| because.join(", "));
        match broken.or_else(|| document.needs.variables.keys().find_map(sent)) {
            Some(because) => Err(ApiError::Disabled { api, operation, because }),
            None => Ok(self
                .renamed
                .get(&api)
                .map_or_else(|| document.text.to_owned(), |now| document.text_with(now))),
        }
    }
}
