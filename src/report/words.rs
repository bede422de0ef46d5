//! Words and signs that the reports share: numbers with their nouns, causes that several questions share, colours.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::io::Write;

use comfy_table::{ContentArrangement, Table, presets};
use serde::Serialize;

/// Writes a line to stderr, beside the result. A run goes on when nobody reads it: a line that cannot be written is left
/// out.
pub fn print_status(line: impl Display) {
    // whole, so that lines of two threads do not mix; `eprintln!` would panic where it cannot be written
    let _ = std::io::stderr().lock().write_all(format!("{line}\n").as_bytes());
}

/// A number with its noun: `1 page`, `2 pages`.
pub fn count(number: impl TryInto<u64>, noun: &str) -> String {
    plural(number, noun, &format!("{noun}s"))
}

/// A number with what it is said of: `1 change waits`, `2 changes wait`.
pub fn plural(number: impl TryInto<u64>, one: &str, many: &str) -> String {
    let number = number.try_into().unwrap_or(u64::MAX);
    format!("{number} {}", if number == 1 { one } else { many })
}

/// Errors of responses that nothing wanted rests on, one line each.
pub(super) fn idle_errors(errors: &BTreeMap<String, usize>) -> String {
    let line = |(error, pages): (&String, &usize)| {
        let pages = count(*pages, "page");
        format!("the site answers with an error on {pages}, and nothing wanted rests on it: {error}\n")
    };
    errors.iter().map(line).collect()
}

/// A share in per cent.
pub fn per_cent(share: f64) -> String {
    format!("{:.1} %", share * 100.0)
}

/// A table with this head, as wide as the terminal.
pub(super) fn table(head: &[&str]) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
    table.set_header(head.to_vec());
    table
}

/// Failures that share a cause, in the order of their first question: the cause without the page's own address, and the
/// ids. One site that cannot be reached is one line and not one a question.
pub(super) fn by_cause<'a>(
    failures: impl Iterator<Item = (&'a str, &'a str, &'a str)>,
) -> Vec<(String, Vec<&'a str>, &'a str)> {
    let mut found: Vec<(String, Vec<&str>, &str)> = Vec::new();
    for (id, page, cause) in failures {
        let cause = without_page(cause, page);
        match found.iter_mut().find(|(known, ..)| *known == cause) {
            Some((_, ids, _)) => ids.push(id),
            None => found.push((cause, vec![id], page)),
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

/// The word by which files call a value of an enumeration.
pub(super) fn word<T: Serialize>(value: &T) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

/// Text in a colour of the terminal.
pub(super) fn painted(text: impl Display, colour: u8) -> String {
    format!("\u{1b}[{colour}m{text}\u{1b}[0m")
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
        assert_eq!(found[0].0, "http://127.0.0.1:9 could not be reached");
        assert_eq!(first_ids(&found[0].1), "Q1, Q2, Q3, Q4, Q5 and 3 more");
    }
}
