//! The headings above a place in a Markdown text.

use pulldown_cmark::HeadingLevel;

/// The headings above a place, outermost first.
#[derive(Debug, Default)]
pub(crate) struct Outline(Vec<(HeadingLevel, String)>);

impl Outline {
    /// Begins the section of a heading, and returns the headings above it.
    pub(crate) fn enter(&mut self, level: HeadingLevel, heading: String) -> Vec<String> {
        self.0.retain(|(above, _)| *above < level);
        let under = self.under();
        self.0.push((level, heading));
        under
    }

    /// The headings above what follows.
    pub(crate) fn under(&self) -> Vec<String> {
        self.0.iter().map(|(_, heading)| heading.clone()).collect()
    }
}
