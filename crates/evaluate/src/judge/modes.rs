//! All judge modes in one table: what they need, their criteria and scale, and what passes. The
//! prompt's criteria, the reply schema, the parser and the checks follow from a row.

use super::request::JudgeMode;
use crate::scoring::rubric::{BINARY_PASS, MAX, PASS};
use crate::scoring::scorers::{GROUNDING, PointScale, REASONING};

/// A row of the table.
pub(super) struct ModeRow {
    /// The mode.
    pub mode: JudgeMode,
    /// The built-in prompt.
    pub template: &'static str,
    /// The required input.
    pub needs: Needs,
    /// The criteria.
    pub criteria: Criteria,
    /// The default passing score, from 0 to 1.
    pub passing: f64,
    /// Whether an answer can be partly right.
    pub has_partial: bool,
}

/// The input that a mode requires.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Needs {
    /// Only question and answer.
    Nothing,
    /// A truth.
    Truth,
    /// Evidence, or a trace.
    Evidence,
}

/// The criteria of a mode, with their scale.
pub(super) enum Criteria {
    /// The dimensions of the request's rubric, each from 1 to 5.
    Rubric,
    /// The dimensions of the binary rubric, each yes or no, and the kind of failure.
    YesNo,
    /// Points for each of several criteria.
    Points(&'static PointScale),
    /// One score.
    One(One),
}

/// The range of a score.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Scale {
    /// The minimum.
    pub least: f64,
    /// The maximum.
    pub most: f64,
    /// Whether the points measure correctness. A reason that calls the answer wrong, or finds no
    /// fault, can then contradict them.
    pub of_facts: bool,
}

/// Keys of further statements that are checked against the score.
pub(super) const DECLINES: &str = "declines";
pub(super) const ASSERTS: &str = "asserts_answer";
pub(super) const SAME: &str = "same";

/// One score, with further statements of the judge.
pub(super) struct One {
    /// The name of the reply schema.
    pub form: &'static str,
    /// The description of the reason for the judge.
    pub reason: &'static str,
    /// Yes-or-no properties, each with a description for the judge.
    pub flags: &'static [(&'static str, &'static str)],
    /// The range.
    pub scale: Scale,
    /// The description of the score for the judge.
    pub help: &'static str,
    /// Whether the judge also states the verdict.
    pub says_verdict: bool,
}

const WHY: &str = "One to three sentences: what speaks for the score.";
const OF_FIVE: &str = "From 1 to 5.";

/// The similarity of two texts.
const SIMILARITY: One = One {
    form: "similarity",
    reason: "One or two sentences: what is alike and what is not.",
    flags: &[(SAME, "Whether both texts say the same.")],
    scale: Scale { least: 0.0, most: 1.0, of_facts: true },
    help: "From 0, nothing in common, to 1, the same.",
    says_verdict: false,
};

/// 3.5 of 5 and 7 of 10 points are 0.7. The similarity thresholds come from the metrics plan.
pub(super) const MODES: [ModeRow; 8] = [
    ModeRow {
        mode: JudgeMode::GroundTruth,
        template: include_str!("../../../../prompts/ground_truth.md"),
        needs: Needs::Truth,
        criteria: Criteria::Rubric,
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Binary,
        template: include_str!("../../../../prompts/binary.md"),
        needs: Needs::Truth,
        criteria: Criteria::YesNo,
        passing: BINARY_PASS,
        has_partial: false,
    },
    ModeRow {
        mode: JudgeMode::Refusal,
        template: include_str!("../../../../prompts/refusal.md"),
        needs: Needs::Nothing,
        criteria: Criteria::One(One {
            form: "refusal",
            reason: WHY,
            flags: &[
                (DECLINES, "Whether the answer declines, or says that there are no such data."),
                (ASSERTS, "Whether the answer states what was asked for as if it knew it."),
            ],
            // a good refusal names what is wrong with the question
            scale: Scale { least: 1.0, most: MAX, of_facts: false },
            help: OF_FIVE,
            says_verdict: true,
        }),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Plausibility,
        template: include_str!("../../../../prompts/plausibility.md"),
        needs: Needs::Nothing,
        criteria: Criteria::One(One {
            form: "plausibility",
            reason: WHY,
            flags: &[],
            scale: Scale { least: 1.0, most: MAX, of_facts: true },
            help: OF_FIVE,
            says_verdict: true,
        }),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Reasoning,
        template: include_str!("../../../../prompts/reasoning.md"),
        needs: Needs::Nothing,
        criteria: Criteria::Points(&REASONING),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Grounding,
        template: include_str!("../../../../prompts/grounding.md"),
        needs: Needs::Evidence,
        criteria: Criteria::Points(&GROUNDING),
        passing: PASS / MAX,
        has_partial: true,
    },
    ModeRow {
        mode: JudgeMode::Fuzzy,
        template: include_str!("../../../../prompts/fuzzy.md"),
        needs: Needs::Truth,
        criteria: Criteria::One(SIMILARITY),
        passing: 0.85,
        has_partial: false,
    },
    ModeRow {
        mode: JudgeMode::Semantic,
        template: include_str!("../../../../prompts/semantic.md"),
        needs: Needs::Truth,
        criteria: Criteria::One(SIMILARITY),
        passing: 0.80,
        has_partial: false,
    },
];

impl JudgeMode {
    /// The mode's row.
    pub(super) const fn row(self) -> &'static ModeRow {
        &MODES[self as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_mode_stands_in_its_place() {
        assert!(MODES.iter().map(|row| row.mode).eq(JudgeMode::ALL.iter().copied()));
    }
}
