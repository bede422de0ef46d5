//! A sentence of an answer with its place in the document.

/// A sentence with the headings and heads above it.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Passage {
    pub text: String,
    /// Headings, the caption before a list or table, column head and row head, outermost first.
    pub under: Vec<String>,
    /// Whether it is a table cell.
    pub cell: bool,
    /// The table and column.
    pub column: Option<(usize, usize)>,
    /// Whether it is a field of a JSON object, named by its key.
    pub keyed: bool,
    /// The number of its block. A pronoun only refers back within its block.
    pub block: usize,
    /// The position in an ordered list, from 1.
    pub place: Option<u64>,
    /// Whether it is a list item, ordered or not.
    pub item: bool,
    /// Whether it is the text of a picture, which asserts nothing.
    pub picture: bool,
    /// How many entries at the end of `under` are row and column heads or its own caption. The others are headings.
    pub close: usize,
}
