//! What a reader finds for a data point: candidate values with their places, or a verdict by a rule of its own.

use std::collections::HashSet;

use super::point::{PlaceKind, Placed, PointScore};
use crate::Comparison;

/// The place of one candidate.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Place {
    /// It is given as the requested value.
    Asked,
    /// It belongs to another row of the record.
    OtherSlot,
    /// It belongs to another context; holds the part that differs.
    OtherContext(String),
    /// It is not asserted; holds the operator.
    Operator(String),
    /// Its meaning is unclear; holds the reason.
    Unplaced(String),
}

impl Place {
    pub(crate) fn other(part: impl Into<String>) -> Self {
        Self::OtherContext(part.into())
    }

    pub(crate) fn under(why: impl Into<String>) -> Self {
        Self::Operator(why.into())
    }

    pub(crate) fn unplaced(why: impl Into<String>) -> Self {
        Self::Unplaced(why.into())
    }

    /// A value with this place, for the report.
    pub(crate) fn of(&self, value: String, agrees: Option<bool>) -> Placed {
        let (place, why) = match self {
            Place::Asked => (PlaceKind::Asked, None),
            Place::OtherSlot => (PlaceKind::OtherSlot, None),
            Place::OtherContext(why) => (PlaceKind::OtherContext, Some(why)),
            Place::Operator(why) => (PlaceKind::Operator, Some(why)),
            Place::Unplaced(why) => (PlaceKind::Unplaced, Some(why)),
        };
        Placed { value, place, why: why.cloned(), agrees }
    }
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
    /// The line that corrects an earlier value. Doubts up to it no longer count.
    pub corrected: Option<usize>,
    /// Whether the claim is wrong. Unclear sentences leave it wrong.
    pub is_wrong: bool,
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
