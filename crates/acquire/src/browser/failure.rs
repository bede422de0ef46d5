//! Maps driver errors to [`VisitError`].

use fantoccini::error::{CmdError, ErrorStatus, NewSessionError};

use crate::page::VisitError;

pub(super) fn unreachable_site(url: &str, reason: &str) -> VisitError {
    VisitError::SiteUnreachable { url: url.to_owned(), reason: reason.to_owned() }
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

/// Messages that a Grid sends when a session's node no longer answers.
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
