//! An answer as the reader sees it: its sentences with their clauses and what stands over them.

use crate::language::block::{Passage, passages};
use crate::language::numerals;
use crate::language::sentence::{Clause, Names, Sentence};

/// A sentence of the answer.
#[derive(Debug, Clone)]
pub(super) struct Line {
    pub sentence: Sentence,
    pub clauses: Vec<Clause>,
    /// Row head, column head, caption and label: what stands over the sentence itself.
    pub heads: Vec<Sentence>,
    /// The headings above.
    pub headings: Vec<Sentence>,
    pub passage: Passage,
}

/// The sentences of an answer, in order.
pub(super) fn lines(answer: &str, names: &Names) -> Vec<Line> {
    passages(&numerals::normalized(answer))
        .into_iter()
        .map(|passage| {
            let sentence = Sentence::of(&passage.text, names);
            let split = passage.under.len().saturating_sub(passage.close);
            let read = |texts: &[String]| texts.iter().map(|text| Sentence::of(text, names)).collect();
            let (headings, heads) = passage.under.split_at(split);
            let (headings, heads) = (read(headings), read(heads));
            Line { clauses: sentence.clauses(), sentence, heads, headings, passage }
        })
        .collect()
}
