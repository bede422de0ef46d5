//! A sentence of an answer with its place in the document.

use super::lexicon;

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

/// The preposition that says what a column or key makes of a country: `from` for `Exporter`, `to` for `Destination`.
pub(crate) fn side(column: &str) -> Option<&'static str> {
    let words = lexicon::words(column);
    let column: Vec<&str> = words.iter().map(|word| word.folded.as_str()).collect();
    let column = column.join(" ");
    [("from", "side_from"), ("to", "side_to"), ("with", "side_with")]
        .into_iter()
        .find_map(|(side, list)| lexicon::listed(list, &column).then_some(side))
}

/// The text of a field as its row reads: `from Germany` under `Exporter`.
pub(super) fn in_row(column: &str, text: &str) -> String {
    side(column).map_or_else(|| text.to_owned(), |side| format!("{side} {text}"))
}
