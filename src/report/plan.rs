//! The plan of a collection for people.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use super::words::{count, plural};
use crate::workflow::Plan;

/// The plan as text.
#[must_use]
pub fn text(plan: &Plan) -> String {
    let mut text = String::new();
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["page", "requests", "questions"]);
    for visit in &plan.visits {
        let guess = if visit.counted { "" } else { "~" };
        table.add_row([
            visit.page.clone(),
            format!("{guess}{}", visit.requests),
            format!("{}: {}", visit.questions.len(), visit.questions.join(" ")),
        ]);
    }
    if let Some(column) = table.column_mut(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    let _ = writeln!(text, "{table}");
    let methods: Vec<String> =
        plan.methods.iter().map(|(method, points)| format!("{points} {method}")).collect();
    let _ = writeln!(
        text,
        "{} on {}; points by method: {}",
        count(plan.questions, "question"),
        count(plan.visits.len(), "page"),
        methods.join(", ")
    );
    let _ = writeln!(
        text,
        "{} ({} by the pages, of which {} for files that each browser keeps; {} of our own); at {} a minute at least {:.1} min",
        count(plan.requests, "request"),
        plan.page_requests,
        plan.file_requests,
        plan.own_requests,
        plan.rate,
        plan.minutes
    );
    let _ = writeln!(text, "about {} MB with {}", plan.memory_mb, count(plan.sessions, "browser"));
    let _ = writeln!(
        text,
        "{}: {}",
        plural(
            plan.browser_only.len(),
            "question holds a value that no response has; only a browser can refresh it",
            "questions hold a value that no response has; only a browser can refresh them"
        ),
        plan.browser_only.join(" ")
    );
    if !plan.own_queries.is_empty() {
        let _ = writeln!(
            text,
            "{} by queries of our own, for no page shows them: they never score an agent that asks the same API: {}",
            plural(plan.own_queries.len(), "question is answered", "questions are answered"),
            plan.own_queries.join(" ")
        );
    }
    if !plan.expected_behavior.is_empty() {
        let ids: Vec<&str> = plan.expected_behavior.iter().map(|(id, _)| id.as_str()).collect();
        let _ = writeln!(
            text,
            "{} no answer on any page, and the manifest says what a right answer does: {}",
            plural(ids.len(), "question has", "questions have"),
            ids.join(" ")
        );
    }
    for (id, reason) in &plan.suspect {
        let _ = writeln!(text, "Q{id} is suspect until somebody looked at the live page: {reason}");
    }
    if !plan.without_visit.is_empty() {
        let _ = writeln!(
            text,
            "{} no visit: {}",
            plural(plan.without_visit.len(), "question needs", "questions need"),
            plan.without_visit.join(" ")
        );
    }
    if !plan.planned.is_empty() {
        let _ = writeln!(
            text,
            "{} planned for later extractors:",
            plural(plan.planned.len(), "question is", "questions are")
        );
        for (id, reason) in &plan.planned {
            let _ = writeln!(text, "  Q{id}: {reason}");
        }
    }
    text
}
