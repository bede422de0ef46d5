//! Access control. A server on loopback admits anyone who uses a loopback name; otherwise the token is required. Writes
//! are accepted only from this server's own pages, with a CSRF token.

use std::net::IpAddr;
use std::num::NonZeroU32;

use atlas_gt_core::evidence::Hash;
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use governor::clock::DefaultClock;
use governor::state::keyed::HashMapStateStore;
use governor::{Quota, RateLimiter};

/// Name of the cookie with the token.
pub(crate) const COOKIE: &str = "atlas_gt_token";

/// Requests per second and address. Opening a page, or sending traces one by one, causes bursts.
const RATE: NonZeroU32 = NonZeroU32::new(4000).unwrap();

/// Wrong tokens per minute and address.
const GUESSES: NonZeroU32 = NonZeroU32::new(10).unwrap();

/// The content security policy: everything from this server, nothing inline, no framing.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                      form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

type Limiter = RateLimiter<IpAddr, HashMapStateStore<IpAddr>, DefaultClock>;

/// The access rules.
#[derive(Debug)]
pub struct Guard {
    /// Hash of the token; `None` on loopback.
    token: Option<Hash>,
    /// The CSRF token of this server's forms.
    pub(crate) csrf: String,
    requests: Limiter,
    guesses: Limiter,
}

/// Why a request is rejected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Refusal {
    pub status: StatusCode,
    pub why: &'static str,
}

const fn refuse<T>(status: StatusCode, why: &'static str) -> Result<T, Refusal> {
    Err(Refusal { status, why })
}

