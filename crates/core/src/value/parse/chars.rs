//! A text with plain typography, each character with its place in the original.

use super::super::fold::plain;

/// A text with plain typography. Each character has its offset in the original.
pub(super) struct Chars {
    pub c: Vec<(usize, char)>,
    end: usize,
}

impl Chars {
    pub(super) fn new(text: &str) -> Self {
        let c = text.char_indices().filter_map(|(at, c)| plain(c).map(|c| (at, c))).collect();
        Self { c, end: text.len() }
    }

    pub(super) fn at(&self, i: usize) -> Option<char> {
        self.c.get(i).map(|&(_, c)| c)
    }

    pub(super) fn before(&self, i: usize, floor: usize) -> Option<char> {
        if i > floor { self.at(i - 1) } else { None }
    }

    pub(super) fn offset(&self, i: usize) -> usize {
        self.c.get(i).map_or(self.end, |&(at, _)| at)
    }

    /// End of the character before `i`. Dropped characters after it stay outside.
    pub(super) fn offset_after(&self, text: &str, i: usize) -> usize {
        let Some(&(at, _)) = i.checked_sub(1).and_then(|last| self.c.get(last)) else { return 0 };
        at + text.get(at..).and_then(|rest| rest.chars().next()).map_or(0, char::len_utf8)
    }

    pub(super) fn skip_spaces(&self, mut i: usize) -> usize {
        while self.at(i) == Some(' ') {
            i += 1;
        }
        i
    }

    pub(super) fn skip_spaces_back(&self, mut i: usize, floor: usize) -> usize {
        while self.before(i, floor) == Some(' ') {
            i -= 1;
        }
        i
    }

    /// The index after `word` (ASCII, lower case) if it starts at `i` and ends as a word.
    pub(super) fn word(&self, i: usize, word: &str) -> Option<usize> {
        let mut at = i;
        for w in word.chars() {
            if self.at(at)?.to_ascii_lowercase() != w {
                return None;
            }
            at += 1;
        }
        (!self.at(at).is_some_and(char::is_alphanumeric)).then_some(at)
    }

    pub(super) fn any_word(&self, i: usize, words: &[&str]) -> Option<usize> {
        words.iter().find_map(|word| self.word(i, word))
    }

    /// Whether a digit stands at `i`.
    pub(super) fn digit(&self, i: usize) -> bool {
        self.at(i).is_some_and(|c| c.is_ascii_digit())
    }
}
