//! Compares agent, live page and record: which of them is wrong, and why. Pure.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use strum::VariantArray;

use crate::scoring::answer::{AnswerVerdict, PointScore};
use crate::scoring::{CaseVerdict, Cause as Difference, Verdict};
use crate::value::ContextPart;

/// The cause of a spot check result (decisions 9, 13, 17).
#[derive(
    Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize, JsonSchema, VariantArray,
)]
#[serde(rename_all = "snake_case")]
pub enum SpotCheckCause {
    /// Agent, page and record agree.
    AllAgree,
    /// They give the same number with different precision.
    RoundingOnly,
    /// The agent contradicts the page, or gives no value.
    AgentWrong,
    /// The page has changed, and the agent agrees with the page.
    TruthStale,
    /// The agent agrees with the record, or an older one, but the page no longer does.
    AgentStale,
    /// The agent's value has another context.
    ContextsDiffer,
    /// The page could not be read, so nothing can be decided.
    PageUnreadable,
    /// The agent gave no answer.
    AgentFailed,
    /// Undecided.
    Unscored,
}

atlas_gt_core::words!(SpotCheckCause);

impl SpotCheckCause {
    /// Whether agent, page and record match; none if undecided.
    #[must_use]
    pub const fn is_match(self) -> Option<bool> {
        match self {
            Self::AllAgree | Self::RoundingOnly => Some(true),
            Self::AgentWrong | Self::TruthStale | Self::AgentStale | Self::ContextsDiffer => Some(false),
            Self::PageUnreadable | Self::AgentFailed | Self::Unscored => None,
        }
    }

    /// The verdict on the agent. A stale record is not its fault.
    #[must_use]
    pub const fn verdict(self) -> CaseVerdict {
        match self {
            Self::AllAgree | Self::RoundingOnly | Self::TruthStale => CaseVerdict::Pass,
            Self::AgentWrong | Self::AgentStale | Self::ContextsDiffer => CaseVerdict::Fail,
            Self::PageUnreadable | Self::Unscored => CaseVerdict::Unscored,
            Self::AgentFailed => CaseVerdict::Error,
        }
    }
}

/// The agent's answer compared with one side.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum SideMatch {
    /// The same value.
    Same,
    /// The same number with different precision.
    Rounded,
    /// Another value.
    Other,
    /// A value of another context.
    OtherContext,
    /// No value.
    Nothing,
    /// Undecided.
    Undecided,
}

impl SideMatch {
    /// The comparison from a scored data point.
    #[must_use]
    pub fn of(point: &PointScore) -> Self {
        let comparison = point.comparison.as_ref();
        match point.said {
            AnswerVerdict::Right if comparison.and_then(|c| c.cause) == Some(Difference::Rounding) => {
                Self::Rounded
            }
            AnswerVerdict::Right => Self::Same,
            _ if comparison.is_some_and(|c| c.verdict == Verdict::NotComparable) => Self::OtherContext,
            AnswerVerdict::Missing => Self::Nothing,
            AnswerVerdict::Unscored => Self::Undecided,
            AnswerVerdict::Wrong => Self::Other,
        }
    }

    const fn agrees(self) -> bool {
        matches!(self, Self::Same | Self::Rounded)
    }
}

/// The comparisons for one data point.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Sides {
    /// The agent compared with the record; none if the agent gave no answer.
    pub agent_truth: Option<SideMatch>,
    /// The agent compared with the page; none if either is missing.
    pub agent_page: Option<SideMatch>,
    /// Whether the page agrees with the record; none if it could not be read.
    pub page_truth: Option<bool>,
    /// Whether the agent gives an older value from the changelog.
    pub agent_older: bool,
    /// Whether the agent's link, as the only evidence, names another entity than the question.
    pub other_entity: bool,
}

