//! The client of both APIs: typed questions in, typed answers out. A question is sent once a run, however
//! often and from however many tasks it is asked.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use graphql_client::GraphQLQuery;
use jiff::Timestamp;
use serde_json::Value;
use url::Url;

use super::answer::{self, Answer, Reply};
use super::ask::Ask;
use super::cache::SchemaCache;
use super::document::{Api, documents};
use super::error::ApiError;
use super::fit::fit;
use super::guard::Guard;
use super::introspect::{self, SchemaReport};
use super::row::{Cell, Notes};
use super::transport::{Request, Transport};
use crate::acquire::Rate;
use crate::error::Result;

pub use super::transport::Patience;

type Flight = Shared<BoxFuture<'static, Result<Arc<Reply>, ApiError>>>;

/// A client of both APIs of one site. Clones share everything.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    flights: Arc<Mutex<HashMap<(Api, String), Flight>>>,
    guard: Arc<RwLock<Guard>>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("transport", &self.transport).finish_non_exhaustive()
    }
}

impl Client {
    /// A client of the site at `base`, that names `contact` in its User-Agent and charges every request to
    /// `rate` (a budget of its own, or an `Arc` of a shared one).
    ///
    /// # Errors
    /// The contact cannot be sent in a header, or no TLS client can be made.
    pub fn new(base: &Url, contact: Option<&str>, rate: impl Into<Arc<Rate>>) -> Result<Self> {
        Self::with_patience(base, contact, rate, Patience::default())
    }

    /// As [`Client::new`], with other limits of time and attempts.
    ///
    /// # Errors
    /// As there.
    pub fn with_patience(
        base: &Url,
        contact: Option<&str>,
        rate: impl Into<Arc<Rate>>,
        patience: Patience,
    ) -> Result<Self> {
        Ok(Self {
            transport: Arc::new(Transport::new(base, contact, rate.into(), patience)?),
            flights: Arc::default(),
            guard: Arc::default(),
        })
    }

    /// A client of the same site and budget that has asked nothing yet: what this one was answered it asks again.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self {
            transport: Arc::clone(&self.transport),
            flights: Arc::default(),
            guard: Arc::clone(&self.guard),
        }
    }

    /// The site.
    #[must_use]
    pub fn base(&self) -> &Url {
        self.transport.base()
    }

    /// Requests that were sent so far, those that were tried again included.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.transport.requests()
    }

    /// The HTTP status of a page of the site, asked for without a browser.
    ///
    /// # Errors
    /// The page cannot be reached, or the site refuses.
    pub async fn page(&self, path: &str) -> Result<u16> {
        self.transport.page(path).await
    }

    /// Asks a typed question.
    ///
    /// # Errors
    /// The question makes no sense or was disabled by [`Client::check_schema`]; the site cannot be reached,
    /// refuses, or answers without any data. An answer with data and errors is no error: see
    /// [`Answer::problems`].
    pub async fn ask<A: Ask>(&self, question: &A) -> Result<Answer<A::Answer>, ApiError> {
        let variables = serde_json::to_value(question.variables()?)
            .map_err(|error| ApiError::Question(format!("{}: {error}", A::NAME)))?;
        self.guard.read().unwrap_or_else(PoisonError::into_inner).check(A::API, A::NAME, &variables)?;
        let reply = self.send(A::API, A::NAME, A::TEXT, variables).await?;
        read::<A>(reply)
    }

    /// Sends a query as text; the answer is the response as received. Identical ones are sent once.
    ///
    /// # Errors
    /// The site cannot be reached, refuses, or sends what is no GraphQL answer.
    pub async fn send(
        &self,
        api: Api,
        operation: &str,
        query: &str,
        mut variables: Value,
    ) -> Result<Arc<Reply>, ApiError> {
        variables.sort_all_objects();
        let body = serde_json::json!({ "operationName": operation, "query": query, "variables": variables });
        let request = Request { api, operation: operation.to_owned(), body: body.to_string() };
        let key = (api, request.body.clone());
        let flight = {
            let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
            let transport = &self.transport;
            flights
                .entry(key.clone())
                .or_insert_with(|| {
                    let transport = Arc::clone(transport);
                    async move { transport.exchange(&request).await }.boxed().shared()
                })
                .clone()
        };
        let result = flight.clone().await;
        if result.as_ref().is_err_and(ApiError::is_transient) {
            // those who asked meanwhile share the failure; whoever asks later tries anew
            let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
            if flights.get(&key).is_some_and(|current| current.ptr_eq(&flight)) {
                flights.remove(&key);
            }
        }
        result
    }

    /// Compares the live schema (at most a day old in `cache`) with the one that the queries were written
    /// for. From then on questions that depend on a difference are not sent; all others are.
    ///
    /// # Errors
    /// The site cannot be reached, refuses, or its answer is no schema.
    pub async fn check_schema(
        &self,
        api: Api,
        cache: &SchemaCache,
        now: Timestamp,
    ) -> Result<SchemaReport, ApiError> {
        let report = introspect::check(self, api, cache, now).await?;
        self.guard.write().unwrap_or_else(PoisonError::into_inner).replace(api, &report.differences);
        Ok(report)
    }
}

/// Reads the reply to a question.
fn read<A: Ask>(reply: Arc<Reply>) -> Result<Answer<A::Answer>, ApiError> {
    let unreadable =
        |message: String| ApiError::Unreadable { api: A::API, operation: A::NAME.to_owned(), message };
    let mut body: Value =
        serde_json::from_slice(&reply.body).map_err(|error| unreadable(error.to_string()))?;
    let mut problems = answer::errors(&body);
    let mut data = body.get_mut("data").map(Value::take).unwrap_or_default();
    if data.is_null() {
        let message = if problems.is_empty() {
            "neither data nor errors".to_owned()
        } else {
            answer::messages(&problems)
        };
        return Err(ApiError::Failed { api: A::API, operation: A::NAME.to_owned(), message });
    }
    let known = documents().iter().find(|document| document.api == A::API && document.name == A::NAME);
    let mut notes = Notes::default();
    if let Some(document) = known {
        let schema = A::API.schema().map_err(&unreadable)?;
        fit(schema, document.parsed().map_err(&unreadable)?, &mut data, &mut notes);
    }
    let value = match data {
        Value::Null => None,
        data => {
            let typed: <A::Query as GraphQLQuery>::ResponseData =
                serde_json::from_value(data).map_err(|error| unreadable(error.to_string()))?;
            notes.within("data", |notes| A::root(typed).cell(notes)).flatten()
        }
    };
    problems.append(&mut notes.problems);
    Ok(Answer { value, problems, reply })
}
