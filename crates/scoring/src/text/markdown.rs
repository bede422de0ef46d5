//! Parses a Markdown text: counts headings, lists, emphasis, code and tables, and extracts the blocks of prose that are
//! searched for facts and markers.

use std::ops::Range;

use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde::Serialize;

use crate::outline::Outline;

/// The number of each formatting element (scoring thresholds, "Readability").
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Structure {
    /// Headings of any level.
    pub headers: usize,
    /// List items, numbered or not, including `•` lines.
    pub lists: usize,
    /// Bold passages.
    pub bold: usize,
    /// Italic passages.
    pub italic: usize,
    /// Code blocks and inline code.
    pub code: usize,
    /// Tables.
    pub tables: usize,
}

/// A passage of prose: a paragraph, heading, list item or table cell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MarkdownBlock {
    /// The visible text, with line breaks as spaces.
    pub text: String,
    /// Its range in the source.
    pub range: Range<usize>,
    /// The headings above it, outermost first.
    pub under: Vec<String>,
    /// Whether it is a heading.
    pub is_heading: bool,
}

/// A parsed Markdown text.
#[derive(Debug, Clone, Default)]
pub struct MarkdownDocument<'a> {
    /// The source.
    pub source: &'a str,
    /// Counts of formatting.
    pub structure: Structure,
    /// Heading texts in order.
    pub headings: Vec<String>,
    /// Blocks of prose in order, without code. A table cell becomes `row head, column head: text`.
    pub blocks: Vec<MarkdownBlock>,
    /// Ranges of code blocks and inline code.
    pub code: Vec<Range<usize>>,
    /// Ranges of fenced or indented code blocks.
    pub fences: Vec<Range<usize>>,
}

#[derive(Default)]
struct Table {
    head: Vec<String>,
    row: Vec<String>,
    in_head: bool,
}

/// Builds a [`MarkdownDocument`] from parser events.
#[derive(Default)]
struct Reader<'a> {
    document: MarkdownDocument<'a>,
    outline: Outline,
    text: String,
    start: Option<usize>,
    table: Option<Table>,
    fenced: bool,
}

impl<'a> MarkdownDocument<'a> {
    /// Parses a text. Any text is Markdown, so this cannot fail.
    #[must_use]
    pub fn parse(source: &'a str) -> Self {
        let options = Options::ENABLE_TABLES
            | Options::ENABLE_FOOTNOTES
            | Options::ENABLE_STRIKETHROUGH
            | Options::ENABLE_TASKLISTS;
        let mut reader = Reader {
            document: MarkdownDocument { source, ..MarkdownDocument::default() },
            ..Reader::default()
        };
        for (event, range) in Parser::new_ext(source, options).into_offset_iter() {
            reader.event(event, range);
        }
        reader.finish_block(source.len(), None);
        reader.document
    }

    /// Mean length in characters of the non-blank lines outside code blocks (decision 2); `None` if there are none.
    #[must_use]
    pub(crate) fn average_line(&self) -> Option<f64> {
        let mut at = 0;
        let (mut lines, mut characters) = (0_usize, 0_usize);
        let mut fences = self.fences.iter().peekable();
        for line in self.source.split_inclusive('\n') {
            let start = at;
            at += line.len();
            while fences.next_if(|fence| fence.end <= start).is_some() {}
            let in_fence = fences.peek().is_some_and(|fence| fence.start < at);
            let text = line.trim_end_matches(['\n', '\r']);
            if !in_fence && !text.trim().is_empty() {
                lines += 1;
                characters += text.chars().count();
            }
        }
        (lines > 0).then(|| characters as f64 / lines as f64)
    }

    /// Whether an offset in the source is inside code.
    #[must_use]
    pub(crate) fn in_code(&self, at: usize) -> bool {
        let after = self.code.partition_point(|range| range.start <= at);
        after > 0 && self.code[after - 1].end > at
    }
}

