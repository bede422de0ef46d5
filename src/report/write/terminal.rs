//! A terminal: the summary first, tables as wide as it is, next steps whole at the end. What only a page has room for is left out.

use comfy_table::{CellAlignment, ContentArrangement, TableComponent, presets};

use super::super::doc::{Block, Body, Doc, Table, Text, Tone};
use super::Terminal;

/// Characters of a word in a cell of a table. The layout splits longer ones letter by letter, in time that grows with the
/// square of their length.
const MAX_WORD: usize = 1000;

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
                Block::Section { title, blocks } => {
                    self.line(indent, std::slice::from_ref(title));
                    self.body(&deeper, blocks);
                }
                Block::Line { parts } | Block::Note { parts } => self.line(indent, parts),
                Block::List { items } => items.iter().for_each(|item| self.line(indent, item)),
                Block::Facts { facts } => {
                    facts.iter().for_each(|(name, value)| self.pair(indent, name, value));
                }
                Block::Figures { figures } => {
                    let all: Vec<String> = figures
                        .iter()
                        .map(|(name, number)| format!("{} {}", number.text, name.text))
                        .collect();
                    self.line(indent, &[Text::from(all.join(", "))]);
                }
                Block::Table(table) | Block::Cards { table, .. } => self.table(indent, table),
                Block::Value { text } => self.line(indent, std::slice::from_ref(text)),
                Block::Code { text } => {
                    text.text.lines().for_each(|line| self.text.push_str(&format!("{indent}{line}\n")));
                }
                Block::Sides { .. } | Block::Picture { .. } | Block::Folded { .. } => {}
            }
        }
    }

    /// A line, wrapped between words where it is longer than the terminal is wide.
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

    fn table(&mut self, indent: &str, table: &Table) {
        if table.rows.is_empty() {
            return;
        }
        let mut shown = comfy_table::Table::new();
        shown.load_preset(presets::UTF8_HORIZONTAL_ONLY).set_content_arrangement(ContentArrangement::Dynamic);
        shown.remove_style(TableComponent::HorizontalLines).remove_style(TableComponent::MiddleIntersections);
        let width = self.terminal.width.saturating_sub(indent.len());
        shown.set_width(u16::try_from(width).unwrap_or(u16::MAX));
        shown.set_header(table.head.iter().map(|name| name.text.as_str()));
        for row in &table.rows {
            shown.add_row(row.iter().map(|cell| short_words(&cell.text)));
        }
        for at in &table.right {
            if let Some(column) = shown.column_mut(*at) {
                column.set_cell_alignment(CellAlignment::Right);
            }
        }
        for line in shown.to_string().lines() {
            self.text.push_str(&format!("{indent}{}\n", line.trim_end()));
        }
    }
}

/// A cell's text with spaces for tabs and its overlong words cut.
fn short_words(text: &str) -> String {
    let text = text.replace('\t', " ");
    let short = |word: &str| match word.char_indices().nth(MAX_WORD) {
        Some((end, _)) => format!("{}…", &word[..end]),
        None => word.to_owned(),
    };
    text.split_inclusive([' ', '\n']).map(short).collect()
}

#[cfg(test)]
mod tests {
    use std::time::{Duration, Instant};

    use super::*;
    use crate::row;

    #[test]
    fn a_word_without_end_is_cut_before_the_table_is_laid_out() {
        let mut doc = Doc::new("long");
        doc.body.table(Table::new(&["word"]).rows([row!["x".repeat(20_000)], row!["a b".to_owned()]]));
        let start = Instant::now();
        let text = write(&doc, Terminal { width: 100, wraps: true, colours: false });
        assert!(start.elapsed() < Duration::from_secs(2), "{:?}", start.elapsed());
        assert_eq!((text.matches('x').count(), text.matches('…').count()), (MAX_WORD, 1));
        assert!(text.contains("a b"));
    }
}
