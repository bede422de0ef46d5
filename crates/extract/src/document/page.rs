//! A page as visible text lines in reading order, with their blocks.

use std::ops::Range;

/// Index of a block in its [`Page`].
pub(crate) type BlockId = usize;
/// A range of lines.
pub type Lines = Range<usize>;

/// A line: the text of an innermost block, or the text between two blocks or breaks.
#[derive(Debug, Clone, PartialEq)]
pub struct Line {
    /// The visible text, with whitespace folded. Drawn arrows and diamonds appear as glyphs.
    pub text: String,
    /// The [normalized](super::normalize_label) text, for comparing labels.
    pub normalized: String,
    /// The text without chips that do not change its meaning; none if there are none.
    pub bare: Option<String>,
    /// Its innermost block.
    pub block: BlockId,
    /// The largest font size in CSS pixels; 0 if unknown.
    pub font: f32,
    /// Whether the whole line can be clicked: a link, button or menu entry.
    pub control: bool,
    /// Whether it is text of a chart.
    pub chart: bool,
    /// Whether it is marked up as a heading.
    pub heading: bool,
    /// The left, top, width and height of its block in CSS pixels, if known.
    pub area: Option<[f32; 4]>,
}

/// A block: an element with its own layout box.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Block {
    /// The enclosing block. The root is its own parent.
    pub parent: BlockId,
    /// Its lines, including those of inner blocks.
    pub lines: Lines,
}

/// A page, or a part of one.
#[derive(Debug, Clone, Default)]
pub struct Page {
    /// All lines, in reading order.
    pub lines: Vec<Line>,
    /// All blocks, outer before inner.
    pub blocks: Vec<Block>,
    /// Parts that lack some of their scrollable contents.
    pub parts: Vec<Part>,
}

/// Lines that are only part of a scrollable area.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Part {
    /// The lines.
    pub lines: Lines,
    /// Why the rest is missing.
    pub why: String,
}

impl Page {
    /// The text of some lines, joined by spaces.
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

    /// The blocks within some lines, outer before inner.
    pub fn inside(&self, lines: &Lines) -> impl Iterator<Item = &Block> {
        // blocks are ordered by their start
        let first = self.blocks.partition_point(|block| block.lines.start < lines.start);
        let end = lines.end;
        self.blocks[first..]
            .iter()
            .take_while(move |block| block.lines.start < end)
            .filter(move |block| block.lines.end <= end)
    }

    /// The blocks around a line within `bounds`, innermost first.
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
