//! What waits for a person, as text: the list, one question, and the commands that judge it.

use std::fmt::Write as _;
use std::path::Path;

use super::words::count;
use crate::truth::Store;
use crate::truth::review::Missing;
use crate::value::expected;
use crate::workflow::review::{Judged, Waiting};

/// The list, one question a line.
#[must_use]
pub fn list(all: &[Waiting]) -> String {
    let mut text = String::new();
    for one in all {
        let _ = writeln!(text, "Q{} {}", one.review.question_id, one.review.summary());
    }
    let _ = writeln!(text, "{} under review", count(all.len(), "question"));
    text
}

/// One question: what is wanted, what the responses hold, and where page and pictures are kept.
#[must_use]
pub fn question(store: &Store, one: &Waiting) -> String {
    let review = &one.review;
    let mut text =
        format!("Q{} of {}, seen {}\n", review.question_id, review.record.atlas_url, review.seen_at);
    for (at, missing) in review.missing.iter().enumerate() {
        let _ = writeln!(text, "{}", missing.field);
        for (name, value) in facts(one, at) {
            let _ = writeln!(text, "  {name}: {value}");
        }
        if let Some(crop) = &missing.crop {
            let _ = writeln!(text, "  crop: {}", store.picture_path(crop).display());
        }
    }
    let _ = writeln!(text, "page: {}", store.capture_path(&review.capture).display());
    if let Some(picture) = &review.picture {
        let _ = writeln!(text, "picture: {}", store.picture_path(picture).display());
    }
    for command in commands(one, store.dir()) {
        let _ = writeln!(text, "{command}");
    }
    text
}

/// What accepting a value of a question came to.
#[must_use]
pub fn accepted(id: &str, judged: &Judged) -> String {
    if !judged.left.is_empty() {
        return format!("Q{id}: accepted; still to be judged: {}\n", judged.left.join(", "));
    }
    if let Some(question) = &judged.input_of {
        return format!(
            "Q{id}: accepted; `atlas-gt collect --questions {question}` puts the answer of Q{question} together\n"
        );
    }
    let changes: String = judged.changes.iter().map(|change| format!("Q{id}: {change}\n")).collect();
    format!("{changes}{} taken over\n", count(judged.changes.len(), "value"))
}

/// What is known of a value of a question, by name: what it is, what to look for, what the response and the record say.
pub(super) fn facts(one: &Waiting, at: usize) -> Vec<(&'static str, String)> {
    let missing = &one.review.missing[at];
    let mut facts = Vec::new();
    if let Some((row, point)) = one.review.row(missing) {
        let metric = if row.metric.is_empty() { &row.data_point } else { &row.metric };
        let unit = row.unit.and_then(|unit| serde_json::to_value(unit).ok());
        let unit = unit.as_ref().and_then(serde_json::Value::as_str);
        let parts = [Some(row.country.as_str()).filter(|name| !name.is_empty()), row.year.as_deref(), unit];
        let about: Vec<&str> = std::iter::once(metric.as_str()).chain(parts.into_iter().flatten()).collect();
        facts.push(("wanted", about.join(", ")));
        let form = point.rule.map(|rule| format!("{} ({rule:?})", expected(rule)));
        let form = match &missing.named {
            Some(key) => form.map(|form| format!("the name of the {key}, then {form}")),
            None => form,
        };
        let words =
            missing.vocabulary.as_ref().map(|kind| format!("one of the {} words", kind.replace('_', " ")));
        facts.extend(form.or(words).map(|form| ("form", form)));
    }
    if !missing.label.is_empty() {
        facts.push(("look for", missing.label.clone()));
    }
    facts.push(match &missing.response_value {
        Some(value) => ("the response holds", format!("{value} ({})", missing.source)),
        None => ("the response holds", "nothing of it".to_owned()),
    });
    let known = one.known.get(at).cloned().flatten();
    facts.push(("the record says", known.unwrap_or_else(|| "nothing".to_owned())));
    if let Some(suggestion) = &missing.suggestion {
        let sure = suggestion.confidence.round();
        facts.push(("suggestion", format!("{} (text recognition, {sure} % sure)", suggestion.text)));
    }
    if let Some(accepted) = &missing.accepted {
        let value = accepted.read.as_ref().map(|read| read.value.clone());
        let value = value.or_else(|| missing.response_value.clone()).unwrap_or_default();
        facts.push(("accepted", format!("{value} by {}; waits for the other values", accepted.person.by)));
    }
    facts.push(("looked for", missing.looked_for.clone()));
    facts
}

/// The commands that accept a value or reject the question.
pub(super) fn commands(one: &Waiting, store: &Path) -> Vec<String> {
    let id = &one.review.question_id;
    let store = quoted(&store.display().to_string());
    let accept = |missing: &Missing| {
        let value = if missing.response_value.is_some() { "[VALUE]" } else { "VALUE" };
        let point = match one.review.missing.len() {
            1 => String::new(),
            _ => format!(" --point {}", quoted(&missing.field)),
        };
        format!("atlas-gt review accept {id} {value}{point} --reason TEXT --store {store}")
    };
    let open = one.review.missing.iter().filter(|missing| missing.accepted.is_none());
    let reject = format!("atlas-gt review reject {id} --reason TEXT --store {store}");
    open.map(accept).chain([reject]).collect()
}

/// A word as a shell reads it.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "/._-=:@".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', "'\\''"))
}
