//! A refresh for people: by kind on a terminal, as Markdown for a pull request; and what a commit did.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use comfy_table::{CellAlignment, Table, presets};

use super::words::{by_cause, count, first_ids, idle_errors, painted, plural, seconds};
use crate::truth::ChangeKind;
use crate::workflow::refresh::{Change, Committed, Refreshed};

/// What a refresh found, as text.
#[must_use]
pub fn text(report: &Refreshed, colours: bool) -> String {
    let mut text = String::new();
    for kind in ChangeKind::ALL {
        let of_kind: Vec<&Change> = report.changes.iter().filter(|change| change.kind == kind).collect();
        if !of_kind.is_empty() {
            let _ = writeln!(text, "{}", heading(kind, of_kind.len(), colours));
            for change in of_kind {
                let look = if change.needs_page_look { " [needs a page look]" } else { "" };
                let _ = writeln!(text, "  {}{look}", change.line);
            }
        }
    }
    if !report.broken.is_empty() {
        let _ = writeln!(text, "{}", heading(ChangeKind::ExtractorBroken, report.broken.len(), colours));
    }
    text.push_str(&causes(report));
    text.push_str(&lists(report));
    text.push_str(&idle_errors(&report.idle_errors));
    if !report.by_kind.is_empty() {
        let _ = writeln!(text, "{}", summary(report));
    }
    let loads: u32 = report.visits.iter().map(|visit| visit.loads).sum();
    let _ = writeln!(
        text,
        "{}: {} unchanged, {}, {} broken, {} not read; {}, {}, {:.1} s{}",
        count(report.questions, "question"),
        report.unchanged,
        count(report.changes.len(), "change"),
        report.broken.len(),
        report.failed.len(),
        count(loads, "load"),
        count(report.requests, "request"),
        seconds(report.took_ms),
        report.site_vintage.as_ref().map_or_else(String::new, |vintage| format!("; data of {vintage}")),
    );
    let verdict = verdict(report);
    let _ = writeln!(text, "{}", if colours { painted(&verdict, verdict_colour(report)) } else { verdict });
    text
}

/// How many of each kind, and in how many questions.
fn summary(report: &Refreshed) -> Table {
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["kind", "changes", "questions"]);
    for (kind, count) in &report.by_kind {
        let of_kind = report.changes.iter().filter(|change| change.kind == *kind);
        let mut questions: BTreeSet<&str> = of_kind.map(|change| change.question_id.as_str()).collect();
        if *kind == ChangeKind::ExtractorBroken {
            questions.extend(report.broken.iter().map(|broken| broken.question_id.as_str()));
        }
        table.add_row([kind.to_string(), count.to_string(), questions.len().to_string()]);
    }
    for column in 1..3 {
        if let Some(column) = table.column_mut(column) {
            column.set_cell_alignment(CellAlignment::Right);
        }
    }
    table
}

/// What could not be read, one line a cause.
#[must_use]
pub fn causes(report: &Refreshed) -> String {
    let mut text = String::new();
    for broken in &report.broken {
        for note in &broken.notes {
            let _ = writeln!(text, "  Q{}: {note} (extractor broken)", broken.question_id);
        }
    }
    if !report.broken.is_empty() && report.mendable.is_none() {
        let ids: Vec<&str> = report.broken.iter().map(|broken| broken.question_id.as_str()).collect();
        let _ = writeln!(
            text,
            "  `atlas-gt collect --questions {}` keeps what is needed to mend the extractor",
            ids.join(",")
        );
    }
    if let Some(one) = &report.mendable {
        let _ = writeln!(
            text,
            "  `mend` could propose changes for {} of {} that are not found: atlas-gt mend {}",
            one.points,
            count(one.of, "point"),
            one.bundle.display()
        );
    }
    for (cause, ids, page) in causes_of_failures(report) {
        let place = if ids.len() == 1 { format!(" ({page})") } else { String::new() };
        let _ = writeln!(text, "{} not read: {cause}{place}", first_ids(&ids));
    }
    text
}

