//! What a report says, before it has a form: a summary, then headings, tables, cards, notes and pictures, then the next steps.
//! Text comes in through [`Text`], which makes it inert: no control character and no change of direction reaches a reader.

use std::fmt::Display;
use std::path::Path;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::chart::Chart;
use crate::manifest::QuestionId;

/// How good or bad something is.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    /// Neither.
    #[default]
    Plain,
    /// As it should be.
    Good,
    /// To be looked at.
    Warning,
    /// Wrong.
    Bad,
    /// Beside the point.
    Muted,
}

impl Tone {
    /// The tone of an exit code: what differs is to be looked at, all else is wrong.
    pub(super) const fn of_exit(code: u8) -> Self {
        match code {
            0 => Self::Good,
            3 => Self::Warning,
            _ => Self::Bad,
        }
    }
}

/// A piece of text.
#[derive(Debug, Clone, Default, PartialEq, Serialize)]
pub struct Text {
    /// The text.
    pub text: String,
    /// How it is coloured.
    pub tone: Tone,
    /// A word in a box.
    pub badge: bool,
    /// An identifier or a command.
    pub code: bool,
    /// Where it leads: an address of the web, or `#id` of a card on the same page.
    pub link: Option<String>,
    /// A chart beside it.
    pub chart: Option<Chart>,
}

impl Text {
    /// Text with a tone.
    pub fn toned(tone: Tone, text: impl Display) -> Self {
        Self { text: inert(&text.to_string()), tone, ..Self::default() }
    }

    /// A word in a box.
    pub fn badge(tone: Tone, text: impl Display) -> Self {
        Self { badge: true, ..Self::toned(tone, text) }
    }

    /// An identifier or a command.
    pub fn code(text: impl Display) -> Self {
        Self { code: true, ..Self::toned(Tone::Plain, text) }
    }

    /// Text beside the point.
    pub fn muted(text: impl Display) -> Self {
        Self::toned(Tone::Muted, text)
    }

    /// The same as a link, where the address is one of the web or of the page itself.
    #[must_use]
    pub fn to(mut self, address: &str) -> Self {
        let is_followed = ["https://", "http://", "#"].iter().any(|start| address.starts_with(start));
        self.link = is_followed.then(|| inert(address));
        self
    }

    /// The same with a chart.
    #[must_use]
    pub fn with(mut self, chart: Chart) -> Self {
        self.chart = Some(chart);
        self
    }

    /// A page of the site; a link only for the live site, so that a reading of another site never links to it.
    pub fn page(site: &str, page: &str) -> Self {
        let base = if site == "live" { crate::config::LIVE } else { site };
        let whole = if page.contains("://") { page.to_owned() } else { format!("{base}{page}") };
        Self::from(page).to(&whole)
    }

    /// One line of at most so many characters.
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
        Self::from(format!("Q{id}"))
    }
}

impl<T: Into<Self>> From<Option<T>> for Text {
    fn from(value: Option<T>) -> Self {
        value.map_or_else(|| Self::muted("–"), Into::into)
    }
}

/// Text as it is shown everywhere: a control character or one that turns the direction of what follows, which could steer a
/// terminal or pass one answer off for another, becomes visible.
pub(super) fn inert(text: &str) -> String {
    let is_odd = |c: char| match c {
        '\n' | '\t' => false,
        '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' => true,
        c => c.is_control(),
    };
    if text.contains(is_odd) { text.replace(is_odd, "\u{fffd}") } else { text.to_owned() }
}

/// The cells of a row, or the parts of a line.
#[macro_export]
macro_rules! row {
    ($($cell:expr),* $(,)?) => { vec![$($crate::report::Text::from($cell)),*] };
}

/// A table. It is left out where it has no rows.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Table {
    /// Names of the columns.
    pub head: Vec<Text>,
    /// Columns whose cells stand at the right.
    pub right: Vec<usize>,
    /// The cells.
    pub rows: Vec<Vec<Text>>,
}

