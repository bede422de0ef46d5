//! The page as a person reads it: lines of visible text in reading order, and the blocks they lie in.
//! Everything that locates a value works on this, never on tags, classes or ids.

mod chip;
mod computed_style;
mod diamond;
mod drawing;
mod fold;
mod mark;
mod markup;
mod page;
mod paint;
mod tree;

pub use fold::normalize_label;
pub(crate) use page::BlockId;
pub use page::{Block, Line, Lines, Page};

impl Page {
    /// Reads annotated markup.
    #[must_use]
    pub fn parse(html: &str) -> Self {
        tree::read(html)
    }
}
