//! The content of a report, independent of its format: a summary, then headings, tables, cards,
//! notes and pictures, then next steps. All text passes through [`Text`], which replaces control
//! characters and characters that change the text direction.

use std::fmt::Display;
use std::path::Path;

use base64::{Engine, engine::general_purpose::STANDARD};
use serde::Serialize;

use super::chart::Chart;
use super::inert::inert;
use crate::config::ShownPage;
use crate::manifest::QuestionId;
use atlas_gt_core::question_id::question_label;
pub use atlas_gt_core::tone::Tone;

/// A piece of text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Text {
    /// The text.
    pub text: String,
    /// Its color.
    pub tone: Tone,
    /// Whether it is a badge.
    pub badge: bool,
    /// Whether it is an identifier or a command.
    pub code: bool,
    /// Its link target: a web address, or `#id` of a card on the same page.
    pub link: Option<String>,
    /// A chart beside it.
    pub chart: Option<Chart>,
}

impl Text {
    /// Text with a tone.
    pub fn toned(tone: Tone, text: impl Display) -> Self {
        Self { text: inert(&text.to_string()), tone, ..Self::default() }
    }

    /// A badge.
    pub fn badge(tone: Tone, text: impl Display) -> Self {
        Self { badge: true, ..Self::toned(tone, text) }
    }

    /// An identifier or a command.
    pub fn code(text: impl Display) -> Self {
        Self { code: true, ..Self::toned(Tone::Plain, text) }
    }

    /// Secondary text.
    pub fn muted(text: impl Display) -> Self {
        Self::toned(Tone::Muted, text)
    }

    /// The text as a link, if the address is on the web or on the page itself.
    #[must_use]
    pub fn to(mut self, address: &str) -> Self {
        let is_followed = ["https://", "http://", "#"].iter().any(|start| address.starts_with(start));
        self.link = is_followed.then(|| inert(address));
        self
    }

    /// The text with a chart.
    #[must_use]
    pub fn with(mut self, chart: Chart) -> Self {
        self.chart = Some(chart);
        self
    }

    /// The text as a link, if there is an address.
    #[must_use]
    pub fn linked(self, address: Option<&str>) -> Self {
        match address {
            Some(address) => self.to(address),
            None => self,
        }
    }

    /// A page, with its link if it can be opened.
    pub fn page(page: &ShownPage<'_>) -> Self {
        Self::from(page.text).linked(page.link.as_deref())
    }

    /// One line of at most `most` characters.
    pub fn brief(text: &str, most: usize) -> Self {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= most {
            return Self::from(line);
        }
        let cut: String = line.chars().take(most.saturating_sub(1)).collect();
        Self::from(format!("{}…", cut.trim_end()))
    }
}

macro_rules! text_from {
    ($($type:ty),*) => {$(
        impl From<$type> for Text {
            fn from(value: $type) -> Self {
                Self::toned(Tone::Plain, value)
            }
        }
    )*};
}
text_from!(String, &String, &str, usize, u64, u32, u16);

impl From<&Path> for Text {
    fn from(path: &Path) -> Self {
        Self::from(path.display().to_string())
    }
}

impl From<&QuestionId> for Text {
    fn from(id: &QuestionId) -> Self {
        Self::from(question_label(id))
    }
}

impl<T: Into<Self>> From<Option<T>> for Text {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self::muted("–"), Into::into)
    }
}

/// The cells of a row, or the parts of a line.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::report::Text::from($cell)),*] };
}

/// A table. It is omitted if it has no rows.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// The column names.
    pub head: Vec<Text>,
    /// Right-aligned columns.
    pub right: Vec<usize>,
    /// The rows.
    pub rows: Vec<Vec<Text>>,
}

impl Table {
    /// A table with these columns. A `>` before the name right-aligns the column.
    pub fn new(head: &[&str]) -> Self {
        let is_right = |(at, name): (usize, &&str)| name.starts_with('>').then_some(at);
        Self {
            head: head.iter().map(|name| Text::from(name.trim_start_matches('>'))).collect(),
            right: head.iter().enumerate().filter_map(is_right).collect(),
            rows: Vec::new(),
        }
    }

    /// The table with these rows.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = Vec<Text>>) -> Self {
        self.rows.extend(rows);
        self
    }
}

