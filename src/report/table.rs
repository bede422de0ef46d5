//! Tables for a terminal and in Markdown.

use std::fmt::Write as _;

use comfy_table::TableComponent;

use super::refresh::cell;
use super::words;

/// A table with a head and without lines inside, for a terminal.
pub fn table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut table = words::table(head);
    table.remove_style(TableComponent::HorizontalLines);
    table.remove_style(TableComponent::MiddleIntersections);
    for row in rows {
        table.add_row(row);
    }
    format!("{table}\n")
}

/// The same in Markdown.
pub(super) fn markdown_table(head: &[&str], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let mut text = format!("| {} |\n|{}\n", head.join(" | "), "---|".repeat(head.len()));
    for row in rows {
        let cells: Vec<String> = row.iter().map(|text| cell(text)).collect();
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}
