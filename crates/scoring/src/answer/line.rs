//! Splits an answer into sentences with their clauses and heads.

use std::ops::Range;

use super::statement::segment::contrasts;
use crate::language::block::{Passage, passages};
use crate::language::lexicon;
use crate::language::numerals;
use crate::language::sentence::{Clause, Kind, Names, Sentence, Token};

/// A sentence of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Line {
    pub sentence: Sentence,
    pub clauses: Vec<Clause>,
    /// The row head, column head, caption and label of the sentence.
    pub heads: Vec<Sentence>,
    /// The headings above.
    pub headings: Vec<Sentence>,
    pub passage: Passage,
    /// The contrasts in it, as ranges of tokens.
    pub contrasts: Vec<Range<usize>>,
}

impl Line {
    pub(crate) fn token(&self, at: usize) -> Option<&Token> {
        self.sentence.tokens.get(at)
    }

    /// The token `by` positions before `at`.
    pub(crate) fn before(&self, at: usize, by: usize) -> Option<&Token> {
        self.token(at.checked_sub(by)?)
    }

    /// The tokens before `at`.
    pub(crate) fn until(&self, at: usize) -> &[Token] {
        self.sentence.tokens.get(..at).unwrap_or_default()
    }

    /// The tokens after `at`.
    pub(crate) fn behind(&self, at: usize) -> &[Token] {
        self.sentence.tokens.get(at + 1..).unwrap_or_default()
    }

    /// Whether its label marks it as a draft: `Draft: 4.23 %`.
    pub(crate) fn is_draft(&self) -> bool {
        let label = self.sentence.tokens.iter().take_while(|token| !token.mark(':'));
        let heads = self.heads.iter().flat_map(|head| &head.tokens);
        label.chain(heads).any(|token| token.listed("draft"))
    }

    /// Whether it only offers something: `Happy to show you its neighbours, if that helps!`
    pub(crate) fn offers(&self) -> bool {
        let tokens = &self.sentence.tokens;
        let spoken = |tokens: &[Token]| {
            let words = tokens.iter().filter(|token| token.kind == Kind::Words).take(5);
            words.flat_map(|token| [" ", token.folded.as_str()]).collect::<String>() + " "
        };
        let start = spoken(tokens);
        // `(Totals from the Atlas; I can also give you …)`
        let halves = tokens.iter().position(|token| token.mark(';'));
        let behind = spoken(halves.and_then(|at| tokens.get(at + 1..)).unwrap_or_default());
        let begins = lexicon::list("offer").iter().any(|offer| {
            start.starts_with(&format!(" {offer} ")) || behind.starts_with(&format!(" {offer} "))
        });
        let asserts = |token: &Token| token.operator("negation") || token.role("be") && token.folded != "s";
        // `if you open the page, you will see another`
        let foretells = |pair: &[Token]| matches!(pair, [you, will] if you.folded == "you" && matches!(will.folded.as_str(), "will" | "ll"));
        begins && !tokens.iter().any(asserts) && !tokens.windows(2).any(foretells)
    }
}

/// Splits an answer into sentences, in order.
pub(crate) fn lines(answer: &str, names: &Names) -> Vec<Line> {
    passages(&numerals::normalized(answer))
        .into_iter()
        .map(|passage| {
            let sentence = Sentence::of(&passage.text, names);
            let split = passage.under.len().saturating_sub(passage.close);
            let read = |texts: &[String]| texts.iter().map(|text| Sentence::of(text, names)).collect();
            let (headings, heads) = passage.under.split_at(split);
            let (headings, heads) = (read(headings), read(heads));
            let contrasts = contrasts(&sentence.tokens);
            Line { clauses: sentence.clauses(), sentence, heads, headings, passage, contrasts }
        })
        .collect()
}
