//! The client of both APIs. A run sends each query once, however many tasks ask it. A partial reply is not kept: later
//! callers send the query again, up to the attempt limit.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError, RwLock};

use futures::FutureExt;
use futures::future::{BoxFuture, Shared};
use serde_json::Value;
use url::Url;

use super::answer::{self, HttpReply, QueryAnswer};
use super::document::QueryDocument;
use super::error::ApiError;
use super::guard::Guard;
use super::question::ApiQuestion;
use super::transport::{Patience, Request, Transport};
use crate::Rate;
use crate::atlas::Api;
use crate::capture::Exchange;
use crate::error::Result;

type Flight = Shared<BoxFuture<'static, Result<Arc<HttpReply>, ApiError>>>;

/// The state of a query.
#[derive(Default)]
struct Sent {
    /// Its reply, pending or complete.
    flight: Option<Flight>,
    /// Number of partial replies.
    partial: usize,
}

/// A client of both APIs of one site. Clones share everything.
#[derive(Clone)]
pub struct Client {
    transport: Arc<Transport>,
    flights: Arc<Mutex<HashMap<(Api, String), Sent>>>,
    pub(super) guard: Arc<RwLock<Guard>>,
}

impl std::fmt::Debug for Client {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Client").field("transport", &self.transport).finish_non_exhaustive()
    }
}

impl Client {
    /// A client of the site at `base`. It names `contact` in its User-Agent and charges every request to `rate` (its
    /// own budget, or an `Arc` of a shared one).
    ///
    /// # Errors
    /// The contact is not a valid header value, or the TLS client cannot be created.
    pub fn new(base: &Url, contact: Option<&str>, rate: impl Into<Arc<Rate>>) -> Result<Self> {
        Self::with_patience(base, contact, rate, Patience::default())
    }

    /// Like [`Client::new`], with other timeouts and attempt limits.
    ///
    /// # Errors
    /// See [`Client::new`].
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

    /// A client of the same site and budget without cached replies.
    #[must_use]
    pub fn anew(&self) -> Self {
        Self { flights: Arc::default(), ..self.clone() }
    }

    /// Forgets all replies, also those of its clones: each query is sent again.
    pub fn forget(&self) {
        self.flights.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// The site's base address.
    #[must_use]
    pub fn base(&self) -> &Url {
        self.transport.base()
    }

    /// Requests sent so far, including retries.
    #[must_use]
    pub fn requests(&self) -> u64 {
        self.transport.requests()
    }

    /// The HTTP status of a page of the site, requested without a browser.
    ///
    /// # Errors
    /// The page cannot be reached, or the site refuses.
    pub async fn page(&self, path: &str) -> Result<u16> {
        self.transport.page(path).await
    }

    /// Sends the named document and returns the exchange in the form that pages record.
    ///
    /// # Errors
    /// The question is invalid, [`Client::check_schema`] disabled it, or the site cannot be reached, refuses, or
    /// answers without data. An answer with both data and errors is accepted.
    pub async fn query(&self, api: Api, name: &str, question: &ApiQuestion) -> Result<Exchange, ApiError> {
        let document = named(api, name)?;
        let (reply, _) = self.checked(document, question.variables(document)?).await?;
        Ok(Exchange {
            url: self.transport.address(api.path()),
            request: reply.request.clone(),
            status: reply.status,
            response: reply.body.clone(),
        })
    }

    /// Sends the named document and returns what the API says of its field, with the errors beside it.
    ///
    /// # Errors
    /// See [`Client::query`].
    pub async fn answer(
        &self,
        api: Api,
        name: &str,
        question: &ApiQuestion,
    ) -> Result<QueryAnswer, ApiError> {
        let document = named(api, name)?;
        let (_, mut answer) = self.checked(document, question.variables(document)?).await?;
        let data = answer.pointer_mut("/data/data").map(Value::take).unwrap_or_default();
        Ok(QueryAnswer { data, errors: answer::errors(&answer) })
    }

    /// Checks that a document may be sent, sends it, and parses the reply, which must have data.
    async fn checked(
        &self,
        document: &QueryDocument,
        variables: Value,
    ) -> Result<(Arc<HttpReply>, Value), ApiError> {
        let (api, operation) = (document.api, document.name);
        let text = self.guard.read().unwrap_or_else(PoisonError::into_inner).check(document, &variables)?;
        let reply = self.send(api, operation, &text, variables).await?;
        let answer: Value = serde_json::from_str(&reply.body).map_err(|error| ApiError::Unreadable {
            api,
            operation: operation.to_owned(),
            message: error.to_string(),
        })?;
        if answer.get("data").is_none_or(Value::is_null) {
            let errors = answer::errors(&answer);
            let message =
                if errors.is_empty() { "neither data nor errors".to_owned() } else { errors.join("; ") };
            return Err(ApiError::Failed { api, operation: operation.to_owned(), message });
        }
        Ok((reply, answer))
    }

    /// Sends a query as text and returns the response as received. Identical queries are sent once.
    ///
    /// # Errors
    /// The site cannot be reached, refuses, or sends something other than a GraphQL answer.
    pub async fn send(
        &self,
        api: Api,
        operation: &str,
        query: &str,
        mut variables: Value,
    ) -> Result<Arc<HttpReply>, ApiError> {
        variables.sort_all_objects();
        let body = serde_json::json!({ "operationName": operation, "query": query, "variables": variables });
        let request = Request { api, operation: operation.to_owned(), body: body.to_string() };
        let key = (api, request.body.clone());
        let flight = {
            let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
            let transport = &self.transport;
            flights
                .entry(key.clone())
                .or_default()
                .flight
                .get_or_insert_with(|| {
                    let transport = Arc::clone(transport);
                    async move { transport.exchange(&request).await }.boxed().shared()
                })
                .clone()
        };
        let result = flight.clone().await;
        let partial = result.as_ref().is_ok_and(|reply| reply.partial);
        if partial || result.as_ref().is_err_and(ApiError::is_transient) {
            // Callers that waited share this result; later callers send the query again.
            let mut flights = self.flights.lock().unwrap_or_else(PoisonError::into_inner);
            let is_same = |sent: &&mut Sent| sent.flight.as_ref().is_some_and(|now| now.ptr_eq(&flight));
            if let Some(sent) = flights.get_mut(&key).filter(is_same) {
                sent.partial += usize::from(partial);
                if sent.partial < self.transport.attempts() {
                    sent.flight = None;
                }
            }
        }
        result
    }
}

fn named(api: Api, name: &str) -> Result<&'static QueryDocument, ApiError> {
    QueryDocument::named(api, name)
        .ok_or_else(|| ApiError::Question(format!("the {api} API has no query document {name}")))
}