/// 256 random bits as text.
///
/// # Errors
/// The system has no randomness.
pub fn secret() -> Result<String, String> {
    let mut bytes = [0_u8; 32];
    getrandom::fill(&mut bytes).map_err(|error| format!("could not create a token: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Whether a text has this hash. The comparison takes constant time.
fn is_same(hash: &Hash, text: &str) -> bool {
    let other = Hash::of(text.as_bytes());
    let pairs = hash.as_str().bytes().zip(other.as_str().bytes());
    pairs.fold(0, |different, (one, other)| different | (one ^ other)) == 0
}

impl Guard {
    /// Rules with a token, or for loopback.
    ///
    /// # Errors
    /// The system has no randomness.
    pub fn new(token: Option<&str>) -> Result<Self, String> {
        Ok(Self {
            token: token.map(|token| Hash::of(token.as_bytes())),
            csrf: secret()?,
            requests: RateLimiter::hashmap(Quota::per_second(RATE)),
            guesses: RateLimiter::hashmap(Quota::per_minute(GUESSES)),
        })
    }

    /// Checks a request.
    pub(crate) fn admit(
        &self,
        peer: IpAddr,
        method: &Method,
        path: &str,
        headers: &HeaderMap,
    ) -> Result<(), Refusal> {
        self.forget();
        if self.requests.check_key(&peer).is_err() {
            return refuse(StatusCode::TOO_MANY_REQUESTS, "too many requests: wait a second");
        }
        let text = |name: header::HeaderName| headers.get(name).and_then(|value| value.to_str().ok());
        let Some(host) = text(header::HOST) else {
            return refuse(StatusCode::BAD_REQUEST, "the request has no Host header");
        };
        // Prevents DNS rebinding: a foreign page sends its own host name even if that resolves to this machine.
        if self.token.is_none() && !is_loopback(host) {
            return refuse(
                StatusCode::FORBIDDEN,
                "this server only answers to loopback names: use --listen to open it",
            );
        }
        if method != Method::GET && method != Method::HEAD {
            let origin =
                text(header::ORIGIN).map(|origin| origin.split_once("://").map_or(origin, |(_, host)| host));
            let site = headers.get("sec-fetch-site").and_then(|value| value.to_str().ok());
            if origin.is_some_and(|origin| origin != host)
                || site.is_some_and(|site| !["same-origin", "none"].contains(&site))
            {
                return refuse(StatusCode::FORBIDDEN, "the request comes from another site");
            }
        }
        if path == "/login" || path.starts_with("/assets/") {
            return Ok(());
        }
        let bearer = text(header::AUTHORIZATION).and_then(|value| value.strip_prefix("Bearer "));
        self.check_token(peer, bearer.or_else(|| cookie(headers)))
    }

    /// Checks a token.
    pub(crate) fn check_token(&self, peer: IpAddr, given: Option<&str>) -> Result<(), Refusal> {
        let Some(token) = &self.token else { return Ok(()) };
        match given {
            Some(given) if is_same(token, given) => Ok(()),
            None => refuse(
                StatusCode::UNAUTHORIZED,
                "this server requires its token: log in, or send `Authorization: Bearer …`",
            ),
            Some(_) if self.guesses.check_key(&peer).is_err() => {
                refuse(StatusCode::TOO_MANY_REQUESTS, "too many wrong tokens: wait a minute")
            }
            Some(_) => refuse(StatusCode::UNAUTHORIZED, "wrong token"),
        }
    }

    /// Checks that a form comes from this server.
    pub(crate) fn check_form(&self, csrf: Option<&str>) -> Result<(), Refusal> {
        match csrf {
            Some(csrf) if is_same(&Hash::of(self.csrf.as_bytes()), csrf) => Ok(()),
            _ => refuse(
                StatusCode::FORBIDDEN,
                "the form is from another page, or the server has restarted: reload the page",
            ),
        }
    }

    /// Forgets addresses that have been inactive for a while.
    fn forget(&self) {
        if self.requests.len() > 10_000 {
            self.requests.retain_recent();
            self.guesses.retain_recent();
        }
    }
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let all = headers.get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    all.flat_map(|line| line.split(';')).find_map(|pair| pair.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Whether a `Host` header is a loopback name.
fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or_default(),
        None => host.split(':').next().unwrap_or_default(),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// Adds security headers to a response.
pub(crate) fn secure(headers: &mut HeaderMap) {
    for (name, value) in [
        (header::CONTENT_SECURITY_POLICY, POLICY),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        // With `no-referrer`, browsers omit the origin even for forms of this server.
        (header::REFERRER_POLICY, "same-origin"),
        (header::X_FRAME_OPTIONS, "DENY"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.insert("cross-origin-resource-policy", HeaderValue::from_static("same-origin"));
    headers.insert("cross-origin-opener-policy", HeaderValue::from_static("same-origin"));
    headers.entry(header::CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
}

#[cfg(test)]
mod tests {
    use super::*;

    const PEER: IpAddr = IpAddr::V4(std::net::Ipv4Addr::LOCALHOST);

    fn headers(pairs: &[(&'static str, &str)]) -> HeaderMap {
        pairs.iter().map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap())).collect()
    }

    #[test]
    fn without_a_token_only_loopback_names_are_answered() {
        let guard = Guard::new(None).unwrap();
        let host = |host: &str| guard.admit(PEER, &Method::GET, "/", &headers(&[("host", host)]));
        for name in ["127.0.0.1:8787", "localhost:8787", "[::1]:8787", "LOCALHOST"] {
            assert_eq!(host(name), Ok(()), "{name}");
        }
        for name in ["evil.example", "127.0.0.1.evil.example:8787", "localhost.evil.example", "10.0.0.1"] {
            assert_eq!(host(name).unwrap_err().status, StatusCode::FORBIDDEN, "{name}");
        }
    }

    #[test]
    fn a_write_comes_from_a_page_of_this_server() {
        let guard = Guard::new(None).unwrap();
        let post = |pairs: &[(&'static str, &str)]| {
            let all = [&[("host", "localhost:1")], pairs].concat();
            guard.admit(PEER, &Method::POST, "/run", &headers(&all)).map_err(|refusal| refusal.status)
        };
        assert_eq!(post(&[]), Ok(()));
        assert_eq!(post(&[("origin", "http://localhost:1"), ("sec-fetch-site", "same-origin")]), Ok(()));
        for pair in [
            ("origin", "http://evil.example"),
            ("origin", "http://localhost:2"),
            ("origin", "null"),
            ("sec-fetch-site", "cross-site"),
            ("sec-fetch-site", "same-site"),
        ] {
            assert_eq!(post(&[pair]), Err(StatusCode::FORBIDDEN), "{pair:?}");
        }
        assert!(guard.check_form(None).is_err() && guard.check_form(Some("x")).is_err());
        assert_eq!(guard.check_form(Some(&guard.csrf)), Ok(()));
    }

    #[test]
    fn a_token_is_wanted_and_guessing_is_slow() {
        let guard = Guard::new(Some("right")).unwrap();
        let get = |path: &str, pairs: &[(&'static str, &str)]| {
            let all = [&[("host", "desk.example")], pairs].concat();
            guard.admit(PEER, &Method::GET, path, &headers(&all)).map_err(|refusal| refusal.status)
        };
        assert_eq!(get("/", &[]), Err(StatusCode::UNAUTHORIZED));
        assert_eq!(get("/login", &[]), Ok(()));
        assert_eq!(get("/", &[("authorization", "Bearer right")]), Ok(()));
        assert_eq!(get("/", &[("cookie", "a=b; atlas_gt_token=right")]), Ok(()));
        let guesses: Vec<_> = (0..12).map(|_| get("/", &[("authorization", "Bearer wrong")])).collect();
        assert_eq!(guesses[0], Err(StatusCode::UNAUTHORIZED));
        assert_eq!(guesses[11], Err(StatusCode::TOO_MANY_REQUESTS));
        // who has the token still comes in
        assert_eq!(get("/", &[("authorization", "Bearer right")]), Ok(()));
    }
}
