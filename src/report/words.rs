//! Words that the reports share: numbers with their nouns, causes that several questions share.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

use super::{Invocation, Text};
use crate::row;
use crate::scoring::stats::{Bounds, Proportion};
pub(super) use crate::words::{count, plural};
use crate::workflow::SchemaCheck;

/// Writes a line to stderr, beside the result. A run does not depend on its reader: a line that cannot be written is left
/// out.
pub fn print_status(line: impl Display) {
    // whole, so that lines of two threads do not mix; `eprintln!` would panic where it cannot be written
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// Errors of responses that nothing wanted rests on, one line each.
pub(super) fn idle_errors(errors: &BTreeMap<String, usize>) -> Vec<String> {
    let line = |(error, pages): (&String, &usize)| {
        let pages = count(*pages, "page");
        format!("the site answers with an error on {pages}, and nothing wanted rests on it: {error}")
    };
    errors.iter().map(line).collect()
}

/// What is to be known of the live schemas, one line an API. `command` shows all of it.
pub(super) fn of_schemas(checks: &[SchemaCheck], command: &str) -> Vec<String> {
    let line = |check: &SchemaCheck| {
        let api = check.api;
        if let Some(failure) = &check.failure {
            return Some(format!("the schema of the {api} API could not be compared: {failure}"));
        }
        let disabled = match check.disabled.join(", ") {
            none if none.is_empty() => String::new(),
            some => format!("; not sent: {some}"),
        };
        (!check.differences.is_empty()).then(|| {
            let differences = check.differences.join(", ");
            format!(
                "the live schema of the {api} API differs in {differences}{disabled} (`{command}` shows all)"
            )
        })
    };
    checks.iter().filter_map(line).collect()
}

/// A share in per cent.
pub fn per_cent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// Where a share may lie: `91.0 % to 97.5 %`.
pub(super) fn between(ends: &Bounds) -> String {
    format!("{} to {}", per_cent(ends.low), per_cent(ends.high))
}

/// A share with its counts and its confidence interval.
pub(super) fn rate(rate: &Proportion) -> String {
    let Proportion { successes, n, rate, interval } = rate;
    format!("{} ({successes} of {n}, 95 % interval {})", per_cent(*rate), between(interval))
}

/// A score with three decimals, or a dash.
pub(super) fn three(value: Option<f64>) -> String {
    value.map_or_else(|| "-".to_owned(), |value| format!("{value:.3}"))
}

/// Failures that share a cause.
#[derive(Debug)]
pub(super) struct Cause<'a> {
    /// The cause, without the page's own address.
    pub why: String,
    /// The questions.
    pub ids: Vec<&'a str>,
    /// The page of the first of them.
    pub page: &'a str,
}

impl Cause<'_> {
    /// The questions, what is asked, the page, the cause.
    pub fn cells(&self, invocation: &Invocation) -> Vec<Text> {
        let (asked, page) = match self.ids.as_slice() {
            [id] => (invocation.question(id), invocation.page(self.page)),
            _ => (Text::default(), Text::default()),
        };
        row![first_ids(&self.ids), asked, page, &self.why]
    }
}

/// Failures by cause, in the order of their first question. One site that cannot be reached is one line and not one a question.
pub(super) fn by_cause<'a>(failures: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<Cause<'a>> {
    let mut found: Vec<Cause<'a>> = Vec::new();
    for (id, page, cause) in failures {
        let why = without_page(cause, page);
        match found.iter_mut().find(|known| known.why == why) {
            Some(known) if known.ids.contains(&id) => {}
            Some(known) => known.ids.push(id),
            None => found.push(Cause { why, ids: vec![id], page }),
        }
    }
    found
}

/// A cause without the address of the page, so that pages of one site share it.
pub(super) fn without_page(cause: &str, page: &str) -> String {
    cause.replace(page, "")
}

/// The first questions of several: `Q1, Q2, Q3 and 175 more`.
pub(super) fn first_ids(ids: &[&str]) -> String {
    const FIRST: usize = 5;
    let named: Vec<String> = ids.iter().take(FIRST).map(|id| format!("Q{id}")).collect();
    match ids.len().saturating_sub(FIRST) {
        0 => named.join(", "),
        more => format!("{} and {more} more", named.join(", ")),
    }
}

#[expect(clippy::cast_precision_loss, reason = "a time for people")]
pub(super) fn seconds(millis: u64) -> f64 {
    millis as f64 / 1000.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_agree_with_their_nouns() {
        assert_eq!(count(1u32, "value"), "1 value");
        assert_eq!(count(0u32, "value"), "0 values");
        assert_eq!(plural(1u32, "change waits", "changes wait"), "1 change waits");
    }

    #[test]
    fn a_site_that_cannot_be_reached_is_one_cause() {
        let pages: Vec<String> = (1..=8).map(|n| format!("/countries/{n}")).collect();
        let causes: Vec<String> =
            pages.iter().map(|page| format!("http://127.0.0.1:9{page} could not be reached")).collect();
        let ids: Vec<String> = (1..=8).map(|n| n.to_string()).collect();
        let all = ids.iter().zip(&pages).zip(&causes);
        let found = by_cause(all.map(|((id, page), cause)| (id.as_str(), page.as_str(), cause.as_str())));
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].why, "http://127.0.0.1:9 could not be reached");
        assert_eq!(first_ids(&found[0].ids), "Q1, Q2, Q3, Q4, Q5 and 3 more");
    }
}
