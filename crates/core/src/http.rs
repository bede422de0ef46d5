//! The HTTP client of our own requests, and its User-Agent.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use url::Url;

use crate::error::{Error, Result};
use crate::machine::is_loopback;

/// The User-Agent: tool, version and contact.
fn agent(contact: Option<&str>) -> String {
    let version = env!("CARGO_PKG_VERSION");
    match contact {
        Some(contact) => format!("atlas-gt/{version} (+{contact})"),
        None => format!("atlas-gt/{version}"),
    }
}

/// The redirects a client follows, at most [`HOPS`].
#[derive(Debug, Clone)]
pub enum Redirects {
    /// None.
    None,
    /// Those within the same host.
    SameHost,
    /// All. Those that return to the original host are counted.
    Anywhere(Arc<AtomicU32>),
}

/// Maximum number of redirects.
pub const HOPS: usize = 5;

/// An HTTP client for requests to `base`.
///
/// # Errors
/// The system offers no TLS, or the contact is not a valid header value.
pub fn client(
    base: &Url,
    contact: Option<&str>,
    timeout: Duration,
    to: Redirects,
) -> Result<reqwest::Client> {
    // Without a provider the first TLS client panics. Installing it twice is harmless.
    drop(rustls::crypto::ring::default_provider().install_default());
    let host = base.host_str().map(str::to_owned);
    let policy = reqwest::redirect::Policy::custom(move |attempt| {
        let back = attempt.url().host_str() == host.as_deref();
        let fits = match &to {
            _ if attempt.previous().len() > HOPS => false,
            Redirects::None => false,
            Redirects::SameHost => back,
            Redirects::Anywhere(hops) => {
                hops.fetch_add(u32::from(back), Ordering::Relaxed);
                true
            }
        };
        if fits { attempt.follow() } else { attempt.stop() }
    });
    let agent = http::HeaderValue::from_str(&agent(contact)).map_err(|_| {
        Error::Usage(format!("the contact {contact:?} is not a valid header value: use plain ASCII"))
    })?;
    let builder = reqwest::Client::builder()
        .redirect(policy)
        .connect_timeout(timeout.min(Duration::from_secs(10)))
        .timeout(timeout)
        .user_agent(agent);
    let builder = if is_loopback(base) { builder.no_proxy() } else { builder };
    builder.build().map_err(|error| Error::Site(format!("no HTTP client: {}", chain(&error))))
}

/// Timeout of a webhook.
const POST: Duration = Duration::from_secs(10);

/// Posts JSON and returns the response.
///
/// # Errors
/// The request failed. The message omits the address, which may be secret.
pub async fn post(
    url: &Url,
    headers: &[(String, String)],
    body: &serde_json::Value,
) -> std::result::Result<String, String> {
    let client = client(url, None, POST, Redirects::None).map_err(|error| error.to_string())?;
    let request = client.post(url.clone()).json(body);
    let request = headers.iter().fold(request, |request, (name, value)| request.header(name, value));
    match request.send().await.map_err(reqwest::Error::without_url) {
        Ok(answer) if answer.status().is_success() => Ok(answer.text().await.unwrap_or_default()),
        Ok(answer) => Err(format!("HTTP {}", answer.status().as_u16())),
        Err(error) => Err(chain(&error)),
    }
}

/// The root cause of an error: `Connection refused`, without the messages of the layers above.
pub fn chain(error: &dyn std::error::Error) -> String {
    let mut root = error;
    while let Some(inner) = root.source() {
        root = inner;
    }
    let text = root.to_string();
    crate::error::without_number(&text)
}
