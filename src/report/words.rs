//! Shared wording of the reports: numbers with units, and causes shared by several questions.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::{IsTerminal, Write};

use super::{Body, Invocation, Text, Tone};
use crate::manifest::Diagnostic;
use crate::row;
use crate::scoring::stats::{Bounds, Proportion};
use crate::scoring::{CaseVerdict, VerdictCounts};
pub(super) use crate::words::{count, per_cent, plural};
use crate::workflow::SchemaCheck;
use atlas_gt_core::question_id::question_label;

/// Prints a line to stderr. A line that cannot be written is dropped, because a run does not depend
/// on its reader.
pub fn print_status(line: impl Display) {
    // one write, so that lines of two threads do not mix; `eprintln!` would panic on a closed
    // stderr
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// Prints a diagnostic to stderr, in colors if it supports them.
pub fn print_diagnostic(diagnostic: &Diagnostic) {
    let colours = std::io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    print_status(diagnostic.render(colours));
}

/// The number of answers for each verdict: `3 pass, 0 partial, 1 fail, …`.
pub(super) fn verdict_counts(counts: &VerdictCounts) -> String {
    let count = |verdict: &CaseVerdict| format!("{} {verdict}", verdict.of(counts));
    CaseVerdict::ALL.iter().map(count).collect::<Vec<_>>().join(", ")
}

/// The tone of a verdict.
pub(super) const fn verdict_tone(verdict: CaseVerdict) -> Tone {
    match verdict {
        CaseVerdict::Pass => Tone::Good,
        CaseVerdict::Fail | CaseVerdict::Error => Tone::Bad,
        CaseVerdict::Partial => Tone::Warning,
        CaseVerdict::Unscored => Tone::Muted,
    }
}

/// A verdict in its color.
pub fn badge(verdict: CaseVerdict) -> Text {
    Text::badge(verdict_tone(verdict), verdict.name())
}

/// An exit code with its reason, as printed at the end of every run.
#[must_use]
pub fn exit_line(code: u8, reason: &str) -> String {
    format!("exit code {code}: {reason}")
}

/// Response errors that affect no wanted value, one line per error.
pub(super) fn idle_errors(errors: &BTreeMap<String, usize>) -> Vec<String> {
    let line = |(error, pages): (&String, &usize)| {
        let pages = count(*pages, "page");
        format!("the site returns an error on {pages}, without effect on wanted values: {error}")
    };
    errors.iter().map(line).collect()
}

/// Differences of the live schemas, one line per API. `command` shows all of them.
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

/// The bounds of a share: `91.0 % to 97.5 %`.
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

/// Failures with the same cause.
#[derive(Debug)]
pub(super) struct Cause<'a> {
    /// The cause, without the page address if several pages share it.
    pub why: String,
    /// The questions.
    pub ids: Vec<&'a str>,
    /// The page of the first question.
    pub page: &'a str,
}

impl Cause<'_> {
    /// A row: questions, question text, page, cause.
    pub fn cells(&self, invocation: &Invocation) -> Vec<Text> {
        let (asked, page) = match self.ids.as_slice() {
            [id] => (invocation.question(id), invocation.page(self.page)),
            _ => (Text::default(), Text::default()),
        };
        row![first_ids(&self.ids), asked, page, &self.why]
    }
}

/// Groups failures by cause, in the order of their first question. An unreachable site is then one
/// line, not one per question.
pub(super) fn by_cause<'a>(failures: impl Iterator<Item = (&'a str, &'a str, &'a str)>) -> Vec<Cause<'a>> {
    let mut found: Vec<Cause<'a>> = Vec::new();
    for (id, page, cause) in failures {
        let why = without_page(cause, page);
        match found.iter_mut().find(|known| without_page(&known.why, known.page) == why) {
            Some(known) => {
                if !known.ids.contains(&id) {
                    known.ids.push(id);
                }
                if known.why != cause {
                    known.why = why;
                }
            }
            None => found.push(Cause { why: cause.to_owned(), ids: vec![id], page }),
        }
    }
    found
}

/// The cause without the page address, so that pages of one site share it.
pub(super) fn without_page(cause: &str, page: &str) -> String {
    cause.replace(page, "")
}

/// Adds questions that have something in common, one per row, under a title that says it.
pub(super) fn add_questions(body: &mut Body, title: String, ids: &[String], invocation: &Invocation) {
    let cells = |id: &String| row![question_label(id), invocation.question(id)];
    body.section(title, |body| body.rows(&["question", "asked"], ids.iter().map(cells)));
}

/// The first of several questions: `Q1, Q2, Q3 and 175 more`.
pub(super) fn first_ids(ids: &[&str]) -> String {
    const FIRST: usize = 5;
    let named: Vec<String> = ids.iter().take(FIRST).map(question_label).collect();
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

        let of_one_page = [("61", "/countries/404", "closed (Disallow: /countries/404)"); 2];
        assert_eq!(by_cause(of_one_page.into_iter())[0].why, "closed (Disallow: /countries/404)");
    }
}