/// Why questions could not be read, one entry a cause.
pub(super) fn causes_of_failures(report: &Refreshed) -> Vec<(String, Vec<&str>, &str)> {
    let failed = report.failed.iter();
    by_cause(failed.map(|one| (one.question_id.as_str(), one.page.as_str(), one.cause.as_str())))
}

fn lists(report: &Refreshed) -> String {
    let mut text = String::new();
    if let Some((before, now)) = &report.moved_on {
        let _ = writeln!(
            text,
            "the site brought out the data of {now} (before: {before}) in mid-run; everything was looked at again"
        );
    }
    for expired in &report.expired {
        let _ =
            writeln!(text, "Q{}: the reading that waited was dropped: {}", expired.question_id, expired.why);
    }
    let list = |text: &mut String, ids: &[String], one: &str, many: &str| {
        if !ids.is_empty() {
            let _ = writeln!(text, "{}: {}", plural(ids.len(), one, many), ids.join(" "));
        }
    };
    list(
        &mut text,
        &report.without_entry,
        "record has no question in the manifest and was not looked at",
        "records have no question in the manifest and were not looked at",
    );
    list(
        &mut text,
        &report.without_page,
        "record is of no page and was not looked at",
        "records are of no page and were not looked at",
    );
    if report.api_only {
        list(
            &mut text,
            &report.browser_only,
            "question holds a value that no response has; only a browser can refresh it",
            "questions hold a value that no response has; only a browser can refresh them",
        );
    }
    text
}

fn heading(kind: ChangeKind, count: usize, colours: bool) -> String {
    let heading = format!("{kind}: {count}");
    if colours { painted(&heading, colour(kind)) } else { heading }
}

const fn colour(kind: ChangeKind) -> u8 {
    match kind {
        ChangeKind::Revision | ChangeKind::Scope | ChangeKind::Schema => 33,
        ChangeKind::Rounding => 36,
        ChangeKind::Disappearance | ChangeKind::ExtractorBroken => 31,
        ChangeKind::Appearance => 32,
    }
}

const fn verdict_colour(report: &Refreshed) -> u8 {
    match report.exit_code {
        0 => 32,
        3 => 33,
        _ => 31,
    }
}

fn verdict(report: &Refreshed) -> String {
    let looks = report.changes.iter().filter(|change| change.needs_page_look).count();
    match report.exit_code {
        0 if report.questions == 0 => format!(
            "ok: none of the {} is stale; no page was looked at",
            plural(report.fresh, "record that was chosen", "records that were chosen")
        ),
        0 if report.unchanged == 1 => "ok: the record is as its page says".to_owned(),
        0 => format!("ok: all {} records are as their pages say", report.unchanged),
        3 if looks > 0 => {
            format!(
                "{}, {looks} of them for a page look that --commit does",
                plural(report.changes.len(), "change waits", "changes wait")
            )
        }
        3 => format!(
            "{} for refresh --commit; no record was touched",
            plural(report.changes.len(), "change waits", "changes wait")
        ),
        4 => format!(
            "not everything could be read: {}; that is no change, and no record was touched",
            count(report.failed.len() + report.broken.len(), "question")
        ),
        5 => "the site could not be reached or refused; that is no change, and no record was touched"
            .to_owned(),
        130 => format!(
            "interrupted: {} not got to; --resume goes on with it",
            plural(report.skipped, "question was", "questions were")
        ),
        code => format!("exit code {code}"),
    }
}

/// What a refresh found, as Markdown.
#[must_use]
pub fn markdown(report: &Refreshed) -> String {
    let mut text = format!("## Ground truth refresh: {}\n\n", count(report.changes.len(), "change"));
    let _ = writeln!(
        text,
        "{} looked at, {} unchanged, {} whose value cannot be found, {} not read. Run `{}`{}.\n",
        count(report.questions, "question"),
        report.unchanged,
        report.broken.len(),
        report.failed.len(),
        report.run,
        report
            .site_vintage
            .as_ref()
            .map_or_else(String::new, |vintage| format!(", data of {}", cell(vintage))),
    );
    for kind in ChangeKind::ALL {
        let mut of_kind = report.changes.iter().filter(|change| change.kind == kind).peekable();
        if of_kind.peek().is_some() {
            let _ = writeln!(
                text,
                "### {kind}\n\n| question | value | old | new | note |\n|---|---|---|---|---|"
            );
            for change in of_kind {
                text.push_str(&row(change));
            }
            text.push('\n');
        }
    }
    if !report.broken.is_empty() || !report.failed.is_empty() {
        let _ = writeln!(text, "### Not read, so no change\n");
        for broken in &report.broken {
            let _ = writeln!(
                text,
                "- Q{} (extractor broken): {}",
                cell(&broken.question_id),
                cell(&broken.notes.join("; "))
            );
        }
        for (cause, ids, _) in causes_of_failures(report) {
            let _ = writeln!(text, "- {}: {}", cell(&first_ids(&ids)), cell(&cause));
        }
    }
    text
}

