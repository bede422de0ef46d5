//! Rules on verifications: what a person saw who compared a record with the page.

use super::finding::Found;
use super::rule::{Check, LintRule, requirement};
use super::subject::{LintSubject, digits, exact};
use crate::external::{Figure, MatchWord, Verification, keys};
use crate::scoring::Verdict;
use crate::scoring::compare::{Operand, compare_texts, find_in_text};
use crate::scoring::language::lexicon::list;
use crate::truth::Strength;
use crate::value::fold::words_at;
use crate::value::{Context, Quantity, Value, find_all, vocabulary};
use atlas_gt_core::diagnostic::Severity;

/// Whether a text states one of the record's values; none if nothing is comparable.
fn says_value(subject: &LintSubject<'_>, text: &str) -> Option<bool> {
    let figures = || subject.rows.figures.iter();
    let verdicts: Vec<Verdict> = figures().flat_map(|figure| verdicts(figure, text)).collect();
    if verdicts.iter().any(|verdict| verdict.agrees() || *verdict == Verdict::Partial) {
        return Some(true);
    }
    if is_sum(subject, text) {
        return Some(true);
    }
    let is_other =
        figures().any(|figure| is_comparable(figure, text)) && verdicts.contains(&Verdict::Mismatch);
    is_other.then_some(false)
}

/// Whether a text states the sum of the rows, as a total above them.
fn is_sum(subject: &LintSubject<'_>, text: &str) -> bool {
    let mut keys: Vec<&str> = subject.numbers().map(|figure| figure.key.as_str()).collect();
    keys.sort_unstable();
    keys.dedup();
    let sum_of = |key: &str| {
        let column: Vec<_> = subject.numbers().filter(|figure| figure.key == key).collect();
        let unit = column.first()?.quantity()?.unit;
        let sum = column.iter().map(|figure| exact(figure)).sum::<Option<rust_decimal::Decimal>>()?;
        (column.len() > 1).then(|| Value::Quantity(Quantity::exact(sum, unit)))
    };
    keys.into_iter()
        .filter_map(sum_of)
        .any(|sum| find_in_text(&Operand::value(sum, Context::default()), text).verdict.agrees())
}

/// Whether a value and a text are comparable: two numbers, or two words of one vocabulary. For
/// other words equality is unknown.
fn is_comparable(figure: &Figure, text: &str) -> bool {
    let has_numbers = figure.quantity().is_some() && !find_all(text).is_empty();
    let mut kinds = vocabulary::terms(&figure.text).map(|term| term.kind);
    has_numbers || kinds.any(|kind| vocabulary::canonical(kind, text).is_some())
}

/// The comparator's verdicts on a value, both displayed and precise, and a text.
fn verdicts(figure: &Figure, text: &str) -> Vec<Verdict> {
    let precise = figure.raw.as_ref().map(|raw| compare_texts(&raw.number.to_string(), text).verdict);
    let named = figure.about.product.as_deref().or(figure.about.country.as_deref());
    let named = named.map(|name| compare_texts(&format!("{name} {}", figure.text), text).verdict);
    let shown = Some(compare_texts(&figure.text, text).verdict);
    let found =
        Some(find_in_text(&Operand::text(&figure.text), text).verdict).filter(|verdict| verdict.agrees());
    [shown, precise, named, found].into_iter().flatten().collect()
}

/// The first value of a record, as written.
fn held<'s>(subject: &'s LintSubject<'_>) -> &'s str {
    subject.rows.figures.first().map_or("", |figure| figure.text.as_str())
}

/// The only number of a record.
fn only_number<'s>(subject: &'s LintSubject<'_>) -> Option<&'s Figure> {
    let mut numbers = subject.numbers();
    numbers.next().filter(|_| numbers.next().is_none() && subject.rows.figures.len() == 1)
}

