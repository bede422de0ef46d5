//! Finds which key facts a text states, by their words and, through the comparator, by their numbers.

use std::collections::BTreeSet;

use serde::Serialize;

use super::facts::{Fact, FactSpec};
use super::markdown::MarkdownDocument;
use super::numbers::{clauses, numbers, subject_words};
use crate::Verdict;
use crate::compare::compare_texts;
use crate::language::block::passages;
use crate::language::reservations;
use crate::similarity::normalised;

/// The finding for one fact.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct FactFinding {
    /// The fact.
    pub fact: String,
    /// Whether the text states it.
    pub found: bool,
    /// Where it was found, or why not.
    pub reason: String,
}

/// Searches the prose of a text for every fact.
#[must_use]
pub fn coverage(document: &MarkdownDocument<'_>, facts: &[Fact]) -> Vec<FactFinding> {
    let sentences: Vec<Statement> = document
        .blocks
        .iter()
        .flat_map(|block| {
            let sentences = passages(&block.text).into_iter().map(|passage| Statement::of(passage.text));
            // A fact may span several sentences.
            sentences.chain([Statement::of(block.text.to_string())])
        })
        .collect();
    facts
        .iter()
        .map(|fact| {
            let (found, reason) = match fact {
                Fact::Text(text) => stated(text, &sentences),
                Fact::Spec(spec) => specified(spec, &sentences),
            };
            FactFinding { fact: fact.label(), found, reason }
        })
        .collect()
}

/// A sentence or a block of sentences.
struct Statement {
    text: String,
    folded: String,
    /// The reservations that weaken its assertion.
    reservations: BTreeSet<String>,
}

impl Statement {
    fn of(text: String) -> Self {
        Self { folded: normalised(&text).collect(), reservations: reservations(&text), text }
    }

    /// Whether it asserts a fact without further reservations.
    fn asserts(&self, fact: &str) -> bool {
        self.reservations.is_subset(&reservations(fact))
    }

    /// Whether it contains the fact word for word and asserts it.
    fn holds(&self, fact: &str) -> bool {
        contains(&self.folded, fact) && self.asserts(fact)
    }
}

fn specified(spec: &FactSpec, sentences: &[Statement]) -> (bool, String) {
    let wording = spec.any_of.iter().map(|text| stated(text, sentences)).find(|(found, _)| *found);
    if wording.is_none() && !spec.any_of.is_empty() {
        return (false, format!("the text contains none of its {} wordings", spec.any_of.len()));
    }
    let Some(value) = &spec.value else {
        return wording.unwrap_or_else(|| (false, "the fact is empty".to_owned()));
    };
    let displayed = sentences
        .iter()
        .filter(|sentence| sentence.asserts(value))
        .flat_map(|sentence| numbers(&sentence.text))
        .find(|number| compare_texts(value, number.text).verdict == Verdict::Match);
    match displayed {
        Some(number) => (true, format!("{:?} agrees with {value:?}", number.text)),
        None if sentences.iter().any(|sentence| sentence.holds(value)) => {
            (true, format!("the text contains {value:?}"))
        }
        None => (false, format!("no number in the text agrees with {value:?}")),
    }
}

/// Whether the text states the fact: word for word, or, for a fact with numbers, in one clause with all its other words and
/// numbers that the comparator finds equal.
fn stated(fact: &str, sentences: &[Statement]) -> (bool, String) {
    if sentences.iter().any(|sentence| sentence.holds(fact)) {
        return (true, "word for word".to_owned());
    }
    let wanted = numbers(fact);
    if wanted.is_empty() {
        return (false, "the text does not contain its words, or does not assert them".to_owned());
    }
    let words = subject_words(fact, &wanted);
    let mut nearest = None;
    let asserting = sentences.iter().filter(|sentence| sentence.asserts(fact));
    for clause in asserting.flat_map(|sentence| clauses(&sentence.text)) {
        let present = numbers(clause);
        let of_clause = subject_words(clause, &present);
        if !words.iter().all(|word| of_clause.binary_search(word).is_ok()) {
            continue;
        }
        let missing = wanted.iter().find(|wanted| {
            !present.iter().any(|number| {
                number.is_year == wanted.is_year
                    && if wanted.is_year {
                        number.text == wanted.text
                    } else {
                        compare_texts(wanted.text, number.text).verdict == Verdict::Match
                    }
            })
        });
        match missing {
            None => return (true, format!("its numbers agree with: {clause:?}")),
            Some(number) => {
                nearest = Some(format!("{:?} differs from the number in: {clause:?}", number.text))
            }
        }
    }
    (false, nearest.unwrap_or_else(|| "no sentence asserts it".to_owned()))
}

/// Whether a folded text contains a phrase as whole words. `5.2` does not contain `5`.
fn contains(folded: &str, phrase: &str) -> bool {
    let phrase: String = normalised(phrase).collect();
    let phrase = phrase.trim_end_matches('.');
    !phrase.is_empty()
        && folded.match_indices(phrase).any(|(at, hit)| {
            let before = folded[..at].chars().next_back();
            let mut after = folded[at + hit.len()..].chars();
            let (next, second) = (after.next(), after.next());
            let word = |c: Option<char>| c.is_some_and(char::is_alphanumeric);
            let digit = |c: Option<char>| c.is_some_and(|c| c.is_ascii_digit());
            let starts = phrase.chars().next();
            let ends = phrase.chars().next_back();
            // A number may continue after a point, comma or percent sign, and begin before a point, comma or sign.
            let goes_on = digit(ends)
                && ((matches!(next, Some('.' | ',')) && digit(second)) || matches!(next, Some('%')));
            let began = digit(starts)
                && (matches!(before, Some('.' | ',')) && digit(folded[..at].chars().rev().nth(1))
                    || matches!(before, Some('-' | '$')));
            !(word(before) && word(starts) || word(next) && word(ends) || goes_on || began)
        })
}

/// Whether a heading contains the words of a required section.
pub(super) fn names_section(heading: &str, section: &str) -> bool {
    contains(&normalised(heading).collect::<String>(), section)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn phrases_are_whole_words() {
        assert!(contains("it was founded in 2015.", "Founded in 2015"));
        assert!(!contains("grew 5.2 in all", "grew 5"));
        assert!(!contains("grew 5%", "grew 5"));
        assert!(!contains("nigeria", "Niger"));
        assert!(!contains("at -5 and 1.5", "5"));
        assert!(contains("ai company, they say", "AI company"));
    }
}
