//! An answer taken apart: its sentences, what they stand under, and what is asked.

use std::collections::{BTreeSet, HashMap};
use std::rc::Rc;

use super::assign::Attachment;
use super::passage::Passage;
use super::sentence::{RowNames, Sentence, Span};
use super::stance::StanceWords;
use crate::atlas::CountryId;
use crate::language::lexicon;

/// Sentences that a pronoun reaches back over.
const LOOK_BACK: usize = 12;

/// The sentences of an answer, taken apart.
#[derive(Default)]
pub(super) struct Reading {
    pub passages: Vec<Passage>,
    pub sentences: Vec<Sentence>,
    /// The heads of each sentence, innermost first.
    pub heads: Vec<Vec<Rc<Sentence>>>,
    /// The words of each sentence that say how it is meant.
    pub stances: Vec<StanceWords>,
    /// The last sentence that takes back what was said before it.
    pub retracted_before: Option<usize>,
    /// Words of the question and of the measures that are asked for.
    pub known: BTreeSet<String>,
    /// Words of the question for the product that it asks about.
    pub asked: Vec<String>,
    /// The words of the question.
    pub question: Vec<String>,
    /// The countries that are expected rows of a list.
    pub places: Vec<CountryId>,
}

impl Reading {
    pub(super) fn of(
        passages: Vec<Passage>,
        rows: &RowNames,
        with_terms: bool,
        known: BTreeSet<String>,
    ) -> Self {
        let mut taken_apart: HashMap<String, Rc<Sentence>> = HashMap::new();
        let heads = passages
            .iter()
            .map(|passage| {
                passage
                    .under
                    .iter()
                    .rev()
                    .filter(|head| !head.is_empty())
                    .map(|head| {
                        taken_apart
                            .entry(head.clone())
                            .or_insert_with(|| Rc::new(Sentence::of(head, rows, with_terms)))
                            .clone()
                    })
                    .collect()
            })
            .collect();
        let sentences: Vec<Sentence> =
            passages.iter().map(|passage| passage.sentence(rows, with_terms)).collect();
        let stances: Vec<StanceWords> = sentences.iter().map(StanceWords::of).collect();
        let takes_back = |at: &usize| stances[*at].takes_back(&sentences[*at].text);
        let retracted_before = (0..stances.len()).rev().find(takes_back);
        Self { passages, sentences, heads, stances, retracted_before, known, ..Self::default() }
    }

    /// Whether a sentence is a cell of a column of codes.
    pub(super) fn is_of_codes(&self, at: usize) -> bool {
        self.passages.get(at).filter(|passage| passage.cell).is_some_and(|passage| {
            let column = passage.under.iter().rev().nth(1).map(|head| head.to_lowercase());
            matches!(
                column.as_deref(),
                Some("code" | "codes" | "hs code" | "hs" | "product code" | "hs12 code" | "hs92 code")
            )
        })
    }

    /// Whether the question itself holds a name, so that naming it answers nothing.
    pub(super) fn is_asked(&self, name: &str) -> bool {
        let words: Vec<String> = lexicon::words(name).into_iter().map(|word| word.folded).collect();
        !words.is_empty() && self.question.windows(words.len()).any(|here| here == words)
    }

    /// What a sentence before says and this one continues: within its block, or where it says "its".
    pub(super) fn carried<T>(&self, at: usize, get: impl Fn(&Span) -> Option<T>) -> Option<(T, Attachment)> {
        let sentence = self.sentences.get(at)?;
        let here = self.passages.get(at)?;
        if here.cell {
            return None;
        }
        let refers = sentence.cues(0..sentence.text.len()).any(|(cue, _)| cue == "its");
        let mut back = self.sentences.get(..at)?.iter().zip(self.passages.get(..at)?).rev().take(LOOK_BACK);
        let found = back.find_map(|(sentence, passage)| {
            if passage.cell || (!refers && passage.block != here.block) {
                return None;
            }
            sentence.spans.iter().find_map(&get)
        })?;
        Some((found, if refers { Attachment::Own } else { Attachment::Carried }))
    }

    pub(super) fn head<T>(&self, at: usize, get: impl Fn(&Span) -> Option<T>) -> Option<(T, Attachment)> {
        let heads = self.heads.get(at)?;
        heads.iter().find_map(|head| {
            head.spans.iter().chain(&head.terms).rev().find_map(&get).map(|value| (value, Attachment::Own))
        })
    }
}
