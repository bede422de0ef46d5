//! Finds contradictions in a text: two statements about the same subject, metric and year whose values differ by the
//! comparator.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use serde::Serialize;

use super::markdown::MarkdownDocument;
use super::numbers::{Number, clauses, numbers, subject_words};
use crate::Verdict;
use crate::compare::compare_texts;

/// Two statements that contradict each other.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, schemars::JsonSchema)]
pub struct Contradiction {
    /// The earlier statement.
    pub first: String,
    /// The later statement.
    pub second: String,
    /// Why they cannot both be true.
    pub reason: String,
}

/// The maximum number of statements per subject that are compared pairwise.
const MAX_PER_SUBJECT: usize = 50;

struct Statement<'a> {
    clause: &'a str,
    value: &'a str,
    under: &'a [String],
    named: bool,
}

/// Finds the contradictions of a text, grouped by subject.
///
/// A clause with exactly one value is a statement. Its other words, in any order, are subject and metric; its years are the
/// time. A statement without a name (`Exports: $5 billion`) belongs to the heading above it.
#[must_use]
pub fn contradictions(document: &MarkdownDocument<'_>) -> Vec<Contradiction> {
    let names = names(document);
    let mut statements: BTreeMap<(Vec<String>, BTreeSet<&str>), Vec<Statement<'_>>> = BTreeMap::new();
    for block in document.blocks.iter().filter(|block| !block.is_heading) {
        for clause in clauses(&block.text) {
            let found = numbers(clause);
            let (years, values): (Vec<&Number<'_>>, Vec<&Number<'_>>) =
                found.iter().partition(|number| number.is_year);
            let [value] = values.as_slice() else { continue };
            let words = subject_words(clause, &found);
            if words.is_empty() {
                continue;
            }
            let named = clause.split(|c: char| !c.is_alphanumeric()).any(|word| names.contains(word));
            let years = years.iter().map(|year| year.text).collect();
            let value = value.text;
            let group = statements.entry((words, years)).or_default();
            if group.len() < MAX_PER_SUBJECT {
                group.push(Statement { clause, value, under: &block.under, named });
            }
        }
    }
    let mut found = Vec::new();
    for group in statements.values() {
        for (position, second) in group.iter().enumerate() {
            let clash = group[..position].iter().find_map(|first| {
                let same_subject = first.named || first.under == second.under;
                if !same_subject || first.value == second.value {
                    return None;
                }
                let comparison = compare_texts(first.value, second.value);
                (comparison.verdict == Verdict::Mismatch).then_some((first, comparison.reason))
            });
            if let Some((first, reason)) = clash {
                found.push(Contradiction {
                    first: first.clause.to_owned(),
                    second: second.clause.to_owned(),
                    reason,
                });
            }
        }
    }
    found
}

/// Words that are names: capitalised inside a clause, or possessive. Abbreviations do not count.
fn names<'a>(document: &'a MarkdownDocument<'_>) -> HashSet<&'a str> {
    let mut names = HashSet::new();
    for block in document.blocks.iter().filter(|block| !block.is_heading) {
        for clause in clauses(&block.text) {
            for (position, word) in clause.split_whitespace().enumerate() {
                let core = word.trim_matches(|c: char| !c.is_alphanumeric());
                let (core, possessive) =
                    match core.strip_suffix("'s").or_else(|| core.strip_suffix("\u{2019}s")) {
                        Some(core) => (core, true),
                        None => (core, false),
                    };
                let mut letters = core.chars();
                let capitalised = letters.next().is_some_and(char::is_uppercase)
                    && letters.next().is_some_and(char::is_lowercase);
                if capitalised && (position > 0 || possessive) {
                    names.insert(core);
                }
            }
        }
    }
    names
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(text: &str) -> usize {
        contradictions(&MarkdownDocument::parse(text)).len()
    }

    #[test]
    fn scoring_thresholds_contradictions_between_stated_facts() {
        assert_eq!(count("Kenya's GDP per capita is $2,274.\n\nThe GDP per capita of Kenya was $3,000."), 1);
        assert_eq!(count("Kenya's GDP per capita is $2,274. The GDP per capita of Kenya is $2,274."), 0);
        assert_eq!(count("| Country | Exports |\n|---|---|\n| Kenya | $5B |\n| Uganda | $3B |\n"), 0);
    }

    #[test]
    fn other_years_and_other_subjects_do_not_contradict() {
        assert_eq!(
            count("In 2010 Kenya's exports were $5 billion. In 2020 Kenya's exports were $6 billion."),
            0
        );
        assert_eq!(count("Exports of Kenya: $5 billion. Exports of Uganda: $6 billion."), 0);
        assert_eq!(count("## Kenya\n- Exports: $5 billion\n## Uganda\n- Exports: $3 billion"), 0);
        assert_eq!(count("## Kenya\n- Exports: $5 billion\n- Exports: $3 billion"), 1);
    }
}