/// One item with all its details, for pages. Other formats show a table instead.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Card {
    /// The target of links on the page.
    pub id: Text,
    /// The color of its edge.
    pub tone: Tone,
    /// Its header: badges, title, remarks.
    pub head: Vec<Text>,
    /// Its content.
    pub blocks: Body,
    /// Whether it starts closed.
    pub folded: bool,
    /// The values that page filters use.
    pub data: Vec<(&'static str, Text)>,
}

/// A block of a report.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DocBlock {
    /// A heading with its content.
    Section {
        /// The heading.
        title: Text,
        /// The content.
        blocks: Body,
    },
    /// A line of several parts.
    Line {
        /// The parts.
        parts: Vec<Text>,
    },
    /// An important note.
    Note {
        /// The parts.
        parts: Vec<Text>,
    },
    /// A list. Each item has several parts.
    List {
        /// The items.
        items: Vec<Vec<Text>>,
    },
    /// Names with values.
    Facts {
        /// The pairs.
        facts: Vec<(Text, Text)>,
    },
    /// Figures with names.
    Figures {
        /// The pairs: name, number.
        figures: Vec<(Text, Text)>,
    },
    /// A table.
    Table(Table),
    /// Cards on a page, and a table in every other format.
    Cards {
        /// The table.
        table: Table,
        /// The cards.
        cards: Vec<Card>,
    },
    /// Blocks side by side, on a page only.
    Sides {
        /// The blocks, each a section.
        blocks: Body,
    },
    /// A value in large type.
    Value {
        /// The value.
        text: Text,
    },
    /// Preformatted text.
    Code {
        /// The text.
        text: Text,
    },
    /// A picture, on a page only.
    Picture {
        /// The alternative text.
        alt: Text,
        /// The PNG file, in base64.
        data: String,
    },
    /// A collapsed block, on a page only.
    Folded {
        /// The title.
        title: Text,
        /// The content.
        blocks: Body,
    },
}

/// A sequence of blocks. Empty blocks are omitted.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Body(pub Vec<DocBlock>);

impl Body {
    /// Adds a line of one part.
    pub fn line(&mut self, text: impl Into<Text>) {
        self.parts(vec![text.into()]);
    }

    /// Adds a line of several parts.
    pub fn parts(&mut self, parts: Vec<Text>) {
        self.0.push(DocBlock::Line { parts });
    }

    /// Adds a line with the number of rows left out.
    pub fn more(&mut self, all: usize, most: usize, what: &str) {
        if all > most {
            self.line(Text::muted(format!("… {} more {what}", all - most)));
        }
    }

    /// Adds an important note.
    pub fn note(&mut self, parts: Vec<Text>) {
        self.0.push(DocBlock::Note { parts });
    }

    /// Adds a list of lines.
    pub fn list<T: Into<Text>>(&mut self, items: impl IntoIterator<Item = T>) {
        self.items(items.into_iter().map(|item| vec![item.into()]));
    }

    /// Adds a list of lines with several parts.
    pub fn items(&mut self, items: impl IntoIterator<Item = Vec<Text>>) {
        let items: Vec<_> = items.into_iter().collect();
        if !items.is_empty() {
            self.0.push(DocBlock::List { items });
        }
    }

    /// Adds names with values.
    pub fn facts<N: Into<Text>, V: Into<Text>>(&mut self, facts: impl IntoIterator<Item = (N, V)>) {
        let facts: Vec<_> = facts.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        if !facts.is_empty() {
            self.0.push(DocBlock::Facts { facts });
        }
    }

    /// Adds figures with names.
    pub fn figures<N: Into<Text>>(&mut self, figures: impl IntoIterator<Item = (N, Text)>) {
        let figures = figures.into_iter().map(|(name, number)| (name.into(), number)).collect();
        self.0.push(DocBlock::Figures { figures });
    }