impl Table {
    /// A table with these columns; the name of one whose cells stand at the right begins with `>`.
    pub fn new(head: &[&str]) -> Self {
        let is_right = |(at, name): (usize, &&str)| name.starts_with('>').then_some(at);
        Self {
            head: head.iter().map(|name| Text::from(name.trim_start_matches('>'))).collect(),
            right: head.iter().enumerate().filter_map(is_right).collect(),
            rows: Vec::new(),
        }
    }

    /// The same with these rows.
    #[must_use]
    pub fn rows(mut self, rows: impl IntoIterator<Item = Vec<Text>>) -> Self {
        self.rows.extend(rows);
        self
    }
}

/// One thing of many, with all that is known of it: a page has room for it.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Card {
    /// What links on the page lead to.
    pub id: Text,
    /// The colour of its edge.
    pub tone: Tone,
    /// Its head: badges, title, remarks.
    pub head: Vec<Text>,
    /// What is in it.
    pub blocks: Body,
    /// Whether a reader has to open it.
    pub folded: bool,
    /// What a filter of the page knows of it.
    pub data: Vec<(&'static str, Text)>,
}

/// A part of a report.
#[derive(Debug, Clone, Serialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum DocBlock {
    /// A heading and what belongs to it.
    Section {
        /// The heading.
        title: Text,
        /// What belongs to it.
        blocks: Body,
    },
    /// A line in parts.
    Line {
        /// The parts.
        parts: Vec<Text>,
    },
    /// What a reader must know first.
    Note {
        /// The parts.
        parts: Vec<Text>,
    },
    /// A list; each item in parts.
    List {
        /// The items.
        items: Vec<Vec<Text>>,
    },
    /// Names and values.
    Facts {
        /// The pairs.
        facts: Vec<(Text, Text)>,
    },
    /// Numbers with their names.
    Figures {
        /// The pairs: name, number.
        figures: Vec<(Text, Text)>,
    },
    /// A table.
    Table(Table),
    /// Cards where there is room for them, and the same as a table elsewhere.
    Cards {
        /// In a terminal and in Markdown.
        table: Table,
        /// On a page.
        cards: Vec<Card>,
    },
    /// Parts beside each other, on a page only.
    Sides {
        /// The parts, each a section.
        blocks: Body,
    },
    /// A value in large type.
    Value {
        /// The value.
        text: Text,
    },
    /// Text that keeps its lines.
    Code {
        /// The text.
        text: Text,
    },
    /// A picture, on a page only.
    Picture {
        /// What it shows.
        alt: Text,
        /// The PNG file in base64.
        data: String,
    },
    /// What a reader may open, on a page only.
    Folded {
        /// What is in it, in a few words.
        title: Text,
        /// What is in it.
        blocks: Body,
    },
}

/// Parts of a report, one after the other. What is empty is left out.
#[derive(Debug, Clone, Default, Serialize)]
#[serde(transparent)]
pub struct Body(pub Vec<DocBlock>);

impl Body {
    /// A line of one part.
    pub fn line(&mut self, text: impl Into<Text>) {
        self.parts(vec![text.into()]);
    }

    /// A line of several.
    pub fn parts(&mut self, parts: Vec<Text>) {
        self.0.push(DocBlock::Line { parts });
    }

    /// A line that a reader must know first.
    pub fn note(&mut self, parts: Vec<Text>) {
        self.0.push(DocBlock::Note { parts });
    }

    /// A list of lines.
    pub fn list<T: Into<Text>>(&mut self, items: impl IntoIterator<Item = T>) {
        self.items(items.into_iter().map(|item| vec![item.into()]));
    }

    /// A list of lines of several parts.
    pub fn items(&mut self, items: impl IntoIterator<Item = Vec<Text>>) {
        let items: Vec<_> = items.into_iter().collect();
        if !items.is_empty() {
            self.0.push(DocBlock::List { items });
        }
    }

    /// Names and values.
    pub fn facts<N: Into<Text>, V: Into<Text>>(&mut self, facts: impl IntoIterator<Item = (N, V)>) {
        let facts: Vec<_> = facts.into_iter().map(|(name, value)| (name.into(), value.into())).collect();
        if !facts.is_empty() {
            self.0.push(DocBlock::Facts { facts });
        }
    }

