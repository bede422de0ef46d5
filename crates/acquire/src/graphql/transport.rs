//! Sends API requests within the budget, checks the responses, and retries.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use backon::Retryable;
use reqwest::StatusCode;
use reqwest::header::{ACCEPT, CONTENT_TYPE};
use serde_json::Value;
use url::Url;

use super::answer::{self, HttpReply};
use super::error::ApiError;
use crate::atlas::Api;
use crate::error::{Error, Result};
use crate::http::{self, Redirects, chain};
use crate::politeness::{LeftAlone, Rate};
use atlas_gt_core::retry::{backoff, next_wait, retry_after};

/// Maximum size of a body, in bytes. The largest known one has 0.4 MB.
const MAX_BYTES: usize = 64 << 20;
/// How many characters of a body an error quotes.
const QUOTE: usize = 80;

/// Timeouts and retry limits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Patience {
    /// Timeout of one request.
    pub timeout: Duration,
    /// Maximum number of requests for one question, including the first.
    pub attempts: usize,
    /// Wait before the first retry. It doubles from there, with jitter.
    pub first_wait: Duration,
    /// Maximum wait before a retry. A longer `Retry-After` ends the attempts.
    pub longest_wait: Duration,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(30),
            attempts: 4,
            first_wait: Duration::from_millis(500),
            longest_wait: Duration::from_secs(120),
        }
    }
}

/// A request.
#[derive(Debug, Clone)]
pub(super) struct Request {
    pub api: Api,
    pub operation: String,
    /// The JSON body.
    pub body: String,
}

/// The HTTP transport.
#[derive(Debug)]
pub(super) struct Transport {
    http: reqwest::Client,
    base: Url,
    rate: Arc<Rate>,
    sent: AtomicU64,
    patience: Patience,
}

impl Transport {
    pub(super) fn new(
        base: &Url,
        contact: Option<&str>,
        rate: Arc<Rate>,
        patience: Patience,
    ) -> Result<Self> {
        let http = http::client(base, contact, patience.timeout, Redirects::None)?;
        Ok(Self { http, base: base.clone(), rate, sent: AtomicU64::new(0), patience })
    }

    /// Requests sent so far.
    pub(super) fn requests(&self) -> u64 {
        self.sent.load(Ordering::Relaxed)
    }

    pub(super) const fn base(&self) -> &Url {
        &self.base
    }

    /// Maximum number of attempts.
    pub(super) const fn attempts(&self) -> usize {
        self.patience.attempts
    }

    /// Sends a request, and retries until it succeeds, fails for good, or reaches the attempt limit.
    pub(super) async fn exchange(&self, request: &Request) -> Result<Arc<HttpReply>, ApiError> {
        let patience = self.patience;
        let waits = backoff(patience.first_wait, patience.longest_wait, patience.attempts);
        (|| self.once(request))
            .retry(waits)
            .when(ApiError::is_transient)
            .adjust(|error, wait| next_wait(error.retry_after(), wait, patience.longest_wait))
            .notify(|error, wait| {
                tracing::info!("{error}; retrying in {} ms", wait.as_millis());
                if error.asks_to_hold_back() {
                    self.rate.pause(wait);
                }
            })
            .await
            .map(Arc::new)
    }

    /// The address of a path on the site. The site's base address may have a path of its own.
    pub(super) fn address(&self, path: &str) -> String {
        let base = self.base.as_str().split(['?', '#']).next().unwrap_or_default();
        format!("{}{path}", base.trim_end_matches('/'))
    }

    /// The HTTP status of a page. Nothing that the page refers to is loaded.
    pub(super) async fn page(&self, path: &str) -> Result<u16> {
        let _permit = self.rate.one().await.map_err(|alone| Error::Site(alone.to_string()))?;
        self.sent.fetch_add(1, Ordering::Relaxed);
        let url = self.address(path);
        let sent = self.http.get(&url).send().await;
        let status = sent.map_err(|error| Error::Site(format!("GET {url}: {}", chain(&error))))?.status();
        if status.is_success() {
            return Ok(status.as_u16());
        }
        let why = match status.as_u16() {
            300..=399 => "it redirects; use the address that it redirects to",
            401 | 403 => "the site refuses; a browser check or a block may be in place",
            404 => "nothing is at this path; is it the site's base address?",
            429 => "too many requests; wait a minute, then lower --rate",
            500..=599 => "the site has a problem; try again later",
            _ => "unexpected status",
        };
        Err(Error::Site(format!("GET {url}: HTTP status {}: {why}", status.as_u16())))
    }

