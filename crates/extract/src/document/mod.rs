//! The page as a person reads it: visible text lines in reading order, and their blocks. Values are
//! located with these only, never with tags, classes or ids.

mod chip;
mod computed_style;
mod diamond;
mod drawing;
mod fold;
mod mark;
mod markup;
mod page;
mod paint;
mod place;
mod tree;

pub use fold::normalize_label;
pub(crate) use page::BlockId;
pub use page::{Block, Line, Lines, Page};
pub use place::union;

impl Page {
    /// Parses annotated markup.
    #[must_use]
    pub fn parse(html: &str) -> Self {
        tree::read(html)
    }
}
