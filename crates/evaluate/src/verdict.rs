//! Decides the verdict on an answer from the findings of rules and judge: one table of cases for `score answer`, `score
//! answers` and runs. Pure.

use std::fmt;
use std::ops::AddAssign;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scoring::CaseVerdict;

/// Who decided a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// The comparator and the rules.
    Rules,
    /// The judge, if the rules could not decide.
    Judge,
    /// Nobody: undecided.
    Nobody,
}

/// The findings of the rules.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFinding {
    /// The agent gave no answer.
    NoAnswer,
    /// The counts of data points, if there is a truth.
    Points(PointCounts),
    /// Whether the expected behavior is shown; none if rules cannot tell.
    Behavior(Option<bool>),
    /// There is no reference to compare with.
    NoTruth,
}

/// Data points by result.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct PointCounts {
    /// The answer gives the true value.
    pub right: usize,
    /// It gives another value.
    pub wrong: usize,
    /// It gives no value.
    pub missing: usize,
    /// Undecided.
    pub unscored: usize,
    /// The truth must not score the answer (decision 9).
    pub refused: usize,
}

impl PointCounts {
    /// The share of right points; none if one is undecided or refused, or if there is none.
    #[must_use]
    pub fn share(self) -> Option<f64> {
        let all = self.right + self.wrong + self.missing;
        (all > 0 && self.unscored == 0 && self.refused == 0).then(|| self.right as f64 / all as f64)
    }
}

impl AddAssign for PointCounts {
    fn add_assign(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.missing += other.missing;
        self.unscored += other.unscored;
        self.refused += other.refused;
    }
}

impl fmt::Display for PointCounts {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { right, wrong, missing, unscored, refused } = self;
        write!(f, "{right} right, {wrong} wrong, {missing} missing, {unscored} unscored, {refused} refused")
    }
}

/// A verdict with its origin and reason.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: CaseVerdict,
    /// Who decided.
    pub by: Decider,
    /// Why.
    pub reason: &'static str,
}

/// Decides a verdict. The rules come first: a wrong value fails, all right values pass, and no
/// judge overrules either. The judge decides the rest, and an answer with a missing value is at
/// most partial. A truth that must not score the answer decides nothing, even through a judge
/// (decision 9), and neither does a judge without a truth. Without a judge the answer is undecided;
/// after a judge's failure it is unscored.
#[must_use]
pub const fn decide(rules: RuleFinding, judge: Option<CaseVerdict>) -> Decision {
    use CaseVerdict::{Error, Fail, Partial, Pass, Unscored};
    const fn rule(verdict: CaseVerdict, reason: &'static str) -> Decision {
        Decision { verdict, by: Decider::Rules, reason }
    }
    const fn open(reason: &'static str) -> Decision {
        Decision { verdict: Unscored, by: Decider::Nobody, reason }
    }
    match rules {
        RuleFinding::NoAnswer => rule(Error, "the agent gave no answer"),
        RuleFinding::NoTruth => open("there is no truth to score it against"),
        RuleFinding::Behavior(Some(true)) => rule(Pass, "it shows the expected behavior"),
        RuleFinding::Behavior(Some(false)) => rule(Fail, "it does not show the expected behavior"),
        RuleFinding::Behavior(None) => by_judge(judge, false),
        RuleFinding::Points(PointCounts { wrong: 1.., .. }) => rule(Fail, "a value is wrong"),
        RuleFinding::Points(PointCounts { refused: 1.., .. }) => {
            open("the truth must not score an answer that may come from the same source")
        }
        RuleFinding::Points(PointCounts { right, missing, unscored: 0, .. }) => match (right, missing) {
            (0, 0) => open("the truth has no value"),
            (_, 0) => rule(Pass, "every value is right"),
            (0, _) => rule(Fail, "it gives none of the values"),
            _ => rule(Partial, "some values are missing, but none is wrong"),
        },
        RuleFinding::Points(PointCounts { missing, .. }) => by_judge(judge, missing > 0),
    }
}

/// The verdict of a judge on what the rules leave open.
const fn by_judge(judge: Option<CaseVerdict>, lacks: bool) -> Decision {
    use CaseVerdict::{Error, Fail, Partial, Pass, Unscored};
    let (verdict, by, reason) = match judge {
        None => (Unscored, Decider::Nobody, "no rule decides it, and no judge was asked"),
        Some(Unscored | Error) => (Unscored, Decider::Nobody, "no rule decides it, and the judge failed"),
        Some(Pass) if lacks => (Partial, Decider::Judge, "the judge passes it, but a value is missing"),
        Some(Pass) => (Pass, Decider::Judge, "the judge passes it"),
        Some(Partial) => (Partial, Decider::Judge, "the judge finds it partly right"),
        Some(Fail) => (Fail, Decider::Judge, "the judge fails it"),
    };
    Decision { verdict, by, reason }
}

#[cfg(test)]
mod tests {
    use super::*;
    use CaseVerdict::{Error, Fail, Partial, Pass, Unscored};
    use Decider::{Judge, Nobody, Rules};

    /// Not asked, failed, and what it may say.
    const SAYS: [Option<CaseVerdict>; 5] = [None, Some(Unscored), Some(Pass), Some(Partial), Some(Fail)];

    fn points(right: usize, wrong: usize, missing: usize, unscored: usize, refused: usize) -> RuleFinding {
        RuleFinding::Points(PointCounts { right, wrong, missing, unscored, refused })
    }

    /// Rules, and the verdict for every finding of the judge in the order of [`SAYS`].
    #[test]
    fn every_case_of_the_table() {
        let by_rules = |verdict| [(verdict, Rules); 5];
        let nobody = [(Unscored, Nobody); 5];
        let judged = [(Unscored, Nobody), (Unscored, Nobody), (Pass, Judge), (Partial, Judge), (Fail, Judge)];
        let lacking =
            [(Unscored, Nobody), (Unscored, Nobody), (Partial, Judge), (Partial, Judge), (Fail, Judge)];
        for (rules, due) in [
            (RuleFinding::NoAnswer, by_rules(Error)),
            (RuleFinding::NoTruth, nobody),
            (RuleFinding::Behavior(Some(true)), by_rules(Pass)),
            (RuleFinding::Behavior(Some(false)), by_rules(Fail)),
            (RuleFinding::Behavior(None), judged),
            (points(1, 0, 0, 0, 0), by_rules(Pass)),
            (points(3, 0, 0, 0, 0), by_rules(Pass)),
            (points(0, 1, 0, 0, 0), by_rules(Fail)),
            (points(4, 1, 0, 0, 0), by_rules(Fail)),
            (points(0, 1, 0, 2, 1), by_rules(Fail)),
            (points(0, 0, 2, 0, 0), by_rules(Fail)),
            (points(1, 0, 2, 0, 0), by_rules(Partial)),
            (points(0, 0, 0, 1, 0), judged),
            (points(2, 0, 0, 1, 0), judged),
            (points(1, 0, 1, 1, 0), lacking),
            (points(0, 0, 1, 1, 0), lacking),
            (points(0, 0, 0, 0, 1), nobody),
            (points(2, 0, 0, 1, 1), nobody),
            (points(0, 0, 0, 0, 0), nobody),
        ] {
            for (judge, due) in SAYS.into_iter().zip(due) {
                let decision = decide(rules, judge);
                assert_eq!((decision.verdict, decision.by), due, "{rules:?} {judge:?}");
            }
        }
    }
}