    async fn once(&self, request: &Request) -> Result<HttpReply, ApiError> {
        let busy = |status: u16, retry_after| ApiError::Busy {
            api: request.api,
            operation: request.operation.clone(),
            status,
            retry_after,
        };
        // The site asked for this pause with 429 or 503, and would repeat that answer.
        let _permit = self.rate.one().await.map_err(|LeftAlone(left)| busy(429, Some(left)))?;
        self.sent.fetch_add(1, Ordering::Relaxed);
        let lost = |error: &reqwest::Error| ApiError::Connection {
            api: request.api,
            operation: request.operation.clone(),
            message: if error.is_timeout() {
                format!("no answer within {} s", self.patience.timeout.as_secs_f32())
            } else {
                error.url().map_or_else(|| chain(error), |url| format!("{url}: {}", chain(error)))
            },
        };
        let sent = self
            .http
            .post(self.address(request.api.path()))
            .header(CONTENT_TYPE, "application/json")
            .header(ACCEPT, "application/json")
            .body(request.body.clone())
            .send();
        let mut response = sent.await.map_err(|error| lost(&error))?;
        let status = response.status();
        let wait = retry_after(response.headers());
        if matches!(status.as_u16(), 429 | 500 | 502 | 503 | 504) {
            let error = busy(status.as_u16(), wait);
            if wait.is_some() || error.asks_to_hold_back() {
                self.rate.pause(wait.unwrap_or(self.patience.first_wait));
            }
            return Err(error);
        }
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
            if body.len() + chunk.len() > MAX_BYTES {
                return Err(refused(request, status, format!("the answer is larger than {MAX_BYTES} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        judge(request, status, body)
    }
}

/// Checks a response.
fn judge(request: &Request, status: StatusCode, body: Vec<u8>) -> Result<HttpReply, ApiError> {
    let parsed: Result<Value, _> = serde_json::from_slice(&body);
    let quote = || String::from_utf8_lossy(&body).chars().take(QUOTE).collect::<String>();
    if !status.is_success() {
        let said = parsed.as_ref().map(|value| answer::errors(value).join("; ")).unwrap_or_default();
        return Err(refused(request, status, if said.is_empty() { quote() } else { said }));
    }
    let unreadable =
        |message| ApiError::Unreadable { api: request.api, operation: request.operation.clone(), message };
    match parsed {
        Ok(Value::Object(answer)) if answer.contains_key("data") || answer.contains_key("errors") => {
            let answer = Value::Object(answer);
            let partial = !answer["data"].is_null() && !answer::errors(&answer).is_empty();
            let body = String::from_utf8_lossy(&body).into_owned();
            Ok(HttpReply { request: request.body.clone(), status: status.as_u16(), body, partial })
        }
        Ok(_) => Err(unreadable(format!("neither `data` nor `errors` in {}", quote()))),
        Err(error) => Err(unreadable(format!("{error}, in {} bytes that begin {:?}", body.len(), quote()))),
    }
}

fn refused(request: &Request, status: StatusCode, message: String) -> ApiError {
    ApiError::Refused {
        api: request.api,
        operation: request.operation.clone(),
        status: status.as_u16(),
        message,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(status: u16, body: &str) -> Result<HttpReply, ApiError> {
        let request = Request { api: Api::Country, operation: "Q".into(), body: String::new() };
        judge(&request, StatusCode::from_u16(status).unwrap(), body.as_bytes().to_vec())
    }

    #[test]
    fn answers_blocks_and_refusals_are_told_apart() {
        assert!(judged(200, r#"{"data": null, "errors": []}"#).is_ok());
        for body in ["<h1>Too many requests</h1>", r#"{"data": {"a"#, "[]", "{}", ""] {
            assert!(judged(200, body).unwrap_err().is_transient(), "{body}");
        }
        let error = judged(400, r#"{"errors": [{"message": "Unknown argument"}]}"#).unwrap_err();
        assert!(
            !error.is_transient() && error.to_string().ends_with("HTTP 400: Unknown argument"),
            "{error}"
        );
        let error = judged(302, "moved").unwrap_err();
        assert!(!error.is_transient() && error.to_string().contains("302: moved"), "{error}");
    }

    #[test]
    fn a_contact_that_is_no_header_is_refused() {
        let base = Url::parse("http://127.0.0.1:1").unwrap();
        let make =
            |contact| Transport::new(&base, Some(contact), Arc::new(Rate::new(120)), Patience::default());
        assert!(make("a@example.org").is_ok());
        assert_eq!(make("a\nb").unwrap_err().exit() as u8, 2);
    }
}
