//! What a reader finds for a data point: candidate values with their places, or a verdict by a rule of its own.

use std::collections::HashSet;

use super::difference::Difference;
use super::line::Line;
use super::point::{AnswerVerdict, PlaceKind, Placed, PointScore};
use crate::Comparison;
use crate::language::lexicon;
use crate::value::ContextPart;

/// The place of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is given as the requested value.
    Asked,
    /// It belongs to another row of the record.
    OtherSlot,
    /// It belongs to another context.
    OtherContext(Difference),
    /// It is not asserted.
    Operator(NotAsserted),
    /// Its meaning is unclear; holds the reason.
    Unplaced(String),
}

/// What keeps a value from being asserted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct NotAsserted {
    pub kind: OperatorKind,
    pub why: String,
}

/// The operators that settlement tells apart.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum OperatorKind {
    /// `not`
    PlainlyDenied,
    /// `barely`, `far from`
    Denied,
    /// A later sentence withdraws it.
    Withdrawn,
    /// Doubt, a question, a condition, a bound, an exception.
    Other,
}

impl Place {
    pub(crate) fn other(difference: impl Into<Difference>) -> Self {
        Self::OtherContext(difference.into())
    }

    pub(crate) fn differing(part: ContextPart, text: impl Into<String>) -> Self {
        Self::OtherContext(Difference::of(part, text))
    }

    pub(crate) fn level_or_change(text: impl Into<String>) -> Self {
        Self::OtherContext(Difference::level_or_change(text))
    }

    pub(crate) fn under(why: impl Into<String>) -> Self {
        Self::Operator(NotAsserted { kind: OperatorKind::Other, why: why.into() })
    }

    pub(crate) fn denied(word: &str) -> Self {
        let kind = match lexicon::listed("plain_negation", word) {
            true => OperatorKind::PlainlyDenied,
            false => OperatorKind::Denied,
        };
        Self::Operator(NotAsserted { kind, why: format!("\"{word}\" denies it") })
    }

    /// The same place, where a plain negation denies something beside the value.
    pub(crate) fn denied_elsewhere(self) -> Self {
        match self {
            Self::Operator(NotAsserted { kind: OperatorKind::PlainlyDenied, why }) => {
                Self::Operator(NotAsserted { kind: OperatorKind::Denied, why })
            }
            place => place,
        }
    }

    pub(crate) fn withdrawn(word: &str) -> Self {
        let why = format!("\"{word}\" withdraws it");
        Self::Operator(NotAsserted { kind: OperatorKind::Withdrawn, why })
    }

    pub(crate) fn unclear(word: &str) -> Self {
        Self::Unplaced(unclear(word))
    }

    pub(crate) fn unplaced(why: impl Into<String>) -> Self {
        Self::Unplaced(why.into())
    }

    /// A value with this place, for the report.
    pub(crate) fn of(&self, value: String, agrees: Option<bool>) -> Placed {
        let place = match self {
            Place::Asked => PlaceKind::Asked,
            Place::OtherSlot => PlaceKind::OtherSlot,
            Place::OtherContext(_) => PlaceKind::OtherContext,
            Place::Operator(_) => PlaceKind::Operator,
            Place::Unplaced(_) => PlaceKind::Unplaced,
        };
        Placed { value, place, why: self.why().map(str::to_owned), agrees }
    }

    /// Why it does not count; `None` for the requested value and for another row.
    pub(crate) fn why(&self) -> Option<&str> {
        match self {
            Place::Asked | Place::OtherSlot => None,
            Place::OtherContext(difference) => Some(&difference.text),
            Place::Operator(operator) => Some(&operator.why),
            Place::Unplaced(why) => Some(why),
        }
    }
}

/// The reason for a word that may change the meaning.
pub(crate) fn unclear(word: &str) -> String {
    format!("the effect of \"{word}\" is unclear")
}

/// A candidate value with its place and its comparison with the truth.
#[derive(Debug, Clone)]
pub(crate) struct Candidate {
    pub place: Place,
    /// Whether it agrees with the truth; `None` if it is too coarse to decide.
    pub agrees: Option<bool>,
    pub comparison: Option<Comparison>,
    pub value: String,
    pub line: usize,
    pub is_final: bool,
    pub corrected: bool,
    /// Whether it is a bound that the truth satisfies or a share in words: compatible with the truth, but not an answer.
    pub vague: bool,
    /// Whether it repeats the truth beside it: `about fifteen times`, `(shown as $2.85k)`.
    pub repeats: bool,
    /// Whether it states no context of its own.
    pub bare: bool,
}

impl Candidate {
    pub(crate) fn placed(&self) -> Placed {
        self.place.of(self.value.clone(), self.agrees)
    }
}

/// What a reader finds for a data point.
pub(crate) enum Found {
    /// Candidates, which their places settle.
    Candidates(Vec<Candidate>),
    /// The same, and the verdict if they do not give the value.
    Or(Vec<Candidate>, Box<PointScore>),
    /// A verdict.
    Verdict(Box<PointScore>),
    /// A verdict that stands if the answer does not withdraw or doubt what it claims.
    Claim(Box<Claim>),
}

/// A verdict that rests on what some lines of the answer claim.
pub(crate) struct Claim {
    pub verdict: PointScore,
    /// The verdict if the answer withdraws or doubts the claim. The doubt becomes its reason.
    pub doubted: PointScore,
    /// The lines that make the claim.
    pub lines: HashSet<usize>,
    /// The last line that gives the true value, if one does.
    pub given_at: Option<usize>,
    /// The line that corrects an earlier value. Doubts up to it no longer count.
    pub corrected: Option<usize>,
    /// Whether the claim is wrong. Unclear sentences leave it wrong.
    pub is_wrong: bool,
}

impl Claim {
    /// A claim that some lines make, and that nothing corrects.
    pub(crate) fn of(verdict: PointScore, doubted: PointScore, lines: HashSet<usize>) -> Self {
        let given_at = lines.iter().max().copied();
        Self { verdict, doubted, lines, given_at, corrected: None, is_wrong: false }
    }

    /// The lines that give the true value; none if the claim is not right.
    pub(crate) fn given<'l>(&self, lines: &'l [Line]) -> impl Iterator<Item = &'l Line> {
        let text = self.verdict.sentence.as_ref().filter(|_| self.verdict.said == AnswerVerdict::Right);
        lines.iter().filter(move |line| text == Some(&line.passage.text))
    }
}

impl From<PointScore> for Found {
    fn from(verdict: PointScore) -> Self {
        Self::Verdict(Box::new(verdict))
    }
}

impl From<Claim> for Found {
    fn from(claim: Claim) -> Self {
        Self::Claim(Box::new(claim))
    }
}
