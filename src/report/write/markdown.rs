//! Writes Markdown for pull requests. Text from the site or an agent is escaped.

use super::super::doc::{Body, Doc, DocBlock, Table, Text, Tone};

pub(super) fn write(doc: &Doc) -> String {
    let mut text = format!("# {}\n\n", escape(&doc.title.text));
    for line in &doc.summary {
        text.push_str(&format!("{}  \n", piece(line)));
    }
    body(&mut text, &doc.body, 2);
    if !doc.next.is_empty() {
        text.push('\n');
    }
    for next in &doc.next {
        text.push_str(&format!("- {}: {}\n", escape(&next.what), code(&next.command)));
    }
    text
}

fn body(text: &mut String, parts: &Body, level: usize) {
    for block in &parts.0 {
        match block {
            DocBlock::Section { title, blocks } => {
                let before = text.len();
                text.push_str(&format!("\n{} {}\n\n", "#".repeat(level.min(6)), piece(title)));
                let titled = text.len();
                body(text, blocks, level + 1);
                // its content may be for pages only
                if text.len() == titled {
                    text.truncate(before);
                }
            }
            DocBlock::Line { parts } => text.push_str(&format!("- {}\n", line(parts))),
            DocBlock::Note { parts } => text.push_str(&format!("- **{}**\n", line(parts))),
            DocBlock::List { items } => {
                items.iter().for_each(|item| text.push_str(&format!("- {}\n", line(item))))
            }
            DocBlock::Facts { facts } => {
                facts.iter().for_each(|(name, value)| {
                    text.push_str(&format!("- {}: {}\n", escape(&name.text), piece(value)));
                });
            }
            DocBlock::Figures { figures } => {
                let all: Vec<String> = figures
                    .iter()
                    .map(|(name, number)| format!("**{}** {}", escape(&number.text), escape(&name.text)))
                    .collect();
                text.push_str(&format!("\n{}\n\n", all.join(", ")));
            }
            DocBlock::Table(rows) | DocBlock::Cards { table: rows, .. } => table(text, rows),
            DocBlock::Value { text: value } => text.push_str(&format!("- {}\n", piece(value))),
            DocBlock::Code { text: lines } => {
                let fence = "`".repeat(longest_run(&lines.text).max(2) + 1);
                text.push_str(&format!("\n{fence}text\n{}\n{fence}\n", lines.text.trim_end()));
            }
            DocBlock::Sides { .. } | DocBlock::Picture { .. } | DocBlock::Folded { .. } => {}
        }
    }
}

fn table(text: &mut String, table: &Table) {
    if table.rows.is_empty() {
        return;
    }
    let head: Vec<String> = table.head.iter().map(|name| escape(&name.text)).collect();
    let marks: String =
        (0..head.len()).map(|at| if table.right.contains(&at) { "---:|" } else { "---|" }).collect();
    text.push_str(&format!("\n| {} |\n|{marks}\n", head.join(" | ")));
    for row in &table.rows {
        let cells: Vec<String> = row.iter().map(piece).collect();
        text.push_str(&format!("| {} |\n", cells.join(" | ")));
    }
    text.push('\n');
}

fn line(parts: &[Text]) -> String {
    parts.iter().map(piece).collect()
}

fn piece(part: &Text) -> String {
    let text = if part.code { code(&part.text) } else { escape(&part.text) };
    let web = part.link.as_ref().filter(|link| !link.starts_with('#'));
    match web {
        Some(link) => format!("[{text}](<{}>)", link.replace(['<', '>', '\n'], "")),
        None if part.tone == Tone::Bad && !part.text.is_empty() && !part.code => format!("**{text}**"),
        None => text,
    }
}

/// Inline code for a table: no line break, and no pipe that would end the cell.
fn code(text: &str) -> String {
    let line = |line: &str| format!("`{}`", line.replace('`', "'").replace('|', "\\|"));
    text.lines().map(line).collect::<Vec<_>>().join("<br>")
}

fn longest_run(text: &str) -> usize {
    text.split(|c| c != '`').map(str::len).max().unwrap_or(0)
}

/// Escaped text in one line: no markup, no link, no cell border.
fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.trim_end().chars() {
        match c {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\n' => out.push_str("<br>"),
            '\\' | '`' | '*' | '_' | '[' | ']' | '|' | '~' | '#' | '!' => {
                out.push('\\');
                out.push(c);
            }
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_cannot_mark_up() {
        assert_eq!(escape("a|b <script> [x](y)\nz"), "a\\|b &lt;script&gt; \\[x\\](y)<br>z");
        assert_eq!(code("a|`b`"), "`a\\|'b'`");
    }
}
