//! What one statement comes to for a data point, and one verdict of several.

use std::ops::Range;

use super::reading::Reading;
use super::{AnswerVerdict, Expected, PointScore};
use crate::Comparison;

/// Of nothing that is expected.
pub(super) fn blank() -> PointScore {
    PointScore {
        field: String::new(),
        said: AnswerVerdict::Missing,
        value: None,
        sentence: None,
        comparison: None,
        reason: String::new(),
    }
}

pub(super) fn missing(one: &Expected, why: &str) -> PointScore {
    PointScore {
        field: one.field.clone(),
        said: AnswerVerdict::Missing,
        value: None,
        sentence: None,
        comparison: None,
        reason: why.to_owned(),
    }
}

/// What one statement comes to for one data point.
pub(super) struct Judged {
    pub said: AnswerVerdict,
    /// The statement is of another context.
    pub other: bool,
    pub strong: bool,
    /// It is the true value, and nothing asserts it.
    pub unasserted: bool,
    pub value: String,
    pub passage: usize,
    pub comparison: Option<Comparison>,
    pub reason: String,
}

impl Judged {
    /// A right value counts only where it is asserted.
    pub(super) fn needs_assertion(&mut self, reading: &Reading, target: &Range<usize>, one: &Expected) {
        if self.said == AnswerVerdict::Right
            && let Some(objection) = reading.objection(self.passage, target, one)
        {
            self.leave_open(objection);
        }
    }

    /// A right value counts only for the place that is asked about.
    pub(super) fn needs_place(&mut self, other: Option<String>) {
        if let Some(objection) = other.filter(|_| self.said == AnswerVerdict::Right) {
            self.leave_open(objection);
        }
    }

    /// It is the true value, and decides nothing all the same.
    pub(super) fn leave_open(&mut self, why: String) {
        self.said = AnswerVerdict::Unscored;
        self.unasserted = true;
        self.reason = why;
        self.comparison = None;
    }
}

/// One verdict of several statements: those about this very thing before those of another context, surely meant ones
/// before the others. Statements that contradict each other decide nothing.
pub(super) fn settle(one: &Expected, reading: &Reading, judged: Vec<Judged>) -> Option<PointScore> {
    let groups = [(true, false), (false, false), (true, true), (false, true)];
    let pool: Vec<&Judged> = groups
        .iter()
        .map(|(strong, other)| {
            judged.iter().filter(|j| j.strong == *strong && j.other == *other).collect::<Vec<_>>()
        })
        .find(|group| !group.is_empty())?;
    let of = |said: AnswerVerdict| pool.iter().find(|judged| judged.said == said).copied();
    let (chosen, both) = match (of(AnswerVerdict::Right), of(AnswerVerdict::Wrong)) {
        (Some(right), Some(wrong)) => (right, Some(wrong)),
        (Some(right), None) => (right, None),
        // a true value that is not asserted still stands beside the other
        (None, Some(wrong)) => match pool.iter().find(|judged| judged.unasserted) {
            Some(right) => (*right, Some(wrong)),
            None => (wrong, None),
        },
        (None, None) => (pool.first().copied()?, None),
    };
    let sentence = |passage: usize| reading.passages.get(passage).map(|passage| passage.text.clone());
    Some(match both {
        Some(wrong) => PointScore {
            field: one.field.clone(),
            said: AnswerVerdict::Unscored,
            value: Some(format!("{}; {}", chosen.value, wrong.value)),
            sentence: sentence(chosen.passage),
            comparison: None,
            reason: format!("the answer says both {} and {}", chosen.value, wrong.value),
        },
        None => PointScore {
            field: one.field.clone(),
            said: chosen.said,
            value: Some(chosen.value.clone()),
            sentence: sentence(chosen.passage),
            comparison: chosen.comparison.clone(),
            reason: chosen.reason.clone(),
        },
    })
}
