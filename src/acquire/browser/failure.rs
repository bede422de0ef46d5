//! Telling failures apart: what a navigation's end and the driver's answers mean.

use fantoccini::error::{CmdError, ErrorStatus, NewSessionError};
use serde::Deserialize;

use crate::acquire::page::VisitError;

/// Where a navigation has ended. The document of a failed one is Chromium's own error page.
pub(super) const ARRIVAL: &str = r"
const entry = performance.getEntriesByType('navigation')[0];
const failed = document.documentURI.startsWith('chrome-error://');
const words = failed && document.body ? document.body.innerText : '';
return JSON.stringify({
  url: location.href, status: entry ? entry.responseStatus : 0, failed,
  reason: (words.match(/ERR_[A-Z0-9_]+/) || [''])[0], http: Number((words.match(/HTTP ERROR (\d+)/) || [0, 0])[1]),
  origin: String(performance.timeOrigin),
  requests: 1 + performance.getEntriesByType('resource').filter((one) => {
    try { return one.deliveryType !== 'cache' && new URL(one.name).host === arguments[0]; } catch { return false; }
  }).length,
});";

#[derive(Debug, Deserialize)]
pub(super) struct Arrival {
    pub url: String,
    pub status: u16,
    failed: bool,
    reason: String,
    http: u16,
    pub origin: String,
    pub requests: u32,
}

/// What an arrival means. `Ok` from the driver says nothing: it is the same for 404, resets and redirect loops.
pub(super) fn judge(arrival: &Arrival, url: &str, origin_before: &str) -> Result<(), VisitError> {
    let status = if arrival.http > 0 { arrival.http } else { arrival.status };
    if status >= 400 {
        return Err(VisitError::HttpStatus { status, retry_after: None });
    }
    if arrival.failed {
        return Err(match arrival.reason.as_str() {
            "ERR_TOO_MANY_REDIRECTS" => VisitError::TooManyRedirects(url.to_owned()),
            reason => unreachable_site(url, if reason.is_empty() { "unknown reason" } else { reason }),
        });
    }
    if arrival.origin == origin_before {
        return Err(unreachable_site(url, "no document came, such as with HTTP status 204 or a download"));
    }
    Ok(())
}

fn unreachable_site(url: &str, reason: &str) -> VisitError {
    VisitError::SiteUnreachable { url: url.to_owned(), reason: reason.to_owned() }
}

/// Puts the URL into errors of a navigation that could not know it.
pub(super) fn named(error: VisitError, url: &str) -> VisitError {
    match error {
        VisitError::Timeout(_) => VisitError::Timeout(url.to_owned()),
        VisitError::SiteUnreachable { reason, .. } => unreachable_site(url, &reason),
        VisitError::TooManyRedirects(_) => VisitError::TooManyRedirects(url.to_owned()),
        other => other,
    }
}

pub(super) fn classify(error: &CmdError) -> VisitError {
    match error {
        CmdError::FailedC(_) | CmdError::Failed(_) | CmdError::Lost(_) => {
            VisitError::DriverLost(error.to_string())
        }
        CmdError::Standard(said) => classify_answer(&said.error, &said.message),
        other => classify_message(&other.to_string()),
    }
}

fn classify_answer(status: &ErrorStatus, message: &str) -> VisitError {
    match status {
        ErrorStatus::InvalidSessionId | ErrorStatus::NoSuchWindow => {
            VisitError::SessionLost(first_line(message))
        }
        ErrorStatus::Timeout => VisitError::Timeout("the page".into()),
        ErrorStatus::ScriptTimeout => VisitError::Timeout("a script in the page".into()),
        _ => classify_message(message),
    }
}

/// How a Grid says that a session's node does not answer any more.
const LOST_NODE: [&str; 5] = [
    "Unable to execute request for an existing session",
    "Unable to find session",
    "Cannot find session",
    "ConnectException",
    "ConnectionFailedException",
];

fn classify_message(message: &str) -> VisitError {
    let says = |words: &[&str]| words.iter().any(|word| message.contains(word));
    if says(&["tab crashed"]) {
        VisitError::TabCrashed
    } else if says(&["ERR_TOO_MANY_REDIRECTS"]) {
        VisitError::TooManyRedirects(String::new())
    } else if let Some(at) = message.find("net::ERR_") {
        let name = message[at + 5..].split(|c: char| !c.is_ascii_alphanumeric() && c != '_').next();
        unreachable_site("", name.unwrap_or_default())
    } else if says(&LOST_NODE) {
        VisitError::SessionLost(format!("the Grid lost its node: {}", first_line(message)))
    } else if says(&["disconnected", "not reachable", "not connected to DevTools", "invalid session id"]) {
        VisitError::SessionLost(first_line(message))
    } else {
        VisitError::Protocol(first_line(message))
    }
}

pub(super) fn classify_start(error: &NewSessionError) -> VisitError {
    let message = first_line(&error.to_string());
    match error {
        NewSessionError::Failed(_) | NewSessionError::FailedC(_) | NewSessionError::Lost(_) => {
            VisitError::DriverLost(message)
        }
        NewSessionError::UnexpectedError(inner) => classify(inner),
        _ => VisitError::SessionLost(format!("it did not start: {message}")),
    }
}

fn first_line(message: &str) -> String {
    message.lines().next().unwrap_or_default().trim().chars().take(300).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrival(status: u16) -> Arrival {
        Arrival {
            url: "http://site/".into(),
            status,
            failed: false,
            reason: String::new(),
            http: 0,
            origin: "2".into(),
            requests: 1,
        }
    }

    #[test]
    fn an_arrival_is_judged_by_the_document_not_by_the_driver() {
        assert_eq!(judge(&arrival(200), "u", "1"), Ok(()));
        let status = |status| Err(VisitError::HttpStatus { status, retry_after: None });
        assert_eq!(judge(&arrival(404), "u", "1"), status(404));
        let error_page =
            |reason: &str, http| Arrival { failed: true, reason: reason.into(), http, ..arrival(0) };
        assert_eq!(judge(&error_page("", 503), "u", "1"), status(503));
        assert_eq!(
            judge(&error_page("ERR_TOO_MANY_REDIRECTS", 0), "u", "1"),
            Err(VisitError::TooManyRedirects("u".into()))
        );
        assert_eq!(
            judge(&error_page("ERR_CONNECTION_RESET", 0), "u", "1"),
            Err(unreachable_site("u", "ERR_CONNECTION_RESET"))
        );
        assert!(judge(&arrival(200), "u", "2").is_err(), "the document before is still there");
    }

    #[test]
    fn answers_of_the_driver_are_told_apart() {
        assert_eq!(classify_message("tab crashed\n  (Session info: …)"), VisitError::TabCrashed);
        assert_eq!(
            classify_message("unknown error: net::ERR_CONNECTION_REFUSED\n"),
            unreachable_site("", "ERR_CONNECTION_REFUSED")
        );
        assert!(matches!(classify_message("chrome not reachable"), VisitError::SessionLost(_)));
        let lost = "Unable to execute request for an existing session: java.net.ConnectException: Connection refused";
        assert!(matches!(classify_message(lost), VisitError::SessionLost(_)));
        assert!(matches!(classify_message("element click intercepted"), VisitError::Protocol(_)));
        assert!(matches!(classify_answer(&ErrorStatus::Timeout, "timeout"), VisitError::Timeout(_)));
    }
}
