//! A judge model over HTTP. Retries after transport errors, 429 and 5xx.

use std::sync::Mutex;
use std::time::{Duration, Instant};

use backon::Retryable;
use http::{HeaderName, HeaderValue};
use url::Url;

use super::wire::{self, WireRequest, Without};
use super::{ApiKey, Judge, JudgeError, JudgeReply, ModelId, Prompt};
use crate::error::{Error, Result};
use crate::http::{Redirects, chain, client};
use atlas_gt_core::retry::{backoff, next_wait, retry_after};

/// The maximum length of a server message in an error, in characters.
const MAX_QUOTE: usize = 300;

/// The limits of requests to a model.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientOptions {
    /// The time limit per reply, including retries and waits.
    pub timeout: Duration,
    /// The maximum number of requests per reply, within the time limit.
    pub attempts: usize,
    /// The wait before the second request. It doubles each time.
    pub first_wait: Duration,
    /// The maximum wait. If a server asks for more, there is no retry.
    pub longest_wait: Duration,
    /// The maximum size of a response, in bytes.
    pub most: usize,
}

/// The default time limit per reply, in seconds.
pub const DEFAULT_TIMEOUT_SECONDS: u64 = 60;

impl Default for ClientOptions {
    fn default() -> Self {
        Self {
            timeout: Duration::from_secs(DEFAULT_TIMEOUT_SECONDS),
            attempts: 5,
            first_wait: Duration::from_secs(1),
            longest_wait: Duration::from_secs(60),
            most: 1 << 20,
        }
    }
}

/// A model over HTTP.
#[derive(Debug)]
pub struct HttpJudge {
    http: reqwest::Client,
    id: ModelId,
    key: ApiKey,
    options: ClientOptions,
    /// Features that the model rejected and that are no longer sent.
    without: Mutex<Without>,
}

impl HttpJudge {
    /// A client for a model.
    ///
    /// # Errors
    /// The address is invalid, or the system has no TLS.
    pub fn new(id: ModelId, key: ApiKey, options: ClientOptions) -> Result<Self> {
        let wrong = |why: String| Error::Usage(format!("--judge {id}: {why}"));
        let base = Url::parse(&id.base).map_err(|error| wrong(error.to_string()))?;
        let http = client(&base, None, options.timeout, Redirects::None)
            .map_err(|error| wrong(error.to_string()))?;
        Ok(Self { http, id, key, options, without: Mutex::default() })
    }

    fn without(&self) -> Without {
        self.without.lock().map(|without| *without).unwrap_or_default()
    }

    async fn once(&self, prompt: &Prompt) -> Result<JudgeReply, JudgeError> {
        loop {
            let without = self.without();
            match self.send(&wire::request(&self.id, prompt, without)).await {
                Err(JudgeError::Status { status: status @ (400 | 422), body, retry_after }) => {
                    let Some(less) = wire::unsupported(&body, without) else {
                        return Err(JudgeError::Status { status, body, retry_after });
                    };
                    tracing::warn!("{} rejects a part of the request, which is omitted: {body}", self.id);
                    if let Ok(mut known) = self.without.lock() {
                        known.temperature |= less.temperature;
                        known.schema |= less.schema;
                    }
                }
                other => return other,
            }
        }
    }

    async fn send(&self, request: &WireRequest) -> Result<JudgeReply, JudgeError> {
        let mut sending = self.http.post(format!("{}{}", self.id.base, request.path)).json(&request.body);
        for (name, value) in request.headers {
            sending = sending.header(*name, *value);
        }
        if let ApiKey(Some(key)) = &self.key {
            let (name, before) = request.key;
            let mut value = HeaderValue::try_from(format!("{before}{key}"))
                .map_err(|_| JudgeError::Transport("the key cannot be sent in a header".to_owned()))?;
            value.set_sensitive(true);
            sending = sending.header(HeaderName::from_static(name), value);
        }
        let lost = |error: &reqwest::Error| {
            if error.is_timeout() && !error.is_connect() {
                JudgeError::Timeout(self.options.timeout)
            } else {
                JudgeError::Transport(chain(error))
            }
        };
        let mut response = sending.send().await.map_err(|error| lost(&error))?;
        let status = response.status();
        let wait = retry_after(response.headers());
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| lost(&error))? {
            if body.len() + chunk.len() > self.options.most {
                return Err(JudgeError::Malformed(format!("it is longer than {} bytes", self.options.most)));
            }
            body.extend_from_slice(&chunk);
        }
        if status.is_success() {
            return wire::reply(self.id.provider, &body);
        }
        let said: String = String::from_utf8_lossy(&body).chars().take(MAX_QUOTE).collect();
        // An exhausted account does not recover by waiting.
        if status.as_u16() == 429 && !said.contains("insufficient_quota") {
            return Err(JudgeError::RateLimited { retry_after: wait, message: said });
        }
        Err(JudgeError::Status { status: status.as_u16(), body: said, retry_after: wait })
    }
}

impl Judge for HttpJudge {
    fn id(&self) -> &ModelId {
        &self.id
    }

    async fn ask(&self, prompt: &Prompt) -> Result<JudgeReply, JudgeError> {
        let ClientOptions { timeout, attempts, first_wait, longest_wait, .. } = self.options;
        let started = Instant::now();
        let asking = (|| self.once(prompt))
            .retry(backoff(first_wait, longest_wait, attempts))
            .when(JudgeError::is_passing)
            .adjust(|error, wait| {
                // do not wait beyond the time limit
                next_wait(error.retry_after(), wait, longest_wait)
                    .filter(|wait| *wait < timeout.saturating_sub(started.elapsed()))
            })
            .notify(|error, wait| tracing::info!("{error}; retrying in {} ms", wait.as_millis()));
        tokio::time::timeout(timeout, asking).await.unwrap_or(Err(JudgeError::Timeout(timeout)))
    }
}