/// Decides the cause.
///
/// The page decides who is right, because users see it. Without the page the agent is not judged.
/// An answer that agrees with page and record agrees, however coarse it is. If it agrees only with
/// the page, the record is stale. If it agrees only with the record or an older value, the answer
/// is stale.
#[must_use]
pub fn decide(sides: &Sides) -> SpotCheckCause {
    let Some(truth) = sides.agent_truth else { return SpotCheckCause::AgentFailed };
    let (Some(same), Some(page)) = (sides.page_truth, sides.agent_page) else {
        return SpotCheckCause::PageUnreadable;
    };
    if page.agrees() && sides.other_entity {
        return SpotCheckCause::ContextsDiffer;
    }
    match (page, truth) {
        (SideMatch::Same | SideMatch::Rounded, _) if same => {
            if page == SideMatch::Rounded {
                SpotCheckCause::RoundingOnly
            } else {
                SpotCheckCause::AllAgree
            }
        }
        // the page changed by less than the answer's precision
        (SideMatch::Same | SideMatch::Rounded, SideMatch::Same | SideMatch::Rounded) => {
            SpotCheckCause::RoundingOnly
        }
        (SideMatch::Same | SideMatch::Rounded, _) => SpotCheckCause::TruthStale,
        (SideMatch::Undecided, _) => SpotCheckCause::Unscored,
        (SideMatch::Nothing, _) => SpotCheckCause::AgentWrong,
        (SideMatch::Other | SideMatch::OtherContext, SideMatch::Same | SideMatch::Rounded) => {
            SpotCheckCause::AgentStale
        }
        (SideMatch::Other | SideMatch::OtherContext, _) if sides.agent_older => SpotCheckCause::AgentStale,
        (SideMatch::OtherContext, _) => SpotCheckCause::ContextsDiffer,
        (SideMatch::Other, _) => SpotCheckCause::AgentWrong,
    }
}

/// The context parts in which an answer differs.
#[must_use]
pub fn differing(point: Option<&PointScore>) -> Vec<ContextPart> {
    point.and_then(|point| point.comparison.as_ref()).map(|c| c.differing.clone()).unwrap_or_default()
}

/// The cause for a question with several data points: the one that most needs a person. Any error
/// makes the question a mismatch.
#[must_use]
pub fn worst(causes: &[SpotCheckCause]) -> Option<SpotCheckCause> {
    const ORDER: [SpotCheckCause; 9] = [
        SpotCheckCause::AgentFailed,
        SpotCheckCause::AgentWrong,
        SpotCheckCause::ContextsDiffer,
        SpotCheckCause::AgentStale,
        SpotCheckCause::TruthStale,
        SpotCheckCause::PageUnreadable,
        SpotCheckCause::Unscored,
        SpotCheckCause::RoundingOnly,
        SpotCheckCause::AllAgree,
    ];
    ORDER.into_iter().find(|cause| causes.contains(cause))
}

#[cfg(test)]
mod tests {
    use super::*;
    use SideMatch::{Nothing, Other, OtherContext, Rounded, Same, Undecided};

    const ALL: [SideMatch; 6] = [Same, Rounded, Other, OtherContext, Nothing, Undecided];

    fn of(truth: SideMatch, page: SideMatch, same: bool, older: bool) -> SpotCheckCause {
        decide(&Sides {
            agent_truth: Some(truth),
            agent_page: Some(page),
            page_truth: Some(same),
            agent_older: older,
            other_entity: false,
        })
    }

    #[test]
    fn a_page_that_has_not_moved_decides_alone() {
        for older in [false, true] {
            let stale = |cause| if older { SpotCheckCause::AgentStale } else { cause };
            for (said, due) in [
                (Same, SpotCheckCause::AllAgree),
                (Rounded, SpotCheckCause::RoundingOnly),
                (Other, stale(SpotCheckCause::AgentWrong)),
                (OtherContext, stale(SpotCheckCause::ContextsDiffer)),
                (Nothing, SpotCheckCause::AgentWrong),
                (Undecided, SpotCheckCause::Unscored),
            ] {
                assert_eq!(of(said, said, true, older), due, "{said:?} {older}");
            }
        }
    }