impl Reader<'_> {
    fn event(&mut self, event: Event<'_>, range: Range<usize>) {
        match event {
            Event::Start(tag) => self.open(&tag, range),
            Event::End(tag) => self.close(tag, range),
            Event::Text(text) if !self.fenced => self.push(&text, range),
            Event::Code(text) => {
                self.document.structure.code += 1;
                self.document.code.push(range.clone());
                self.push(&text, range);
            }
            Event::SoftBreak | Event::HardBreak => self.push(" ", range),
            _ => {}
        }
    }

    fn push(&mut self, text: &str, range: Range<usize>) {
        self.start.get_or_insert(range.start);
        self.text.push_str(text);
    }

    fn open(&mut self, tag: &Tag<'_>, range: Range<usize>) {
        let structure = &mut self.document.structure;
        match tag {
            Tag::Strong => structure.bold += 1,
            Tag::Emphasis => structure.italic += 1,
            Tag::CodeBlock(_) => {
                structure.code += 1;
                self.document.code.push(range.clone());
                self.finish_block(range.start, None);
                self.document.fences.push(range);
                self.fenced = true;
            }
            Tag::Item => {
                structure.lists += 1;
                self.finish_block(range.start, None);
            }
            Tag::Table(_) => {
                structure.tables += 1;
                self.table = Some(Table::default());
            }
            Tag::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = true;
                }
            }
            Tag::Paragraph | Tag::Heading { .. } => self.finish_block(range.start, None),
            _ => {}
        }
    }

    fn close(&mut self, tag: TagEnd, range: Range<usize>) {
        match tag {
            TagEnd::CodeBlock => self.fenced = false,
            TagEnd::Heading(level) => {
                self.document.structure.headers += 1;
                let text = self.text.trim().to_owned();
                let under = self.outline.enter(level, text.clone());
                self.finish_block(range.end, Some(under));
                self.document.headings.push(text);
            }
            TagEnd::Paragraph | TagEnd::Item => self.finish_block(range.end, None),
            TagEnd::TableCell => self.cell(range),
            TagEnd::TableHead => {
                if let Some(table) = &mut self.table {
                    table.in_head = false;
                }
            }
            TagEnd::TableRow => {
                if let Some(table) = &mut self.table {
                    table.row.clear();
                }
            }
            TagEnd::Table => self.table = None,
            _ => {}
        }
    }

    /// Turns a cell into `row head, column head: text`, so that its value keeps its subject.
    fn cell(&mut self, range: Range<usize>) {
        let text = std::mem::take(&mut self.text).trim().to_owned();
        self.start = None;
        let Some(table) = &mut self.table else { return };
        let described = if table.in_head {
            table.head.push(text.clone());
            text
        } else {
            let column = table.head.get(table.row.len()).cloned().unwrap_or_default();
            let described = match table.row.first() {
                Some(row) => format!("{row}, {column}: {text}"),
                None => text.clone(),
            };
            table.row.push(text);
            described
        };
        self.text = described;
        self.start = Some(range.start);
        self.finish_block(range.end, None);
    }

    /// Ends the block. A heading is under the headings above it, not under itself.
    fn finish_block(&mut self, end: usize, above_heading: Option<Vec<String>>) {
        let text = std::mem::take(&mut self.text);
        let start = self.start.take().unwrap_or(end);
        let trimmed = text.trim();
        if trimmed.is_empty() {
            return;
        }
        let source = self.document.source.get(start..end).unwrap_or_default();
        let is_heading = above_heading.is_some();
        if !is_heading {
            self.document.structure.lists +=
                source.lines().filter(|line| line.trim_start().starts_with('\u{2022}')).count();
        }
        self.document.blocks.push(MarkdownBlock {
            text: trimmed.to_owned(),
            range: start..end,
            under: above_heading.unwrap_or_else(|| self.outline.under()),
            is_heading,
        });
    }
}
