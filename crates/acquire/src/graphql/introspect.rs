//! Fetches a live API's schema and compares it with the one under `graphql/`.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::answer;
use super::cache::{CachedSchema, SchemaCache};
use super::client::Client;
use super::diff::{Difference, Effect, changed_fields, diff};
use super::document::{Renamed, documents};
use super::elements::{self, Elements, INTROSPECTION};
use super::error::ApiError;
use crate::atlas::{Api, ChangedField};
use crate::error::Exit;
use crate::evidence::Hash;

const NAME: &str = "Introspection";

/// How a live schema compares with the expected one.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct SchemaReport {
    /// The API.
    pub api: Api,
    /// The address queried.
    pub url: String,
    /// When the schema was fetched.
    pub fetched_at: Timestamp,
    /// Whether the schema comes from the cache of an earlier run.
    pub cached: bool,
    /// Hash of the response.
    pub hash: Hash,
    /// Query documents that can be sent.
    pub usable: usize,
    /// All query documents of the API.
    pub documents: usize,
    /// Operations that are not sent while the schema differs.
    pub disabled: Vec<String>,
    /// All differences, sorted by element.
    pub differences: Vec<Difference>,
    /// The fields among them that only one schema has, with their types.
    #[serde(skip)]
    pub fields: Vec<ChangedField>,
    /// The renamed fields. Queries request them by their new name.
    #[serde(skip)]
    pub(super) renamed: Renamed,
}

impl SchemaReport {
    fn new(
        (api, expected): (Api, &Elements),
        names: &BTreeMap<String, String>,
        schema: &CachedSchema,
        cached: bool,
        live: &Elements,
    ) -> Self {
        let mut differences = diff(api, expected, live);
        let fields = changed_fields(expected, live);
        let renamed = renamed(&fields, names);
        for difference in &mut differences {
            let is = |(owner, field): &(String, String)| difference.element == format!("{owner}.{field}");
            if renamed.keys().any(is) {
                difference.effect = Effect::None;
            }
        }
        let breaking = differences.iter().filter(|difference| difference.effect == Effect::Query);
        let mut disabled: Vec<String> =
            breaking.flat_map(|difference| difference.operations.iter().cloned()).collect();
        disabled.sort();
        disabled.dedup();
        let documents = documents().iter().filter(|document| document.api == api).count();
        Self {
            api,
            url: schema.url.clone(),
            fetched_at: schema.fetched_at,
            cached,
            hash: schema.hash.clone(),
            usable: documents - disabled.len(),
            documents,
            disabled,
            differences,
            fields,
            renamed,
        }
    }

    /// 0 if no difference breaks anything, otherwise 3.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let clean = self.differences.iter().all(|difference| difference.effect == Effect::None);
        if clean { Exit::Ok } else { Exit::Differences }
    }
}

impl Client {
    /// Compares the live schema (at most a day old in `cache`) with the one the queries were written for. From then on,
    /// queries that a difference breaks are not sent.
    ///
    /// # Errors
    /// The site cannot be reached, refuses, or answers without a schema.
    pub async fn check_schema(
        &self,
        api: Api,
        cache: &SchemaCache,
        now: Timestamp,
    ) -> Result<SchemaReport, ApiError> {
        self.check_schema_with(api, &BTreeMap::new(), cache, now).await
    }

    /// Like [`Client::check_schema`], with known renames (old to new). If a type has lost the old field and gained the
    /// new one with the same value type, queries request the new name and alias it to the old one.
    ///
    /// # Errors
    /// See [`Client::check_schema`].
    pub async fn check_schema_with(
        &self,
        api: Api,
        names: &BTreeMap<String, String>,
        cache: &SchemaCache,
        now: Timestamp,
    ) -> Result<SchemaReport, ApiError> {
        let unreadable = |message: String| ApiError::Unreadable { api, operation: NAME.to_owned(), message };
        let expected = elements::of_schema(api.schema().map_err(&unreadable)?).map_err(&unreadable)?;
        let cached = cache.get(self.base(), api, now).and_then(|kept| Some((live(&kept.body).ok()?, kept)));
        let report = match cached {
            Some((live, kept)) => SchemaReport::new((api, &expected), names, &kept, true, &live),
            None => {
                let body = self.send(api, NAME, INTROSPECTION, json!({})).await?.body.clone();
                let live = live(&body).map_err(unreadable)?;
                let kept = CachedSchema::new(self.base(), now, body);
                cache.put(self.base(), api, &kept);
                SchemaReport::new((api, &expected), names, &kept, false, &live)
            }
        };
        self.guard.write().unwrap_or_else(PoisonError::into_inner).replace(
            api,
            &report.differences,
            report.renamed.clone(),
        );
        Ok(report)
    }
}

/// Fields whose type has lost the old name and gained the new one, with the same value type.
fn renamed(fields: &[ChangedField], names: &BTreeMap<String, String>) -> Renamed {
    let plain = |of: &str| of.replace('!', "");
    let one = |lost: &ChangedField| {
        let now = names.get(&lost.field)?;
        let gained = fields.iter().any(|one| {
            one.is_new && one.owner == lost.owner && one.field == *now && plain(&one.of) == plain(&lost.of)
        });
        gained.then(|| ((lost.owner.clone(), lost.field.clone()), now.clone()))
    };
    fields.iter().filter(|field| !field.is_new).filter_map(one).collect()
}

/// Parses the schema from a response. A response with errors is partial, so it may lack elements that exist (decision
/// 13).
fn live(body: &str) -> Result<Elements, String> {
    let answer: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let errors = answer::errors(&answer);
    if !errors.is_empty() {
        return Err(errors.join("; "));
    }
    elements::of_introspection(answer.get("data").unwrap_or(&Value::Null))
        .ok_or_else(|| "it contains no schema".to_owned())
}