fn row(change: &Change) -> String {
    let side = |shown: &Option<crate::workflow::refresh::Shown>| {
        shown.as_ref().map_or_else(|| "–".to_owned(), |shown| cell(&shown.text))
    };
    let look = change.needs_page_look.then(|| "needs a page look".to_owned());
    let notes: Vec<String> = change.by.iter().cloned().chain([change.reason.clone()]).chain(look).collect();
    format!(
        "| {} | {} | {} | {} | {} |\n",
        cell(&change.question_id),
        cell(&change.name),
        side(&change.old),
        side(&change.new),
        cell(&notes.join(", "))
    )
}

/// Text of the site as one cell of a table: nothing in it is Markdown or HTML.
pub(super) fn cell(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '\n' | '\r' => out.push(' '),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '|' | '*' | '_' | '`' | '[' | ']' | '\\' | '#' | '!' | '~' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

/// What a commit did, with the commands that show it.
#[must_use]
pub fn committed(done: &Committed, store: &Path, colours: bool) -> String {
    let mut text = String::new();
    let mut values = 0;
    for accepted in &done.taken {
        for change in &accepted.changes {
            let _ = writeln!(text, "{}", change.line);
        }
        values += accepted.changes.len();
        if !accepted.along.is_empty() {
            let _ = writeln!(
                text,
                "  taken along, as a ranking is taken as a whole: {}",
                accepted.along.join(", ")
            );
        }
    }
    for expired in &done.expired {
        let _ = writeln!(text, "Q{} dropped: {}; run refresh again", expired.question_id, expired.why);
    }
    for id in &done.needs_page_look {
        let _ = writeln!(
            text,
            "Q{id} left waiting: its reading comes from a weaker source; its page must be looked at, or use --force \
             --reason TEXT"
        );
    }
    let verdict = format!(
        "{} of {} taken over in run {}, {} waiting",
        count(values, "value"),
        count(done.taken.len(), "record"),
        done.run,
        plural(done.left, "change goes on", "changes go on")
    );
    let _ = writeln!(text, "{}", if colours { painted(&verdict, 32) } else { verdict });
    if values > 0 {
        let _ = writeln!(text, "see: git -C {} diff -- . ':!evidence'", quoted(store));
        let _ = writeln!(text, "     atlas-gt changelog --store {}", quoted(store));
    }
    text
}

/// A path as a shell reads it.
fn quoted(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '_' | '-');
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// What a commit did, as Markdown.
#[must_use]
pub fn committed_markdown(done: &Committed) -> String {
    let mut text = format!("## Taken over in run `{}`\n\n", done.run);
    for change in done.taken.iter().flat_map(|accepted| &accepted.changes) {
        let _ = writeln!(text, "- {}", cell(&change.line));
    }
    let _ = writeln!(text, "\n{} waiting.", plural(done.left, "change goes on", "changes go on"));
    text
}

/// What was dropped of that which waited.
#[must_use]
pub fn discarded(dropped: &[Change], left: &[String]) -> String {
    let mut text = String::new();
    for change in dropped {
        let _ = writeln!(text, "dropped: {}", change.line);
    }
    for id in left {
        let _ =
            writeln!(text, "Q{id} left whole: only a part of its reading was named; drop all of it or none");
    }
    let _ = writeln!(
        text,
        "{} dropped; the next refresh finds again what is still there",
        count(dropped.len(), "change")
    );
    text
}
