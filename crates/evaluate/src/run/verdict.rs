//! The verdict on one answer, from what the rules found and what a judge said. Pure: one table of cases.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::scoring::rubric::RubricVerdict;

/// What an answer is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum QuestionVerdict {
    /// Right.
    Pass,
    /// Right as far as it goes: something is missing, and nothing is wrong.
    Partial,
    /// Wrong, or nothing of what was asked.
    Fail,
    /// Nothing decided. Neither right nor wrong: it is counted, is in no rate, and passes no gate.
    Unscored,
    /// The agent gave no answer. It counts as a fail and is in no average (decision 17).
    Error,
}

/// Who decided a verdict.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum Decider {
    /// The comparator and the rules.
    Rules,
    /// The judge, where the rules could not.
    Judge,
    /// Nobody.
    Nobody,
}

/// What the rules found.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RuleFinding {
    /// The agent gave no answer.
    NoAnswer,
    /// The data points of a truth, by what the answer does about them.
    Points(PointCounts),
    /// A behaviour is expected: it is shown, it is not, or rules cannot tell.
    Behavior(Option<bool>),
    /// There is nothing to hold the answer against.
    NoTruth,
}

/// Data points by what an answer does about them.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct PointCounts {
    /// It gives the true value.
    pub right: usize,
    /// It gives another.
    pub wrong: usize,
    /// It gives none.
    pub missing: usize,
    /// It cannot be decided.
    pub unscored: usize,
    /// The truth must not score it (decision 9).
    pub refused: usize,
}

/// What the judge said.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JudgeFinding {
    /// It was not asked.
    NotAsked,
    /// It failed, which is never a score.
    Failed,
    /// It decided.
    Says(RubricVerdict),
}

/// A verdict with who decided it and why.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decision {
    /// The verdict.
    pub verdict: QuestionVerdict,
    /// Who decided.
    pub by: Decider,
    /// Why.
    pub reason: &'static str,
}

/// Decides. The rules come first: a wrong value fails, values that are all right pass, and no judge overturns either. A judge
/// decides what the rules leave open, and never raises an answer that lacks something above partial. Truth that must not score an
/// answer decides nothing, not even through a judge (decision 9); a judge without a truth to go by decides nothing either.
#[must_use]
pub const fn decide(rules: RuleFinding, judge: JudgeFinding) -> Decision {
    use QuestionVerdict::{Error, Fail, Partial, Pass, Unscored};
    const fn rule(verdict: QuestionVerdict, reason: &'static str) -> Decision {
        Decision { verdict, by: Decider::Rules, reason }
    }
    const fn open(reason: &'static str) -> Decision {
        Decision { verdict: Unscored, by: Decider::Nobody, reason }
    }
    match rules {
        RuleFinding::NoAnswer => rule(Error, "the agent gave no answer"),
        RuleFinding::NoTruth => open("there is no truth to score it by"),
        RuleFinding::Behavior(Some(true)) => rule(Pass, "it does what is expected"),
        RuleFinding::Behavior(Some(false)) => rule(Fail, "it does not do what is expected"),
        RuleFinding::Behavior(None) => by_judge(judge, false),
        RuleFinding::Points(PointCounts { wrong: 1.., .. }) => rule(Fail, "a value is wrong"),
        RuleFinding::Points(PointCounts { refused: 1.., .. }) => {
            open("the truth must not score where the answer may come from")
        }
        RuleFinding::Points(PointCounts { right, missing, unscored: 0, .. }) => match (right, missing) {
            (0, 0) => open("the truth holds no value"),
            (_, 0) => rule(Pass, "every value is right"),
            (0, _) => rule(Fail, "it gives none of the values"),
            _ => rule(Partial, "some values are missing, and none is wrong"),
        },
        RuleFinding::Points(PointCounts { missing, .. }) => by_judge(judge, missing > 0),
    }
}

/// What a judge makes of what the rules leave open.
const fn by_judge(judge: JudgeFinding, lacks: bool) -> Decision {
    use QuestionVerdict::{Fail, Partial, Pass, Unscored};
    let (verdict, by, reason) = match judge {
        JudgeFinding::NotAsked => (Unscored, Decider::Nobody, "no rule decides it, and no judge was asked"),
        JudgeFinding::Failed => (Unscored, Decider::Nobody, "no rule decides it, and the judge failed"),
        JudgeFinding::Says(RubricVerdict::Pass) if lacks => {
            (Partial, Decider::Judge, "the judge passes it, and a value is missing")
        }
        JudgeFinding::Says(RubricVerdict::Pass) => (Pass, Decider::Judge, "the judge passes it"),
        JudgeFinding::Says(RubricVerdict::Partial) => {
            (Partial, Decider::Judge, "the judge finds it partly right")
        }
        JudgeFinding::Says(RubricVerdict::Fail) => (Fail, Decider::Judge, "the judge fails it"),
    };
    Decision { verdict, by, reason }
}

impl QuestionVerdict {
    /// All, in the order of reports.
    pub const ALL: [Self; 5] = [Self::Pass, Self::Partial, Self::Fail, Self::Unscored, Self::Error];

    /// The word in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Pass => "pass",
            Self::Partial => "partial",
            Self::Fail => "fail",
            Self::Unscored => "unscored",
            Self::Error => "error",
        }
    }
}

/// The word that a value of an enumeration has in JSON.
pub(super) fn word<T: Serialize>(value: T) -> Option<String> {
    serde_json::to_value(value).ok()?.as_str().map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use Decider::{Judge, Nobody, Rules};
    use JudgeFinding::{Failed, NotAsked, Says};
    use QuestionVerdict::{Error, Fail, Partial, Pass, Unscored};

    const SAYS: [JudgeFinding; 5] = [
        NotAsked,
        Failed,
        Says(RubricVerdict::Pass),
        Says(RubricVerdict::Partial),
        Says(RubricVerdict::Fail),
    ];

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
