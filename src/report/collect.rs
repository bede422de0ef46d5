//! The summary of a collection for people.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use super::words::{by_cause, count, first_ids, idle_errors, painted, plural, seconds};
use crate::workflow::{QuestionOutcome, Report, Totals};

/// The summary as text.
#[must_use]
pub fn text(report: &Report, colours: bool) -> String {
    let mut text = String::new();
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["extractor", "collected", "agreed", "absent", "differing", "failed"]);
    for (name, totals) in &report.by_extractor {
        table.add_row(row(name, totals));
    }
    if report.by_extractor.len() != 1 {
        table.add_row(row("all", &report.totals));
    }
    for column in 1..6 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    let _ = writeln!(text, "{table}");
    for question in &report.questions {
        let mark = match question.outcome {
            QuestionOutcome::Differs => "differs",
            _ if !question.disagreements.is_empty() => "page disagrees",
            _ => continue,
        };
        for note in question.notes.iter().chain(&question.disagreements) {
            let _ = writeln!(text, "Q{} {mark}: {note}", question.question_id);
        }
    }
    let failed = report.questions.iter().filter(|question| question.outcome == QuestionOutcome::Failed);
    let notes =
        failed.flat_map(|one| one.notes.iter().chain(&one.disagreements).map(move |note| (one, note)));
    for (cause, ids, _) in
        by_cause(notes.map(|(one, note)| (one.question_id.as_str(), one.page.as_str(), note.as_str())))
    {
        let _ = writeln!(text, "{} failed: {cause}", first_ids(&ids));
    }
    let bundles: Vec<_> = report.visits.iter().filter_map(|visit| visit.bundle.as_ref()).collect();
    for bundle in bundles {
        let _ = writeln!(text, "kept page, picture and responses in {}", bundle.display());
    }
    for check in &report.schemas {
        let api = check.api;
        if let Some(failure) = &check.failure {
            let _ = writeln!(text, "the schema of the {api} API could not be compared: {failure}");
        } else if !check.differences.is_empty() {
            let _ = writeln!(
                text,
                "the live schema of the {api} API differs in {}; not sent: {} (`atlas-gt api introspect` shows all)",
                check.differences.join(", "),
                check.disabled.join(", ")
            );
        }
    }
    text.push_str(&idle_errors(&report.idle_errors));
    if !report.planned.is_empty() {
        let _ = writeln!(
            text,
            "{} planned for later extractors",
            plural(report.planned.len(), "question is", "questions are")
        );
    }
    let loads: u32 = report.visits.iter().map(|visit| visit.loads).sum();
    let _ = writeln!(
        text,
        "{}, {}, {} (planned {}, {} of our own), {:.1} s (waited {:.1} s for the budget of requests); records in {}",
        count(report.visits.len(), "page"),
        count(loads, "load"),
        count(report.requests, "request"),
        report.planned_requests,
        report.own_requests,
        seconds(report.took_ms),
        seconds(report.waited_ms),
        report.store.display(),
    );
    text.push_str(&troubles(report));
    let verdict = verdict(report);
    let _ = writeln!(
        text,
        "{}",
        if colours { painted(&verdict, if report.exit_code == 0 { 32 } else { 31 }) } else { verdict }
    );
    text
}

/// What a run had to sit out or do again, and what it left out; nothing where there was nothing of it.
fn troubles(report: &Report) -> String {
    let mut text = String::new();
    let mut parts = Vec::new();
    if report.retries > 0 {
        parts.push(format!(
            "{} tried again (waited {:.1} s between attempts)",
            plural(report.retries, "visit was", "visits were"),
            seconds(report.waits.backoff_ms)
        ));
    }
    if report.waits.held_back_ms > 0 {
        parts.push(format!(
            "held back for {:.1} s because the site was busy",
            seconds(report.waits.held_back_ms)
        ));
    }
    if report.restarts > 0 {
        parts.push(format!("{} replaced", plural(report.restarts, "browser was", "browsers were")));
    }
    if !parts.is_empty() {
        let _ = writeln!(text, "{}", parts.join("; "));
        let slow = report.slowest.iter().take(3);
        let slow: Vec<String> =
            slow.map(|one| format!("{} {:.1} s", one.page, seconds(one.took_ms))).collect();
        let _ = writeln!(text, "slowest: {}", slow.join(", "));
    }
    if report.answered_before > 0 {
        let _ = writeln!(
            text,
            "{} answered before",
            plural(report.answered_before, "question was", "questions were")
        );
    }
    if report.fresh > 0 {
        let _ = writeln!(
            text,
            "{} looked at recently and left out",
            plural(report.fresh, "question was", "questions were")
        );
    }
    text
}

fn row(name: &str, totals: &Totals) -> [String; 6] {
    [
        name.to_owned(),
        totals.collected.to_string(),
        totals.agreed.to_string(),
        totals.absent.to_string(),
        totals.differing.to_string(),
        totals.failed.to_string(),
    ]
}

fn verdict(report: &Report) -> String {
    let totals = &report.totals;
    match report.exit_code {
        0 if report.questions.is_empty() => "ok: nothing was left to collect; no page was visited".to_owned(),
        0 => format!("ok: {} collected, {} agreed", totals.collected, totals.agreed),
        3 if totals.differing > 0 => format!(
            "differences: {} from the page; the readings are kept pending in {}",
            plural(totals.differing, "record differs", "records differ"),
            report.store.join("pending").display()
        ),
        3 => format!(
            "differences: {} their own response",
            plural(totals.disagreeing, "question contradicts", "questions contradict")
        ),
        4 => format!(
            "not everything could be extracted: {} failed; nothing of it was stored as truth",
            count(totals.failed, "question")
        ),
        5 => "the site could not be reached or refused; what was read before is stored".to_owned(),
        130 => {
            format!("interrupted: {} not got to", plural(totals.skipped, "question was", "questions were"))
        }
        code => format!("exit code {code}"),
    }
}
