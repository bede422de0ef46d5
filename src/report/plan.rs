//! The plan of a collection for people.

use std::fmt::Write as _;

use comfy_table::{CellAlignment, Table, presets};

use crate::workflow::Plan;

/// The plan as text.
#[must_use]
pub fn text(plan: &Plan) -> String {
    let mut text = String::new();
    let mut table = Table::new();
    table.load_preset(presets::UTF8_HORIZONTAL_ONLY);
    table.set_header(["page", "requests", "questions"]);
    for visit in &plan.visits {
        let guess = if visit.learned { "" } else { "~" };
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
        plan.methods.iter().map(|(method, count)| format!("{count} {method}")).collect();
    let _ = writeln!(
        text,
        "{} questions on {} pages; points by method: {}",
        plan.questions,
        plan.visits.len(),
        methods.join(", ")
    );
    let _ = writeln!(
        text,
        "{} requests ({} by the pages, of which {} for files that each browser keeps; {} of our own); at {} a minute at least {:.1} min",
        plan.requests, plan.page_requests, plan.file_requests, plan.own_requests, plan.rate, plan.minutes
    );
    let _ = writeln!(text, "about {} MB with {} browser(s)", plan.memory_mb, plan.sessions);
    let _ = writeln!(
        text,
        "{} questions hold a value that no response has; only a browser can refresh them: {}",
        plan.browser_only.len(),
        plan.browser_only.join(" ")
    );
    if !plan.without_visit.is_empty() {
        let _ = writeln!(
            text,
            "{} questions need no visit: {}",
            plan.without_visit.len(),
            plan.without_visit.join(" ")
        );
    }
    if !plan.planned.is_empty() {
        let _ = writeln!(text, "{} questions are planned for later extractors:", plan.planned.len());
        for (id, reason) in &plan.planned {
            let _ = writeln!(text, "  Q{id}: {reason}");
        }
    }
    text
}