pub(super) static NEWER: LintRule = LintRule {
    code: "GT013",
    title: "the record is newer than its verification",
    severity: Severity::Warning,
    requirement: requirement::CHECKED,
    help: "check the page again: the verified value may have been overwritten",
    check: Check::Record(newer),
    passing: r#"[{"record": {"execution_timestamp": "2026-02-28T10:14:09Z", "results": {"data": [{"metric": "Pattern", "value": "troubling"}]}}, "verification": {"match": true, "page_showed": "a pattern", "timestamp": "2026-03-01T10:00:00Z"}}]"#,
    failing: r#"[{"record": {"execution_timestamp": "2026-03-28T10:14:09Z", "results": {"data": [{"metric": "Pattern", "value": "troubling"}]}}, "verification": {"match": true, "page_showed": "a pattern", "timestamp": "2026-03-01T10:00:00Z"}}]"#,
};

fn newer(subject: &LintSubject<'_>) -> Option<Found> {
    let seen = subject.record.verification.as_ref()?;
    let (own, looked) = (subject.record.time.as_ref()?, seen.time.as_ref()?);
    let (own_at, looked_at) = (own.at?, looked.at?);
    let only_days = [own, looked].iter().any(|time| !time.text.contains(':'));
    let day = |at: jiff::Timestamp| at.as_second().div_euclid(86_400);
    let is_newer = if only_days { day(own_at) > day(looked_at) } else { own_at > looked_at };
    // a record corrected to the displayed value is rightly newer
    let still = seen.shown.as_deref().or(seen.value.as_deref()).and_then(|text| says_value(subject, text));
    if !is_newer || still == Some(true) && seen.matches != Some(MatchWord::Yes) {
        return None;
    }
    Some(Found::new("execution_timestamp", format!("collected {}, verified {}", own.text, looked.text)))
}

pub(super) static CIRCULAR: LintRule = LintRule {
    code: "GT014",
    title: "verified against its own source",
    severity: Severity::Error,
    requirement: requirement::TRUTH,
    help: "check the page: the same API repeats its answer, right or wrong",
    check: Check::Verification(circular),
    passing: r#"[{"record": {"source_method": "graphql_api", "results": {"data": [{"value": "$1.39B"}]}}, "verification": {"match": true, "verification_method": "browser", "page_showed": "$1.39B"}}]"#,
    failing: r#"[{"record": {"source_method": "graphql_api", "results": {"data": [{"value": "$1.39B"}]}}, "verification": {"match": true, "verification_method": "graphql_api", "page_showed": "$1.39B"}}]"#,
};

fn circular(subject: &LintSubject<'_>, seen: &Verification) -> Option<Found> {
    // for a value read on a page, an API is an independent source
    let strength = subject.record.source_method().map(|method| method.strength());
    if seen.matches != Some(MatchWord::Yes) || strength.is_some_and(|own| own >= Strength::PageResponse) {
        return None;
    }
    api_evidence(seen).or_else(|| copied(subject, seen))
}

/// Evidence that no page was checked.
fn api_evidence(seen: &Verification) -> Option<Found> {
    let is_api = |word: &str| {
        keys::method(word)
            .is_some_and(|(method, looked)| method.strength() < Strength::PageResponse && !looked)
    };
    if let Some(method) = seen.method.as_deref().filter(|word| is_api(word)) {
        return Some(Found::new("method", format!("verified by {method}")));
    }
    if let Some(address) = seen.address.as_deref().filter(|address| address.contains("/api/")) {
        return Some(Found::new("atlas_url", format!("verified at {address}, which is not a page")));
    }
    let notes = seen.notes.as_deref()?;
    let lower = notes.to_lowercase();
    let says = |name: &str| list(name).iter().any(|word| words_at(&lower, word).is_some());
    let is_api = says("checked_by_api");
    let is_page = says("checked_on_page");
    (is_api && !is_page).then(|| Found::new("notes", format!("verified by an API: {notes}")))
}

