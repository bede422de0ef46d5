//! Writes text for a terminal: the summary first, tables up to its width, next steps last. Pictures
//! and charts are omitted.

use comfy_table::{CellAlignment, ColumnConstraint, ContentArrangement, TableComponent, Width, presets};

use super::super::doc::{Body, Doc, DocBlock, Table, Text, Tone};
use super::report::Terminal;

pub(super) fn write(doc: &Doc, terminal: Terminal) -> String {
    let mut out = Out { text: String::new(), terminal };
    for line in &doc.summary {
        out.line("", std::slice::from_ref(line));
    }
    out.body("", &doc.body);
    for next in &doc.next {
        out.text.push_str(&format!("{}: {}\n", next.what, next.command));
    }
    out.text
}

struct Out {
    text: String,
    terminal: Terminal,
}

impl Out {
    fn body(&mut self, indent: &str, body: &Body) {
        let deeper = format!("{indent}  ");
        for block in &body.0 {
            match block {
                DocBlock::Section { title, blocks } => {
                    let before = self.text.len();
                    self.line(indent, std::slice::from_ref(title));
                    let titled = self.text.len();
                    self.body(&deeper, blocks);
                    // its content may be for pages only
                    if self.text.len() == titled {
                        self.text.truncate(before);
                    }
                }
                DocBlock::Line { parts } | DocBlock::Note { parts } => self.line(indent, parts),
                DocBlock::List { items } => items.iter().for_each(|item| self.line(indent, item)),
                DocBlock::Facts { facts } => {
                    facts.iter().for_each(|(name, value)| self.pair(indent, name, value));
                }
                DocBlock::Figures { figures } => {
                    let all: Vec<String> = figures
                        .iter()
                        .map(|(name, number)| format!("{} {}", number.text, name.text))
                        .collect();
                    self.line(indent, &[Text::from(all.join(", "))]);
                }
                DocBlock::Table(table) | DocBlock::Cards { table, .. } => self.table(indent, table),
                DocBlock::Value { text } => self.line(indent, std::slice::from_ref(text)),
                DocBlock::Code { text } => {
                    text.text.lines().for_each(|line| self.text.push_str(&format!("{indent}{line}\n")));
                }
                DocBlock::Sides { .. } | DocBlock::Picture { .. } | DocBlock::Folded { .. } => {}
            }
        }
    }

    /// A line, wrapped between words if it is longer than the terminal's width.
    fn line(&mut self, indent: &str, parts: &[Text]) {
        let width = if self.terminal.wraps { self.terminal.width } else { usize::MAX };
        let next = format!("\n{indent}  ");
        self.text.push_str(indent);
        let mut at = indent.len();
        for part in parts {
            let mut text = String::new();
            for (number, line) in part.text.trim_end_matches('\n').split('\n').enumerate() {
                if number > 0 {
                    text.push_str(&next);
                    at = indent.len() + 2;
                }
                for word in line.split_inclusive(' ') {
                    let length = word.trim_end().chars().count();
                    if at + length > width && at > indent.len() + 2 {
                        text.truncate(text.trim_end().len());
                        text.push_str(&next);
                        at = indent.len() + 2;
                    }
                    text.push_str(word);
                    at += word.chars().count();
                }
            }
            self.text.push_str(&self.painted(&text, part.tone));
        }
        self.text.push('\n');
    }

    fn pair(&mut self, indent: &str, name: &Text, value: &Text) {
        let name = Text::from(format!("{}: ", name.text));
        self.line(indent, &[name, value.clone()]);
    }

    fn painted(&self, text: &str, tone: Tone) -> String {
        let colour = match tone {
            Tone::Plain => 0,
            Tone::Good => 32,
            Tone::Warning => 33,
            Tone::Bad => 31,
            Tone::Muted => 2,
        };
        if colour > 0 && self.terminal.colours {
            format!("\u{1b}[{colour}m{text}\u{1b}[0m")
        } else {
            text.to_owned()
        }
    }

    /// A table without empty columns. Words are broken only if they do not fit otherwise, at a `_` if they have one.
    fn table(&mut self, indent: &str, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let kept: Vec<usize> = (0..table.head.len())
            .filter(|at| {
                table.rows.iter().any(|row| row.get(*at).is_some_and(|cell| !cell.text.trim().is_empty()))
            })
            .collect();
        let cells = |row: &[Text]| -> Vec<String> {
            kept.iter()
                .map(|at| row.get(*at).map(|cell| without_long_words(&cell.text)).unwrap_or_default())
                .collect()
        };
        let mut head = cells(&table.head);
        let mut rows: Vec<Vec<String>> = table.rows.iter().map(|row| cells(row)).collect();
        let width = self.terminal.width.saturating_sub(indent.len());

        let mut shown = comfy_table::Table::new();
        shown.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        shown.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
        shown.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        let least = least_widths(&head, &rows, width.saturating_sub(2));
        for row in std::iter::once(&mut head).chain(&mut rows) {
            for (cell, least) in row.iter_mut().zip(&least) {
                *cell = broken_at_underscores(cell, usize::from(*least).saturating_sub(1));
            }
        }
        shown.set_header(head);
        shown.add_rows(rows);
        for (at, (column, least)) in kept.iter().zip(least).enumerate() {
            if let Some(shown) = shown.column_mut(at) {
                shown.set_padding((0, 1));
                shown.set_constraint(ColumnConstraint::LowerBoundary(Width::Fixed(least)));
                if table.right.contains(column) {
                    shown.set_cell_alignment(CellAlignment::Right);
                }
            }
        }
        for line in shown.to_string().lines() {
            self.text.push_str(&format!("{indent}{}\n", line.trim_end()));
        }
    }
}

/// The gap between columns: the padding of the first and a blank instead of a border.
const GAP: usize = 2;
/// The maximum length of a word in a table.
const MAX_WORD: usize = 400;

fn without_long_words(text: &str) -> String {
    let text = text.replace('\t', " ");
    if text.split_whitespace().all(|word| word.len() <= MAX_WORD) {
        return text;
    }
    let cut = |word: &str| match word.char_indices().nth(MAX_WORD) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    };
    text.split(' ').map(cut).collect::<Vec<_>>().join(" ")
}

/// Breaks words that are wider than their column behind a `_`.
fn broken_at_underscores(text: &str, width: usize) -> String {
    let mut out = String::new();
    let mut at = 0;
    for word in text.split_inclusive(char::is_whitespace) {
        let is_wide = word.trim_end().chars().count() > width;
        for part in word.split_inclusive('_') {
            let length = part.trim_end().chars().count();
            if is_wide && at > 0 && at + length > width {
                out.push('\n');
                at = 0;
            }
            out.push_str(part);
            at += length;
        }
        at = 0;
    }
    out
}

/// The width of each column's longest word, with padding. If they do not all fit, the widest
/// columns shrink.
fn least_widths(head: &[String], rows: &[Vec<String>], width: usize) -> Vec<u16> {
    // keep a number and its percent sign together
    let longest = |text: &String| {
        text.replace(" %", "_%").split_whitespace().map(|word| word.chars().count()).max().unwrap_or(0)
    };
    let mut least: Vec<usize> = (0..head.len())
        .map(|at| rows.iter().map(|row| longest(&row[at])).max().unwrap_or(0).max(longest(&head[at])))
        .collect();
    while least.iter().sum::<usize>() + GAP * least.len() > width {
        match least.iter_mut().max() {
            Some(widest) if *widest > 1 => *widest -= 1,
            _ => break,
        }
    }
    least.into_iter().map(|width| u16::try_from(width + 1).unwrap_or(u16::MAX)).collect()
}