    /// Adds a table, if it has rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.0.push(DocBlock::Table(table));
        }
    }

    /// Adds a table of these columns and rows, if there are rows.
    pub fn rows(&mut self, head: &[&str], rows: impl IntoIterator<Item = Vec<Text>>) {
        self.table(Table::new(head).rows(rows));
    }

    /// Adds cards, and the table that replaces them in other formats.
    pub fn cards(&mut self, table: Table, cards: Vec<Card>) {
        if !cards.is_empty() || !table.rows.is_empty() {
            self.0.push(DocBlock::Cards { table, cards });
        }
    }

    /// Adds a section, if it has content.
    pub fn section(&mut self, title: impl Into<Text>, fill: impl FnOnce(&mut Self)) {
        let blocks = Self::of(fill);
        if !blocks.0.is_empty() {
            self.0.push(DocBlock::Section { title: title.into(), blocks });
        }
    }

    /// Adds a collapsed block, if it has content.
    pub fn folded(&mut self, title: impl Into<Text>, fill: impl FnOnce(&mut Self)) {
        let blocks = Self::of(fill);
        if !blocks.0.is_empty() {
            self.0.push(DocBlock::Folded { title: title.into(), blocks });
        }
    }

    /// Adds sections side by side.
    pub fn sides(&mut self, fill: impl FnOnce(&mut Self)) {
        self.0.push(DocBlock::Sides { blocks: Self::of(fill) });
    }

    /// Adds a value in large type.
    pub fn value(&mut self, text: impl Into<Text>) {
        self.0.push(DocBlock::Value { text: text.into() });
    }

    /// Adds preformatted text.
    pub fn code(&mut self, text: impl Into<Text>) {
        self.0.push(DocBlock::Code { text: text.into() });
    }

    /// Adds a picture.
    pub fn picture(&mut self, alt: impl Into<Text>, png: &[u8]) {
        self.0.push(DocBlock::Picture { alt: alt.into(), data: STANDARD.encode(png) });
    }

    /// A body filled by a function.
    pub fn of(fill: impl FnOnce(&mut Self)) -> Self {
        let mut body = Self::default();
        fill(&mut body);
        body
    }
}

/// A command to run next, with its purpose.
#[derive(Debug, Clone, Serialize)]
pub struct Next {
    /// The purpose.
    pub what: String,
    /// The complete command.
    pub command: String,
}

/// A filter for the cards of a page.
#[derive(Debug, Clone, Serialize)]
pub struct Filter {
    /// The key of [`Card::data`].
    pub name: &'static str,
    /// The display name.
    pub title: &'static str,
    /// The values, each with its display name.
    pub options: Vec<(String, String)>,
}

impl Filter {
    /// A filter for these values.
    #[must_use]
    pub fn new(name: &'static str, title: &'static str, options: Vec<String>) -> Self {
        let options =
            options.iter().map(|option| (inert(option), inert(&option.replace('_', " ")))).collect();
        Self { name, title, options }
    }
}

/// The content of a report.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Doc {
    /// Its title. A terminal omits it.
    pub title: Text,
    /// The summary lines, shown first.
    pub summary: Vec<Text>,
    /// Its blocks.
    pub body: Body,
    /// The filters for its cards, on a page only.
    pub filters: Vec<Filter>,
    /// The next steps.
    pub next: Vec<Next>,
}

impl Doc {
    /// A report with a title.
    pub fn new(title: impl Into<Text>) -> Self {
        Self { title: title.into(), ..Self::default() }
    }

    /// Adds a line to the summary.
    pub fn sum(&mut self, text: impl Into<Text>) {
        self.summary.push(text.into());
    }

    /// Adds a line to the summary that says whether all is well.
    pub fn verdict(&mut self, tone: Tone, text: impl Display) {
        self.sum(Text::toned(tone, text));
    }

    /// Adds a next step.
    pub fn next(&mut self, what: impl Display, command: impl Display) {
        self.next.push(Next { what: inert(&what.to_string()), command: inert(&command.to_string()) });
    }
}

/// Text cut to a maximum length.
pub(super) fn clip(text: &str, most: usize) -> Text {
    let (start, rest) = text.split_at(text.floor_char_boundary(most));
    match rest.len() {
        0 => Text::from(text),
        more => Text::from(format!("{start}… {more} more bytes")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_others_steers_nothing() {
        assert_eq!(Text::from("a\u{1b}[31m\u{202e}b\n").text, "a\u{fffd}[31m\u{fffd}b\n");
        assert_eq!(Text::brief("a\u{1b}\nb  c", 20).text, "a\u{fffd} b c");
        assert_eq!(Text::brief("abcdef", 4).text, "abc…");
        assert_eq!(Text::from("x").to("javascript:alert(1)").link, None);
    }

    #[test]
    fn what_is_empty_is_left_out() {
        let body = Body::of(|body| {
            body.section("nothing", |body| body.table(Table::new(&["a"])));
            body.list(Vec::<String>::new());
        });
        assert!(body.0.is_empty());
    }
}