/// A number with all its digits, which no page shows.
fn copied(subject: &LintSubject<'_>, seen: &Verification) -> Option<Found> {
    let shown: String = seen.shown.as_deref()?.trim().trim_start_matches('$').replace(',', "");
    let shown: rust_decimal::Decimal = shown.parse().ok()?;
    let is_own = subject.numbers().any(|figure| {
        figure.raw.as_ref().is_some_and(|raw| raw.number == shown) || exact(figure) == Some(shown)
    });
    (is_own && digits(shown) > 8)
        .then(|| Found::new("page_showed", format!("no page shows all digits of {shown}")))
}

pub(super) static NO_MATCH: LintRule = LintRule {
    code: "GT022",
    title: "marked as matching, but the page showed another value",
    severity: Severity::Error,
    requirement: requirement::CHECKED,
    help: "check the page again, and correct the record or the mark",
    check: Check::Verification(no_match),
    passing: r#"[{"record": {"results": {"data": [{"value": "$367.68 billion"}]}}, "verification": {"match": true, "page_showed": "$368 billion"}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": "$818.32 billion"}]}}, "verification": {"match": true, "page_showed": "$767B"}}]"#,
};

fn no_match(subject: &LintSubject<'_>, seen: &Verification) -> Option<Found> {
    let shown = seen.shown.as_deref()?;
    let figure =
        only_number(subject).or_else(|| subject.numbers().next().filter(|_| find_all(shown).len() == 1))?;
    // a longer text states more than the value
    if seen.matches != Some(MatchWord::Yes) || !matches!(find_all(shown).len(), 1 | 2) {
        return None;
    }
    let agrees = |text: &str| compare_texts(text, shown).verdict != Verdict::Mismatch;
    if says_value(subject, shown) != Some(false) || seen.quoted().is_some_and(agrees) {
        return None;
    }
    let reason = compare_texts(&figure.text, shown).reason;
    Some(Found::new("match", format!("{} against {shown}: {reason}", figure.text)))
}

pub(super) static OTHER_QUOTE: LintRule = LintRule {
    code: "GT023",
    title: "the verification quotes another value than the record has",
    severity: Severity::Error,
    requirement: requirement::CHECKED,
    help: "the record was changed later, or the verification belongs to another record: verify it again",
    check: Check::Verification(other_quote),
    passing: r#"[{"record": {"results": {"data": [{"value": "$367.68 billion"}]}}, "verification": {"verified_value": "$367.68 billion", "match": true, "page_showed": "$368 billion"}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": "$367.68 billion"}]}}, "verification": {"verified_value": "$341.10 billion", "match": true, "page_showed": "$341 billion"}}]"#,
};

fn other_quote(subject: &LintSubject<'_>, seen: &Verification) -> Option<Found> {
    let quoted = seen.quoted()?;
    // a wrong value may have been corrected
    if seen.matches == Some(MatchWord::No)
        || says_value(subject, quoted) != Some(false)
        || find_all(quoted).len() > 2
    {
        return None;
    }
    let message = format!("{quoted} was verified, but the record has {}", held(subject));
    Some(Found::new("verified_value", message))
}

pub(super) static NOT_CORRECTED: LintRule = LintRule {
    code: "GT025",
    title: "found wrong, but still in the record",
    severity: Severity::Error,
    requirement: requirement::CHECKED,
    help: "correct the record to what the page showed, or state why it is right",
    check: Check::Verification(not_corrected),
    passing: r#"[{"record": {"results": {"data": [{"value": "$767.10 billion"}]}}, "verification": {"verified_value": "$818.32 billion", "match": false, "page_showed": "$767B"}}]"#,
    failing: r#"[{"record": {"results": {"data": [{"value": "$818.32 billion"}]}}, "verification": {"verified_value": "$818.32 billion", "match": false, "page_showed": "$767B"}}]"#,
};

fn not_corrected(subject: &LintSubject<'_>, seen: &Verification) -> Option<Found> {
    let shown = seen.shown.as_deref()?;
    let is_other = |text: &str| says_value(subject, text) == Some(false);
    if seen.matches != Some(MatchWord::No) || !is_other(shown) || seen.quoted().is_some_and(is_other) {
        return None;
    }
    let message = format!("the page showed {shown}, but the record has {}", held(subject));
    Some(Found::new("match", message))
}
