//! The words of a sentence that say how it is meant: what asks, doubts, denies, supposes or takes back.

use std::ops::Range;

use super::sentence::Sentence;
use crate::language::lexicon::{self, Word};

/// Retractions that are one only where the sentence pauses behind them.
const PAUSED: [&str; 9] =
    ["no", "wait", "actually", "rather", "instead", "edit", "update", "corrected", "sorry"];

/// The words of a sentence, and those that say how it is meant.
#[derive(Debug, Default)]
pub(super) struct StanceWords {
    pub words: Vec<Word>,
    /// Words that keep it from asserting, with their kind, but for those that are part of a name.
    pub found: Vec<(Range<usize>, &'static str)>,
    /// Whether it is a question.
    pub asked: bool,
}

impl StanceWords {
    pub(super) fn of(sentence: &Sentence) -> Self {
        let words = lexicon::words(&sentence.text);
        let found = lexicon::assertion(&words);
        let found = found.into_iter().filter(|(range, _)| !sentence.is_in_a_name(range)).collect();
        Self { words, found, asked: sentence.text.trim_end().ends_with('?') }
    }

    /// The words of some kinds in a part of it.
    pub(super) fn all<'s>(
        &'s self,
        kinds: &'s [&str],
        within: Range<usize>,
    ) -> impl Iterator<Item = &'s Range<usize>> {
        let inside = move |range: &Range<usize>| range.start >= within.start && range.end <= within.end;
        self.found
            .iter()
            .filter(move |(range, kind)| kinds.contains(kind) && inside(range))
            .map(|(range, _)| range)
    }

    /// The first of some kinds of words in a part of it.
    pub(super) fn first<'s>(&'s self, kinds: &'s [&str], within: Range<usize>) -> Option<&'s Range<usize>> {
        self.all(kinds, within).next()
    }

    /// Whether it takes back what was said before it.
    pub(super) fn takes_back(&self, text: &str) -> bool {
        let Some(first) = self.words.first() else { return false };
        let begins =
            self.found.iter().find(|(range, kind)| *kind == "retraction" && range.start == first.range.start);
        if let Some((range, _)) = begins {
            let phrase = text.get(range.clone()).unwrap_or_default().to_lowercase();
            let rest = text.get(range.end..).unwrap_or_default().trim_start();
            if !PAUSED.contains(&phrase.as_str())
                || rest.is_empty()
                || rest.starts_with([',', '.', ':', ';', '!', '-', '–', '—', '…'])
            {
                return true;
            }
        }
        let points_back = [
            "that",
            "this",
            "it",
            "which",
            "these",
            "those",
            "they",
            "the",
            "all",
            "everything",
            "none",
            "i",
        ];
        let is_wrong = self.found.iter().any(|(_, kind)| matches!(*kind, "wrong"));
        // "That is not it", and not "This does not include …"
        let denied = self.words.len() <= 5 && self.first(&["denial"], 0..text.len()).is_some();
        let short = is_wrong && self.words.len() <= 8 && !text.contains(|c: char| c.is_ascii_digit());
        short
            || (points_back.contains(&first.folded.as_str())
                && (is_wrong || (denied && first.folded != "the")))
    }
}
