//! Asks a live API for its schema and compares it with the one under `graphql/`.

use jiff::Timestamp;
use serde::Serialize;
use serde_json::{Value, json};

use super::cache::{Kept, SchemaCache};
use super::client::Client;
use super::diff::{Difference, Effect, diff};
use super::document::Api;
use super::error::ApiError;
use super::shape::Shape;
use super::{answer, depends};
use crate::error::Exit;
use crate::truth::Hash;

/// Everything that a client can notice. Types nest no deeper than `[[T!]!]!` and some.
const QUERY: &str = "query Introspection { __schema { queryType { name } types { kind name \
    fields(includeDeprecated: true) { name type { ...Of } args { name defaultValue type { ...Of } } } \
    inputFields { name type { ...Of } } enumValues(includeDeprecated: true) { name } possibleTypes { name } } } } \
    fragment Of on __Type { kind name ofType { kind name ofType { kind name ofType { kind name ofType { kind name \
    ofType { kind name ofType { kind name } } } } } } }";
const NAME: &str = "Introspection";

/// How a live schema compares.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SchemaReport {
    /// The API.
    pub api: Api,
    /// Where it was asked.
    pub url: String,
    /// When it was asked.
    pub fetched_at: Timestamp,
    /// Whether that was in an earlier run.
    pub cached: bool,
    /// Hash of the answer.
    pub hash: Hash,
    /// Query documents that can be sent.
    pub usable: usize,
    /// All query documents of the API.
    pub documents: usize,
    /// Operations that are not sent as long as the schema differs.
    pub disabled: Vec<String>,
    /// All differences, by element.
    pub differences: Vec<Difference>,
}

impl SchemaReport {
    /// 0 when nothing that is used differs in a way that matters, else 3.
    #[must_use]
    pub fn exit(&self) -> Exit {
        let clean = self.differences.iter().all(|difference| difference.effect == Effect::None);
        if clean { Exit::Ok } else { Exit::Differences }
    }
}

/// Fetches the schema, or takes it from the cache, and compares.
pub(super) async fn check(
    client: &Client,
    api: Api,
    cache: &SchemaCache,
    now: Timestamp,
) -> Result<SchemaReport, ApiError> {
    let unreadable = |message: String| ApiError::Unreadable { api, operation: NAME.to_owned(), message };
    let expected = Shape::of_schema(api.schema().map_err(&unreadable)?);
    let base = client.base();
    if let Some(kept) = cache.get(base, api, now)
        && let Ok(live) = shape(&kept.body)
    {
        return Ok(report(api, &kept, true, diff(api, &expected, &live)));
    }
    let reply = client.send(api, NAME, QUERY, json!({})).await?;
    let body = String::from_utf8(reply.body.clone()).map_err(|error| unreadable(error.to_string()))?;
    let live = shape(&body).map_err(unreadable)?;
    let kept = Kept { fetched_at: now, url: base.to_string(), hash: reply.hash.clone(), body };
    cache.put(base, api, &kept);
    Ok(report(api, &kept, false, diff(api, &expected, &live)))
}

fn shape(body: &str) -> Result<Shape, String> {
    let answer: Value = serde_json::from_str(body).map_err(|error| error.to_string())?;
    let errors = answer::errors(&answer);
    Shape::of_introspection(answer.get("data").unwrap_or(&Value::Null)).ok_or_else(|| {
        if errors.is_empty() { "no schema in it".to_owned() } else { answer::messages(&errors) }
    })
}

fn report(api: Api, kept: &Kept, cached: bool, differences: Vec<Difference>) -> SchemaReport {
    let mut disabled: Vec<String> = differences
        .iter()
        .filter(|difference| difference.effect == Effect::Query)
        .flat_map(|difference| difference.operations.iter().cloned())
        .collect();
    disabled.sort();
    disabled.dedup();
    let documents = depends::depends().iter().filter(|(document, _)| document.api == api).count();
    SchemaReport {
        api,
        url: kept.url.clone(),
        fetched_at: kept.fetched_at,
        cached,
        hash: kept.hash.clone(),
        usable: documents - disabled.len(),
        documents,
        disabled,
        differences,
    }
}