    #[test]
    fn a_page_that_has_moved_tells_stale_truth_from_stale_agent() {
        let rows = [
            // truth, page, due; with an older value that agrees, due
            (Other, Same, SpotCheckCause::TruthStale, SpotCheckCause::TruthStale),
            (Other, Rounded, SpotCheckCause::TruthStale, SpotCheckCause::TruthStale),
            (OtherContext, Same, SpotCheckCause::TruthStale, SpotCheckCause::TruthStale),
            (Nothing, Same, SpotCheckCause::TruthStale, SpotCheckCause::TruthStale),
            (Same, Other, SpotCheckCause::AgentStale, SpotCheckCause::AgentStale),
            (Rounded, Other, SpotCheckCause::AgentStale, SpotCheckCause::AgentStale),
            (Same, OtherContext, SpotCheckCause::AgentStale, SpotCheckCause::AgentStale),
            (Same, Same, SpotCheckCause::RoundingOnly, SpotCheckCause::RoundingOnly),
            (Rounded, Rounded, SpotCheckCause::RoundingOnly, SpotCheckCause::RoundingOnly),
            (Other, Other, SpotCheckCause::AgentWrong, SpotCheckCause::AgentStale),
            (Other, OtherContext, SpotCheckCause::ContextsDiffer, SpotCheckCause::AgentStale),
            (OtherContext, OtherContext, SpotCheckCause::ContextsDiffer, SpotCheckCause::AgentStale),
            (OtherContext, Other, SpotCheckCause::AgentWrong, SpotCheckCause::AgentStale),
            (Nothing, Nothing, SpotCheckCause::AgentWrong, SpotCheckCause::AgentWrong),
            (Undecided, Undecided, SpotCheckCause::Unscored, SpotCheckCause::Unscored),
            (Same, Undecided, SpotCheckCause::Unscored, SpotCheckCause::Unscored),
        ];
        for (truth, page, due, with_older) in rows {
            assert_eq!(of(truth, page, false, false), due, "{truth:?} {page:?}");
            assert_eq!(of(truth, page, false, true), with_older, "{truth:?} {page:?}");
        }
    }

    /// Every combination there is: what must hold of each.
    #[test]
    fn all_combinations() {
        let sides = |side: &[SideMatch]| {
            side.iter().copied().map(Some).chain([None]).collect::<Vec<Option<SideMatch>>>()
        };
        let mut seen = 0;
        for agent_truth in sides(&ALL) {
            for agent_page in sides(&ALL) {
                for page_truth in [Some(true), Some(false), None] {
                    for agent_older in [false, true] {
                        for other_entity in [false, true] {
                            let sides =
                                Sides { agent_truth, agent_page, page_truth, agent_older, other_entity };
                            let cause = decide(&sides);
                            seen += 1;
                            let read = page_truth.is_some() && agent_page.is_some();
                            assert_eq!(
                                cause == SpotCheckCause::AgentFailed,
                                agent_truth.is_none(),
                                "{sides:?}"
                            );
                            assert_eq!(
                                cause == SpotCheckCause::PageUnreadable,
                                agent_truth.is_some() && !read,
                                "decision 13, {sides:?}"
                            );
                            let Some(page) = agent_page.filter(|_| agent_truth.is_some() && read) else {
                                continue;
                            };
                            let is_match = cause.is_match() == Some(true);
                            assert_eq!(
                                is_match,
                                page.agrees()
                                    && !other_entity
                                    && (page_truth == Some(true)
                                        || agent_truth.is_some_and(SideMatch::agrees)),
                                "{sides:?}"
                            );
                            if page_truth == Some(true) {
                                assert_ne!(cause, SpotCheckCause::TruthStale, "{sides:?}");
                            }
                            if page == Undecided {
                                assert_eq!(cause, SpotCheckCause::Unscored, "{sides:?}");
                            }
                        }
                    }
                }
            }
        }
        assert_eq!(seen, 7 * 7 * 3 * 2 * 2);
    }

    #[test]
    fn a_question_is_as_bad_as_its_worst_point() {
        assert_eq!(
            worst(&[SpotCheckCause::AllAgree, SpotCheckCause::TruthStale, SpotCheckCause::Unscored]),
            Some(SpotCheckCause::TruthStale)
        );
        assert_eq!(
            worst(&[SpotCheckCause::AllAgree, SpotCheckCause::RoundingOnly]),
            Some(SpotCheckCause::RoundingOnly)
        );
        assert_eq!(worst(&[]), None);
        for &cause in SpotCheckCause::ALL {
            assert_eq!(worst(&[cause]), Some(cause));
        }
    }
}
