//! A number of an answer with its context.

use crate::answer::line::Line;
use crate::answer::statement::said::Said;
use crate::value::Quantity;

/// A number of the answer.
#[derive(Debug, Clone)]
pub(crate) struct Figure {
    pub line: usize,
    pub token: usize,
    pub quantity: Quantity,
    pub said: Said,
    /// The context without what an earlier sentence states.
    pub by_itself: Option<Said>,
    /// The direction by the words beside it; `true` for up.
    pub direction: Option<bool>,
    /// The preposition that joins it to a movement: `by`, `to`, `from`.
    pub joint: Option<&'static str>,
    /// The word or sign that makes it a bound.
    pub bound: Option<String>,
    /// Whether it is approximate.
    pub about: bool,
    /// Whether it is stated as a rank.
    pub ranked: bool,
    /// The counted noun.
    pub counted: Option<String>,
    /// The last word of the counted phrase.
    pub noun: Option<String>,
    /// Why it is only an operand of another figure.
    pub operand: Option<String>,
    /// Why its value may differ from its digits.
    pub trouble: Option<String>,
    /// The later word that withdraws it: `that is wrong`.
    pub withdrawn: Option<String>,
    /// Whether it follows a correction.
    pub corrected: bool,
    /// Whether it is written in digits.
    pub digits: bool,
}

impl Figure {
    pub(crate) fn shown<'a>(&self, lines: &'a [Line]) -> &'a str {
        let line = lines.get(self.line);
        line.and_then(|line| Some(line.sentence.shown(&line.token(self.token)?.range))).unwrap_or_default()
    }
}
