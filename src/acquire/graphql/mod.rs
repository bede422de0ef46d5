//! Our own questions to the site's two GraphQL APIs: one HTTP client, paced like everything else that
//! reaches the site, answers typed by the schemas in `graphql/`.

mod queries;

use std::error::Error as _;
use std::time::Duration;

use graphql_client::{GraphQLQuery, Response};
use reqwest::header::RETRY_AFTER;
use url::Url;

use crate::acquire::Rate;
use crate::error::{Error, Result};

pub use queries::{CountryGlobalDatum, ExploreMetadata, country_global_datum, explore_metadata};

/// Longest time for one answer.
const ANSWER_TIME: Duration = Duration::from_secs(30);
/// Longest pause that a `Retry-After` may ask for.
const LONGEST_PAUSE: Duration = Duration::from_secs(300);

/// One of the site's two APIs.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Api {
    /// Behind the country pages; schema `graphql/country.graphql`.
    Country,
    /// Behind the Explore pages, documented by the site; schema `graphql/explore.graphql`.
    Explore,
}

impl Api {
    /// Its path on the site.
    #[must_use]
    pub const fn path(self) -> &'static str {
        match self {
            Self::Country => "/api/countries/graphql",
            Self::Explore => "/api/graphql",
        }
    }
}

/// A client of the site's APIs.
#[derive(Debug, Clone)]
pub struct GraphQl {
    http: reqwest::Client,
    base: Url,
}

impl GraphQl {
    /// A client for the site at `base`. `contact` is named in the User-Agent.
    ///
    /// # Errors
    /// The contact holds what a header cannot, or the system's certificates cannot be used.
    pub fn new(base: Url, contact: Option<&str>) -> Result<Self> {
        // the first TLS client would panic without a provider; a second installation is no harm
        drop(rustls::crypto::ring::default_provider().install_default());
        let http = reqwest::Client::builder()
            .user_agent(user_agent(contact))
            .timeout(ANSWER_TIME)
            .build()
            .map_err(|error| Error::Usage(format!("no HTTP client: {}", told(error))))?;
        Ok(Self { http, base })
    }

    /// Asks one of the APIs, after `rate` allowed it.
    ///
    /// # Errors
    /// [`Error::Site`] when the API cannot be reached, refuses, answers with errors, or with something that
    /// does not fit its schema.
    pub async fn ask<Q: GraphQLQuery>(
        &self,
        rate: &Rate,
        api: Api,
        variables: Q::Variables,
    ) -> Result<Q::ResponseData> {
        let url = self.address(api.path());
        let fail = |what: String| Error::Site(format!("POST {url}: {what}"));
        rate.one().await;
        let sent = self.http.post(&url).json(&Q::build_query(variables)).send().await;
        let response = sent.map_err(|error| fail(told(error)))?;
        self.heed(rate, &response);
        let status = response.status();
        let body = response.bytes().await.map_err(|error| fail(told(error)))?;
        let answer: Result<Response<Q::ResponseData>, _> = serde_json::from_slice(&body);
        match answer {
            Ok(Response { data: Some(data), errors: None, .. }) if status.is_success() => Ok(data),
            Ok(Response { errors: Some(errors), .. }) => {
                let messages: Vec<String> = errors.into_iter().map(|error| error.message).collect();
                Err(fail(format!("the API says: {}", messages.join("; "))))
            }
            _ if !status.is_success() => Err(fail(refusal(status.as_u16()))),
            Ok(_) => Err(fail("the answer has no data".to_owned())),
            Err(error) => Err(fail(format!(
                "the answer does not fit the schema ({error}): {}",
                beginning(&String::from_utf8_lossy(&body))
            ))),
        }
    }

    /// The HTTP status of a page, after `rate` allowed the request. What the page would load is not loaded.
    ///
    /// # Errors
    /// [`Error::Site`] when it cannot be reached or is refused.
    pub async fn page(&self, rate: &Rate, path: &str) -> Result<u16> {
        let url = self.address(path);
        rate.one().await;
        let sent = self.http.get(&url).send().await;
        let response = sent.map_err(|error| Error::Site(format!("GET {url}: {}", told(error))))?;
        self.heed(rate, &response);
        let status = response.status();
        if status.is_success() {
            return Ok(status.as_u16());
        }
        Err(Error::Site(format!("GET {url}: {}", refusal(status.as_u16()))))
    }

    fn address(&self, path: &str) -> String {
        format!("{}{path}", self.base.as_str().trim_end_matches('/'))
    }

    /// Lets everybody wait as long as the site asks.
    fn heed(&self, rate: &Rate, response: &reqwest::Response) {
        let asked = response.headers().get(RETRY_AFTER).and_then(|value| value.to_str().ok());
        if let Some(seconds) = asked.and_then(|text| text.trim().parse().ok()) {
            rate.pause(Duration::from_secs(seconds).min(LONGEST_PAUSE));
        }
    }
}

/// `atlas-gt/VERSION (+contact)`.
fn user_agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    contact.map_or_else(|| format!("atlas-gt/{version}"), |who| format!("atlas-gt/{version} (+{who})"))
}

fn refusal(status: u16) -> String {
    let why = match status {
        401 | 403 => "the site refuses us; a browser check or a block may stand before it",
        404 => "there is nothing at this path; is it the site's base address?",
        429 => "too many requests; wait a minute, then lower --rate",
        500..=599 => "the site is in trouble; try again later",
        _ => "not what was expected",
    };
    format!("HTTP status {status}: {why}")
}

/// An error with its causes: the outer one of an HTTP client seldom says what happened.
fn told(error: reqwest::Error) -> String {
    // callers name the address
    let error = error.without_url();
    let mut text = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text = format!("{text}: {inner_text}");
        }
        cause = inner.source();
    }
    text
}

fn beginning(text: &str) -> String {
    let line: String = text.split_whitespace().collect::<Vec<_>>().join(" ").chars().take(120).collect();
    format!("it begins with `{line}`")
}

#[cfg(test)]
#[path = "tests.rs"]
mod tests;
