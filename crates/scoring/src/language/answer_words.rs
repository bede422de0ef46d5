//! The words that right answers have used, by what they answer (`answer_words.txt`, collected from labelled answers by `make
//! words`). Any other word may say anything of the value beside it.

use std::collections::HashMap;
use std::sync::LazyLock;

/// A line for every word, with the letters of its topics: small ones, or capitals where it stood before a measure or a product
/// and so may make another of it.
const WORDS: &str = include_str!("answer_words.txt");

static TOPICS: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| WORDS.lines().filter_map(|line| line.split_once(' ')).collect());

/// What a data point asks for, as far as it decides which words answer it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Topic {
    /// Money, an index, a ratio.
    Amount,
    /// A number of things or people.
    Count,
    /// A share.
    Percent,
    /// A place in a ranking.
    Rank,
    /// A change, or a rate of change.
    Change,
    /// A name or a code.
    Name,
    /// A grade, a strategy, a direction, or that there is no value.
    Text,
}

impl Topic {
    /// Its letter in the list.
    #[must_use]
    pub const fn letter(self) -> char {
        match self {
            Self::Amount => 'a',
            Self::Count => 'c',
            Self::Percent => 'p',
            Self::Rank => 'r',
            Self::Change => 'd',
            Self::Name => 'n',
            Self::Text => 't',
        }
    }

    /// Whether right answers to this topic have used a word, or used it before a measure or a product.
    pub(crate) fn uses(self, word: &str, is_modifier: bool) -> bool {
        let used = |topics: &&str| {
            topics.contains(self.letter().to_ascii_uppercase())
                || !is_modifier && topics.contains(self.letter())
        };
        TOPICS.get(word).is_some_and(used)
    }
}

/// Whether it is more than a letter and no number.
pub(crate) fn is_word(folded: &str) -> bool {
    folded.chars().count() > 1 && folded.chars().all(char::is_alphabetic)
}
