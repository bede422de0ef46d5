//! A page as lines of visible text in reading order, and the blocks that they lie in.

use std::ops::Range;

/// Index of a block in its [`Page`].
pub(crate) type BlockId = usize;
/// Lines by index.
pub type Lines = Range<usize>;

/// One line: the text of an innermost block, or what stands between two blocks or breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// Visible text, folded. Arrows and diamonds that are drawn stand in it as glyphs.
    pub text: String,
    /// The [normalized](super::normalize_label) text, as labels are compared.
    pub normalized: String,
    /// The text without the chips in it that say nothing about it; none where it has no such chip.
    pub bare: Option<String>,
    /// The innermost block it lies in.
    pub block: BlockId,
    /// Largest font size in CSS pixels; 0 when unknown.
    pub font: f32,
    /// It can be clicked as a whole: link, button, menu entry.
    pub control: bool,
    /// It is text of a chart.
    pub chart: bool,
    /// It is marked up as a heading.
    pub heading: bool,
    /// Left, top, width, height of its block in CSS pixels, when known.
    pub area: Option<[f32; 4]>,
}

/// A block: an element that is laid out as a box of its own.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The block around it; the root is its own parent.
    pub parent: BlockId,
    /// The lines inside it, those of inner blocks included.
    pub lines: Lines,
}

/// A page, or a part of one.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// All lines in reading order.
    pub lines: Vec<Line>,
    /// All blocks, outer before inner.
    pub blocks: Vec<Block>,
    /// Parts of the page that do not hold all that a person could scroll to.
    pub parts: Vec<Part>,
}

/// Lines that are only a part of what a person could scroll to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The lines.
    pub lines: Lines,
    /// Why the rest is not there.
    pub why: String,
}

impl Page {
    /// The text of some lines, joined by single spaces.
    #[must_use]
    pub fn text(&self, lines: Lines) -> String {
        let mut text = String::new();
        for line in &self.lines[lines] {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(&line.text);
        }
        text
    }

    /// The blocks that lie within some lines, outer before inner.
    pub fn inside(&self, lines: &Lines) -> impl Iterator<Item = &Block> {
        // blocks stand in the order in which they begin
        let first = self.blocks.partition_point(|block| block.lines.start < lines.start);
        let end = lines.end;
        self.blocks[first..]
            .iter()
            .take_while(move |block| block.lines.start < end)
            .filter(move |block| block.lines.end <= end)
    }

    /// The blocks around a line, innermost first, that lie within `bounds`.
    pub fn around(&self, line: usize, bounds: Lines) -> impl Iterator<Item = BlockId> + '_ {
        let mut next = Some(self.lines[line].block);
        std::iter::from_fn(move || {
            let block = next?;
            let inside = &self.blocks[block].lines;
            if inside.start < bounds.start || inside.end > bounds.end {
                return None;
            }
            let parent = self.blocks[block].parent;
            next = (parent != block).then_some(parent);
            Some(block)
        })
    }
}
