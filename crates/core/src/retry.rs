//! Retry intervals: `Retry-After` (RFC 9110, section 10.2.3), otherwise exponential backoff.

use std::time::Duration;

use backon::ExponentialBuilder;
use jiff::Timestamp;
use reqwest::header::{HeaderMap, RETRY_AFTER};

/// Exponential backoff with jitter from `first` to `longest`, for `requests` requests in total.
pub fn backoff(first: Duration, longest: Duration, requests: usize) -> ExponentialBuilder {
    ExponentialBuilder::default()
        .with_jitter()
        .with_min_delay(first)
        .with_max_delay(longest)
        .with_max_times(requests.saturating_sub(1))
}

/// The next wait: what the server asked for in place of `own`, unless it is longer than anyone waits.
pub fn next_wait(asked: Option<Duration>, own: Option<Duration>, longest: Duration) -> Option<Duration> {
    own.map(|own| asked.unwrap_or(own)).filter(|wait| asked.is_none() || *wait <= longest)
}

/// The wait that a response requests.
pub fn retry_after(headers: &HeaderMap) -> Option<Duration> {
    parse_retry_after(headers.get(RETRY_AFTER)?.to_str().ok()?, Timestamp::now())
}

/// Parses `Retry-After`: seconds, or an HTTP date relative to `now`. A past date means no wait.
pub fn parse_retry_after(header: &str, now: Timestamp) -> Option<Duration> {
    let header = header.trim();
    if !header.is_empty() && header.bytes().all(|byte| byte.is_ascii_digit()) {
        // A number that overflows means longer than anyone waits.
        return Some(Duration::from_secs(header.parse().unwrap_or(u64::MAX)));
    }
    let at = jiff::fmt::rfc2822::DateTimeParser::new().parse_timestamp(header).ok()?;
    let wait = at.as_millisecond() - now.as_millisecond();
    Some(Duration::from_millis(u64::try_from(wait).unwrap_or(0)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_forms_are_read() {
        let now: Timestamp = "1994-11-06T08:49:00Z".parse().unwrap();
        for (header, seconds) in [
            ("0", Some(0)),
            (" 120 ", Some(120)),
            ("99999999999999999999999", Some(u64::MAX)),
            ("Sun, 06 Nov 1994 08:49:37 GMT", Some(37)),
            ("Sun, 06 Nov 1994 08:48:37 GMT", Some(0)),
            ("", None),
            ("-5", None),
            ("1.5", None),
            ("soon", None),
        ] {
            assert_eq!(parse_retry_after(header, now), seconds.map(Duration::from_secs), "{header}");
        }
    }
}