    /// Numbers with their names.
    pub fn figures<N: Into<Text>>(&mut self, figures: impl IntoIterator<Item = (N, Text)>) {
        let figures = figures.into_iter().map(|(name, number)| (name.into(), number)).collect();
        self.0.push(DocBlock::Figures { figures });
    }

    /// A table, where it has rows.
    pub fn table(&mut self, table: Table) {
        if !table.rows.is_empty() {
            self.0.push(DocBlock::Table(table));
        }
    }

    /// Cards, and the table that replaces them in formats without cards.
    pub fn cards(&mut self, table: Table, cards: Vec<Card>) {
        if !cards.is_empty() || !table.rows.is_empty() {
            self.0.push(DocBlock::Cards { table, cards });
        }
    }

    /// A section, where there is something in it.
    pub fn section(&mut self, title: impl Into<Text>, fill: impl FnOnce(&mut Self)) {
        let blocks = Self::of(fill);
        if !blocks.0.is_empty() {
            self.0.push(DocBlock::Section { title: title.into(), blocks });
        }
    }

    /// What a reader may open, where there is something in it.
    pub fn folded(&mut self, title: impl Into<Text>, fill: impl FnOnce(&mut Self)) {
        let blocks = Self::of(fill);
        if !blocks.0.is_empty() {
            self.0.push(DocBlock::Folded { title: title.into(), blocks });
        }
    }

    /// Sections beside each other.
    pub fn sides(&mut self, fill: impl FnOnce(&mut Self)) {
        self.0.push(DocBlock::Sides { blocks: Self::of(fill) });
    }

    /// A value in large type.
    pub fn value(&mut self, text: impl Into<Text>) {
        self.0.push(DocBlock::Value { text: text.into() });
    }

    /// Text that keeps its lines.
    pub fn code(&mut self, text: impl Into<Text>) {
        self.0.push(DocBlock::Code { text: text.into() });
    }

    /// A picture.
    pub fn picture(&mut self, alt: impl Into<Text>, png: &[u8]) {
        self.0.push(DocBlock::Picture { alt: alt.into(), data: STANDARD.encode(png) });
    }

    /// What a function puts into a body.
    pub fn of(fill: impl FnOnce(&mut Self)) -> Self {
        let mut body = Self::default();
        fill(&mut body);
        body
    }
}

/// A command to run next, whole, and what for.
#[derive(Debug, Clone, Serialize)]
pub struct Next {
    /// What it does.
    pub what: String,
    /// The command.
    pub command: String,
}

/// What the cards of a page can be filtered by.
#[derive(Debug, Clone, Serialize)]
pub struct Filter {
    /// The key of [`Card::data`].
    pub name: &'static str,
    /// For a person.
    pub title: &'static str,
    /// The values, and each for a person.
    pub options: Vec<(String, String)>,
}

impl Filter {
    /// A filter with these values.
    #[must_use]
    pub fn new(name: &'static str, title: &'static str, options: Vec<String>) -> Self {
        let options =
            options.iter().map(|option| (inert(option), inert(&option.replace('_', " ")))).collect();
        Self { name, title, options }
    }
}

/// A report as it is read.
#[derive(Debug, Clone, Default, Serialize)]
pub struct Doc {
    /// Its title, which a terminal leaves out.
    pub title: Text,
    /// The summary: what is read first.
    pub summary: Vec<Text>,
    /// Its parts.
    pub body: Body,
    /// What its cards can be filtered by on a page.
    pub filters: Vec<Filter>,
    /// What to do next.
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

    /// Adds a next step.
    pub fn next(&mut self, what: impl Display, command: impl Display) {
        self.next.push(Next { what: inert(&what.to_string()), command: inert(&command.to_string()) });
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
    fn an_address_of_the_site_stands_for_a_reading_of_the_site_alone() {
        let link = |site: &str| Text::page(site, "/countries/404").link;
        assert_eq!(link("live").as_deref(), Some("https://atlas.hks.harvard.edu/countries/404"));
        assert_eq!(link("twin"), None);
        assert_eq!(link("http://127.0.0.1:8080").as_deref(), Some("http://127.0.0.1:8080/countries/404"));
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
